"""What the installed libraries can put into a model: every objective, link and field is one that was gone through.

A new release that brings another fails here. Whoever sees that finds out what it does to predictions, teaches or refuses it in the
loader, and lists it here.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest
import treeproof as tp

# The newest releases whose sources and options were gone through.
GONE_THROUGH = {
    "xgboost": (3, 4), "lightgbm": (4, 7), "catboost": (1, 2, 10), "scikit-learn": (1, 9), "onnx": (1, 23),
}  # fmt: skip

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(120, 4)).astype(np.float32).astype(float)
ROWS[:, 3] = RNG.integers(0, 5, 120)
POSITIVE = np.abs(ROWS[:, 0]) + 0.1
TARGETS: dict[str, Any] = {
    "number": POSITIVE,
    "two": (POSITIVE > 0.7).astype(int),
    "share": np.clip(POSITIVE / 4, 0, 1),
    "classes": RNG.integers(0, 3, 120),
    "several": np.c_[POSITIVE, -POSITIVE],
    "labels": np.c_[POSITIVE > 0.7, POSITIVE > 0.5].astype(int),
    "interval": np.c_[POSITIVE, POSITIVE + 1],
}


def _paths(value: Any, path: str = "", depth: int = 99) -> Iterator[str]:
    """The places of fields in JSON."""
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield from _paths(inner, f"{path}.{key}" if path else key, depth - 1)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            yield from _paths(inner, f"{path}[]", depth)
    else:
        yield path


@pytest.mark.parametrize("library", GONE_THROUGH)
def test_no_release_is_newer_than_those_gone_through(library: str) -> None:
    for name in [library, "xgboost-cpu"] if library == "xgboost" else [library]:
        try:
            installed = tuple(map(int, re.findall(r"\d+", version(name))))
        except ModuleNotFoundError:
            continue
        known = GONE_THROUGH[library]
        assert installed[: len(known)] <= known, f"{library} {version(name)}: go through its objectives and fields"
        return
    raise AssertionError(f"{library} is not installed")


# By objective: the target, and parameters beside it.
XGBOOST: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"reg:{name}": ("number", {}) for name in ["squarederror", "linear", "squaredlogerror", "pseudohubererror", "absoluteerror"]},
    "reg:quantileerror": ("number", {"quantile_alpha": 0.5}),
    "reg:expectileerror": ("number", {"expectile_alpha": 0.5}),
    "reg:gamma": ("number", {}), "reg:tweedie": ("number", {}), "count:poisson": ("number", {}),
    "reg:logistic": ("share", {}), "binary:logistic": ("two", {}), "binary:logitraw": ("two", {}), "binary:hinge": ("two", {}),
    "multi:softmax": ("classes", {"num_class": 3}), "multi:softprob": ("classes", {"num_class": 3}),
    "rank:pairwise": ("two", {}), "rank:ndcg": ("two", {}), "rank:map": ("two", {}),
    "survival:aft": ("number", {}), "survival:cox": ("number", {}),
}  # fmt: skip

_XGBOOST_TREE = """
    base_weights categories categories_nodes categories_segments categories_sizes default_left id leaf_weights left_children loss_changes
    parents right_children split_conditions split_indices split_type sum_hessian tree_param.num_deleted tree_param.num_feature
    tree_param.num_nodes tree_param.size_leaf_vector
""".split()
_XGBOOST_MODEL = [
    *["cats.enc", "cats.enc[].offsets", "cats.enc[].values", "cats.feature_segments", "cats.sorted_idx", "iteration_indptr", "tree_info"],
    *["gbtree_model_param.num_parallel_tree", "gbtree_model_param.num_trees", "gbtree_model_param.size_leaf_vector"],
    *["trees", *(f"trees[].{name}" for name in _XGBOOST_TREE)],
]
XGBOOST_FIELDS = {
    *["version", "learner.feature_names", "learner.feature_types", "learner.objective.name", "learner.attributes.best_iteration"],
    *["learner.attributes.best_score", "learner.attributes.scikit_learn", "learner.gradient_booster.name"],
    *["learner.gradient_booster.gbtree.name", "learner.gradient_booster.weight_drop"],
    *(f"learner.gradient_booster.{where}model.{name}" for where in ["", "gbtree."] for name in _XGBOOST_MODEL),
    *(f"learner.learner_model_param.{name}" for name in ["base_score", "boost_from_average", "num_class", "num_feature", "num_target"]),
}
# Parameters of training: they change no prediction.
XGBOOST_TRAINING = """
    aft_loss_param expectile_loss_param lambdarank_param lambda_rank_param poisson_regression_param pseudo_huber_param quantile_loss_param
    reg_loss_param softmax_multiclass_param tweedie_regression_param
""".split()


def _xgboost(objective: str, more: dict[str, Any], kind: str | None = None, **matrix: Any) -> Any:
    import xgboost as xgb

    xgb.set_config(verbosity=0)
    data = xgb.DMatrix(ROWS, label=TARGETS[kind or XGBOOST[objective][0]], **matrix)
    if objective.startswith("rank"):
        data.set_group([60, 60])
    if objective == "survival:aft":
        data.set_float_info("label_lower_bound", POSITIVE)
        data.set_float_info("label_upper_bound", POSITIVE + 1)
    return xgb.train({"objective": objective, "max_depth": 2, "nthread": 1, **more}, data, 3)


def _same(found: np.ndarray[Any, Any], expected: Any, what: str) -> None:
    expected = np.asarray(expected, dtype=float)
    np.testing.assert_allclose(np.squeeze(found), np.squeeze(expected), rtol=1e-5, atol=1e-6, err_msg=what)


def test_objectives_of_xgboost() -> None:
    import xgboost as xgb

    with pytest.raises(xgb.core.XGBoostError) as caught:
        xgb.train({"objective": "none"}, xgb.DMatrix(ROWS, label=POSITIVE), 1)
    candidates = set(re.findall(r"Objective candidate: (\S+)", str(caught.value)))
    assert len(candidates) > 10 and candidates <= set(XGBOOST), candidates - set(XGBOOST)
    for objective in sorted(candidates):
        booster = _xgboost(objective, XGBOOST[objective][1])
        matrix, model = xgb.DMatrix(ROWS), tp.load(booster)
        _same(model.predict(ROWS, margin=True), booster.predict(matrix, output_margin=True), objective)
        _same(model.predict(ROWS), booster.predict(matrix), objective)


def test_several_quantiles_of_xgboost_have_margins_alone() -> None:
    import xgboost as xgb

    booster = _xgboost("reg:quantileerror", {"quantile_alpha": [0.1, 0.5, 0.9]})
    model = tp.load(booster)
    _same(model.predict(ROWS, margin=True), booster.predict(xgb.DMatrix(ROWS), output_margin=True), "margins")
    with pytest.raises(tp.ModelError, match="reg:quantileerror for several alphas depend on the version"):
        model.predict(ROWS)


def test_fields_of_xgboost() -> None:
    import pandas as pd
    import xgboost as xgb

    boosters = [_xgboost(name, more) for name, (_, more) in XGBOOST.items() if name != "reg:expectileerror"]
    boosters += [
        _xgboost("reg:squarederror", {"booster": "dart", "rate_drop": 0.5}),
        _xgboost("reg:squarederror", {"num_parallel_tree": 2, "gamma": 1.0}),
        _xgboost("reg:squarederror", {"multi_strategy": "multi_output_tree", "tree_method": "hist"}, "several"),
    ]
    frame = pd.DataFrame(ROWS[:, :3], columns=list("abc")).assign(d=pd.Categorical([list("uvwxz")[int(code)] for code in ROWS[:, 3]]))
    data = xgb.DMatrix(frame, label=POSITIVE, enable_categorical=True)
    boosters.append(xgb.train({"max_cat_to_onehot": 1, "tree_method": "hist", "nthread": 1}, data, 2))
    stopped = xgb.XGBRegressor(n_estimators=5, early_stopping_rounds=2, n_jobs=1)
    boosters.append(stopped.fit(ROWS, POSITIVE, eval_set=[(ROWS, -POSITIVE)], verbose=False).get_booster())
    for booster in boosters:
        unknown = set(_paths(json.loads(booster.save_raw("json")))) - XGBOOST_FIELDS
        unknown = {path for path in unknown if path.removeprefix("learner.objective.").split(".")[0] not in XGBOOST_TRAINING}
        assert not unknown, unknown


LIGHTGBM: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: ("number", {}) for name in ["regression", "regression_l1", "huber", "fair", "poisson", "quantile", "mape", "gamma", "tweedie"]},
    "binary": ("two", {"sigmoid": 0.7}), "multiclass": ("classes", {"num_class": 3}), "multiclassova": ("classes", {"num_class": 3}),
    "cross_entropy": ("share", {}), "cross_entropy_lambda": ("share", {}), "lambdarank": ("two", {}), "rank_xendcg": ("two", {}),
}  # fmt: skip
LIGHTGBM_HEADER = set(
    """average_output feature_infos feature_names label_index max_feature_idx monotone_constraints num_class num_tree_per_iteration
    objective tree_sizes version""".split()
)
LIGHTGBM_TREE = set(
    """cat_boundaries cat_threshold decision_type internal_count internal_value internal_weight is_linear leaf_count leaf_value
    leaf_weight left_child num_cat num_leaves right_child shrinkage split_feature split_gain threshold""".split()
)


@pytest.mark.parametrize("objective", LIGHTGBM)
def test_objectives_and_fields_of_lightgbm(objective: str) -> None:
    import lightgbm as lgb

    kind, more = LIGHTGBM[objective]
    for boosting in ["gbdt", "dart", "rf"]:
        parameters = {"objective": objective, "boosting": boosting, "bagging_freq": 1, "bagging_fraction": 0.6, "num_leaves": 4, "verbose": -1}
        parameters |= {"num_threads": 1, "min_data_per_group": 5, "max_cat_to_onehot": 1, **more}
        group = [60, 60] if "rank" in objective else None
        data = lgb.Dataset(ROWS, TARGETS[kind], group=group, categorical_feature=[3])
        booster = lgb.train(parameters, data, 3)
        head, trees = booster.model_to_string().split("end of trees")[0].split("\nTree=0\n")
        named = {line.split("=")[0] for line in head.splitlines()[1:] if line}
        assert named <= LIGHTGBM_HEADER, named - LIGHTGBM_HEADER
        fields = {line.split("=")[0] for line in trees.splitlines() if line and not line.startswith("Tree=")}
        assert fields <= LIGHTGBM_TREE, fields - LIGHTGBM_TREE
        words = {word.split(":")[0] for word in re.findall(r"^objective=\S+ ?(.*)$", head, re.M)[0].split()}
        assert words <= {"sigmoid", "num_class", "sqrt"}, words
        model = tp.load(booster)
        _same(model.predict(ROWS, margin=True), booster.predict(ROWS, raw_score=True), f"{objective} {boosting}")
        _same(model.predict(ROWS), booster.predict(ROWS), f"{objective} {boosting}")


# By loss: the target, and parameters.
CATBOOST: dict[str, tuple[str, str]] = {
    **{name: ("number", "") for name in ["RMSE", "LogCosh", "MAE", "Quantile", "LogLinQuantile", "MAPE", "Poisson", "Cox", "RMSPE"]},
    "Lq": ("number", "q=2"), "MultiQuantile": ("number", "alpha=0.1,0.9"), "Expectile": ("number", "alpha=0.5"), "Huber": ("number", "delta=1"),
    "Tweedie": ("number", "variance_power=1.5"), "Logloss": ("two", ""), "CrossEntropy": ("share", ""),
    "Focal": ("two", "focal_alpha=0.5;focal_gamma=2"), "MultiClass": ("classes", ""), "MultiClassOneVsAll": ("classes", ""),
    "MultiRMSE": ("several", ""), "MultiRMSEWithMissingValues": ("several", ""), "MultiLogloss": ("labels", ""),
    "MultiCrossEntropy": ("labels", ""), "SurvivalAft": ("interval", "dist=Normal"),
    **{name: ("share", "") for name in ["PairLogit", "PairLogitPairwise", "YetiRank", "YetiRankPairwise", "QueryRMSE", "GroupQuantile"]},
    **{name: ("share", "") for name in ["QuerySoftMax", "StochasticFilter", "LambdaMart"]},
}  # fmt: skip
CATBOOST_RANKS = ("Pair", "Yeti", "Query", "Group", "Stochastic", "Lambda")
# Read, but needs more than a table to be trained: GPUs, code, metrics.
CATBOOST_UNTRIED = set(
    """StochasticRank QueryCrossEntropy Combination PythonUserDefinedPerObject PythonUserDefinedMultiTarget UserPerObjMetric
    UserQuerywiseMetric""".split()
)
CATBOOST_REFUSED = {"RMSEWithUncertainty"}
# Cannot be trained with: only measured.
CATBOOST_METRICS = set(
    """CtrFactor MSLE MedianAbsoluteError SMAPE R2 NumErrors FairLoss AUC Accuracy BalancedAccuracy BalancedErrorRate BrierScore Precision
    Recall F1 TotalF1 F MCC ZeroOneLoss HammingLoss HingeLoss Kappa WKappa LogLikelihoodOfPrediction NormalizedGini PRAUC PairAccuracy
    AverageGain QueryAverage QueryAUC PFound PrecisionAt RecallAt MAP NDCG DCG FilteredDCG MRR ERR""".split()
)
CATBOOST_FIELDS = set(
    """features_info.float_features features_info.float_features[].borders features_info.float_features[].feature_id
    features_info.float_features[].feature_index features_info.float_features[].flat_feature_index
    features_info.float_features[].has_nans features_info.float_features[].nan_value_treatment
    features_info.categorical_features features_info.categorical_features[].feature_id
    features_info.categorical_features[].feature_index features_info.categorical_features[].flat_feature_index
    features_info.categorical_features[].values features_info.cat_features_hash features_info.cat_features_hash[].hash
    features_info.cat_features_hash[].value model_info.catboost_version_info model_info.model_guid model_info.train_finish_time
    model_info.output_options model_info.training model_info.params model_info.class_params model_info.binclass_probability_threshold
    oblivious_trees oblivious_trees[].leaf_values oblivious_trees[].leaf_weights oblivious_trees[].splits
    oblivious_trees[].splits[].border oblivious_trees[].splits[].float_feature_index oblivious_trees[].splits[].split_index
    oblivious_trees[].splits[].split_type oblivious_trees[].splits[].cat_feature_index oblivious_trees[].splits[].value
    scale_and_bias""".split()
)


def _catboost(loss: str) -> Any:
    import catboost

    kind, parameters = CATBOOST.get(loss, ("number", ""))
    group = [row // 10 for row in range(len(ROWS))] if loss.startswith(CATBOOST_RANKS) else None
    options = {"loss_function": f"{loss}:{parameters}" if parameters else loss, "iterations": 3, "depth": 2, "verbose": 0}
    options |= {"thread_count": 1, "allow_writing_files": False}
    return catboost.CatBoost(options).fit(catboost.Pool(ROWS, TARGETS[kind], group_id=group))


def test_the_losses_of_catboost_are_listed() -> None:
    with pytest.raises(Exception, match="Valid options") as caught:
        _catboost("None")
    losses = set(re.findall(r"'(\w+)'", str(caught.value).split("Valid options")[1]))
    known = set(CATBOOST) | CATBOOST_UNTRIED | CATBOOST_REFUSED | CATBOOST_METRICS
    assert len(losses) > 50 and losses <= known, losses - known


@pytest.mark.parametrize("loss", CATBOOST)
def test_losses_and_fields_of_catboost(loss: str, tmp_path: Path) -> None:
    fitted = _catboost(loss)
    fitted.save_model(str(tmp_path / "model.json"), format="json")
    fields = set(_paths(json.loads((tmp_path / "model.json").read_text()), depth=2))
    content = json.loads((tmp_path / "model.json").read_text())
    content["model_info"] = {name: 0 for name in content["model_info"]}
    fields = {path for path in _paths(content) if path != "ctr_data"}
    assert fields <= CATBOOST_FIELDS, fields - CATBOOST_FIELDS
    model = tp.load(tmp_path / "model.json")
    _same(model.predict(ROWS, margin=True), fitted.predict(ROWS, prediction_type="RawFormulaVal"), loss)


def test_losses_of_catboost_that_are_no_sum_are_refused() -> None:
    for loss in CATBOOST_REFUSED:
        with pytest.raises(tp.ModelError, match=loss):
            tp.load(_catboost(loss))


def test_an_unknown_loss_of_catboost_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    _catboost("RMSE").save_model(str(path), format="json")
    path.write_text(path.read_text().replace('"type":"RMSE"', '"type":"Newer"'))
    with pytest.raises(tp.ModelError, match="the loss Newer"):
        tp.load(path)


SKLEARN_LOSSES = {
    "GradientBoostingRegressor": {"absolute_error", "huber", "quantile", "squared_error"},
    "GradientBoostingClassifier": {"exponential", "log_loss"},
    "HistGradientBoostingRegressor": {"absolute_error", "gamma", "poisson", "quantile", "squared_error"},
    "HistGradientBoostingClassifier": {"log_loss"},
}
SKLEARN_NODES = {
    "tree": set("left_child right_child feature threshold impurity n_node_samples weighted_n_node_samples missing_go_to_left".split()),
    "hist": set(
        """value count feature_idx num_threshold missing_go_to_left left right gain depth is_leaf bin_threshold is_categorical
        bitset_idx""".split()
    ),
}


@pytest.mark.parametrize("name", SKLEARN_LOSSES)
def test_losses_of_scikit_learn(name: str) -> None:
    from sklearn import ensemble

    kind = getattr(ensemble, name)
    options = set().union(*(getattr(one, "options", set()) for one in kind._parameter_constraints["loss"]))
    assert options <= SKLEARN_LOSSES[name], options - SKLEARN_LOSSES[name]
    for loss in sorted(options):
        trees = {"max_iter": 3} if name.startswith("Hist") else {"n_estimators": 3}
        more = {"quantile": 0.5} if loss == "quantile" and name.startswith("Hist") else {}
        fitted = kind(loss=loss, **trees, **more).fit(ROWS, TARGETS["two" if name.endswith("Classifier") else "number"])
        expected = fitted.predict_proba(ROWS)[:, 1] if name.endswith("Classifier") else fitted.predict(ROWS)
        _same(tp.load(fitted).predict(ROWS), expected, f"{name} {loss}")


def test_nodes_of_scikit_learn() -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.tree import DecisionTreeRegressor

    nodes = DecisionTreeRegressor(max_depth=2).fit(ROWS, POSITIVE).tree_.__getstate__()["nodes"].dtype.names
    assert set(nodes) <= SKLEARN_NODES["tree"], set(nodes) - SKLEARN_NODES["tree"]
    predictor = HistGradientBoostingRegressor(max_iter=2).fit(ROWS, POSITIVE)._predictors[0][0]
    assert set(predictor.nodes.dtype.names) <= SKLEARN_NODES["hist"], set(predictor.nodes.dtype.names) - SKLEARN_NODES["hist"]
    assert set(vars(predictor)) <= {"nodes", "raw_left_cat_bitsets", "binned_left_cat_bitsets"}


ONNX_OPERATORS = {("TreeEnsemble", 5), *((f"TreeEnsemble{kind}", since) for kind in ["Classifier", "Regressor"] for since in [1, 3, 5])}
ONNX_ATTRIBUTES = set(
    """aggregate_function base_values base_values_as_tensor class_ids class_nodeids class_treeids class_weights class_weights_as_tensor
    classlabels_int64s classlabels_strings leaf_targetids leaf_weights membership_values n_targets nodes_falseleafs nodes_falsenodeids
    nodes_featureids nodes_hitrates nodes_hitrates_as_tensor nodes_missing_value_tracks_true nodes_modes nodes_nodeids nodes_splits
    nodes_treeids nodes_trueleafs nodes_truenodeids nodes_values nodes_values_as_tensor post_transform target_ids target_nodeids
    target_treeids target_weights target_weights_as_tensor tree_roots""".split()
)


def test_operators_of_onnx() -> None:
    import onnx

    schemas = [schema for schema in onnx.defs.get_all_schemas_with_history() if schema.domain == "ai.onnx.ml"]
    trees = [schema for schema in schemas if "TreeEnsemble" in schema.name]
    assert {(schema.name, schema.since_version) for schema in trees} <= ONNX_OPERATORS
    attributes = {name for schema in trees for name in schema.attributes}
    assert attributes <= ONNX_ATTRIBUTES, attributes - ONNX_ATTRIBUTES
