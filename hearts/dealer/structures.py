"""The structures of the dealer dialect (DealerSpec.md section 14.4)."""

from __future__ import annotations

from typing import Annotated

from hearts.errors import LocalProtocolError
from hearts.game.cards import Card, Suit
from hearts.game.rules import END_SCORES, ExactEnd, Moon, Passing, Rules
from hearts.session.table_words import PlayerInfo, RulesInfo
from hearts.wire.codec import NAME_LIMIT, encode_ints

from .layout import (
    CARD_OR_NONE,
    COUNT,
    FLAG,
    INT,
    PLAYER,
    PLAYER_OR_NOBODY,
    Coded,
    Fields,
    Inner,
    Number,
    Packed,
    Payload,
    Text,
    Times,
    enum_kind,
    or_nothing,
)
from .numbers import KINDS, PRESENCES, TRICK_SUITS

COMMENT_LIMIT = 127
"""Bytes of a comment, without the NUL: MAX_COMMENT of 1993."""
LEVELS = range(1001)
TRICK_INTS = 11
RULES_INTS = 10


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


class _RulesKind:
    """The rules of a game with the score that ends it."""

    def encode(self, value: RulesInfo) -> bytes:
        rules = value.rules
        if value.end_score not in END_SCORES:
            raise LocalProtocolError(f"a game does not end at {value.end_score}")
        return encode_ints(
            rules.jack,
            value.end_score,
            rules.moon,
            rules.exact_end,
            rules.must_dump_queen,
            not rules.points_on_first_trick,
            rules.rotating_lead,
            rules.passing,
            rules.no_trick_bonus,
            not rules.queen_keeps_hearts,
        )

    def decode(self, payload: Payload) -> RulesInfo:
        flag = FLAG.decode
        jack = flag(payload)
        end_score = _END_SCORE.decode(payload)
        moon = _MOON.decode(payload)
        exact_end = _EXACT_END.decode(payload)
        must_dump_queen = flag(payload)
        no_points_on_first_trick = flag(payload)
        rotating_lead = flag(payload)
        passing = _PASSING.decode(payload)
        no_trick_bonus = flag(payload)
        queen_breaks = flag(payload)
        rules = Rules(
            jack,
            moon,
            exact_end,
            must_dump_queen,
            not no_points_on_first_trick,
            rotating_lead,
            passing,
            no_trick_bonus,
            not queen_breaks,
        )
        return RulesInfo(rules, end_score)


_END_SCORE = Number("an end of a game", END_SCORES.start, END_SCORES.stop - 1)
_MOON = enum_kind("a kind of moon", Moon)
_EXACT_END = enum_kind("what an exact end does", ExactEnd)
_PASSING = enum_kind("a way to pass", Passing)


LEVEL = Number("a level", LEVELS.start, LEVELS.stop - 1)
TRICK = Inner(Trick)
SCORE = Inner(Score)
RULES = _RulesKind()
PLAYER_INFO = Fields(
    PlayerInfo,
    player=PLAYER,
    kind=Coded("a kind of player", KINDS),
    level=LEVEL,
    presence=Coded("a presence", PRESENCES),
    name=Text(NAME_LIMIT),
    comment=Text(COMMENT_LIMIT),
)
