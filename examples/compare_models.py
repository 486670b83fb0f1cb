"""Is the new model the old one? Proof that two agree everywhere, or the input where they differ most."""

import numpy as np
import treeproof as tp
import xgboost
from sklearn.datasets import load_breast_cancer

data = load_breast_cancer(as_frame=True)
X, y = data.data.iloc[:, :8], data.target


def fit(rounds: int) -> xgboost.XGBClassifier:
    return xgboost.XGBClassifier(n_estimators=rounds, max_depth=3, n_jobs=1, random_state=0).fit(X, y)


# Saved and loaded again, it is the same model: proved for every input, not tested on some.
old = fit(20)
again = xgboost.XGBClassifier()
again.load_model(old.get_booster().save_raw("json"))
same = tp.diff(old, again, within=0.0)
print(f"saved and loaded: {same.verdict}, they differ by at most {same.upper:g}")
assert same.verdict == "holds"

# Five more rounds of training: where does it change its mind most, among inputs like those of training?
new = fit(25)
report = tp.diff(old, new, domain=X, threads=1)
patient = report.witness
row = np.array([[patient[name] for name in X.columns]])
first, second = (model.predict(row, output_margin=True)[0] for model in (old, new))
print(f"five more rounds: margins differ by up to {report.upper:.3f} ({report.verdict})")
print(f"  old {first:.3f}, new {second:.3f} at {', '.join(f'{name} {patient[name]:.4g}' for name in list(patient)[:3])}, …")
assert report.verdict == "optimal" and abs(abs(second - first) - report.upper) < 1e-4

# So close that nobody would notice?
within = tp.diff(old, new, domain=X, within=1.0)
print(f"within 1: {within.verdict}")
