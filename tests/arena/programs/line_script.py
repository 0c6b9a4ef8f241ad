"""An engine of the line protocol that says what it is given: ``line_script.py FILE ANSWER...``.

After that it plays its first legal card. What it hears it writes into the file.
"""

from __future__ import annotations

import sys


def main() -> None:
    _, path, *answers = sys.argv
    with open(path, "w") as file:
        for line in sys.stdin:
            print(line, end="", file=file, flush=True)
            kind, *words = line.split()
            if kind in ("hearts-line", "pass", "card"):
                print(answers.pop(0) if answers else f"{words[0]} {words[1]}", flush=True)


if __name__ == "__main__":
    main()
