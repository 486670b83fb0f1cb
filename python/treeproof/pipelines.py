"""Description of fitted scikit-learn pipelines whose last step is a tree model.

The steps before the model are read, not run: their fitted numbers and categories become plain data beside the model, in
the document that ``docs/format.md`` describes. treeproof carries the model over to the columns that the pipeline takes, so
that questions and answers speak of these. What cannot be carried exactly is refused with the name of its step.

    >>> from treeproof import pipelines
    >>> pipelines.save(pipeline, "pipeline.json")
"""

from __future__ import annotations

import base64
import gzip
import json
import math
import numbers
import os
from typing import Any, Iterable, Sequence

import numpy as np
from sklearn import compose, feature_selection, impute, pipeline as skl_pipeline, preprocessing

from . import _native, adapters, scikit_learn

Document = dict[str, Any]


def save(pipeline: Any, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Writes a fitted pipeline to a file; a name that ends in ``.gz`` is compressed. A file there is overwritten if it is such
    a file, or with ``force``."""
    content = to_bytes(pipeline)
    if os.fspath(path).endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    _native.write_file(path, content, "model", force, [])


def to_bytes(pipeline: Any) -> bytes:
    """The content of such a file."""
    return json.dumps(describe(pipeline), separators=(",", ":"), allow_nan=False).encode()


def describe(pipeline: Any) -> Document:
    """The document of a fitted pipeline, ready for ``json.dumps``.

    Raises ``TypeError`` for a step that treeproof does not know, and ``ValueError`` for one that it knows with an option that
    cannot be carried exactly.
    """
    if not isinstance(pipeline, skl_pipeline.Pipeline):
        raise TypeError(f"{type(pipeline).__name__} is not a scikit-learn Pipeline")
    if scikit_learn._VERSION < (1, 6):
        raise ValueError("pipelines can be described with scikit-learn 1.6 or newer")
    adapters.library_of(pipeline)
    name, model = pipeline.steps[-1]
    model = adapters.chosen(model)
    columns = _columns(pipeline)
    if isinstance(model, skl_pipeline.Pipeline):
        inner = describe(model)
        return inner | {"columns": columns, "steps": _steps_of(pipeline.steps[:-1], "") + inner["steps"]}
    if model is None or isinstance(model, str):
        raise TypeError(f"step `{name}`: the last step must be a tree model, not {model!r}")
    steps = _steps_of(pipeline.steps[:-1], "")
    return {"treeproof_pipeline": 1, "columns": columns, "steps": steps} | _model(name, model, _hands_on_sparse(steps))


def _columns(pipeline: Any) -> list[str] | int:
    """The names of the columns, or their number where they have none."""
    for _, step in pipeline.steps:
        if hasattr(step, "n_features_in_"):
            names = getattr(step, "feature_names_in_", None)
            return int(step.n_features_in_) if names is None else [str(name) for name in names]
    raise ValueError("this pipeline is not fitted; call fit first")


# The model.


def _model(name: str, model: Any, is_sparse: bool) -> Document:
    """The model in treeproof's own format, or the file of its library."""
    try:
        library = adapters.library_of(model)
    except ValueError as error:
        raise ValueError(f"step `{name}`: {error}") from error
    if library == "xgboost":
        parts = _taken(name, model)
        content: Document = {"file": _text(parts.content)}
        missing = parts.options.get("missing_value")
        return content if missing is None else content | {"missing_value": _finite(missing, f"step `{name}`: missing")}
    if library == "lightgbm":
        parts = _taken(name, model)
        content, classes = {"file": _text(parts.content)}, parts.options.get("class_names")
        return content if classes is None else content | {"classes": classes}
    if library == "catboost":
        if is_sparse:
            raise ValueError(f"step `{name}`: CatBoost given sparse data; make the step before it dense (sparse_output=False, sparse_threshold=0)")
        if model.get_cat_feature_indices():
            what = "holds hashes of its categories, not their names; encode them in a step before, without cat_features"
            raise ValueError(f"step `{name}`: this {type(model).__name__} {what}")
        return {"file": _text(_taken(name, model).content)}
    try:
        document = scikit_learn.to_document(model)
    except (TypeError, ValueError) as error:
        raise type(error)(f"step `{name}`: {error}") from error
    if is_sparse:
        from scipy import sparse

        document["input"]["accepts_missing"] = scikit_learn._accepts(model, np.nan, sparse.csr_matrix)
        # Of sparse data scikit-learn's trees compare NaN like any number: it is not at most the threshold.
        for tree in document["trees"]:
            tree["missing_left"] = [0] * len(tree["missing_left"])
    return {"model": document}


def _taken(name: str, model: Any) -> adapters.Parts:
    """The model of a step, as it is taken apart when it is on its own."""
    try:
        return adapters.taken(model)
    except ValueError as error:
        raise ValueError(f"step `{name}`: {error}") from error


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _hands_on_sparse(steps: Sequence[Document]) -> bool:
    """Whether the last of some steps leaves out zeros."""
    for step in reversed(steps):
        ((action, content),) = step["do"].items()
        if action == "one_hot":
            return bool(content["sparse"])
        if action == "union":
            parts = content["parts"]
            return content["sparse"] if "sparse" in content else any(_hands_on_sparse(part["steps"]) for part in parts)
        if action != "select":
            return False
    return False


# Steps.


def _steps_of(steps: Iterable[tuple[str, Any]], path: str) -> list[Document]:
    """The steps of a list of names and transformers, in order; ``path`` says where the list is."""
    return [document for name, step in steps for document in _steps(step, f"{path}{name}")]


def _steps(step: Any, path: str) -> list[Document]:
    """What one transformer does, as a list of steps."""
    if step is None or isinstance(step, str) and step == "passthrough":
        return []
    if hasattr(step, "fit_resample"):
        # In pipelines of imbalanced-learn, the only ones that have such steps, these act while fitting alone.
        return []
    name = f"{path} ({type(step).__name__})"
    if isinstance(step, skl_pipeline.Pipeline):
        return _steps_of(step.steps, f"{path} > ")
    describers = {
        preprocessing.StandardScaler: _standard_scaler,
        preprocessing.RobustScaler: _robust_scaler,
        preprocessing.MaxAbsScaler: _max_abs_scaler,
        preprocessing.MinMaxScaler: _min_max_scaler,
        impute.SimpleImputer: _imputer,
        preprocessing.OneHotEncoder: _one_hot,
        preprocessing.OrdinalEncoder: _ordinal,
        preprocessing.FunctionTransformer: _identity,
        compose.ColumnTransformer: _column_transformer,
        skl_pipeline.FeatureUnion: _feature_union,
    }
    # A subclass may do anything.
    describer = describers.get(type(step))
    if describer is None and isinstance(step, feature_selection.SelectorMixin) and _selects(step):
        describer = _selector
    if describer is None:
        known = ", ".join(sorted(kind.__name__ for kind in describers))
        raise TypeError(f"step `{name}`: not a step that can be carried exactly; those are {known}, passthrough and drop")
    action = describer(step, name)
    return [] if action is None else [{"name": name, "do": action}]


def _finite(value: Any, what: str) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{what} is {number}, not a finite number")
    return number


def _each(values: Any, name: str, what: str) -> list[float]:
    return [_finite(value, f"step `{name}`: {what} of column {column}") for column, value in enumerate(values)]


def _standard_scaler(step: Any, name: str) -> Document:
    content = {}
    if step.with_mean:
        content["subtract"] = _each(step.mean_, name, "the mean")
    if step.with_std:
        content["divide"] = _each(step.scale_, name, "the scale")
    return {"scale": content}


def _robust_scaler(step: Any, name: str) -> Document:
    content = {}
    if step.with_centering:
        content["subtract"] = _each(step.center_, name, "the centre")
    if step.with_scaling:
        content["divide"] = _each(step.scale_, name, "the scale")
    return {"scale": content}


def _max_abs_scaler(step: Any, name: str) -> Document:
    content: Document = {"divide": _each(step.scale_, name, "the scale")}
    return {"scale": content | ({"clip": [-1.0, 1.0]} if getattr(step, "clip", False) else {})}


def _min_max_scaler(step: Any, name: str) -> Document:
    content: Document = {"multiply": _each(step.scale_, name, "the scale"), "add": _each(step.min_, name, "the minimum")}
    if step.clip:
        content["clip"] = [_finite(end, f"step `{name}`: the end of feature_range") for end in step.feature_range]
    return {"stretch": content}


def _identity(step: Any, name: str) -> None:
    if step.func is not None:
        raise ValueError(f"step `{name}`: a function of your own cannot be carried; only func=None can")


def _selects(step: Any) -> bool:
    """Whether a selector hands on columns as they are."""
    mixin = feature_selection.SelectorMixin
    return type(step).transform is mixin.transform and type(step)._transform is mixin._transform


def _selector(step: Any, name: str) -> Document:
    from sklearn.utils import get_tags

    return {"select": {"columns": step.get_support(indices=True).tolist(), "finite": not get_tags(step).input_tags.allow_nan}}


def _imputer(step: Any, name: str) -> Document:
    if getattr(step, "indicator_", None) is not None and step.indicator_.features != "missing-only":
        raise ValueError(f"step `{name}`: indicators of other than missing values")
    statistics = np.asarray(step.statistics_)
    is_dropped = [not step.keep_empty_features and value != value for value in statistics]
    # The library casts what it fills in to the type that it was fitted on.
    kind = getattr(step, "_fill_dtype", statistics.dtype)
    fill = [
        None if dropped else _value(np.asarray([value], dtype=statistics.dtype).astype(kind)[0], name)
        for value, dropped in zip(statistics, is_dropped)
    ]
    indicators = step.indicator_.features_.tolist() if step.add_indicator else []
    return {"impute": {"missing": _value(step.missing_values, name), "fill": fill, "indicators": indicators}}


def _value(value: Any, name: str) -> Any:
    """A value that a step knows: a number, a text, a truth value, or one of two ways to be missing."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None:
        return {"missing": "none"}
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, numbers.Real):
        if value != value:
            return {"missing": "nan"}
        if float(value) != value or not math.isfinite(float(value)):
            raise ValueError(f"step `{name}`: {value} is not a finite double")
        return float(value)
    raise ValueError(f"step `{name}`: {value!r} is a {type(value).__name__}, neither number nor text")


def _is_single(step: Any, name: str) -> bool:
    """Whether a step hands on ``f32``; whole numbers are as good as doubles."""
    dtype = np.dtype(step.dtype)
    if dtype.kind in "iub" and dtype.itemsize >= 4 or dtype in (np.dtype(np.float64), np.dtype(np.float32)):
        return bool(dtype == np.dtype(np.float32))
    raise ValueError(f"step `{name}`: dtype {dtype}; use float64, float32, int64 or int32")


def _one_hot(step: Any, name: str) -> Document:
    if step.handle_unknown not in ("error", "ignore", "infrequent_if_exist", "warn"):
        raise ValueError(f"step `{name}`: handle_unknown={step.handle_unknown!r}")
    groups_unknown = step.handle_unknown in ("infrequent_if_exist", "warn")
    dropped = step._drop_idx_after_grouping
    columns = []
    for column, (categories, places) in enumerate(zip(step.categories_, _grouped(step))):
        drop = None if dropped is None or dropped[column] is None else int(dropped[column])
        # What comes after a dropped output moves up.
        outputs = [None if place == drop else place - (drop is not None and place > drop) for place in places]
        infrequent = step._infrequent_indices[column] if step._infrequent_enabled else None
        columns.append({
            "categories": [_value(value, name) for value in categories],
            "outputs": outputs,
            "num_outputs": int(step._n_features_outs[column]),
            "refuse_unknown": step.handle_unknown == "error",
            "unknown_output": outputs[infrequent[0]] if groups_unknown and infrequent is not None else None,
        })
    return {"one_hot": {"columns": columns, "sparse": bool(step.sparse_output), "single": _is_single(step, name)}}


def _grouped(step: Any) -> list[list[int]]:
    """For each category of each column its place after rare ones were put together."""
    mappings = step._default_to_infrequent_mappings if step._infrequent_enabled else [None] * len(step.categories_)
    places = []
    for categories, mapping in zip(step.categories_, mappings):
        own = list(range(len(categories)))
        if mapping is not None:
            # An ordinal encoder leaves NaN, the last, out of the groups.
            own[: len(mapping)] = [int(place) for place in mapping]
        places.append(own)
    return places


def _ordinal(step: Any, name: str) -> Document:
    columns = []
    for column, (categories, places) in enumerate(zip(step.categories_, _grouped(step))):
        codes: list[Any] = list(places)
        if column in step._missing_indices:
            codes[step._missing_indices[column]] = _code(step.encoded_missing_value)
        known: Document = {"categories": [_value(value, name) for value in categories], "codes": codes}
        if step.handle_unknown == "use_encoded_value":
            known["unknown"] = _code(step.unknown_value)
        elif step.handle_unknown != "error":
            raise ValueError(f"step `{name}`: handle_unknown={step.handle_unknown!r}")
        columns.append(known)
    return {"ordinal": {"columns": columns, "single": _is_single(step, name)}}


def _code(value: Any) -> int | str:
    return "nan" if value != value else int(value)


def _column_transformer(step: Any, name: str) -> Document:
    if step.transformer_weights:
        raise ValueError(f"step `{name}`: transformer_weights")
    path = name.removesuffix(" (ColumnTransformer)")
    parts = []
    for part, transformer, _ in step.transformers_:
        columns = [int(column) for column in step._transformer_to_input_indices[part]]
        if columns and not (isinstance(transformer, str) and transformer == "drop"):
            parts.append({"columns": columns, "steps": _steps(transformer, f"{path} > {part}")})
    return {"union": {"parts": parts, "sparse": bool(step.sparse_output_)}}


def _feature_union(step: Any, name: str) -> Document:
    if step.transformer_weights:
        raise ValueError(f"step `{name}`: transformer_weights")
    path = name.removesuffix(" (FeatureUnion)")
    columns = list(range(int(step.n_features_in_)))
    parts = [
        {"columns": columns, "steps": _steps(transformer, f"{path} > {part}")}
        for part, transformer in step.transformer_list
        if not (isinstance(transformer, str) and transformer == "drop")
    ]
    return {"union": {"parts": parts}}
