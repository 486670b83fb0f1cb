"""Is there anybody whose credit decision depends on sex alone? Two applicants as proof, or proof that there are none."""

import lightgbm
import numpy as np
import pandas as pd
import treeproof as tp

# Applicants, and decisions of the past that were harder on women with short employment.
rng = np.random.default_rng(0)
count = 3000
people = pd.DataFrame(
    {
        "sex": rng.integers(0, 2, count),
        "age": rng.integers(19, 75, count),
        "income": rng.normal(3200, 900, count).clip(800).round(-1),
        "debt": rng.exponential(4000, count).round(-1),
        "years_employed": rng.integers(0, 30, count),
    }
)
score = people["income"] / 1000 - people["debt"] / 4000 + np.minimum(people["years_employed"], 5) / 3
score -= 0.8 * ((people["sex"] == 1) & (people["years_employed"] < 3))
granted = score + rng.normal(0, 0.3, count) > 2.5


def fit(columns: list[str]) -> lightgbm.LGBMClassifier:
    options = {"n_estimators": 25, "num_leaves": 12, "random_state": 0, "n_jobs": 1, "verbose": -1}
    return lightgbm.LGBMClassifier(**options).fit(people[columns], granted)


def said(classifier: lightgbm.LGBMClassifier, person: dict) -> bool:
    """The library's own decision about a person."""
    return bool(classifier.predict(pd.DataFrame([person])[classifier.feature_name_])[0])


# Within what was seen in training, do two people exist who differ in sex alone and are treated differently?
classifier = fit(list(people.columns))
report = tp.fair(classifier, protected="sex", domain=people, threads=1)
a, b = report.witness["a"], report.witness["b"]
assert report.verdict == "violated"
assert {name for name in a if a[name] != b[name]} == {"sex"} and said(classifier, a) != said(classifier, b)
print(f"with sex: {report.verdict}")
print(f"  the same person: {', '.join(f'{name} {a[name]:g}' for name in a if name != 'sex')}")
print(f"  sex {a['sex']:g}: {'granted' if said(classifier, a) else 'refused'}")
print(f"  sex {b['sex']:g}: {'granted' if said(classifier, b) else 'refused'}")

# How many real applicants would be treated differently, were they of the other sex?
rows = tp.fair(classifier, people.head(300), protected="sex")
print(f"  {rows.summary['violated']} of {rows.summary['asked']} real applicants")

# Whoever has been employed for long enough is treated alike: proved for all of them, seen in training or not.
settled = tp.fair(classifier, protected="sex", where=["years_employed >= 10", "income >= 3000"], domain=people)
print(f"ten years employed, income of 3000: {settled.verdict}")
