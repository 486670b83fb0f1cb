"""Tables in every form and type give the library's own prediction or a refusal, never another number.

``TREEPROOF_TABLES``        the number of random tables: 120 by default, and 20000 in ``scripts/soak``; each is written in several forms
``TREEPROOF_TABLES_EACH``   how many of them a model is asked about
``TREEPROOF_SEED``          repeats a run; the seed is printed at the end
"""

from __future__ import annotations

import collections
import os
import re
import warnings
from pathlib import Path

import conftest
import numpy as np
import pytest
import tables
import treeproof as tp

NUM_TABLES = int(os.environ.get("TREEPROOF_TABLES", "120"))
TABLES_EACH = int(os.environ.get("TREEPROOF_TABLES_EACH", "4"))
# What is refused of what the library takes, at most: by far most of it is a text to the model and no text to pandas. A few tables
# may be all of a kind.
MOST_REFUSED = 0.05 if NUM_TABLES >= 2000 else 0.15


def _reason(message: str) -> str:
    """A message without the cell and the categories that it is about."""
    message = re.sub(r"^.*column `c`(, row [0-9]+)?: ", "", message)
    return re.sub(r"`[^`]*`(, `[^`]*`|, [0-9]+ more)*", "…", re.sub(r"such as .*?, which", "such as …, which", message))


@pytest.mark.filterwarnings("ignore")
def test_tables_are_read_as_the_library_reads_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng([conftest.SEED, 77])
    pairs = [(library, kind) for library in tables.LIBRARIES for kind in tables.KINDS]
    taken: collections.Counter[str] = collections.Counter()
    refused: collections.Counter[tuple[str, str]] = collections.Counter()
    of_dtype: collections.Counter[tuple[str, str]] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    num_tables = num_models = 0
    while num_tables < NUM_TABLES:
        for place in rng.permutation(len(pairs)):
            library, kind = pairs[place]
            model = tables.trained(rng, library, kind) if num_tables < NUM_TABLES else None
            if model is None:
                continue
            num_models += 1
            for _ in range(min(TABLES_EACH, NUM_TABLES - num_tables)):
                num_tables += 1
                for case in tables.cases(rng, model, tmp_path):
                    if case.expected is None:
                        continue
                    taken[library] += 1
                    of_dtype[case.form, case.dtype] += 1
                    try:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            found = model.model.predict(case.given)
                    except tp.TreeproofError as error:
                        reasons[_reason(str(error))] += 1
                        refused[case.form, case.dtype] += 1
                        refused[library, "all"] += 1
                        continue
                    assert np.array_equal(found, case.expected), (
                        f"seed {conftest.SEED}, table {num_tables}: {library}, {kind}, {case.form} of {case.dtype}\n"
                        f"{Path(case.given).read_text() if case.form == 'csv' else case.given}\n{found}\n{case.expected}"
                    )
    num_taken = taken.total()
    num_refused = sum(refused[library, "all"] for library in tables.LIBRARIES)
    with capsys.disabled():
        print(f"\ntables: {num_tables} of {num_models} models, {num_taken} forms taken, {num_refused} refused, 0 different")
        if "TREEPROOF_TABLES" in os.environ:
            for library, count in taken.items():
                print(f"tables of {library}: {count} taken, {refused[library, 'all']} refused")
            for (form, dtype), count in sorted(of_dtype.items()):
                print(f"tables as {form}, {dtype}: {count} taken, {refused[form, dtype]} refused")
            for reason, count in reasons.items():
                print(f"tables refused {count}: {reason}")
    assert num_taken >= NUM_TABLES and num_refused <= MOST_REFUSED * num_taken


@pytest.mark.parametrize("names", [["False", "Maybe", "True"], [True, False]])
def test_a_domain_from_data_holds_every_row_of_it(tmp_path: Path, names: list[object]) -> None:
    """A column of True and False was taken for the codes 1 and 0, and a bound was "proved" that rows of the same file exceed."""
    lgb = pytest.importorskip("lightgbm")
    import pandas as pd

    rng = np.random.default_rng(5)
    codes = rng.integers(0, len(names), 300)
    frame = pd.DataFrame({"c": pd.Categorical([names[code] for code in codes], categories=names), "x": rng.normal(size=300)})
    y = np.array([8.0, -1.0, 2.0])[codes] + 0.1 * frame["x"]
    settings = {"min_child_samples": 5, "min_data_per_group": 5, "cat_smooth": 1.0, "verbose": -1, "n_jobs": 1}
    fitted = lgb.LGBMRegressor(n_estimators=20, **settings).fit(frame, y)
    model = tp.load(fitted)
    rows = pd.DataFrame({"c": [True, False, True], "x": [0.5, -0.5, 1.0]})
    as_given = rows.astype({"c": pd.CategoricalDtype(names)}) if names[0] is True else rows.astype({"c": str})
    if names[0] is not True:
        as_given["c"] = pd.Categorical(as_given["c"], categories=names)
    expected = fitted.predict(as_given)
    csv, parquet = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    rows.to_csv(csv, index=False)
    rows.to_parquet(parquet)
    if names[0] is True:
        for data in (csv, parquet, rows):
            assert np.array_equal(model.predict(data), expected)
            assert tp.max(model, domain=data).upper >= expected.max()
    else:
        for ask in (model.predict, lambda data: tp.max(model, domain=data)):
            with pytest.raises(tp.DataError, match="column `c`, row 0: `True` is spelt like a category.*categories text"):
                ask(csv)
        model = tp.load(fitted, categories="text")
        for data in (csv, parquet, rows):
            assert np.array_equal(model.predict(data), expected)
            assert tp.max(model, domain=data).upper >= expected.max()
