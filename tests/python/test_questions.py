"""Every question gives the same report through Python as through the command line, timings aside."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import cli
import numpy as np
import parity
import pytest
import treeproof as tp

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs/examples"
NEW, OLD, PEOPLE, HOMES = (EXAMPLES / name for name in ("new.json", "old.json", "people.csv", "homes.json"))
FIXTURES = ROOT / "crates/treeproof-ensemble/tests/fixtures"
BINARY = FIXTURES / "xgboost/bin/model.json.gz"
BINARY_ROWS = FIXTURES / "xgboost/bin/rows.npy"
CLASSES = FIXTURES / "xgboost/dart_multi/model.json.gz"

ONE = {"threads": 1}

# The question, its flags, and the same as a call.
ASKED: dict[str, tuple[list[Any], Any]] = {
    "max": ([NEW, "--domain", PEOPLE], lambda: tp.max(NEW, domain=PEOPLE, **ONE)),
    "min": ([NEW, "--where", "age >= 30"], lambda: tp.min(NEW, where="age >= 30", **ONE)),
    "range": ([BINARY, "--where", "0 <= f0 < 1", "--where", "f4 >= 2"], lambda: tp.range(BINARY, where=["0 <= f0 < 1", "f4 >= 2"], **ONE)),
    "max groups": ([HOMES, "--group", "home=home_*"], lambda: tp.max(HOMES, groups={"home": "home_*"}, **ONE)),
    "max veritas": ([BINARY, "--method", "veritas", "--epsilon", "0.3"], lambda: tp.max(BINARY, method="veritas", epsilon=0.3, **ONE)),
    "max gap": ([BINARY, "--gap", "50%", "--seed", "3"], lambda: tp.max(BINARY, gap="50%", seed=3, **ONE)),
    "max infeasible": ([NEW, "--where", "age > 3", "--where", "age < 2"], lambda: tp.max(NEW, where=["age > 3", "age < 2"], **ONE)),
    "robust": ([NEW, PEOPLE, "--norm", "linf", "--radius", "5"], lambda: tp.robust(NEW, PEOPLE, norm="linf", radius=5, **ONE)),
    "closest": ([NEW, PEOPLE, "--norm", "l1", "--count", "2", "--domain", PEOPLE], lambda: tp.closest(NEW, PEOPLE, norm="l1", count=2, domain=PEOPLE, **ONE)),
    "closest scaled": ([NEW, PEOPLE, "--norm", "l2", "--rows", "2", "--scale", f"std:{PEOPLE}", "--weights", "age=2"], lambda: tp.closest(NEW, PEOPLE, norm="l2", rows=2, scale=f"std:{PEOPLE}", weights={"age": 2}, **ONE)),
    "dominant": ([NEW, "--domain", PEOPLE, "--baseline", f"{PEOPLE}:0", "--vary", "*", "--each"], lambda: tp.dominant(NEW, domain=PEOPLE, baseline=f"{PEOPLE}:0", vary="*", each=True, **ONE)),
    "dominant given": ([NEW, "--given", "age=30,status=single", "--vary", "income", "--domain", PEOPLE], lambda: tp.dominant(NEW, given={"age": 30, "status": "single"}, vary="income", domain=PEOPLE, **ONE)),
    "fair": ([NEW, "--protected", "status"], lambda: tp.fair(NEW, protected="status", **ONE)),
    "fair rows": ([NEW, PEOPLE, "--protected", "status", "--threshold", "0.4"], lambda: tp.fair(NEW, PEOPLE, protected=["status"], threshold=0.4, **ONE)),
    "monotone": ([NEW, "--feature", "income"], lambda: tp.monotone(NEW, "income", **ONE)),
    "monotone all": ([NEW, "--decreasing"], lambda: tp.monotone(NEW, decreasing=True, **ONE)),
    "stable": ([NEW, "--domain", PEOPLE, "--norm", "linf", "--radius", "1000", "--where", "fixed(status)"], lambda: tp.stable(NEW, domain=PEOPLE, norm="linf", radius=1000, where="fixed(status)", **ONE)),
    "diff": ([OLD, NEW, "--within", "0.5"], lambda: tp.diff(OLD, NEW, within=0.5, **ONE)),
    "enumerate": ([NEW, "--top", "3"], lambda: tp.enumerate(NEW, top=3, **ONE)),
    "solve": ([EXAMPLES / "raise.json"], lambda: tp.solve(EXAMPLES / "raise.json", **ONE)),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_both_surfaces_give_the_same_report(name: str) -> None:
    flags, call = ASKED[name]
    told = cli.ask(name.split()[0], *flags, "--threads", "1")
    report = call()
    assert cli.timeless(json.loads(report.to_json())) == cli.timeless(told)
    assert report.verdict == told["verdict"]


def test_an_audit_is_the_same() -> None:
    file = EXAMPLES / "loans.audit.toml"
    told = cli.ask("audit", file)
    report = tp.audit(file)
    # Threads are not limited here: what a search took differs, what it found does not.
    outcome = [(check["name"], check["outcome"], check["passes"]) for check in told["checks"]]
    assert [(check["name"], check["outcome"], check["passes"]) for check in report.checks] == outcome
    assert report.verdict == told["verdict"] and report.summary["fail"] == told["summary"]["fail"]
    assert report.table["outcome"] == [check["outcome"] for check in told["checks"]]


def test_a_task_is_what_print_task_shows(tmp_path: Path) -> None:
    report = tp.max(NEW, where=["age >= 30"], gap=0.25, time=7, memory="1GiB", threads=1, stop_above=3)
    task = tmp_path / "task.json"
    task.write_text(report.task.to_json())
    again = tp.solve(task, NEW)
    assert cli.timeless(again.to_dict()) == cli.timeless(report.to_dict())
    assert report.task.to_dict()["limits"] == {"time": "7.0s", "memory": "1GiB", "threads": 1, "gap": "0.25", "stop_above": 3.0}


def test_a_task_says_how_files_are_read() -> None:
    task = {"treeproof": 1, "question": "max", "where": ["f0 == 1"], "reading": {"missing_value": 1}}
    # Nothing is 1 where that means missing; a model at hand was read before.
    assert tp.solve(task, BINARY).verdict == "infeasible"
    assert tp.solve({**task, "model": str(BINARY)}).verdict == "infeasible"
    assert tp.solve(task, tp.load(BINARY)).verdict == "optimal"
    with pytest.raises(tp.TaskError, match="unknown field `missing`"):
        tp.solve({**task, "reading": {"missing": 1}}, BINARY)


def test_a_report_is_no_condition() -> None:
    with pytest.raises(TypeError, match="look at its verdict"):
        assert tp.max(NEW)


def test_objects_stand_for_files() -> None:
    task = json.loads((EXAMPLES / "raise.json").read_text())
    model = tp.load(NEW)
    named = {"treeproof": 1, "question": {"robust": {"norm": "l0", "radius": 1}}}
    rows = [{"age": 22, "income": 18000, "status": "single"}, {"age": 51, "income": 64000, "status": "single"}]
    report = tp.solve(named, model, data=rows, threads=1)
    assert len(report.table) == 2
    task["models"] = {name: None for name in task["models"]}
    # The file of a domain is still named, beside the task's own.
    task = tp.Task(task, file=str(EXAMPLES / "raise.json"))
    assert tp.solve(task, model, threads=1).verdict == "optimal"
    with pytest.raises(tp.TaskError, match="of the task is not given"):
        tp.solve(task)
    with pytest.raises(tp.TaskError, match="about one model, but more are given"):
        tp.solve(named, model, model, data=rows)


def test_proofs_are_written_and_checked(tmp_path: Path) -> None:
    proof = tmp_path / "max.proof"
    model = tp.load(BINARY)
    report = tp.max(model, where="f0 >= 0", proof=proof, threads=1)
    checked = tp.check(proof, model)
    assert report.verdict == "optimal" and checked.verdict == "valid" and len(checked.statements) == 1
    assert cli.ask("check", proof, BINARY)["verdict"] == "valid"
    assert tp.check(proof, CLASSES).verdict == "invalid"
    # A proof about an object is about its bytes.
    saved = tmp_path / "model.json"
    saved.write_bytes(model.to_bytes())
    assert tp.check(proof, saved).verdict == "valid"
    with pytest.raises(tp.ProofError):
        tp.check(tmp_path / "nothing", model)


def test_a_proof_does_not_take_the_place_of_its_model(tmp_path: Path) -> None:
    model, audit = tmp_path / "model.json", tmp_path / "audit.toml"
    model.write_bytes(NEW.read_bytes())
    audit.write_text("model = 'model.json'\n[[check]]\nname = 'one'\nquestion = 'max'\nat_most = 1\n")
    for ask in (lambda: tp.max(model, proof=model), lambda: tp.audit(audit, proof=model)):
        with pytest.raises(tp.TaskError, match="proof: .* is a file that is read; name another one"):
            ask()
    assert model.read_bytes() == NEW.read_bytes()


def test_every_question_that_is_proved_on_the_command_line_is_proved_here(tmp_path: Path) -> None:
    proof, audit = tmp_path / "proof", tmp_path / "audit.toml"
    tp.enumerate(NEW, top=2, proof=proof)
    assert tp.check(proof, NEW).statements and cli.ask("check", proof, NEW)["verdict"] == "valid"
    compared = f"question = {{ diff = {{ other_model = '{OLD}' }} }}"
    checks = [f"[[check]]\nname = '{name}'\n{asked}\nat_most = 1\n" for name, asked in (("one", "question = 'max'"), ("other", compared))]
    audit.write_text(f"model = '{NEW}'\n{''.join(checks)}")
    tp.audit(audit, proof=proof)
    statements = tp.check(proof, NEW, OLD).statements
    # In the order of the checks, and in words of what was checked alone.
    first, second = statements
    assert first.startswith("the margin of the first model is at most ") and second.startswith("the sum asked about is at most ")
    assert cli.ask("check", proof, NEW, OLD)["statements"] == statements
    model = tp.load(NEW)
    tp.audit(audit, model, proof=proof)
    assert tp.check(proof, model, OLD).statements == statements
    with pytest.raises(tp.ProofError):
        tp.audit(audit, proof=tmp_path / "nowhere" / "proof")


@pytest.mark.parametrize("question", [name for name in tp.__all__ if getattr(tp, name).__module__.startswith("treeproof.questions")])
def test_arguments_are_the_flags(question: str) -> None:
    page = subprocess.run([*parity.command(), question, "--help"], capture_output=True, text=True, check=True).stdout
    flags = {flag.replace("-", "_") for flag in re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", page, re.MULTILINE)}
    # What is said to load, what reports have, and what only terminals need.
    flags -= {"api", "missing_value", "base_margin", "classes", "catboost_json_reader", "categories"}
    flags -= {"json", "trace", "report", "output", "print_task", "verbose", "color", "help"}
    flags = {{"group": "groups", "class": "class_"}.get(flag, flag) for flag in flags}
    here = {"model", "models", "other", "data", "task", "file", "y", "progress", "client"}
    here |= {"solve": {"domain"}, "check": {"proof"}}.get(question, set())
    assert set(inspect.signature(getattr(tp, question)).parameters) - here == flags


def test_labels_give_certified_accuracy(tmp_path: Path) -> None:
    rows = np.load(BINARY_ROWS)[:20]
    rows = rows[np.isfinite(rows).all(axis=1)]
    model = tp.load(BINARY)
    labels = model.predict(rows, labels=True)
    labels[0] = 1 - labels[0]
    report = tp.robust(model, rows, norm="linf", radius=1e-9, y=labels)
    assert report.summary["accuracy"] == pytest.approx((len(rows) - 1) / len(rows))
    names = [f"f{index}" for index in range(rows.shape[1])]
    data = tmp_path / "rows.csv"
    lines = [",".join([*names, "y"])] + [",".join([*map(repr, row.tolist()), str(label)]) for row, label in zip(rows, labels)]
    data.write_text("\n".join(lines) + "\n")
    told = cli.ask("robust", BINARY, data, "--norm", "linf", "--radius", "1e-9", "--label", "y", "--threads", "1")
    assert told["summary"]["accuracy"] == report.summary["accuracy"]
    assert told["summary"]["certified_accuracy"] == report.summary["certified_accuracy"]
