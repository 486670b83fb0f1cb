"""The comparison itself: it passes what is equal, and notices a wrong leaf, a wrong bit and a wrong label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parity
import pytest
from samples import SAMPLES


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> parity.Sample:
    """A forest with classes, judged by the plain evaluator in place of the binary."""
    import estimators

    monkeypatch.setenv("TREEPROOF_BIN", str(Path(__file__).with_name("fake_binary.py")))
    families = [family for family in estimators.FAMILIES if family.name == "forest_classes"]
    monkeypatch.setattr(estimators, "FAMILIES", families)
    return SAMPLES["scikit_learn"](np.random.default_rng(5), tmp_path, 30)


def test_equal_answers_pass(sample: parity.Sample, tmp_path: Path) -> None:
    tally = parity.Tally()
    assert parity.compare(sample, parity.predict(sample, tmp_path), tally) == []
    assert (tally.compared, tally.different) == (30 * 10, 0)


def test_a_wrong_leaf_is_found(sample: parity.Sample, tmp_path: Path) -> None:
    answers, tally = parity.predict(sample, tmp_path), parity.Tally()
    answers[3]["leaves"][2] += 1
    assert "row 3, tree 2" in parity.compare(sample, answers, tally)[0]
    assert tally.different == 1


def test_a_wrong_bit_is_found(sample: parity.Sample, tmp_path: Path) -> None:
    answers = parity.predict(sample, tmp_path)
    answers[4]["margin"][0] = float(np.nextafter(answers[4]["margin"][0], 2))
    assert "row 4: margin" in parity.compare(sample, answers, parity.Tally())[0]


def test_a_wrong_label_is_found(sample: parity.Sample, tmp_path: Path) -> None:
    answers = parity.predict(sample, tmp_path)
    answers[5]["label"] = "other"
    assert "row 5: label" in parity.compare(sample, answers, parity.Tally())[0]


@pytest.mark.parametrize("library", SAMPLES)
def test_samples_are_made_and_repeat(library: str, tmp_path: Path) -> None:
    for seed in range(3):
        made = []
        for attempt in ("a", "b"):
            folder = tmp_path / f"{attempt}{seed}"
            folder.mkdir()
            made.append(SAMPLES[library](np.random.default_rng(seed), folder, 20))
        first, second = made
        assert first.about == second.about
        assert np.array_equal(first.margins, second.margins, equal_nan=True)
        assert len(first.margins) == len(first.rows) == 20
