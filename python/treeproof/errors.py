"""What can go wrong, by type. Each message is one line: what, where, what to do."""

from __future__ import annotations


class TreeproofError(Exception):
    """What every error of this package is."""


class ModelError(TreeproofError, ValueError):
    """A model cannot be read, or holds what cannot be represented exactly."""


class DataError(TreeproofError, ValueError):
    """Rows do not fit the model."""


class TaskError(TreeproofError, ValueError):
    """A question cannot be asked like this: an argument, a condition or a task file is wrong."""


class ProofError(TreeproofError, OSError):
    """A file of a proof cannot be read or written."""


class InternalError(TreeproofError, RuntimeError):
    """treeproof itself is wrong. Please report it."""


class TreeproofWarning(UserWarning):
    """Something was guessed, or may not be what was meant."""
