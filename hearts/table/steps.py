"""The steps of a table, as lines and packed: the actions of its games, and those between them.

A line is what is stored. A hand that is finished is packed in memory: one without cuts takes at
most 85 bytes, as a rule. There a step is one byte, and what belongs to it. The six low bits of the
byte are a card that the player in the two high bits has played or passed, or one of
:class:`_Code`. A rare step is kept as its line. So every step that can be stored can be packed,
under any rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from io import BytesIO
from itertools import product
from typing import assert_never

from msgspec import Struct

from hearts.errors import CorruptRecord, HeartsError
from hearts.game.cards import CARDS
from hearts.game.cuts import (
    NO_HASHES,
    VALUE_BYTES,
    FourHashes,
    ShownCuts,
    format_hashes,
    hash_of,
    parse_hashes,
    shown_cuts,
)
from hearts.game.deal import NO_CUTS, SECRET_BYTES, deal_code, parse_deal_code
from hearts.game.events import AbortHand, Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import PASS_SIZE
from hearts.game.record import PLAY_LINES, PLAYS, format_action, parse_action
from hearts.game.rules import END_SCORES, Rules, parse_rules
from hearts.wire.codec import INT_MAX

from .inputs import AnswerAgain, TakeBack
from .seat import Kind


class AskAgain(Struct, frozen=True, gc=False):
    """A game is over, and this player decides about another one; None for nobody."""

    player: int | None


class Promise(Struct, frozen=True, gc=False):
    """The next deal follows from this secret, and from what these hashes are of."""

    secret: bytes
    hashes: FourHashes
    """The hashes of the players who are to show their cuts now, at least one."""


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


Step = (
    Action
    | AbandonGame
    | AskAgain
    | AnswerAgain
    | Promise
    | NewRules
    | SeatChange
    | Removal
    | TakeBack
)

_SEAT = re.compile(r"([0-3]) (client|computer) (0|[1-9][0-9]{0,9}) (.{1,30})")
_RULES = re.compile(r"(.+) end ([1-9][0-9]{0,4})")


def format_step(step: Step) -> str:
    """Return a step as one line."""
    if type(step) is Play:
        return PLAY_LINES[step.by][step.player][step.card]
    match step:
        case Pass() | ChooseMoon() | Deal() | AbortHand():
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
        case TakeBack(player):
            return f"take-back {player}"
        case _:
            assert_never(step)


def parse_step(line: str) -> Step:
    """Return the step of a line. Raises CorruptRecord for any other text."""
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


_RARE: tuple[Step, ...] = (*_between_games(), *map(Removal, range(4)), *map(TakeBack, range(4)))
_KNOWN: dict[str, Step] = {**PLAYS, **{format_step(step): step for step in _RARE}}
_PARSERS: dict[str, Callable[[str], Step]] = {
    "promise": _parse_promise,
    "rules": _parse_rules,
    "seat": _parse_seat,
}


# Packed

_PLAYER = 6
_CODES = (1 << _PLAYER) - 1
_BYS = tuple(ChosenBy)
_CARDS = (Play, Pass)


class _Code(IntEnum):
    """The meaning of a byte that is no card."""

    BY = len(CARDS)
    """This code and the next three name the maker of the player's choices from here on."""
    PASSES = BY + len(_BYS)
    """The next cards are passed, three by each player."""
    DEAL = PASSES + 1
    """The secret follows."""
    CUT_DEAL = DEAL + 1
    """The secret follows, and for each player one of :class:`_Cut` with its bytes."""
    PROMISE = CUT_DEAL + 1
    """The promise of the next deal."""
    LINE = PROMISE + 1
    """The length of the line of any other step follows, and the line."""


assert max(_Code) <= _CODES, "a code takes six bits"


class _Cut(IntEnum):
    """A player's part in the cuts of a deal."""

    NONE = 0
    MISSING = 1
    """The hash of a value that was not shown."""
    SHOWN = 2
    """The value."""


_PLAYS = {(play.by, play.player << _PLAYER | play.card): play for play in PLAYS.values()}


def pack_hand(steps: Sequence[Step]) -> bytes:
    """Pack the steps of a hand. Raises ValueError for one whose line is too long."""
    packed = bytearray()
    bys = [ChosenBy.PLAYER] * 4
    is_passing = False
    for step in steps:
        if isinstance(step, _CARDS) and step.by is not bys[step.player]:
            bys[step.player] = step.by
            packed.append(step.player << _PLAYER | _Code.BY + _BYS.index(step.by))
        if type(step) is Play:
            packed.append(step.player << _PLAYER | step.card)
            continue
        match step:
            case Pass(player, cards):
                if not is_passing:
                    is_passing = True
                    packed.append(_Code.PASSES)
                packed += bytes(player << _PLAYER | card for card in cards)
            case Promise():
                packed.append(_Code.PROMISE)
            case Deal(_, bytes() as secret, _, ShownCuts(hashes, values)):
                packed.append(_Code.CUT_DEAL)
                packed += secret
                for digest, value in zip(hashes, values, strict=True):
                    cut = _Cut.SHOWN if value else _Cut.MISSING if digest else _Cut.NONE
                    packed.append(cut)
                    packed += value or digest
            case Deal(_, bytes() as secret, cuts) if cuts == NO_CUTS:
                packed.append(_Code.DEAL)
                packed += secret
            case _:
                line = format_step(step).encode()
                packed.append(_Code.LINE)
                packed.append(len(line))
                packed += line
    return bytes(packed)


def unpack_hand(packed: bytes) -> list[Step]:
    """Return the steps that were packed."""
    read = BytesIO(packed).read
    steps: list[Step] = []
    bys = [ChosenBy.PLAYER] * 4
    promised = -1
    passes = 0
    while byte := read(1):
        player, code = byte[0] >> _PLAYER, byte[0] & _CODES
        if code < len(CARDS):
            if passes:
                passes -= 1
                a, b, c = (CARDS[each & _CODES] for each in byte + read(PASS_SIZE - 1))
                steps.append(Pass(player, (a, b, c), bys[player]))
            else:
                steps.append(_PLAYS[bys[player], byte[0]])
        elif code == _Code.PASSES:
            passes = 4
        elif code == _Code.DEAL:
            steps.append(Deal.from_secret(read(SECRET_BYTES)))
        elif code == _Code.CUT_DEAL:
            secret = read(SECRET_BYTES)
            shown = _read_shown(read)
            steps.append(Deal.from_shown(secret, shown))
            steps[promised] = Promise(secret, shown.hashes)
        elif code == _Code.PROMISE:
            promised = len(steps)
            steps.append(Promise(b"", NO_HASHES))
        elif code == _Code.LINE:
            steps.append(parse_step(read(read(1)[0]).decode()))
        else:
            bys[player] = _BYS[code - _Code.BY]
    return steps


def _read_shown(read: Callable[[int], bytes]) -> ShownCuts:
    hashes, values = [b""] * 4, [b""] * 4
    for player in range(4):
        match _Cut(read(1)[0]):
            case _Cut.MISSING:
                hashes[player] = read(VALUE_BYTES)
            case _Cut.SHOWN:
                values[player] = read(VALUE_BYTES)
                hashes[player] = hash_of(values[player])
            case _Cut.NONE:
                pass
    return shown_cuts(hashes, values)
