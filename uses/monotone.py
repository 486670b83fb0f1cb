"""Does the value of a house never fall as income rises?

One model was trained freely, two were told to be monotone in income; values are in 100 000 dollars.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import xgboost

import datasets
from libraries import Trained
from onehot import Groups, outside
from use import Page, Use

SEED = 1
FREE = "calhouse-M100-d6"
INCOME, SEA = "median_income", "ocean_proximity"


@dataclasses.dataclass
class Subject:
    """A model, the file that it is in, and data with its columns."""

    about: str
    file: str
    model: Any
    data: pd.DataFrame
    groups: Groups

    @property
    def domain(self) -> str:
        return f"{self.file.split('.')[0]}.csv"


def subjects(use: Use) -> list[Subject]:
    """The free model of the benchmark, and two that are trained here with the same blocks of houses."""
    named, value = datasets.houses(use)
    columns = pd.get_dummies(named, columns=[SEA], dtype=np.float64)
    columns = columns.rename(columns={f"{SEA}_<1H OCEAN": f"{SEA}_lt_1H OCEAN"})
    trees = 20 if use.quick else 100

    file = use.model(FREE)
    free = Trained.load(use.open(file), xgboost.XGBRegressor)
    sea = Groups(columns, SEA)
    tame = xgboost.XGBRegressor(n_estimators=trees, max_depth=6, learning_rate=0.1, n_jobs=1, random_state=SEED,
                                monotone_constraints={INCOME: 1}).fit(columns, value)
    tame.save_model(use.folder / "monotone_xgboost.json")
    light = lightgbm.LGBMRegressor(n_estimators=trees, n_jobs=1, random_state=SEED, verbose=-1,
                                   monotone_constraints=[int(name == INCOME) for name in named]).fit(named, value)
    light.booster_.save_model(use.folder / "monotone_lightgbm.txt")
    use.made.append(f"models trained with monotone constraints, and data of {len(named)} blocks of houses in California")
    made = [
        Subject(f"XGBoost, {FREE} of the benchmark, unconstrained", file, free, columns, sea),
        Subject(f"XGBoost, {trees} trees of depth 6, trained to rise with income", "monotone_xgboost.json",
                Trained(tame, columns), columns, sea),
        Subject(f"LightGBM, {trees} trees of 31 leaves, trained to rise with income", "monotone_lightgbm.txt",
                Trained(light, named), named, Groups(named)),
    ]
    for subject in made:
        subject.data.to_csv(use.folder / subject.domain, index=False)
    return made


def ask(use: Use, subject: Subject) -> dict[str, Any]:
    """Asks about income, and checks the pair if there is one."""
    answer = use.ask("monotone", subject.file, "--feature", INCOME, "--domain", subject.domain, *subject.groups.flags)
    use.check(answer["verdict"] in ("holds", "violated"), f"{answer['verdict']}, stopped by {answer['stopped']}")
    if answer["verdict"] == "holds":
        return answer
    a, b = (subject.groups.spread(answer["witness"][side]) for side in "ab")
    for side, one in (("a", a), ("b", b)):
        use.reproduce(subject.model, one, answer["output"][side])
        use.check(not outside(one, subject.data), f"{outside(one, subject.data)} do not occur")
    use.check({name for name in a if a[name] != b[name]} == {INCOME}, "the pair differs elsewhere")
    use.check(a[INCOME] < b[INCOME], "income does not rise")
    seen = answer["output"]["a"] - answer["output"]["b"]
    use.check(seen > 0 and abs(seen - answer["lower"]) <= answer["rounding"], f"the pair falls by {seen}")
    return answer


def sampled(use: Use, subject: Subject) -> float:
    """The largest fall that sampling finds: a hundred incomes for each of some real blocks."""
    blocks = subject.data.sample(50 if use.quick else 1000, random_state=SEED)
    incomes = np.linspace(blocks[INCOME].min(), blocks[INCOME].max(), 100)
    curves = np.array([subject.model.margins(blocks.assign(**{INCOME: income})) for income in incomes])
    return float((np.maximum.accumulate(curves, axis=0) - curves).max())


def dollars(value: float) -> str:
    return f"{round(value * 100_000):,} $".replace(",", " ")


def main(use: Use) -> Page:
    page = Page("California: does a house never lose value as income rises?", "",
                "Models of the median value of the houses in a block, from nine features. Do two blocks exist that differ in "
                "the median income alone, where the richer one is worth less? Every block within the range of the "
                "data is allowed, with exactly one value of `ocean_proximity`. For comparison, the table shows the largest fall "
                "found by sampling: a hundred incomes for each of a thousand real blocks.")
    lines, worst = [], None
    for subject in subjects(use):
        answer, found = ask(use, subject), sampled(use, subject)
        if answer["verdict"] == "holds":
            use.check(found <= answer["rounding"], f"sampling finds a fall of {found}")
            says = "never falls: proved"
        else:
            use.check(found <= answer["upper"] + answer["rounding"], f"sampling finds a larger fall, {found}")
            proved = "proved the worst" if answer["stopped"] == "optimal" else f"at most {dollars(answer['upper'])}"
            says = f"falls by {dollars(answer['lower'])}, {proved}"
            worst = worst or (subject, answer)
        lines.append([subject.about, says, dollars(found), f"{answer['cpu']:.2f} s"])
    page.section("Answers")
    page.table(["model", "as income rises, the value", "#sampled", "#time"], lines)
    use.check(worst is not None, "the free model holds, too")
    subject, answer = worst
    a, b = answer["witness"]["a"], answer["witness"]["b"]
    page.section("The worst pair of the unconstrained model")
    page.table(["", "#poorer block", "#richer block"], [
        *([f"`{name}`", show(a[name]), show(b[name])] for name in a),
        ["value", dollars(answer["output"]["a"]), dollars(answer["output"]["b"])],
    ])
    page.headline = (f"Unconstrained model: {dollars(answer['lower'])} less for a richer block, the proved maximum; "
                     f"{len(lines) - 1} constrained models: proved never to fall.")
    return page


def show(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    Use("monotone", __doc__).run(main)
