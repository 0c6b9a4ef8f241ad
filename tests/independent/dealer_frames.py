"""The frames of the dealer dialect, decoded strictly: DealerSpec.md 14.1, 14.3 and 14.4, version 1.

A payload must have exactly the length that its fields have, and each field a value that means
something. What the values mean together is for `dealer_story.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .plain_client import Nonsense

MOST_BYTES = 4096

ABORT_GAME, DO_PASS, DONE_HAND, END_GAME, HEARTS_BROKEN, LEAD_CARD = 101, 104, 105, 106, 107, 108
LOSE_CARD, LOSE_PASS, NEW_GAME, NEW_HAND, NEW_RULES, PASS_ERROR = 110, 111, 113, 114, 116, 117
PLAY_CARD, PLAY_ERROR, PLAYER_SHOT_MOON, QUERY_NEW_RULES = 118, 119, 122, 124
REGISTER_OPPONENTS, REGISTER_PLAYER, TAKE_CARD, TAKE_PASS, TAKE_TRICK = 125, 126, 127, 128, 129
TRICK_DONE, WAITING, CARD_PLAYED, PLAYER_CHANGE = 130, 132, 133, 135
MOON_CHOICE, PLAY_AGAIN, CUT, DEAL_COMMITMENT, DEAL_PROOF, SERVER_NOTICE = range(200, 206)
PING, PONG, ANSWER_ERROR, SEATED, REFUSED, REPLAY, FIRST_LEAD = range(206, 213)
MOON_CHOSEN, AGAIN_DECIDED, RULES_STAY, STANDING = range(213, 217)
PROPOSE_RULES, REPLACE_PLAYER, OPEN_SEAT, CLAIM_REST = 220, 221, 222, 227

QUERIES = {DO_PASS, LEAD_CARD, PLAY_CARD, QUERY_NEW_RULES, REGISTER_PLAYER}
QUERIES |= {MOON_CHOICE, PLAY_AGAIN, CUT}
CHOICES = {DO_PASS, LEAD_CARD, PLAY_CARD, MOON_CHOICE, PLAY_AGAIN, CUT}
"""The queries at which tries are counted (14.5)."""
ERRORS = {PASS_ERROR, PLAY_ERROR, ANSWER_ERROR}
NOT_REPEATED = {WAITING, PLAYER_CHANGE, RULES_STAY, SERVER_NOTICE, CLAIM_REST}
"""What is not told again to who comes back, besides the queries (14.7)."""

CPU, FREE, NOT_SAID = 1, 0, 5
AWAY, THERE, STAND_IN = range(3)
THE_PLAYER, THE_CLOCK, A_STAND_IN, A_COMPUTER = range(4)
"""The values of "by"."""


class FrameTrick(NamedTuple):
    cards: tuple[int, ...]
    """Of players 0-3; 0 for who has not played."""
    suit: int
    leader: int
    round: int
    broken: int
    winner: int
    jack: int
    queen: int


class FrameScore(NamedTuple):
    points: int
    queens: int
    jacks: int
    games: int


class ToldRules(NamedTuple):
    jack: int
    max_score: int
    shoot: int
    max_erase: int
    queen_dump: int
    points_first_round: int
    rotating_lead: int
    passing: int
    no_trick: int
    queen_breaks: int
    more: int = 0
    """Bits from 21 on; they stand at the end of a payload."""

    def bits(self) -> int:
        """The same as the bits of section 6.1."""
        bleed, keeps = 1 - self.points_first_round, 1 - self.queen_breaks
        parts = [(8, self.jack), (9, self.shoot), (11, self.max_erase), (13, self.queen_dump)]
        parts += [(14, bleed), (15, self.rotating_lead), (16, self.passing)]
        parts += [(18, self.no_trick), (19, keeps)]
        return self.more + sum(value << place for place, value in parts)


class Info(NamedTuple):
    player: int
    kind: int
    level: int
    presence: int
    name: str
    comment: str


class FrameCard(NamedTuple):
    card: int
    legal: int


@dataclass(frozen=True, slots=True)
class ServerFrame:
    """One frame of the server."""

    type: int
    sequence: int
    fields: Mapping[str, Any]
    past: bool = False
    """It came between P_REPLAY 1 and P_REPLAY 0."""

    @property
    def name(self) -> str:
        return LAYOUTS[self.type][0]

    def __getitem__(self, field: str) -> Any:
        return self.fields[field]

    def __str__(self) -> str:
        told = ", ".join(f"{field} {value}" for field, value in self.fields.items())
        return f"frame {self.sequence}, {self.name} ({told})"


def expect(truth: bool, words: str, *values: object) -> None:
    """Raise Nonsense in these words, which are formatted only then: most is as it should be."""
    if not truth:
        raise Nonsense(words.format(*values))


# The characters that no text may hold (section 1.4).
_HIDDEN = (
    (0x00, 0x1F), (0x7F, 0x9F), (0x2028, 0x2029), (0x61C, 0x61C), (0x200E, 0x200F),
    (0x202A, 0x202E), (0x2066, 0x2069), (0xAD, 0xAD), (0x34F, 0x34F), (0x115F, 0x1160),
    (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200B), (0x2060, 0x2065), (0x206A, 0x206F),
    (0x3164, 0x3164), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE007F),
)  # fmt: skip


class _Payload:
    """Reads fields off a payload; each method is named like the type of field that it reads."""

    def __init__(self, data: bytes) -> None:
        self._rest = data

    def raw(self, count: int) -> bytes:
        expect(len(self._rest) >= count, "it is too short")
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    def rest(self, most: int) -> bytes:
        expect(len(self._rest) <= most, "it has more than {} bytes", most)
        return self.raw(len(self._rest))

    def end(self) -> None:
        expect(not self._rest, "it has {} bytes too many", len(self._rest))

    def number(self, least: int = -(2**31), most: int = 2**31 - 1) -> int:
        value: int = struct.unpack(">i", self.raw(4))[0]
        expect(least <= value <= most, "{} is not within {} and {}", value, least, most)
        return value

    def one_of(self, values: set[int]) -> int:
        value = self.number()
        expect(value in values, "{} is none of {}", value, sorted(values))
        return value

    def several(self, count: int, least: int = -(2**31), most: int = 2**31 - 1) -> tuple[int, ...]:
        return tuple(self.number(least, most) for _ in range(count))

    def text(self, least: int = 0, most: int = 1023) -> str:
        data = self.raw(self.number(least + 1, most + 1))
        expect(data.find(0) == len(data) - 1, "a str without one NUL at its end")
        try:
            text = data[:-1].decode()
        except UnicodeDecodeError as error:
            raise Nonsense("a str that is not UTF-8") from error
        hidden = [c for c in text if any(low <= ord(c) <= high for low, high in _HIDDEN)]
        expect(not hidden, "a str with {}", hidden)
        return text

    def cards(self) -> tuple[int, ...]:
        return self.several(self.number(1, 13), 1, 52)

    def choices(self) -> tuple[FrameCard, ...]:
        count = self.number(1, 13)
        return tuple(FrameCard(self.number(1, 52), self.number(0, 1)) for _ in range(count))

    def trick(self) -> FrameTrick:
        cards = self.several(4, 0, 52)
        suit, leader, place = self.number(0, 4), self.number(0, 3), self.number(1, 13)
        broken, winner = self.number(0, 1), self.number(-1, 3)
        return FrameTrick(cards, suit, leader, place, broken, winner, *self.several(2, 0, 1))

    def scores(self) -> tuple[FrameScore, ...]:
        return tuple(FrameScore(self.number(), *self.several(3, 0)) for _ in range(4))

    def rules(self) -> ToldRules:
        ranges = ((0, 1), (1, 10000), (0, 2), (0, 2), (0, 1), (0, 1), (0, 1), (0, 3), (0, 1))
        return ToldRules(*(self.number(*ends) for ends in (*ranges, (0, 1))))

    def more(self) -> int:
        bits = self.number()
        expect(bits % (1 << 21) == 0, "{} has bits below 21", bits)
        return bits

    def info(self) -> Info:
        player, kind, level = self.number(0, 3), self.number(0, 5), self.number(0, 1000)
        presence, name, comment = self.number(0, 2), self.text(most=30), self.text(most=127)
        expect(kind != 2, "kind 2 is not used")
        expect(bool(name) != (kind == FREE), "kind {} with the name {!r}", kind, name)
        return Info(player, kind, level, presence, name, comment)


_READERS: dict[str, Callable[[_Payload], object]] = {
    "flag": lambda payload: payload.number(0, 1),
    "count": lambda payload: payload.number(0),
    "from one": lambda payload: payload.number(1),
    "left": lambda payload: payload.number(-1),
    "state": lambda payload: payload.number(401, 417),
    "player": lambda payload: payload.number(0, 3),
    "seat": lambda payload: payload.number(0, 4),
    "nobody": lambda payload: payload.number(-1, 3),
    "players": lambda payload: payload.number(0, 15),
    "direction": lambda payload: payload.number(0, 3),
    "passed": lambda payload: payload.number(1, 3),
    "by": lambda payload: payload.number(0, 3),
    "card": lambda payload: payload.number(1, 52),
    "three": lambda payload: payload.several(3, 1, 52),
    "four": lambda payload: payload.several(4),
    "reason": lambda payload: payload.one_of({*range(-26, -19), -7, -6, -5, -4, -2, -1}),
    "tries": lambda payload: payload.number(-1, 9),
    "change": lambda payload: payload.number(0, 6),
    "code": lambda payload: payload.one_of({*range(-111, -100), -4, -2, -1}),
    "number": _Payload.number,
    "more": _Payload.more,
    "text": _Payload.text,
    "table": lambda payload: payload.text(1, 30),
    "cards": _Payload.cards,
    "choices": _Payload.choices,
    "trick": _Payload.trick,
    "scores": _Payload.scores,
    "rules": _Payload.rules,
    "info": _Payload.info,
    "infos": lambda payload: tuple(payload.info() for _ in range(4)),
    "16 bytes": lambda payload: payload.raw(16),
    "32 bytes": lambda payload: payload.raw(32),
    "4 x 32 bytes": lambda payload: tuple(payload.raw(32) for _ in range(4)),
    "ping": lambda payload: payload.rest(64),
}

_ERROR = "in reply to=number, type=number, reason=reason, tries=tries, why=text"
_BANK = "free=left, stock=left"
_PLAY = f"left=left, state=state, trick=trick, cards=choices, {_BANK}"
_PASS = "player=player, direction=passed, cards=three"
_QUERY = "left=left, state=state"

LAYOUTS = {
    ABORT_GAME: ("P_ABORT_GAME", "W", "later=flag, why=text"),
    DO_PASS: (
        "P_DO_PASS",
        "Y",
        f"{_QUERY}, player=player, direction=passed, cards=cards, {_BANK}",
    ),
    DONE_HAND: (
        "P_DONE_HAND",
        "W",
        "queen=nobody, jack=nobody, shooter=nobody, scores=scores, winner=nobody, points=four, "
        "winners=players",
    ),
    END_GAME: ("P_END_GAME", "W", "scores=scores, winners=players, decider=nobody"),
    HEARTS_BROKEN: ("P_HEARTS_BROKEN", "W", ""),
    LEAD_CARD: ("P_LEAD_CARD", "Y", _PLAY),
    LOSE_CARD: ("P_LOSE_CARD", "Y", "card=card, by=by"),
    LOSE_PASS: ("P_LOSE_PASS", "Y", f"{_PASS}, by=by"),
    NEW_GAME: ("P_NEW_GAME", "W", "rules=rules, turn limit=count, more=more"),
    NEW_HAND: ("P_NEW_HAND", "W", "hand=from one, direction=direction"),
    NEW_RULES: ("P_NEW_RULES", "W", "rules=rules, more=more"),
    PASS_ERROR: ("P_PASS_ERROR", "Y", _ERROR),
    PLAY_CARD: ("P_PLAY_CARD", "Y", _PLAY),
    PLAY_ERROR: ("P_PLAY_ERROR", "Y", _ERROR),
    PLAYER_SHOT_MOON: ("P_PLAYER_SHOT_MOON", "W", "player=player, decides=flag"),
    QUERY_NEW_RULES: ("P_QUERY_NEW_RULES", "Y", f"{_QUERY}, rules=rules, more=more"),
    REGISTER_OPPONENTS: ("P_REGISTER_OPPONENTS", "W", "players=infos"),
    REGISTER_PLAYER: ("P_REGISTER_PLAYER", "Y", f"{_QUERY}, player=player"),
    TAKE_CARD: ("P_TAKE_CARD", "Y", "card=card"),
    TAKE_PASS: ("P_TAKE_PASS", "Y", _PASS),
    TAKE_TRICK: ("P_TAKE_TRICK", "Y", "trick=trick, points=four"),
    TRICK_DONE: ("P_TRICK_DONE", "W", "trick=trick, points=four"),
    WAITING: ("P_WAITING", "A", "state=state, players=players, waited=count, left=left"),
    CARD_PLAYED: ("P_CARD_PLAYED", "W", "trick=trick, player=player, card=card, by=by"),
    PLAYER_CHANGE: ("P_PLAYER_CHANGE", "W", "change=change, info=info"),
    MOON_CHOICE: ("P_MOON_CHOICE", "Y", f"{_QUERY}, {_BANK}"),
    PLAY_AGAIN: ("P_PLAY_AGAIN", "Y", f"{_QUERY}, {_BANK}"),
    CUT: ("P_CUT", "Y", f"{_QUERY}, deal=from one"),
    DEAL_COMMITMENT: (
        "P_DEAL_COMMITMENT",
        "W",
        "deal=from one, commitment=32 bytes, hashes=4 x 32 bytes",
    ),
    DEAL_PROOF: (
        "P_DEAL_PROOF",
        "W",
        "deal=from one, secret=16 bytes, cuts=32 bytes, values=4 x 32 bytes, missing=players",
    ),
    SERVER_NOTICE: ("P_SERVER_NOTICE", "W", "text=text"),
    PONG: ("P_PONG", "W", "ping=ping"),
    ANSWER_ERROR: ("P_ANSWER_ERROR", "Y", _ERROR),
    SEATED: ("P_SEATED", "W", "player=seat, game=from one, game id=count, table=table"),
    REFUSED: ("P_REFUSED", "W", "code=code, why=text"),
    REPLAY: ("P_REPLAY", "W", "begins=flag"),
    FIRST_LEAD: ("P_FIRST_LEAD", "W", "leader=player"),
    MOON_CHOSEN: ("P_MOON_CHOSEN", "W", "player=player, on others=flag, by=by"),
    AGAIN_DECIDED: ("P_AGAIN_DECIDED", "W", "player=nobody, yes=flag, by=by"),
    RULES_STAY: ("P_RULES_STAY", "A", "player=nobody, why=text"),
    STANDING: ("P_STANDING", "W", "scores=scores"),
    CLAIM_REST: ("P_CLAIM_REST", "W", "player=player, cards=cards"),
}
"""For each type its name, who gets it, and its fields."""


def decode(kind: int, sequence: int, data: bytes, past: bool = False) -> ServerFrame:
    """The frame; raises Nonsense where it is none of version 1."""
    expect(kind in LAYOUTS, "frame {} has the type {}, which a server never sends", sequence, kind)
    name, _, layout = LAYOUTS[kind]
    payload = _Payload(data)
    fields: dict[str, Any] = {}
    field = "its length"
    try:
        for part in layout.split(", ") if layout else ():
            field, reader = part.split("=")
            fields[field] = _READERS[reader](payload)
        if "more" in fields:
            fields["rules"] = fields["rules"]._replace(more=fields["more"])
        field = "its length"
        payload.end()
    except Nonsense as error:
        raise Nonsense(f"frame {sequence}, {name}, {field}: {error}") from error
    return ServerFrame(kind, sequence, fields, past)


def encode(kind: int, in_reply_to: int, payload: bytes = b"") -> bytes:
    return struct.pack(">3i", kind, in_reply_to, len(payload)) + payload


def ints(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)
