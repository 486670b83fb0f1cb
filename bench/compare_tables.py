"""The numbers of `compare_report.py` as markdown."""

from __future__ import annotations

from typing import Any

SIDES = ("default", "best-first", "treeproof")


def rival(report: dict[str, Any]) -> str:
    """Treeproof against dtai-veritas."""
    rows = report["sets"] | {"all": report["all"]}
    clock = report["options"]["clock"]
    lines = [
        "# Random verification tasks against dtai-veritas",
        "",
        *preamble(report),
        "",
        "`default` and `best-first` are the rival's configurations (the latter `focal_eps=1, max_focal_size=1`). A "
        "ratio is the time of the better one divided by treeproof's.",
        "",
        *in_short(report),
        "## Proved optima, and the time taken",
        "",
        "Geometric means over the tasks that the rival solves in more than 50 ms; a task undecided by treeproof counts "
        "with the time limit.",
        "",
        f"| set | tasks | default | best-first | treeproof | over 50 ms | ratio, {clock} | ratio, wall | smallest |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, entry in rows.items():
        exact, ratio = entry["exact"], entry["ratio"]
        cells = [entry["tasks"], *(exact[side] for side in SIDES), ratio["tasks"]]
        lines.append(row(name, *cells, *(times(ratio[key]) for key in (clock, "wall", "smallest"))))
    lines += [
        "",
        "## Bounds without a proved optimum",
        "",
        "The time in which treeproof's upper bound reaches the rival's last one, on tasks undecided by the rival; the "
        "median relative gap, (upper − lower) / upper, over a side's own undecided tasks (∞: mostly no solution, hence "
        "no lower bound); and the tasks on which a side has no solution at all.",
        "",
        "| set | open for the rival | bound reached | median time | ratio | gap: default | best-first | treeproof "
        "| no solution: default | best-first | treeproof |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, entry in rows.items():
        bound, gaps = entry["rivals_last_bound"], entry["median_gap_where_open"]
        cells = [bound["tasks"], bound["reached"], milliseconds(bound["median_seconds"]), times(bound["ratio"])]
        for side in SIDES:
            is_open = entry["exact"][side] < entry["tasks"]
            cells.append("∞" if is_open and gaps[side] is None else percent(gaps[side]))
        lines.append(row(name, *cells, *(entry["without_solution"][side] for side in SIDES)))
    lines += [
        "",
        "## Effort",
        "",
        "Steps are not comparable: a leaf added to a sequence for the rival, a region for treeproof. Memory is the growth "
        "of the process during the search, median and largest, in MiB. Tiny tasks are solved by the rival within 50 ms.",
        "",
        "| set | steps: default | best-first | treeproof | memory: default | best-first | treeproof | tiny tasks "
        "| slow-down | slower | most extra time |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, entry in rows.items():
        steps, peaks, tiny = entry["median_steps"], entry["peak_mib"], entry["tiny"]
        cells = [f"{steps[side]:.0f}" for side in SIDES] + [sizes(peaks[side]) for side in SIDES]
        cells += [tiny["tasks"], times(tiny["slow_down"]), tiny["slower"], milliseconds(tiny["most_extra_seconds"])]
        lines.append(row(name, *cells))
    lines += listing("Contradictory bounds", report["contradictions"])
    lines += listing("Bounds worse than the rival's better one", report["worse_bounds"])
    return "\n".join(lines) + "\n"


def in_short(report: dict[str, Any]) -> list[str]:
    """The numbers that claims are made of."""
    entry, clock = report["all"], report["options"]["clock"]
    exact, ratio, tiny = entry["exact"], entry["ratio"], entry["tiny"]
    return [
        "## Summary",
        "",
        f"- Optima proved, of {entry['tasks']}: {', '.join(f'{side} {exact[side]}' for side in SIDES)}; either "
        f"configuration of the rival {entry['exact_of_either_rival']}.",
        f"- Ratio over all {ratio['tasks']} tasks that the rival solves in more than 50 ms: {times(ratio[clock])}.",
        f"- Contradictory bounds: {len(report['contradictions'])}.",
        f"- Bounds worse than the rival's better one by more than 1e-5 · max(1, |bound|), or tasks solved by the rival only: "
        f"{len(report['worse_bounds'])}.",
        f"- Tiny tasks more than 0.2 ms slower: {tiny['much_slower']} of {tiny['tasks']}; the largest difference is "
        f"{milliseconds(tiny['most_extra_seconds'])}.",
        "",
    ]


def methods(report: dict[str, Any]) -> str:
    """Treeproof's methods against each other."""
    lines = [
        "# Treeproof's methods on random verification tasks",
        "",
        *preamble(report),
        "",
        "The measures of the Veritas paper: the share of proved optima; the relative gap, (upper − lower) / upper; and "
        "how much faster than MERGE a method reaches the last upper bound of MERGE.",
        "",
        "| set | method | tasks | exact | median gap | gap < 1 % | < 20 % | < 50 % | < 100 % | more "
        "| slower than MERGE | < 10× faster | < 100× | < 1000× | more | median | worse upper bounds |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, entry in (report["sets"] | {"all": report["all"]}).items():
        for method, numbers in entry.items():
            if method == "tasks":
                continue
            cells = [method, entry["tasks"], percent(numbers["exact"]), percent(numbers["median_gap"])]
            cells += [percent(share) for share in numbers["gap_shares"]]
            if "speed_shares" in numbers:
                cells += [percent(share) for share in numbers["speed_shares"]]
                cells += [times(numbers["median_speed"]), numbers["worse_upper_bounds"]]
            else:
                cells += ["–"] * 7
            lines.append(row(name, *cells))
    lines += listing("Contradictory bounds", report["contradictions"])
    lines += listing("Bounds worse than those of the other methods", report["worse_bounds"])
    return "\n".join(lines) + "\n"


def preamble(report: dict[str, Any]) -> list[str]:
    """What was run, and on what."""
    options, machine = report["options"], report["machine"]
    load = machine["load_average"]
    sample = f"**A sample: {options['tasks']} tasks of every set, picked at random.** " if options["tasks"] else ""
    clock = "CPU time" if options["clock"] == "cpu" else "wall time"
    libraries = ", ".join(
        f"{name} {version}"
        for name, version in machine["libraries"].items()
        if name != "dtai-veritas" or not options["methods"]
    )
    return [
        f"Written by `bench/compare`. {sample}Maximise a margin inside a box; one thread, all sides in turns on one "
        f"core, {options['time']:g} s {clock} and 4 GiB for every search, medians of {options['repeat']} (one run for "
        "undecided tasks); models in memory, compiling included.",
        "",
        f"Machine: {machine['cores']} × {machine['cpu']}, load average {load['median']} (at most {load['max']:.1f}); "
        f"a load above the number of cores means that other processes were running. {libraries}.",
    ]


def listing(title: str, lines: list[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"- {line}" for line in lines or ["none"])]


def row(*cells: Any) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def times(ratio: float | None) -> str:
    if ratio is None:
        return "–"
    return f"{ratio:.0f}×" if ratio >= 100 else f"{ratio:.1f}×" if ratio >= 10 else f"{ratio:.2f}×"


def milliseconds(seconds: float | None) -> str:
    return "–" if seconds is None else f"{seconds * 1e3:.1f} ms"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.1f} %"


def sizes(peak: dict[str, float | None]) -> str:
    if peak["median"] is None or peak["max"] is None:
        return "–"
    return f"{peak['median']:.1f} / {peak['max']:.0f}"
