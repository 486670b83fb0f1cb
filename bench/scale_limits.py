"""What limits do: memory as seen from outside the process, two threads against one, and a forest of large trees."""

from __future__ import annotations

import argparse
import gzip
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import compare

SAMPLE_SECONDS = 0.002
# A process whose size is the same after this time has read its model.
SETTLE_SECONDS = 1.0
PLENTY = 16 << 30
# Far beyond any threshold, and an `f32` number all the same.
EVERYTHING = float(2**120)
# A search is worth two threads if it takes one at least this long.
LONG_SECONDS = 1.0
TURNS = 3
# The bounds of a forest are shown after these shares of the time, so that one sees them improve.
FOREST_SHARES = (0.05, 0.1, 0.3, 1.0)
FOREST_TARGETS = ("median_house_value", "median_income")


def resident(process: subprocess.Popen[str]) -> int:
    """Bytes of a process; 0 when it has ended."""
    try:
        text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"^VmRSS:\s+(\d+) kB$", text, flags=re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def watched(model: pathlib.Path, box: compare.Box, seconds: float, limit: int) -> dict[str, Any]:
    """A search whose process is looked at from outside: it has the model in memory when it waits for the box."""
    command = [compare.BINARY, "maximise", model, "--time", seconds, "--memory", limit]
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    loaded, before = resident(process), -1
    while loaded != before or loaded == 0:
        time.sleep(SETTLE_SECONDS)
        loaded, before = resident(process), loaded
    process.stdin.write(json.dumps(box))
    process.stdin.close()
    peak = loaded
    while process.poll() is None:
        peak = max(peak, resident(process))
        time.sleep(SAMPLE_SECONDS)
    assert process.stdout is not None
    answer = json.loads(process.stdout.read())
    return {"growth": peak - loaded} | {key: answer[key] for key in ("lower", "upper", "steps", "memory", "exact")}


def memory(arguments: argparse.Namespace) -> dict[str, Any]:
    """Stopped at once, for what compiling takes; with memory in plenty; and with a tenth of what that took."""
    file = arguments.models / "models" / f"{arguments.model}.json.gz"
    features = int(json.loads(gzip.decompress(file.read_bytes()))["learner"]["learner_model_param"]["num_feature"])
    box = [(-EVERYTHING, EVERYTHING)] * features
    compiled = watched(file, box, 0.001, PLENTY)
    free = watched(file, box, arguments.time, PLENTY)
    limit = (free["growth"] - compiled["growth"]) // 10
    tight = watched(file, box, arguments.time, limit)
    for run in (free, tight):
        run["growth"] -= compiled["growth"]
    return {"model": arguments.model, "time": arguments.time, "limit": limit, "compiled": compiled["growth"],
            "free": free, "limited": tight, "share_of_limit": tight["growth"] / limit}


def search(model: pathlib.Path, box: compare.Box, seconds: float, num_threads: int) -> dict[str, Any]:
    command = [compare.BINARY, "maximise", model, "--time", seconds, "--threads", num_threads]
    done = subprocess.run([str(part) for part in command], input=json.dumps(box), capture_output=True, text=True,
                          check=True)
    return json.loads(done.stdout)


def threads(arguments: argparse.Namespace) -> dict[str, Any]:
    """In turns, on tasks of the largest models that one thread solves within the limit, but not at once."""
    tasks = [json.loads(line) for file in sorted((arguments.models / "tasks").glob("*.jsonl"))
             for line in file.read_text().splitlines()]
    large = [task for task in tasks if re.search(r"-M200-d[68]\.", task["model"])]
    found: list[dict[str, Any]] = []
    for task in compare.spread(large, len(large) // 2, "threads"):
        if len(found) == arguments.tasks:
            break
        model = arguments.models / "models" / f"{task['model']}.gz"
        first = search(model, task["box"], arguments.time, 1)
        if not first["exact"] or first["wall_seconds"] < LONG_SECONDS:
            continue
        turns = [(search(model, task["box"], arguments.time, 1), search(model, task["box"], arguments.time, 2))
                 for _ in range(TURNS)]
        one, two = (statistics.median(turn[side]["wall_seconds"] for turn in turns) for side in (0, 1))
        found.append({
            "task": f"{task['model'].removesuffix('.json')} task {task['task']}",
            "one": one,
            "two": two,
            "ratio": one / two,
            "steps": [turns[0][side]["steps"] for side in (0, 1)],
            "same_optimum": len({run["upper"] for turn in turns for run in turn if run["exact"]}) == 1,
        })
        print(found[-1], file=sys.stderr, flush=True)
    return {"turns": TURNS, "tasks": found, "ratio": compare.compare_report.geometric(task["ratio"] for task in found)}


def forest(arguments: argparse.Namespace) -> dict[str, Any]:
    """Scikit-learn forests on California housing, maximised in three regions each."""
    import pandas
    from sklearn.ensemble import RandomForestRegressor
    from treeproof import scikit_learn

    table = pandas.read_csv(arguments.data / "california_housing" / "housing.csv.gz").dropna()
    table = table.select_dtypes("number").astype("float32")
    times = [share * arguments.time for share in FOREST_SHARES]
    found = []
    for target in FOREST_TARGETS:
        rows = table.drop(columns=target)
        model = RandomForestRegressor(500, max_leaf_nodes=5000, n_jobs=-1, random_state=0).fit(rows, table[target])
        leaves = [int(tree.get_n_leaves()) for tree in model.estimators_]
        half = rows.max()
        half.iloc[-1] = rows.iloc[:, -1].median()
        regions = {
            "range of the data": (rows.min(), rows.max()),
            f"{rows.columns[-1]} at most its median": (rows.min(), half),
            "middle half of every feature": (rows.quantile(0.25), rows.quantile(0.75)),
        }
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "forest.json.gz"
            text = json.dumps(scikit_learn.to_document(model), separators=(",", ":"), allow_nan=False)
            # Fast rather than small.
            file.write_bytes(gzip.compress(text.encode(), 1))
            for name, (low, high) in regions.items():
                ends = zip(low.astype("float32"), high.astype("float32"), strict=True)
                answer = search(file, [(float(low), float(high)) for low, high in ends], arguments.time, 1)
                bounds = [[at(answer[trace], seconds) for trace in ("lower_trace", "trace")] for seconds in times]
                kept = ("wall_seconds", "setup_seconds", "peak", "steps", "exact", "lower", "upper", "margin")
                found.append({"target": target, "trees": len(leaves), "leaves": statistics.mean(leaves), "region": name}
                             | {key: answer[key] for key in kept} | {"bounds": bounds})
                print(found[-1], file=sys.stderr, flush=True)
    return {"times": times, "searches": found}


def at(trace: list[tuple[float, float]], seconds: float) -> float | None:
    """The bound that was known at a time."""
    return next((bound for then, bound in reversed(trace) if then <= seconds), None)
