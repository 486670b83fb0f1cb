"""XGBoost: boosters and the scikit-learn interface."""

from __future__ import annotations

import json
import math
from typing import Any

from treeproof.adapters import Parts, is_older, too_old
from treeproof.errors import ModelError

# Before this, categories that a split does not know went another way, and files do not tell.
_CATEGORIES = (1, 7, 3)


def take(model: Any) -> Parts:
    """The booster's own bytes; the prediction path is the object's own."""
    name = type(model).__name__
    if not hasattr(model, "get_booster"):
        if not hasattr(model, "save_raw"):
            raise ModelError(f"an xgboost {name} is no model; give a Booster or a fitted XGBModel")
        return Parts(_content(model), name, {"api": "booster"})
    try:
        booster = model.get_booster()
    except Exception as error:  # The library's own type of error would have to be imported.
        raise ModelError(f"this {name} is not fitted; call fit first") from error
    options: dict[str, Any] = {"api": "sklearn"}
    missing = getattr(model, "missing", None)
    if missing is not None and not math.isnan(missing):
        options["missing_value"] = repr(float(missing))
    return Parts(_content(booster), name, options)


def _content(booster: Any) -> bytes:
    """The file of a booster that predicts as files say."""
    if is_older("xgboost", _CATEGORIES) and _has_categories(booster):
        raise too_old(booster, "xgboost", _CATEGORIES, "which reads categories differently from later versions")
    try:
        return bytes(booster.save_raw("ubj"))
    except Exception as error:  # As above; its text has a stack trace.
        raise ModelError(f"this {type(booster).__name__} cannot be saved; train it first") from error


def _has_categories(booster: Any) -> bool:
    """Whether a split looks at a category."""
    gradient_booster = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]
    trees = gradient_booster.get("gbtree", gradient_booster)["model"].get("trees", [])
    return any(tree.get("categories") for tree in trees)
