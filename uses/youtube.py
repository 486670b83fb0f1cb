"""Which few words, added to a title, raise the predicted number of views most?

The model predicts the order of magnitude of a video's views from which of 330 words occur.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import xgboost

from libraries import Trained
from use import Page, Use

MODEL = "youtube-M100-d10"
STARTS = (("live", "breaking", "news", "world"), ("challenge", "crazy"), ("official", "trailer"), ())
COUNTS = (1, 2, 3)


def dominant(use: Use, model: Trained, file: str, start: tuple[str, ...], count: int) -> dict[str, Any]:
    """The words to add: XGBoost sees the gain, and another question has the same answer."""
    given = ("--given", ",".join(f"{word}=1" for word in start)) if start else ("--baseline", "words.csv:0")
    free = ("--domain", "words.csv")
    answer = use.ask("dominant", file, *given, "--vary", "*", "--at-most", count, *free)
    use.check(answer["verdict"] == "optimal", f"not proved: {answer['verdict']}")
    before, after = answer["witness"]["a"], answer["witness"]["b"]
    for one, side in ((before, "a"), (after, "b")):
        use.reproduce(model, one, answer["output"][side])
        use.check(set(one.values()) <= {0, 1}, "a word is there or not")
    use.check({name for name, value in before.items() if value} == set(start), "the start is another one")
    added = [name for name in after if after[name] != before[name]]
    use.check(len(added) <= count and all(after[name] == 1 for name in added), f"{added} change")
    gain = answer["output"]["b"] - answer["output"]["a"]
    use.check(abs(gain - answer["lower"]) <= answer["rounding"], f"the gain is {gain}")
    there = [word for name in start for word in ("--where", f"{name} == 1")]
    same = use.ask("max", file, *free, *there, "--where", f"atmost({len(start) + count}, *)")
    use.reproduce(model, same["witness"], same["output"])
    use.check(same["verdict"] == "optimal" and abs(same["lower"] - answer["output"]["b"]) <= 2 * answer["rounding"],
              f"`max` with a count of words says {same['lower']}")
    return answer | {"added": added, "gain": gain}


def tried(model: Trained, start: tuple[str, ...], count: int) -> tuple[float, int]:
    """The largest output of XGBoost for all ways to add at most so many words, and how many ways there are."""
    words = list(model.kinds)
    others = [place for place, word in enumerate(words) if word not in start]
    ways = [way for size in range(count + 1) for way in itertools.combinations(others, size)]
    best = -np.inf
    for first in range(0, len(ways), 10_000):
        part = ways[first : first + 10_000]
        rows = np.zeros((len(part), len(words)))
        rows[:, [words.index(word) for word in start]] = 1
        for row, way in enumerate(part):
            rows[row, list(way)] = 1
        best = max(best, model.margins(pd.DataFrame(rows, columns=words)).max())
    return best, len(ways)


def main(use: Use) -> Page:
    file = use.model(MODEL)
    model = Trained.load(use.open(file), xgboost.XGBRegressor)
    words = list(model.kinds)
    pd.DataFrame([[0] * len(words), [1] * len(words)], columns=words).to_csv(use.folder / "words.csv", index=False)
    use.made.append("`words.csv`, a title without any word and one with all")
    page = Page("YouTube: which words to add to a title?", "",
                f"XGBoost, 100 trees of depth 10, {len(words)} words that occur or not; the output is the number of views as a "
                "power of ten. The given words stay, and the best few are added: proved, no other words do better. The last "
                "column counts the combinations also tried with XGBoost itself, where that was all of them.")
    lines, best = [], None
    for start in STARTS[: 2 if use.quick else None]:
        for count in COUNTS:
            answer = dominant(use, model, file, start, count)
            ways = ""
            if count <= (1 if use.quick else 2):
                largest, number = tried(model, start, count)
                use.check(largest <= answer["output"]["b"] + answer["rounding"], f"trying all ways gives {largest}")
                ways = str(number)
            lines.append([", ".join(start) or "no word", ", ".join(answer["added"]), f"{answer['output']['a']:.2f}",
                          f"{answer['output']['b']:.2f}", f"× {10 ** answer['gain']:.0f}", f"{answer['cpu']:.2f} s", ways])
            if start == STARTS[0] and count == 2:
                best = answer
    page.table(["words", "to add", "#views, power of ten", "#with them", "#views", "#time", "#combinations tried"], lines)
    page.headline = (f"{', '.join(STARTS[0])}: adding {' and '.join(best['added'])} raises the prediction by "
                     f"{best['gain']:.2f} orders of magnitude, and no two words do better.")
    return page


if __name__ == "__main__":
    Use("youtube", __doc__).run(main)
