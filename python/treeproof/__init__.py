"""Exact answers about tree ensembles, with proof.

    >>> import treeproof as tp
    >>> model = tp.load("new.json")                     # or a fitted xgboost, lightgbm, catboost or scikit-learn object
    >>> report = tp.max(model, where=["30 <= age < 50"], domain="people.csv", time=10)
    >>> report.verdict, report.lower, report.upper
    ('optimal', 0.875, 0.875)
    >>> report.witness
    {'age': 40.0, 'income': 30000.0, 'status': 'married'}

Questions are called as on the command line, and so are their arguments: ``--stop-above`` is ``stop_above``. The files of the
examples, here and everywhere, are those of ``docs/examples``; ``docs/python.md`` is the manual.
"""

from treeproof._native import __version__ as __version__
from treeproof.errors import (
    DataError,
    InternalError,
    ModelError,
    ProofError,
    TaskError,
    TreeproofError,
    TreeproofWarning,
)
from treeproof.model import Model, load
from treeproof.questions import (
    audit,
    check,
    closest,
    diff,
    dominant,
    enumerate,
    fair,
    max,
    min,
    monotone,
    range,
    robust,
    solve,
    stable,
)
from treeproof.report import Report
from treeproof.table import Table
from treeproof.task import Task

__all__ = [
    "DataError",
    "InternalError",
    "Model",
    "ModelError",
    "ProofError",
    "Report",
    "Table",
    "Task",
    "TaskError",
    "TreeproofError",
    "TreeproofWarning",
    "audit",
    "check",
    "closest",
    "diff",
    "dominant",
    "enumerate",
    "fair",
    "load",
    "max",
    "min",
    "monotone",
    "range",
    "robust",
    "solve",
    "stable",
]
