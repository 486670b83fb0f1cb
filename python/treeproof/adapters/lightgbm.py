"""LightGBM: boosters and the scikit-learn interface."""

from __future__ import annotations

from typing import Any

from treeproof.adapters import Parts, plain
from treeproof.errors import ModelError


def take(model: Any) -> Parts:
    """The text of the model's file, up to the iteration that ``predict`` uses."""
    name = type(model).__name__
    options: dict[str, Any] = {"api": "sklearn"}
    booster = model
    if hasattr(model, "get_params"):
        if getattr(model, "_Booster", None) is None:
            raise ModelError(f"this {name} is not fitted; call fit first")
        booster = model.booster_
        if (classes := getattr(model, "classes_", None)) is not None:
            options["class_names"] = [plain(value) for value in classes]
    if not hasattr(booster, "model_to_string"):
        raise ModelError(f"a lightgbm {name} is no model; give a Booster or a fitted LGBMModel")
    return Parts(booster.model_to_string().encode(), name, options)
