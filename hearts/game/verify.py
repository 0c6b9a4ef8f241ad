"""Checks records: every deal from its code, every choice against the rules, every score.

A record is played anew: all that it says besides its choices is computed here and compared. The
result is a report and no error, because a person wants to know the checks as well as the faults.
The names of the players, and the marks that say who made a choice, cannot be checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import CorruptRecord

from .cards import four
from .cuts import ShownCuts
from .deal import Hands
from .events import ChosenBy
from .record import FORMAT_LINE, PlayedHand, Reader, WrongLine, records_in
from .rules import Direction, Rules
from .scoring import Four


class Proof(Enum):
    """The proof that there is for the cards of a deal."""

    COMMITMENT = auto()
    """The deal code gives the hands, and a commitment in the record promised that code."""
    CODE = auto()
    """The deal code gives the hands; the record has no commitment."""
    NONE = auto()
    """The hands stand in the record itself; nothing proves their origin."""


class DealReport(Struct, frozen=True, gc=False):
    """All that was checked of one deal and found right."""

    number: int
    """From 1 in each record."""
    line: int
    proof: Proof
    passed: int
    """Cards that the players passed, 0 to 12; with 12 they received theirs."""
    plays: int
    """0 to 52; a trick is complete with each fourth."""
    points: Four | None
    """The points of the hand; None if it did not come to its end."""
    scored: bool
    """True if the record has the scores after it, and has them right."""
    aborted: bool = False
    """True if the players have broken the hand off, so that it counts for nothing."""
    shown: ShownCuts | None = None
    """The values that the deal was found to follow from; None if it has none."""


class Problem(Struct, frozen=True, gc=False):
    """The first thing that is wrong with a record."""

    line: int
    """The line of the text, from 1."""
    what: str


class Report(Struct, frozen=True):
    """All that was checked of one record."""

    line: int
    """The line if the record begins."""
    names: tuple[str, str, str, str] = ("", "", "", "")
    rules: Rules | None = None
    """None if the header cannot be read; then nothing else was checked."""
    end_score: int = 0
    deals: tuple[DealReport, ...] = ()
    choices: tuple[Counter[ChosenBy], ...] = ()
    """The number of choices of each player by who made them, as the record marks them."""
    scores: Four = (0, 0, 0, 0)
    """After the last hand that was finished."""
    winners: tuple[int, ...] = ()
    """Empty if the record stops before the end of the game."""
    problem: Problem | None = None
    is_taken_back: bool = False
    """True if the record says that choices were taken back, which nobody can check."""


def passes_of(hands: Hands, played: Sequence[int], direction: Direction) -> Hands | None:
    """Derive what each player passed from the hands dealt and the cards played, all as masks.

    None if that cannot have been.
    """
    size = 0 if direction is Direction.HOLD else 3
    given = [dealt & ~mask for dealt, mask in zip(hands, played, strict=True)]
    for player, cards in enumerate(given):
        if cards.bit_count() != size or cards & ~played[direction.target(player)]:
            return None
    return four(given)


def verify_records(text: str) -> tuple[Report, ...]:
    """Check every record of a text; blank lines may follow each.

    Raises CorruptRecord if the text does not begin with a record.
    """
    records = records_in(text)
    if not records:
        first = next((line for line in text.splitlines() if line.strip()), None)
        what = (
            f"it begins with {first[:80]!r}, not {FORMAT_LINE!r}"
            if first
            else "there is nothing in it"
        )
        raise CorruptRecord(f"no record: {what}")
    return tuple(verify_record(record, line) for line, record in records)


def verify_record(text: str, first_line: int = 1) -> Report:
    """Check one record; ``first_line`` is the number of its first line in the person's text."""
    before = first_line - 1
    try:
        reader = Reader(text)
    except WrongLine as error:
        return Report(first_line, problem=Problem(before + error.line, error.what))
    deals: list[DealReport] = []
    choices = tuple(Counter[ChosenBy]() for _ in range(4))
    problem = None
    try:
        for hand in reader.hands():
            proof = Proof.COMMITMENT if reader.is_promised else Proof.CODE
            if hand.deal.secret is None:
                proof = Proof.NONE
            deals.append(_report(hand, len(deals) + 1, before + reader.deal_line, proof))
            for choice in hand.choices:
                choices[choice.player][choice.by] += 1
        if reader.lacks_scores:
            raise WrongLine(reader.line, "the scores of the hand before are missing")
    except WrongLine as error:
        problem = Problem(before + error.line, error.what)
    if reader.lacks_scores:
        deals[-1] = replace(deals[-1], scored=False)
    game = reader.game
    return Report(
        first_line,
        reader.names,
        game.rules,
        game.end_score,
        tuple(deals),
        choices,
        game.scores,
        game.winners,
        problem,
        reader.is_taken_back,
    )


def _report(hand: PlayedHand, number: int, line: int, proof: Proof) -> DealReport:
    scored = hand.scored
    return DealReport(
        number,
        line,
        proof,
        passed=sum(len(choice.cards) for choice in hand.passes),
        plays=len(hand.plays),
        points=None if scored is None else scored.points,
        scored=scored is not None,
        aborted=hand.is_aborted,
        shown=hand.deal.shown,
    )
