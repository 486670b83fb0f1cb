"""Which pass from midfield is most dangerous, and when does a backwards pass help?

The model gives the probability of a goal within ten actions, from the last two: where they start and end, and what they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import sklearn.metrics
import xgboost

from libraries import Trained
from use import Page, Use

SEED = 1
TREES, DEPTH = 126, 10
TYPES = ("pass", "cross", "touch", "clearance", "acceleration", "duel", "free_kick", "corner", "throw_in", "goal_kick",
         "free_kick_shot", "penalty", "shot")
PLACES = ("x", "y", "end_x", "end_y")
GROUPS = ("--where", "onehot(type0_*)", "--where", "onehot(type1_*)")
FREE = ("--domain", "test.csv", *GROUPS)
# The published tool's constraint: exactly one type of each action.
ONE_OF_EACH = "one type of each action"


def actions(use: Use) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    """Features with one column per type of action, goals, and which rows are of matches that are left out of training."""
    stored = pd.read_csv(use.data / "soccer" / "action_pairs.csv.gz")
    features = stored[[f"{place}{action}" for action in (0, 1) for place in PLACES]].astype(np.float64)
    features["same_team"] = stored["same_team"].astype(np.float64)
    for action in (0, 1):
        for number, name in enumerate(TYPES):
            features[f"type{action}_{name}"] = (stored[f"type{action}"] == number).astype(np.float64)
    matches = np.sort(stored["match_id"].unique())
    left_out = np.random.default_rng(SEED).choice(matches, len(matches) // 5, replace=False)
    return features, stored["goal10"], stored["match_id"].isin(left_out)


def train(use: Use) -> tuple[Trained, pd.DataFrame, str]:
    features, goals, testing = actions(use)
    trees, depth = (20, 4) if use.quick else (TREES, DEPTH)
    model = xgboost.XGBClassifier(n_estimators=trees, max_depth=depth, learning_rate=0.05, n_jobs=1, random_state=SEED)
    model.fit(features[~testing], goals[~testing])
    model.save_model(use.folder / "goal.json")
    test = features[testing]
    test.to_csv(use.folder / "test.csv", index=False, float_format="%g")
    score = sklearn.metrics.roc_auc_score(goals[testing], model.predict_proba(test)[:, 1])
    use.made.append(f"`goal.json`, trained with {len(features) - len(test)} pairs of actions")
    use.made.append(f"`test.csv`, {len(test)} pairs of the matches that were left out")
    about = (f"XGBoost, {trees} trees of depth {depth} as in the paper that asked first, trained with "
             f"{len(features) - len(test)} pairs of consecutive actions of professional matches; on other matches the area "
             f"under the curve is {score:.3f}, and a goal follows on {100 * goals[testing].mean():.1f} % of actions.")
    return Trained(model, features), test, about


def kind(one: dict[str, Any], action: int) -> str:
    """The type of an action; exactly one column says it."""
    return next(name for name in TYPES if one[f"type{action}_{name}"] == 1)


def describe(one: dict[str, Any]) -> str:
    def move(action: int) -> str:
        x, y, end_x, end_y = (one[f"{place}{action}"] for place in PLACES)
        return f"{kind(one, action)} ({x:g}, {y:g}) → ({end_x:g}, {end_y:g})"
    return f"{move(0)}, then {move(1)}"


def check(use: Use, one: dict[str, Any], test: pd.DataFrame) -> None:
    """One type of each action, and nothing that does not occur."""
    for action in (0, 1):
        columns = [one[f"type{action}_{name}"] for name in TYPES]
        use.check(sorted(columns) == [0] * (len(TYPES) - 1) + [1], f"not {ONE_OF_EACH}: {columns}")
    for name, value in one.items():
        use.check(test[name].min() <= value <= test[name].max(), f"{name} = {value} does not occur")


def meeting(inputs: pd.DataFrame, where: list[str]) -> pd.DataFrame:
    """The rows that meet the conditions, which pandas reads as treeproof does."""
    for condition in where:
        inputs = inputs.query(condition)
    return inputs


def conditions(where: list[str]) -> list[str]:
    return [word for condition in where for word in ("--where", condition)]


def largest(use: Use, model: Trained, test: pd.DataFrame, where: list[str]) -> dict[str, Any]:
    """The proved maximum, and the largest probability among the pairs of real matches that meet the conditions."""
    answer = use.ask("max", "goal.json", *FREE, *conditions(where))
    one = answer["witness"]
    use.check(answer["verdict"] == "optimal", f"not proved: {answer['verdict']}")
    use.reproduce(model, one, answer["output"])
    use.check(abs(answer["output"] - answer["lower"]) <= answer["rounding"], "the input does not reach the bound")
    check(use, one, test)
    use.check(len(meeting(pd.DataFrame([one]), where)) == 1, f"{one} does not meet {where}")
    observed = model.probabilities(meeting(test, where))
    use.check(observed.max() <= answer["probability"], f"an observed pair of actions has {observed.max()}")
    return answer | {"observed": len(observed), "largest_observed": observed.max()}


def midfield(use: Use, model: Trained, test: pd.DataFrame, page: Page) -> None:
    """The best pass from midfield, and the best action of any type."""
    here = ["45 <= x1 <= 55 and 40 <= y1 <= 60", "45 <= end_x0 <= 55 and 40 <= end_y0 <= 60", "same_team == 1"]
    questions = {
        "a pass from midfield": [*here, "type1_pass == 1"],
        "a pass from midfield after a pass": [*here, "type0_pass == 1", "type1_pass == 1"],
        "any action from midfield after a pass": [*here, "type0_pass == 1"],
        "any action from 18 to 22 m before the goal line, after a pass": [
            "79 <= x1 <= 83 and 79 <= end_x0 <= 83", "same_team == 1", "type0_pass == 1"],
    }
    page.section("Which pass from midfield?")
    page.say("The largest probability of a goal over everything that a pair of actions could be, with "
             f"{ONE_OF_EACH}, and places from 0 to 100 % of the pitch. The team attacks towards x = 100; y = 50 is the middle. "
             "Beside it stands the largest probability of the real pairs that meet the same conditions.")
    lines = []
    for name, where in questions.items():
        found = largest(use, model, test, where)
        lines.append([name, describe(found["witness"]), f"{100 * found['probability']:.1f} %",
                      f"{100 * found['largest_observed']:.1f} % of {found['observed']}", f"{found['cpu']:.2f} s"])
    page.table(["question", "the best there is", "#probability", "#best real pair", "#time"], lines)


def backwards(use: Use, model: Trained, test: pd.DataFrame, page: Page) -> dict[str, Any]:
    """The best pass that goes back, and the pass that gains most by going back."""
    where = ["type1_pass == 1", "same_team == 1", "end_x1 - x1 <= -10"]
    found = largest(use, model, test, where)
    page.section("When does a backwards pass help?")
    page.say("Of all passes that lose at least 10 % of the pitch (`end_x1 - x1 <= -10`), the best is "
             f"{describe(found['witness'])}: {100 * found['probability']:.1f} %, proved in {found['cpu']:.2f} s. The best of "
             f"{found['observed']} such passes in real matches has {100 * found['largest_observed']:.1f} %.")
    sides = ["x1 >= 95", "type1_pass == 1", "same_team == 1"]
    answer = use.ask("monotone", "goal.json", *FREE, "--feature", "end_x1",
                     *conditions([*sides, "a.end_x1 <= 90", "b.end_x1 >= 95"]))
    back, forward = answer["witness"]["a"], answer["witness"]["b"]
    use.check(answer["verdict"] == "violated", f"a backwards pass never helps: {answer['verdict']}")
    for one, side, limit in ((back, "a", "end_x1 <= 90"), (forward, "b", "end_x1 >= 95")):
        use.reproduce(model, one, answer["output"][side])
        check(use, one, test)
        use.check(len(meeting(pd.DataFrame([one]), [*sides, limit])) == 1, f"{one} does not meet the conditions")
    use.check({name for name in back if back[name] != forward[name]} == {"end_x1"}, "they differ elsewhere")
    chances = [100 * chance for chance in model.probabilities([back, forward])]
    gain = f"{answer['lower']:.3f}"
    if answer["stopped"] != "optimal":
        gain += f" (at most {answer['upper']:.3f} is possible)"
    page.say("Two passes from near the goal line that differ only in how far they go back: `monotone` finds the pair with the "
             f"largest gain of the margin, {gain}, in {answer['cpu']:.2f} s. The probability is {chances[0]:.1f} % where "
             f"the ball goes back, {chances[1]:.1f} % where it does not.")
    page.code([f"back:     {describe(back)}", f"not back: {describe(forward)}"])
    return found


def main(use: Use) -> Page:
    model, test, about = train(use)
    page = Page("Soccer: the most dangerous pass", "", about)
    midfield(use, model, test, page)
    found = backwards(use, model, test, page)
    one = found["witness"]
    page.headline = (f"The best backwards pass is a cut back from ({one['x1']:g}, {one['y1']:g}) to ({one['end_x1']:g}, "
                     f"{one['end_y1']:g}), {100 * found['probability']:.0f} % for a goal: proved in {found['cpu']:.1f} s.")
    return page


if __name__ == "__main__":
    Use("soccer", __doc__).run(main)
