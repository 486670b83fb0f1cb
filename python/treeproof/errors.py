"""What can go wrong, by type. Each message is one line: what, where, what to do."""

from __future__ import annotations


class TreeproofError(Exception):
    """What every error of this package is.

    >>> try:
    ...     tp.load("nowhere.json")
    ... except tp.TreeproofError as error:
    ...     print(error)
    nowhere.json: no such file
    """


class ModelError(TreeproofError, ValueError):
    """A model cannot be read, or holds what cannot be represented exactly.

    >>> tp.load(7)
    Traceback (most recent call last):
        ...
    treeproof.errors.ModelError: this int is no model; give a path, bytes, or a fitted xgboost, lightgbm, catboost or scikit-learn object
    """


class DataError(TreeproofError, ValueError):
    """Rows do not fit the model.

    >>> tp.closest("new.json", [[22, 18000]], norm="l1")
    Traceback (most recent call last):
        ...
    treeproof.errors.DataError: data: the data has 2 columns, the model has 3 features
    """


class TaskError(TreeproofError, ValueError):
    """A question cannot be asked like this: an argument, a condition or a task file is wrong.

    >>> tp.max("new.json", where="agee >= 30")
    Traceback (most recent call last):
        ...
    treeproof.errors.TaskError: where: in `agee >= 30`, character 1: the model has no feature `agee`; did you mean `age`?
    """


class ProofError(TreeproofError, OSError):
    """A file of a proof cannot be read or written.

    >>> tp.check("nowhere.proof", "new.json")
    Traceback (most recent call last):
        ...
    treeproof.errors.ProofError: nowhere.proof: no such file
    """


class InternalError(TreeproofError, RuntimeError):
    """treeproof itself is wrong. Please report it.

    >>> issubclass(tp.InternalError, tp.TreeproofError)
    True
    """


class TreeproofWarning(UserWarning):
    """Something was guessed, or may not be what was meant. Such warnings can be made errors, as any:

    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", tp.TreeproofWarning)
    ...     tp.max("homes.json")                                           # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    treeproof.errors.TreeproofWarning: columns home_own, home_rent, home_other look like one-hot columns of one feature...
    """
