"""Estimators of scikit-learn that are no tree ensembles, but may be made of some: what to ask about instead."""

from __future__ import annotations

from typing import Any

# By the name of the class.
_INSTEAD = {
    "CalibratedClassifierCV": "changes the scores of its classifiers; load one of them, as calibrated_classifiers_[0].estimator",
    "TransformedTargetRegressor": "turns the output of its regressor into another; load regressor_, and ask about that output",
    "FixedThresholdClassifier": "is its estimator_ with another threshold; load that, and give questions the threshold",
    "TunedThresholdClassifierCV": "is its estimator_ with another threshold; load that, and give questions best_threshold_",
    "GridSearchCV": "has chosen no model; fit it, with refit=True",
    "RandomizedSearchCV": "has chosen no model; fit it, with refit=True",
    "HalvingGridSearchCV": "has chosen no model; fit it, with refit=True",
    "HalvingRandomSearchCV": "has chosen no model; fit it, with refit=True",
}
# For what has several models inside.
_SEVERAL = "is several models, not one sum of trees; load them one by one from estimators_"


def refusal(estimator: Any) -> str:
    """What is said about an estimator that is no tree ensemble."""
    name = type(estimator).__name__
    if name in _INSTEAD:
        return f"this {name} {_INSTEAD[name]}"
    if hasattr(estimator, "estimators_"):
        return f"this {name} {_SEVERAL}"
    return f"{name} is not a scikit-learn tree ensemble that treeproof can export"
