"""One-hot columns that are one feature: `--group` for treeproof, and its answers in columns again for the libraries."""

from __future__ import annotations

from typing import Any

import pandas as pd


class Groups:
    """Groups of one-hot columns that share the start of their names: `sex_*` is the group `sex`."""

    def __init__(self, data: pd.DataFrame, *names: str) -> None:
        self.columns: dict[str, list[str]] = {}
        self.flags: list[str] = []
        for name in names:
            alike = [column for column in data if column.startswith(f"{name}_")]
            self.columns[name] = [column for column in alike if data[column].isin([0, 1]).all()]
            self.flags += ["--group", f"{name}={name}_*"]
            for other in sorted(set(alike) - set(self.columns[name])):
                self.flags += ["--group", f"{name}=!{other}"]

    def spread(self, one: dict[str, Any]) -> dict[str, float]:
        """The input in columns, of which exactly one of each group is 1."""
        whole = {name: value for name, value in one.items() if name not in self.columns}
        for name, columns in self.columns.items():
            whole |= {column: float(column == f"{name}_{one[name]}") for column in columns}
            if sum(whole[column] for column in columns) != 1:
                raise ValueError(f"{name} has no value {one[name]!r}")
        return whole


def outside(one: dict[str, Any], data: pd.DataFrame) -> list[str]:
    """The features whose value is beyond what occurs in the data: another category, or a number out of range."""
    def occurs(name: str) -> bool:
        column, value = data[name], one[name]
        if value is None:
            return column.isna().any()
        if pd.api.types.is_numeric_dtype(column):
            return column.min() <= value <= column.max()
        return (column == value).any()
    return [name for name in one if not occurs(name)]
