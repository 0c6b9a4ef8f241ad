"""Checks records: every deal from its code, every choice against the rules, every score.

A record is played anew, so whatever it says beside its choices is computed here and compared.
The result is a report and no error, for a person wants to know what was checked as well as what is
wrong. What a record cannot show: the names of the players, and the marks that say who made a
choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct, field

from hearts.errors import CorruptRecord

from .cuts import ShownCuts
from .deal import Hands
from .events import (
    AbortHand,
    Action,
    ChooseMoon,
    ChosenBy,
    Deal,
    Event,
    HandScored,
    Pass,
    PassesExchanged,
    Play,
    TrickTaken,
)
from .record import FORMAT_LINE, Reader, WrongLine
from .rules import Direction, Rules
from .scoring import Four


class Proof(Enum):
    """What there is for the cards of a deal."""

    COMMITMENT = auto()
    """The deal code gives the hands, and a commitment in the record promised that code."""
    CODE = auto()
    """The deal code gives the hands; the record has no commitment."""
    NONE = auto()
    """The hands stand in the record itself; nothing shows where they come from."""


class DealReport(Struct, frozen=True, gc=False):
    """What was checked of one deal and found right."""

    number: int
    """From 1 in each record."""
    line: int
    proof: Proof
    passed: int
    """Cards that the players passed, 0 to 12."""
    received: int
    """Cards that the players received, 0 or 12."""
    plays: int
    """0 to 52."""
    tricks: int
    """0 to 13."""
    points: Four | None
    """The points of the hand; None if it did not come to its end."""
    scored: bool
    """Whether the record has the scores after it, and has them right."""
    aborted: bool = False
    """Whether the players have broken the hand off, so that it counts for nothing."""
    shown: ShownCuts | None = None
    """The values that the deal was found to follow from; None if it has none."""


class Problem(Struct, frozen=True, gc=False):
    """The first thing that is wrong."""

    line: int
    """The line of the text, from 1."""
    what: str


class Report(Struct, frozen=True):
    """What was checked of one record."""

    line: int
    """The line if the record begins."""
    names: tuple[str, str, str, str] = ("", "", "", "")
    rules: Rules | None = None
    """None if the header cannot be read; then nothing else was checked."""
    end_score: int = 0
    deals: tuple[DealReport, ...] = ()
    choices: tuple[Counter[ChosenBy], ...] = ()
    """How many choices of each player were made by whom, as the record marks them."""
    scores: Four = (0, 0, 0, 0)
    """After the last hand that was finished."""
    winners: tuple[int, ...] = ()
    """Empty if the record stops before the end of the game."""
    problem: Problem | None = None


class _HandRead(Struct):
    number: int
    line: int
    proof: Proof
    actions: list[Action] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def report(self, *, scored: bool) -> DealReport:
        points = None
        received = tricks = 0
        for event in self.events:
            match event:
                case PassesExchanged(cards):
                    received = sum(map(len, cards))
                case TrickTaken():
                    tricks += 1
                case HandScored():
                    points = event.points
                case _:
                    pass
        passed = sum(len(action.cards) for action in self.actions if isinstance(action, Pass))
        plays = sum(isinstance(action, Play) for action in self.actions)
        return DealReport(
            self.number,
            self.line,
            self.proof,
            passed,
            received,
            plays,
            tricks,
            points,
            scored and points is not None,
            any(isinstance(action, AbortHand) for action in self.actions),
            next((action.shown for action in self.actions if isinstance(action, Deal)), None),
        )


def passes_of(hands: Hands, played: Sequence[int], direction: Direction) -> Hands | None:
    """What each player passed if these hands were dealt and those cards played, all as masks.

    None if that cannot have been.
    """
    size = 0 if direction is Direction.HOLD else 3
    given = [dealt & ~mask for dealt, mask in zip(hands, played, strict=True)]
    for player, cards in enumerate(given):
        if cards.bit_count() != size or cards & ~played[direction.target(player)]:
            return None
    a, b, c, d = given
    return (a, b, c, d)


def verify_records(text: str) -> tuple[Report, ...]:
    """Check every record of a text; blank lines may follow each.

    Raises CorruptRecord if the text does not begin with a record.
    """
    if not text.strip():
        raise CorruptRecord("no record: there is nothing in it")
    lines = text.splitlines()
    begins = [index for index, line in enumerate(lines) if line == FORMAT_LINE]
    before = next((line for line in lines[: begins[0] if begins else None] if line.strip()), "")
    if before or not begins:
        raise CorruptRecord(f"no record: it begins with {before[:80]!r}, not {FORMAT_LINE!r}")
    ends = [*begins[1:], len(lines)]
    return tuple(
        verify_record("\n".join(_without_blank_end(lines[begin:end])), begin + 1)
        for begin, end in zip(begins, ends, strict=True)
    )


def _without_blank_end(lines: list[str]) -> list[str]:
    while not lines[-1].strip():
        lines.pop()
    return lines


def verify_record(text: str, first_line: int = 1) -> Report:
    """Check one record, whose first line is the ``first_line`` of what the person gave us."""
    before = first_line - 1
    try:
        reader = Reader(text)
    except WrongLine as error:
        return Report(first_line, problem=Problem(before + error.line, error.what))
    hands: list[_HandRead] = []
    choices = tuple(Counter[ChosenBy]() for _ in range(4))
    problem = None
    try:
        while (step := reader.read()) is not None:
            action, events = step
            match action:
                case Deal():
                    hands.append(_HandRead(len(hands) + 1, before + reader.line, _proof(reader)))
                case Pass(player, _, by) | Play(player, _, by) | ChooseMoon(player, _, by):
                    choices[player][by] += 1
            hands[-1].actions.append(action)
            hands[-1].events.extend(events)
        if reader.lacks_scores:
            raise WrongLine(reader.line, "the scores of the hand before are missing")
    except WrongLine as error:
        problem = Problem(before + error.line, error.what)
    game = reader.game
    return Report(
        first_line,
        reader.names,
        game.rules,
        game.end_score,
        tuple(
            hand.report(scored=hand is not hands[-1] or not reader.lacks_scores) for hand in hands
        ),
        choices,
        game.scores,
        game.winners,
        problem,
    )


def _proof(reader: Reader) -> Proof:
    if reader.game.secret is None:
        return Proof.NONE
    return Proof.COMMITMENT if reader.promised else Proof.CODE
