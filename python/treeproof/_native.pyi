"""The native part: tasks, models and rows come in, reports go out as JSON. What users see is made in the modules beside it."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Model", "Proof", "Table", "ask", "audit", "check", "command_line", "curve", "describe", "files_of_task", "page", "read_rows", "sum_up", "text", "write_file", "__version__",
]

__version__: str

_Path: TypeAlias = str | os.PathLike[str]

# Numbers; truth values, as the word and numbers; codes with the column of their categories; texts; values of several types: which
# types, the values as texts, and which are texts; or why a column is none of these.
_Column: TypeAlias = (
    NDArray[np.float64]
    | tuple[str, NDArray[np.float64]]
    | tuple[NDArray[np.int64], _Column]
    | tuple[str, list[str | None], list[bool]]
    | list[str | None]
    | str
)

# Is called now and then with the latest event, as JSON.
_Tell: TypeAlias = Callable[[str], Any]

@final
class Model:
    def __new__(cls, content: bytes, name: str, options: str) -> Model: ...
    @property
    def content(self) -> bytes: ...
    @property
    def name(self) -> str: ...
    @property
    def features(self) -> list[str]: ...
    @property
    def categories(self) -> str: ...
    def inspect(self) -> str: ...
    def classes(self) -> str: ...
    def stops_early(self) -> str | None: ...
    def hint(self) -> str | None: ...
    def to_json(self) -> str: ...
    def predict(self, table: Table, threads: int) -> tuple[bytearray, bytearray, bytearray, list[str]]: ...
    def why_no_outputs(self) -> str | None: ...
    def leaves(self, table: Table, threads: int) -> bytearray: ...

@final
class Table:
    @staticmethod
    def matrix(numbers: NDArray[np.float64]) -> Table: ...
    @staticmethod
    def read_before(numbers: NDArray[np.float64], start: int) -> Table: ...
    @staticmethod
    def read(file: _Path) -> Table: ...
    @staticmethod
    def columns(names: Sequence[str], num_rows: int, columns: Sequence[_Column]) -> Table: ...
    @staticmethod
    def sparse(
        starts: NDArray[np.int64],
        columns: NDArray[np.int64],
        values: NDArray[np.float64],
        num_columns: int,
    ) -> Table: ...
    def num_rows(self) -> int: ...

# A report and how its bounds improved, both as JSON, and what was guessed about rows.
def ask(
    task: str,
    models: Sequence[Model],
    tables: Mapping[str, Table],
    labels: _Column | None = None,
    file: _Path | None = None,
    proof: _Path | None = None,
    progress: _Tell | None = None,
    functions: Sequence[Callable[[dict[str, Any]], Any]] = ...,
    force: bool = False,
) -> tuple[str, str, list[str]]: ...

# A report as JSON, what was guessed about rows, and the files that it is about.
def audit(
    text: str,
    file: _Path,
    model: Model | None = None,
    proof: _Path | None = None,
    progress: _Tell | None = None,
    force: bool = False,
) -> tuple[str, list[str], list[Path]]: ...

# Writes a whole file, by the rule of the command line: kinds are "model" and "page".
def write_file(path: _Path, content: bytes, kind: str, force: bool, inputs: Sequence[_Path]) -> None: ...

# The files that a task names, and its own.
def files_of_task(task: str, file: _Path | None = None) -> list[Path]: ...

# What was found out, as JSON.
def check(proof: _Path, models: Sequence[Model]) -> str: ...

# The rows of data as the model reads them, their labels, and what was guessed about them.
def read_rows(
    model: Model,
    name: str,
    table: Table | None = None,
    labels: _Column | None = None,
    label: str | None = None,
) -> tuple[bytearray, list[str | None] | None, list[str]]: ...

# The proof of rows that were asked about in parts, each of which has one of its own.
@final
class Proof:
    def __new__(
        cls, path: _Path, question: str, models: Sequence[Model], inputs: Sequence[_Path], force: bool
    ) -> Proof: ...
    def add(self, part: bytes) -> None: ...
    def finish(self) -> None: ...

# The summary of rows that were asked about in parts.
def sum_up(found: str) -> str: ...

# A page about a report, as HTML; what is given beside models is JSON.
def page(report: str, task: str | None, trace: str, models: Sequence[Model]) -> str: ...

# What is shown of a report in a few lines: words, facts and tables; all is JSON beside models.
def describe(report: str, task: str | None, models: Sequence[Model]) -> str: ...

# The robustness curve of a report, if it has one; both are JSON.
def curve(report: str) -> str | None: ...

# What is shown, as plain text; it comes as JSON.
def text(content: str) -> str: ...

# Runs what was typed, the name of the program first, and returns the exit code.
def command_line(typed: Sequence[str]) -> int: ...
