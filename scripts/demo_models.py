"""Trains the models of `treeproof demo` on data sets that scikit-learn ships, and writes both into a folder.

progression-v1.json  XGBoost, regression: how far diabetes progresses within a year, from ten measurements
progression-v2.txt   LightGBM, the same, trained never to fall as the body mass index or the blood pressure rises
referral.json        XGBoost, two classes: whether a patient's progression is above the median
tumour.txt           LightGBM, two classes: whether a tumour is benign
digits.ubj           XGBoost, ten classes: which digit an image of 8 x 8 pixels shows
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import lightgbm
import xgboost
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.model_selection import train_test_split

# What scikit-learn calls s1 to s6: blood serum measurements.
SERUM = {"s1": "cholesterol", "s2": "ldl", "s3": "hdl", "s4": "ratio", "s5": "triglycerides", "s6": "glucose"}
# Those in whom the two models of progression must not fall as they rise.
RISING = ("bmi", "bp")
IMAGES = 60


def write(path: Path, content: bytes) -> None:
    # No time stamp: the same models make the same bytes.
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(content, mtime=0))


def progression(folder: Path) -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    X = X.rename(columns=SERUM)
    v1 = xgboost.XGBRegressor(n_estimators=40, max_depth=4, learning_rate=0.15, random_state=1, n_jobs=1).fit(X, y)
    write(folder / "progression-v1.json", bytes(v1.get_booster().save_raw("json")))
    v2 = lightgbm.LGBMRegressor(
        n_estimators=40,
        num_leaves=12,
        learning_rate=0.15,
        monotone_constraints=[int(name in RISING) for name in X.columns],
        deterministic=True,
        n_jobs=1,
        verbose=-1,
    ).fit(X, y)
    write(folder / "progression-v2.txt", v2.booster_.model_to_string().encode())
    above = (y > y.median()).astype(int)
    referral = xgboost.XGBClassifier(n_estimators=40, max_depth=4, learning_rate=0.15, random_state=1, n_jobs=1).fit(X, above)
    write(folder / "referral.json", bytes(referral.get_booster().save_raw("json")))
    write(folder / "patients.csv", X.assign(above_median=above).to_csv(index=False).encode())


def tumour(folder: Path) -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X.columns = [name.replace(" ", "_") for name in X.columns]
    train, test, y_train, y_test = train_test_split(X, y, test_size=100, random_state=1, stratify=y)
    model = lightgbm.LGBMClassifier(
        n_estimators=50, num_leaves=8, learning_rate=0.2, deterministic=True, n_jobs=1, verbose=-1
    ).fit(train, y_train)
    write(folder / "tumour.txt", model.booster_.model_to_string().encode())
    write(folder / "tumours.csv", test.assign(benign=y_test).to_csv(index=False).encode())


def digits(folder: Path) -> None:
    X, y = load_digits(return_X_y=True, as_frame=True)
    X = X.astype(int)
    train, test, y_train, y_test = train_test_split(X, y, test_size=IMAGES, random_state=1, stratify=y)
    model = xgboost.XGBClassifier(n_estimators=30, max_depth=4, learning_rate=0.3, random_state=1, n_jobs=1).fit(train, y_train)
    write(folder / "digits.ubj", bytes(model.get_booster().save_raw("ubj")))
    write(folder / "digits.csv", test.assign(digit=y_test).to_csv(index=False).encode())


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (progression, tumour, digits):
        make(folder)


if __name__ == "__main__":
    main()
