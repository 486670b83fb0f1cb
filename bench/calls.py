"""What a question costs through Python beside what it costs in Rust, and what many rows cost beside one; see bench/python."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import time
from pathlib import Path

import numpy as np
import treeproof as tp

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "docs/examples/new.json"
MOST_MICROSECONDS = 50.0


def in_rust(task: dict[str, object], repeat: int) -> tuple[list[float], object]:
    """Seconds of each answer inside one process."""
    program = os.environ.get("TREEPROOF_BENCH", str(ROOT / "target/release/treeproof-bench"))
    call = [program, "ask", str(MODEL), json.dumps(task), "--repeat", str(repeat)]
    answer = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
    return answer["seconds"], answer["upper"]


def in_python(model: tp.Model, repeat: int) -> tuple[list[float], object]:
    """Seconds of each call, from arguments to the number in the report."""
    seconds, upper = [], None
    for _ in range(repeat):
        start = time.perf_counter()
        upper = tp.max(model, where=["30 <= age < 50"], threads=1).upper
        seconds.append(time.perf_counter() - start)
    return seconds, upper


def crossing(num_rows: int) -> tuple[float, int]:
    """Seconds of ``closest`` about rows at once, and how often the border was crossed."""
    calls = 0
    native = tp.asking._native.ask

    def counted(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        return native(*arguments)

    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.integers(18, 80, num_rows), rng.integers(5000, 90000, num_rows), rng.integers(0, 2, num_rows)])
    tp.asking._native.ask = counted
    try:
        start = time.perf_counter()
        report = tp.closest(MODEL, rows, norm="l1", threads=1)
        seconds = time.perf_counter() - start
    finally:
        tp.asking._native.ask = native
    assert len(report.table) == num_rows
    return seconds, calls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer calls, no files written")
    quick = parser.parse_args().quick
    repeat, turns, num_rows = (300, 3, 1000) if quick else (2000, 7, 10_000)
    model = tp.load(MODEL)
    task: dict[str, object] = {"treeproof": 1, "question": "max", "where": ["30 <= age < 50"], "limits": {"threads": 1}}
    in_python(model, 100)
    rust, python = [], []
    for _ in range(turns):
        seconds, of_rust = in_rust(task, repeat)
        rust.append(statistics.median(seconds) * 1e6)
        seconds, of_python = in_python(model, repeat)
        python.append(statistics.median(seconds) * 1e6)
        assert of_rust == of_python, (of_rust, of_python)
    # Each turn is measured under the same conditions; the middle one of the differences is what counts.
    overhead = statistics.median(there - here for here, there in zip(rust, python))
    seconds, calls = crossing(num_rows)
    lines = [
        "# The cost of a question through Python",
        "",
        f"`max` under one condition on `docs/examples/new.json` (3 trees), one thread, medians of {repeat} calls, {turns} turns.",
        "",
        "| | µs per question |",
        "|---|---|",
        f"| Rust | {statistics.median(rust):.0f} |",
        f"| Python | {statistics.median(python):.0f} |",
        f"| difference | {overhead:.0f} (at most {MOST_MICROSECONDS:.0f}) |",
        "",
        f"`closest` about {num_rows} rows: {calls} call into Rust, {seconds:.2f} s, {seconds / num_rows * 1e6:.0f} µs per row.",
    ]
    print("\n".join(lines))
    if not quick:
        (ROOT / "bench/results/python.md").write_text("\n".join(lines) + "\n")
    if overhead > MOST_MICROSECONDS or calls != 1:
        raise SystemExit("Python costs too much")


if __name__ == "__main__":
    main()
