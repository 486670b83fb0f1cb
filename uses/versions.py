"""Where do two versions of a model disagree?

A model in two formats, a model that was trained a little longer, and models that were trained again with more rows.
"""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import xgboost
from onnxmltools.convert import convert_xgboost
from onnxmltools.convert.common.data_types import FloatTensorType

import datasets
from libraries import Onnx, Trained
from onehot import outside
from use import Page, Use

SEED = 1


def compare(
    use: Use, files: tuple[str, str], models: tuple[Any, Any], data: pd.DataFrame, domain: str, *words: Any
) -> dict[str, Any]:
    """Asks where two models differ most; both libraries see the input, and no row of the data shows a larger difference."""
    data.to_csv(use.folder / domain, index=False)
    answer = use.ask("diff", *files, "--domain", domain, *words)
    one = answer["witness"]
    for model, side in zip(models, "ab", strict=True):
        use.reproduce(model, one, answer["output"][side])
    use.check(not outside(one, data), f"{outside(one, data)} do not occur")
    observed = float(np.abs(models[0].margins(data) - models[1].margins(data)).max())
    use.check(observed <= answer["upper"] + answer["rounding"], f"a row of the data differs by {observed}")
    found = abs(answer["output"]["a"] - answer["output"]["b"])
    use.check(abs(found - answer["lower"]) <= answer["rounding"], f"the input shows a difference of {found}")
    return answer | {"observed": observed}


def values(use: Use, page: Page) -> None:
    """A model in two formats, trained longer, and with fewer rows."""
    features, value = datasets.houses(use)
    features = features.drop(columns="ocean_proximity")
    # ONNX knows features by position, and its converter wants names like these.
    features.columns = [f"f{position}" for position in range(features.shape[1])]
    columns, trees = list(features), 20 if use.quick else 100

    def train(file: str, share: float, more: int = 0) -> Trained:
        rows = np.random.default_rng(SEED).permutation(len(features))[: int(share * len(features))]
        model = xgboost.XGBRegressor(n_estimators=trees, max_depth=6, learning_rate=0.1, n_jobs=1, random_state=SEED)
        model.fit(features.iloc[rows], value.iloc[rows])
        if more:
            longer = xgboost.XGBRegressor(n_estimators=more, max_depth=6, learning_rate=0.1, n_jobs=1, random_state=SEED)
            model = longer.fit(features.iloc[rows], value.iloc[rows], xgb_model=model.get_booster())
        model.save_model(use.folder / file)
        return Trained(model, features)

    old, longer, fewer = train("old.json", 1), train("longer.json", 1, 10), train("fewer.json", 0.8)
    old.model.save_model(use.folder / "old.ubj")
    converted = convert_xgboost(old.model, initial_types=[("x", FloatTensorType([None, len(columns)]))])
    (use.folder / "old.onnx").write_bytes(converted.SerializeToString())
    onnx = Onnx(str(use.folder / "old.onnx"), columns)
    use.made.append(f"XGBoost models of house values, {trees} trees of depth 6, 8 features: `old` with all {len(features)} "
                    "blocks, `longer` with 10 more trees, `fewer` with 80 % of the blocks")
    lines = []

    def line(about: str, answer: dict[str, Any], says: str) -> None:
        lines.append([about, says, f"{answer['observed']:.3g}", f"{answer['cpu']:.2f} s"])

    for about, file, model in (("JSON and UBJSON", "old.ubj", old), ("XGBoost and ONNX", "old.onnx", onnx)):
        answer = compare(use, ("old.json", file), (old, model), features, "houses.csv", "--within", 0)
        use.check(answer["verdict"] == "holds", f"not equivalent: {answer['verdict']}")
        line(about, answer, "equivalent: the exact sums are equal for every input")
    longest = compare(use, ("old.json", "longer.json"), (old, longer), features, "houses.csv")
    line(f"{trees} trees and {trees + 10}", longest, bound(longest))
    near = float(f"{1.1 * longest['upper']:.2g}")
    answer = compare(use, ("old.json", "longer.json"), (old, longer), features, "houses.csv", "--within", near)
    use.check(answer["verdict"] == "holds", f"not within {near}: {answer['verdict']}")
    line(f"{trees} trees and {trees + 10}, within {near}", answer, f"nowhere more than {near} apart")
    answer = compare(use, ("fewer.json", "old.json"), (fewer, old), features, "houses.csv")
    line("80 % of the rows and all", answer, bound(answer))
    page.section("House values in California")
    page.say("Differences of the predicted value, in 100 000 dollars, over every input within the range of the data. For "
             "comparison, the table shows the largest difference at a real block. If exact sums are equal, the libraries' own "
             "numbers may still differ by rounding.")
    page.table(["versions", "difference", "#at a real block", "#time"], lines)


def bound(answer: dict[str, Any]) -> str:
    if answer["verdict"] == "optimal":
        return f"at most {answer['upper']:.4f}: proved, and attained"
    return f"{answer['lower']:.4f} to {answer['upper']:.4f}"


def incomes(use: Use, page: Page) -> dict[str, Any]:
    """Classifiers of incomes: where the margins differ most, the labels do."""
    people, rich, first = datasets.people(use)
    people = people.drop(columns="fnlwgt")
    models = []
    for file, rows in (("first.txt", first), ("again.txt", first | True)):
        model = lightgbm.LGBMClassifier(n_estimators=20 if use.quick else 60, num_leaves=8, n_jobs=1, random_state=SEED, verbose=-1)
        model.fit(people[rows], rich[rows])
        model.booster_.save_model(use.folder / file)
        models.append(Trained(model, people))
    use.made.append(f"LightGBM models of incomes with categories, 60 trees of 8 leaves: `first` with {first.sum()} people, "
                    f"`again` with {len(people)}")
    answer = compare(use, ("first.txt", "again.txt"), tuple(models), people, "people.csv")
    one = answer["witness"]
    labels = [model.labels([one])[0] for model in models]
    use.check(labels == [str(answer["label"][side]) for side in "ab"], f"LightGBM's labels are {labels}")
    chances = [100 * model.probabilities([one])[0] for model in models]
    differ = sum(a != b for a, b in zip(*(model.labels(people) for model in models), strict=True))
    page.section("Incomes above 50 000 dollars")
    page.say(f"LightGBM with categories, trained with {first.sum()} people, and again with {len(people)}. The margins differ by "
             f"{bound(answer)}, in {answer['cpu']:.2f} s; for real people by at most {answer['observed']:.2f}, and "
             f"{differ} of them ({100 * differ / len(people):.2f} %) get another label. The models differ most for this person:")
    page.table(["", "value"], [[f"`{name}`", value if isinstance(value, str) else f"{value:g}"] for name, value in one.items()])
    page.say(f"The first model predicts {labels[0]}, with probability {chances[0]:.1f} % for a high income, the second "
             f"{labels[1]}, with {chances[1]:.1f} %. The largest difference of margins need not be the largest difference of "
             "probabilities.")
    return answer | {"chances": chances}


def main(use: Use) -> Page:
    page = Page("Versions: where do two models disagree?", "", "The same model in two formats, trained longer, and retrained.")
    values(use, page)
    found = incomes(use, page)
    page.headline = ("XGBoost and its ONNX conversion: proved equal for every input. A model retrained with more rows: "
                     f"{found['chances'][0]:.0f} % becomes {found['chances'][1]:.0f} % for one person.")
    return page


if __name__ == "__main__":
    Use("versions", __doc__).run(main)
