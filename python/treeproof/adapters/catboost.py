"""CatBoost: its JSON file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from treeproof.adapters import Parts
from treeproof.errors import ModelError


def take(model: Any) -> Parts:
    """The model's JSON file. The names of categories are in it only where the model still has them."""
    name = type(model).__name__
    if not hasattr(model, "save_model"):
        raise ModelError(f"a catboost {name} is no model; give a fitted CatBoost object")
    if not model.is_fitted():
        raise ModelError(f"this {name} is not fitted; call fit first")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        return Parts(path.read_bytes(), name)
