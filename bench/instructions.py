"""What callgrind counted, as a table: instructions by function, inlined ones under the function that holds them."""

from __future__ import annotations

import json
import pathlib
import re
import sys

ROWS = 20


def tidy(name: str) -> str:
    """The function without its file, object and hash."""
    name = re.sub(r"\s*\[[^\]]*\]$", "", name)
    name = name.rsplit(":", 1)[-1] if "::" not in name else name.split(":", 1)[-1]
    return re.sub(r"::h[0-9a-f]{16}$", "", name)


def main() -> None:
    folder, task = pathlib.Path(sys.argv[1]), sys.argv[2]
    answer = json.loads((folder / "answer.json").read_text())
    text = (folder / "annotated").read_text()
    total = int(re.search(r"^\s*([\d,]+) .*PROGRAM TOTALS", text, flags=re.MULTILINE)[1].replace(",", ""))
    functions: dict[str, int] = {}
    for count, name in re.findall(r"^\s*([\d,]+) \([ \d.]+%\)\s+(\S.*)$", text, flags=re.MULTILINE):
        if "PROGRAM TOTALS" not in name:
            functions[tidy(name)] = functions.get(tidy(name), 0) + int(count.replace(",", ""))
    largest = sorted(functions.items(), key=lambda item: -item[1])[:ROWS]
    model = (folder / "model").read_text().strip().removesuffix(".json")
    print("# Instructions of a search")
    print()
    print(f"Written by `bench/instructions`: {model} ({task}), one thread, compiling included, to the proof of the optimum.")
    print()
    print(f"**{total / 1e6:.1f} million instructions** for {answer['steps']} regions: {total / answer['steps']:.0f} each.")
    print()
    print("| function | million | share |")
    print("|---|--:|--:|")
    for name, count in largest:
        print(f"| `{name}` | {count / 1e6:.2f} | {count / total:.1%} |")


if __name__ == "__main__":
    main()
