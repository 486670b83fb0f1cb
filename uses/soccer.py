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
from onehot import Groups, outside
from use import Page, Use

SEED = 1
TREES, DEPTH = 126, 10
TYPES = ("pass", "cross", "touch", "clearance", "acceleration", "duel", "free_kick", "corner", "throw_in", "goal_kick",
         "free_kick_shot", "penalty", "shot")
PLACES = ("x", "y", "end_x", "end_y")
# Where one action ends the next begins, as far as the data is exact.
JOINED = ["-5 <= x1 - end_x0 <= 5", "-5 <= y1 - end_y0 <= 5", "same_team == 1"]


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


class Goals:
    """The model, pairs of actions of matches that it was not trained with, and how to ask about it."""

    def __init__(self, use: Use) -> None:
        features, goals, testing = actions(use)
        trees, depth = (20, 4) if use.quick else (TREES, DEPTH)
        model = xgboost.XGBClassifier(n_estimators=trees, max_depth=depth, learning_rate=0.05, n_jobs=1, random_state=SEED)
        model.fit(features[~testing], goals[~testing])
        model.save_model(use.folder / "goal.json")
        self.use, self.model, self.test = use, Trained(model, features), features[testing]
        self.groups = Groups(features, "type0", "type1")
        self.test.to_csv(use.folder / "test.csv", index=False, float_format="%g")
        use.made.append(f"`goal.json`, trained with {(~testing).sum()} pairs of actions")
        use.made.append(f"`test.csv`, {testing.sum()} pairs of the held-out matches")
        score = sklearn.metrics.roc_auc_score(goals[testing], self.model.probabilities(self.test))
        self.about = (
            f"XGBoost, {trees} trees of depth {depth} as in the original paper, trained with {(~testing).sum()} pairs of "
            f"consecutive actions of professional matches. On other matches the area under the curve is {score:.3f}, and a goal "
            f"follows {100 * goals[testing].mean():.1f} % of actions. The team attacks towards x = 100; y = 50 is the middle.")

    def ask(self, question: str, where: list[str], *words: Any) -> dict[str, Any]:
        conditions = [word for condition in where for word in ("--where", condition)]
        return self.use.ask(question, "goal.json", *words, "--domain", "test.csv", *self.groups.flags, *conditions)

    def check(self, one: dict[str, Any], output: float, where: list[str]) -> None:
        """XGBoost agrees; nothing in it does not occur; and pandas, which reads conditions as treeproof does, says they hold."""
        whole = self.groups.spread(one)
        self.use.reproduce(self.model, whole, output)
        self.use.check(not outside(whole, self.test), f"{outside(whole, self.test)} do not occur")
        self.use.check(len(meeting(pd.DataFrame([whole]), where)) == 1, f"{one} does not meet {where}")

    def largest(self, where: list[str]) -> dict[str, Any]:
        """The proved maximum, and the largest probability among the real pairs that meet the conditions."""
        answer = self.ask("max", where)
        self.use.check(answer["verdict"] == "optimal", f"not proved: {answer['verdict']}")
        self.check(answer["witness"], answer["output"], where)
        self.use.check(abs(answer["output"] - answer["lower"]) <= answer["rounding"], "the input does not reach the bound")
        observed = self.model.probabilities(meeting(self.test, where))
        self.use.check(observed.max() <= answer["probability"], f"an observed pair of actions has {observed.max()}")
        return answer | {"observed": len(observed), "largest_observed": observed.max()}


def meeting(inputs: pd.DataFrame, where: list[str]) -> pd.DataFrame:
    for condition in where:
        inputs = inputs.query(condition)
    return inputs


def describe(one: dict[str, Any]) -> str:
    def move(action: int) -> str:
        x, y, end_x, end_y = (one[f"{place}{action}"] for place in PLACES)
        return f"{one[f'type{action}']} ({x:g}, {y:g}) → ({end_x:g}, {end_y:g})"
    return f"{move(0)}, then {move(1)}"


def midfield(goals: Goals, page: Page) -> None:
    """The best pass from midfield, and the best action of any type."""
    here = [*JOINED, "45 <= x1 <= 55", "40 <= y1 <= 60"]
    questions = {
        "a pass from midfield": [*here, "type1_pass == 1"],
        "a pass from midfield after a pass": [*here, "type0_pass == 1", "type1_pass == 1"],
        "any action from midfield after a pass": [*here, "type0_pass == 1"],
        "any action from 79 to 83 % of the pitch, after a pass": [*JOINED, "79 <= x1 <= 83", "type0_pass == 1"],
    }
    page.section("Which pass from midfield?")
    page.say("The largest probability of a goal over all possible pairs of actions of one team: one type each, places from "
             "0 to 100 % of the pitch, and the second begins within 5 % of the end of the first. For comparison, the table shows "
             "the largest probability among real pairs that meet the same conditions.")
    lines = []
    for name, where in questions.items():
        found = goals.largest(where)
        lines.append([name, describe(found["witness"]), f"{100 * found['probability']:.1f} %",
                      f"{100 * found['largest_observed']:.1f} % of {found['observed']}", f"{found['cpu']:.2f} s"])
    page.table(["question", "best possible pair", "#probability", "#best real pair", "#time"], lines)


def backwards(goals: Goals, page: Page) -> dict[str, Any]:
    """The best pass that goes back, and the pass that gains most by going back."""
    found = goals.largest([*JOINED, "type1_pass == 1", "end_x1 - x1 <= -10"])
    page.section("When does a backwards pass help?")
    page.say("Of all passes that lose at least 10 % of the pitch (`end_x1 - x1 <= -10`), the best is "
             f"{describe(found['witness'])}: {100 * found['probability']:.1f} %, proved in {found['cpu']:.2f} s. The best of "
             f"{found['observed']} such passes in real matches has {100 * found['largest_observed']:.1f} %.")
    both, back, on = [*JOINED, "x1 >= 85", "type0_pass == 1", "type1_pass == 1"], "end_x1 - x1 <= -10", "end_x1 >= x1"
    answer = goals.ask("monotone", [*both, "a.end_x1 - a.x1 <= -10", "b.end_x1 >= b.x1"], "--feature", "end_x1")
    a, b = answer["witness"]["a"], answer["witness"]["b"]
    goals.use.check(answer["verdict"] == "violated", f"a backwards pass never helps: {answer['verdict']}")
    goals.check(a, answer["output"]["a"], [*both, back])
    goals.check(b, answer["output"]["b"], [*both, on])
    goals.use.check({name for name in a if a[name] != b[name]} == {"end_x1"}, "they differ elsewhere")
    chances = [100 * chance for chance in goals.model.probabilities([goals.groups.spread(one) for one in (a, b)])]
    gain = f"{answer['lower']:.3f}"
    if answer["stopped"] != "optimal":
        gain += f" (at most {answer['upper']:.3f} is possible)"
    page.say("Consider two passes from near the goal, after a pass, that differ only in where along the pitch they end: one at "
             "least 10 % back, the other not back at all. `monotone` asks whether the margin never falls as the end moves "
             f"forward. It finds the pair for which going back gains most, {gain}, in {answer['cpu']:.2f} s. The probability is "
             f"{chances[0]:.1f} % for the backwards pass, {chances[1]:.1f} % for the other.")
    page.code([f"back:     {describe(a)}", f"not back: {describe(b)}"])
    return found


def main(use: Use) -> Page:
    goals = Goals(use)
    page = Page("Soccer: the most dangerous pass", "", goals.about)
    midfield(goals, page)
    found = backwards(goals, page)
    one = found["witness"]
    page.headline = (f"The best backwards pass goes from ({one['x1']:g}, {one['y1']:g}) to ({one['end_x1']:g}, "
                     f"{one['end_y1']:g}), {100 * found['probability']:.0f} % for a goal: proved in {found['cpu']:.1f} s.")
    return page


if __name__ == "__main__":
    Use("soccer", __doc__).run(main)
