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
    for kind, places in (("text", model.get_text_feature_indices()), ("embedding", model.get_embedding_feature_indices())):
        if places:
            raise ModelError(f"this {name} has {kind} features, of which its trees see numbers that CatBoost makes up; fit it without")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        try:
            model.save_model(str(path), format="json", pool=pool)
        except Exception as error:  # The library's own type of error would have to be imported.
            raise ModelError(f"this {name} cannot be saved: {' '.join(str(error).split())}") from error
        return Parts(path.read_bytes(), name)
