"""XGBoost: boosters and the scikit-learn interface."""

from __future__ import annotations

import math
from typing import Any

from treeproof.adapters import Parts
from treeproof.errors import ModelError


def take(model: Any) -> Parts:
    """The booster's own bytes; the prediction path is the object's own."""
    name = type(model).__name__
    if not hasattr(model, "get_booster"):
        if not hasattr(model, "save_raw"):
            raise ModelError(f"an xgboost {name} is no model; give a Booster or a fitted XGBModel")
        return Parts(bytes(model.save_raw("ubj")), name, {"api": "booster"})
    try:
        booster = model.get_booster()
    except Exception as error:  # The library's own type of error would have to be imported.
        raise ModelError(f"this {name} is not fitted; call fit first") from error
    options: dict[str, Any] = {"api": "sklearn"}
    missing = getattr(model, "missing", None)
    if missing is not None and not math.isnan(missing):
        options["missing_value"] = float(missing)
    return Parts(bytes(booster.save_raw("ubj")), name, options)
