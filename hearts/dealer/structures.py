"""The structures of the dealer dialect (DealerSpec.md section 14.4)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from hearts.errors import InvalidRules, LocalProtocolError, RemoteProtocolError
from hearts.game.cards import Card, Suit
from hearts.game.events import ChosenBy
from hearts.game.rules import (
    END_SCORES,
    FIRST_OPEN_BIT,
    RULE_BITS_MASK,
    RULES_BY_BITS,
    Direction,
    Rules,
    rules_from_bits,
)
from hearts.session.client_events import Score
from hearts.session.table_words import PlayerInfo
from hearts.wire.codec import NAME_LIMIT, TEXT_LIMIT, encode_ints

from . import layout as kinds
from .frames import BY_NUMBERS, KINDS, PRESENCES, TRICK_SUITS, DealerState

COMMENT_LIMIT = 127
"""Bytes of a comment, without the NUL: MAX_COMMENT of 1993."""
LEVELS = range(1001)
TRICK_INTS = 11


class Trick(Struct, frozen=True, gc=False):
    """A trick, complete or under way."""

    cards: Annotated[tuple[Card | None, ...], kinds.Times(4, kinds.CARD_OR_NONE)]
    """The card of each player, 0-3; None if it is not played yet."""
    suit: Annotated[Suit | None, kinds.or_nothing("a suit of a trick", TRICK_SUITS, 0)]
    """The suit that was led; None before the lead."""
    leader: Annotated[int, kinds.PLAYER]
    round: Annotated[int, kinds.Number("a round", 1, 13)]
    hearts_broken: Annotated[bool, kinds.FLAG]
    winner: Annotated[int | None, kinds.PLAYER_OR_NOBODY]
    """None until the trick is done."""
    jack_won: Annotated[bool, kinds.FLAG]
    """True if the jack of diamonds lies in it."""
    queen_won: Annotated[bool, kinds.FLAG]


class RulesKind:
    """The rules of a game and the score that ends it, without the rules from bit 21 on."""

    def encode(self, value: tuple[Rules, int]) -> bytes:
        rules, end_score = value
        if end_score not in END_SCORES:
            raise LocalProtocolError(f"a game does not end at {end_score}")
        jack, *others = (getattr(rules, rule.field) ^ rule.reversed_there for rule in _RULES_THERE)
        return encode_ints(jack, end_score, *others)

    def decode(self, payload: kinds.Payload) -> tuple[Rules, int]:
        numbers = [kind.decode(payload) for kind in RULE_KINDS.values()]
        end_score = numbers.pop(1)
        bits = 0
        for rule, number in zip(_RULES_THERE, numbers, strict=True):
            bits |= (number ^ rule.reversed_there) << rule.bit
        return rules_from_bits(bits), end_score


def encode_more(rules: Rules) -> bytes:
    """Return the bits of rules from 21 on, which come after all other fields of a payload with
    rules.
    """
    return MORE.encode(rules.bits & _MORE_BITS)


def with_more(told: Rules, payload: kinds.Payload, skips_unknown: bool) -> Rules:
    """Return the rules with the bits that are left in a payload, if any are. Raises
    RemoteProtocolError.

    Bits without a rule are passed over, as a client has to, or they are an error.
    """
    if payload.is_over:
        return told
    more = MORE.decode(payload) & _MORE_BITS
    if more & ~RULE_BITS_MASK and not skips_unknown:
        raise RemoteProtocolError(f"{more:#x} has bits that are no rule's")
    try:
        return rules_from_bits(told.bits | more)
    except InvalidRules as error:
        raise RemoteProtocolError(str(error)) from None


_RULES_THERE = [rule for rule in RULES_BY_BITS if rule.dealer_field]
_KINDS = {
    rule.dealer_field: kinds.Number(f"a value of {rule.dealer_field!r}", 0, len(rule.values) - 1)
    for rule in _RULES_THERE
}
_END_SCORE = kinds.Number("an end of a game", END_SCORES.start, END_SCORES.stop - 1)
RULE_KINDS = {"jack": _KINDS.pop("jack"), "max score": _END_SCORE, **_KINDS}
"""The ints of the structure by their names in DealerSpec.md 14.4."""
MORE = kinds.INT
_MORE_BITS = -1 << FIRST_OPEN_BIT
LEVEL = kinds.Number("a level", LEVELS.start, LEVELS.stop - 1)
TRICK = kinds.Fields(Trick)
SCORE = kinds.Fields(
    Score, points=kinds.INT, queens=kinds.COUNT, jacks=kinds.COUNT, games=kinds.COUNT
)
RULES = RulesKind()
PLAYER_INFO = kinds.Fields(
    PlayerInfo,
    player=kinds.PLAYER,
    kind=kinds.Coded("a kind of player", KINDS),
    level=LEVEL,
    presence=kinds.Coded("a presence", PRESENCES),
    name=kinds.Text(NAME_LIMIT),
    comment=kinds.Text(COMMENT_LIMIT),
)

HAND_SIZE = 13
PASS_SIZE = 3
SEATS = 4
WATCHER = 4
"""The player number of P_SEATED for a watcher."""
PING_LIMIT = 64
DIGEST_BYTES = 32
SECRET_BYTES = 16

BY: kinds.Coded[ChosenBy] = kinds.Coded("who chose", BY_NUMBERS)
DIRECTION = kinds.enum_kind("a direction", Direction)
STATE = kinds.enum_kind("a state of the dealer", DealerState)
WORDS = kinds.Text(TEXT_LIMIT)
PASS = kinds.Times(PASS_SIZE, kinds.CARD)
POINTS = kinds.Times(SEATS, kinds.INT)
SCORES = kinds.Times(SEATS, SCORE)
FOUR_OF_32 = kinds.Times(SEATS, kinds.OF_32)
