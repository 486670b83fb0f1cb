"""The questions. Each is called as on the command line, and so are its arguments.

Arguments that all of them share:

``where``      conditions that must hold: a text or several (``docs/constraints.md`` is the manual); for :func:`max`,
               :func:`min`, :func:`range` and :func:`diff` also functions of regions (``docs/python.md``)
``groups``     one-hot columns that are one feature: ``{"sex": "sex_*"}``
``domain``     rows whose ranges, categories and missing values confine the features; recommended
``time``       seconds, or a text such as ``"2min"``; 60 by default, over rows 10 for each
``memory``     bytes, or a text such as ``"4GiB"``; half of the machine's by default
``threads``    all cores by default; with one, every run takes the same steps
``seed``       where random numbers begin: they change how soon inputs are found, never what is proved
``proof``      a file for a proof of the answer, which :func:`check` validates
``progress``   ``True`` shows a live line on terminals and in notebooks, ``"log"`` now and then a line on standard error; a
               callable is told of events
``client``     of questions over rows: a Dask client on whose cluster they are asked (``docs/python.md``)

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
