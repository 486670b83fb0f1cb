"""Tables in every form and type give the library's own prediction or a refusal, never another number.

``TREEPROOF_TABLES`` is the number of random tables (120 by default), ``TREEPROOF_SEED`` their seed.
"""

from __future__ import annotations

import collections
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
import tables
import treeproof as tp

NUM_TABLES = int(os.environ.get("TREEPROOF_TABLES", "120"))
SEED = int(os.environ.get("TREEPROOF_SEED", str(np.random.SeedSequence().entropy % (1 << 32))))
# A model is asked about so many tables.
TABLES_EACH = 20


def test_tables_are_read_as_the_library_reads_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(SEED)
    accepted: collections.Counter[str] = collections.Counter()
    refused: collections.Counter[str] = collections.Counter()
    reasons: dict[str, str] = {}
    num_tables = 0
    pairs = [(library, kind) for library in tables.LIBRARIES for kind in tables.KINDS]
    while num_tables < NUM_TABLES:
        for place in rng.permutation(len(pairs)):
            library, kind = pairs[place]
            model = tables.trained(rng, library, kind)
            for _ in range(TABLES_EACH if model is not None and num_tables < NUM_TABLES else 0):
                assert model is not None
                num_tables += 1
                for case in tables.cases(rng, model, tmp_path):
                    try:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            found = model.model.predict(case.given)
                    except tp.TreeproofError as error:
                        if case.expected is not None:
                            accepted[case.form] += 1
                            what = f"{library}, {kind}, {case.form} of {case.dtype}"
                            refused[what] += 1
                            reasons.setdefault(what, str(error))
                        continue
                    if case.expected is None:
                        continue
                    accepted[case.form] += 1
                    assert np.array_equal(found, case.expected), (
                        f"seed {SEED}, table {num_tables}: {library}, {kind}, {case.form} of {case.dtype}\n{case.given}\n"
                        f"{Path(case.given).read_text() if case.form == 'csv' else ''}\n{found}\n{case.expected}"
                    )
    num_accepted, num_refused = accepted.total(), refused.total()
    with capsys.disabled():
        print(f"\ntables: seed {SEED}, {num_tables} tables, {num_accepted} forms that the library takes,", end=" ")
        print(f"{num_accepted - num_refused} answered, {num_refused} refused, 0 different")
        if "TREEPROOF_TABLES" in os.environ:
            for what, count in refused.most_common():
                print(f"refused: {count} × {what}: {reasons[what]}")
    # A few tables may be all of a kind.
    assert num_refused <= max(0.05, 0.15 if NUM_TABLES < 2000 else 0.0) * num_accepted
