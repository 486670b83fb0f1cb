"""CatBoost: its JSON file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from treeproof.adapters import Parts
from treeproof.errors import ModelError


def take(model: Any, pool: Any = None) -> Parts:
    """The model's JSON file. CatBoost keeps hashes of categories: their names are those of a pool, such as the training data's."""
    name = type(model).__name__
    if not hasattr(model, "save_model"):
        raise ModelError(f"a catboost {name} is no model; give a fitted CatBoost object")
    if not model.is_fitted():
        raise ModelError(f"this {name} is not fitted; call fit first")
    if pool is None and model.get_cat_feature_indices():
        what = "holds hashes of its categories, not their names: give load the training data, as pool=Pool(…)"
        raise ModelError(f"this {name} {what}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json", pool=pool)
        return Parts(path.read_bytes(), name)
