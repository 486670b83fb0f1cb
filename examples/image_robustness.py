"""How robust is a classifier of handwritten digits? Proved for each image, and the nearest image that fools it."""

import numpy as np
import treeproof as tp
import xgboost
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

# Images of 8 × 8 pixels with 17 shades, 0 to 16.
X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=0)
classifier = xgboost.XGBClassifier(n_estimators=12, max_depth=4, n_jobs=1, random_state=0).fit(X_train, y_train)
model = tp.load(classifier)

# No image within one shade in every pixel has another label: proved, or an image that shows it.
for radius in (0.25, 0.5, 1):
    report = tp.robust(model, X_test[:40], y=y_test[:40], norm="linf", radius=radius)
    shares = f"accuracy {report.summary['accuracy']:.1%}, certified {report.summary['certified_accuracy']:.1%}"
    print(f"within {radius:.2f} shades: {shares}, undecided {report.summary['undecided']}")
    for row in report.rows:
        if row["verdict"] == "violated":
            fooled = np.array(list(row["witness"].values()))
            assert np.abs(fooled - X_test[row["row"]]).max() <= radius
            assert classifier.predict([fooled])[0] == row["witness_label"] != row["label"]

# The fewest pixels that have to be repainted, with whole shades that occur, to make one image something else.
report = tp.closest(model, X_test[:1], norm="l0", domain=X_train, threads=1)
answer = report.rows[0]
painted = np.array(list(answer["witness"].values()))
assert classifier.predict(X_test[:1])[0] == answer["label"]
assert classifier.predict([painted])[0] == answer["witness_label"] != answer["label"]
assert (painted != X_test[0]).sum() == answer["upper"]
print(f"a {answer['label']} becomes a {answer['witness_label']} by {answer['upper']:g} pixels, and not by fewer: {answer['verdict']}")
for change in answer["changed"]:
    row, column = divmod(int(change["feature"][1:]), 8)
    print(f"  row {row}, column {column}: {change['from']:g} to {change['to']:g}")
