"""What `compare.py` measured, as JSON and as tables: counts, ratios, gaps, and every bound that should not be."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import pathlib
import statistics
from collections.abc import Callable, Iterable
from typing import Any

import compare_tables

RIVALS = ("default", "best-first")
OURS = "treeproof"
# Tasks that the rival's better configuration solves faster than this are tiny: their ratio says little.
TINY_SECONDS = 0.05
# By how much longer a tiny task may take before it is listed.
TINY_EXTRA_SECONDS = 2e-4
TOLERANCE = 1e-5
GAP_BARS = (0.01, 0.2, 0.5, 1.0)
SPEED_BARS = (1.0, 10.0, 100.0, 1000.0)


@dataclasses.dataclass(frozen=True)
class Options:
    """What a run was asked for."""

    time: float
    clock: str
    repeat: int
    tasks: int | None
    methods: bool


@dataclasses.dataclass
class Run:
    """One search."""

    wall_seconds: float
    cpu_seconds: float
    setup_seconds: float
    steps: int
    exact: bool
    lower: float | None
    upper: float | None
    memory: int
    peak: int | None
    trace: list[tuple[float, float]]
    # Rising lower bounds; only our side tells them.
    lower_trace: list[tuple[float, float]] = dataclasses.field(default_factory=list, kw_only=True)
    load: float
    row_margin: float | None = None
    row_is_faithful: bool = True
    row_is_inside: bool = True

    def seconds(self, options: Options) -> float:
        """The time to the optimum, or the limit."""
        passed = self.cpu_seconds if options.clock == "cpu" else self.wall_seconds
        return passed if self.exact else options.time

    def seconds_to(self, bound: float) -> float | None:
        """The time until the upper bound was at most this."""
        return next((seconds for seconds, upper in self.trace if upper <= bound + slack(bound)), None)

    def gap(self) -> float:
        """(upper − lower) / upper, as in the paper; infinite without bounds."""
        if self.exact:
            return 0.0
        if self.lower is None or self.upper is None:
            return math.inf
        return (self.upper - self.lower) / max(abs(self.upper), 1e-9)


@dataclasses.dataclass
class Task:
    """All runs on one task."""

    model: str
    number: int
    reach: float
    runs: dict[str, list[Run]] = dataclasses.field(default_factory=dict)

    def add(self, side: str, run: Run) -> None:
        self.runs.setdefault(side, []).append(run)

    def is_left_open(self, side: str) -> bool:
        return any(not run.exact for run in self.runs.get(side, []))

    def name(self) -> str:
        return f"{self.model} task {self.number}"

    def exact(self, *sides: str) -> bool:
        """Whether one of the sides proved the optimum in most of its runs."""
        return any(2 * sum(run.exact for run in self.runs[side]) > len(self.runs[side]) for side in sides)

    def median(self, side: str, value: Callable[[Run], float]) -> float:
        return statistics.median(value(run) for run in self.runs[side])

    def seconds(self, options: Options, *sides: str) -> float:
        """The time of the best of the sides."""
        return min(self.median(side, lambda run: run.seconds(options)) for side in sides)

    def upper(self, *sides: str) -> float:
        return min(self.median(side, lambda run: math.inf if run.upper is None else run.upper) for side in sides)

    def lower(self, *sides: str) -> float:
        return max(self.median(side, lambda run: -math.inf if run.lower is None else run.lower) for side in sides)

    def to_bound(self, ours: str, *theirs: str) -> tuple[float, float | None]:
        """The time in which the best of the others got its last upper bound, and ours to the same bound (medians)."""
        other, own = [], []
        for turn, run in enumerate(self.runs[ours]):
            # Who left the task open has one run for all turns.
            rivals = [self.runs[side][min(turn, len(self.runs[side]) - 1)] for side in theirs]
            bound = min(math.inf if rival.upper is None else rival.upper for rival in rivals)
            times = [rival.seconds_to(bound) for rival in rivals]
            other.append(min((seconds for seconds in times if seconds is not None), default=math.inf))
            seconds = run.seconds_to(bound)
            own.append(math.inf if seconds is None else seconds)
        median = statistics.median(own)
        return statistics.median(other), median if math.isfinite(median) else None

    def line(self, options: Options) -> str:
        """What came out, briefly."""
        sides = ", ".join(
            f"{side} {self.seconds(options, side):.4f} s{'' if self.exact(side) else ' open'}" for side in self.runs
        )
        return f"{self.name()}: {sides}"

    def record(self, options: Options) -> dict[str, Any]:
        """All of it for the JSON file, without traces."""
        sides = {}
        for side, runs in self.runs.items():
            sides[side] = {
                "exact": [run.exact for run in runs],
                "cpu_seconds": [round(run.cpu_seconds, 6) for run in runs],
                "wall_seconds": [round(run.wall_seconds, 6) for run in runs],
                "setup_seconds": [round(run.setup_seconds, 6) for run in runs],
                "steps": [run.steps for run in runs],
                "lower": [run.lower for run in runs],
                "upper": [run.upper for run in runs],
                "memory": [run.memory for run in runs],
                "peak": [run.peak for run in runs],
                "load_average": [round(run.load, 1) for run in runs],
            }
        record: dict[str, Any] = {"model": self.model, "task": self.number, "reach": self.reach, "sides": sides}
        if not options.methods:
            theirs, ours = self.to_bound(OURS, *RIVALS)
            record["seconds_to_last_bound_of_rival"] = {"rival": finite(theirs), OURS: ours}
        return record


def slack(value: float) -> float:
    return TOLERANCE * max(1.0, abs(value))


def contradictions(task: Task) -> list[str]:
    """Bounds of any two runs that cannot both be right, and rows that are not what they should be."""
    found = []
    every = [(side, run) for side, runs in task.runs.items() for run in runs]
    for side, run in every:
        for other, against in every:
            if run.upper is not None and against.lower is not None and run.upper < against.lower - slack(run.upper):
                found.append(f"{task.name()}: {side} proves at most {run.upper!r}, {other} found {against.lower!r}")
        margin, lower = run.row_margin, run.lower
        if margin is not None and lower is not None and abs(margin - lower) > slack(lower):
            found.append(f"{task.name()}: {side} has {lower!r}, XGBoost {margin!r} for its row")
        if not run.row_is_faithful:
            found.append(f"{task.name()}: {side} and XGBoost differ in the margin of its row")
        if not run.row_is_inside:
            found.append(f"{task.name()}: {side} has a row outside the box")
    return sorted(set(found))


def worse_bounds(task: Task, ours: str, *theirs: str) -> list[str]:
    """Where a bound of ours is worse than the best of theirs."""
    found = []
    upper, best_upper = task.upper(ours), task.upper(*theirs)
    if upper > best_upper + slack(best_upper):
        found.append(f"{task.name()}: upper bound {upper:.6g}, the rival's {best_upper:.6g}")
    lower, best_lower = task.lower(ours), task.lower(*theirs)
    if lower < best_lower - slack(best_lower):
        found.append(f"{task.name()}: lower bound {lower:.6g}, the rival's {best_lower:.6g}")
    if task.exact(*theirs) and not task.exact(ours):
        found.append(f"{task.name()}: open, solved by the rival")
    return found


def geometric(ratios: Iterable[float]) -> float | None:
    logarithms = [math.log(max(ratio, 1e-9)) for ratio in ratios]
    return math.exp(statistics.fmean(logarithms)) if logarithms else None


def finite(value: float) -> float | None:
    """JSON has no infinity."""
    return value if math.isfinite(value) else None


def middle(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def against_rival(tasks: list[Task], options: Options) -> dict[str, Any]:
    """The numbers of one set, or of several."""
    wall = dataclasses.replace(options, clock="wall")
    hard = [task for task in tasks if task.exact(*RIVALS) and task.seconds(options, *RIVALS) > TINY_SECONDS]
    tiny = [task for task in tasks if task.exact(*RIVALS) and task.seconds(options, *RIVALS) <= TINY_SECONDS]
    left_open = [task for task in tasks if not task.exact(*RIVALS)]
    to_bound = [task.to_bound(OURS, *RIVALS) for task in left_open]
    reached = [(theirs, ours) for theirs, ours in to_bound if ours is not None and math.isfinite(theirs)]
    extra = [task.seconds(options, OURS) - task.seconds(options, *RIVALS) for task in tiny]

    def ratio(task: Task, by: Options) -> float:
        return task.seconds(by, *RIVALS) / task.seconds(by, OURS)

    def gap(side: str) -> float | None:
        gaps = [task.median(side, Run.gap) for task in tasks if not task.exact(side)]
        return finite(statistics.median(gaps)) if gaps else None

    def without_solution(side: str) -> int:
        return sum(math.isinf(task.lower(side)) for task in tasks)

    def peaks(side: str) -> list[float]:
        return [max(run.peak for run in task.runs[side] if run.peak is not None) / 2**20 for task in tasks
                if any(run.peak is not None for run in task.runs[side])]

    sides = (*RIVALS, OURS)
    return {
        "tasks": len(tasks),
        "exact": {side: sum(task.exact(side) for task in tasks) for side in sides},
        "exact_of_either_rival": sum(task.exact(*RIVALS) for task in tasks),
        "ratio": {
            "tasks": len(hard),
            options.clock: geometric(ratio(task, options) for task in hard),
            "wall": geometric(ratio(task, wall) for task in hard),
            "smallest": min((ratio(task, options) for task in hard), default=None),
        },
        "rivals_last_bound": {
            "tasks": len(left_open),
            "reached": len(reached),
            "median_seconds": middle(ours for _, ours in reached),
            "ratio": geometric(theirs / ours for theirs, ours in reached),
        },
        "median_gap_where_open": {side: gap(side) for side in sides},
        "without_solution": {side: without_solution(side) for side in sides},
        "median_steps": {side: middle(task.median(side, lambda run: run.steps) for task in tasks) for side in sides},
        "peak_mib": {side: {"median": middle(peaks(side)), "max": max(peaks(side), default=None)} for side in sides},
        "tiny": {
            "tasks": len(tiny),
            "slow_down": geometric(1 / ratio(task, options) for task in tiny),
            "slower": sum(seconds > 0 for seconds in extra),
            "much_slower": sum(seconds > TINY_EXTRA_SECONDS for seconds in extra),
            "most_extra_seconds": max(extra, default=None),
        },
    }


def by_method(tasks: list[Task]) -> dict[str, Any]:
    """The paper's three numbers for treeproof's methods: exact share, relative gap, time to the bound of MERGE."""
    report: dict[str, Any] = {"tasks": len(tasks)}
    for method in tasks[0].runs:
        gaps = [task.median(method, Run.gap) for task in tasks]
        entry: dict[str, Any] = {
            "exact": sum(task.exact(method) for task in tasks) / len(tasks),
            "gap_shares": shares(gaps, GAP_BARS),
            "median_gap": finite(statistics.median(gaps)),
        }
        if method != "merge":
            times = [task.to_bound(method, "merge") for task in tasks]
            speeds = [0.0 if ours is None else theirs / max(ours, 1e-9) for theirs, ours in times]
            entry |= {"speed_shares": shares(speeds, SPEED_BARS), "median_speed": statistics.median(speeds)}
            entry["worse_upper_bounds"] = sum(
                task.upper(method) > task.upper("merge") + slack(task.upper("merge")) for task in tasks
            )
        report[method] = entry
    return report


def shares(values: list[float], bars: tuple[float, ...]) -> list[float]:
    """The shares of values below the first bar, between the bars, and from the last bar on."""
    edges = (-math.inf, *bars, math.inf)
    counts = [sum(low <= value < high for value in values) for low, high in itertools.pairwise(edges)]
    counts[-1] += sum(value == math.inf for value in values)
    return [count / len(values) for count in counts]


def write(folder: pathlib.Path, machine: dict[str, Any], options: Options, sets: dict[str, list[Task]]) -> str:
    """Writes both files; returns the tables."""
    tasks = [task for results in sets.values() for task in results]
    ours, *theirs = tasks[0].runs if options.methods else (OURS, *RIVALS)
    loads = [run.load for task in tasks for runs in task.runs.values() for run in runs]
    summarise = by_method if options.methods else lambda some: against_rival(some, options)
    report = {
        "machine": machine | {"load_average": {"median": round(statistics.median(loads), 1), "max": max(loads)}},
        "options": dataclasses.asdict(options),
        "sets": {name: summarise(results) for name, results in sets.items()},
        "all": summarise(tasks),
        "contradictions": [line for task in tasks for line in contradictions(task)],
        "worse_bounds": [line for task in tasks for line in worse_bounds(task, ours, *theirs)],
        "tasks": {name: [task.record(options) for task in results] for name, results in sets.items()},
    }
    text = compare_tables.methods(report) if options.methods else compare_tables.rival(report)
    folder.mkdir(exist_ok=True)
    name = "methods" if options.methods else "compare"
    (folder / f"{name}.json").write_text(dump(report))
    (folder / f"{name}.md").write_text(text)
    return text


def dump(report: dict[str, Any]) -> str:
    """JSON with a line for every task."""
    tasks = report["tasks"]
    head = json.dumps(report | {"tasks": None}, indent=2).removesuffix("null\n}")
    lines = [
        f'    "{name}": [\n' + ",\n".join(f"      {json.dumps(record)}" for record in records) + "\n    ]"
        for name, records in tasks.items()
    ]
    return head + "{\n" + ",\n".join(lines) + "\n  }\n}\n"
