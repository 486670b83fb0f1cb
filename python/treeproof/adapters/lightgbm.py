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
    if hasattr(type(model), "booster_"):
        if getattr(model, "_Booster", None) is None:
            raise ModelError(f"this {name} is not fitted; call fit first")
        if model.get_params().get("pred_early_stop") not in (None, False, 0, "false", "-"):
            raise ModelError(f"this {name} has pred_early_stop, which leaves trees out row by row; set it to False")
        booster = model.booster_
        classes = getattr(model, "classes_", None)
        if classes is not None and len(classes) < 2:
            raise ModelError(f"this {name} was fitted on a single class; there is nothing to ask about")
        # With an objective of one's own the library gives scores, and no labels.
        if classes is not None and not callable(model.objective_):
            options["class_names"] = [plain(value) for value in classes]
    if not hasattr(booster, "model_to_string"):
        raise ModelError(f"a lightgbm {name} is no model; give a Booster or a fitted LGBMModel")
    return Parts(booster.model_to_string().encode(), name, options)
