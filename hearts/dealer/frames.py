"""Frames, their types, and the buffer that makes them of bytes (DealerSpec.md 14.1 to 14.6)."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import NamedTuple

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import Suit
from hearts.game.events import ChosenBy
from hearts.session.table_words import AbortLater, PlayerKind, Presence


class MessageType(IntEnum):
    """The type of a frame: the P_ numbers of 1993, and ours above 135."""

    ABORT_GAME = 101
    ABORT_HAND = 102
    DO_PASS = 104
    DONE_HAND = 105
    END_GAME = 106
    HEARTS_BROKEN = 107
    LEAD_CARD = 108
    LOSE_CARD = 110
    LOSE_PASS = 111
    NEW_GAME = 113
    NEW_HAND = 114
    NEW_RULES = 116
    PASS_ERROR = 117
    PLAY_CARD = 118
    PLAY_ERROR = 119
    PLAYER_COMMENT = 121
    PLAYER_SHOT_MOON = 122
    QUERY_NEW_RULES = 124
    REGISTER_OPPONENTS = 125
    REGISTER_PLAYER = 126
    TAKE_CARD = 127
    TAKE_PASS = 128
    TAKE_TRICK = 129
    TRICK_DONE = 130
    WAITING = 132
    CARD_PLAYED = 133
    PLAYER_CHANGE = 135
    MOVE_SEAT = 160
    GIVE_SEAT = 161
    SEAT_STAYS = 162
    INVITABLE = 163
    ASK_INVITABLE = 164
    INVITE = 165
    INVITATION = 166
    INVITATION_OVER = 167
    SEND_AWAY = 168
    SET_LEVEL = 169
    ASK_HOST = 170
    MOON_CHOICE = 200
    PLAY_AGAIN = 201
    CUT = 202
    DEAL_COMMITMENT = 203
    DEAL_PROOF = 204
    SERVER_NOTICE = 205
    PING = 206
    PONG = 207
    ANSWER_ERROR = 208
    SEATED = 209
    REFUSED = 210
    REPLAY = 211
    FIRST_LEAD = 212
    MOON_CHOSEN = 213
    AGAIN_DECIDED = 214
    RULES_STAY = 215
    STANDING = 216
    TABLE = 217
    TABLES = 218
    TAKEN = 219
    PROPOSE_RULES = 220
    REPLACE_PLAYER = 221
    OPEN_SEAT = 222
    START_TABLE = 223
    LEAVE_TABLE = 224
    ASK_TABLES = 225
    ASK_TABLE = 226
    CLAIM_REST = 227
    TAKE_BACK = 228
    QUERY_ABORT = 240
    PLAY_GOES_ON = 241
    PROPOSE_ABORT = 242


class DealerState(IntEnum):
    """The state of the dealer: the DS_ numbers of 1993."""

    INIT = 401
    RESET_SCORECARD = 402
    NEW_HAND = 403
    SHUFFLING = 404
    DEALING_ROUND = 405
    PLAYER_1_PASS = 406
    PLAYER_2_PASS = 407
    PLAYER_3_PASS = 408
    PLAYER_4_PASS = 409
    PLAYER_1_PLAY = 410
    PLAYER_2_PLAY = 411
    PLAYER_3_PLAY = 412
    PLAYER_4_PLAY = 413
    SUMMING_TRICK = 414
    SUMMING_HAND = 415
    SUMMING_GAME = 416
    NEW_GAME = 417

    @classmethod
    def passing(cls, player: int) -> DealerState:
        return cls(cls.PLAYER_1_PASS + player)

    @classmethod
    def playing(cls, player: int) -> DealerState:
        return cls(cls.PLAYER_1_PLAY + player)


LATER = {AbortLater.NOTHING: 0, AbortLater.COME_BACK: 1, AbortLater.ANOTHER_GAME: 2}
"""The numbers for what follows a game that is broken off."""
KINDS = {
    PlayerKind.FREE: 0,
    PlayerKind.COMPUTER: 1,
    PlayerKind.PROGRAM: 3,
    PlayerKind.PERSON: 4,
    PlayerKind.NOT_SAID: 5,
}
"""The numbers of the kinds of player; 2 was the person at the dealer's own mouse."""
PRESENCES = {Presence.AWAY: 0, Presence.THERE: 1, Presence.STAND_IN: 2}
BY_NUMBERS = {ChosenBy.PLAYER: 0, ChosenBy.CLOCK: 1, ChosenBy.STAND_IN: 2, ChosenBy.COMPUTER: 3}
"""The numbers for who made a choice."""
TRICK_SUITS = {Suit.SPADES: 1, Suit.DIAMONDS: 2, Suit.CLUBS: 3, Suit.HEARTS: 4}
"""The suit of a trick; 0 before its lead."""


HEADER = struct.Struct(">3i")
"""Type; sequence, or the query that is answered; length of the payload."""
SERVER_PAYLOAD_LIMIT = 4096
"""Bytes of a payload of the server."""
CLIENT_PAYLOAD_LIMIT = 1024
"""Bytes of a payload of a client."""


class Frame(NamedTuple):
    """A frame as it was received."""

    type: int
    number: int
    """The sequence of a server's frame; in a client's frame, that of the frame it answers."""
    payload: bytes


def encode_frame(type: int, number: int, payload: bytes) -> bytes:
    """Return the bytes of a frame. Raises LocalProtocolError if nobody may send such a payload."""
    if len(payload) > SERVER_PAYLOAD_LIMIT:
        raise LocalProtocolError(f"a payload of {len(payload)} bytes is too long")
    return HEADER.pack(type, number, len(payload)) + payload


class FrameBuffer:
    """Bytes that arrived in any pieces, taken out as whole frames."""

    __slots__ = ("_at", "_data", "_limit")

    def __init__(self, limit: int) -> None:
        """``limit`` is that of the payloads of the sender."""
        self._limit = limit
        self._data = b""
        self._at = 0

    def __len__(self) -> int:
        return len(self._data) - self._at

    def feed(self, data: bytes | bytearray) -> None:
        rest = self._data[self._at :]
        self._data = rest + data if rest else bytes(data)
        self._at = 0

    def take_rest(self) -> bytes:
        rest = self._data[self._at :]
        self._data, self._at = b"", 0
        return rest

    def take(self) -> Frame | None:
        """Return the next frame; None while it is not there as a whole.

        Raises RemoteProtocolError for a length outside the limit, as soon as the header is there;
        from then on it always does.
        """
        data = self._data
        begin = self._at + HEADER.size
        if len(data) < begin:
            return None
        type, number, length = HEADER.unpack_from(data, self._at)
        if not 0 <= length <= self._limit:
            raise RemoteProtocolError(f"a payload length of {length} is outside 0..{self._limit}")
        end = begin + length
        if len(data) < end:
            return None
        self._at = end
        return Frame(type, number, data[begin:end])
