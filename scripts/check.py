#!/usr/bin/env python3
"""Checks proofs of treeproof from docs/proofs.md alone: `python3 scripts/check.py PROOF MODEL [MODEL]`.

A second checker, in plain Python, that shares no code with the first. It is slow, and covers proofs of `max`, `min`,
`range`, `robust`, `monotone`, `fair` and `diff` under conditions on values, of models in XGBoost JSON, LightGBM text and
treeproof's own JSON. The exit code is 0 if the proof is valid, 1 if it is not, 2 if a file cannot be read, and 3 if the
proof needs something that is out of scope here, or claims nothing.

Everything in a proof but its statements is a hint. Functions follow the headings of docs/proofs.md. Sets of cells are
integers, one bit for each cell; numbers are exact: integers and fractions, and floats only where the library has floats.
"""

import ctypes
import ctypes.util
import gzip
import hashlib
import json
import math
import re
import struct
import sys
import zlib
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

INF = math.inf
MAX_UNITS = 1 << 60
MAX_SINGLE = 2.0**128 - 2.0**104


class Wrong(Exception):
    """The proof is invalid."""


class OutOfScope(Exception):
    """The proof may be valid, but this script cannot tell."""


class Unreadable(Exception):
    """A file cannot be read."""


def demand(holds: Any, what: str) -> None:
    if not holds:
        raise Wrong(what)


def within_scope(holds: Any, what: str) -> None:
    if not holds:
        raise OutOfScope(what)


# Numbers


def f32(x: float | Fraction) -> float:
    """Rounds to the nearest number of single precision, halves to even, as a C cast and a correct parser do."""
    if isinstance(x, Fraction):
        exact, x = x, to_double(x)
        if math.isfinite(x) and Fraction(x) != exact:
            # Of the two doubles around it the odd one: no double is then taken for a half that it is not.
            other = math.nextafter(x, INF if Fraction(x) < exact else -INF)
            x = x if struct.unpack("<q", struct.pack("<d", x))[0] & 1 else other
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def to_double(x: Fraction | int) -> float:
    """The nearest double, halves to even."""
    try:
        return float(x)
    except OverflowError:
        return INF if x > 0 else -INF


def ceiling(x: Fraction) -> int:
    return -(-x.numerator // x.denominator)


def number(value: Any) -> float:
    """A double of the format."""
    if value in ("inf", "-inf", "nan"):
        return float(value)
    demand(type(value) in (int, float), f"{value!r} is no number")
    return float(value)


def exact(text: Any) -> Fraction:
    """An exact number of the format: `5`, `-5/3` or `3p-1074`."""
    match = re.fullmatch(r"(-?\d{1,5000})(?:/(\d{1,5000})|p(-?\d{1,6}))?", text if isinstance(text, str) else "")
    demand(match and int(match[2] or 1) > 0 and abs(int(match[3] or 0)) <= 100000, f"{text!r} is no exact number")
    return Fraction(int(match[1])) / int(match[2] or 1) * Fraction(2) ** int(match[3] or 0)


def index(value: Any, end: int, what: str) -> int:
    demand(type(value) is int and 0 <= value < end, f"there is no {what} {value!r}")
    return value


# The file


def parse_json(content: bytes) -> Any:
    """JSON without repeated fields and without NaN."""

    def unique(pairs: list) -> dict:
        demand(len(dict(pairs)) == len(pairs), "a field of the JSON is repeated")
        return dict(pairs)

    def refuse(name: str) -> None:
        raise Wrong(f"{name} is no JSON")

    try:
        return json.loads(content.decode(), object_pairs_hook=unique, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Wrong(f"JSON cannot be read: {error}") from None


def fields(value: Any, what: str, required: str, **optional: Any) -> SimpleNamespace:
    """The fields of an object, with the values of those that are omitted; unknown ones are refused."""
    demand(isinstance(value, dict), f"{what} is no object")
    for name in required.split():
        demand(name in value, f"{what} has no `{name}`")
    unknown = set(value) - set(required.split()) - set(optional)
    demand(not unknown, f"{what} has an unknown field {sorted(unknown)}")
    return SimpleNamespace(**(optional | value))


def variant(value: Any, what: str) -> tuple[str, Any]:
    """An object with one field, or a text."""
    if isinstance(value, str):
        return value, None
    demand(isinstance(value, dict) and len(value) == 1, f"{what} is no object with one field")
    return next(iter(value.items()))


def read_file(content: bytes) -> tuple[Any, dict[int, dict[bytes, bytes]]]:
    """The manifest, and the sections with their content by kind."""
    start = b"treeproof proof 2\n"
    demand(content.startswith(start), "it is no proof of version 2")
    place, blocks, digest = len(start), {}, None
    while place < len(content):
        demand(digest is None and place + 9 <= len(content), "the file is cut off, or goes on after its digest")
        section, kind, length = struct.unpack_from("<IcI", content, place)
        part = content[place + 9 : place + 9 + length]
        demand(len(part) == length, "the file is cut off")
        demand(kind in (b"ME" if section == 0 else b"HLC"), f"a block of kind {kind!r} in section {section}")
        if kind == b"E":
            digest = part
            demand(part == hashlib.sha256(content[:place]).digest(), "the digest of the file is wrong")
        blocks.setdefault(section, {}).setdefault(kind, bytearray()).extend(part)
        place += 9 + length
    demand(digest is not None, "the file has no digest")
    demand(0 in blocks and b"M" in blocks[0], "the file does not say what it is about")
    return parse_json(blocks.pop(0)[b"M"]), blocks


def inflate(content: bytes) -> bytes:
    try:
        stream = zlib.decompressobj()
        header = stream.decompress(content, 1 << 28)
    except zlib.error as error:
        raise Wrong(f"a header cannot be inflated: {error}") from None
    demand(stream.eof and not stream.unused_data, "a header is cut off")
    return header


# Models: what their libraries compute (docs/formats.md, docs/format.md)


class Leaf(NamedTuple):
    """A leaf: its number within the tree, from left to right."""

    place: int


class Split(NamedTuple):
    """A split: values that pass the test go left, and so do missing ones and zeros where that is said."""

    feature: int
    test: str
    threshold: Any
    missing_left: bool
    zero_left: bool | None
    left: Any
    right: Any


class Feature(NamedTuple):
    """A column: a category has the rule by which numbers become codes."""

    name: str
    category: str | None = None
    names: Any = None


class Model(SimpleNamespace):
    """A sum of trees, in the terms of docs/format.md.

    `trees` holds pairs: the root, and for each leaf its terms, which are pairs of an output and a value.
    """

    def round(self, x: float) -> float:
        return f32(x) if self.single else x

    def seen(self, raw: float) -> float:
        """The number that splits compare. Rounding and the zero band are monotone, so ranges stay ranges."""
        x = self.round(raw)
        return 0.0 if abs(x) <= self.zero_band else x

    def read(self, place: int, raw: float) -> Any:
        """A raw value as the library reads it: a number, a code, `unknown` or `missing`; no value that it refuses."""
        feature = self.features[place]
        x = self.seen(raw)
        value: Any = x
        if math.isnan(x):
            value = "missing"
        elif feature.category:
            is_code = 0 <= x < 2**24 if feature.category == "xgboost" else -1 < x < 2**31
            value = int(x) if is_code else "unknown"
        demand(value != "missing" or self.accepts_missing, f"{feature.name} cannot be missing")
        demand(self.accepts_infinite or not math.isinf(x), f"{raw} is refused")
        return value

    def leaf_value(self, tree: int, leaf: int, output: int) -> Fraction:
        """The exact number that a leaf adds to a margin."""
        weight = Fraction(self.weights[tree]) if self.weights else 1
        signs = {0: -1, 1: 1} if self.fold_pair else {output: 1}
        terms = self.trees[tree][1][leaf]
        return sum((signs.get(to, 0) * Fraction(value) for to, value in terms), Fraction(0)) * weight * self.factor()

    def factor(self) -> Fraction:
        return Fraction(1 if self.scale is None else self.scale) / Fraction(self.divisor or 1)

    @property
    def is_finished_later(self) -> bool:
        """Whether something is done to the finished sum of terms."""
        return self.divisor is not None or self.scale is not None or self.fold_pair or self.base_last

    def exact_base(self, output: int) -> Fraction:
        base = Fraction(self.base[1]) - Fraction(self.base[0]) if self.fold_pair else Fraction(self.base[output])
        return base if self.base_last else base * self.factor()

    def reached(self, row: list) -> list[int]:
        """The leaf that each tree reaches at a row of readings."""
        leaves = []
        for node, _ in self.trees:
            while isinstance(node, Split):
                goes = sides(self, node, piece_of(row[node.feature]))
                node = node.left if goes[0] else node.right
            leaves.append(node.place)
        return leaves

    def margins(self, leaves: list[int]) -> list[float]:
        """The sums as the library computes them, operation by operation."""
        within_scope(not self.is_finished_later, "labels of sums that are divided, scaled or folded")
        r, sums = f32 if self.sums_single else float, list(self.base)
        for tree, leaf in enumerate(leaves):
            for output, value in self.trees[tree][1][leaf]:
                if self.weights:
                    if self.off_base:
                        value = r(r(value + self.base[output]) - self.base[output])
                    value = r(value * self.weights[tree])
                sums[output] = r(sums[output] + value)
        return sums


def piece_of(reading: Any) -> tuple:
    if reading in ("missing", "unknown"):
        return (reading,)
    return ("category", reading) if isinstance(reading, int) else ("numbers", reading, reading)


def sides(model: Model, split: Split, piece: tuple) -> tuple[bool, bool]:
    """Whether some value of a piece goes left, and whether some value goes right."""
    kind, *ends = piece
    if kind == "missing":
        return split.missing_left, not split.missing_left
    if kind == "unknown" or split.test == "present":
        return split.test == "present", split.test != "present"
    if kind == "category":
        return ends[0] in split.threshold, ends[0] not in split.threshold
    low, high = (model.seen(end) for end in ends)
    passes = (lambda x: x < split.threshold) if split.test == "<" else (lambda x: x <= split.threshold)
    if split.zero_left is None or low > 0 or high < 0:
        return passes(low), not passes(high)
    # Zero goes its own way. Beside it are the numbers below and the numbers above; the tests are monotone.
    least = math.nextafter(model.zero_band, INF) if model.zero_band >= 0 else f32(1e-45) if model.single else 5e-324
    parts = [(low, -least)] * (low < 0) + [(least, high)] * (high > 0)
    left = split.zero_left or any(passes(low) for low, _ in parts)
    return left, not split.zero_left or any(not passes(high) for _, high in parts)


def build(nodes: Any, root: Any = 0) -> tuple:
    """A tree from a function that tells the content of a node: the terms of a leaf, or a split with the numbers of nodes."""
    terms, seen = [], set()

    def node(name: Any) -> Any:
        if name in seen:
            raise Unreadable("a tree has a cycle")
        seen.add(name)
        content = nodes(name)
        if isinstance(content, Split):
            if content.feature < 0:
                raise Unreadable("a feature is out of range")
            return content._replace(left=node(content.left), right=node(content.right))
        terms.append(tuple(content))
        return Leaf(len(terms) - 1)

    return node(root), terms


PLAIN = {
    "weights": None, "off_base": False, "divisor": None, "scale": None, "fold_pair": False, "base_last": False,
    "zero_band": -1.0, "fixed_order": True, "accepts_missing": True, "accepts_infinite": True,
}  # fmt: skip


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


# Decision bands: from margins to labels (docs/proofs.md, "Goals")


def outputs_of(link: tuple, margins: list[float]) -> list[float]:
    """The outputs of the library, in its own arithmetic, with the C library's functions where it uses them."""
    kind, *rest = link
    if kind == "averaged":
        return outputs_of(rest[1], [m / rest[0] for m in margins])
    if kind in ("softmax", "softmax_xgboost"):
        r, exp = (float, power) if kind == "softmax" else (f32, LIBM.expf)
        powers = [exp(r(r(m) - r(max(margins)))) for m in margins]
        total = 0.0
        for part in powers:
            total += part
        return [r(part / r(total)) for part in powers]
    if kind == "class_index":
        return [float(margins.index(max(margins)))]
    each = {
        "identity": lambda m: m,
        "logistic": lambda m: 1 / (1 + power(-rest[0] * m)),
        "logistic_xgboost": lambda m: f32(1 / f32(f32(LIBM.expf(min(-f32(m), f32(88.7))) + 1) + f32(1e-16))),
        "hinge": lambda m: float(m > 0),
    }
    within_scope(kind in each, f"labels by the link {kind}")
    return [each[kind](m) for m in margins]


def power(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def chosen(rule: tuple, margins: list[float], outputs: list[float]) -> int:
    """The class that a label rule chooses."""
    kind, *rest = rule
    rules = {
        "margin_above": lambda: int(margins[0] > rest[0]),
        "margin_at_least": lambda: int(margins[0] >= rest[0]),
        "output_above": lambda: int(outputs[0] > rest[0]),
        "output_above_complement": lambda: int(outputs[0] > 1 - outputs[0]),
        "largest_margin": lambda: margins.index(max(margins)),
        "largest_output": lambda: outputs.index(max(outputs)),
    }
    within_scope(kind in rules, f"the label rule {kind}")
    return rules[kind]()


class Labels:
    """Conditions on exact margins that are necessary for a label, whatever the rounding errors of the library."""

    def __init__(self, model: Model, threshold: float | None) -> None:
        self.model, count = model, len(model.base)
        self.rule = model.label if threshold is None else ("output_above", threshold)
        largest = self.rule[0] in ("largest_margin", "largest_output")
        demand(self.rule[0] and (largest or count == 1), "the model has no such labels")
        errors = [sum_error(model, output) for output in range(count)]
        demand(max(errors) < INF, "sums may overflow")
        link, scale = model.link, 1.0
        while link[0] == "averaged":
            link, scale = link[2], scale * abs(link[1])
        self.error, self.widths = 64 * link_unit(link), None
        if largest:
            # The largest margin has the power 1: another output can only tie with it if its power rounds to nearly 1.
            ties = {"softmax": 4 * self.error * max(scale, 1.0), "softmax_xgboost": 4 * self.error * max(scale, 1.0)}
            if scale == 1.0:
                ties["identity"] = 0.0
            demand(self.rule[0] == "largest_margin" or link[0] in ties, "outputs may tie where margins differ")
            tie = Fraction(ties[link[0]] if self.rule[0] == "largest_output" else 0)
            self.widths = [[Fraction(a) + Fraction(b) + tie for b in errors] for a in errors]
        else:
            ends = -MAX_SINGLE, MAX_SINGLE
            demand(self.surely(0, ends[0]) and self.surely(1, ends[1]), "one margin gives all inputs the same label")
            first = between(*ends, lambda m: self.surely(0, m))[0]
            second = between(*ends, lambda m: not self.surely(1, m))[1]
            self.second_above = Fraction(first) - Fraction(errors[0])
            self.first_below = Fraction(second) + Fraction(errors[0])
        self.classes = range(count if self.widths else 2)

    def surely(self, label: int, margin: float) -> bool:
        """True if the rule chooses a class for a margin even if the link has an error of 64 units."""
        outputs = outputs_of(self.model.link, [margin])
        errors = (-self.error, 0.0, self.error)
        return all(chosen(self.rule, [margin], [x * (1 + error) for x in outputs]) == label for error in errors)

    def possible(self, label: int) -> list:
        """Sums, as pairs of terms and constant, all of which are at least 0 where the library may choose a class."""
        if self.widths:
            return [self.beats(label, other) for other in self.classes if other != label]
        return [([(0, False)], -self.second_above)] if label else [([(0, True)], self.first_below)]

    def beats(self, label: int, other: int) -> tuple:
        return [(label, False), (other, True)], self.widths[label][other]

    def beating(self, label: int) -> list:
        """Cases that cover all inputs with another label."""
        others = [other for other in self.classes if other != label]
        return [[self.beats(other, label)] if self.widths else self.possible(other) for other in others]

    def of(self, leaves: list[int]) -> int:
        """The library's own label."""
        margins = self.model.margins(leaves)
        demand(all(map(math.isfinite, margins)), "a sum of the library is not finite")
        return chosen(self.rule, margins, outputs_of(self.model.link, margins))


def between(low: float, high: float, holds: Any) -> tuple[float, float]:
    """Bisection to two neighbouring doubles: the predicate holds for the first and not for the second."""

    def place(x: float) -> int:
        bits = struct.unpack("<q", struct.pack("<d", abs(x)))[0]
        return -bits if x < 0 else bits

    def at(place: int) -> float:
        return math.copysign(struct.unpack("<d", struct.pack("<q", abs(place)))[0], place)

    first, second = place(low), place(high)
    while second - first > 1:
        middle = (first + second) // 2
        first, second = (middle, second) if holds(at(middle)) else (first, middle)
    return at(first), at(second)


def sum_error(model: Model, output: int) -> float:
    """A bound on the distance of the library's sum from the exact one, at any input."""
    within_scope(not model.is_finished_later, "labels of sums that are divided, scaled or folded")
    unit, least, top = (2.0**-24, 2.0**-149, MAX_SINGLE) if model.sums_single else (2.0**-53, 5e-324, sys.float_info.max)
    tiny, terms, magnitude = 8 * least, 0, 0.0
    for tree, (_, leaves) in enumerate(model.trees):
        values = [[abs(value) for to, value in leaf if to == output] for leaf in leaves]
        terms += max(map(len, values))
        magnitude += max(map(sum, values)) * (abs(model.weights[tree]) if model.weights else 1.0)
    magnitude *= 1 + 1e-6
    base, roundings, absolute = abs(model.base[output]), terms + 1.0, terms * tiny
    if model.weights:
        roundings, absolute = roundings + 1, absolute + terms * tiny
        if model.off_base:
            heaviest = max(map(abs, model.weights))
            absolute += 4 * unit * (terms * base * heaviest + magnitude) + 2 * terms * tiny * heaviest
    reach = magnitude + absolute + base
    if roundings * unit >= 0.5 or (link_unit(model.link) > 2.0**-53 and base + magnitude > MAX_SINGLE / 4):
        return INF
    growth = roundings * unit / (1 - roundings * unit)
    error = reach * growth + absolute
    return error * (1 + 1e-12) + 5e-324 if reach * (1 + growth) + error <= top else INF


def link_unit(link: tuple) -> float:
    """The unit roundoff of the type in which a link computes."""
    return link_unit(link[2]) if link[0] == "averaged" else 2.0**-53 if link[0] in ("logistic", "softmax", "identity") else 2.0**-24


# The statement


class Domain(NamedTuple):
    """The values of a feature: numbers in ranges that are nearest to multiples of all steps, or codes of categories."""

    ranges: tuple | None
    steps: tuple = ()
    codes: frozenset = frozenset()
    unknown: bool = False
    missing: bool = False
    listed: tuple = ()

    def pieces(self) -> list[tuple]:
        present = [("numbers", *ends) for ends in self.ranges or ()] + [("category", code) for code in self.codes]
        return present + [("unknown",)] * self.unknown + [("missing",)] * self.missing

    def both(self, other: "Domain") -> "Domain":
        """The values that both have."""
        ends = [(max(a, c), min(b, d)) for a, b in self.ranges or () for c, d in other.ranges or ()]
        ranges = None if self.ranges is None else tuple(pair for pair in ends if pair[0] <= pair[1])
        unknown, missing = self.unknown and other.unknown, self.missing and other.missing
        return Domain(ranges, self.steps + other.steps, self.codes & other.codes, unknown, missing)

    def meets(self, piece: tuple) -> bool:
        """Whether a piece may hold a value of the domain."""
        kind, *ends = piece
        if kind == "numbers":
            return any(self.has_number(max(low, ends[0]), min(high, ends[1])) for low, high in self.ranges or ())
        return ends[0] in self.codes if kind == "category" else self.unknown if kind == "unknown" else self.missing

    def allows(self, value: tuple) -> bool:
        """Whether a single value is in the domain. With steps, no infinite number is."""
        return self.meets(value) and not (self.steps and value[0] == "numbers" and math.isinf(value[1]))

    def within(self, piece: tuple) -> list[tuple]:
        """The values of a piece that the domain has."""
        if piece[0] != "numbers":
            return [piece] * self.meets(piece)
        ends = [(max(low, piece[1]), min(high, piece[2])) for low, high in self.ranges or ()]
        return [("numbers", low, high) for low, high in ends if low <= high]

    def has_number(self, low: float, high: float) -> bool:
        """Whether some double from low to high may be a value: each step has a multiple there."""
        if low > high:
            return False
        for step in self.steps if math.isfinite(low) and math.isfinite(high) else ():
            # Rounding is monotone: the first multiple that is rounded to at least `low` is one of these.
            first = ceiling(Fraction(low) / step)
            rounded = [to_double(step * count) for count in (first - 1, first)]
            if next(x for x in rounded if x >= low) > high:
                return False
        return True


def read_domain(value: Any) -> Domain:
    kind, content = variant(value, "a domain")
    if kind == "categories":
        content = fields(content, "a domain", "codes", unknown=False, missing=False)
        codes = frozenset(index(code, 1 << 32, "category") for code in content.codes)
        return Domain(None, (), codes, content.unknown is True, content.missing is True, tuple(content.codes))
    demand(kind == "numbers", f"there is no domain {kind}")
    content = fields(content, "a domain", "ranges", steps=[], missing=False)
    ranges = [(number(low), number(high)) for low, high in content.ranges]
    ranges = [(low, high) for low, high in ranges if low <= high]
    steps = tuple(exact(step) for step in content.steps)
    demand(all(step > 0 for step in steps) and len(steps) <= 16, "a step is not positive, or there are too many")
    return Domain(tuple(ranges), steps, missing=content.missing is True)


class Statement:
    """Which inputs a claim covers, and the question."""

    def __init__(self, value: Any, models: list[Model]) -> None:
        raw = fields(
            value, "the statement", "features inputs goal", ties=None, groups=[], reference=None, conditions=[], near=None, within=[]
        )
        within_scope(not raw.groups, "groups of columns")
        within_scope(not raw.within, "distances of `within`")
        self.models, self.goal = models, raw.goal
        self.place_of = [[None] * len(model.features) for model in models]
        self.readers = []
        for place, feature in enumerate(raw.features):
            feature = fields(feature, "a feature", "name readers")
            readers = [fields(reader, "a reader", "model feature") for reader in feature.readers]
            pairs = [(index(r.model, len(models), "model"), r.feature) for r in readers]
            demand(pairs and pairs == sorted(pairs), "the readers of a feature must ascend")
            for model, which in pairs:
                demand(self.place_of[model][index(which, len(models[model].features), "feature")] is None, "a feature is read twice")
                self.place_of[model][which] = place
            self.readers.append(pairs)
            columns = [models[model].features[which] for model, which in pairs]
            demand(feature.name == columns[0].name, "a feature has another name in the model")
            same = all((c.category, c.names) == (columns[0].category, columns[0].names) for c in columns)
            demand(len({bool(c.category) for c in columns}) == 1, "numbers and categories are one feature")
            within_scope(not columns[0].category or same, "a category of two models that differ in their categories")
        demand(all(None not in places for places in self.place_of), "a feature of a model is not read")
        self.names = [feature["name"] for feature in raw.features]
        count = len(raw.features)
        demand(len(raw.inputs) in (1, 2) and all(len(domains) == count for domains in raw.inputs), "domains are missing")
        domains = [list(map(read_domain, domains)) for domains in raw.inputs]
        self.are_equal = domains[0] == domains[-1]
        self.inputs = [[self.accepted(place, domain) for place, domain in enumerate(own)] for own in domains]
        self.ties = raw.ties or ["free"] * count
        demand(len(self.ties) == count and set(self.ties) <= {"free", "same", "not_below"}, "there is no such tie")
        demand((raw.ties is not None) == (len(raw.inputs) == 2), "ties are for two inputs")
        self.conditions = [condition for value in raw.conditions for condition in self.read_condition(value)]
        self.near = Distance(raw.near, raw.reference, self) if raw.near is not None else None

    def accepted(self, place: int, domain: Domain) -> Domain:
        """Without the values that some library refuses."""
        for model, which in self.readers[place]:
            model, feature = self.models[model], self.models[model].features[which]
            demand(bool(feature.category) == (domain.ranges is None), f"the domain of {feature.name} is of the wrong kind")
            # The least number that is read as infinite: halfway beyond the largest of single precision.
            end = 2.0**128 - 2.0**103 if model.single else INF
            end = INF if model.accepts_infinite else math.nextafter(end, 0.0)
            domain = domain.both(Domain(((-end, end),), (), domain.codes, True, model.accepts_missing))
        return domain

    def read_condition(self, value: Any) -> list[tuple]:
        """The conditions on values in a condition: input, feature, domain."""
        kind, content = variant(value, "a condition")
        if kind == "all":
            return [condition for part in content for condition in self.read_condition(part)]
        within_scope(kind == "values", f"the condition `{kind}`")
        demand(isinstance(content, list) and len(content) == 2, "a condition on values has a variable and a domain")
        variable = fields(content[0], "a variable", "input feature")
        place = index(variable.feature, len(self.readers), "feature")
        return [(index(variable.input, len(self.inputs), "input"), place, self.accepted(place, read_domain(content[1])))]

    def cases(self) -> list[list[tuple]]:
        """The question: a number is the largest, over the cases, of the smallest sum. A sum is its terms and its constant."""
        kind, content = variant(self.goal, "a goal")
        if kind == "sums":
            return [[self.read_sum(value) for value in case] for case in content]
        if kind == "anything":
            return [[([], Fraction(1))]]
        within_scope(kind == "other_label", f"the goal `{kind}`")
        content = fields(content, "a goal", "", **{"class": None, "threshold": None})
        label = getattr(content, "class")
        self.labels = Labels(self.models[0], None if content.threshold is None else number(content.threshold))
        self.label = label if label is None else index(label, len(self.labels.classes), "class")

        def at(place: int, sums: list) -> list:
            return [([(0, place, output, negated) for output, negated in terms], constant) for terms, constant in sums]

        if label is not None:
            return [at(len(self.inputs) - 1, sums) for sums in self.labels.beating(label)]
        demand(len(self.inputs) == 2, "two inputs are needed")
        swapped = {(1 - place, feature, domain) for place, feature, domain in self.conditions}
        symmetric = self.are_equal and "not_below" not in self.ties and swapped == set(self.conditions)
        pairs = [(a, b) for a in self.labels.classes for b in self.labels.classes if a != b and (a < b or not symmetric)]
        return [at(0, self.labels.possible(a)) + at(1, self.labels.possible(b)) for a, b in pairs]

    def read_sum(self, value: Any) -> tuple:
        value = fields(value, "a sum", "terms", constant="0")
        terms = []
        for term in value.terms:
            term = fields(term, "a term", "model input output negated")
            model = self.models[index(term.model, len(self.models), "model")]
            output = index(term.output, 1 if model.fold_pair else len(model.base), "output")
            terms.append((term.model, index(term.input, len(self.inputs), "input"), output, term.negated is True))
        return terms, exact(value.constant)


class Distance:
    """The distance of an input from the reference; costs are powers of it (squares for L2) that add up (but for L∞)."""

    def __init__(self, value: Any, reference: Any, statement: Statement) -> None:
        raw = fields(
            value, "the distance", "norm factors missing_costs", number_factors=None, category_cost=None, radius=None
        )
        within_scope(len(statement.inputs) == 1, "a distance between two inputs")
        within_scope(raw.number_factors is None, "factors of their own for changes of numbers")
        count = len(statement.readers)
        demand(raw.norm in ("linf", "l2", "l1", "l0"), f"there is no norm {raw.norm}")
        demand(len(raw.factors) == len(raw.missing_costs) == len(reference or []) == count, "the distance does not fit")
        self.norm = raw.norm
        self.factors = [self.size(factor) for factor in raw.factors]
        self.missing_costs = [None if cost is None else self.size(cost) for cost in raw.missing_costs]
        self.category_cost = None if raw.category_cost is None else self.size(raw.category_cost)
        self.radius = None if raw.radius is None else self.size(raw.radius)
        self.reference = []
        for (model, which), raw_value in zip((readers[0] for readers in statement.readers), map(number, reference)):
            reading = statement.models[model].read(which, raw_value)
            self.reference.append(("numbers", raw_value, raw_value) if isinstance(reading, float) else piece_of(reading))

    @staticmethod
    def size(value: Any) -> Fraction:
        demand(math.isfinite(number(value)) and number(value) >= 0, f"{value} is no size")
        return Fraction(number(value))

    def power(self, size: Fraction) -> Fraction:
        return size * size if self.norm == "l2" else size

    def cost(self, feature: int, piece: tuple) -> Fraction | float:
        """The cost of the nearest value of a piece."""
        (kind, *ends), (origin, *at), factor = piece, self.reference[feature], self.factors[feature]
        if kind == origin == "numbers":
            near = min(max(at[0], ends[0]), ends[1])
            changed, is_far = near != at[0], math.isinf(near) or math.isinf(at[0])
            size = (INF if factor else 0) if changed and is_far else abs(Fraction(near) - Fraction(at[0])) if changed else 0
        else:
            changed = kind != origin or ends != at
            cost = self.missing_costs[feature] if "missing" in (kind, origin) else self.category_cost
            size = 0 if not changed else INF if cost is None else cost
        if self.norm == "l0" and size < INF:
            size = Fraction(changed)
        return INF if size == INF else self.power(size * factor)

    def together(self, costs: list) -> Fraction | float:
        return max(costs, default=Fraction(0)) if self.norm == "linf" else sum(costs, Fraction(0))


# The grid


class Axis(NamedTuple):
    """The cells of a feature at some inputs; a feature without an axis is one cell with all of its values."""

    inputs: tuple
    feature: int
    ordered: int
    cells: list

    def full(self) -> int:
        return (1 << len(self.cells)) - 1


class Grid:
    """The axes of the header, and after them those of features without one."""

    def __init__(self, header: Any, statement: Statement) -> None:
        self.statement, self.axes, self.axis_of = statement, [], {}
        for value in header.axes:
            self.add(self.read_axis(value))
        self.count = len(self.axes)
        for feature, tie in enumerate(statement.ties):
            both = tie == "same" and len(statement.inputs) == 2
            both = both and not {(0, feature), (1, feature)} & set(self.axis_of)
            for inputs in [(0, 1)] if both else [(place,) for place in range(len(statement.inputs))]:
                if (inputs[0], feature) not in self.axis_of:
                    self.add(Axis(inputs, feature, 0, [self.domain(inputs, feature).pieces()]))
        self.leaves: dict = {}

    def domain(self, inputs: tuple, feature: int) -> Domain:
        domains = [self.statement.inputs[place][feature] for place in inputs]
        return domains[0].both(domains[-1]) if len(domains) == 2 else domains[0]

    def add(self, axis: Axis) -> None:
        for place in axis.inputs:
            demand((place, axis.feature) not in self.axis_of, "a feature has two axes")
            self.axis_of[place, axis.feature] = len(self.axes)
        self.axes.append(axis)

    def read_axis(self, value: Any) -> Axis:
        raw = fields(value, "an axis", "inputs features ordered cells")
        within_scope(len(raw.features) == 1, "an axis of a group")
        feature = index(raw.features[0], len(self.statement.readers), "feature")
        inputs = tuple(index(place, len(self.statement.inputs), "input") for place in raw.inputs)
        same = self.statement.ties[feature] == "same"
        demand(len(inputs) == 1 or (same and inputs == (0, 1)), "an axis is for other inputs")
        cells = [[self.read_piece(piece) for piece in cell] for cell in raw.cells]
        axis = Axis(inputs, feature, index(raw.ordered, len(cells) + 1, "cell"), cells)
        ends = [end for cell in cells[: axis.ordered] for piece in cell for end in piece[1:]]
        kinds = {piece[0] for cell in cells[: axis.ordered] for piece in cell}
        demand(kinds <= {"numbers"}, "an ordered cell holds other things than numbers")
        demand(all(cells[: axis.ordered]) and ends == sorted(ends), "the ordered cells do not ascend")
        self.check_cover(axis)
        domain = self.domain(inputs, feature)
        return axis._replace(cells=[[part for piece in cell for part in domain.within(piece)] for cell in cells])

    @staticmethod
    def read_piece(value: Any) -> tuple:
        kind, content = variant(value, "a piece of a cell")
        within_scope(kind != "column", "columns of a group")
        demand(kind in ("numbers", "category", "unknown", "missing"), f"there is no piece {kind}")
        if kind == "numbers":
            low, high = map(number, content)
            demand(low <= high, "a piece is empty")
            return kind, low, high
        return (kind, index(content, 1 << 32, "category")) if kind == "category" else (kind,)

    def check_cover(self, axis: Axis) -> None:
        """Every value that the domains allow must be in some cell: else what the log says of all cells would say nothing of it."""
        domain, pieces = self.domain(axis.inputs, axis.feature), [piece for cell in axis.cells for piece in cell]
        numbers = sorted(piece[1:] for piece in pieces if piece[0] == "numbers")
        demand(all(a[1] < b[0] for a, b in zip(numbers, numbers[1:])), "a number is in two pieces")
        demand(not numbers or domain.ranges is not None, "an axis of categories has numbers")
        others = [piece for piece in domain.pieces() if piece[0] != "numbers"]
        demand(all(piece in pieces for piece in others), f"the grid leaves out a value of {self.statement.names[axis.feature]}")
        low, gaps = -INF, []
        for start, end in numbers:
            gaps += [(low, math.nextafter(start, -INF))] * (start > low)
            low = math.nextafter(end, INF)
        gaps += [(low, INF)] * (not numbers or numbers[-1][1] < INF)
        inside = [(max(a, c), min(b, d)) for a, b in gaps for c, d in domain.ranges or ()]
        demand(not any(domain.has_number(*gap) for gap in inside), f"the grid leaves out a number of {self.statement.names[axis.feature]}")

    def boxes(self, model: int, tree: int, place: int) -> list[tuple[dict, int]]:
        """The leaves of a tree that some cells reach: the cells on each axis, and the number of the leaf."""
        key = model, tree, place
        if key not in self.leaves:
            self.leaves[key] = []
            self.walk(key, self.statement.models[model].trees[tree][0], {})
        return self.leaves[key]

    def walk(self, key: tuple, node: Any, box: dict) -> None:
        if isinstance(node, Leaf):
            self.leaves[key].append((box, node.place))
            return
        model = self.statement.models[key[0]]
        which = self.axis_of[key[2], self.statement.place_of[key[0]][node.feature]]
        cells, goes = self.axes[which].cells, [0, 0]
        for cell, pieces in enumerate(cells):
            for side in (0, 1):
                goes[side] |= (any(sides(model, node, piece)[side] for piece in pieces) or which >= self.count and not pieces) << cell
        for side, child in enumerate((node.left, node.right)):
            kept = box.get(which, self.axes[which].full()) & goes[side]
            if kept:
                self.walk(key, child, box | {which: kept})

    def shape(self, model: int, node: Any, place: int) -> Any:
        """Equal for the same tree at two inputs that agree, and for trees of two models with equal splits."""
        if isinstance(node, Leaf):
            return node
        feature = self.statement.place_of[model][node.feature]
        key = feature if self.statement.ties[feature] == "same" and len(self.statement.inputs) == 2 else (feature, place)
        rules, left, right = self.statement.models[model], *(self.shape(model, child, place) for child in (node.left, node.right))
        return node._replace(feature=key, left=left, right=right), rules.single, rules.zero_band


# Values


class Bundle(NamedTuple):
    """What is evaluated as one tree: the values of its leaves in units with their boxes, the largest first."""

    leaves: list
    least: int

    @staticmethod
    def of(leaves: list) -> "Bundle":
        demand(all(abs(value) < MAX_UNITS for value, _ in leaves), "a number is 2^60 units or more")
        return Bundle(sorted(leaves, key=lambda leaf: -leaf[0]), min((value for value, _ in leaves), default=0))

    def best(self, boxes: list) -> int:
        """The largest value that a region reaches."""
        return next((value for value, box in self.leaves if reaches(boxes, box)), self.least)

    def best_by_cell(self, boxes: list, axis: int) -> dict[int, int]:
        """The same with the axis confined to each of its cells. A cell without leaves holds no input; it has the least value."""
        left, best = boxes[axis], {}
        for value, box in self.leaves:
            if left and reaches(boxes, box):
                found = box.get(axis, left) & left
                best |= dict.fromkeys(bits(found), value)
                left &= ~found
        return best | dict.fromkeys(bits(left), self.least)


def reaches(boxes: list, box: dict) -> bool:
    return all(boxes[axis] & cells for axis, cells in box.items())


def bits(cells: int) -> list[int]:
    return [place for place in range(cells.bit_length()) if cells >> place & 1]


class Channel:
    """A sum of a case: a base and bundles, in units, no less than the real sum."""

    def __init__(self, grid: Grid, total: tuple, bundles: Any, unit: Fraction, offset: Fraction, ledger: Any) -> None:
        (terms, constant), models = total, grid.statement.models
        self.grid, self.bundles, self.left = grid, [], {}
        for model, place, output, negated in terms:
            constant += models[model].exact_base(output) * (-1 if negated else 1)
            for tree in range(len(models[model].trees)):
                self.left.setdefault((model, tree, place), []).append((output, -1 if negated else 1))
        base = ceiling((constant - offset) / unit)
        for raw in bundles:
            kind, content = variant(raw, "a bundle")
            if kind == "in_order":
                self.bundles.append(in_order(grid, index(content, len(grid.statement.readers), "feature")))
                continue
            within_scope(kind != "missed", "bundles of what the library's own sums miss")
            demand(kind == "trees" and 1 <= len(content) <= 4, "a bundle has one to four trees")
            trees = [fields(tree, "a tree of a bundle", "model tree input") for tree in content]
            keys = [(tree.model, tree.tree, tree.input) for tree in trees]
            demand(len(set(keys)) == len(keys) and set(keys) <= set(self.left), "a tree is in two bundles, or is none of the sum")
            self.bundles.append(Bundle.of([(ceiling(value / unit), box) for value, box in self.joined(keys)]))
            for key in keys:
                del self.left[key]
        # The rest one by one, or in the base if they are constant; a tree that is left at both inputs together.
        rest: list = []
        for model, tree in sorted({key[:2] for key in self.left}):
            keys = [key for key in ((model, tree, 0), (model, tree, 1)) if key in self.left]
            units = {ceiling(value / unit) for value, _ in self.joined(keys)}
            if len(units) == 1:
                base += units.pop()
            elif units:
                rest += [Bundle.of([(ceiling(value / unit), box) for value, box in self.joined([key])]) for key in keys]
        self.bundles += rest
        self.least = sum(bundle.least for bundle in self.bundles)
        self.is_too_large = base >= MAX_UNITS
        if ledger:
            # 0 then stands for 0: an input reaches the goal only if every channel of a case is at least 0.
            zero = ceiling(-offset / unit)
            base = -self.least if zero <= -MAX_UNITS else base - min(zero, MAX_UNITS - 1)
        self.base, self.least = base, self.least + base

    def joined(self, keys: list) -> list[tuple[Fraction, dict]]:
        """The combinations of leaves of some trees that can be reached together: what they add exactly, and their boxes."""
        same: dict = {}
        for key in keys:
            # Trees that always reach the same leaf are one tree.
            same.setdefault(self.grid.shape(key[0], self.grid.statement.models[key[0]].trees[key[1]][0], key[2]), []).append(key)
        combined: list = [(Fraction(0), {})]
        for equal in same.values():
            boxes = self.grid.boxes(*equal[0])
            added = [sum((self.adds(key, leaf) for key in equal), Fraction(0)) for _, leaf in boxes]
            combined = [
                (value + more, box | {axis: box.get(axis, cells) & cells for axis, cells in other.items()})
                for value, box in combined
                for more, (other, _) in zip(added, boxes)
                if all(box.get(axis, cells) & cells for axis, cells in other.items())
            ]
            demand(len(combined) <= 1 << 18, "the trees of a bundle have too many combinations of leaves")
        return combined

    def adds(self, key: tuple, leaf: int) -> Fraction:
        model = self.grid.statement.models[key[0]]
        return sum((model.leaf_value(key[1], leaf, output) * sign for output, sign in self.left[key]), Fraction(0))


def in_order(grid: Grid, feature: int) -> Bundle:
    """0 where the second input can be at least the first, and hopeless elsewhere: there is no input."""
    demand(grid.statement.ties[feature] == "not_below", "a feature is not tied as `not_below`")
    first, second = (grid.axis_of[place, feature] for place in (0, 1))
    leaves = []
    for cell, pieces in enumerate(grid.axes[first].cells):
        above = sum(can_follow(pieces, other) << place for place, other in enumerate(grid.axes[second].cells))
        for value, cells in ((0, above), (-2 * MAX_UNITS, grid.axes[second].full() & ~above)):
            if cells:
                leaves.append((value, {first: 1 << cell, second: cells}))
    return Bundle(sorted(leaves, key=lambda leaf: -leaf[0]), 0)


def can_follow(first: list, second: list) -> bool:
    """Whether some value of the second cell is not below some value of the first, or both may be missing."""
    lows, highs = [p[1] for p in first if p[0] == "numbers"], [p[2] for p in second if p[0] == "numbers"]
    return bool(lows and highs and min(lows) <= max(highs)) or (("missing",) in first and ("missing",) in second)


# Ledgers: of these, only the distance


class Ledger:
    """The cost of each cell: the distance of its nearest value in units of 2^e, rounded down; for L∞ its place among all."""

    def __init__(self, grid: Grid, exponent: int) -> None:
        within_scope(grid.statement.near.radius is not None, "a distance without a radius")
        demand(type(exponent) is int and abs(exponent) < 5000, "the exponent of a ledger")
        self.distance, self.grid = grid.statement.near, grid
        near, self.unit = self.distance, Fraction(2) ** exponent

        def nearest(axis: Axis) -> list:
            return [min((near.cost(axis.feature, piece) for piece in cell), default=INF) for cell in axis.cells]

        self.fixed = near.together([min(nearest(axis), default=INF) for axis in grid.axes[grid.count :]])
        demand(self.fixed < INF, "a feature without an axis cannot be reached")
        exact, beyond = [nearest(axis) for axis in grid.axes[: grid.count]], MAX_UNITS // (grid.count + 1)
        if near.norm == "linf":
            self.places = sorted({max(cost, self.fixed) for costs in exact for cost in costs} - {INF})
            place = {cost: place for place, cost in enumerate(self.places)}
            self.costs = [[place.get(max(cost, self.fixed), beyond) for cost in costs] for costs in exact]
            return
        self.costs = [[beyond if cost == INF else int(cost // self.unit) for cost in costs] for costs in exact]
        low, high = 0, MAX_UNITS
        while low < high:
            middle = (low + high + 1) // 2
            fits = sum(min(max(costs, default=0), middle) for costs in self.costs) <= MAX_UNITS
            low, high = (middle, high) if fits else (low, middle - 1)
        self.costs = [[min(cost, low) for cost in costs] for costs in self.costs]
        # No input of a cell that alone is too far away matters: such cells may cost as much as is needed to see it.
        for costs, sizes in zip(self.costs, exact):
            for cell, size in enumerate(sizes):
                if size + self.fixed > near.power(near.radius):
                    costs[cell] = max(int((near.power(near.radius) - self.fixed) // self.unit), -1) + 1

    def least(self, boxes: list, axis: int | None = None, cells: int = 0) -> int:
        """The least cost of a point of a region, perhaps with an axis confined to some cells."""
        kept = [cells if place == axis else boxes[place] for place in range(self.grid.count)]
        least = [min(costs[cell] for cell in bits(box)) for costs, box in zip(self.costs, kept)]
        return max(least, default=0) if self.distance.norm == "linf" else sum(least)

    def floors(self, boxes: list) -> list[int]:
        """The least cost of each axis in a region."""
        return [min((costs[cell] for cell in bits(box)), default=0) for costs, box in zip(self.costs, boxes)]

    def real(self, cost: int) -> Fraction | float:
        """The power of the distance that a cost stands for."""
        if self.distance.norm == "linf":
            return self.places[cost] if cost < len(self.places) else INF if self.places else self.fixed
        return cost * self.unit + self.fixed


# The log


class Bytes:
    """The bytes of a log."""

    def __init__(self, content: bytes) -> None:
        self.content, self.place = content, 0

    def take(self, count: int) -> int:
        """So many bytes as a number, the lowest first."""
        part = self.content[self.place : self.place + count]
        demand(len(part) == count, "the log is cut off")
        self.place += count
        return int.from_bytes(part, "little")

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                demand(value < 1 << 64, "a number of the log is too long")
                return value

    def signed(self) -> int:
        value = self.number()
        return value >> 1 ^ -(value & 1)


class Weighed:
    """A channel with weights: what a point loses of the plain bound for each cell of each axis, in units of 2^-16."""

    def __init__(self, log: "Log", case: int, boxes: list) -> None:
        source, self.ledger, self.leaves_of = log.bytes, log.ledger, None
        self.place = index(source.number(), len(log.cases[case]), "channel")
        self.channel: Channel = log.cases[case][self.place]
        bundles = self.channel.bundles
        best = [bundle.best(boxes) for bundle in bundles]
        self.plain, self.losses = self.channel.base + sum(best), {}
        for axis, bundle, units in log.shares(self.channel, by_axis=False):
            own = self.losses.setdefault(axis, {})
            for cell, value in bundles[bundle].best_by_cell(boxes, axis).items():
                own[cell] = own.get(cell, 0) + units * (best[bundle] - value)
        which = source.number()
        self.price = log.read_price(which - 1) if which else Fraction(0)
        self.floors = self.ledger.floors(boxes) if which else []
        self.near = source.number() - 1
        demand(self.near < 0 or (log.ledger and log.ledger.distance.norm == "linf"), "only a distance in L∞ is widened")

    def payment(self, axis: int, cell: int) -> int:
        # Capped: a payment that counts less than it is worth proves less.
        return min(int(self.price * (self.ledger.costs[axis][cell] - self.floors[axis])), 1 << 100)

    def bound(self, by_leaves: bool, boxes: list, axis: int | None = None, cells: int = 0) -> float:
        """The bound of the region, with an axis confined to some cells if that is said."""
        confined = [cells if place == axis else box for place, box in enumerate(boxes)]
        if not all(confined):
            return -INF
        value = self.plain
        if by_leaves and axis is not None:
            # No point of a cell has more than the best leaves that the cell reaches.
            self.leaves_of = self.leaves_of or boxes
            tables = [bundle.best_by_cell(self.leaves_of, axis) for bundle in self.channel.bundles]
            value = max(self.channel.base + sum(table[cell] for table in tables) for cell in bits(cells))
        if not by_leaves:
            # On each axis, every point loses at least what the cell loses that loses least.
            loss = sum(min(own[cell] for cell in bits(confined[place])) for place, own in self.losses.items())
            value = ((self.plain << 16) - loss) >> 16
        if value < (max(self.channel.least, 0) if self.ledger else self.channel.least):
            # There is no input; or none that reaches the goal, if the bound is of a distance.
            return -INF
        if not self.ledger:
            return value
        least = self.ledger.least(boxes)
        if self.price and not by_leaves:
            # Losses and payments beyond the plain bound were paid: the price tells the distance that is worth that.
            def worth(place: int, cell: int) -> int:
                return self.losses.get(place, {}).get(cell, 0) + self.payment(place, cell)

            axes = range(len(self.floors))
            paid = [min(worth(place, cell) for cell in bits(confined[place])) for place in axes]
            excess = sum(paid) - (self.plain << 16)
            least = max(least, sum(self.floors) + ceiling(excess / self.price) if excess > 0 else 0)
        if self.near >= 0 and not by_leaves:
            # If no point with only nearer cells reaches the goal, some cell costs as much as is said.
            near = [[cell for cell in bits(box) if costs[cell] < self.near] for box, costs in zip(confined, self.ledger.costs)]
            losses = [min(own[cell] for cell in near[place]) for place, own in self.losses.items() if near[place]]
            if not all(near) or (self.plain << 16) < sum(losses):
                least = max(least, self.near)
        return -least


class Log:
    """The regions of a log, depth first: each a case, a box and a bound. What is pruned leaves its largest bound."""

    def __init__(self, content: bytes, grid: Grid, cases: list, ledger: Ledger | None, claim: tuple) -> None:
        self.bytes, self.grid, self.cases, self.ledger, self.claim = Bytes(content), grid, cases, ledger, claim
        self.pruned, self.steps = -INF, 0
        full = [axis.full() for axis in grid.axes]
        self.open = [(case, list(full), INF) for case in reversed(range(len(cases)))]
        while self.bytes.place < len(content):
            demand(self.open, "the log goes on after its last region")
            self.record(*self.open.pop())
            self.steps += 1
        self.number = max([self.pruned, *(bound for *_, bound in self.open)])

    def shares(self, channel: Channel, by_axis: bool) -> list[tuple[int, int, int]]:
        """Axis, bundle and weight, in units of 2^-16; those of a bundle (of an axis, for tolls) sum to at most 1."""
        bundle, shares, spent = 0, [], Counter()
        for _ in range(self.bytes.number()):
            code = self.bytes.number()
            axis = index(code // 4, self.grid.count, "axis")
            bundle = index(bundle + (code % 4 if code % 4 < 3 else 3 + self.bytes.number()), len(channel.bundles), "bundle")
            shares.append((axis, bundle, self.bytes.take(2) + 1))
            spent[axis if by_axis else bundle] += shares[-1][2]
        demand(all(units <= 1 << 16 for units in spent.values()), "weights sum to more than 1")
        return shares

    def read_price(self, ledger: int) -> Fraction:
        demand(ledger == 0 and self.ledger, "there is no such ledger")
        demand(self.ledger.distance.norm != "linf", "costs that are no sums have no price")
        mantissa, exponent = self.bytes.number(), self.bytes.signed()
        # Any price is right: one that is too extreme to compute with is replaced.
        return mantissa * Fraction(2) ** max(-5000, min(exponent, 5000))

    def tolled(self, case: int, boxes: list) -> float:
        """The bound of a region by tolls: each leaf pays for the cheapest cells that lead to it."""
        channel = self.cases[case][index(self.bytes.number(), len(self.cases[case]), "channel")]
        shares: dict[int, list] = {}
        for axis, bundle, units in self.shares(channel, by_axis=True):
            shares.setdefault(bundle, []).append((axis, units))
        price = self.read_price(self.bytes.number())
        if not all(boxes):
            return -INF
        floors, value = self.ledger.floors(boxes), channel.base
        for place, bundle in enumerate(channel.bundles):
            after = []
            for own, box in bundle.leaves:
                if reaches(boxes, box):
                    toll = 0
                    for axis, units in shares.get(place, []):
                        cells = bits(box.get(axis, -1) & boxes[axis])
                        toll += units * (min(self.ledger.costs[axis][cell] for cell in cells) - floors[axis])
                    after.append(own - int(price * toll))
            value += max(after, default=bundle.least)
        # The value is at least 0 where the goal is reached: what is below 0 was paid beyond the least cost.
        least = self.ledger.least(boxes)
        if value >= 0:
            return -least
        return -(least + ceiling(Fraction(-value) / (price * (1 << 16)))) if price else -INF

    def prune(self, boxes: list, bound: float) -> None:
        if all(boxes):
            self.pruned = max(self.pruned, bound)

    def record(self, case: int, boxes: list, bound: float) -> None:
        demand(not any(channel.is_too_large for channel in self.cases[case]), "a base is 2^60 units or more")
        weighed: dict[int, Weighed] = {}
        while True:
            kind = self.bytes.number()
            if kind == 0:
                note = Weighed(self, case, boxes)
                weighed[note.place] = note
                bound = min(bound, note.bound(False, boxes))
            elif kind == 1:
                bound = min(bound, self.tolled(case, boxes))
            elif kind == 2:
                axis = index(self.bytes.number(), self.grid.count, "axis")
                low = self.bytes.number()
                kept = self.cells(axis, low, low + self.bytes.number(), self.special(axis))
                away = boxes[axis] & ~kept
                rest = boxes[:axis] + [away] + boxes[axis + 1 :]
                self.prune(rest, min(bound, self.reason(weighed, boxes, axis, away)))
                boxes = boxes[:axis] + [boxes[axis] & kept] + boxes[axis + 1 :]
            elif kind == 3:
                self.prune(boxes, min(bound, self.reason(weighed, boxes, None, 0)))
                return
            elif kind == 4:
                self.cut(case, boxes, bound, weighed)
                return
            else:
                within_scope(kind != 5, "refutations")
                raise Wrong(f"there is no note of kind {kind}")

    def special(self, axis: int) -> int:
        count = len(self.grid.axes[axis].cells) - self.grid.axes[axis].ordered
        return self.bytes.take((count + 63) // 64 * 8) & (1 << count) - 1

    def cells(self, axis: int, low: int, high: int, special: int) -> int:
        """The ordered cells from one to before another, and special cells."""
        ordered = self.grid.axes[axis].ordered
        return (1 << min(high, ordered)) - (1 << min(low, ordered)) | special << ordered

    def cut(self, case: int, boxes: list, bound: float, weighed: dict) -> None:
        open_parts, channel = self.bytes.number(), self.bytes.number()
        axis = index(self.bytes.number(), self.grid.count, "axis")
        ordered, count, place = self.grid.axes[axis].ordered, len(self.grid.axes[axis].cells), self.bytes.number()
        every_special = (1 << count - ordered) - 1
        if place == 0:
            first = self.cells(axis, 0, ordered, 0)
        elif place == 1:
            end = self.bytes.number()
            first = self.cells(axis, 0, end, self.special(axis))
        elif place % 2 == 0:
            first = self.cells(axis, 0, place // 2 - 1, every_special)
        else:
            first = 1 << min(ordered + place // 2 - 1, count)
        for part, cells in reversed([(0, boxes[axis] & first), (1, boxes[axis] & ~first)]):
            own = bound
            if channel:
                own = min(bound, self.bound_of(weighed, (channel - 1) // 2, channel % 2 == 0, boxes, axis, cells))
            region = (case, boxes[:axis] + [cells] + boxes[axis + 1 :], own)
            if open_parts >> part & 1:
                self.open.append(region)
            else:
                self.prune(region[1], own)

    @staticmethod
    def bound_of(weighed: dict, channel: int, *region: Any) -> float:
        demand(channel in weighed, "a channel was not weighed in this record")
        return weighed[channel].bound(*region)

    def reason(self, weighed: dict, boxes: list, axis: int | None, cells: int) -> float:
        """A bound on what is discarded: the region, or its points with some cells of an axis."""
        kind = self.bytes.number()
        confined = [cells if place == axis else box for place, box in enumerate(boxes)]
        which = self.bytes.number() if kind in (2, 3, 4, 5, 6) else 0
        demand(kind <= 6, f"there is no reason {kind}")
        if not all(confined):
            return INF
        demand(axis is None or kind > 1, "cells are removed without a reason")
        demand(axis is not None or kind not in (4, 5), "a region is closed by a channel")
        if kind == 0:
            return INF
        if kind in (4, 5):
            return self.bound_of(weighed, which, kind == 5, boxes, axis, cells)
        if kind == 1:
            return -INF if self.excluded(confined) else INF
        if kind == 2:
            demand(self.ledger and which == 0, "there is no such ledger")
            return -self.ledger.least(confined) if all(confined) else -INF
        if kind == 3:
            alone = [[1 << cell if place == axis else box for place, box in enumerate(boxes)] for cell in bits(cells)]
            demand(self.excluded(confined) or (axis is not None and all(map(self.excluded, alone))), "conditions exclude less")
            return -INF
        raise OutOfScope("listed regions")

    def excluded(self, boxes: list) -> bool:
        """Whether conditions, ties or the limit of the distance leave nothing of a box."""
        statement, axes = self.grid.statement, self.grid.axes
        boxes = list(boxes)
        for _ in range(16):
            before = list(boxes)
            for place, feature, domain in statement.conditions:
                axis = self.grid.axis_of[place, feature]
                boxes[axis] &= sum(any(map(domain.meets, cell)) << at for at, cell in enumerate(axes[axis].cells))
            for feature in [feature for feature, tie in enumerate(statement.ties) if tie == "not_below"]:
                first, second = (self.grid.axis_of[place, feature] for place in (0, 1))
                pairs = [(a, b) for a in bits(boxes[first]) for b in bits(boxes[second])]
                pairs = [(a, b) for a, b in pairs if can_follow(axes[first].cells[a], axes[second].cells[b])]
                boxes[first] = sum(1 << a for a in {a for a, _ in pairs})
                boxes[second] = sum(1 << b for b in {b for _, b in pairs})
            if not all(boxes):
                return True
            if boxes == before:
                break
        if self.misses(boxes):
            return True
        near = statement.near
        if near is None or near.radius is None:
            return False
        pieces = [[piece for cell in bits(box) for piece in axes[axis].cells[cell]] for axis, box in enumerate(boxes)]
        costs = [min((near.cost(axis.feature, piece) for piece in own), default=INF) for axis, own in zip(axes, pieces)]
        return near.together(costs) > near.power(near.radius)

    def misses(self, boxes: list) -> bool:
        """Whether all inputs of a box reach the same leaves, at which the library's own label misses the goal."""
        statement, labels = self.grid.statement, []
        if self.claim[0] == "infeasible" or variant(statement.goal, "a goal")[0] != "other_label" or not statement.models[0].fixed_order:
            return False
        for place in range(len(statement.inputs)) if statement.label is None else [len(statement.inputs) - 1]:
            leaves = []
            for tree, (_, terms) in enumerate(statement.models[0].trees):
                reached = [leaf for box, leaf in self.grid.boxes(0, tree, place) if reaches(boxes, box)]
                if len({terms[leaf] for leaf in reached}) != 1:
                    return False
                leaves.append(reached[0])
            labels.append(statement.labels.of(leaves))
        return labels[-1] == (labels[0] if statement.label is None else statement.label)


# The conclusion


def check_claim(claim: tuple, log: Log, unit: Fraction, offset: Fraction, statement: Statement) -> None:
    """Whether the claim follows from the bounds of all regions."""
    kind, least = claim[0], -log.number
    if kind == "infeasible":
        # With a distance, and for labels, what does not reach the goal is discarded, too: that proves less.
        demand(not log.ledger and log.pruned == -INF and not log.open, "some input may remain")
    elif log.ledger and kind in ("never", "not_nearer"):
        near = statement.near
        distance = INF if least == INF else log.ledger.real(max(least, 0) if least > -INF else 0)
        if kind == "not_nearer":
            demand(distance >= near.power(claim[1]), "the log does not prove the distance")
        else:
            demand(least == INF or near.radius is not None and distance > near.power(near.radius), "some input may reach the goal")
    elif kind == "never":
        proved = log.number * unit + offset if math.isfinite(log.number) else log.number
        demand(proved < 0, "some input may reach the goal")
    elif kind == "at_most":
        demand(variant(statement.goal, "a goal")[0] == "sums" and not log.ledger, "only sums have a bound")
        proved = log.number * unit + offset if math.isfinite(log.number) else log.number
        demand(proved <= claim[1], "the log proves less than is claimed")
    else:
        demand(kind in ("reached", "nothing"), f"the claim `{kind}` does not fit")


def check_witness(witness: Any, claim: tuple, statement: Statement, cases: list) -> None:
    """The witness is an input of the statement, and does not contradict the claim."""
    demand(claim[0] not in ("never", "infeasible"), "a claim that there is nothing has a witness")
    demand(isinstance(witness, list) and len(witness) == len(statement.inputs), "the witness has another number of inputs")
    readings, values = [], []
    for place, rows in enumerate(witness):
        demand(len(rows) == len(statement.models), "the witness has another number of models")
        rows = [[number(value) for value in row] for row in rows]
        demand(all(len(row) == len(model.features) for row, model in zip(rows, statement.models)), "a row of the witness does not fit")
        readings.append([[model.read(f, value) for f, value in enumerate(row)] for row, model in zip(rows, statement.models)])
        values.append([])
        for feature, readers in enumerate(statement.readers):
            pieces = set()
            for m, f in readers:
                reading = readings[-1][m][f]
                pieces.add(("numbers", rows[m][f], rows[m][f]) if isinstance(reading, float) else piece_of(reading))
            demand(len(pieces) == 1, f"the models see different values of {statement.names[feature]}")
            values[-1] += pieces
            is_allowed = statement.inputs[place][feature].allows(values[-1][-1])
            demand(is_allowed, f"the witness has a value of {statement.names[feature]} that is not allowed")
    for place, feature, domain in statement.conditions:
        demand(domain.allows(values[place][feature]), "the witness meets not all conditions")
    for first, second, tie in zip(values[0], values[-1], statement.ties):
        demand(tie != "same" or first == second, "the witness differs in a feature that is the same")
        demand(tie != "not_below" or can_follow([first], [second]), "the witness falls in a feature that must not")
    distance = statement.near and statement.near.together([statement.near.cost(f, piece) for f, piece in enumerate(values[0])])
    if statement.near and statement.near.radius is not None:
        demand(distance <= statement.near.power(statement.near.radius), "the witness is too far away")
    leaves = [[model.reached(row) for model, row in zip(statement.models, rows)] for rows in readings]
    if claim[0] == "at_most":
        def margin(model: int, place: int, output: int) -> Fraction:
            terms = [statement.models[model].leaf_value(tree, leaf, output) for tree, leaf in enumerate(leaves[place][model])]
            return sum(terms, statement.models[model].exact_base(output))

        def value(terms: list, constant: Fraction) -> Fraction:
            return sum(((-1 if negated else 1) * margin(m, place, output) for m, place, output, negated in terms), constant)

        sums = [[value(*total) for total in case] for case in cases]
        demand(max(map(min, sums)) <= claim[1], "the witness exceeds the bound")
        return
    within_scope(variant(statement.goal, "a goal")[0] != "sums", "a witness that reaches a goal of sums")
    if variant(statement.goal, "a goal")[0] == "other_label":
        last = statement.labels.of(leaves[-1][0])
        other = statement.label if statement.label is not None else statement.labels.of(leaves[0][0])
        demand(last != other, "the witness does not reach the goal")
        demand(claim[0] != "not_nearer" or distance >= statement.near.power(claim[1]), "the witness is nearer than is claimed")


def check_statement(parts: dict, models: list[Model]) -> str:
    """Verifies one section; the claim in words."""
    demand(set(parts) >= {b"H", b"C"}, "a section has no header or no conclusion")
    header = fields(
        parse_json(inflate(parts[b"H"])), "the header", "statement axes unit offset bundles", name="", place=[], models=None, ledgers=[]
    )
    demand(isinstance(header.name, str), "a name is no text")
    demand(all(index(part, 1 << 64, "place") >= 0 for part in header.place), "a place is no number")
    conclusion = fields(parse_json(parts[b"C"]), "the conclusion", "claim", witness=None, listed=[])
    within_scope(not conclusion.listed, "listed regions")
    if header.models is not None:
        models = [models[index(place, len(models), "model")] for place in header.models]
    kind, value = variant(conclusion.claim, "the claim")
    claim = (kind, value if value is None else number(value))
    demand(value is None or not math.isnan(claim[1]), "the claim is no number")
    if kind == "not_nearer":
        within_scope(claim[1] < INF, "an infinite distance")
        demand(claim[1] >= 0, "a distance is negative")
        claim = (kind, Fraction(claim[1]))
    statement = Statement(header.statement, models)
    demand(kind != "not_nearer" or statement.near, "there is no distance")
    grid, unit, offset = Grid(header, statement), exact(header.unit), exact(header.offset)
    demand(unit > 0, "the unit is not positive")
    ledger = None
    for value in header.ledgers:
        which, content = variant(value, "a ledger")
        within_scope(which == "distance" and ledger is None, f"the ledger `{which}`")
        demand(statement.near, "there is no distance")
        ledger = Ledger(grid, content)
    cases = statement.cases()
    demand([len(sums) for sums in header.bundles] == [len(case) for case in cases] and all(cases), "bundles are for other sums")
    channels = [
        [Channel(grid, total, bundles, unit, offset, ledger) for total, bundles in zip(case, sums)]
        for case, sums in zip(cases, header.bundles)
    ]
    log = Log(bytes(parts.get(b"L", b"")), grid, channels, ledger, claim)
    check_claim(claim, log, unit, offset, statement)
    demand(kind != "reached" or conclusion.witness, "the witness is missing")
    if conclusion.witness is not None:
        check_witness(conclusion.witness, claim, statement, cases)
    return in_words(claim, statement, log.steps)


def in_words(claim: tuple, statement: Statement, steps: int) -> str:
    """The claim and the inputs that it covers."""
    within_scope(claim not in (("at_most", INF), ("not_nearer", 0)) and claim[0] != "nothing", "a statement that claims nothing")
    claims = {
        "at_most": "the number in question is at most {}", "never": "no input reaches the goal", "infeasible": "there is no input",
        "not_nearer": "no input that reaches the goal is nearer than {}", "reached": "the witness reaches the goal",
    }  # fmt: skip
    value = float(claim[1]) if len(claim) > 1 and claim[1] is not None else None
    lines = [f"{claims[claim[0]].format(value)} ({steps} steps checked); the goal is {json.dumps(statement.goal)}"]
    if statement.near:
        near = statement.near
        factors, radius = [float(factor) for factor in near.factors], near.radius and float(near.radius)
        lines.append(f"within {radius} of {near.reference} in {near.norm} with the factors {factors}")
    for place, domains in enumerate(statement.inputs):
        for name, tie, domain in zip(statement.names, statement.ties, domains):
            values = ", ".join(" ".join(map(str, piece)) for piece in domain.pieces())
            lines.append(f"input {place}, {json.dumps(name)} ({tie}): {values or 'nothing'}")
    return "\n    ".join(lines + [f"condition: {condition}" for condition in statement.conditions])


def check(proof: str, files: list[str]) -> list[str]:
    """The claims of a proof in words."""
    contents = []
    for file in [proof, *files]:
        try:
            with open(file, "rb") as source:
                contents.append(source.read())
        except OSError as error:
            raise Unreadable(str(error)) from None
    manifest, sections = read_file(contents[0])
    manifest = fields(manifest, "the manifest", "question models")
    demand(len(manifest.models) == len(files), f"it is about {len(manifest.models)} models")
    models = []
    for value, content in zip(manifest.models, contents[1:]):
        value = fields(value, "a model", "name sha256", options={})
        demand(value.sha256 == hashlib.sha256(content).hexdigest(), f"the file is not the model {json.dumps(value.name)}")
        options = fields(value.options, "options", "", api="sklearn", missing_value=None, dump=None, catboost_json_reader=None)
        within_scope(set(value.options) <= {"api"}, "options of reading other than `api`")
        models.append(read_model(content, options.api))
    demand(sections, "the proof has no statement")
    claims = []
    for place, parts in sorted(sections.items()):
        try:
            claims.append(check_statement(parts, models))
        except Wrong as error:
            raise Wrong(f"statement {place}: {error}") from None
    return claims


def verdict(proof: str, files: list[str]) -> tuple[int, list[str]]:
    """The exit code, and what is printed."""
    try:
        return 0, ["valid: every step follows from the model", *check(proof, files)]
    except OutOfScope as error:
        return 3, [f"out of scope: {error}"]
    except Unreadable as error:
        return 2, [f"cannot be read: {error}"]
    except (Wrong, TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError) as error:
        return 1, [f"invalid: {error}"]


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    code, lines = verdict(sys.argv[1], sys.argv[2:])
    print(*lines, sep="\n  ")
    return code


if __name__ == "__main__":
    sys.exit(main())
