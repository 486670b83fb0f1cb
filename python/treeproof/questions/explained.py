"""What the arguments of questions mean, each said once: it becomes part of the documentation of all questions that have it."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

_Question = TypeVar("_Question", bound=Callable[..., Any])

ARGUMENTS = {
    "model": "a Model, a file, its bytes, or a fitted xgboost, lightgbm, catboost or scikit-learn object: whatever load takes.",
    "other": "the model that it is compared with.",
    "models": "stand for those that the task names, or are those that a proof is about, in order.",
    "data": "the rows that are asked about: an array, a frame, lists or dicts, a single row, or the name of a file.",
    "task": "a Task, a dict of its fields, or the name of a file; docs/tasks.md describes them.",
    "file": "the name of a file; docs/audits.md describes it.",
    "norm": "how distances along features make one: 'linf' the largest, 'l2' the root of the sum of squares, 'l1' the sum, "
    "'l0' the number of changes.",
    "radius": "the largest distance of an input.",
    "y": "the true labels of the rows, for the accuracy and the certified accuracy.",
    "label": "instead of y, the column of the rows that holds the true labels.",
    "target": "the class that is to be reached; any other than the model's by default.",
    "output_above": "instead of another label: an output above this.",
    "output_below": "instead of another label: an output below this.",
    "count": "the number of inputs for each row, the nearest first: every further one leaves something unchanged that each one "
    "before it changes.",
    "within": "instead of the most: whether outputs never differ by more than this.",
    "threshold": "decide at this probability instead of the library's own.",
    "feature": "the feature that rises, or several.",
    "decreasing": "ask whether the margin never rises as the feature rises.",
    "protected": "the features in which two inputs may differ.",
    "vary": "the features that may change; '*' stands for any letters, as in 'word_*'.",
    "given": "values of the starting point that stay as they are: {'live': 1}.",
    "baseline": "the rest of the starting point: a row, 'people.csv:17', or a dict of values where all others are 0.",
    "at_most": "the largest number of features that change; 1 by default.",
    "decrease": "ask how far the margin falls, not how far it rises.",
    "each": "ask about each feature by itself.",
    "above": "only configurations whose sum is above this.",
    "top": "the number of configurations, the largest first.",
    "where": "conditions on the input, all of which must hold: a text such as '30 <= age < 50', or several (docs/constraints.md); "
    "of max, min, range and diff also functions of regions (docs/python.md).",
    "groups": "one-hot columns that are one feature: {'sex': 'sex_*'}.",
    "domain": "rows: each feature is confined to what occurs in them, its range, categories and missing values. Recommended.",
    "class_": "the class whose margin is meant, where the model has several.",
    "weights": "weights of features in the distance: {'age': 2.0}; 1 by default.",
    "scale": "rows: changes of numbers are divided by the feature's standard deviation there; of a file 'std:train.csv'.",
    "missing_cost": "what it costs to go missing, or to cease to be, where maybemissing allows it; 1 in l0.",
    "category_cost": "what it costs to change a category; 1 in l0, elsewhere categories are fixed by default.",
    "rows": "ask only about this many rows, from the first on.",
    "gap": "stop when the bounds are this close: 0.01, or '1%' of the larger one's magnitude.",
    "stop_above": "stop when the lower bound is at least this.",
    "stop_below": "stop when the upper bound is at most this.",
    "method": "how to search, for comparison: 'auto' is the best way known, 'veritas' the published one.",
    "epsilon": "the first ε of 'veritas', from 0.001 to 1.",
    "time": "the time limit in seconds, or a text such as '2min'; 60 s by default, over rows 10 s for each.",
    "memory": "bytes for what is open, or a text such as '4GiB'; half of the machine's by default.",
    "threads": "all cores by default; with one, every run takes the same steps.",
    "seed": "the random seed, 0 by default: it changes how soon inputs are found, never what is proved.",
    "proof": "the file of a proof of the answer, which check validates.",
    "force": "overwrite a file there that is not a proof; a file that is read is never overwritten.",
    "progress": "True shows a live line on terminals and in notebooks, 'log' now and then a line on standard error; a callable is "
    "told of events.",
    "client": "a Dask client, on whose cluster rows are asked about (docs/python.md).",
}


def explained(question: _Question) -> _Question:
    """Adds what its arguments mean to the documentation of a question."""
    if question.__doc__ is not None:
        lines = [
            textwrap.fill(f"{name}: {ARGUMENTS[name]}", 110, initial_indent="    ", subsequent_indent="        ")
            for name in inspect.signature(question).parameters
        ]
        question.__doc__ = "\n".join([inspect.cleandoc(question.__doc__), "", "Arguments:", "", *lines])
    return question
