"""Answers ``predict MODEL ROWS --json --leaves`` for treeproof's own JSON by the plain evaluator, to test the tests."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import reference


def main(arguments: list[str]) -> None:
    """Prints the JSON that the real binary would print."""
    model, rows = Path(arguments[1]), np.load(arguments[2])
    content = model.read_bytes()
    document = json.loads(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
    answers = []
    for number, row in enumerate(rows):
        prediction = reference.predict(document, row)
        answer = {"row": number, "margin": prediction.margins, "output": prediction.outputs, "leaves": prediction.leaves}
        if len(prediction.margins) == 1:
            answer["margin"] = prediction.margins[0]
        if prediction.label is not None:
            answer["label"] = document["classes"][prediction.label]
        answers.append(answer)
    print(json.dumps({"rows": answers}))


if __name__ == "__main__":
    main(sys.argv[1:])
