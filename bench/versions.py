"""Times the same searches with two builds of treeproof, each on one thread, and compares the steps they take.

Times are processor time of the whole command, as in bench/proofs; the builds take turns and the least of each counts.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import pathlib
import statistics
import sys
import tempfile

import proofs

RESULTS = proofs.RESULTS
# Commands shorter than this are measured, but their start and reading weigh more than the search.
SHORT_SECONDS = 0.05
# Keys whose values depend on the machine.
MACHINE_KEYS = {"seconds", "memory_bytes", "about"}


@dataclasses.dataclass
class Pair:
    """A task as both builds answer it."""

    name: str
    old: float
    new: float
    same_answer: bool
    same_regions: bool

    @property
    def ratio(self) -> float:
        return self.new / self.old


def answer(text: str) -> object:
    """An answer without what depends on the machine."""

    def cleaned(value: object) -> object:
        if isinstance(value, dict):
            return {key: cleaned(item) for key, item in value.items() if key not in MACHINE_KEYS | {"stats"}}
        return [cleaned(item) for item in value] if isinstance(value, list) else value

    return cleaned(json.loads(text))


def regions(value: object) -> int:
    """All regions that an answer counts."""
    if isinstance(value, dict):
        own = value["regions"] if isinstance(value.get("regions"), int) else 0
        return own + sum(regions(item) for item in value.values())
    return sum(map(regions, value)) if isinstance(value, list) else 0


def measure(task: proofs.Task, options: argparse.Namespace) -> Pair | str:
    """The times of both builds, or why there are none."""
    limits = ["--threads", "1", "--time", f"{options.time}s", "--json"]
    programs = {"old": options.old, "new": proofs.BINARY}
    times: dict[str, list[float]] = {"old": [], "new": []}
    texts = {}
    while len(times["old"]) < proofs.TURNS[0] or (sum(times["old"]) < proofs.TURNS_SECONDS and len(times["old"]) < proofs.TURNS[1]):
        for side, program in programs.items():
            seconds, text, code = proofs.processor_time([*task.arguments, *limits], program)
            if code not in (0, 1):
                return f"{side}: {text.strip().splitlines()[0]}" if code != 3 else f"not decided in {options.time} s"
            if seconds > 0.9 * options.time:
                return f"not complete in {options.time} s"
            times[side].append(seconds)
            texts[side] = text
    old, new = (json.loads(texts[side]) for side in ("old", "new"))
    return Pair(task.name, min(times["old"]), min(times["new"]), answer(texts["old"]) == answer(texts["new"]), regions(old) == regions(new))


def report(pairs: list[Pair], left_out: list[str], options: argparse.Namespace) -> str:
    """The tables."""
    lines = [
        "# This version against an older one",
        "",
        f"Written by `bench/versions`: {options.commit} (old) against the working tree (new), one thread, processor time of whole",
        "commands, reading the model included. The builds take turns; the least time of each counts.",
        "",
        "| tasks | | new / old: geometric mean | median | worst | same answer | same regions |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for what, own in (
        (f"over {SHORT_SECONDS * 1000:g} ms", [pair for pair in pairs if pair.old > SHORT_SECONDS]),
        ("shorter", [pair for pair in pairs if pair.old <= SHORT_SECONDS]),
    ):
        if own:
            ratios = [pair.ratio for pair in own]
            mean = math.exp(statistics.fmean(map(math.log, ratios)))
            lines.append(
                f"| {what} | {len(own)} | {mean:.3f} | {statistics.median(ratios):.3f} | {max(ratios):.3f} "
                f"| {sum(pair.same_answer for pair in own)} | {sum(pair.same_regions for pair in own)} |"
            )
    lines += ["", "| task | old s | new / old | answer | regions |", "|---|--:|--:|---|---|"]
    for pair in pairs:
        words = ["same" if is_same else "different" for is_same in (pair.same_answer, pair.same_regions)]
        lines.append(f"| {pair.name} | {pair.old:.3f} | {pair.ratio:.3f} | {words[0]} | {words[1]} |")
    if left_out:
        lines += ["", "Left out:", "", *(f"- {line}" for line in left_out)]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="has models/NAME.json.gz, tasks/SET.jsonl")
    parser.add_argument("--old", type=pathlib.Path, required=True, help="the older program")
    parser.add_argument("--commit", required=True, help="the commit it was built from")
    parser.add_argument("--time", type=int, default=60, help="seconds for every search")
    parser.add_argument("--every", type=int, default=proofs.EVERY, help="one of so many boxes; results are written for the default alone")
    parser.add_argument("--only", default="", help="tasks whose name has this; results are not written")
    options = parser.parse_args()
    pairs, left_out = [], []
    with tempfile.TemporaryDirectory() as folder:
        for task in proofs.questions(options.folder, pathlib.Path(folder), options.every):
            if options.only not in task.name:
                continue
            pair = measure(task, options)
            print(pair, file=sys.stderr)
            if isinstance(pair, Pair):
                pairs.append(pair)
            else:
                left_out.append(f"{task.name}: {pair}")
    text = report(pairs, left_out, options)
    if options.every == proofs.EVERY and not options.only:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "versions.md").write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
