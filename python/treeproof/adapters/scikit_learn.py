"""scikit-learn: its arrays, written as treeproof's own JSON; pipelines with the steps before their model."""

from __future__ import annotations

import json
from typing import Any

from treeproof import scikit_learn
from treeproof.adapters import Parts
from treeproof.errors import ModelError


def take(model: Any) -> Parts:
    """The document that holds the estimator's arrays, to the last bit."""
    try:
        document = _document(model)
    except (TypeError, ValueError) as error:
        raise ModelError(str(error)) from error
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    return Parts(text.encode(), type(model).__name__)


def _document(model: Any) -> dict[str, Any]:
    from sklearn.pipeline import Pipeline

    if isinstance(model, Pipeline):
        from treeproof import pipelines

        return pipelines.describe(model)
    return scikit_learn.to_document(model)
