"""An engine of the line protocol that shares no code with the project: ``line_engine.py WHAT``.

It plays its first legal card, and misbehaves as WHAT says.
"""

from __future__ import annotations

import sys
import time

FOREVER = 1000.0


def main() -> None:
    what = sys.argv[1]
    if what == "exit":
        print("there is no book", file=sys.stderr)
        sys.exit(3)
    hand: list[str] = []
    cards_asked = 0
    for line in sys.stdin:
        kind, *words = line.split()
        match kind:
            case "hearts-line":
                say("# a remark")
                say("ready")
            case "hand":
                hand = words[2:]
            case "pass":
                say(f"{words[0]} {' '.join(hand[:3])}")
            case "moon":
                say(f"{words[0]} self")
            case "card":
                cards_asked += 1
                if cards_asked == 3:
                    misbehave(what, words)
                elif what == "silent":
                    continue
                if what == "tell":
                    say(f"#info {words[0]} of {len(words) - 1}: a guess")
                    say(f"#info {words[0]} of {len(words) - 1}: {words[1]}")
                say(f"{words[0]} {words[1]}")


def misbehave(what: str, words: list[str]) -> None:
    match what:
        case "illegal":
            say(f"{words[0]} QX")
        case "garbage":
            say("good morning")
        case "long":
            say("9" * 2000)
        case "die":
            print("the last words", file=sys.stderr, flush=True)
            sys.exit(4)
        case "late":
            # What the clock has chosen is answered too late, and read over.
            say(f"#info {words[0]} I take my time")
            while not sys.stdin.readline().startswith("late"):
                pass
        case "hang":
            time.sleep(FOREVER)


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
