"""Loaders of models: XGBoost JSON, LightGBM text, and treeproof JSON."""

from __future__ import annotations

import ctypes
import ctypes.util
import gzip
import json
import math
import re
import sys
import zlib
from fractions import Fraction
from typing import Any

from .errors import INF, Unreadable, within_scope
from .models import build, Feature, Model, PLAIN, Split
from .numbers import f32


def read_model(content: bytes, api: str) -> Model:
    """A model in any of the three formats."""
    sys.setrecursionlimit(20000)
    try:
        content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        if content.startswith(b"tree\n") or content.startswith(b"tree\r\n"):
            return checked(read_lightgbm(content.decode()))
        document = json.loads(content, parse_float=Fraction) if re.match(rb'\s*\{\s*"', content) else {}
        within_scope("learner" in document or "treeproof" in document, "a model in another format")
        return checked(read_xgboost(document, api) if "learner" in document else read_own(document))
    except (LookupError, ArithmeticError, ValueError, TypeError, OSError, EOFError, StopIteration, zlib.error) as error:
        raise Unreadable(f"the model cannot be read: {error!r}") from None


def checked(model: Model) -> Model:
    """Outputs in range, and finite numbers alone."""
    terms = [term for _, leaves in model.trees for leaf in leaves for term in leaf]
    fits = all(0 <= output < len(model.base) and math.isfinite(value) for output, value in terms)
    weights = model.weights or []
    if not fits or not all(map(math.isfinite, model.base + weights)) or len(weights) not in (0, len(model.trees)):
        raise Unreadable("an output is out of range, or a number is not finite")
    return model


def read_xgboost(document: dict, api: str) -> Model:
    learner = document["learner"]
    booster, parameters = learner["gradient_booster"], learner["learner_model_param"]
    weights = booster.get("weight_drop")
    within_scope(booster["name"] in ("gbtree", "dart"), f"the booster {booster['name']}")
    booster = booster.get("gbtree", booster)["model"]
    weights = booster.get("weight_drop", weights)
    if weights and len(weights) != len(booster["trees"]):
        raise Unreadable("there are more or fewer weights than trees")
    outputs = max(int(parameters["num_class"]), int(parameters.get("num_target", 1)), 1)
    objective = learner["objective"]["name"]
    base_kind, link, label = xgboost_objective(objective, outputs)
    scores = parameters["base_score"]
    scores = scores.strip("[]").split(",") if isinstance(scores, str) else scores if isinstance(scores, list) else [scores]
    base = [xgboost_base(f32(Fraction(score)), base_kind) for score in scores]
    trees = booster["trees"]
    if all("id" in tree for tree in trees):
        trees = sorted(trees, key=lambda tree: tree["id"])
    used, best = len(trees), learner.get("attributes", {}).get("best_iteration")
    if best is not None and api == "sklearn":
        within_scope("iteration_indptr" in booster, "early stopping in a file without `iteration_indptr`")
        used = booster["iteration_indptr"][int(best) + 1]
    names = learner.get("feature_names") or [f"f{place}" for place in range(int(parameters["num_feature"]))]
    listed = [{node: place for place, node in enumerate(tree.get("categories_nodes", []))} for tree in trees]
    categories = {tree["split_indices"][node] for tree, by_node in zip(trees, listed) for node in by_node}
    categories |= {place for place, kind in enumerate(learner.get("feature_types", [])) if kind == "c"}
    names_of = dict(enumerate(booster.get("cats", {}).get("enc", [])))
    categories |= {place for place, enc in names_of.items() if enc.get("values")}

    def tree(place: int) -> tuple:
        raw, group = trees[place], booster["tree_info"][place]
        within_scope(int(raw["tree_param"].get("size_leaf_vector", 1)) <= 1, "trees with vector leaves")

        def node(name: int) -> Any:
            left, right = raw["left_children"][name], raw["right_children"][name]
            if left == -1:
                return [(group, f32(Fraction(raw["split_conditions"][name])))]
            if right != left + 1 or left <= 0:
                raise Unreadable("a right child does not follow the left one")
            default, feature = bool(raw["default_left"][name]), raw["split_indices"][name]
            if name in listed[place]:
                which = listed[place][name]
                start, size = raw["categories_segments"][which], raw["categories_sizes"][which]
                # Listed categories go right.
                codes = frozenset(raw["categories"][start : start + size])
                return Split(feature, "in", codes, not default, None, right, left)
            threshold = raw["split_conditions"][name]
            threshold = f32(Fraction(threshold)) if threshold == threshold and abs(threshold) != INF else threshold
            return Split(feature, "<", threshold, default, None, left, right)

        return build(node)

    version = tuple(document.get("version", [0, 0])[:2])
    return Model(**PLAIN | {
        "features": [
            Feature(name, "xgboost" if place in categories else None, str(names_of.get(place)))
            for place, name in enumerate(names)
        ],
        "single": True, "sums_single": True, "base": base if len(base) == outputs else base * outputs, "link": link,
        "weights": [f32(Fraction(weight)) for weight in weights[:used]] if weights else None,
        "off_base": api == "sklearn" and version < (3, 4), "accepts_infinite": api == "sklearn",
        "label": label, "trees": [tree(place) for place in range(used)],
    })  # fmt: skip


def xgboost_objective(name: str, outputs: int) -> tuple:
    """The transformation of the base score, the link and the label rule."""
    half = ("output_above", 0.5) if outputs == 1 else (None,)
    table = {
        "reg:logistic": ("logit", ("logistic_xgboost",), (None,)),
        "binary:logistic": ("logit", ("logistic_xgboost",), half),
        "binary:logitraw": ("", ("identity",), half),
        "binary:hinge": ("", ("hinge",), half),
        "multi:softprob": ("", ("softmax_xgboost",), ("largest_output",)),
        "multi:softmax": ("", ("class_index",), ("largest_margin",)),
    }
    for same in "count:poisson reg:gamma reg:tweedie survival:cox survival:aft".split():
        table[same] = ("log", ("exp_f32",), (None,))
    for same in (
        "reg:squarederror reg:linear reg:squaredlogerror reg:pseudohubererror reg:absoluteerror rank:pairwise rank:ndcg rank:map"
    ).split() + ["reg:quantileerror"] * (outputs == 1):
        table[same] = ("", ("identity",), (None,))
    within_scope(name in table, f"the objective {name}")
    return table[name]


LIBM = ctypes.CDLL(ctypes.util.find_library("m"))
LIBM.expf.restype = LIBM.logf.restype = ctypes.c_float
LIBM.expf.argtypes = LIBM.logf.argtypes = [ctypes.c_float]


def xgboost_base(score: float, kind: str) -> float:
    """The base score is stored before the link; in single precision, as in the library."""
    if kind == "logit":
        probability = min(max(score, f32(1e-6)), f32(1 - f32(1e-6)))
        return -LIBM.logf(f32(f32(1 / probability) - 1))
    return LIBM.logf(score) if kind == "log" else score


def read_lightgbm(text: str) -> Model:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    starts = [place for place, line in enumerate(lines) if line.startswith("Tree=")]
    end = next(place for place, line in enumerate(lines) if line in ("end of trees", "feature importances:", "feature_importances:"))

    def block(start: int, end: int) -> dict:
        return dict(line.split("=", 1) for line in lines[start:end] if "=" in line)

    header, outputs = block(0, starts[0]), 0
    outputs = int(header.get("num_tree_per_iteration", header.get("num_class", "")))
    names = header["feature_names"].split()
    blocks = [block(start, stop) for start, stop in zip(starts, [*starts[1:], end])]
    categorical = {place for place, info in enumerate(header.get("feature_infos", "").split()) if info[0] != "[" and info != "none"}
    tests: dict[int, bool] = {}

    def tree(place: int) -> tuple:
        raw = blocks[place]
        within_scope(int(raw.get("is_linear", 0)) == 0, "linear trees")
        column = {name: raw.get(name, "").split() for name in raw}
        values = [float(value) for value in column["leaf_value"]]
        if len(values) != int(raw["num_leaves"]):
            raise Unreadable(f"tree {place} has another number of leaves")

        def node(name: int) -> Any:
            if name < 0:
                return [(place % outputs, values[~name])]
            left, right = (int(column[side][name]) for side in ("left_child", "right_child"))
            feature, decision = int(column["split_feature"][name]), int(column["decision_type"][name])
            threshold, default = float(column["threshold"][name]), bool(decision & 2)
            tests[feature] = bool(decision & 1)
            if decision & 1:
                start, stop = (int(column["cat_boundaries"][int(threshold) + side]) for side in (0, 1))
                words = enumerate(int(word) for word in column["cat_threshold"][start:stop])
                codes = frozenset(32 * place + bit for place, word in words for bit in range(32) if word >> bit & 1)
                return Split(feature, "in", codes, False, None, left, right)
            # Kinds of missing values: none (NaN is read as 0), zero (0 and NaN), NaN.
            missing = 0.0 <= threshold if decision >> 2 == 0 else default
            return Split(feature, "<=", threshold, missing, default if decision >> 2 == 1 else None, left, right)

        return build(node, 0 if len(values) > 1 else -1)

    trees = [tree(place) for place in range(len(blocks))]
    categorical = {place for place in range(len(names)) if tests.get(place, place in categorical)}
    lists = [line.split(":", 1)[1] for line in lines[end:] if line.startswith("pandas_categorical:")]
    named = bool(lists) and lists[-1].strip() not in ("null", "[]")
    link, label = lightgbm_objective(header.get("objective", "custom").split())
    if "average_output" in lines[: starts[0]]:
        link = ("averaged", float(len(trees) // outputs), link)
    return Model(**PLAIN | {
        "features": [
            Feature(name, "lightgbm" if place in categorical else None, names=object() if named else None)
            for place, name in enumerate(names)
        ],
        "single": False, "sums_single": False, "zero_band": f32(1e-35), "base": [0.0] * outputs, "link": link,
        "label": label, "trees": trees,
    })  # fmt: skip


def lightgbm_objective(words: list[str]) -> tuple:
    name = words[0]
    slopes = [word.split(":")[1] for word in words if word.startswith("sigmoid:")]
    # LightGBM reads this number with rounding errors of its own, unless it is short.
    within_scope(not slopes or re.fullmatch(r"\d(\.\d)?", slopes[0]), "a `sigmoid` of several digits")
    slope = float(slopes[0]) if slopes else 1.0
    if name == "binary":
        return ("logistic", slope), ("output_above_complement",)
    if name in ("multiclass", "multiclassova"):
        return ("softmax",) if name == "multiclass" else ("logistic", slope), ("largest_output",)
    table = {"cross_entropy": ("logistic", 1.0), "xentropy": ("logistic", 1.0), "poisson": ("exp",), "gamma": ("exp",)}
    table |= {"tweedie": ("exp",), "cross_entropy_lambda": ("log_one_plus_exp",), "xentlambda": ("log_one_plus_exp",)}
    for same in "regression regression_l1 huber fair quantile mape lambdarank rank_xendcg custom".split():
        table[same] = ("signed_square",) if "sqrt" in words and same not in ("huber", "custom") else ("identity",)
    within_scope(name in table, f"the objective {name}")
    return table[name], (None,)


def read_own(document: dict) -> Model:
    within_scope(document["treeproof"] == 1, "another version of treeproof's own format")
    aggregate, rules, link, label = (document[name] for name in ("aggregate", "input", "link", "label"))
    within_scope(aggregate["rule"] == "sum" and not aggregate.get("narrow"), "a model that is no plain sum")
    within_scope("missing_value" not in rules, "a number that means missing")

    def own_link(link: dict) -> tuple:
        rest = [float(link[name]) for name in ("slope", "divisor") if name in link]
        return (link["function"], *rest, *([own_link(link["then"])] if "then" in link else []))

    def feature(column: dict) -> Feature:
        rule = column.get("encoding", {}).get("rule")
        within_scope(rule in (None, "xgboost", "lightgbm"), f"categories by the rule {rule}")
        within_scope("accepts" not in column, "a column that accepts not all values")
        return Feature(column["name"], rule, str(column.get("names")))

    def tree(raw: dict) -> tuple:
        def node(name: int) -> Any:
            if name < 0:
                raise Unreadable("a child is out of range")
            if raw["left"][name] == -1:
                if "value" in raw:
                    return [(raw.get("output", 0), float(raw["value"][name]))]
                pairs = enumerate(raw["values"][name]) if "values" in raw else raw["terms"][name]
                return [(output, float(value)) for output, value in pairs]
            test = raw["test"] if isinstance(raw["test"], str) else raw["test"][name]
            within_scope(test in ("<", "<=", "present", "in"), f"a split by `{test}`")
            threshold = float(raw["threshold"][name])
            missing, zero = bool(raw["missing_left"][name]), raw.get("zero_left", {name: None})[name]
            value = frozenset(int(code) for code in raw["sets"][int(threshold)]) if test == "in" else threshold
            zero = None if zero is None else bool(zero)
            return Split(raw["feature"][name], test, value, missing, zero, raw["left"][name], raw["right"][name])

        return build(node)

    weights = aggregate.get("weights") or {}
    number_of = {name: float(aggregate[name]) for name in ("divisor", "scale") if aggregate.get(name) is not None}
    return Model(**PLAIN | number_of | {
        "features": [feature(column) for column in document["features"]],
        "single": rules["precision"] == "f32", "sums_single": aggregate["precision"] == "f32",
        "zero_band": float(rules.get("zero_band", -1.0)), "accepts_missing": rules["accepts_missing"],
        "accepts_infinite": rules["accepts_infinite"], "base": [float(base) for base in aggregate["base"]],
        "base_last": aggregate["base_position"] == "last", "fold_pair": aggregate.get("fold_pair", False),
        "weights": [float(weight) for weight in weights["per_tree"]] if weights else None,
        "fixed_order": aggregate["fixed_order"], "off_base": weights.get("rule") == "off_base", "link": own_link(link),
        "label": (label["rule"] if label["rule"] != "none" else None, *[float(x) for x in label.values() if x != label["rule"]]),
        "trees": [tree(raw) for raw in document["trees"]],
    })  # fmt: skip
