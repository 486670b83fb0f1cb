"""Times searches without a proof, the same with one, and the check of it, each on one thread.

Times are processor time of the whole command, reading the model included, as the kernel counts it, in microseconds. Other
processes disturb it all the same, by the caches that they use, and a short command more: so the three take turns, a short task
many times, and the least of each counts.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = TARGET / "release" / "treeproof"
RESULTS = ROOT / "bench" / "results"
SETS = ("calhouse", "adult", "covtype", "higgs")
# Where a search takes longer than this, checking must not take longer than searching.
LARGE_SECONDS = 1.0
EVERY = 7
# The three commands take turns until the searches have taken so long together, but neither less nor more often than this.
TURNS_SECONDS = 1.0
TURNS = (2, 40)


# Of every question some, with conditions of every kind.
NEED_ROWS = ("robust", "closest")
OTHERS = (
    ("calhouse-M50-d4", "min"),
    ("calhouse-M25-d6", "range"),
    ("adult-M50-d4", "max --group=sex=sex_* --group=race=race_* --where=integer(age)"),
    ("calhouse-M50-d4", "max --where=latitude+longitude<=-84 --where=latitude-longitude>=155"),
    ("calhouse-M25-d4", "max --where=total_rooms>=2*total_bedrooms --where=step(median_income,0.5)"),
    ("covtype-M25-d4", "max --where=(Elevation>=3000)or(Slope<5) --where=integer(Elevation)"),
    ("adult-M25-d4", "enumerate --top=50"),
    ("covtype-M25-d4", "enumerate --top=20"),
    ("higgs-M25-d4", "robust --norm=linf --radius=0.1"),
    ("covtype-M50-d4", "robust --norm=l1 --radius=50"),
    ("higgs-M25-d4", "closest --norm=l2"),
    ("calhouse-M25-d4", "closest --norm=l2 --output-above=3"),
    ("covtype-M25-d4", "closest --norm=l1 --count=3"),
    ("covtype-M25-d4", "closest --norm=linf --where=fixed(Elevation) --where=changed<=3"),
    ("covtype-M25-d4", "closest --norm=l0 --where=distance(linf)<=300"),
    ("higgs-M25-d4", "closest --norm=l1 --where=distance(l0)<=3"),
    ("calhouse-M25-d4", "stable --norm=linf --radius=0.1"),
    ("adult-M25-d4", "stable --norm=l1 --radius=1"),
    ("adult-M25-d4", "stable --norm=l0 --radius=1"),
    ("youtube-M100-d6", "dominant --given=live=1,news=1 --vary=* --at-most=2"),
    ("youtube-M100-d6", "dominant --given=live=1 --vary=* --each"),
    ("calhouse-M25-d4", "monotone"),
    ("adult-M25-d4", "fair --group=sex=sex_* --group=race=race_* --protected=sex,race --where=age>=30"),
    # These take longer.
    ("calhouse-M200-d8", "max"),
    ("covtype-M100-d6", "max"),
    ("adult-M200-d8", "max --group=sex=sex_* --group=race=race_*"),
    ("calhouse-M200-d8", "monotone --feature=median_income"),
    ("adult-M50-d6", "enumerate --top=5000"),
    ("calhouse-M50-d4", "stable --norm=l2 --radius=0.2"),
    ("calhouse-M50-d4", "stable --norm=linf --radius=0.2"),
    ("adult-M50-d4", "stable --norm=l1 --radius=2"),
    ("higgs-M200-d6", "closest --norm=l2"),
    ("higgs-M200-d8", "closest --norm=linf"),
    ("covtype-M200-d8", "closest --norm=l1"),
    ("higgs-M100-d8", "robust --norm=l2 --radius=0.3"),
)
PAIRS = (
    ("calhouse-M25-d4", "calhouse-M50-d4"),
    ("higgs-M25-d4", "higgs-M25-d6"),
    ("covtype-M50-d4", "covtype-M100-d4"),
    ("covtype-M50-d4", "covtype-M50-d6"),
)


@dataclasses.dataclass
class Task:
    """A question, as arguments, and the models that it is about."""

    name: str
    arguments: list[str]
    models: list[str]


@dataclasses.dataclass
class Cost:
    """What a task takes: in seconds, and bytes."""

    name: str
    regions: int
    search: float
    with_proof: float
    check: float
    bytes: int

    @property
    def writing(self) -> float:
        return self.with_proof / self.search

    @property
    def checking(self) -> float:
        return self.check / self.search


def inside(model: dict, box: list[list[float]]) -> list[str]:
    """Conditions that confine every feature to its interval of a box."""
    names = model["learner"]["feature_names"]
    return [f"--where={low!r} <= `{name}` < {high!r}" for name, (low, high) in zip(names, box, strict=True)]


def questions(folder: pathlib.Path, work: pathlib.Path, every: int) -> Iterator[Task]:
    """Largest margins in boxes, and every other question on a few models."""
    models = folder / "models"
    boxes: dict[str, list[dict]] = {}
    for name in SETS:
        with (folder / "tasks" / f"{name}.jsonl").open() as lines:
            boxes[name] = [json.loads(line) for line in lines]
        for line in range(0, len(boxes[name]), every):
            task = boxes[name][line]
            path = models / f"{task['model']}.gz"
            with gzip.open(path) as file:
                conditions = inside(json.load(file), task["box"])
            stem = task["model"].removesuffix(".json")
            yield Task(f"max {stem}, box {line}", ["max", str(path), *conditions], [str(path)])

    def model(name: str) -> str:
        return str(models / f"{name}.json.gz")

    for pair in PAIRS:
        files = [model(name) for name in pair]
        yield Task(f"diff {pair[0]} {pair[1]}", ["diff", *files], files)
    for name, feature in (("calhouse-M25-d4", "median_income"), ("calhouse-M50-d4", "median_income"), ("covtype-M25-d4", "Elevation")):
        yield Task(f"monotone {name} {feature}", ["monotone", model(name), "--feature", feature], [model(name)])
    for name in ("adult-M25-d4", "adult-M50-d4", "adult-M100-d4"):
        groups = ["--group", "sex=sex_*", "--protected", "sex"]
        yield Task(f"fair {name} sex", ["fair", model(name), *groups], [model(name)])
    def rows(name: str) -> str:
        """The middles of some boxes, which are rows like any other."""
        path = work / f"{name}.csv"
        with gzip.open(model(name)) as file:
            names = json.load(file)["learner"]["feature_names"]
        of_set = boxes[name.split("-")[0]]
        middles = [[(low + high) / 2 for low, high in task["box"]] for task in of_set[:: len(of_set) // 4]]
        path.write_text("\n".join(",".join(map(str, row)) for row in [names, *middles]) + "\n")
        return str(path)

    for name, norm in (("higgs-M50-d4", "l1"), ("higgs-M50-d6", "linf"), ("covtype-M100-d6", "linf"), ("adult-M100-d4", "l0")):
        yield Task(f"closest {name} {norm}", ["closest", model(name), rows(name), "--norm", norm], [model(name)])
    for name, arguments in OTHERS:
        question, *flags = arguments.split()
        given = [rows(name)] if question in NEED_ROWS else []
        yield Task(f"{question} {name} {' '.join(flags)}", [question, model(name), *given, *flags], [model(name)])


def processor_time(arguments: list[str], program: pathlib.Path = BINARY) -> tuple[float, str, int]:
    """Runs the program: its processor time, what it prints, and its exit code."""
    with subprocess.Popen([str(program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        text = process.stdout.read()
        complaint = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, text or complaint, process.returncode


def measure(task: Task, proof: pathlib.Path, options: argparse.Namespace) -> Cost | str:
    """The cost of a task, or why there is none."""
    limits = ["--threads", "1", "--time", f"{options.time}s", "--json"]
    searches, proofs, checks = [], [], []
    while len(searches) < TURNS[0] or (sum(searches) < TURNS_SECONDS and len(searches) < TURNS[1]):
        seconds, text, code = processor_time([*task.arguments, *limits])
        if code not in (0, 1):
            return text.strip().splitlines()[0] if code != 3 else f"not decided in {options.time} s"
        # What a search has done when it is stopped is not the same each time.
        if seconds > 0.9 * options.time:
            return f"not complete in {options.time} s"
        searches.append(seconds)
        seconds, text, code = processor_time([*task.arguments, *limits, "--proof", str(proof)])
        if code not in (0, 1):
            return f"with --proof: {text.strip().splitlines()[0] if text.strip() else code}"
        proofs.append(seconds)
        seconds, checked, code = processor_time(["check", str(proof), *task.models])
        if code != 0:
            return f"the check says: {checked.strip()}"
        checks.append(seconds)
    regions = sum(int(line.split("(")[-1].split()[0]) for line in checked.splitlines() if line.endswith((" step checked)", " steps checked)")))
    return Cost(task.name, regions, min(searches), min(proofs), min(checks), proof.stat().st_size)


def report(costs: list[Cost], left_out: list[str], options: argparse.Namespace) -> str:
    """The tables."""
    large = [cost for cost in costs if cost.search > LARGE_SECONDS]
    small = [cost for cost in costs if cost.search <= LARGE_SECONDS]
    lines = [
        "# The cost of proofs",
        "",
        "Written by `bench/proofs`: one thread, processor time of whole commands, reading the model included. *search* is without a",
        "proof; *with proof* and *check* are multiples of *search*. The three alternate until the searches of a task have taken",
        f"{TURNS_SECONDS:g} s, {TURNS[0]} to {TURNS[1]} times; the minimum of each counts.",
        "",
        "| searches | | with proof: median | worst | check: median | worst |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for what, own in ((f"over {LARGE_SECONDS:g} s", large), ("shorter", small)):
        if own:
            writing, checking = [cost.writing for cost in own], [cost.checking for cost in own]
            lines.append(
                f"| {what} | {len(own)} | {statistics.median(writing):.2f} | {max(writing):.2f} "
                f"| {statistics.median(checking):.2f} | {max(checking):.2f} |"
            )
    lines += ["", "| task | search s | with proof | check | regions | proof kB | bytes a region |", "|---|--:|--:|--:|--:|--:|--:|"]
    for cost in costs:
        lines.append(
            f"| {cost.name} | {cost.search:.3f} | {cost.writing:.2f} | {cost.checking:.2f} | {cost.regions} "
            f"| {cost.bytes / 1000:.0f} | {cost.bytes / max(cost.regions, 1):.0f} |"
        )
    if left_out:
        lines += ["", "Excluded:", "", *(f"- {line}" for line in left_out)]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="has models/NAME.json.gz, tasks/SET.jsonl")
    parser.add_argument("--time", type=int, default=60, help="seconds for every search")
    parser.add_argument("--every", type=int, default=EVERY, help="one of so many boxes; results are written for the default alone")
    parser.add_argument("--only", default="", help="tasks whose name has this; results are not written")
    options = parser.parse_args()
    costs, left_out = [], []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for task in questions(options.folder, work, options.every):
            if options.only not in task.name:
                continue
            cost = measure(task, work / "proof", options)
            print(cost, file=sys.stderr)
            if isinstance(cost, Cost):
                costs.append(cost)
            else:
                left_out.append(f"{task.name}: {cost}")
    text = report(costs, left_out, options)
    if options.every == EVERY and not options.only:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "proofs.json").write_text(json.dumps([dataclasses.asdict(cost) for cost in costs], indent=1) + "\n")
        (RESULTS / "proofs.md").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
