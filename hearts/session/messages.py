"""The messages of the plain dialect that are more than an int or two, for both sides.

SocketSpec.md sections 3 and 4. A ``decode`` takes values that the wire module has already made of
bytes, and raises RemoteProtocolError if they mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from msgspec import Struct

from hearts.errors import InvalidRules, RemoteProtocolError
from hearts.game.rules import END_SCORES, RULE_BITS_MASK, Rules, known_rules, rules_from_bits
from hearts.game.scoring import Four
from hearts.wire.codec import NAME_LIMIT, decode_text, encode_int, encode_ints, encode_str
from hearts.wire.text import MARKS_LIMIT, is_legible, is_visible

TABLE_VERSION = 1
DEALER_VERSION = 1
"""The version of the dealer dialect that is spoken; in block -6."""
TURN_LIMITS = range(15, 3601)
"""Seconds that player 0 may ask for; below, the server's own limit is meant."""
NO_CLOCK_ALONE = -1
"""In place of a turn limit: none while one person plays at a private table with computers."""
MAX_OPTION_BLOCKS = 16
HOSTS_LEVELS = (0, 0, 0, 0)
"""The levels of the computers in seats 0-3 if they play as the host has it."""
MAX_LISTED_TABLES = 100
HAND_SIZE = 13


class Tag(IntEnum):
    """The tags of the option blocks, SocketSpec.md section 3."""

    OPTIONS = -2
    TABLE = -4
    COME_BACK = -5
    DEALER = -6
    PASSWORD = -7
    LIST = -8
    WATCH = -9
    REASONS = -10


FIRST_RESERVED_TAG = -11
"""Tags from here down carry a length and that many bytes, and are skipped."""

LOOK_TAG = -12
"""Of these, the one that asks about a table by its name; its bytes are the name."""
LEVELS_TAG = -15
"""The one with a level for the computer of each seat, or none to ask which may be wanted."""
GREETING_TAG = -16
"""The one without bytes that asks for the server's greeting: its name, and its word of the day."""
CHALLENGE_TAG = -17
"""The one that asks for a challenge to a name's owner."""
PROOF_TAG = -18
"""The one with the proof of a name."""
STANDINGS_BYTES, VISITOR_BYTES = 1, 16
"""The byte with which the greeting's block asks for standings, and those of a visitor's token,
with which it asks for the deal of the day."""
MAX_GREETING = 21
"""Texts of a greeting: the name, which may be empty, and lines."""


class Refusal(IntEnum):
    """The reason to refuse a registration, SocketSpec.md section 3."""

    SERVER_FULL = -1
    TOO_MANY_FROM_ADDRESS = -2
    SHUTTING_DOWN = -4
    BAD_NAME = -101
    BAD_OPTION = -102
    NO_SUCH_GAME = -103
    TABLE_TAKEN = -104
    BAD_PASSWORD = -105
    TOO_SLOW = -106
    STRANGER = -107
    BANNED = -108
    BAD_PROOF = -109
    NO_CLAIM = -110
    SEAT_ELSEWHERE = -111

    @property
    def text(self) -> str:
        return _REFUSAL_TEXTS[self]


_REFUSAL_TEXTS = {
    Refusal.SERVER_FULL: "the server is full, try again later",
    Refusal.TOO_MANY_FROM_ADDRESS: "too many connections from your address",
    Refusal.SHUTTING_DOWN: "the server is shutting down",
    Refusal.BAD_NAME: "a name has 1 to 30 bytes of UTF-8 without control characters",
    Refusal.BAD_OPTION: "an option is not allowed or not valid",
    Refusal.NO_SUCH_GAME: "there is no such game to come back to",
    Refusal.TABLE_TAKEN: "that table is taken or closed",
    Refusal.BAD_PASSWORD: "the password is wrong or missing",
    Refusal.TOO_SLOW: "registration took more than 60 seconds",
    Refusal.STRANGER: "only who is near may play; the host must say --password auto, or --open",
    Refusal.BANNED: "the host does not let you in",
    Refusal.BAD_PROOF: "the proof of the name does not hold",
    Refusal.NO_CLAIM: "the name cannot be claimed",
    Refusal.SEAT_ELSEWHERE: "another device has your seat now",
}

_GAME_SHIFT = 4
_GAME_HEARTS = 0b01
_GAME_SPADES = 0b00
"""The game that NetSpades itself sends: its clients know no other."""
_RULES_MEANT = 1 << 20
_NEVER_SET = ~0x1FFFFF | 1
"""Without rules, some of which have bits beyond these."""


class Options(Struct, frozen=True, gc=False):
    """The wishes of player 0 for their table (option -2)."""

    computers: frozenset[int] = frozenset()
    """The players of 1-3 who are to be computers."""
    rules: Rules | None = None
    """None for the host's own rules."""
    end_score: int | None = None
    """None for the default."""
    turn_limit: int | None = None
    """Seconds for a choice, or NO_CLOCK_ALONE; None for the server's own."""
    levels: tuple[int, ...] = HOSTS_LEVELS
    """The level of the computer in each seat, which goes into a block of its own (-15)."""

    def encode(self) -> bytes:
        options = _GAME_HEARTS << _GAME_SHIFT | sum(1 << player for player in self.computers)
        if self.rules is not None:
            options |= _RULES_MEANT | self.rules.bits
        return encode_ints(Tag.OPTIONS, options, self.end_score or 0, self.turn_limit or 0)

    @classmethod
    def decode(cls, ints: Sequence[int]) -> Options:
        """Return the options of the three ints behind the tag. Raises RemoteProtocolError."""
        options, end_score, turn_limit = ints
        game = options >> _GAME_SHIFT & 0b11
        meant = RULE_BITS_MASK if options & _RULES_MEANT else 0
        if options & _NEVER_SET & ~meant:
            raise RemoteProtocolError(
                f"options {options:#x}: bit 0 and bits without a rule must be zero"
            )
        if game == _GAME_SPADES:
            raise RemoteProtocolError(
                f"options {options:#x}: bits 4-5 ask for Spades (0), and here Hearts (1) is played"
            )
        if game != _GAME_HEARTS:
            raise RemoteProtocolError(f"options {options:#x}: bits 4-5 name no game of this server")
        if end_score and end_score not in END_SCORES:
            raise RemoteProtocolError(f"an end of game is 0 to 10000, not {end_score}")
        if turn_limit < TURN_LIMITS.start:
            turn_limit = turn_limit if turn_limit == NO_CLOCK_ALONE else 0
        elif turn_limit not in TURN_LIMITS:
            raise RemoteProtocolError(f"a turn limit is at most 3600 s, not {turn_limit}")
        try:
            rules = rules_from_bits(options) if options & _RULES_MEANT else None
        except InvalidRules as error:
            raise RemoteProtocolError(f"options {options:#x}: {error}") from None
        computers = frozenset(player for player in (1, 2, 3) if options >> player & 1)
        return cls(computers, rules, end_score or None, turn_limit or None)


class TableInfo(Struct, frozen=True, gc=False):
    """The Table message: the rules, the limits and the computers of a table."""

    rules: Rules
    end_score: int
    turn_limit: int
    """Seconds for a choice; 0 for no limit."""
    computers: frozenset[int]

    def encode(self) -> bytes:
        computers = sum(1 << player for player in self.computers)
        return encode_ints(
            TABLE_VERSION, self.rules.bits, self.end_score, self.turn_limit, computers
        )

    @classmethod
    def decode(cls, ints: Sequence[int]) -> TableInfo:
        """Return the Table message of its five ints. Raises RemoteProtocolError."""
        version, bits, end_score, turn_limit, computers = ints
        if version != TABLE_VERSION:
            raise RemoteProtocolError(f"a Table message of version {version} is not known")
        if turn_limit < 0 or not 0 <= computers < 16:
            raise RemoteProtocolError("a Table message has numbers without a meaning")
        if end_score not in END_SCORES:
            raise RemoteProtocolError(f"a game does not end at {end_score}")
        rules = _read_rules("the Table message", bits)
        who = frozenset(player for player in range(4) if computers >> player & 1)
        return cls(rules, end_score, turn_limit, who)


class Scores(Struct, frozen=True, gc=False):
    """The scores after a hand, and the next step."""

    scores: Four
    winners: tuple[int, ...] = ()
    """The players who have won; empty while the game goes on."""
    you_decide: bool = False
    """True if the receiver decides about another game."""

    def encode(self) -> bytes:
        flag = sum(4 << player for player in self.winners)
        if self.winners:
            flag |= 1 | self.you_decide << 1
        return encode_ints(*self.scores, flag)

    @classmethod
    def decode(cls, ints: Sequence[int]) -> Scores:
        """Return the message of its five ints. Raises RemoteProtocolError."""
        a, b, c, d, flag = ints
        winners = tuple(player for player in range(4) if flag >> 2 + player & 1)
        if not 0 <= flag < 64 or bool(winners) != bool(flag & 1) or flag & 3 == 2:
            raise RemoteProtocolError(f"scores with a flag of {flag:#x} mean nothing")
        return cls((a, b, c, d), winners, bool(flag & 2))


class ListedTable(Struct, frozen=True, gc=False):
    """One public table in the reply to option -8."""

    name: str
    game_number: int
    """0 while the table is forming."""
    open_seats: int
    players: tuple[str, str, str, str]
    """Names; empty for a seat that nobody has."""

    def encode(self) -> bytes:
        return (
            encode_str(self.name, NAME_LIMIT)
            + encode_ints(self.game_number, self.open_seats)
            + b"".join(encode_str(name, NAME_LIMIT) for name in self.players)
        )


class LookedTable(Struct, frozen=True, gc=False):
    """A table of a name that was asked about, in the reply to option -12."""

    game_number: int
    """0 while the table is forming."""
    private: bool
    open_seats: int
    rules: Rules
    end_score: int
    turn_limit: int
    """Seconds for a choice; 0 for no limit."""
    opener: str
    """The name of the player who may start it; empty where nobody may."""
    players: tuple[str, str, str, str]
    """Names; empty for a seat that nobody has."""

    def encode(self) -> bytes:
        return encode_ints(
            self.game_number,
            self.private,
            self.open_seats,
            self.rules.bits,
            self.end_score,
            self.turn_limit,
        ) + b"".join(encode_str(name, NAME_LIMIT) for name in (self.opener, *self.players))

    @classmethod
    def decode(cls, ints: Sequence[int], texts: Sequence[str]) -> LookedTable:
        """Return the table of its ints, which are within their limits, and names.

        Raises RemoteProtocolError.
        """
        game_number, private, open_seats, bits, end_score, turn_limit = ints
        opener, a, b, c, d = texts
        return cls(
            game_number,
            bool(private),
            open_seats,
            _read_rules("a table that was asked about", bits),
            end_score,
            turn_limit,
            opener,
            (a, b, c, d),
        )


class LookReply(IntEnum):
    """The first int of the reply to option -12."""

    UNKNOWN = 0
    """The server does not tell this client."""
    NO_TABLE = 1
    """There is no table of that name: joining it would open one."""
    TABLE = 2
    """There is one, and it follows."""


def _read_rules(where: str, bits: int) -> Rules:
    try:
        return known_rules(bits)
    except InvalidRules as error:
        raise RemoteProtocolError(f"{where}: {error}") from None


def encode_greeting(texts: Sequence[str]) -> bytes:
    return encode_int(len(texts)) + b"".join(map(encode_str, texts))


def encode_list(tables: Sequence[ListedTable]) -> bytes:
    return encode_int(len(tables)) + b"".join(table.encode() for table in tables)


def decode_name(data: bytes) -> str:
    """Return a player's or table's name out of a string's bytes.

    Raises RemoteProtocolError if it has not 1 to 30 bytes, or is not legible, or blank.
    """
    if not 1 < len(data) <= NAME_LIMIT + 1:
        raise RemoteProtocolError(f"a name has 1 to {NAME_LIMIT} bytes, not {len(data) - 1}")
    name = decode_text(data)
    if not is_visible(name):
        raise RemoteProtocolError("a name is not only spaces")
    if not is_legible(name):
        raise RemoteProtocolError(f"a name has at most {MARKS_LIMIT} combining marks in a row")
    return name
