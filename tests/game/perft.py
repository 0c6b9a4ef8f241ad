"""Counts of legal play sequences from fixed deals, as python-chess keeps them for positions.

``perft.txt`` holds the counts. ``python -m tests.game.perft`` prints the table anew from the
kernel; a count may only change with the rules, and must then agree with ``reference.py``.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from hearts.game.cards import Card, cards_of
from hearts.game.deal import deal_code, deal_hands, parse_deal_code
from hearts.game.kernel import HandPlay, first_leader
from hearts.game.rules import parse_rules

TABLE = Path(__file__).with_name("perft.txt")
HEADER = """\
# How many sequences of legal plays follow from a position (tests/game/perft.py).
# Nobody passes. The deal follows from the code; the hand number matters to a rotating lead.
# rules | deal code | hand number | cards played before | depth | count
"""


@dataclass(frozen=True)
class PerftLine:
    """One line of the table."""

    rules: str
    code: str
    hand_number: int
    moves: tuple[str, ...]
    depth: int
    count: int

    def __str__(self) -> str:
        moves = " ".join(self.moves) or "-"
        return (
            f"{self.rules} | {self.code} | {self.hand_number} | {moves} | "
            f"{self.depth} | {self.count}"
        )


def positions() -> list[PerftLine]:
    """The table."""
    found = []
    for line in TABLE.read_text(encoding="ascii").splitlines():
        if line.startswith("#"):
            continue
        rules, code, number, moves, depth, count = line.split(" | ")
        played = () if moves == "-" else tuple(moves.split(" "))
        found.append(PerftLine(rules, code, int(number), played, int(depth), int(count)))
    return found


def play_from(position: PerftLine) -> HandPlay:
    """The kernel at a position."""
    rules = parse_rules(position.rules)
    hands = deal_hands(parse_deal_code(position.code))
    play = HandPlay(list(hands), rules, first_leader(hands, rules, position.hand_number))
    for text in position.moves:
        card = Card.parse(text)
        play.check(card)
        play.play(card)
    return play


def count(play: HandPlay, depth: int) -> int:
    """How many sequences of legal plays of this length follow."""
    legal = play.legal()
    if depth <= 1:
        return legal.bit_count() if depth else 1
    total = 0
    for card in cards_of(legal):
        after = play.copy()
        after.play(card)
        total += count(after, depth - 1)
    return total


def main() -> None:
    """Print the table: from the first lead, and to the end from late in a line played by chance."""
    print(HEADER, end="")
    source = random.Random(1)
    for rules in (
        "standard",
        "bleed",
        "dump",
        "rotate",
        "queen-keeps",
        "dump,bleed,rotate",
        "dump,rotate,queen-keeps",
        "spot",
    ):
        for deal in range(2):
            code = deal_code(source.randbytes(16))
            depth = 4 if "rotate" in rules else 7
            print(_counted(PerftLine(rules, code, deal, (), depth, 0)))
            moves = _line_by_chance(PerftLine(rules, code, deal, (), 0, 0), source)
            for played in (37, 41):
                late = PerftLine(rules, code, deal, moves[:played], 52 - played, 0)
                print(_counted(late))


def _counted(position: PerftLine) -> PerftLine:
    total = count(play_from(position), position.depth)
    return PerftLine(
        position.rules, position.code, position.hand_number, position.moves, position.depth, total
    )


def _line_by_chance(position: PerftLine, source: random.Random) -> tuple[str, ...]:
    play = play_from(position)
    moves = []
    while not play.over:
        card = source.choice(list(cards_of(play.legal())))
        moves.append(str(card))
        play.play(card)
    return tuple(moves)


if __name__ == "__main__":
    main()
