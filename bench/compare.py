"""Times treeproof against dtai-veritas on random verification tasks: maximise a margin inside a box.

The sides take turns on one core. Each gets the model in memory, the same box and the same limits; what it does with the
box is timed, pruning and compiling included. Every search runs in a process of its own, after a short warm-up.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import ctypes
import dataclasses
import functools
import gzip
import itertools
import json
import math
import multiprocessing
import multiprocessing.connection
import os
import pathlib
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import veritas
import xgboost

import compare_report
from compare_report import Options, Run, Task

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = ROOT / "target" / "release" / "treeproof-bench"
MEMORY = 4 << 30
WARM_UP_SECONDS = 0.02
# The rival is asked for its bounds this often.
SLICE_SECONDS = 0.05
# The rival looks at its clock after this many steps.
STEPS_PER_LOOK = 100
SEED = 20_240_501
METHODS = ("auto", "veritas", "merge")

Box = list[tuple[float, float]]


@dataclasses.dataclass
class Model:
    """A model as each side takes it."""

    file: pathlib.Path
    booster: xgboost.Booster
    addtree: veritas.AddTree


@functools.cache
def load(file: pathlib.Path) -> Model:
    booster = xgboost.Booster({"nthread": 1})
    booster.load_model(bytearray(gzip.decompress(file.read_bytes())))
    return Model(file, booster, veritas.get_addtree(booster, silent=True))


def rival(model: Model, box: Box, configuration: str, options: Options) -> Run:
    """A search of the rival in a process of its own."""
    give_back_memory()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=rival_process, args=(sender, model, box, configuration, options))
    process.start()
    sender.close()
    answer: dict[str, Any] = receiver.recv()
    process.join()
    return Run(**answer, load=os.getloadavg()[0])


def give_back_memory() -> None:
    """What lies free in this process is free in its child, too, and a search that takes it would not seem to grow."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)


def rival_process(
    sender: multiprocessing.connection.Connection, model: Model, box: Box, configuration: str, options: Options
) -> None:
    # Before the warm-up, which leaves memory to the search after it.
    before = forget_peak()
    rival_search(model, box, configuration, WARM_UP_SECONDS, options.clock)
    answer = rival_search(model, box, configuration, options.time, options.clock)
    sender.send(answer | {"peak": None if before is None else max(0, status("VmHWM:") - before)})
    sender.close()


def rival_search(model: Model, box: Box, configuration: str, limit: float, clock: str) -> dict[str, Any]:
    config = veritas.Config(veritas.HeuristicType.MAX_OUTPUT)
    config.max_memory = MEMORY
    if configuration == "best-first":
        config.focal_eps, config.max_focal_size = 1.0, 1
    intervals = [veritas.Interval(low, high) for low, high in box]
    now = time.thread_time if clock == "cpu" else time.perf_counter
    start, wall, cpu = now(), time.perf_counter(), time.thread_time()
    search = config.get_search(model.addtree, intervals)
    setup = time.thread_time() - cpu
    trace: list[tuple[float, float]] = []
    while True:
        reason = search.step_for(min(SLICE_SECONDS, max(limit - (now() - start), 1e-3)), STEPS_PER_LOOK)
        seconds, upper = now() - start, search.current_bounds().best
        if math.isfinite(upper) and (not trace or upper < trace[-1][1]):
            trace.append((seconds, upper))
        if reason != veritas.StopReason.OUT_OF_TIME or search.is_optimal() or seconds >= limit:
            break
    wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
    bounds = search.current_bounds()
    return {
        "wall_seconds": wall,
        "cpu_seconds": cpu,
        "setup_seconds": setup,
        "steps": search.stats.num_steps,
        "exact": search.is_optimal(),
        "lower": bounds.atleast if math.isfinite(bounds.atleast) else None,
        "upper": bounds.best if math.isfinite(bounds.best) else None,
        "memory": search.get_used_memory(),
        "trace": trace,
    }


def forget_peak() -> int | None:
    """Lets the system forget the process's largest size; returns the present one."""
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return None
    return status("VmRSS:")


def status(field: str) -> int:
    """A size of this process in bytes."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def treeproof(model: Model, box: Box, method: str, options: Options) -> Run:
    """A search of treeproof in a process of its own; the row it gives is checked against XGBoost."""
    command: list[Any] = [BINARY, "maximise", model.file, "--method", method, "--time", options.time]
    command += ["--clock", options.clock, "--memory", MEMORY, "--warm-up", WARM_UP_SECONDS]
    done = subprocess.run([str(part) for part in command], input=json.dumps(box), stdout=subprocess.PIPE, text=True,
                          check=True)
    answer = json.loads(done.stdout)
    row, margin = answer.pop("row"), answer.pop("margin")
    run = Run(**answer, load=os.getloadavg()[0])
    if row is not None:
        predicted = model.booster.inplace_predict(np.asarray([row], dtype=np.float32), predict_type="margin")
        run.row_margin = float(predicted.ravel()[0])
        run.row_is_faithful = run.row_margin == margin
        run.row_is_inside = all(low <= value < high for value, (low, high) in zip(row, box, strict=True))
    return run


def spread(tasks: list[dict[str, Any]], count: int | None, name: str) -> list[dict[str, Any]]:
    """All tasks of a set, or one at random of every so many, the same in every run: they are sorted by model."""
    if count is None or count >= len(tasks):
        return tasks
    picks = random.Random(f"{SEED} {name}")
    edges = [index * len(tasks) // count for index in range(count + 1)]
    return [tasks[picks.randrange(low, high)] for low, high in itertools.pairwise(edges)]


def take_core(free: Any) -> None:
    """A process keeps to one core, with all that it starts."""
    os.sched_setaffinity(0, {free.get()})


def measure(task: dict[str, Any], folder: pathlib.Path, options: Options) -> Task:
    """All sides on one task, in turns. Who leaves it open has no other turn: that counts with the limit, however often."""
    model = load(folder / "models" / f"{task['model']}.gz")
    result = Task(task["model"].removesuffix(".json"), task["task"], task["reach"])
    sides: dict[str, Callable[[], Run]] = {}
    if options.methods:
        for method in METHODS:
            sides[method] = functools.partial(treeproof, model, task["box"], method, options)
    else:
        for configuration in compare_report.RIVALS:
            sides[configuration] = functools.partial(rival, model, task["box"], configuration, options)
        sides[compare_report.OURS] = functools.partial(treeproof, model, task["box"], "auto", options)
    for _ in range(options.repeat):
        for side, search in sides.items():
            if not result.is_left_open(side):
                result.add(side, search())
    return result


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    cpu = platform.processor()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        cpu = lines[0].split(":", 1)[1].strip() if lines else cpu
    versions = {"dtai-veritas": "0.3.1", "xgboost": xgboost.__version__}
    return {"cpu": cpu, "cores": os.cpu_count(), "python": platform.python_version(), "libraries": versions}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="has models/NAME.json.gz and tasks/SET.jsonl")
    parser.add_argument("--sets", help="names of task files, with commas; all unless told")
    parser.add_argument("--time", type=float, default=5.0, help="seconds for every search")
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu",
                        help="what limits and ratios count: seconds computed (default), or seconds passed")
    parser.add_argument("--repeat", type=int, default=3, help="turns; medians are reported")
    parser.add_argument("--tasks", type=int, help="tasks of every set, picked at random once and for all")
    parser.add_argument("--methods", action="store_true", help="treeproof's three methods instead of the rival")
    parser.add_argument("--cores", default=str(max(os.sched_getaffinity(0))),
                        help="the core that all run on; with several, by commas, each takes tasks of its own")
    arguments = parser.parse_args()
    cores = [int(core) for core in arguments.cores.split(",")]
    options = Options(arguments.time, arguments.clock, arguments.repeat, arguments.tasks, arguments.methods)
    files = sorted((arguments.folder / "tasks").glob("*.jsonl"))
    if arguments.sets:
        files = [arguments.folder / "tasks" / f"{name}.jsonl" for name in arguments.sets.split(",")]
    sets: dict[str, list[Task]] = {}
    context = multiprocessing.get_context("fork")
    free: Any = context.SimpleQueue()
    for core in cores:
        free.put(core)
    with concurrent.futures.ProcessPoolExecutor(len(cores), context, take_core, (free,)) as pool:
        for file in files:
            listed = [json.loads(line) for line in file.read_text().splitlines()]
            tasks = spread(listed, options.tasks, file.stem)
            results = sets.setdefault(file.stem, [])
            for result in pool.map(measure, tasks, itertools.repeat(arguments.folder), itertools.repeat(options)):
                results.append(result)
                print(results[-1].line(options), file=sys.stderr, flush=True)
            # After every set, so that a run that is stopped has not been for nothing.
            compare_report.write(ROOT / "bench" / "results", machine(), options, sets)
    report = compare_report.write(ROOT / "bench" / "results", machine(), options, sets)
    print(report, end="")


if __name__ == "__main__":
    main()
