"""The datasets that several uses read: features with named categories, and what is to be predicted."""

from __future__ import annotations

import pandas as pd

from use import Use


def houses(use: Use) -> tuple[pd.DataFrame, pd.Series]:
    """Blocks of houses in California whose facts are complete, and their median value in 100 000 dollars."""
    stored = pd.read_csv(use.data / "california_housing" / "housing.csv.gz").dropna()
    value = stored.pop("median_house_value") / 100_000
    return with_categories(stored), value


def people(use: Use) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """People of the census, whether their income is above 50 000 dollars, and who is in the customary training set."""
    stored = pd.read_csv(use.data / "adult" / "adult.csv.gz")
    rich, training = (stored.pop("income") == ">50K").astype(int), stored.pop("split") == "train"
    return with_categories(stored), rich, training


def borrowers(use: Use) -> tuple[pd.DataFrame, pd.Series]:
    """Borrowers of a German bank, and whether the credit was bad."""
    stored = pd.read_csv(use.data / "german_credit" / "german_credit.csv.gz")
    bad = (stored.pop("credit") == 2).astype(int)
    return with_categories(stored), bad


def with_categories(stored: pd.DataFrame) -> pd.DataFrame:
    """Numbers as doubles, everything else as categories."""
    numbers = set(stored.select_dtypes("number"))
    return stored.astype({name: "float64" if name in numbers else "category" for name in stored})
