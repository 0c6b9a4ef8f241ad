"""The lines that a table stores: the actions of its games, and what lies between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import assert_never

from msgspec import Struct

from hearts.errors import CorruptRecord, HeartsError
from hearts.game.cuts import NO_HASHES, FourHashes, format_hashes, parse_hashes
from hearts.game.deal import deal_code, parse_deal_code
from hearts.game.events import AbortHand, Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.record import PLAY_LINES, PLAYS, format_action, parse_action
from hearts.game.rules import END_SCORES, Rules, parse_rules
from hearts.wire.codec import INT_MAX

from .inputs import AnswerAgain
from .seat import Kind


class AskAgain(Struct, frozen=True, gc=False):
    """A game is over, and this player decides about another one; None for nobody."""

    player: int | None


class Promise(Struct, frozen=True, gc=False):
    """The next deal follows from this secret, and from what these hashes are of."""

    secret: bytes
    hashes: FourHashes
    """Those of the players who are to show their cuts now, of whom there is one at least."""


class NewRules(Struct, frozen=True, gc=False):
    """The games from the next one on have these rules."""

    rules: Rules
    end_score: int


class SeatChange(Struct, frozen=True, gc=False):
    """A seat has somebody else from the next hand on."""

    seat: int
    kind: Kind
    process_id: int
    """0 for a computer."""
    name: str


class Removal(Struct, frozen=True, gc=False):
    """The host has removed the player of a seat; it may come at any time, and changes no game."""

    seat: int


class AbandonGame(Struct, frozen=True, gc=False):
    """The game under way is broken off, between two of its hands, and another one begins."""


Step = Action | AbandonGame | AskAgain | AnswerAgain | Promise | NewRules | SeatChange | Removal

_SEAT = re.compile(r"([0-3]) (client|computer) (0|[1-9][0-9]{0,9}) (.{1,30})")
_RULES = re.compile(r"(.+) end ([1-9][0-9]{0,4})")


def format_step(step: Step) -> str:
    """A step as one line."""
    if type(step) is Play and step.by is ChosenBy.PLAYER:
        return PLAY_LINES[step.player][step.card]
    match step:
        case Play() | Pass() | ChooseMoon() | Deal() | AbortHand():
            return format_action(step)
        case AnswerAgain(player, yes, by):
            return f"again {player} {'yes' if yes else 'no'} {by.value}".rstrip()
        case AbandonGame():
            return "abort-game"
        case AskAgain(player):
            return f"ask-again {-1 if player is None else player}"
        case Promise(secret, hashes):
            return " ".join(("promise", deal_code(secret), *format_hashes(hashes)))
        case NewRules(rules, end_score):
            return f"rules {rules} end {end_score}"
        case SeatChange(seat, kind, process_id, name):
            return f"seat {seat} {kind.value} {process_id} {name}"
        case Removal(seat):
            return f"removed {seat}"
        case _:
            assert_never(step)


def parse_step(line: str) -> Step:
    """The step of a line. Raises CorruptRecord for any other text."""
    step = _KNOWN.get(line)
    if step is not None:
        return step
    word, _, rest = line.partition(" ")
    parse = _PARSERS.get(word)
    if parse is None:
        return parse_action(line)
    try:
        step = parse(rest)
    except (HeartsError, ValueError):
        step = None
    if step is None or format_step(step) != line:
        raise CorruptRecord(f"cannot read a line that begins with {word!r}")
    return step


def _parse_promise(text: str) -> Promise:
    code, *words = text.split(" ")
    hashes = parse_hashes(words)
    if hashes == NO_HASHES:
        raise ValueError("nobody cuts the deal")
    return Promise(parse_deal_code(code), hashes)


def _parse_rules(text: str) -> NewRules:
    match = _RULES.fullmatch(text)
    if match is None or int(match[2]) not in END_SCORES:
        raise ValueError("no rules")
    return NewRules(parse_rules(match[1]), int(match[2]))


def _parse_seat(text: str) -> SeatChange:
    match = _SEAT.fullmatch(text)
    if match is None or int(match[3]) > INT_MAX:
        raise ValueError("no change of a seat")
    return SeatChange(int(match[1]), Kind(match[2]), int(match[3]), match[4])


def _between_games() -> Iterator[Step]:
    yield AbandonGame()
    for asked in (0, 1, 2, 3, None):
        yield AskAgain(asked)
    for player, yes, by in product((-1, 0, 1, 2, 3), (True, False), ChosenBy):
        yield AnswerAgain(player, yes, by)


_RARE: tuple[Step, ...] = (*_between_games(), *map(Removal, range(4)))
_KNOWN: dict[str, Step] = {**PLAYS, **{format_step(step): step for step in _RARE}}
_PARSERS: dict[str, Callable[[str], Step]] = {
    "promise": _parse_promise,
    "rules": _parse_rules,
    "seat": _parse_seat,
}
