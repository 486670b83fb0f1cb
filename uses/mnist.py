"""How far is the nearest image that the model takes for another digit?

Distances are the largest change of any pixel (L∞), in grey values of 0 to 255.
"""

from __future__ import annotations

import json
import math
import statistics
from typing import Any

import numpy as np
import pandas as pd
import xgboost

from libraries import Trained
from use import Page, Use

MODEL = "mnist-M50-d5"
RADII = (0.5, 1, 2, 4, 8)
SIDE = 28
COLUMNS = [f"f{pixel}" for pixel in range(SIDE * SIDE)]
SHADES = " .:-=+*#%@"


class Images:
    """Test images with what the model and the data say of them, in the order of a CSV file that treeproof reads."""

    def __init__(self, use: Use, model: Trained, numbers: list[int], file: str) -> None:
        stored = np.load(use.data / "mnist" / "mnist.npz")
        self.pixels = stored["X_test"][numbers].astype(np.float64)
        self.digits = [str(digit) for digit in stored["y_test"][numbers]]
        table = pd.DataFrame(self.pixels, columns=COLUMNS)
        self.labels = model.labels(table)
        self.file = file
        table.assign(digit=self.digits).to_csv(use.folder / file, index=False, float_format="%d")


def check_rows(use: Use, model: Trained, images: Images, rows: list[dict[str, Any]], target: str | None = None) -> None:
    """XGBoost gives rows and images found the labels that treeproof says, and the images are as near as it says."""
    for row, label in zip(rows, images.labels, strict=True):
        use.check(str(row["label"]) == label, f"row {row['row']}: XGBoost's label is {label}, treeproof's {row['label']}")
    violated = [row for row in rows if row["witness"] is not None]
    labels = model.labels([row["witness"] for row in violated]) if violated else []
    for row, found in zip(violated, labels, strict=True):
        use.checked += 1
        reached = found == target if target else found != images.labels[row["row"]]
        use.check(reached, f"row {row['row']}: XGBoost takes the image for {found}")
        away = float(np.abs(pixels(row["witness"]) - images.pixels[row["row"]]).max())
        use.check(abs(away - row["upper"]) <= 2**-19, f"row {row['row']}: the image is {away} away, not {row['upper']}")


def pixels(witness: dict[str, float]) -> np.ndarray:
    return np.array([witness[column] for column in COLUMNS])


def robust(use: Use, model: Trained, file: str, images: Images, page: Page) -> float:
    """Certified accuracy at some radii; returns that at radius 1."""
    correct = sum(label == digit for label, digit in zip(images.labels, images.digits, strict=True))
    lines, certified_at = [], {}
    for radius in RADII:
        answer = use.ask("robust", file, images.file, "--norm", "linf", "--radius", radius, "--label", "digit")
        rows = answer["rows"]
        check_rows(use, model, images, rows)
        for row in rows:
            use.check(row["upper"] is None or row["upper"] <= radius, f"row {row['row']}: outside the radius")
        held = {row["row"] for row in rows if row["verdict"] == "holds"}
        certified = sum(images.labels[row] == images.digits[row] for row in held)
        summary = answer["summary"]
        use.check(summary["accuracy"] == correct / len(rows), f"XGBoost's accuracy is {correct / len(rows)}")
        use.check(summary["certified_accuracy"] == certified / len(rows), "the accuracy is not that of the rows that hold")
        certified_at[radius] = certified / len(rows)
        lines.append([f"{radius:g}", summary["holds"], summary["violated"], summary["undecided"],
                      f"{100 * certified_at[radius]:.1f} %", f"{answer['cpu'] / len(rows) * 1e3:.0f} ms"])
    page.section("Within a radius")
    page.say(f"`robust` on {len(images.labels)} test images, {correct} of them classified correctly. An image holds if no "
             "change of all pixels by at most the radius changes the label; a correct image that holds is certified.")
    page.table(["#radius", "#hold", "#violated", "#undecided", "#certified accuracy", "#per image"], lines)
    return certified_at[1]


def closest(use: Use, model: Trained, file: str, images: Images, page: Page) -> float:
    """The distance of each image; returns the median of all."""
    answer = use.ask("closest", file, images.file, "--norm", "linf")
    check_rows(use, model, images, answer["rows"])
    exact = [row["upper"] for row in answer["rows"] if row["verdict"] == "optimal"]
    spread = statistics.quantiles(exact, n=10)
    page.section("The nearest image with another label")
    page.say(f"`closest` on the same images finds the exact distance of {len(exact)} of {len(answer['rows'])}, "
             f"{answer['cpu'] / len(answer['rows']) * 1e3:.0f} ms each. Half of them are at most "
             f"{statistics.median(exact):.3g} grey values away from another label, a tenth at most {spread[0]:.3g}, "
             f"a tenth at least {spread[-1]:.3g}.")
    return statistics.median(exact)


def targeted(use: Use, model: Trained, file: str, page: Page) -> None:
    """The rows and targets on which the published search was recorded, and real images as near as that."""
    listed = [json.loads(line) for line in (use.bench / "rivals" / "robust-mnist.jsonl").read_text().splitlines()]
    lines, nearest, undecided = [], None, 0
    for target in sorted({task["target"] for task in listed})[: 2 if use.quick else None]:
        tasks = [task for task in listed if task["target"] == target]
        images = Images(use, model, [task["row"] for task in tasks], f"to_{target}.csv")
        answer = use.ask("closest", file, images.file, "--norm", "linf", "--target", target, "--domain", "grey.csv",
                         "--time", "20s")
        check_rows(use, model, images, answer["rows"], str(target))
        for task, row in zip(tasks, answer["rows"], strict=True):
            image, away = whole(use, model, images.pixels[row["row"]], row, str(target))
            use.check(away >= task["lower"], f"image {task['row']}: nearer than the published lower bound")
            undecided += row["verdict"] == "undecided"
            exact = f"{away}" if row["verdict"] == "optimal" else f"{math.ceil(row['lower'])} to {away}"
            published = f"{task['lower']:.4g} to {task['upper']:.4g}" if task["lower"] < 20 else "over 20"
            changed = np.flatnonzero(image != images.pixels[row["row"]])
            lines.append([task["row"], images.labels[row["row"]], target, exact, published, len(changed)])
            if nearest is None or away < nearest[0]:
                nearest = away, images.pixels[row["row"]], image, target, task["row"]
    page.section("The nearest image of a given label")
    page.say(f"The {len(lines)} test images and targets recorded for the published search. That search bisects the radius from 20 "
             "and leaves an interval. It only requires the target to beat the original label, so its distances may be smaller. "
             "Here the image found has the target as its label. Grey values are whole numbers, and so are the thresholds of "
             "the model: changed values are rounded away from the original, XGBoost still predicts the target, and the "
             "distance in whole grey values is exact" + (f" for all but {undecided}." if undecided else "."))
    page.table(["#image", "#label", "#target", "#distance", "#published search", "#pixels changed"], lines)
    away, original, image, target, number = nearest
    changed = np.flatnonzero(image != original)
    page.say(f"Image {number}, left, and the nearest one that the model classifies as {target}: {len(changed)} pixels change, "
             f"by at most {away}.")
    page.code(f"{left} | {right}".rstrip() for left, right in zip(picture(original), picture(image), strict=True))
    page.say("Row, column: grey value before → after.")
    page.code(f"{pixel // SIDE:2}, {pixel % SIDE:2}: {original[pixel]:3.0f} → {image[pixel]:3.0f}" for pixel in changed)


def whole(use: Use, model: Trained, original: np.ndarray, row: dict[str, Any], target: str) -> tuple[np.ndarray, int]:
    """The image found, in whole grey values, and how far away it is: the least whole number above the distance."""
    found = pixels(row["witness"])
    image = np.where(found > original, np.ceil(found), np.floor(found))
    label = model.labels(pd.DataFrame([image], columns=COLUMNS))[0]
    away = math.ceil(row["upper"])
    use.check(label == target, f"row {row['row']}: XGBoost takes the image of whole grey values for {label}")
    use.check(image.min() >= 0 and image.max() <= 255, f"row {row['row']}: no image")
    use.check(np.abs(image - original).max() == away, f"row {row['row']}: the image is not {away} away")
    return image, away


def picture(pixels: np.ndarray) -> list[str]:
    shades = np.array(list(SHADES))[(pixels / 256 * len(SHADES)).astype(int)]
    return ["".join(line) for line in shades.reshape(SIDE, SIDE)]


def main(use: Use) -> Page:
    file = use.model(MODEL)
    model = Trained.load(use.open(file), xgboost.XGBClassifier, COLUMNS)
    grey = [",".join(COLUMNS), ",".join("0" * SIDE * SIDE), ",".join(["255"] * SIDE * SIDE)]
    (use.folder / "grey.csv").write_text("\n".join(grey) + "\n")
    use.made.append("`grey.csv`, a black and a white image")
    use.made.append("`test.csv` and `to_….csv`, images of MNIST's test set, the latter with a target")
    images = Images(use, model, list(range(10 if use.quick else 200)), "test.csv")
    page = Page("MNIST: the nearest image with another label", "", "XGBoost, ten classes, 50 rounds, depth 5. " +
                "Distances are the largest change of any pixel, in grey values of 0 to 255.")
    certified = robust(use, model, file, images, page)
    median = closest(use, model, file, images, page)
    targeted(use, model, file, page)
    page.headline = (f"Certified accuracy {100 * certified:.1f} % at one grey value of 255; "
                     f"half of the images are at most {median:.3g} away from another label.")
    return page


if __name__ == "__main__":
    Use("mnist", __doc__).run(main)
