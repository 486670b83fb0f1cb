"""Bounds over time as a drawing: for each of two searches a band between what is proved and what is found, on a logarithmic scale."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from pathlib import Path

WIDTH, HEIGHT = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 58, 46
METHODS = {"veritas": "the published search (--method veritas)", "auto": "treeproof"}
# Text and lines follow the reader's colour scheme, also where the picture is shown by itself.
STYLE = """
text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #333 }
.title { font-weight: 600; font-size: 15px } .quiet { fill: #666 } .grid { stroke: #ddd }
.auto { stroke: #0b6e4f } .auto.band { fill: #0b6e4f } .veritas { stroke: #b35c00 } .veritas.band { fill: #b35c00 }
.line { fill: none; stroke-width: 2 } .band { stroke: none; opacity: .16 } .dashed { stroke-dasharray: 5 4 }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd } .quiet { fill: #aaa } .grid { stroke: #444 }
  .auto { stroke: #4cc9a0 } .auto.band { fill: #4cc9a0 } .veritas { stroke: #f0a050 } .veritas.band { fill: #f0a050 }
}"""

Point = tuple[float, float]


class Search:
    """What one method knew, and when."""

    def __init__(self, folder: Path, method: str) -> None:
        self.method = method
        self.answer = json.loads((folder / f"{method}.json").read_text())
        events = [json.loads(line) for line in (folder / f"{method}.jsonl").read_text().splitlines()] + [self.answer]
        self.upper = [(event["seconds"], event["upper"]) for event in events if event["upper"] is not None]
        self.lower = [(event["seconds"], event["lower"]) for event in events if event["lower"] is not None]
        self.is_proved = self.answer["verdict"] == "optimal"

    @property
    def end(self) -> float:
        return float(self.answer["seconds"])

    @property
    def model(self) -> str:
        facts = self.answer["about"]["models"][0]
        return f"a model of {facts['trees']} trees"


def steps(points: Iterable[Point]) -> list[Point]:
    """Each number holds until the next one."""
    corners: list[Point] = []
    for x, y in points:
        if corners:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    return corners


def draw(searches: list[Search]) -> str:
    model = searches[0].model
    first = min(point[0] for search in searches for point in search.upper)
    last = max(search.end for search in searches)
    numbers = [y for search in searches for _, y in search.upper + search.lower]
    low, high = min(numbers), max(numbers)
    low, high = low - 0.04 * (high - low), high + 0.04 * (high - low)
    start, stop = math.log10(first), math.log10(last * 1.05)

    def at(point: Point) -> str:
        x = LEFT + (math.log10(max(point[0], first)) - start) / (stop - start) * (WIDTH - LEFT - RIGHT)
        y = TOP + (high - point[1]) / (high - low) * (HEIGHT - TOP - BOTTOM)
        return f"{x:.1f},{y:.1f}"

    def path(points: list[Point]) -> str:
        return "M" + " L".join(map(at, points))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="t d">',
        f'<title id="t">Bounds on the largest output of {model}, over time</title>',
        f'<desc id="d">{describe(searches)}</desc>',
        f"<style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="22">The largest output of {model}: what is known, and when</text>',
    ]
    for place, search in enumerate(reversed(searches)):
        told = f"proved after {search.end:.2g} s" if search.is_proved else f"not proved after {search.end:.0f} s"
        x = LEFT + 260 * place
        parts.append(f'<path class="line {search.method}" d="M{x},40 h22"/>')
        parts.append(f'<text x="{x + 28}" y="44">{METHODS[search.method]}: {told}</text>')
    for power in range(math.ceil(start), math.floor(stop) + 1):
        x = at((10.0**power, low)).split(",")[0]
        parts.append(f'<path class="grid" d="M{x},{TOP} V{HEIGHT - BOTTOM}"/>')
        label = f"{10.0**power:g} s" if power >= 0 else f"{10.0 ** (power + 3):g} ms"
        parts.append(f'<text class="quiet" x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{label}</text>')
    step = 10 ** math.floor(math.log10(high - low))
    for tick in range(math.ceil(low / step), math.floor(high / step) + 1):
        y = float(at((first, tick * step)).split(",")[1])
        parts.append(f'<path class="grid" d="M{LEFT},{y:.1f} H{WIDTH - RIGHT}"/>')
        parts.append(f'<text class="quiet" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick * step:g}</text>')
    for search in searches:
        upper, lower = steps(search.upper), steps(search.lower)
        # Before anything is found, nothing limits the band from below.
        begun = [(upper[0][0], low), (lower[0][0], low)] if lower[0][0] > upper[0][0] else []
        band = path(upper + list(reversed(begun + lower)))
        parts.append(f'<path class="band {search.method}" d="{band} Z"/>')
        parts.append(f'<path class="line {search.method}" d="{path(upper)}"/>')
        parts.append(f'<path class="line dashed {search.method}" d="{path(lower)}"/>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    note = "solid: nothing is above, proved · dashed: an input reaches it · time on a logarithmic scale, one thread"
    parts.append(f'<text class="quiet" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{note}</text></svg>')
    return "\n".join(parts) + "\n"


def describe(searches: list[Search]) -> str:
    def told(search: Search) -> str:
        bounds = f"between {search.lower[-1][1]:.4g} and {search.upper[-1][1]:.4g}"
        return f"{METHODS[search.method]} ends after {search.end:.2g} seconds {bounds}"

    return "; ".join(map(told, searches))


if __name__ == "__main__":
    sys.stdout.write(draw([Search(Path(sys.argv[1]), method) for method in METHODS]))
