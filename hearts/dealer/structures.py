"""The structures of the dealer dialect (DealerSpec.md section 14.4)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from hearts.errors import InvalidRules, LocalProtocolError, RemoteProtocolError
from hearts.game.cards import Card, Suit
from hearts.game.rules import (
    END_SCORES,
    FIRST_OPEN_BIT,
    RULE_BITS_MASK,
    RULES_BY_BITS,
    Rules,
    rules_from_bits,
)
from hearts.wire.codec import NAME_LIMIT, encode_ints

from .layout import (
    CARD_OR_NONE,
    COUNT,
    FLAG,
    INT,
    PLAYER,
    PLAYER_OR_NOBODY,
    Inner,
    Number,
    Packed,
    Payload,
    Text,
    Times,
    enum_kind,
    or_nothing,
)
from .numbers import TRICK_SUITS, PlayerKind, Presence

COMMENT_LIMIT = 127
"""Bytes of a comment, without the NUL: MAX_COMMENT of 1993."""
LEVELS = range(1001)
TRICK_INTS = 11


class Trick(Packed, frozen=True, gc=False):
    """A trick, complete or under way."""

    cards: Annotated[tuple[Card | None, ...], Times(4, CARD_OR_NONE)]
    """Of players 0-3."""
    suit: Annotated[Suit | None, or_nothing("a suit of a trick", TRICK_SUITS, 0)]
    """Led; None before the lead."""
    leader: Annotated[int, PLAYER]
    round: Annotated[int, Number("a round", 1, 13)]
    hearts_broken: Annotated[bool, FLAG]
    winner: Annotated[int | None, PLAYER_OR_NOBODY]
    """None until the trick is done."""
    jack_won: Annotated[bool, FLAG]
    """Whether the jack of diamonds lies in it."""
    queen_won: Annotated[bool, FLAG]


class Score(Packed, frozen=True, gc=False):
    """Where one player stands."""

    points: Annotated[int, INT]
    queens: Annotated[int, COUNT]
    jacks: Annotated[int, COUNT]
    games: Annotated[int, COUNT]


class RulesInfo(Packed, frozen=True, gc=False):
    """The rules of a game and the score that ends it."""

    rules: Rules
    end_score: int

    def encode(self) -> bytes:
        if self.end_score not in END_SCORES:
            raise LocalProtocolError(f"a game does not end at {self.end_score}")
        jack, *others = (
            getattr(self.rules, rule.field) ^ rule.reversed_there for rule in _RULES_THERE
        )
        return encode_ints(jack, self.end_score, *others)

    @classmethod
    def read(cls, payload: Payload) -> RulesInfo:
        numbers = [kind.decode(payload) for kind in RULE_KINDS.values()]
        end_score = numbers.pop(1)
        bits = 0
        for rule, number in zip(_RULES_THERE, numbers, strict=True):
            bits |= (number ^ rule.reversed_there) << rule.bit
        return cls(rules_from_bits(bits), end_score)


class RulesPayload(Packed, frozen=True):
    """A payload with rules, whose bits from 21 on come behind all its other fields."""

    SKIPS_UNKNOWN: ClassVar[bool] = True
    """Whether bits without a rule are passed over, as a client has to."""

    def encode(self) -> bytes:
        return super().encode() + MORE.encode(_told(self).rules.bits & _MORE_BITS)

    @classmethod
    def read(cls, payload: Payload) -> Self:
        read = super().read(payload)
        if payload.is_over:
            return read
        told, more = _told(read), MORE.decode(payload) & _MORE_BITS
        if more & ~RULE_BITS_MASK and not cls.SKIPS_UNKNOWN:
            raise RemoteProtocolError(f"{more:#x} has bits that are no rule's")
        try:
            rules = rules_from_bits(told.rules.bits | more)
        except InvalidRules as error:
            raise RemoteProtocolError(str(error)) from None
        return replace(read, rules=RulesInfo(rules, told.end_score))


def _told(payload: Any) -> RulesInfo:
    told: RulesInfo = payload.rules
    return told


_RULES_THERE = [rule for rule in RULES_BY_BITS if rule.dealer_field]
_KINDS = {
    rule.dealer_field: Number(f"a value of {rule.dealer_field!r}", 0, len(rule.values) - 1)
    for rule in _RULES_THERE
}
_END_SCORE = Number("an end of a game", END_SCORES.start, END_SCORES.stop - 1)
RULE_KINDS = {"jack": _KINDS.pop("jack"), "max score": _END_SCORE, **_KINDS}
"""The ints of the structure by their names in DealerSpec.md 14.4."""
MORE = INT
_MORE_BITS = -1 << FIRST_OPEN_BIT


class PlayerInfo(Packed, frozen=True, gc=False):
    """Who has a seat, and what he says about himself."""

    player: Annotated[int, PLAYER]
    kind: Annotated[PlayerKind, enum_kind("a kind of player", PlayerKind)]
    level: Annotated[int, Number("a level", LEVELS.start, LEVELS.stop - 1)] = 0
    presence: Annotated[Presence, enum_kind("a presence", Presence)] = Presence.THERE
    name: Annotated[str, Text(NAME_LIMIT)] = ""
    comment: Annotated[str, Text(COMMENT_LIMIT)] = ""


TRICK = Inner(Trick)
SCORE = Inner(Score)
RULES = Inner(RulesInfo)
PLAYER_INFO = Inner(PlayerInfo)
