"""Shows that independent solvers find the optima that treeproof proves: HiGHS, toulbar2 and dtai-veritas.

Leaves are rounded to multiples of 2^-20 and sums start at 0, so that treeproof and toulbar2, which count in whole numbers,
must agree to the last bit; HiGHS and dtai-veritas compute in floating point and get a tolerance.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import math
import multiprocessing
import os
import pathlib
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np

import compare
import compare_report
import solvers
from compare_tables import row

UNIT = 2.0**-20
# HiGHS accepts violations of a constraint up to 1e-6, and there are many of them.
TOLERANCE = 1e-5
# In one task or the other all solvers need long; this says which tasks are of middle size.
TREES, DEPTHS = range(25, 101), range(4, 7)
ORACLES = ("HiGHS", "toulbar2", "dtai-veritas")
RESULTS = pathlib.Path(__file__).resolve().parent / "results"


@dataclasses.dataclass
class Answer:
    """What a solver says, `None` if it proved nothing in time, and how long it took."""

    optimum: float | None
    cpu_seconds: float


def rounded(model: dict[str, Any]) -> dict[str, Any]:
    """The model with leaves that are multiples of the unit, and without a start."""
    model["learner"]["objective"] = {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}}
    model["learner"]["learner_model_param"]["base_score"] = "[0E0]"
    for tree in model["learner"]["gradient_booster"]["model"]["trees"]:
        for node, left in enumerate(tree["left_children"]):
            if left < 0:
                value = round(float(np.float32(tree["split_conditions"][node])) / UNIT) * UNIT
                if value != float(np.float32(value)):
                    raise ValueError(f"leaf {value} is too large for an f32 with this unit")
                tree["split_conditions"][node] = tree["base_weights"][node] = value
    return model


def in_process(solve: Callable[[], float], seconds: float) -> Answer:
    """Runs a solver in a process that ends after so many seconds of CPU time, whatever else the machine does."""

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
        start = time.process_time()
        sender.send((solve(), time.process_time() - start))

    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=run)
    process.start()
    sender.close()
    try:
        answer = Answer(*receiver.recv())
    except EOFError:
        answer = Answer(None, seconds)
    process.join()
    return answer


def answers(model: compare.Model, parsed: dict[str, Any], box: solvers.Box, seconds: float) -> dict[str, Answer]:
    problem = solvers.confined(parsed, box)
    options = compare_report.Options(seconds, "cpu", 1, None, False)
    found = {
        "HiGHS": in_process(lambda: solvers.highs(problem), seconds),
        "toulbar2": in_process(lambda: solvers.toulbar2(problem, UNIT), seconds),
    }
    runs = {
        "dtai-veritas": compare.rival(model, box, "best-first", options),
        "treeproof": compare.treeproof(model, box, "auto", options),
    }
    return found | {side: Answer(run.upper if run.exact else None, run.cpu_seconds) for side, run in runs.items()}


def disagreements(name: str, found: dict[str, Answer]) -> list[str]:
    ours = found["treeproof"].optimum
    if ours is None:
        return []
    wrong = []
    for oracle in ORACLES:
        optimum = found[oracle].optimum
        tolerance = 0.0 if oracle == "toulbar2" else TOLERANCE * max(1.0, abs(ours))
        if optimum is not None and abs(optimum - ours) > tolerance:
            wrong.append(f"{name}: treeproof {ours!r}, {oracle} {optimum!r}")
    return wrong


def is_of_middle_size(task: dict[str, Any]) -> bool:
    size = re.search(r"-M(\d+)-d(\d+)\.", task["model"])
    return size is not None and int(size[1]) in TREES and int(size[2]) in DEPTHS


def summary(tasks: list[dict[str, Any]]) -> dict[str, Any]:
    """How many problems each solver solved, and how far from treeproof's optimum it was."""
    entry: dict[str, Any] = {"problems": len(tasks), "treeproof": sum(task["treeproof"][0] is not None for task in tasks)}
    for oracle in ORACLES:
        both = [task for task in tasks if task[oracle][0] is not None and task["treeproof"][0] is not None]
        entry[oracle] = {
            "compared": len(both),
            "largest_difference": max((abs(task[oracle][0] - task["treeproof"][0]) for task in both), default=None),
            "ratio": compare_report.geometric(task[oracle][1] / task["treeproof"][1] for task in both),
        }
    return entry


def tables(report: dict[str, Any]) -> str:
    machine = report["machine"]
    lines = [
        "# Optima of independent solvers",
        "",
        f"Written by `bench/oracles`. Maximise a margin inside a box; models of {TREES[0]} to {TREES[-1]} trees of depth "
        f"{DEPTHS[0]} to {DEPTHS[-1]}, {report['seconds']:g} s of CPU time for every solver. Leaves are rounded to multiples of 2⁻²⁰: "
        "toulbar2 uses whole multiples and must agree exactly, HiGHS (the mixed integer program of Mišić) "
        f"and dtai-veritas (best-first) within {TOLERANCE:g} of max(1, |optimum|).",
        "",
        f"{', '.join(f'{name} {number}' for name, number in machine['libraries'].items())}; {machine['cpu']}.",
        "",
        "For each solver: problems solved by it and treeproof, the largest difference of the optima, and the ratio of CPU times: "
        "the geometric mean over those problems alone, including the construction of the program or network in Python for HiGHS "
        "and toulbar2. The ratio is for information only, as these solvers are not specialised in trees.",
        "",
        f"| set | problems | treeproof | {' | '.join(f'{oracle} | difference | time' for oracle in ORACLES)} |",
        "|---|--:|--:|" + "--:|" * 3 * len(ORACLES),
    ]
    for name, entry in (report["sets"] | {"all": report["all"]}).items():
        cells = [entry["problems"], entry["treeproof"]]
        for oracle in ORACLES:
            numbers = entry[oracle]
            difference, ratio = numbers["largest_difference"], numbers["ratio"]
            cells += [numbers["compared"], "–" if difference is None else f"{difference:.1e}" if difference else "0"]
            cells.append("–" if ratio is None else f"{ratio:.1f}×")
        lines.append(row(name, *cells))
    wrong = report["disagreements"]
    lines += ["", f"Disagreements: **{len(wrong)}**.", *(f"- {line}" for line in wrong)]
    return "\n".join(lines) + "\n"


def write(seconds: float, sets: dict[str, list[dict[str, Any]]], wrong: list[str]) -> str:
    """Writes both files; returns the table."""
    libraries = {"HiGHS": version("highspy"), "toulbar2": version("pytoulbar2")}
    machine = compare.machine()
    machine["libraries"] = libraries | machine["libraries"]
    report = {
        "machine": machine,
        "seconds": seconds,
        "sets": {name: summary(results) for name, results in sets.items()},
        "all": summary([task for results in sets.values() for task in results]),
        "disagreements": wrong,
        "tasks": sets,
    }
    text = tables(report)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "oracles.json").write_text(compare_report.dump(report))
    (RESULTS / "oracles.md").write_text(text)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="has models/NAME.json.gz and tasks/SET.jsonl")
    parser.add_argument("--sets", help="names of task files, with commas; all unless told")
    parser.add_argument("--time", type=float, default=20.0, help="seconds of CPU time for every solver")
    parser.add_argument("--tasks", type=int, help="at most so many tasks of every set")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    files = sorted((arguments.folder / "tasks").glob("*.jsonl"))
    if arguments.sets:
        files = [arguments.folder / "tasks" / f"{name}.jsonl" for name in arguments.sets.split(",")]
    sets: dict[str, list[dict[str, Any]]] = {}
    wrong: list[str] = []
    text = ""
    for file in files:
        tasks = [task for task in map(json.loads, file.read_text().splitlines()) if is_of_middle_size(task)]
        results = sets.setdefault(file.stem, [])
        for task in compare.spread(tasks, arguments.tasks, file.stem):
            name = f"{task['model'].removesuffix('.json')} task {task['task']}"
            parsed = rounded(json.loads(gzip.decompress((arguments.folder / "models" / f"{task['model']}.gz").read_bytes())))
            with tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder) / f"{task['model']}.gz"
                copy.write_bytes(gzip.compress(json.dumps(parsed).encode()))
                found = answers(compare.load(copy), parsed, task["box"], arguments.time)
            wrong += disagreements(name, found)
            results.append({"task": name} | {side: [answer.optimum, round(answer.cpu_seconds, 4)]
                                             for side, answer in found.items()})
            print(json.dumps(results[-1]), file=sys.stderr, flush=True)
        # After every set, so that a run that is stopped has not been for nothing.
        text = write(arguments.time, sets, wrong)
    print(text, end="")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
