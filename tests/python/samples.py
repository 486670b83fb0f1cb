"""Random models of every library: random objective and settings, hard rows, the library's own answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import data
import numpy as np
from parity import Sample
from rows import adversarial, within_f32


def _pick(rng: np.random.Generator, choices: Any) -> Any:
    choices = list(choices)
    return choices[int(rng.integers(len(choices)))]


def _training(rng: np.random.Generator, kind: str, num_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns, half of the time with holes, and a target."""
    columns, score = data.numbers(rng, 500)
    if rng.random() < 0.5:
        columns = data.with_holes(columns, rng)
    return columns, data.target(score, kind, num_classes)


def xgboost_sample(rng: np.random.Generator, folder: Path, num_rows: int) -> Sample:
    """A booster of random objective, saved as JSON or UBJSON, read on a random prediction path."""
    import xgboost as xgb
    import xgboost_cases as cases

    xgb.set_config(verbosity=0)
    num_classes = int(rng.integers(3, 6))
    objectives = [
        ("reg:squarederror", "number"), ("reg:absoluteerror", "number"), ("reg:pseudohubererror", "number"),
        ("binary:logistic", "two"), ("reg:logistic", "share"), ("binary:hinge", "two"), ("binary:logitraw", "two"),
        ("multi:softprob", "classes"), ("multi:softmax", "classes"),
        ("count:poisson", "positive"), ("reg:gamma", "positive"), ("reg:tweedie", "positive"),
    ]  # fmt: skip
    if cases.VERSION < (1, 7):
        objectives.remove(("reg:absoluteerror", "number"))
    objective, kind = _pick(rng, objectives)
    parameters: dict[str, Any] = {
        "objective": objective,
        "max_depth": int(rng.integers(1, 8)),
        "eta": float(rng.uniform(0.05, 0.9)),
        "tree_method": _pick(rng, ["hist", "exact", "approx"]),
        "num_parallel_tree": _pick(rng, [1, 1, 1, 3]),
        "subsample": float(rng.uniform(0.5, 1.0)),
        "gamma": _pick(rng, [0.0, 0.0, 0.5]),
        "nthread": 1,
        "seed": int(rng.integers(1 << 30)),
    }
    if objective.startswith("multi"):
        parameters["num_class"] = num_classes
    if rng.random() < 0.25:
        parameters |= {"booster": "dart", "rate_drop": 0.3, "skip_drop": 0.1}
    columns, target = _training(rng, kind, num_classes)
    types, pools = None, None
    # Before 1.7.3, categories are read otherwise, and refused.
    if rng.random() < 0.25 and parameters["tree_method"] != "exact" and cases.VERSION >= (1, 7, 3):
        types, pools = ["q", "q", "c", "q", "q", "c"], cases.CATEGORY_POOLS
        columns[:, 2], columns[:, 5] = rng.integers(0, 6, len(columns)), rng.integers(0, 70, len(columns))
        parameters["max_cat_to_onehot"] = _pick(rng, [1, 100])
    booster = xgb.train(parameters, xgb.DMatrix(columns, label=target, feature_types=types), int(rng.integers(1, 16)))
    missing = _pick(rng, [None, None, None, 0.0, 0.1])
    filler = np.nan if missing is None else missing
    rows = adversarial(cases.thresholds(cases.document(booster)), data.NUM_FEATURES, rng, num_rows=num_rows, categories=pools)
    if missing is not None:
        rows[rng.random(rows.shape) < 0.2] = missing
    extension = _pick(rng, ["json", "ubj"])
    model = folder / f"model.{extension}"
    model.write_bytes(bytes(booster.save_raw(extension)))
    num_trees = len(cases.tree_model(cases.document(booster))["trees"])
    arguments = [] if missing is None else [f"--missing-value={missing}"]
    loading = {} if missing is None else {"missing_value": missing}
    about = f"xgboost {json.dumps(parameters)} missing={missing}"
    if rng.random() < 0.4:
        rows = within_f32(rows)
        matrix = xgb.DMatrix(rows, missing=filler, feature_types=types)
        margins = booster.predict(matrix, output_margin=True)
        leaves = booster.predict(matrix, pred_leaf=True).reshape(len(rows), -1).astype(np.int64)
        return Sample(f"{about} booster", model, rows, margins, num_trees, leaves, None, [*arguments, "--api", "booster"], booster, loading)
    margins = cases.margins_in_place(booster, rows, missing=filler)
    leaves = cases.leaves_in_place(booster, rows, filler)
    labels = None
    if objective.startswith(("binary", "multi")) and missing is None:
        labels = cases.wrapper_labels(booster, rows)
    return Sample(f"{about} sklearn", model, rows, margins, num_trees, leaves, labels, [*arguments, "--api", "sklearn"], booster, loading | {"api": "sklearn"})


def lightgbm_sample(rng: np.random.Generator, folder: Path, num_rows: int) -> Sample:
    """A booster of random objective and boosting mode."""
    import lightgbm as lgb
    import lightgbm_cases as cases

    num_classes = int(rng.integers(3, 6))
    objective, kind = _pick(
        rng,
        [
            ("regression", "number"), ("regression_l1", "number"), ("huber", "number"), ("quantile", "number"), ("mape", "positive"),
            ("binary", "two"), ("multiclass", "classes"), ("multiclassova", "classes"),
            ("poisson", "positive"), ("gamma", "positive"), ("tweedie", "positive"),
            ("cross_entropy", "share"), ("cross_entropy_lambda", "share"),
        ],
    )  # fmt: skip
    parameters: dict[str, Any] = {
        "objective": objective,
        "num_leaves": int(rng.integers(2, 40)),
        "learning_rate": float(rng.uniform(0.05, 0.9)),
        "min_data_in_leaf": int(rng.integers(1, 20)),
        "zero_as_missing": bool(rng.random() < 0.25),
        "use_missing": bool(rng.random() < 0.75),
        "verbose": -1,
        "num_threads": 1,
        "deterministic": True,
        "seed": int(rng.integers(1 << 30)),
    }
    boosting = _pick(rng, ["gbdt", "gbdt", "dart", "rf"])
    parameters["boosting"] = boosting
    if boosting == "rf":
        parameters |= {"bagging_freq": 1, "bagging_fraction": 0.6}
        if cases.VERSION < (3, 0):
            # These grow random forests of drawn columns only.
            parameters["feature_fraction"] = 0.8
    if objective.startswith("multi"):
        parameters["num_class"] = num_classes
    if objective in ("binary", "multiclassova"):
        parameters["sigmoid"] = _pick(rng, [1.0, 0.7])
    columns, target = _training(rng, kind, num_classes)
    if parameters["zero_as_missing"]:
        columns[rng.random(columns.shape) < 0.3] = 0.0
    categorical, pools = "auto", None
    if rng.random() < 0.25:
        categorical, pools = [2, 5], cases.CATEGORY_POOLS
        columns[:, 2], columns[:, 5] = rng.integers(0, 6, len(columns)), rng.integers(0, 70, len(columns))
        parameters |= {"min_data_per_group": 5, "cat_smooth": 1, "max_cat_to_onehot": _pick(rng, [4, 100])}
    booster = lgb.train(parameters, lgb.Dataset(columns, target, categorical_feature=categorical), int(rng.integers(1, 16)))
    text = booster.model_to_string()
    if rng.random() < 0.2 and pools is None:
        text = cases.with_edges(text, rng)
        booster = lgb.Booster(model_str=text)
    rows = adversarial(cases.thresholds(text), data.NUM_FEATURES, rng, num_rows=num_rows, categories=pools)
    model = folder / "model.txt"
    model.write_text(text)
    values = booster.predict(rows, num_threads=1).reshape(len(rows), -1)
    return Sample(
        f"lightgbm {json.dumps(parameters)}",
        model,
        rows,
        booster.predict(rows, raw_score=True, num_threads=1),
        booster.num_trees(),
        booster.predict(rows, pred_leaf=True, num_threads=1).reshape(len(rows), -1).astype(np.int64),
        cases.labels(booster, text, values),
        trained=booster,
    )


def catboost_sample(rng: np.random.Generator, folder: Path, num_rows: int) -> Sample:
    """A model of random loss and shape of trees, as it is in memory."""
    import catboost_cases as cases
    from catboost import CatBoost

    num_classes = int(rng.integers(3, 5))
    loss, kind = _pick(
        rng,
        [
            ("RMSE", "number"), ("MAE", "number"), ("Quantile:alpha=0.3", "number"), ("Poisson", "positive"), ("MultiRMSE", "vector"),
            ("Logloss", "two"), ("CrossEntropy", "two"), ("MultiClass", "classes"), ("MultiClassOneVsAll", "classes"),
        ],
    )  # fmt: skip
    parameters = cases.COMMON | {
        "loss_function": loss,
        "iterations": int(rng.integers(1, 20)),
        "depth": int(rng.integers(1, 7)),
        "nan_mode": _pick(rng, ["Min", "Max"]),
        "border_count": _pick(rng, [16, 254, 600]),
        "random_seed": int(rng.integers(1 << 30)),
    }
    if loss != "MultiRMSE":
        parameters["grow_policy"] = _pick(rng, ["SymmetricTree", "SymmetricTree", "Depthwise", "Lossguide"])
    asked: Any = None
    if loss == "RMSE":
        model, text, rows, asked = cases.texts(parameters, rng, num_rows)
    else:
        columns, target = _training(rng, kind, num_classes)
        model = CatBoost(parameters)
        model.fit(columns.astype(np.float32), target)
        if loss == "MAE" and rng.random() < 0.3:
            model.set_scale_and_bias(float(rng.uniform(0.1, 3.0)), float(rng.normal()))
        text = cases.text_of(model)
        rows = asked = adversarial(cases.thresholds(text), data.NUM_FEATURES, rng, num_rows=num_rows)
    path = folder / "model.json"
    path.write_text(text)
    document = json.loads(text)
    trees = document.get("oblivious_trees") or document["trees"]
    margins, leaves, labels = cases.raw(model, asked), cases.leaves_of(model, asked), cases.labels_of(model, asked)
    if labels is not None:
        labels = np.array(model.classes_ if len(model.classes_) else [0, 1])[labels]
    # The rows hold places of categories as the file has them, in the order of the training data.
    about = f"catboost {json.dumps(parameters)}"
    if loss != "RMSE":
        return Sample(about, path, rows, margins, len(trees), leaves, labels, trained=model)
    codes: dict[str, Any] = {"arguments": ["--categories", "codes"], "loading": {"categories": "codes"}}
    return Sample(about, path, rows, margins, len(trees), leaves, labels, **codes)


def scikit_learn_sample(rng: np.random.Generator, folder: Path, num_rows: int) -> Sample:
    """An estimator of a random kind, through the exporter."""
    import estimators
    import test_export
    from treeproof import scikit_learn

    family = _pick(rng, estimators.FAMILIES)
    estimator, document, rows = test_export.fit(family, int(rng.integers(1 << 30)), num_rows)
    truth = estimators.truth(estimator, rows)
    path = folder / _pick(rng, ["model.json", "model.json.gz"])
    scikit_learn.save(estimator, path)
    labels = None if truth.labels is None else [document["classes"][position] for position in truth.labels]
    about = f"scikit_learn {family.name} {estimator!r}".replace("\n", " ")
    return Sample(about, path, rows, truth.margins, len(document["trees"]), truth.leaves, labels, trained=estimator)


def onnx_sample(rng: np.random.Generator, folder: Path, num_rows: int) -> Sample:
    """Random trees, or a converted model; there are no leaf numbers, so margins judge the routing."""
    import onnx_cases as cases
    import onnxruntime

    onnxruntime.set_default_logger_severity(3)
    path = folder / "model.onnx"
    if rng.random() < 0.3:
        model, about = _converted(rng)
        rows = adversarial(cases.thresholds_of(model), cases.NUM_FEATURES, rng, num_rows=num_rows)
        path.write_bytes(model.SerializeToString())
        attributes = {attribute.name: attribute for attribute in model.graph.node[0].attribute}
        num_trees = len(set(attributes["nodes_treeids"].ints))
        return Sample(f"onnx {about}", path, rows, cases.run(model, rows)[0], num_trees)
    name, (count, attributes, settings) = _pick(rng, (cases.REGRESSORS | cases.CLASSIFIERS).items())
    classifier, double, num_trees = name in cases.CLASSIFIERS, settings.get("double", False), int(rng.integers(2, 30))
    depth = int(rng.integers(1, 6))
    # onnxruntime folds chains of equalities when leaves have several weights, which is refused.
    modes = settings["modes"] if count == 1 else [mode for mode in settings["modes"] if "EQ" not in mode or mode == "BRANCH_LEQ"]
    nodes, leaves = cases.random_trees(count, rng, **(settings | {"modes": modes or cases.LEQ, "num_trees": num_trees, "depth": depth}))
    model = cases.model_of(count, nodes, leaves, attributes, classifier, double)
    bare = cases.model_of(count, nodes, leaves, {k: v for k, v in attributes.items() if k != "post_transform"}, classifier, double)
    thresholds: dict[int, list[float]] = {}
    for feature, value, mode in zip(nodes["featureids"], nodes["values"], nodes["modes"]):
        if mode != "LEAF":
            thresholds.setdefault(feature, []).append(value if double else float(np.float32(value)))
    rows = adversarial(thresholds, cases.NUM_FEATURES, rng, num_rows=num_rows)
    path.write_bytes(model.SerializeToString())
    margins, labels = cases.run(bare, rows)[0], None
    if classifier:
        margins, _, positions = cases.judge_classifier(model, bare, rows, count, settings, (nodes, leaves))
        labels = None if positions is None else positions + 10
    return Sample(f"onnx {name} trees={num_trees} depth={depth}", path, rows, margins, num_trees, None, labels)


def _converted(rng: np.random.Generator) -> tuple[Any, str]:
    """A regressor that went through a converter."""
    import lightgbm
    import onnxmltools
    import xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType
    from skl2onnx import to_onnx
    from sklearn import ensemble, tree

    columns = rng.normal(size=(400, 5)).astype(np.float32)
    score = columns[:, 0] + columns[:, 1] ** 2
    seed, kind = int(rng.integers(1 << 30)), [("X", FloatTensorType([None, 5]))]
    estimator = _pick(
        rng,
        [
            tree.DecisionTreeRegressor(max_depth=7, random_state=seed),
            ensemble.RandomForestRegressor(12, max_depth=6, random_state=seed),
            ensemble.GradientBoostingRegressor(n_estimators=12, random_state=seed),
            xgboost.XGBRegressor(n_estimators=12, max_depth=4, n_jobs=1, random_state=seed),
            lightgbm.LGBMRegressor(n_estimators=12, num_leaves=12, verbose=-1, n_jobs=1, random_state=seed),
        ],
    )
    estimator.fit(columns, score)
    about = type(estimator).__name__
    if about == "XGBRegressor":
        return onnxmltools.convert_xgboost(estimator, initial_types=kind, target_opset=15), about
    if about == "LGBMRegressor":
        return onnxmltools.convert_lightgbm(estimator, initial_types=kind, target_opset=15), about
    return to_onnx(estimator, columns[:1], target_opset={"": 18, "ai.onnx.ml": 3}), about


SAMPLES: dict[str, Callable[[np.random.Generator, Path, int], Sample]] = {
    "xgboost": xgboost_sample,
    "lightgbm": lightgbm_sample,
    "catboost": catboost_sample,
    "scikit_learn": scikit_learn_sample,
    "onnx": onnx_sample,
}
