"""Runs one part of the measurements of scale and writes all that are known as JSON, tables and a plot."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
from typing import Any

import compare
import scale_growth
import scale_limits
import scale_tables

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    growth = parts.add_parser("growth", help="time, nodes and gap against trees, depth, features and thresholds")
    growth.add_argument("--time", type=float, default=5.0, help="seconds for every search")
    memory = parts.add_parser("memory", help="growth of the process under a limit")
    memory.add_argument("--models", type=pathlib.Path, required=True, help="has models/NAME.json.gz")
    memory.add_argument("--model", default="higgs-M100-d6", help="its name")
    memory.add_argument("--time", type=float, default=60.0, help="seconds for every search")
    threads = parts.add_parser("threads", help="two threads against one")
    threads.add_argument("--models", type=pathlib.Path, required=True, help="has models/NAME.json.gz, tasks/SET.jsonl")
    threads.add_argument("--time", type=float, default=30.0, help="seconds for every search")
    threads.add_argument("--tasks", type=int, default=6, help="tasks that take one thread more than a second")
    forest = parts.add_parser("forest", help="forests of large trees")
    forest.add_argument("--data", type=pathlib.Path, required=True, help="has california_housing/housing.csv.gz")
    forest.add_argument("--time", type=float, default=20.0, help="seconds for every search")
    arguments = parser.parse_args()
    measure: dict[str, Any] = {
        "growth": scale_growth.growth,
        "memory": scale_limits.memory,
        "threads": scale_limits.threads,
        "forest": scale_limits.forest,
    }
    numbers = measure[arguments.part](arguments)
    file = RESULTS / "scale.json"
    report = json.loads(file.read_text()) if file.exists() else {}
    report[arguments.part] = {"machine": compare.machine(), "load_average": os.getloadavg()[0]} | numbers
    RESULTS.mkdir(exist_ok=True)
    file.write_text(json.dumps(report, indent=1) + "\n")
    (RESULTS / "scale.md").write_text(scale_tables.tables(report))
    if "growth" in report:
        scale_tables.plot(report["growth"], RESULTS / "scale.svg")
    print((RESULTS / "scale.md").read_text(), end="")


if __name__ == "__main__":
    main()
