"""Does a model ever say less where it must say more? Proof that it does not, or the two patients that show it."""

import treeproof as tp
from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingRegressor

# The progression of diabetes within a year, by age, sex, body mass index, blood pressure and six blood values.
data = load_diabetes(as_frame=True, scaled=False)
X, y = data.data, data.target
must_rise = ["bmi", "bp"]
options = {"max_iter": 40, "max_leaf_nodes": 8, "random_state": 0}
free = HistGradientBoostingRegressor(**options).fit(X, y)
bound = HistGradientBoostingRegressor(**options, monotonic_cst={name: 1 for name in must_rise}).fit(X, y)

# A model that is free to learn anything: the worst pair for each feature.
report = tp.monotone(free, must_rise, domain=X, threads=1)
print(f"free: {report.verdict}")
for answer in report.features:
    name, a, b = answer["feature"], answer["witness"]["a"], answer["witness"]["b"]
    assert a[name] < b[name] and all(a[other] == b[other] for other in a if other != name)
    low, high = (free.predict(X.iloc[:1].assign(**person))[0] for person in (a, b))
    assert answer["verdict"] == "violated" and low > high
    print(f"  {name} from {a[name]:.1f} to {b[name]:.1f}: {low:.1f} falls to {high:.1f}, by at most {answer['upper']:.1f} anywhere")

# One that was trained to rise, asked without a domain: for every input at all.
report = tp.monotone(bound, must_rise)
print(f"bound: {report.verdict}")
for answer in report.features:
    assert answer["verdict"] == "holds"
    print(f"  {answer['feature']}: never falls")
