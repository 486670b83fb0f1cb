"""How far can the output jump between two inputs that are almost the same?

The question needs no data; the range of the data keeps the inputs credible, and its spread says what "almost" means.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import xgboost

import datasets
from libraries import Trained
from onehot import Groups, outside
from use import Page, Use

RADIUS = 0.1
SECONDS = 60


@dataclasses.dataclass
class Subject:
    """A model of the benchmark, data with its columns, and what its output is."""

    name: str
    kind: type[xgboost.XGBModel]
    data: pd.DataFrame
    groups: Groups
    unit: str


def subjects(use: Use) -> list[Subject]:
    houses, _ = datasets.houses(use)
    houses = pd.get_dummies(houses, columns=["ocean_proximity"], dtype=np.float64)
    houses = houses.rename(columns={"ocean_proximity_<1H OCEAN": "ocean_proximity_lt_1H OCEAN"})
    collisions = pd.read_csv(use.data / "higgs_uci" / "higgs_uci.csv.gz").drop(columns=["y", "source"])
    people, _, _ = datasets.people(use)
    columns = pd.get_dummies(people, dtype=np.float64)
    return [
        Subject("calhouse-M100-d4", xgboost.XGBRegressor, houses, Groups(houses, "ocean_proximity"), "100 000 dollars"),
        Subject("adult-M100-d4", xgboost.XGBClassifier, columns, Groups(columns, *people.select_dtypes("category")), "margin"),
        Subject("higgs-M50-d4", xgboost.XGBClassifier, collisions, Groups(collisions), "margin"),
    ]


def jump(use: Use, subject: Subject) -> tuple[list[Any], dict[str, Any]]:
    """The largest jump, as cells of a table and as answered: XGBoost sees it, and the two inputs are as near as they must be."""
    file, data = use.model(subject.name), f"{subject.name}.csv"
    model = Trained.load(use.open(file), subject.kind)
    table = subject.data[list(model.kinds)]
    table.to_csv(use.folder / data, index=False)
    answer = use.ask("stable", file, "--norm", "linf", "--radius", RADIUS, "--scale", f"std:{data}", "--domain", data,
                     "--time", f"{SECONDS // 10 if use.quick else SECONDS}s", *subject.groups.flags)
    pair = {side: subject.groups.spread(one) for side, one in answer["witness"].items()}
    for side, one in pair.items():
        use.reproduce(model, one, answer["output"][side])
        use.check(not outside(one, table), f"{outside(one, table)} do not occur")
    spread = table.std(ddof=0)
    apart = {name: abs(pair["a"][name] - pair["b"][name]) / spread[name] for name in table if spread[name] > 0}
    use.check(max(apart.values()) <= RADIUS * (1 + 1e-9), f"the inputs are {max(apart.values())} apart")
    seen = abs(answer["output"]["a"] - answer["output"]["b"])
    use.check(abs(seen - answer["lower"]) <= answer["rounding"], f"the jump is {seen}")
    bound = f"{answer['lower']:.4f}" if answer["verdict"] == "optimal" else f"{answer['lower']:.4f} to {answer['upper']:.4f}"
    gap = (answer["upper"] - answer["lower"]) / answer["upper"]
    moved = sorted((name for name in apart if apart[name] > 0), key=apart.__getitem__, reverse=True)
    shown = ", ".join(f"`{name}` {pair['a'][name]:g} → {pair['b'][name]:g}" for name in moved[:4])
    if len(moved) > 4:
        shown += f", {len(moved) - 4} more"
    outputs = f"{answer['output']['a']:.3f} → {answer['output']['b']:.3f}"
    return [subject.name, bound, f"{100 * gap:.1f} %", outputs, subject.unit, shown, f"{answer['cpu']:.1f} s"], answer


def main(use: Use) -> Page:
    page = Page("Stability: how far can the output jump?", "",
                f"The largest difference of the output between two inputs that differ by at most {RADIUS:g} standard deviations in "
                "every feature. The bound covers all such inputs within the range of the data, not a sample; the gap is the "
                f"undecided part of it after {SECONDS} s.")
    lines, headline = [], None
    for subject in subjects(use):
        line, answer = jump(use, subject)
        lines.append(line)
        headline = headline or (f"{subject.name}: changes of at most {RADIUS:g} standard deviations per feature can move "
                                f"the value by {answer['lower'] * 100_000:.0f} $, and never by more than "
                                f"{answer['upper'] * 100_000:.0f} $.")
    page.table(["model", "#largest jump", "#gap", "#outputs", "unit", "what changes", "#time"], lines)
    page.headline = headline
    return page


if __name__ == "__main__":
    Use("stable", __doc__).run(main)
