"""Can sex or race alone decide about an income, or about credit?

Two people are looked for who differ in nothing else and get different labels; and real people, whom another sex or race alone
would give another label.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any, Iterator

import lightgbm
import pandas as pd
import xgboost

import datasets
from libraries import Trained
from onehot import Groups, outside
from use import Page, Use

SEED = 1
BENCH = "adult-M100-d6"


@dataclasses.dataclass
class Subject:
    """A model, the data that confines it, real people to ask about, and which columns of it are one feature."""

    file: str
    model: Trained
    data: pd.DataFrame
    people: pd.DataFrame
    groups: Groups

    @property
    def stem(self) -> str:
        return self.file.split(".")[0]

    def write(self, use: Use) -> Subject:
        self.data.to_csv(use.folder / f"{self.stem}_all.csv", index=False)
        self.people.to_csv(use.folder / f"{self.stem}_some.csv", index=False)
        return self


@dataclasses.dataclass
class Protected:
    """The features in which two people may differ; or the two sets of values of one feature that are compared."""

    names: tuple[str, ...]
    sides: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    def __str__(self) -> str:
        """As `--protected` has it."""
        sides = "|".join("{" + ",".join(side) + "}" for side in self.sides or ())
        return ",".join(self.names) + (f":{sides}" if sides else "")

    def others(self, subject: Subject) -> Iterator[tuple[pd.Series, pd.DataFrame]]:
        """All people with other values, and for whom that is a change that counts."""
        values = [subject.groups.columns.get(name) or list(subject.data[name].cat.categories) for name in self.names]
        for chosen in itertools.product(*values):
            other = subject.people.copy()
            for name, value in zip(self.names, chosen, strict=True):
                if name in subject.groups.columns:
                    other[subject.groups.columns[name]] = 0.0
                    other[value] = 1.0
                else:
                    other[name] = pd.Categorical([value] * len(other), dtype=other[name].dtype)
            counts = pd.Series(True, index=other.index)
            if self.sides:
                beside = self.sides[chosen[0] in self.sides[0]]
                counts = subject.people[self.names[0]].isin(beside)
            yield counts, other

    def flipped(self, subject: Subject) -> list[bool]:
        """Who gets another label from the library with some other values."""
        labels = pd.Series(subject.model.labels(subject.people), index=subject.people.index)
        flipped = pd.Series(False, index=subject.people.index)
        for counts, other in self.others(subject):
            flipped |= counts & (labels != subject.model.labels(other))
        return list(flipped)


def census(use: Use) -> list[Subject]:
    """A model with categories, trained here, and one of the benchmark with one-hot columns."""
    people, rich, training = datasets.people(use)
    some = people[~training].head(100 if use.quick else 2000)
    mine = people.drop(columns="fnlwgt")
    trees = 30 if use.quick else 100
    model = lightgbm.LGBMClassifier(n_estimators=trees, num_leaves=16, n_jobs=1, random_state=SEED, verbose=-1)
    model.fit(mine[training], rich[training])
    model.booster_.save_model(use.folder / "income.txt")
    use.made.append(f"`income.txt`, LightGBM with categories, {trees} trees of 16 leaves, {training.sum()} people of the census")
    file = use.model(BENCH)
    columns = pd.get_dummies(people, dtype=float)
    bench = Trained.load(use.open(file), xgboost.XGBClassifier)
    columns = columns[list(bench.kinds)]
    groups = Groups(columns, *people.select_dtypes("category"))
    return [
        Subject("income.txt", Trained(model, mine), mine, some[mine.columns], Groups(mine)).write(use),
        Subject(file, bench, columns, columns.loc[some.index], groups).write(use),
    ]


def credit(use: Use) -> Subject:
    """A model of bad credits with categories; sex is part of one of them."""
    borrowers, bad = datasets.borrowers(use)
    model = xgboost.XGBClassifier(n_estimators=50, max_depth=4, learning_rate=0.1, n_jobs=1, random_state=SEED,
                                  enable_categorical=True, max_cat_to_onehot=1).fit(borrowers, bad)
    model.save_model(use.folder / "credit.json")
    use.made.append(f"`credit.json`, XGBoost with categories, 50 trees of depth 4, {len(borrowers)} borrowers")
    return Subject("credit.json", Trained(model, borrowers), borrowers, borrowers, Groups(borrowers)).write(use)


def check_pair(use: Use, subject: Subject, answer: dict[str, Any], protected: Protected, labels: bool = True) -> None:
    """The library agrees about both people; they differ only where they may; and in their labels, if that was asked."""
    a, b = answer["witness"]["a"], answer["witness"]["b"]
    for side, one in (("a", a), ("b", b)):
        whole = subject.groups.spread(one)
        use.reproduce(subject.model, whole, answer["output"][side])
        use.check(not outside(whole, subject.data), f"{outside(whole, subject.data)} do not occur")
        label = subject.model.labels([whole])[0]
        use.check(label == str(answer["label"][side]), f"the library's label is {label}")
    differ = {name for name in a if a[name] != b[name]}
    use.check(differ and differ <= set(protected.names), f"the two differ in {differ}")
    use.check(not labels or answer["label"]["a"] != answer["label"]["b"], "the two have one label")
    if protected.sides:
        values = {a[protected.names[0]], b[protected.names[0]]}
        use.check(all(values & set(side) for side in protected.sides), f"{values} are of one side")


def ask(use: Use, subject: Subject, protected: Protected, *words: Any, data: str | None = None) -> dict[str, Any]:
    files = [subject.file, data] if data else [subject.file]
    domain = ("--domain", f"{subject.stem}_all.csv")
    return use.ask("fair", *files, "--protected", protected, *domain, *subject.groups.flags, *words)


def anybody(use: Use, subject: Subject, protected: Protected, *where: str) -> dict[str, Any]:
    """Two people of any kind: do labels differ, and by how much can margins?"""
    conditions = [word for condition in where for word in ("--where", condition)]
    answer = ask(use, subject, protected, *conditions)
    use.check(answer["verdict"] in ("holds", "violated"), f"{answer['verdict']}, stopped by {answer['stopped']}")
    if answer["verdict"] == "violated":
        check_pair(use, subject, answer, protected)
    apart = ask(use, subject, protected, "--class", 1, *conditions)
    check_pair(use, subject, apart, protected, labels=False)
    seen = abs(apart["output"]["a"] - apart["output"]["b"])
    use.check(abs(seen - apart["lower"]) <= apart["rounding"], f"the pair differs by {seen}")
    return answer | {"apart": apart}


def real(use: Use, subject: Subject, protected: Protected) -> dict[str, Any]:
    """Real people: every verdict is what the library's labels say when all other values are tried."""
    answer = ask(use, subject, protected, data=f"{subject.stem}_some.csv")
    flipped = protected.flipped(subject)
    use.check(len(answer["rows"]) == len(flipped), "not all rows were asked about")
    for row, flips in zip(answer["rows"], flipped, strict=True):
        number = row["row"]
        use.check(row["verdict"] == ("violated" if flips else "holds"), f"row {number} is {row['verdict']}, trying says {flips}")
        if flips:
            check_pair(use, subject, row, protected)
            same = subject.groups.spread(row["witness"]["a"]) == subject.people.iloc[number].to_dict()
            use.check(same, f"row {number}: the first of the two is not the row")
    use.check(answer["summary"]["violated"] == sum(flipped), "the summary is not that of the rows")
    return answer


SEX, BOTH = Protected(("sex",)), Protected(("sex", "race"))
# A95, single women, is in the list of codes, but there is nobody in the data.
MALE_FEMALE = Protected(("status_sex",), (("A91", "A93", "A94"), ("A92",)))


def answers(use: Use, page: Page, asked: list[tuple[str, Subject, Protected, tuple[str, ...]]]) -> list[dict[str, Any]]:
    """A table of all questions, one line each."""
    found, lines = [], []
    for about, subject, protected, where in asked:
        answer = anybody(use, subject, protected, *where)
        rows = real(use, subject, protected) if not where else None
        apart = answer["apart"]
        proved = f"{apart['lower']:.3f}" if apart["verdict"] == "optimal" else f"{apart['lower']:.3f} to {apart['upper']:.3f}"
        share = f"{rows['summary']['violated']} of {len(rows['rows'])} ({100 * rows['summary']['share']:.1f} %)" if rows else ""
        lines.append([about, f"`{protected}`", "yes" if answer["verdict"] == "violated" else "no: proved", proved, share,
                      f"{answer['cpu'] + apart['cpu']:.2f} s", f"{rows['cpu']:.2f} s" if rows else ""])
        found.append(answer | {"real": rows})
    page.table(["model", "protected", "two such people?", "#largest difference of the margin", "#real people", "#time",
                "#time for rows"], lines)
    return found


def show_pair(page: Page, answer: dict[str, Any], labels: tuple[str, str]) -> None:
    a, b = answer["witness"]["a"], answer["witness"]["b"]
    lines = [[f"`{name}`", show(a[name]), "same" if a[name] == b[name] else f"**{show(b[name])}**"] for name in a]
    chances = answer["probability"]
    lines.append(["label", *(labels[int(answer["label"][side])] for side in "ab")])
    lines.append([f"probability of “{labels[1]}”", *(f"{100 * chances[side]:.1f} %" for side in "ab")])
    page.table(["", "one", "other"], lines)


def show(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def main(use: Use) -> Page:
    mine, bench = census(use)
    bank = credit(use)
    page = Page("Fairness: can sex or race alone decide?", "",
                "Do two people exist who differ only in the protected features and get different labels, and what is the "
                "largest difference of the margin between two such people? Any combination of values within the data is "
                "allowed. Then for real people: would another value of the protected features alone change their label? All "
                "these verdicts are compared with the library's labels for every other value.")
    young = ("age <= 22 and hours_per_week <= 30", "capital_gain == 0 and capital_loss == 0")
    page.section("Answers")
    found = answers(use, page, [
        ("income, LightGBM", mine, SEX, ()),
        ("income, LightGBM", mine, BOTH, ()),
        ("income, LightGBM, where `" + "` and `".join(young) + "`", mine, BOTH, young),
        (f"income, XGBoost {BENCH}", bench, SEX, ()),
        (f"income, XGBoost {BENCH}", bench, BOTH, ()),
        ("bad credit, XGBoost", bank, MALE_FEMALE, ()),
    ])
    page.section("Two people who differ in sex alone")
    show_pair(page, found[0], ("at most 50K", "above 50K"))
    real_bank = next((row for row in found[-1]["real"]["rows"] if row["verdict"] == "violated"), None)
    if real_bank:
        page.section("A borrower whose label changes with sex")
        page.say(f"Row {real_bank['row']} of the data. A91, A93 and A94 are men, A92 are women.")
        show_pair(page, real_bank, ("good", "bad"))
    share = found[0]["real"]["summary"]["share"]
    page.headline = (f"Sex alone decides the label of {100 * share:.1f} % of real people in a model of incomes, and of "
                     f"{100 * found[-1]['real']['summary']['share']:.1f} % of borrowers in a model of credit.")
    return page


if __name__ == "__main__":
    Use("fairness", __doc__).run(main)
