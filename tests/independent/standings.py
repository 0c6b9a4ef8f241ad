"""The standings of names, from files of ``hearts-server records export`` and no code of ours.

``python standings.py DIR [YYYY-MM]`` prints the table as JSON. It keeps every number of every game
in a list and asks :mod:`statistics`, where the server adds up whole numbers. Rules with exact=zero
are not known to it, since it reads points off the scores.
"""

import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

LEAST = 5


class ReadGame:
    def __init__(self, lines: list[str]) -> None:
        self.rules = lines[1].removeprefix("rules ")
        self.end = int(lines[2].removeprefix("end "))
        self.ended, self.removed = "", False
        self.pars: dict[int, list[float]] = {}
        self.seats: defaultdict[int, dict[int, tuple[str, str]]] = defaultdict(dict)
        self.taken_back = "# choices were taken back" in lines
        self.points: dict[int, list[int]] = {}
        scores, deal = [0, 0, 0, 0], 0
        for line in lines[7:]:
            match line.split(" "):
                case ["#", "ended", when]:
                    self.ended = when
                case ["#", "removed", _]:
                    self.removed = True
                case ["#", "seat", first, seat, kind, *name]:
                    self.seats[int(seat)][int(first)] = (kind, " ".join(name))
                case ["#", "par", number, *sums]:
                    self.pars[int(number)] = [int(one) / 8 for one in sums]
                case ["deal" | "hands", *_]:
                    deal += 1
                case ["scores", *words]:
                    after = [int(word) for word in words]
                    self.points[deal] = [b - a for a, b in zip(scores, after, strict=True)]
                    scores = after
        self.deals, self.scores = deal, scores

    def winners(self) -> list[int]:
        assert "exact=zero" not in self.rules
        exact = [seat for seat in range(4) if self.scores[seat] == self.end]
        if "exact=wins" in self.rules and exact:
            return exact
        if max(self.scores) < self.end:
            return []
        return [seat for seat in range(4) if self.scores[seat] == min(self.scores)]

    def counts(self) -> bool:
        people = [seat for seat in range(4) if self.seats[seat][1][0] == "person"]
        return (
            *(bool(self.ended), bool(self.winners()), len(people) > 1),
            *(not self.removed, not self.taken_back),
        ) == (True,) * 5

    def place(self, seat: int) -> int:
        order = sorted(range(4), key=lambda one: (one not in self.winners(), self.scores[one]))
        ranks: dict[int, int] = {}
        for number, one in enumerate(order, 1):
            key = one in self.winners(), self.scores[one]
            same = [r for o, r in ranks.items() if (o in self.winners(), self.scores[o]) == key]
            ranks[one] = 1 if key[0] else same[0] if same else number
        return ranks[seat]


def records(folder: str) -> Iterator[ReadGame]:
    for file in sorted(Path(folder).glob("session-*.record")):
        for part in file.read_text().split("hearts-record 1\n")[1:]:
            yield ReadGame(["hearts-record 1", *part.splitlines()])


def figure(numbers: Sequence[float]) -> dict[str, float | None] | None:
    if not numbers:
        return None
    error = statistics.stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else None
    return {"mean": statistics.fmean(numbers), "error": error}


def table(folder: str, month: str = "") -> list[dict[str, Any]]:
    lists = [defaultdict[str, list[float]](list) for _ in range(4)]
    places, points, against, programs = lists
    for game in records(folder):
        if not game.counts() or not game.ended.startswith(month):
            continue
        for seat in range(4):
            (kind, name), *later = (game.seats[seat][first] for first in sorted(game.seats[seat]))
            number = name.removeprefix("player ")
            given_up = number != name and number.isascii() and number.isdigit()
            if kind == "computer" or name.startswith("~") or given_up:
                continue
            until = sorted(game.seats[seat])[1] if later else game.deals + 1
            places[name].append(4 if later else game.place(seat))
            programs[name].append(kind == "program")
            for deal in range(1, until):
                if deal in game.points:
                    points[name].append(game.points[deal][seat])
                    if pars := game.pars.get(deal):
                        worth = (pars[seat] + sum(pars) / 4) / 2
                        against[name].append(game.points[deal][seat] - worth)
    found = []
    for name, own in places.items():
        if len(own) >= LEAST:
            won = [float(place == 1) for place in own]
            found.append(
                {
                    "name": name,
                    "is_program": any(programs[name]),
                    "games": len(own),
                    "place": figure(own),
                    "wins": int(sum(won)),
                    "won": figure(won),
                    "hands": len(points[name]),
                    "points": figure(points[name]),
                    "par_hands": len(against[name]),
                    "against_par": figure(against[name]),
                }
            )
    return sorted(
        found,
        key=lambda one: (one["place"]["mean"], -one["won"]["mean"], -one["games"], one["name"]),
    )


if __name__ == "__main__":
    print(json.dumps(table(*sys.argv[1:]), indent=1))
