"""The conclusion: the claim and the witness, and a proof as a whole."""

from __future__ import annotations

import hashlib
import json
import math
from fractions import Fraction
from typing import Any

from .bundles import can_follow, Channel
from .errors import demand, INF, Unreadable, within_scope, Wrong
from .grid import Grid
from .ledger import Ledger
from .loaders import read_model
from .log import Log
from .models import Model, piece_of
from .numbers import exact, index, number
from .proof_file import fields, inflate, parse_json, read_file, variant
from .statement import Statement


def check_claim(claim: tuple, log: Log, unit: Fraction, offset: Fraction, statement: Statement) -> None:
    """Whether the claim follows from the bounds of all regions."""
    kind, least = claim[0], -log.number
    if kind == "infeasible":
        # With a distance, and for labels, what does not reach the goal is discarded, too: that proves less.
        demand(not log.ledger and log.pruned == -INF and not log.open, "some input may remain")
    elif log.ledger and kind in ("never", "not_nearer"):
        near = statement.near
        distance = INF if least == INF else log.ledger.real(max(least, 0) if least > -INF else 0)
        if kind == "not_nearer":
            demand(distance >= near.power(claim[1]), "the log does not prove the distance")
        else:
            demand(least == INF or near.radius is not None and distance > near.power(near.radius), "some input may reach the goal")
    elif kind == "never":
        proved = log.number * unit + offset if math.isfinite(log.number) else log.number
        demand(proved < 0, "some input may reach the goal")
    elif kind == "at_most":
        demand(variant(statement.goal, "a goal")[0] == "sums" and not log.ledger, "only sums have a bound")
        proved = log.number * unit + offset if math.isfinite(log.number) else log.number
        demand(proved <= claim[1], "the log proves less than is claimed")
    else:
        demand(kind in ("reached", "nothing"), f"the claim `{kind}` does not fit")


def check_witness(witness: Any, claim: tuple, statement: Statement, cases: list) -> None:
    """The witness is an input of the statement, and does not contradict the claim."""
    demand(claim[0] not in ("never", "infeasible"), "a claim that there is nothing has a witness")
    demand(isinstance(witness, list) and len(witness) == len(statement.inputs), "the witness has another number of inputs")
    readings, values = [], []
    for place, rows in enumerate(witness):
        demand(len(rows) == len(statement.models), "the witness has another number of models")
        rows = [[number(value) for value in row] for row in rows]
        demand(all(len(row) == len(model.features) for row, model in zip(rows, statement.models)), "a row of the witness does not fit")
        readings.append([[model.read(f, value) for f, value in enumerate(row)] for row, model in zip(rows, statement.models)])
        values.append([])
        for feature, readers in enumerate(statement.readers):
            pieces = set()
            for m, f in readers:
                reading = readings[-1][m][f]
                pieces.add(("numbers", rows[m][f], rows[m][f]) if isinstance(reading, float) else piece_of(reading))
            demand(len(pieces) == 1, f"the models see different values of {statement.names[feature]}")
            values[-1] += pieces
            is_allowed = statement.inputs[place][feature].allows(values[-1][-1])
            demand(is_allowed, f"the witness has a value of {statement.names[feature]} that is not allowed")
    for place, feature, domain in statement.conditions:
        demand(domain.allows(values[place][feature]), "the witness meets not all conditions")
    for first, second, tie in zip(values[0], values[-1], statement.ties):
        demand(tie != "same" or first == second, "the witness differs in a feature that is the same")
        demand(tie != "not_below" or can_follow([first], [second]), "the witness falls in a feature that must not")
    distance = statement.near and statement.near.together([statement.near.cost(f, piece) for f, piece in enumerate(values[0])])
    if statement.near and statement.near.radius is not None:
        demand(distance <= statement.near.power(statement.near.radius), "the witness is too far away")
    leaves = [[model.reached(row) for model, row in zip(statement.models, rows)] for rows in readings]
    if claim[0] == "at_most":
        def margin(model: int, place: int, output: int) -> Fraction:
            terms = [statement.models[model].leaf_value(tree, leaf, output) for tree, leaf in enumerate(leaves[place][model])]
            return sum(terms, statement.models[model].exact_base(output))

        def value(terms: list, constant: Fraction) -> Fraction:
            return sum(((-1 if negated else 1) * margin(m, place, output) for m, place, output, negated in terms), constant)

        sums = [[value(*total) for total in case] for case in cases]
        demand(max(map(min, sums)) <= claim[1], "the witness exceeds the bound")
        return
    within_scope(variant(statement.goal, "a goal")[0] != "sums", "a witness that reaches a goal of sums")
    if variant(statement.goal, "a goal")[0] == "other_label":
        last = statement.labels.of(leaves[-1][0])
        other = statement.label if statement.label is not None else statement.labels.of(leaves[0][0])
        demand(last != other, "the witness does not reach the goal")
        demand(claim[0] != "not_nearer" or distance >= statement.near.power(claim[1]), "the witness is nearer than is claimed")


def check_statement(parts: dict, models: list[Model]) -> str:
    """Verifies one section; the claim in words."""
    demand(set(parts) >= {b"H", b"C"}, "a section has no header or no conclusion")
    header = fields(
        parse_json(inflate(parts[b"H"])), "the header", "statement axes unit offset bundles", name="", place=[], models=None, ledgers=[]
    )
    demand(isinstance(header.name, str), "a name is no text")
    demand(all(index(part, 1 << 64, "place") >= 0 for part in header.place), "a place is no number")
    conclusion = fields(parse_json(parts[b"C"]), "the conclusion", "claim", witness=None, listed=[])
    within_scope(not conclusion.listed, "listed regions")
    if header.models is not None:
        models = [models[index(place, len(models), "model")] for place in header.models]
    kind, value = variant(conclusion.claim, "the claim")
    claim = (kind, value if value is None else number(value))
    demand(value is None or not math.isnan(claim[1]), "the claim is no number")
    if kind == "not_nearer":
        within_scope(claim[1] < INF, "an infinite distance")
        demand(claim[1] >= 0, "a distance is negative")
        claim = (kind, Fraction(claim[1]))
    statement = Statement(header.statement, models)
    demand(kind != "not_nearer" or statement.near, "there is no distance")
    grid, unit, offset = Grid(header, statement), exact(header.unit), exact(header.offset)
    demand(unit > 0, "the unit is not positive")
    ledger = None
    for value in header.ledgers:
        which, content = variant(value, "a ledger")
        within_scope(which == "distance" and ledger is None, f"the ledger `{which}`")
        demand(statement.near, "there is no distance")
        ledger = Ledger(grid, content)
    cases = statement.cases()
    demand([len(sums) for sums in header.bundles] == [len(case) for case in cases] and all(cases), "bundles are for other sums")
    channels = [
        [Channel(grid, total, bundles, unit, offset, ledger) for total, bundles in zip(case, sums)]
        for case, sums in zip(cases, header.bundles)
    ]
    log = Log(bytes(parts.get(b"L", b"")), grid, channels, ledger, claim)
    check_claim(claim, log, unit, offset, statement)
    demand(kind != "reached" or conclusion.witness, "the witness is missing")
    if conclusion.witness is not None:
        check_witness(conclusion.witness, claim, statement, cases)
    return in_words(claim, statement, log.steps)


def in_words(claim: tuple, statement: Statement, steps: int) -> str:
    """The claim and the inputs that it covers."""
    within_scope(claim not in (("at_most", INF), ("not_nearer", 0)) and claim[0] != "nothing", "a statement that claims nothing")
    claims = {
        "at_most": "the number in question is at most {}", "never": "no input reaches the goal", "infeasible": "there is no input",
        "not_nearer": "no input that reaches the goal is nearer than {}", "reached": "the witness reaches the goal",
    }  # fmt: skip
    value = float(claim[1]) if len(claim) > 1 and claim[1] is not None else None
    lines = [f"{claims[claim[0]].format(value)} ({steps} {'step' if steps == 1 else 'steps'} checked); the goal is {json.dumps(statement.goal)}"]
    if statement.near:
        near = statement.near
        factors, radius = [float(factor) for factor in near.factors], near.radius and float(near.radius)
        lines.append(f"within {radius} of {near.reference} in {near.norm} with the factors {factors}")
    for place, domains in enumerate(statement.inputs):
        for name, tie, domain in zip(statement.names, statement.ties, domains):
            values = ", ".join(" ".join(map(str, piece)) for piece in domain.pieces())
            lines.append(f"input {place}, {json.dumps(name)} ({tie}): {values or 'nothing'}")
    return "\n    ".join(lines + [f"condition: {condition}" for condition in statement.conditions])


def check(proof: str, files: list[str]) -> list[str]:
    """The claims of a proof in words."""
    contents = []
    for file in [proof, *files]:
        try:
            with open(file, "rb") as source:
                contents.append(source.read())
        except OSError as error:
            raise Unreadable(f"{file}: {error.strerror}") from None
    manifest, sections = read_file(contents[0])
    manifest = fields(manifest, "the manifest", "question models")
    demand(len(manifest.models) == len(files), f"it is about {len(manifest.models)} models")
    models = []
    for value, file, content in zip(manifest.models, files, contents[1:]):
        value = fields(value, "a model", "name sha256", options={})
        demand(value.sha256 == hashlib.sha256(content).hexdigest(), f"{file} is not the model that was asked about")
        options = fields(value.options, "options", "", api="sklearn", missing_value=None, dump=None, catboost_json_reader=None)
        within_scope(set(value.options) <= {"api"}, "options of reading other than `api`")
        models.append(read_model(content, options.api))
    demand(sections, "the proof has no statement")
    claims = []
    for place, parts in sorted(sections.items()):
        try:
            claims.append(check_statement(parts, models))
        except Wrong as error:
            raise Wrong(f"statement {place}: {error}") from None
    return claims
