"""Five huge models on made-up data, each with a partner to be compared with; the same in every run."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

# A flipped label costs a tree leaves of its own: noise makes forests as large as they may become.
NOISE = 0.35
ROWS_OF_DATA = 3
# What is added to the seed of a model for its partner.
PARTNER = 100


def made_up(rows: int, features: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows, and labels that hang together with a few features, some of them flipped."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, features)).round(3)
    y = (X[:, :5].sum(axis=1) + X[:, 0] * X[:, 1] > 0).astype(np.int64)
    return X, np.where(random.random(rows) < NOISE, 1 - y, y)


def lightgbm_trees(path: pathlib.Path, seed: int) -> NDArray[np.float64]:
    import lightgbm

    X, y = made_up(2000, 20, seed)
    parameters = {"objective": "binary", "num_leaves": 31, "learning_rate": 0.02, "seed": seed, "num_threads": 2,
                  "verbose": -1, "deterministic": True, "force_row_wise": True}
    lightgbm.train(parameters, lightgbm.Dataset(X, y), num_boost_round=10_000).save_model(str(path))
    return X


def xgboost_deep(path: pathlib.Path, seed: int) -> NDArray[np.float64]:
    import xgboost

    X, y = made_up(10_000, 30, seed)
    parameters = {"objective": "binary:logistic", "max_depth": 8, "eta": 0.05, "seed": seed, "nthread": 2}
    xgboost.train(parameters, xgboost.DMatrix(X, y), num_boost_round=1000).save_model(str(path))
    return X


def forest(path: pathlib.Path, seed: int, trees: int, leaves: int) -> NDArray[np.float64]:
    from sklearn.ensemble import RandomForestClassifier

    from treeproof import scikit_learn

    X, y = made_up(8 * leaves, 20, seed)
    model = RandomForestClassifier(trees, max_leaf_nodes=leaves, random_state=seed, n_jobs=2).fit(X, y)
    scikit_learn.save(model, path)
    return X


def wide(path: pathlib.Path, seed: int) -> NDArray[np.float64]:
    import xgboost

    X, y = made_up(2000, 5000, seed)
    parameters = {"objective": "binary:logistic", "max_depth": 6, "eta": 0.05, "seed": seed, "nthread": 2,
                  "colsample_bytree": 0.02}
    xgboost.train(parameters, xgboost.DMatrix(X, y), num_boost_round=1000).save_model(str(path))
    return X


# By name: what it is, the file, its seed, and how it is made.
MODELS: dict[str, tuple[str, str, int, Callable[[pathlib.Path, int], NDArray[np.float64]]]] = {
    "lightgbm": ("LightGBM, 10,000 trees of 31 leaves", "lightgbm.txt", 1, lightgbm_trees),
    "xgboost": ("XGBoost, 1,000 trees of depth 8", "xgboost.json", 2, xgboost_deep),
    "forest": ("scikit-learn, 300 trees of 2,500 leaves", "forest.json.gz", 3, lambda path, seed: forest(path, seed, 300, 2500)),
    "large": ("scikit-learn, 500 trees of 5,000 leaves", "large.json.gz", 4, lambda path, seed: forest(path, seed, 500, 5000)),
    "wide": ("XGBoost, 1,000 trees over 5,000 features", "wide.json", 5, wide),
}


def make(folder: pathlib.Path, name: str) -> tuple[pathlib.Path, pathlib.Path, pathlib.Path]:
    """The files of a model, of its partner and of some rows, made unless they are there."""
    _, file, seed, train = MODELS[name]
    model, partner, rows = folder / file, folder / f"partner-{file}", folder / f"{name}.npy"
    folder.mkdir(parents=True, exist_ok=True)
    if not rows.exists():
        np.save(rows, train(model, seed)[:ROWS_OF_DATA])
    if not partner.exists():
        unfinished = folder / f"unfinished-{file}"
        train(unfinished, seed + PARTNER)
        unfinished.rename(partner)
    return model, partner, rows
