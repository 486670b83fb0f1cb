"""Models: loaded from files, bytes or fitted objects, inspected, predicted, saved."""

from __future__ import annotations

import gzip
import json
import os
import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from treeproof import _native
from treeproof.adapters import Parts, plain, taken
from treeproof.arguments import number, whole, wholes
from treeproof.data import Rows, to_table
from treeproof.display.content import as_text
from treeproof.display.facts import of_model
from treeproof.display.html import as_html
from treeproof.display.words import counted
from treeproof.errors import ModelError, TreeproofWarning

ModelLike: TypeAlias = Any
"""A :class:`Model`, or anything of which :func:`load` makes one."""


class Model:
    """A tree ensemble exactly as its library computes it. Made by :func:`load`; it does not change.

    >>> model = tp.load("new.json")
    >>> model
    <treeproof.Model: treeproof JSON, 3 trees, 3 features>
    >>> model.features, model.classes
    (['age', 'income', 'status'], ['refused', 'granted'])
    """

    __slots__ = ("_native", "_options", "_is_hinted")

    _native: _native.Model
    _options: str
    _is_hinted: bool

    def __init__(self, content: bytes, name: str = "", options: str = "{}") -> None:
        self._native = _native.Model(content, name, options)
        self._options = options
        self._is_hinted = False

    def _hint(self) -> str | None:
        """Once, a word about columns that look like one feature."""
        if self._is_hinted:
            return None
        self._is_hinted = True
        return self._native.hint()

    @property
    def features(self) -> list[str]:
        """The names of the features, in the model's order.

        >>> tp.load("new.json").features
        ['age', 'income', 'status']
        """
        return self._native.features

    @property
    def classes(self) -> list[int | bool | str]:
        """The labels, in the library's order; empty for models without labels.

        >>> tp.load("new.json").classes
        ['refused', 'granted']
        """
        classes: list[int | bool | str] = json.loads(self._native.classes())
        return classes

    @property
    def name(self) -> str:
        """What it was loaded from, for people.

        >>> tp.load("new.json").name
        'new.json'
        """
        return self._native.name

    def inspect(self) -> dict[str, Any]:
        """What is in the model: format, objective, trees, features, arithmetic, label rule.

        >>> facts = tp.load("new.json").inspect()
        >>> facts["trees"], facts["depth"], facts["label_rule"]
        (3, 2, 'second class iff margin > 0')
        """
        facts: dict[str, Any] = json.loads(self._native.inspect())
        return {"question": "inspect", "model": self.name, **facts}

    def predict(
        self,
        data: Rows,
        *,
        margin: bool = False,
        leaves: bool = False,
        labels: bool = False,
        threads: int | None = None,
    ) -> np.ndarray[Any, Any]:
        """What the model says for rows: the same numbers as the library that trained it.

        By default outputs, as the library's ``predict`` or ``predict_proba`` has them; with ``margin`` the raw scores, with
        ``leaves`` the number of the leaf that each row reaches in each tree, with ``labels`` the predicted classes. There is
        one number for each row, or one column for each class or tree.

        >>> model = tp.load("new.json")
        >>> model.predict("people.csv", margin=True)
        array([-1.   ,  0.875,  0.375,  0.375])
        >>> model.predict({"age": 22, "income": 18000, "status": "single"}, labels=True)
        array(['refused'], dtype='<U7')
        """
        if margin + leaves + labels > 1:
            raise TypeError("predict gives one of margin, leaves and labels")
        table, threads = to_table(data, "data"), 0 if threads is None else whole(threads, "threads")
        num_rows = table.num_rows()
        if not (margin or leaves or labels) and (why := self._native.why_no_outputs()):
            raise ModelError(f"{self.name}: {why}; ask for margin=True" if self.name else f"{why}; ask for margin=True")
        if leaves:
            reached = np.frombuffer(self._native.leaves(table, threads), dtype=np.uint32)
            return reached.reshape(num_rows, self.inspect()["trees"])
        margins, outputs, places, notes = self._native.predict(table, threads)
        for note in notes:
            warnings.warn(note, TreeproofWarning, stacklevel=2)
        if labels:
            if not (classes := self.classes):
                raise ModelError("the model has no labels; its outputs are numbers")
            chosen = np.frombuffer(places, dtype=np.int64)
            if len(chosen) != num_rows:
                raise ModelError("the model does not say which of its classes it chooses; its outputs are scores")
            return np.array(classes)[chosen]
        found = np.frombuffer(margins if margin else outputs, dtype=np.float64)
        # Without rows nothing tells one column from many, but how many margins there are.
        num_columns = len(found) // num_rows if num_rows else self.inspect()["margins"]
        return found if num_columns == 1 else found.reshape(num_rows, num_columns)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the model in treeproof's own JSON, without loss; gzipped if the name ends in ``.gz``.

        A file there is overwritten if it is such a model, or with ``force``; the file that was loaded never is.

        >>> tp.load("new.json").save("copy.json.gz")
        >>> tp.load("copy.json.gz").features
        ['age', 'income', 'status']
        """
        content = self._native.to_json().encode()
        if os.fspath(path).endswith(".gz"):
            content = gzip.compress(content, mtime=0)
        _native.write_file(path, content, "model", force, [self.name] if self.name else [])

    def to_bytes(self) -> bytes:
        """The bytes from which it was read: the library's own file. Proofs are about these.

        >>> tp.load(tp.load("new.json").to_bytes()) == tp.load("new.json")
        True
        """
        return self._native.content

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, (self._native.content, self.name, self._options)

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return (self._native.content, self._options) == (other._native.content, other._options)

    def __hash__(self) -> int:
        return hash((self._native.content, self._options))

    def __repr__(self) -> str:
        facts = self.inspect()
        size = f"{counted(facts['trees'], 'tree')}, {counted(len(self.features), 'feature')}"
        return f"<treeproof.Model: {facts['format']}, {size}>"

    def __str__(self) -> str:
        return as_text(of_model(self.inspect()))

    def _repr_html_(self) -> str:
        return as_html(of_model(self.inspect()))


# What can be said about a file beside what is in it, in tasks as well.
READING = ("api", "missing_value", "base_margin", "classes", "catboost_json_reader", "categories")


def load(
    model: ModelLike,
    *,
    api: str | None = None,
    missing_value: float | None = None,
    base_margin: float | Sequence[float] | None = None,
    classes: int | None = None,
    catboost_json_reader: bool = False,
    class_names: Sequence[int | bool | str] | None = None,
    categories: str | None = None,
    pool: Any = None,
) -> Model:
    """Loads a model: a file's path, its bytes, or a fitted xgboost, lightgbm, catboost or scikit-learn object.

    Fitted objects hand over their library's own bytes or arrays, so nothing is estimated anew. ``api`` (``"sklearn"`` or
    ``"booster"``) picks the prediction path where a file has two; an object's own is used by default. ``missing_value`` is
    XGBoost's ``missing``. ``base_margin`` and ``classes`` say what a JSON dump of XGBoost leaves out. ``class_names`` are
    the labels, where a file only counts them. ``categories`` says what the cells of categorical columns are in data with names:
    by default values, matched to categories by type as the library does; ``"text"`` matches them by their spelling,
    ``"codes"`` takes numbers as category codes. ``pool`` is the training data of a CatBoost model with categories, which
    by itself knows only their hashes.

    >>> tp.load("new.json")
    <treeproof.Model: treeproof JSON, 3 trees, 3 features>
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> tp.load(DecisionTreeRegressor().fit([[0], [1]], [2, 3]))
    <treeproof.Model: scikit-learn, 1 tree, 1 feature>
    """
    given: dict[str, Any] = wholes(classes=classes)
    if api is not None:
        given["api"] = api
    if missing_value is not None:
        # JSON has no infinity, but XGBoost may take it for missing.
        given["missing_value"] = repr(number(missing_value, "missing_value", is_finite=False))
    if base_margin is not None:
        given["base_margin"] = [number(margin, "base_margin") for margin in np.ravel(np.asarray(base_margin)).tolist()]
    if catboost_json_reader:
        given["catboost_json_reader"] = True
    if categories is not None:
        given["categories"] = categories
    if class_names is not None:
        if isinstance(class_names, str):
            raise ModelError(f"class_names is a list of names, not the text `{class_names}`")
        given["class_names"] = [plain(name) for name in class_names]
    if isinstance(model, Model) and not given and pool is None:
        return model
    parts = _parts(model, pool)
    options = parts.options | given
    loaded = Model(parts.content, parts.name, json.dumps(options))
    if "api" not in options and (note := loaded._native.stops_early()):
        warnings.warn(f"{parts.name}: {note} (api='booster' uses all)", TreeproofWarning, stacklevel=2)
    return loaded


def _parts(model: ModelLike, pool: Any) -> Parts:
    if pool is not None and isinstance(model, (bytes, bytearray, memoryview, str, os.PathLike, Model)):
        raise ModelError("pool is for fitted CatBoost objects; a file has the names of its categories")
    if isinstance(model, Model):
        # The same bytes, read in another way.
        return Parts(model.to_bytes(), model.name, json.loads(model._options))
    if isinstance(model, (bytes, bytearray, memoryview)):
        return Parts(bytes(model), "")
    if isinstance(model, (str, os.PathLike)):
        path = os.fspath(model)
        try:
            with open(path, "rb") as file:
                return Parts(file.read(), os.fsdecode(path))
        except FileNotFoundError:
            raise ModelError(f"{os.fsdecode(path)}: no such file") from None
        except OSError as error:
            raise ModelError(f"{os.fsdecode(path)}: {error.strerror}") from None
        except ValueError as error:
            raise ModelError(f"{os.fsdecode(path)!r} is no path: {error}") from None
    return taken(model, pool)
