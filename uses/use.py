"""One use: asks treeproof in a folder of its own, checks what comes back, and writes the page from what really ran.

Every input that treeproof shows goes through `reproduce` or a stricter check with the library that trained the model; what
does not agree ends the run with one line and exit code 1, and no page is written.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import pathlib
import resource
import shlex
import shutil
import subprocess
import sys
import time
from typing import Any, Callable, Iterable

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
BINARY = pathlib.Path(os.environ.get("TREEPROOF_BIN", TARGET / "release" / "treeproof")).resolve()
PAGES = ROOT / "docs" / "uses"
# With one thread the same question takes the same steps, so a page changes only where its answers do.
OPTIONS = ("--json", "--threads", "1")
# Done, violated, undecided within the limits, infeasible; a wrong question is none of them.
ANSWERED = (0, 1, 3, 4)


class Wrong(Exception):
    """An answer that the library, the data or the question contradicts."""


class Use:
    """What a run needs and gathers."""

    def __init__(self, name: str, about: str | None) -> None:
        parser = argparse.ArgumentParser(description=about)
        parser.add_argument("--data", type=pathlib.Path, required=True, help="the folder with the datasets")
        parser.add_argument("--bench", type=pathlib.Path, required=True, help="the folder whose models/ are asked about")
        parser.add_argument("--quick", action="store_true", help="a small share of the work, and no page")
        arguments = parser.parse_args()
        self.name, self.quick = name, arguments.quick
        self.data, self.bench = arguments.data.resolve(), arguments.bench.resolve()
        self.folder = TARGET / "uses" / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.commands: list[str] = []
        self.made: list[str] = []
        self.checked = 0
        self.seconds = 0.0
        self.started = time.monotonic()

    def model(self, name: str) -> str:
        """A model of the benchmark, copied to where treeproof runs."""
        file = f"{name}.json.gz"
        shutil.copyfile(self.bench / "models" / file, self.folder / file)
        self.made.append(f"`{file}` from the benchmark")
        return file

    def open(self, file: str) -> bytearray:
        """The bytes of a model in the folder, unpacked."""
        data = (self.folder / file).read_bytes()
        return bytearray(gzip.decompress(data) if file.endswith(".gz") else data)

    def ask(self, question: str, *words: Any) -> dict[str, Any]:
        """The answer of treeproof, with the processor time that it took as `cpu`."""
        line = [question, *map(str, words)]
        self.commands.append(shlex.join(["treeproof", *line]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([BINARY, *line, *OPTIONS], cwd=self.folder, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in ANSWERED:
            raise Wrong(f"exit code {done.returncode} of {self.commands[-1]}: {done.stderr.strip()}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.seconds += cpu
        return json.loads(done.stdout) | {"cpu": cpu, "exit_code": done.returncode}

    def check(self, holds: Any, complaint: str) -> None:
        """Ends the run unless this holds."""
        if not holds:
            raise Wrong(f"after {self.commands[-1] if self.commands else 'no command'}: {complaint}")

    def reproduce(self, model: Any, witness: dict[str, Any], output: float) -> None:
        """The library gives this very number for the input."""
        self.checked += 1
        margin = float(model.margins([witness])[0])
        self.check(margin == output, f"{model} gives {margin!r} for the input, treeproof says {output!r}")

    def run(self, main: Callable[[Use], Page]) -> None:
        """Runs the use, says one line, and writes the page and the index of all pages."""
        try:
            page = main(self)
            self.check(self.checked > 0, "nothing was checked")
        except Wrong as wrong:
            print(f"uses/{self.name}: {wrong}", file=sys.stderr)
            sys.exit(1)
        took = time.monotonic() - self.started
        print(f"{self.name}: {page.headline} ({self.checked} inputs checked, {took:.0f} s)")
        if not self.quick:
            PAGES.mkdir(parents=True, exist_ok=True)
            (PAGES / f"{self.name}.md").write_text(page.text(self))
            write_index()


class Page:
    """The text of a page, section by section."""

    def __init__(self, title: str, headline: str, *intro: str) -> None:
        self.title, self.headline = title, headline
        self.lines: list[str] = []
        for paragraph in intro:
            self.say(paragraph)

    def say(self, text: str) -> None:
        self.lines += [text, ""]

    def section(self, title: str) -> None:
        self.say(f"## {title}")

    def table(self, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
        """Columns whose title starts with `#` hold numbers."""
        columns = list(columns)
        self.lines.append("| " + " | ".join(column.removeprefix("#") for column in columns) + " |")
        self.lines.append("|" + "|".join("--:" if column.startswith("#") else "---" for column in columns) + "|")
        self.lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
        self.lines.append("")

    def code(self, lines: Iterable[str]) -> None:
        self.lines += ["```", *lines, "```", ""]

    def text(self, use: Use) -> str:
        made = f" Files: {'; '.join(use.made)}." if use.made else ""
        shown = "The input on this page" if use.checked == 1 else f"Each of the {use.checked} inputs behind this page"
        lines = [
            f"# {self.title}", "", f"**{self.headline}**", "",
            f"Written by `uses/{use.name}`, which runs treeproof and checks the answers. {shown} meets the conditions, and the "
            "library that trained the model gives the same prediction for it.", "",
            *self.lines,
            "## Commands", "",
            f"Each ran with `{' '.join(OPTIONS)}`; together they took {use.seconds:.1f} s of processor time.{made}", "",
            "```", *use.commands, "```",
        ]
        return "\n".join(lines) + "\n"


def write_index() -> None:
    """docs/uses/README.md: the headline of each page."""
    lines = ["# Case studies", "", "Questions about models of real data, answered with proof. Written by `uses/all`.", ""]
    for page in sorted(PAGES.glob("*.md")):
        if page.name != "README.md":
            title, headline = page.read_text().splitlines()[0:3:2]
            lines.append(f"* [{title.removeprefix('# ')}]({page.name}) {headline.strip('*')}")
    (PAGES / "README.md").write_text("\n".join(lines) + "\n")
