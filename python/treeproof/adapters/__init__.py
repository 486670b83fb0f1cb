"""Fitted objects of other libraries: each hands over its own bytes.

Which library an object belongs to is seen by the module of its class, so no library is imported that is not in use.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from treeproof.errors import ModelError


@dataclass(frozen=True)
class Parts:
    """A model as it is read: the bytes of a file, what it is called, and what the bytes do not say."""

    content: bytes
    name: str
    options: dict[str, Any] = field(default_factory=dict)


# By the first part of the name of a class's module: the module here that takes its objects apart.
_ADAPTERS = {
    "xgboost": "xgboost",
    "lightgbm": "lightgbm",
    "catboost": "catboost",
    "_catboost": "catboost",
    "sklearn": "scikit_learn",
}

# The oldest versions whose objects hand over all that they predict with, and predict as their files say; `scripts/soak` tests
# these. XGBoost before 1.4 adds up otherwise, and wrappers of 1.5 leave out trees where a round grows several. LightGBM before
# 2.3 keeps the names of categories to itself. Of the other two, older ones do not install where this package does.
OLDEST = {"xgboost": (1, 6), "lightgbm": (2, 3), "catboost": (1, 2), "sklearn": (1, 1)}


# What a model says is what its library's methods of these names compute.
_METHODS = ("predict", "predict_proba", "decision_function", "score_samples")
# Libraries whose own methods of these names do the same: imbalanced-learn's pipelines leave out what only resamples.
_ALIKE = {"sklearn", "imblearn"}


def taken(model: Any, pool: Any = None) -> Parts:
    """Takes a fitted object apart. ``pool`` is data that some libraries need to name categories."""
    model = chosen(model)
    library = library_of(model)
    if library is None:
        kind = f"{type(model).__module__}.{type(model).__qualname__}".removeprefix("builtins.")
        known_kinds = "a path, bytes, or a fitted xgboost, lightgbm, catboost or scikit-learn object"
        raise ModelError(f"{_worded(model, kind)} is no model; give {known_kinds}")
    if is_older(library, OLDEST[library]):
        raise too_old(model, library, OLDEST[library], "too old to be read exactly")
    adapter = _ADAPTERS[library]
    take: Callable[..., Parts] = import_module(f"treeproof.adapters.{adapter}").take
    if pool is not None and adapter != "catboost":
        raise ModelError(f"pool is for CatBoost models, not for a {type(model).__name__}")
    return take(model) if pool is None else take(model, pool)


def _worded(model: Any, kind: str) -> str:
    if isinstance(model, type):
        return f"the class {model.__name__} itself"
    return "None" if model is None else f"this {kind}"


def chosen(model: Any) -> Any:
    """The model that a search over parameters has chosen, which is what it predicts with; else the model itself."""
    while not isinstance(model, type) and hasattr(model, "best_estimator_"):
        model = model.best_estimator_
    return model


def library_of(model: Any) -> str | None:
    """The library that an object belongs to. A class derived from a library's is that library's, unless it predicts otherwise."""
    kinds = type(model).__mro__
    roots = [kind.__module__.partition(".")[0] for kind in kinds]
    known = next((place for place, root in enumerate(roots) if root in _ADAPTERS), None)
    if known is None:
        return None
    for name in _METHODS:
        place = next((place for place, kind in enumerate(kinds) if name in vars(kind)), known)
        if place < known and roots[place] not in _ALIKE:
            base = kinds[known].__name__
            what = f"a {type(model).__name__} has a `{name}` of its own, so it need not say what its trees do"
            raise ModelError(f"{what}; give the fitted {base} that it is made of")
    return roots[known].removeprefix("_")


def is_older(library: str, version: tuple[int, ...]) -> bool:
    """Whether the imported library is older than a version."""
    told = str(getattr(sys.modules.get(library), "__version__", ""))
    # What follows a number, as in 3.3rc1, does not count.
    numbers = tuple(int(part) for part in re.findall(r"(?:^|(?<=\.))\d+", told)[: len(version)])
    return bool(numbers) and numbers < version


def too_old(model: Any, library: str, oldest: tuple[int, ...], why: str) -> ModelError:
    """What is said about an object of a library that is too old."""
    needed = ".".join(map(str, oldest))
    told = f"this {type(model).__name__} is of {library} {sys.modules[library].__version__}"
    return ModelError(f"{told}, {why}; fit it with {library} {needed} or newer")


def plain(value: Any) -> int | bool | str:
    """A class label as JSON has it: whole floats become integers, other things their text."""
    item = value.item() if hasattr(value, "item") else value
    if isinstance(item, float) and item.is_integer():
        return int(item)
    return item if isinstance(item, (bool, int, str)) else str(item)
