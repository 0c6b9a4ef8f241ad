"""The bytes of the taunt protocol: four numbers, a status, a taunt, a delivery.

SocketSpec.md section 9. The layout is NetSpades' of 1999, byte for byte.
"""

from __future__ import annotations

from enum import IntEnum

from hearts.errors import LocalProtocolError
from hearts.wire.codec import TEXT_LIMIT, encode_int, encode_ints, encode_str
from hearts.wire.credentials import SERVER_PLAYER, SeatCredentials

TAUNT_LIMIT = 127
"""Bytes of a taunt that is relayed, without the NUL."""
DISCARD_LIMIT = TEXT_LIMIT
"""Bytes of a taunt that is read and dropped, without the NUL; a longer one ends the connection."""
SPEAKERS = range(SERVER_PLAYER, 4)
"""The players that may be named as taunters: old clients index an array by it, unchecked."""


class Status(IntEnum):
    """The answer to a registration."""

    REGISTERED = 1
    REFUSED = -1


def encode_numbers(credentials: SeatCredentials) -> bytes:
    """Return the four numbers: a whole registration, and the head of every taunt. 16 bytes."""
    return encode_ints(
        credentials.game_number,
        credentials.game_id,
        credentials.player,
        credentials.process_id,
    )


def encode_taunt(credentials: SeatCredentials, text: str) -> bytes:
    """Return a client's taunt.

    Raises LocalProtocolError for a text above TAUNT_LIMIT bytes or with control characters.
    """
    return encode_numbers(credentials) + encode_str(text, TAUNT_LIMIT)


def encode_status(status: Status) -> bytes:
    return encode_int(status)


def encode_delivery(player: int, text: str) -> bytes:
    """Return a taunt as the server hands it out; ``player`` is -1 (the server) or 0-3.

    Raises LocalProtocolError for any other player and for a text that is no taunt.
    """
    if player not in SPEAKERS:
        raise LocalProtocolError(f"player {player} cannot taunt: it is outside -1..3")
    return encode_int(player) + encode_str(text, TAUNT_LIMIT)


def shorten(text: str) -> str:
    """Return the text, cut at a whole character if it is above TAUNT_LIMIT bytes."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= TAUNT_LIMIT else data[:TAUNT_LIMIT].decode("utf-8", "ignore")
