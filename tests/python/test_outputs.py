"""Files that the Python package writes: never over what is read, never over a file of another kind."""

import os
import pickle
from pathlib import Path

import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

import treeproof as tp
from treeproof import scikit_learn

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("new.json", "old.json", "people.csv", "loans.audit.toml"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    return tmp_path


def test_what_is_read_is_not_overwritten(folder: Path) -> None:
    new, old, people, audit = (folder / name for name in ("new.json", "old.json", "people.csv", "loans.audit.toml"))
    proof = folder / "max.proof"
    tp.max(new, proof=proof)
    before = [file.read_bytes() for file in (new, old, people, audit, proof)]
    hard, soft = folder / "hard", folder / "soft"
    for force in (False, True):
        for file, ask in (
            (new, lambda proof: tp.max(new, proof=proof, force=force)),
            (old, lambda proof: tp.diff(new, old, proof=proof, force=force)),
            (people, lambda proof: tp.max(new, domain=people, proof=proof, force=force)),
            (people, lambda proof: tp.closest(new, people, norm="l0", proof=proof, force=force)),
            (audit, lambda proof: tp.audit(audit, proof=proof, force=force)),
            (people, lambda proof: tp.audit(audit, proof=proof, force=force)),
            (new, lambda path: tp.load(new).save(path, force=force)),
            (new, lambda path: tp.max(new).to_html(path, force=force)),
            (people, lambda path: tp.max(new, domain=people).to_html(path, force=force)),
            (people, lambda path: pickle.loads(pickle.dumps(tp.max(new, domain=people))).to_html(path, force=force)),
            (new, lambda path: tp.range(new).max.to_html(path, force=force)),
            (audit, lambda path: tp.audit(audit).to_html(path, force=force)),
            (new, lambda path: tp.audit(audit).to_html(path, force=force)),
            (proof, lambda path: tp.check(proof, new).to_html(path, force=force)),
        ):
            if file == people and b"people.csv" not in audit.read_bytes():
                continue
            hard.unlink(missing_ok=True)
            soft.unlink(missing_ok=True)
            os.link(file, hard)
            soft.symlink_to(file)
            for name in (file, hard, soft):
                with pytest.raises(tp.TaskError, match="is a file that is read; name another one"):
                    ask(name)
    assert [file.read_bytes() for file in (new, old, people, audit, proof)] == before


def test_a_file_of_another_kind_is_kept(folder: Path) -> None:
    new, out = folder / "new.json", folder / "out"
    tree = DecisionTreeRegressor().fit([[0], [1]], [2, 3])
    pipeline = make_pipeline(StandardScaler(), DecisionTreeRegressor()).fit([[0], [1]], [2, 3])
    writers = (
        lambda force: tp.max(new, proof=out, force=force),
        lambda force: tp.max(new).to_html(out, force=force),
        lambda force: tp.load(new).save(out, force=force),
        lambda force: scikit_learn.save(tree, out, force=force),
        lambda force: scikit_learn.save(pipeline, out, force=force),
    )
    for write in writers:
        out.write_text("mine")
        with pytest.raises(tp.TaskError, match="is kept; name another file, or overwrite it with force"):
            write(False)
        assert out.read_text() == "mine"
        write(True)
        first = out.read_bytes()
        assert first != b"mine"
        write(False)
        assert len(out.read_bytes()) > 0
        out.unlink()
        write(False)
    assert not [name for name in os.listdir(folder) if name.endswith(".partial")]


def test_a_folder_that_is_not_there(folder: Path) -> None:
    with pytest.raises(OSError):
        tp.load(folder / "new.json").save(folder / "none" / "model.json")
    with pytest.raises(tp.ProofError, match="there is no such folder"):
        tp.max(folder / "new.json", proof=folder / "none" / "proof")
