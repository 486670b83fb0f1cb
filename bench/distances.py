"""Shows that HiGHS, which knows nothing of trees, finds the distances that treeproof proves, and counts who is exact in time.

For every row and norm: the nearest input to which the model gives the other label. The mixed integer program has a binary for
every threshold, a weight for every leaf, and the cost of leaving cells, which is linear in the binaries for every norm. Both
sides have one thread and the same time for a row; making the program in Python is not counted.

Distances of the program are those of cells, to which a library's rounding adds a little. Where the two differ, the library
itself decides: an input that it gives the other label to, and that is nearer than what treeproof proves, is a disagreement.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import gzip
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
from typing import Any

import highspy
import numpy as np
import xgboost

import solvers

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BINARY = TARGET / "release" / "treeproof"
RESULTS = ROOT / "bench" / "results"
SECONDS = 10.0
NORMS = ("linf", "l2", "l1", "l0")
# HiGHS accepts violations of a constraint up to 1e-6; libraries compute in 32 bits.
TOLERANCE = 1e-4
BIG = 1e9


@dataclasses.dataclass
class Subject:
    """A model of two classes, rows to ask about, the weights of its features, and columns of which exactly one is 1."""

    name: str
    booster: xgboost.Booster
    rows: np.ndarray
    weights: np.ndarray
    groups: dict[str, list[int]]
    norms: tuple[str, ...]

    @property
    def features(self) -> list[str]:
        return list(self.booster.feature_names)

    def is_second(self, row: np.ndarray) -> bool:
        return bool(self.booster.inplace_predict(row.reshape(1, -1))[0] > 0.5)


@dataclasses.dataclass
class Case:
    """What both sides say about a row; `None` where nothing was found."""

    subject: str
    norm: str
    row: int
    lower: float | None = None
    upper: float | None = None
    is_exact: bool = False
    seconds: float = 0.0
    highs_lower: float | None = None
    highs_upper: float | None = None
    highs_is_exact: bool = False
    highs_seconds: float = 0.0
    complaint: str | None = None


def adult(folder: pathlib.Path, data: pathlib.Path, count: int) -> Subject:
    """The one-hot encoded model of FOLDER, on rows of the test part."""
    with gzip.open(folder / "models" / "adult-M25-d4.json.gz") as file:
        booster = xgboost.Booster(model_file=bytearray(file.read()))
    with gzip.open(data / "adult" / "adult.csv.gz", "rt") as file:
        table = [row for row in csv.DictReader(file) if row["split"] == "test"]
    return one_hot("adult-M25-d4", booster, table, count, ("l1", "l2"))


def german(data: pathlib.Path, count: int) -> Subject:
    """German credit, one-hot encoded, 50 trees of depth 5."""
    with gzip.open(data / "german_credit" / "german_credit.csv.gz", "rt") as file:
        table = list(csv.DictReader(file))
    labels = np.asarray([row.pop("credit") == "2" for row in table], dtype=float)
    names = []
    for name in table[0]:
        values = sorted({row[name] for row in table})
        names += [f"{name}_{value}" for value in values] if values[0].startswith("A") else [name]
    matrix = encoded(names, table)
    train = xgboost.DMatrix(matrix, labels, feature_names=names)
    options = {"objective": "binary:logistic", "max_depth": 5, "eta": 0.2, "seed": 1, "nthread": 1}
    booster = xgboost.train(options, train, 50)
    return one_hot("german-M50-d5", booster, table, count, NORMS)


def mnist(data: pathlib.Path, count: int) -> Subject:
    """Twos against sixes, 20 trees of depth 4."""
    arrays = np.load(data / "mnist" / "mnist.npz")
    chosen = {}
    for part in ("train", "test"):
        labels = arrays[f"y_{part}"]
        is_one = (labels == 2) | (labels == 6)
        pixels = arrays[f"X_{part}"].reshape(len(labels), -1)
        chosen[part] = pixels[is_one].astype(np.float32), (labels[is_one] == 6).astype(float)
    train = xgboost.DMatrix(*chosen["train"], feature_names=[f"pixel{number}" for number in range(784)])
    options = {"objective": "binary:logistic", "max_depth": 4, "eta": 0.3, "seed": 1, "nthread": 1}
    booster = xgboost.train(options, train, 20)
    rows = chosen["test"][0][:count].astype(np.float64)
    return Subject("mnist-M20-d4", booster, rows, np.ones(784), {}, NORMS)


def one_hot(
    name: str, booster: xgboost.Booster, table: list[dict[str, str]], count: int, norms: tuple[str, ...]
) -> Subject:
    """Rows of a table with one-hot columns `COLUMN_VALUE`; other columns count in standard deviations."""
    names = list(booster.feature_names)
    matrix = encoded(names, table)
    values = {column: {f"{column}_{row[column]}" for row in table} for column in table[0]}
    groups = {column: [at for at, known in enumerate(names) if known in values[column]] for column in values}
    groups = {column: members for column, members in groups.items() if members}
    weights = np.ones(len(names))
    alone = [at for at in range(len(names)) if not any(at in members for members in groups.values())]
    weights[alone] = [1.0 / max(matrix[:, at].std(), 1e-9) for at in alone]
    return Subject(name, booster, matrix[:count], weights, groups, norms)


def encoded(names: list[str], table: list[dict[str, str]]) -> np.ndarray:
    matrix = np.zeros((len(table), len(names)))
    places = {name: at for at, name in enumerate(names)}
    for row, values in zip(matrix, table, strict=True):
        for column, value in values.items():
            if column in places:
                row[places[column]] = float(value)
            elif f"{column}_{value}" in places:
                row[places[f"{column}_{value}"]] = 1.0
    return matrix


def treeproof(subject: Subject, norm: str, folder: pathlib.Path) -> list[dict[str, Any]]:
    """The answers about all rows."""
    subject.booster.save_model(folder / "model.json")
    with open(folder / "rows.csv", "w", newline="") as file:
        csv.writer(file).writerows([subject.features, *subject.rows.tolist()])
    command: list[Any] = [BINARY, "closest", folder / "model.json", folder / "rows.csv", "--norm", norm, "--json"]
    command += ["--threads", 1, "--time", f"{SECONDS}s"]
    if norm != "l0":
        pairs = zip(subject.features, subject.weights.tolist(), strict=True)
        weights = [f"{name}={weight!r}" for name, weight in pairs if weight != 1.0]
        command += ["--weights", ",".join(weights)] if weights else []
    for name, members in subject.groups.items():
        for column in members:
            command += ["--group", f"{name}={subject.features[column]}"]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"treeproof ends with {done.returncode}")
    return json.loads(done.stdout)["rows"]


class Program:
    """The nearest input of the other label, as a mixed integer program. A change of a group costs 1."""

    def __init__(self, subject: Subject, row: np.ndarray, norm: str) -> None:
        model = json.loads(subject.booster.save_raw("json"))
        columns = {column for members in subject.groups.values() for column in members}
        box = [(0.0, 1.5) if feature in columns else (-BIG, BIG) for feature in range(len(row))]
        self.trees = solvers.confined(model, box)
        base = float(json.loads(model["learner"]["learner_model_param"]["base_score"])[0])
        self.base = math.log(base / (1.0 - base))
        self.is_up = not subject.is_second(row)
        self.row, self.norm, self.weights, self.groups = row, norm, subject.weights, subject.groups
        self.costs: list[float] = []
        self.upper: list[float] = []
        self.is_integer: list[bool] = []
        self.rows: list[tuple[list[tuple[int, float]], float, float]] = []
        self.first: dict[int, int] = {}
        self.add_thresholds(columns)
        self.add_leaves()

    def add(self, cost: float, upper: float = 1.0, is_integer: bool = False) -> int:
        self.costs.append(cost)
        self.upper.append(upper)
        self.is_integer.append(is_integer)
        return len(self.costs) - 1

    def cost(self, feature: int, low: float, high: float, is_own: bool) -> float:
        """What the nearest value of a cell costs. A cell is open above, which makes a difference in L0 alone."""
        if self.norm == "l0":
            return float(not is_own)
        own = self.row[feature]
        away = abs(min(max(own, low), high) - own)
        return (away * self.weights[feature]) ** (2 if self.norm == "l2" else 1)

    def add_thresholds(self, columns: set[int]) -> None:
        """A binary for every threshold says whether the input lies below it. Each cell costs what its nearest value costs."""
        largest = self.add(1.0, highspy.kHighsInf) if self.norm == "linf" else None
        for feature, thresholds in self.trees.thresholds.items():
            own, count = self.row[feature], len(thresholds)
            self.first[feature] = len(self.costs)
            below = [self.add(0.0, is_integer=True) for _ in thresholds]
            self.rows += [([(a, 1.0), (b, -1.0)], -highspy.kHighsInf, 0.0) for a, b in zip(below, below[1:])]
            if feature in columns:
                continue
            edges = [-BIG, *thresholds, BIG]
            # What a cell costs more than the one next to it on the way to the row's own.
            cell = int(np.searchsorted(thresholds, own, side="right"))
            cost = [self.cost(feature, edges[at], edges[at + 1], at == cell) for at in range(count + 1)]
            terms, constant = [], 0.0
            for at in range(count):
                terms.append((below[at], cost[at] - cost[at + 1]))
                if at >= cell:
                    constant += cost[at + 1] - cost[at]
            self.charge(terms, constant, largest)
        for members in self.groups.values():
            ones = {}
            for column in members:
                # A column that no tree looks at is 1 or not all the same.
                thresholds = self.trees.thresholds.get(column, [])
                ones[column] = self.add(0.0, is_integer=True)
                for offset, threshold in enumerate(thresholds):
                    is_below = self.first[column] + offset
                    if 0.0 < threshold <= 1.0:
                        self.rows.append(([(ones[column], 1.0), (is_below, 1.0)], 1.0, 1.0))
                    else:
                        self.rows.append(([(is_below, 1.0)], 1.0, 1.0))
            self.rows.append(([(one, 1.0) for one in ones.values()], 1.0, 1.0))
            kept = next(column for column in members if self.row[column] == 1.0)
            self.charge([(ones[kept], -1.0)], 1.0, largest)

    def charge(self, terms: list[tuple[int, float]], constant: float, largest: int | None) -> None:
        if largest is None:
            self.offset = getattr(self, "offset", 0.0) + constant
            for column, factor in terms:
                self.costs[column] += factor
        else:
            self.rows.append(([*terms, (largest, -1.0)], -highspy.kHighsInf, -constant))

    def add_leaves(self) -> None:
        """A weight for every leaf says whether it is the input's; together they are the other label."""
        values = []
        for tree in self.trees.trees:
            weights = [self.add(0.0) for _ in tree]
            values += [(weight, leaf.value) for weight, leaf in zip(weights, tree, strict=True)]
            self.rows.append(([(weight, 1.0) for weight in weights], 1.0, 1.0))
            for feature in {feature for leaf in tree for feature in leaf.sides}:
                sides = [leaf.side(feature, self.trees.box) for leaf in tree]
                own = {end for side in sides for end in side}
                for offset, threshold in enumerate(self.trees.thresholds.get(feature, [])):
                    if threshold not in own:
                        continue
                    pairs = list(zip(weights, sides, strict=True))
                    below = [(weight, 1.0) for weight, (_, high) in pairs if high <= threshold]
                    above = [(weight, 1.0) for weight, (low, _) in pairs if low >= threshold]
                    is_below = self.first[feature] + offset
                    self.rows.append(([*below, (is_below, -1.0)], -highspy.kHighsInf, 0.0))
                    self.rows.append(([*above, (is_below, 1.0)], -highspy.kHighsInf, 1.0))
        infinity = highspy.kHighsInf
        self.rows.append((values, -self.base, infinity) if self.is_up else (values, -infinity, -self.base))

    def solve(self, case: Case) -> np.ndarray | None:
        """Fills in what HiGHS finds; returns its input."""
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.costs), len(self.rows)
        lp.col_cost_ = np.asarray(self.costs)
        lp.offset_ = getattr(self, "offset", 0.0)
        lp.col_lower_, lp.col_upper_ = np.zeros(len(self.costs)), np.asarray(self.upper)
        lp.row_lower_ = np.asarray([low for _, low, _ in self.rows])
        lp.row_upper_ = np.asarray([high for _, _, high in self.rows])
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.cumsum([0, *(len(terms) for terms, _, _ in self.rows)])
        lp.a_matrix_.index_ = np.asarray([column for terms, _, _ in self.rows for column, _ in terms])
        lp.a_matrix_.value_ = np.asarray([factor for terms, _, _ in self.rows for _, factor in terms])
        kinds = highspy.HighsVarType
        lp.integrality_ = [kinds.kInteger if is_integer else kinds.kContinuous for is_integer in self.is_integer]
        solver = highspy.Highs()
        options = {"output_flag": False, "threads": 1, "mip_rel_gap": 1e-9, "mip_abs_gap": 1e-9, "time_limit": SECONDS}
        for option, value in options.items():
            solver.setOptionValue(option, value)
        solver.passModel(lp)
        solver.run()
        status, info = solver.getModelStatus(), solver.getInfo()
        case.highs_seconds = solver.getRunTime()
        distance = math.sqrt if self.norm == "l2" else float
        case.highs_is_exact = status in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible)
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        case.highs_lower = distance(max(info.mip_dual_bound, 0.0))
        if info.primal_solution_status != 2:
            return None
        case.highs_upper = distance(max(info.objective_function_value, 0.0))
        return self.input(np.asarray(solver.getSolution().col_value))

    def input(self, solution: np.ndarray) -> np.ndarray:
        """The nearest input in the cells of a solution, in 32 bits."""
        found = self.row.astype(np.float32)
        for feature, thresholds in self.trees.thresholds.items():
            cell = len(thresholds) - round(sum(solution[self.first[feature] :][: len(thresholds)]))
            low = thresholds[cell - 1] if cell > 0 else -BIG
            high = thresholds[cell] if cell < len(thresholds) else BIG
            below = np.nextafter(np.float32(high), np.float32(-np.inf))
            found[feature] = min(max(found[feature], np.float32(low)), below)
        for members in self.groups.values():
            if all(found[column] in (0.0, 1.0) for column in members) and sum(found[members]) == 1.0:
                continue
            ones = [column for column in members if found[column] >= 0.5]
            found[members] = 0.0
            found[ones[0] if ones else members[0]] = 1.0
        return found


def compare(subject: Subject, case: Case, row: np.ndarray, found: np.ndarray | None) -> None:
    """Where both are exact they must agree; bounds must not cross. The library has the last word on HiGHS's input."""
    near = lambda a, b: abs(a - b) <= TOLERANCE * max(1.0, abs(a))  # noqa: E731
    flips = found is not None and subject.is_second(found) != subject.is_second(row.astype(np.float32))
    if case.highs_upper is not None and case.lower is not None and case.lower > case.highs_upper:
        if not near(case.lower, case.highs_upper) and flips:
            case.complaint = "HiGHS is nearer"
    if case.highs_is_exact and case.highs_upper is None and case.upper is not None:
        case.complaint = "HiGHS says there is none"
    if case.is_exact and case.upper is None and flips:
        case.complaint = "treeproof says there is none"
    if case.upper is not None and case.highs_is_exact and case.highs_lower is not None:
        if case.upper < case.highs_lower and not near(case.upper, case.highs_lower):
            case.complaint = "HiGHS proves more than treeproof's input allows"


def run(subject: Subject) -> list[Case]:
    cases = []
    for norm in subject.norms:
        with tempfile.TemporaryDirectory() as folder:
            answers = treeproof(subject, norm, pathlib.Path(folder))
        for answer, row in zip(answers, subject.rows, strict=True):
            case = Case(subject.name, norm, answer["row"], answer["lower"], answer["upper"])
            case.is_exact = answer["verdict"] in ("optimal", "infeasible")
            case.seconds = answer["seconds"]
            compare(subject, case, row, Program(subject, row, norm).solve(case))
            cases.append(case)
        print(line(subject.name, norm, cases[-len(subject.rows) :]), flush=True)
    return cases


def line(name: str, norm: str, cases: list[Case]) -> str:
    exact, highs = sum(case.is_exact for case in cases), sum(case.highs_is_exact for case in cases)
    agree = sum(case.is_exact and case.highs_is_exact and not case.complaint for case in cases)
    wrong = sum(case.complaint is not None for case in cases)
    times = [statistics.median(times) for times in zip(*((case.seconds, case.highs_seconds) for case in cases))]
    return f"| {name} | {norm} | {len(cases)} | {exact} | {highs} | {agree} | {wrong} | {times[0]:.3f} | {times[1]:.2f} |"


def tables(cases: list[Case]) -> str:
    head = [
        "# Distances of an independent solver",
        "",
        "Written by `bench/distances`. For every row: the distance of the nearest input with the other label. One thread and "
        f"{SECONDS:g} s per row on each side; HiGHS solves a mixed integer program, whose construction is not timed. In L∞, L1 "
        "and L2, numbers are measured in standard deviations. One-hot columns are one feature (`--group`): exactly one is 1, and "
        "a change costs 1.",
        "",
        f"HiGHS {highspy.Highs().version()}, xgboost {xgboost.__version__}; {processor()}.",
        "",
        "| model | norm | rows | treeproof exact | HiGHS exact | both, and agree | disagree | treeproof, median s | HiGHS, median s |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    kinds = list(dict.fromkeys((case.subject, case.norm) for case in cases))
    body = [line(*kind, [case for case in cases if (case.subject, case.norm) == kind]) for kind in kinds]
    behind = sum(case.highs_is_exact and not case.is_exact for case in cases)
    end = ["", f"Rows decided by HiGHS and not by treeproof: **{behind}**. Disagreements: **{sum(case.complaint is not None for case in cases)}**."]
    return "\n".join([*head, *body, line("all", "", cases), *end]) + "\n"


def processor() -> str:
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if pathlib.Path("/proc/cpuinfo").exists() else []
    names = [text.split(":", 1)[1].strip() for text in lines if text.startswith("model name")]
    return names[0] if names else platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="the folder of models")
    parser.add_argument("data", type=pathlib.Path, help="the folder of data")
    parser.add_argument("--rows", type=int, default=100, help="rows of adult")
    parser.add_argument("--others", type=int, default=20, help="rows of each other model, which has four norms")
    parser.add_argument("--only", help="only the model whose name begins so; nothing is written")
    arguments = parser.parse_args()
    subjects = [
        adult(arguments.folder, arguments.data, arguments.rows),
        german(arguments.data, arguments.others),
        mnist(arguments.data, arguments.others),
    ]
    chosen = [subject for subject in subjects if subject.name.startswith(arguments.only or "")]
    cases = [case for subject in chosen for case in run(subject)]
    for case in cases:
        if case.complaint:
            print(case)
    if not arguments.only:
        (RESULTS / "distances.md").write_text(tables(cases))
        (RESULTS / "distances.json").write_text(json.dumps([dataclasses.asdict(case) for case in cases], indent=1) + "\n")
    if any(case.complaint for case in cases):
        raise SystemExit("the two sides disagree")


if __name__ == "__main__":
    main()
