"""The README and the manual: Python sessions show what happens, links lead somewhere, flags exist."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from parity import command

ROOT = Path(__file__).resolve().parents[2]
MANUAL = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*MANUAL, *(page for page in ROOT.glob("*.md") if page not in MANUAL), ROOT / "examples/README.md"]
# Flags of other programs that the manual names.
FOREIGN = {"--release", "--path", "--check", "--section"}

# What stands behind `treeproof` and asks nothing: the demo, and how a proof's file begins.
NO_QUESTIONS = {"proof"}


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(text: str) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def test_sessions() -> None:
    ran = subprocess.run([sys.executable, ROOT / "scripts/readme", "--check", "--python"], capture_output=True, text=True)
    assert ran.returncode == 0, f"run scripts/readme: {ran.stderr}"


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", prose(page.read_text()), flags=re.MULTILINE):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        found.add(anchor if anchor not in found else f"{anchor}-{sum(other.startswith(anchor) for other in found)}")
    return found


@pytest.mark.parametrize("page", LINKED, ids=name)
def test_links(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", prose(page.read_text()))
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


@cache
def help_of(*question: str) -> str:
    return subprocess.run([*command(), *question, "--help"], capture_output=True, text=True, check=True).stdout


def questions() -> set[str]:
    listed = help_of().split("\nOptions:\n")[0]
    return set(re.findall(r"^  (\w+)  ", listed, flags=re.MULTILINE)) - {"help"}


def flags(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text))


@pytest.mark.parametrize("page", MANUAL, ids=name)
def test_questions_and_flags_exist(page: Path) -> None:
    text = page.read_text()
    known = questions()
    anywhere = FOREIGN.union(*(flags(help_of(question)) for question in known), flags(help_of()))
    wrong = [flag for flag in flags(" ".join(re.findall(r"`[^`\n]+`", prose(text)))) if flag not in anywhere]
    # What is typed, in lines of blocks and in the text; a pipe or a comment ends it.
    typed = re.sub(r"\\\n\s*", " ", text)
    for question, rest in re.findall(r"(?:^\$ |`)treeproof ([a-z]+)\b([^\n`|#;]*)", typed, flags=re.MULTILINE):
        if question in known:
            wrong += [f"{question} {flag}" for flag in flags(rest) - flags(help_of(question))]
        elif question not in NO_QUESTIONS:
            wrong.append(f"treeproof {question}")
    assert not wrong
