"""The checker in Python and that of the program accept the same proofs: honest ones, and what remains of them when they are forged."""

from __future__ import annotations

import copy
import hashlib
import json
import math
import os
import random
import struct
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import parity
import pytest

sys.path.insert(0, str(parity.ROOT / "scripts"))
import check  # noqa: E402
from second_checker.loaders import read_model  # noqa: E402

EXAMPLES = parity.ROOT / "docs/examples"
FIXTURES = parity.ROOT / "crates/treeproof-ensemble/tests/fixtures"
FORGERIES = int(os.environ.get("TREEPROOF_FORGERIES", 1000))
SEED = int(os.environ.get("TREEPROOF_SEED", 1))
Block = tuple[int, bytes, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small models of both libraries, and rows."""
    if not parity.is_built():
        if "TREEPROOF_BIN" in os.environ:
            pytest.fail(f"TREEPROOF_BIN names no file: {os.environ['TREEPROOF_BIN']}")
        pytest.skip("the binary is not built (cargo build)")
    xgboost, lightgbm = pytest.importorskip("xgboost"), pytest.importorskip("lightgbm")
    folder = tmp_path_factory.mktemp("checked")
    rng = np.random.default_rng(5)
    rows = np.round(rng.normal(size=(300, 4)), 2)
    rows[:, 3] = rng.integers(0, 4, len(rows))
    score = rows[:, 0] + rows[:, 1] * rows[:, 2] + 0.5 * rows[:, 3] + rng.normal(scale=0.3, size=len(rows))
    targets = {"number": score, "other": 1.01 * score, "two": score > np.median(score), "three": np.digitize(score, np.quantile(score, [0.3, 0.6]))}
    names = [f"f{column}" for column in range(4)]

    def boosted(name: str, target: str, objective: str, rounds: int = 5, **parameters: Any) -> None:
        parameters = {"objective": objective, "max_depth": 3, "eta": 0.4, "seed": 1, "nthread": 1} | parameters
        columns = xgboost.DMatrix(rows, targets[target], feature_names=names)
        xgboost.train(parameters, columns, rounds).save_model(folder / f"{name}.json")

    def light(name: str, target: str, objective: str, rounds: int = 5, **parameters: Any) -> None:
        parameters = {"objective": objective, "num_leaves": 6, "verbose": -1, "min_data_in_leaf": 5, "seed": 1, "num_threads": 1} | parameters
        categories = parameters.pop("categories", [])
        columns = lightgbm.Dataset(rows, targets[target], feature_name=names, categorical_feature=categories, params={"verbose": -1})
        lightgbm.train(parameters, columns, rounds).save_model(folder / f"{name}.txt")

    boosted("number", "number", "reg:squarederror")
    boosted("other", "other", "reg:squarederror")
    boosted("two", "two", "binary:logistic")
    boosted("three", "three", "multi:softprob", 2, num_class=3, max_depth=2)
    boosted("dart", "two", "binary:logistic", booster="dart", rate_drop=0.3)
    light("number", "number", "regression")
    light("other", "other", "regression")
    light("two", "two", "binary")
    light("three", "three", "multiclass", 2, num_class=3, num_leaves=4)
    light("zero", "number", "regression", zero_as_missing=True)
    light("category", "two", "binary", categories=[3], min_data_per_group=5, cat_smooth=1.0)
    for name in ("new.json", "old.json", "people.csv"):
        (folder / name).write_bytes((EXAMPLES / name).read_bytes())
    np.save(folder / "rows.npy", rows[:4])
    return folder


def questions() -> list[list[str]]:
    """The arguments of every question in scope."""
    where = ["--where", "integer(f3) and f0 >= -1 and f0 <= 1 and maybemissing(f1)"]
    asked: list[list[str]] = []
    for model in ("number.json", "number.txt", "dart.json", "zero.txt"):
        asked += [["range", model], ["max", model, *where], ["min", model, "--where", "f1 < 0"]]
        asked += [["monotone", model, "--feature", feature] for feature in ("f0", "f3")]
    asked += [["max", "category.txt"], ["max", "new.json", "--where", "age < 30"], ["min", "new.json"], ["monotone", "new.json", "--feature", "age"]]
    asked += [["max", "number.json", "--where", "f0 < 3 and f0 > 5"]]
    asked += [[question, model, "--class", "1"] for question in ("max", "range") for model in ("three.json", "three.txt")]
    asked += [["diff", f"number.{end}", f"other.{end}"] for end in ("json", "txt")] + [["diff", "new.json", "old.json"], ["diff", "number.json", "number.json"]]
    for model in ("two.json", "two.txt", "three.json", "three.txt", "category.txt"):
        asked += [["fair", model, "--protected", "f3"], ["fair", model, "rows.npy", "--protected", "f3"]]
        for norm, radius in (("linf", "0.3"), ("l1", "0.5"), ("l2", "0.4"), ("l0", "1")):
            asked.append(["robust", model, "rows.npy", "--norm", norm, "--radius", radius])
    person = ["new.json", "people.csv", "--norm"]
    asked += [["robust", *person, norm, "--radius", "20", "--weights", "income=0.001"] for norm in ("linf", "l1", "l2", "l0")]
    asked.append(["robust", *person, "l1", "--radius", "20", "--missing-cost", "3", "--category-cost", "2", "--where", "maybemissing(age)"])
    return asked


def proofs(folder: Path) -> list[tuple[str, Path, list[str]]]:
    """What was asked, the proof, and its models."""
    written = []
    for number, question in enumerate(questions()):
        proof = folder / f"{number}.proof"
        arguments = [str(folder / word) if (folder / word).is_file() else word for word in question]
        command = [*parity.command(), *arguments, "--threads", "1", "--proof", str(proof)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode in (0, 1, 4), f"{question}: {result.stderr}"
        models = [word for word in arguments[1:3] if word.endswith((".json", ".txt"))]
        written.append((" ".join(question), proof, models))
    return written


def verdicts(proof: Path, models: list[str]) -> tuple[int, int, str]:
    """The exit codes of the program and of the script, and what the script says."""
    result = subprocess.run([*parity.command(), "check", str(proof), *models], capture_output=True, text=True, check=False)
    code, lines = check.verdict(str(proof), models)
    return result.returncode, code, f"{result.stdout.splitlines()[:2]} {lines[0]}"


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "own"])
def test_models_are_read_as_the_libraries_compute_them(library: str) -> None:
    """Sums are those of the libraries, bit for bit."""
    compared = 0
    for case in sorted((FIXTURES / library).glob("*/case.json")):
        about = json.loads(case.read_text())
        margins = case.parent / "margins.npy"
        if about.get("missing_value") is not None or not margins.exists():
            continue
        try:
            model = read_model((case.parent / about["model"]).read_bytes(), about.get("api") or "sklearn")
            model.margins([0] * len(model.trees))
        except check.OutOfScope:
            continue
        for row, expected in list(zip(np.load(case.parent / "rows.npy"), np.load(margins)))[:40]:
            found = model.margins(model.reached([model.read(place, float(raw)) for place, raw in enumerate(row)]))
            assert found == [float(margin) for margin in np.atleast_1d(expected)], case
            compared += 1
    assert compared > 50


def take_apart(content: bytes) -> list[Block]:
    """The blocks of a proof but its digest; JSON as data."""
    place, blocks = content.index(b"\n") + 1, []
    while place < len(content):
        section, kind, length = struct.unpack_from("<IcI", content, place)
        part: Any = content[place + 9 : place + 9 + length]
        if kind != b"L":
            part = json.loads(zlib.decompress(part) if kind == b"H" else part) if kind != b"E" else None
        blocks.append((section, kind, part))
        place += 9 + length
    return [block for block in blocks if block[1] != b"E"]


def assembled(start: bytes, blocks: list[Block]) -> bytes:
    """A proof of these blocks with its digest."""
    content = start
    for section, kind, part in blocks:
        if kind != b"L":
            part = json.dumps(part).encode()
        part = zlib.compress(part) if kind == b"H" else part
        content += struct.pack("<IcI", section, kind, len(part)) + part
    return content + struct.pack("<IcI", 0, b"E", 32) + hashlib.sha256(content).digest()


def leaves(value: Any) -> list[tuple[Any, Any]]:
    """Every place in JSON that holds something, as a container and a key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [place for key in keys for place in [(value, key), *leaves(value[key])]]


def changed(value: Any, rng: random.Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 1, 2])
    if isinstance(value, float):
        near = [math.nextafter(value, -math.inf), math.nextafter(value, math.inf)]
        return rng.choice([*near, value - 0.01, value + 0.01, value * 1.5, -value, 0.0])
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        return rng.choice([value[:place] + value[place + 1 :], [*value, value[place]], value[::-1], value[:place] + [value[place]] + value[place:]])
    if isinstance(value, dict) and value:
        omitted = rng.choice(list(value))
        return {name: part for name, part in value.items() if name != omitted}
    if isinstance(value, str) and value:
        return rng.choice(["1", "-1", "1/3", "never", "infeasible", "reached", "anything", "missing", "same", "free", "not_below", "l1", "l2", "linf", "l0", value + "0"])
    return rng.choice([None, 0, [], value])


def loosened(conclusion: dict, rng: random.Random) -> None:
    """A weaker claim, which a weaker log can still prove."""
    claim = conclusion["claim"]
    if isinstance(claim, dict) and "at_most" in claim:
        claim["at_most"] = claim["at_most"] + rng.choice([1e-9, 0.001, 0.1, 1.0, 10.0])
    if isinstance(claim, dict) and "not_nearer" in claim:
        claim["not_nearer"] *= rng.choice([0.0, 0.5, 0.9, 0.999])
    if rng.random() < 0.1:
        conclusion["claim"] = rng.choice(["infeasible", "never", "reached", "nothing", {"at_most": 0.0}, {"not_nearer": 0.1}])
    if rng.random() < 0.1:
        conclusion.pop("witness", None)


def forged(content: bytes, rng: random.Random) -> bytes:
    """A proof with one change or a few, in its header, log or conclusion."""
    blocks = copy.deepcopy(take_apart(content))
    start = content[: content.index(b"\n") + 1]
    if rng.random() < 0.6:
        for _, kind, part in blocks:
            if kind == b"C":
                loosened(part, rng)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        which = rng.choice([b"L", b"L", b"H", b"H", b"C"])
        place = rng.choice([place for place, block in enumerate(blocks) if block[1] == which] or [0])
        section, kind, part = blocks[place]
        if kind == b"L":
            log, at = bytearray(part), rng.randrange(len(part) + 1)
            change = rng.randrange(6)
            if change < 3 and at < len(log):
                log[at] = rng.choice([rng.randrange(256), log[at] ^ 1, (log[at] + 1) % 256, 0, 3])
            elif change == 3:
                del log[at:]
            elif change == 4:
                del log[at : at + rng.choice([1, 2, 3])]
            else:
                log[at:at] = bytes(rng.choice([[3, 0], [0, 0, 0, 0, 0], [rng.randrange(6)]]))
            blocks[place] = (section, kind, bytes(log))
        else:
            container, key = rng.choice(leaves(part))
            container[key] = changed(container[key], rng)
    return assembled(start, blocks)


def test_both_checkers_agree(folder: Path) -> None:
    """On every honest proof, and on every forged one that is in the scope of the script."""
    honest = proofs(folder)
    for question, proof, models in honest:
        assert verdicts(proof, models)[:2] == (0, 0), f"{question}: {verdicts(proof, models)}"
    rng, counts, path = random.Random(SEED), Counter[str](), folder / "forged.proof"
    disagreements = []
    small = [each for each in honest if each[1].stat().st_size < 6000]
    for number in range(FORGERIES):
        question, proof, models = rng.choice(small)
        path.write_bytes(forged(proof.read_bytes(), rng))
        theirs, ours, said = verdicts(path, models)
        if ours == 3 or theirs == 3:
            counts["out of scope"] += 1
            # What is out of scope for the script may be anything; what claims nothing is no more for it.
            if ours not in (1, 3):
                disagreements.append(f"forgery {number} of {question}: program {theirs}, script {ours}: {said}")
            continue
        counts["accepted" if ours == 0 else "refused"] += 1
        if ours != theirs:
            kept = Path(os.environ.get("TREEPROOF_KEEP", folder)) / f"disagreement-{number}.proof"
            kept.write_bytes(path.read_bytes())
            disagreements.append(f"forgery {number} of {question}, {models} ({kept}): program {theirs}, script {ours}: {said}")
    print(f"{len(honest)} honest, {dict(counts)}")
    assert not disagreements, "\n".join(disagreements)
    assert len(honest) >= 60 and counts["accepted"] >= FORGERIES // 10 and counts["refused"] >= FORGERIES // 4, counts
