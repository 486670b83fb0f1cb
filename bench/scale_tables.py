"""The numbers of `scale.py` as markdown, and growth as a plot."""

from __future__ import annotations

import pathlib
from typing import Any

from compare_tables import milliseconds, percent, row, times

AXES = {"trees": "trees", "depth": "depth", "features": "features", "bins": "thresholds offered per feature"}


def tables(report: dict[str, Any]) -> str:
    parts = {"growth": growth, "memory": memory, "threads": threads, "forest": forest}
    lines = ["# Scale", "", "Written by `bench/scale`, part by part."]
    for name, part in parts.items():
        if name in report:
            entry = report[name]
            machine = entry["machine"]
            lines += ["", *part(entry), ""]
            lines += [f"Machine: {machine['cores']} × {machine['cpu']}, load average {entry['load_average']:.1f}."]
    return "\n".join(lines) + "\n"


def growth(entry: dict[str, Any]) -> list[str]:
    base = entry["base"]
    lines = [
        "## Growth",
        "",
        f"XGBoost models on synthetic data: {base['trees']} trees of depth {base['depth']} on {base['features']} features "
        f"with {base['bins']} candidate thresholds each, unless varied; {entry['boxes']} boxes covering "
        f"{entry['width']:.0%} of every feature's range, {entry['time']:g} s of CPU time for each. Medians. `best-first` is "
        "the configuration of dtai-veritas that proves more optima in `bench/compare` and finds fewer solutions; its "
        "default was not run here. `scale.svg` shows the times.",
        "",
        "| varied | value | leaves | thresholds | proved | time | regions | gap | memory | best-first: proved | time | gap |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for dimension, points in entry["series"].items():
        for point in points:
            ours, theirs = point["treeproof"], point["best-first"]
            lines.append(row(
                AXES[dimension], point["value"], point["leaves"], point["thresholds"], ours["proved"],
                milliseconds(ours["seconds"]), f"{ours['steps']:.0f}", percent(ours["gap"]),
                f"{ours['memory'] / 1e6:.1f} MB", theirs["proved"], milliseconds(theirs["seconds"]),
                "∞" if theirs["gap"] >= 1e9 else percent(theirs["gap"]),
            ))
    return lines


def memory(entry: dict[str, Any]) -> list[str]:
    lines = [
        "## Memory",
        "",
        f"{entry['model']}, all inputs allowed, one thread, {entry['time']:g} s. The size of the process is sampled from outside "
        f"every 2 ms; compiling ({entry['compiled'] / 1e6:.1f} MB) is not counted. The limit is a tenth of the growth "
        "without one.",
        "",
        "| limit | growth | of the limit | regions | lower | upper |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, run in (("none", entry["free"]), (f"{entry['limit'] / 1e6:.1f} MB", entry["limited"])):
        share = "–" if name == "none" else percent(entry["share_of_limit"])
        lines.append(row(name, f"{run['growth'] / 1e6:.1f} MB", share, run["steps"], f"{run['lower']:.6g}",
                         f"{run['upper']:.6g}"))
    return lines


def threads(entry: dict[str, Any]) -> list[str]:
    lines = [
        "## Threads",
        "",
        f"Tasks that take one thread more than a second; wall time, medians of {entry['turns']} in turns.",
        "",
        "| task | one thread | two threads | ratio | regions: one | two | same optimum |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    for task in entry["tasks"]:
        same = "yes" if task["same_optimum"] else "**no**"
        lines.append(row(task["task"], milliseconds(task["one"]), milliseconds(task["two"]), times(task["ratio"]),
                         *task["steps"], same))
    return [*lines, "", f"Geometric mean: {times(entry['ratio'])}."]


def forest(entry: dict[str, Any]) -> list[str]:
    searches = entry["searches"]
    lines = [
        "## Forests of large trees",
        "",
        f"Scikit-learn forests on California housing, {searches[0]['trees']} trees with "
        f"{min(run['leaves'] for run in searches):.0f} leaves each. Time is wall time, compiling included; growth is that of the "
        "process. Below each time are the lower and the upper bound known then.",
        "",
        row("target", "region", "compiled in", "growth", "regions", *(f"{seconds:g} s" for seconds in entry["times"]),
            "proved in"),
        "|---|---|" + "--:|" * (4 + len(entry["times"])),
    ]
    for run in searches:
        bounds = [" – ".join("?" if bound is None else f"{bound:.7g}" for bound in pair) for pair in run["bounds"]]
        proved = milliseconds(run["wall_seconds"]) if run["exact"] else "–"
        lines.append(row(run["target"], run["region"], milliseconds(run["setup_seconds"]),
                         f"{(run['peak'] or 0) / 1e6:.0f} MB", run["steps"], *bounds, proved))
    return lines


def plot(entry: dict[str, Any], file: pathlib.Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    # The same bytes for the same numbers.
    matplotlib.rcParams["svg.hashsalt"] = "scale"
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(entry["series"]), figsize=(13, 3.2), sharey=True, layout="constrained")
    for panel, (dimension, points) in zip(panels, entry["series"].items(), strict=True):
        values = [point["value"] for point in points]
        for side, marker in (("treeproof", "o"), ("best-first", "s")):
            panel.plot(values, [point[side]["seconds"] for point in points], marker=marker, label=side)
        panel.axhline(entry["time"], color="grey", linestyle=":", linewidth=1)
        panel.set(xscale="log", yscale="log", xlabel=AXES[dimension], xticks=values, xticklabels=values)
        panel.minorticks_off()
    panels[0].set_ylabel("seconds to prove the optimum")
    panels[0].legend()
    figure.savefig(file, metadata={"Date": None})
