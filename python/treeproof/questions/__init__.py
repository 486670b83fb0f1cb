"""The questions. Each is called as on the command line, and so are its arguments.

What they mean is said in :mod:`treeproof.questions.explained`, and by ``help(treeproof.closest)`` and its like.

Ctrl-C ends a search and gives what is known: ``report.stopped == "interrupted"``. A second one raises ``KeyboardInterrupt``.
"""

from treeproof.questions.bounds import enumerate, max, min, range
from treeproof.questions.comparisons import diff, dominant, fair, monotone
from treeproof.questions.distances import closest, robust, stable
from treeproof.questions.files import audit, check, solve

__all__ = [
    "audit",
    "check",
    "closest",
    "diff",
    "dominant",
    "enumerate",
    "fair",
    "max",
    "min",
    "monotone",
    "range",
    "robust",
    "solve",
    "stable",
]
