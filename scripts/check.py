#!/usr/bin/env python3
"""Checks proofs of treeproof from docs/proofs.md alone: `python3 scripts/check.py PROOF MODEL [MODEL]`.

A second checker, in plain Python, that shares no code with the first. It is slow, and covers proofs of `max`, `min`,
`range`, `robust`, `monotone`, `fair` and `diff` under conditions on values, of models in XGBoost JSON, LightGBM text and
treeproof's own JSON. The exit code is 0 if the proof is valid, 1 if it is not, 2 if a file cannot be read, and 3 if the
proof needs something that is out of scope here, or claims nothing.

Everything in a proof but its statements is a hint. Functions follow the headings of docs/proofs.md. Sets of cells are
integers, one bit for each cell; numbers are exact: integers and fractions, and floats only where the library has floats.
"""

import os
import sys

from second_checker.conclusion import check
from second_checker.errors import OutOfScope, Unreadable, Wrong


def verdict(proof: str, files: list[str]) -> tuple[int, list[str]]:
    """The exit code, and what is printed."""
    try:
        return 0, ["valid: every step follows from the model", *check(proof, files)]
    except OutOfScope as error:
        return 3, [f"out of scope: {error}"]
    except Unreadable as error:
        return 2, [f"cannot be read: {error}"]
    except (Wrong, TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError) as error:
        return 1, [f"invalid: {error}"]


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    code, lines = verdict(sys.argv[1], sys.argv[2:])
    try:
        print(*lines, sep="\n  ", flush=True)
    except BrokenPipeError:
        # Nobody reads on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main())
