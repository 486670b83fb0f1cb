"""What was proved, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeproof.display.words import Fields, asked, between, counted, margin, number, percent, several, value

# Why a search ended before the answer was exact.
_WHY = {
    "target": "the target is reached",
    "time": "the time was up (time= gives more)",
    "memory": "the memory was full (memory= gives more)",
    "rounding": "what is left lies within the rounding of the library's sums",
    "steps": "the steps were used up",
    "interrupted": "the search was interrupted",
}


def answer(fields: Fields, task: Fields | None) -> str:
    """What was proved."""
    if fields["verdict"] == "infeasible" and "rows" not in fields:
        return _infeasible(fields.get("conflict") or [])
    say = _ANSWERS.get(str(fields["question"]), _number)
    return say(fields, asked(task)[1])


def _infeasible(conflict: Sequence[str]) -> str:
    if not conflict:
        return "Nothing meets the conditions: no two inputs can agree where they must."
    told = [f"`{text}`" for text in conflict]
    how = "never holds" if len(told) == 1 else "exclude each other"
    return f"Nothing meets the conditions: {' and '.join(told)} {how}."


def _why(fields: Fields) -> str:
    if fields["verdict"] == "optimal":
        return "proved" if fields.get("stopped", "optimal") == "optimal" else "as close as asked for"
    return _WHY.get(str(fields.get("stopped")), "the search ended early")


def _found(fields: Fields, end: str = "lower") -> str:
    """The number where it is exact: the end that an input reaches; else what is known."""
    return number(fields[end]) if _why(fields) == "proved" else between(fields)


def _number(fields: Fields, details: Fields) -> str:
    names = {"min": "smallest margin", "max": "largest margin", "maximise": "largest sum"}
    what = names.get(str(fields["question"]), "number") + (f" of class {fields['class']}" if "class" in fields else "")
    return f"The {what} is {_found(fields, 'upper' if fields['question'] == 'min' else 'lower')}: {_why(fields)}."


def _range(fields: Fields, details: Fields) -> str:
    return f"The {margin(fields)} is {between(fields)}: {'proved' if fields['verdict'] == 'optimal' else 'not yet exact'}."


def _of_robust(fields: Fields, details: Fields) -> str:
    summary = fields["summary"]
    none = f", {summary['infeasible']} without any input that is allowed" if summary.get("infeasible") else ""
    return (
        f"{summary['holds']} of {counted(summary['rows'], 'row')} {'is' if summary['holds'] == 1 else 'are'} robust: proved; "
        f"{summary['violated']} can be changed, {summary['undecided']} undecided{none}."
    )


def _of_closest(fields: Fields, details: Fields) -> str:
    summary = fields["summary"]
    exact = summary["decided"] - summary.get("infeasible", 0)
    return (
        f"The distance of {exact} of {counted(summary['rows'], 'row')} is exact: proved; "
        f"for {summary.get('infeasible', 0)} no such input exists, {summary['undecided']} undecided."
    )


def _of_dominant(fields: Fields, details: Fields) -> str:
    moves = "falls" if details.get("decrease") else "rises"
    if "attributes" in fields:
        how = "proved" if fields["verdict"] == "optimal" else "some are undecided"
        return f"How far the {margin(fields)} {moves} if one attribute changes, for each of {len(fields['attributes'])}: {how}."
    if _why(fields) == "proved":
        return f"The {margin(fields)} {moves} by {number(fields['lower'])} at most: proved."
    return f"The {margin(fields)} {moves} at most by a number {between(fields)}: {_why(fields)}."


def _of_fair(fields: Fields, details: Fields) -> str:
    protected, verdict = several(details.get("protected") or ["what is protected"]), fields["verdict"]
    if (summary := fields.get("summary")) is not None:
        if not summary["asked"]:
            return "No row meets the conditions."
        if summary.get("largest") is not None:
            at = "at most" if summary["decided"] == summary["asked"] else "at least"
            moves = f"moves by {at} {number(summary['largest'])} when only {protected} changes"
            return f"The {margin(fields)} of {counted(summary['asked'], 'row')} {moves}."
        share = f" ({percent(summary['share'])})" if summary.get("share") is not None else ""
        return f"{summary['violated']} of {counted(summary['asked'], 'row')}{share} get another label when only {protected} changes."
    if verdict == "holds":
        return f"No two inputs that differ only in {protected} have different labels: proved."
    if verdict == "violated":
        return f"Two inputs that differ only in {protected} have different labels."
    if verdict == "undecided":
        return f"Whether inputs that differ only in {protected} are treated alike is open: {_why(fields)}."
    return f"The largest difference between inputs that differ only in {protected} is {_found(fields)}: {_why(fields)}."


def _of_monotone(fields: Fields, details: Fields) -> str:
    falls = "rises" if fields.get("trend") == "decreasing" or details.get("decreasing") else "falls"
    what, verdict = margin(fields), fields["verdict"]
    if "features" in fields:
        by = [one["verdict"] for one in fields["features"]]
        if verdict == "holds":
            return f"The {what} never {falls} as a feature rises, whichever of {len(by)}: proved."
        share = f"{by.count('violated')} of {len(by)} features, never for {by.count('holds')}"
        return f"The {what} {falls} as a feature rises for {share}."
    feature = fields.get("feature", "the feature")
    if verdict == "holds":
        return f"The {what} never {falls} as {feature} rises: proved."
    if verdict == "violated":
        ends = [(fields.get("witness") or {}).get(side, {}).get(feature) for side in "ab"]
        return f"The {what} {falls} by {number(fields['lower'])} when {feature} rises from {value(ends[0])} to {value(ends[1])}."
    return f"Whether the {what} never {falls} as {feature} rises is open: {_why(fields)}."


def _of_difference(what: str) -> Callable[[Fields, Fields], str]:
    def say(fields: Fields, details: Fields) -> str:
        within = number(details.get("within"))
        if fields["verdict"] == "holds":
            return f"{what} never differ by more than {within}: proved."
        if fields["verdict"] == "violated":
            return f"{what} differ by {number(fields['lower'])}, which is more than {within}."
        if _why(fields) == "proved":
            return f"{what} differ by {number(fields['lower'])} at most: proved."
        return f"{what} differ at most by a number {between(fields)}: {_why(fields)}."

    return say


def _of_enumerate(fields: Fields, details: Fields) -> str:
    count = len(fields["regions"])
    others, is_done = fields.get("others_at_most"), fields["verdict"] == "optimal"
    rest = f"all others are at most {number(others)}"
    if others is None:
        rest = "there are no others" if is_done else "how large others are is not known"
    return f"{counted(count, 'output configuration')}, best first; {rest}: {_why(fields)}."


def _of_audit(fields: Fields, details: Fields) -> str:
    passed = sum(bool(check["passes"]) for check in fields["checks"])
    return f"{passed} of {counted(len(fields['checks']), 'check')} pass."


def _of_check(fields: Fields, details: Fields) -> str:
    return "The proof is right." if fields["verdict"] == "valid" else f"The proof is wrong: {fields.get('wrong')}"


_ANSWERS: dict[str, Callable[[Fields, Fields], str]] = {
    "range": _range,
    "robust": _of_robust,
    "closest": _of_closest,
    "dominant": _of_dominant,
    "fair": _of_fair,
    "monotone": _of_monotone,
    "stable": _of_difference("The margins of two inputs this close"),
    "diff": _of_difference("The margins"),
    "enumerate": _of_enumerate,
    "audit": _of_audit,
    "check": _of_check,
}
