"""The command line: ``treeproof`` and ``python -m treeproof``, the program that ``cargo install`` builds."""

from __future__ import annotations

import signal
import sys

from treeproof._native import command_line


def main() -> int:
    """Runs what was typed, and returns the exit code."""
    # Python notes Ctrl-C and would look at it when the command has ended: the command itself ends by it, or with what is known.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command_line(["treeproof", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
