"""Asks every question about five huge models with a limit on time, and writes how long the answers took."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import time
from typing import Any

import limits_models

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = ROOT / "target" / "release" / "treeproof"
RESULTS = ROOT / "bench" / "results"
# Beside the limit: what an answer may take longer.
MOST_OVER = 0.3
TIMEOUT = 120.0
# Models with a margin for each class.
SEVERAL_MARGINS = ("forest", "large")

# What each question is called, and its arguments; `{first}` is the first feature, `{rows}` a file of rows, `{other}` a model
# of the same kind, trained on other data.
QUESTIONS: dict[str, list[str]] = {
    "max": ["max"],
    "max, veritas": ["max", "--method", "veritas"],
    "max, merge": ["max", "--method", "merge"],
    "min": ["min"],
    "range": ["range"],
    "enumerate": ["enumerate", "--top", "10"],
    "diff": ["diff", "{model}", "{other}"],
    "monotone": ["monotone"],
    "monotone, one feature": ["monotone", "--feature", "{first}"],
    "fair": ["fair", "--protected", "{first}"],
    "fair, a row": ["fair", "{model}", "{rows}", "--protected", "{first}", "--rows", "1"],
    "stable, linf": ["stable", "--radius", "0.1"],
    "stable, l2": ["stable", "--norm", "l2", "--radius", "0.1"],
    "stable, l1": ["stable", "--norm", "l1", "--radius", "0.1"],
    "stable, l0": ["stable", "--norm", "l0", "--radius", "2"],
    "dominant": ["dominant", "--vary", "*", "--at-most", "2"],
    "dominant from a row": ["dominant", "--vary", "*", "--baseline", "{rows}:0"],
    "dominant, each": ["dominant", "--vary", "*", "--baseline", "{rows}:0", "--each"],
    "robust, linf": ["robust", "{model}", "{rows}", "--norm", "linf", "--radius", "0.1", "--rows", "1"],
    "closest, linf": ["closest", "{model}", "{rows}", "--norm", "linf", "--rows", "1"],
    "closest, l2": ["closest", "{model}", "{rows}", "--norm", "l2", "--rows", "1"],
    "closest, l1": ["closest", "{model}", "{rows}", "--norm", "l1", "--rows", "1"],
    "closest, l0": ["closest", "{model}", "{rows}", "--norm", "l0", "--rows", "1"],
    "closest, veritas": ["closest", "{model}", "{rows}", "--norm", "linf", "--method", "veritas", "--rows", "1"],
    "solve": ["solve", "{task}"],
}


def general_task(model: pathlib.Path, folder: pathlib.Path, feature: str, margin: dict[str, str]) -> pathlib.Path:
    """A question of the general form: how far two inputs that share all but a feature are apart."""
    path = folder / f"{model.name}.task.json"
    maximise = [{"model": "m", "input": "a"} | margin, {"model": "m", "input": "b", "sign": -1} | margin]
    inputs = {"a": {}, "b": {"same_as": "a", "except": [feature]}}
    task = {"treeproof": 1, "models": {"m": model.name}, "maximise": maximise, "inputs": inputs}
    path.write_text(json.dumps(task))
    return path


def first_feature(model: pathlib.Path) -> str:
    facts = json.loads(subprocess.check_output([BINARY, "inspect", model, "--json"], text=True))
    return str(facts["features_used"][0]["name"])


def ask(arguments: list[str], seconds: float) -> dict[str, Any]:
    """The seconds of the whole command, those until its models were read, and what was answered."""
    command = [str(BINARY), *arguments, "--time", f"{seconds}s", "--json", "--verbose"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return {"over": TIMEOUT, "read": None, "cpu": None, "code": None, "says": "no answer"}
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # The first line is about the model, with the time until it was read.
    read = re.search(r"\[\s*([0-9.]+) s\]", done.stderr)
    if done.returncode not in (0, 1, 3, 4) or read is None:
        return {"over": None, "read": None, "cpu": None, "code": done.returncode, "says": done.stderr.strip()[-200:]}
    answer = json.loads(done.stdout)
    says = answer.get("verdict") or ", ".join(sorted({str(row.get("verdict")) for row in answer.get("rows", [])}))
    return {"over": wall - float(read[1]), "read": float(read[1]), "cpu": cpu, "code": done.returncode, "says": says}


def measured(folder: pathlib.Path, name: str, seconds: float) -> dict[str, Any]:
    model, other, rows = limits_models.make(folder, name)
    margin = {"class": "1"} if name in SEVERAL_MARGINS else {}
    names = {"first": first_feature(model), "rows": str(rows), "model": str(model), "other": str(other),
             "task": str(general_task(model, folder, first_feature(model), margin))}
    answers = {}
    for question, arguments in QUESTIONS.items():
        given = [argument.format(**names) for argument in arguments]
        if arguments[0] != "solve" and "{model}" not in arguments:
            given.insert(1, str(model))
        # Of several margins one must be named.
        is_about_one = arguments[0] in ("max", "min", "range", "enumerate", "monotone", "stable", "dominant")
        answers[question] = ask(given + (["--class", "1"] if is_about_one and name in SEVERAL_MARGINS else []), seconds)
        print(f"{name}: {question}: {answers[question]}", flush=True)
    return {"what": limits_models.MODELS[name][0], "answers": answers}


def machine() -> dict[str, Any]:
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.*)$", cpuinfo.read_text(), flags=re.M) if cpuinfo.exists() else []
    return {"cpu": names[0] if names else platform.processor(), "cores": os.cpu_count()}


def page(report: dict[str, Any]) -> str:
    models = report["models"]
    lines = [
        "# Limits on time",
        "",
        f"Seconds from the end of reading the files to the end of the command, at `--time {report['time']:g}s`: at most "
        f"{report['time'] + MOST_OVER:g}. In brackets the processor time of the whole command, reading included: if it is much "
        "smaller than the other number, the command waited for the machine, not the model. Written by `bench/limits`.",
        "",
        f"Measured on {report['machine']['cpu']}, {report['machine']['cores']} cores; load average {report['load_average']:.1f}.",
        "",
        "| question | " + " | ".join(model["what"] for model in models.values()) + " |",
        "|---|" + "---|" * len(models),
    ]
    for question in QUESTIONS:
        cells = [question]
        for model in models.values():
            answer = model["answers"].get(question, {})
            over = answer.get("over")
            cells.append("" if over is None else f"{over:.2f} ({answer['cpu'] or 0:.2f})")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", default=",".join(limits_models.MODELS))
    parser.add_argument("--time", type=float, default=2.0)
    arguments = parser.parse_args()
    file = RESULTS / "limits.json"
    report = json.loads(file.read_text()) if file.exists() else {"models": {}}
    report |= {"time": arguments.time, "machine": machine()}
    for name in arguments.models.split(","):
        report["models"][name] = measured(arguments.folder, name, arguments.time)
        report["load_average"] = os.getloadavg()[0]
        file.write_text(json.dumps(report, indent=1) + "\n")
        (RESULTS / "limits.md").write_text(page(report))


if __name__ == "__main__":
    main()
