"""The numbers that prove a seat: the Game ID (SocketSpec.md section 9).

The game server and the taunt server share a secret and nothing else; the secret is handed in.
"""

from __future__ import annotations

import hashlib
import hmac

from msgspec import Struct

from .codec import encode_ints

SECRET_BYTES = 32
SERVER_PLAYER = -1
"""The player number under which the game server speaks to a table's chat."""


class SeatCredentials(Struct, frozen=True, gc=False):
    """The numbers that a seat shows to the taunt server, and later to come back."""

    game_number: int
    game_id: int
    player: int
    process_id: int


def issue(secret: bytes, game_number: int, player: int, process_id: int) -> SeatCredentials:
    """Return the credentials of one seat, with the Game ID that the secret gives for it."""
    message = encode_ints(game_number, player, process_id)
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    game_id = int.from_bytes(digest[:4], "big") & 0x7FFFFFFF
    return SeatCredentials(game_number, game_id, player, process_id)


def are_genuine(secret: bytes, shown: SeatCredentials) -> bool:
    """Tell whether the Game ID is the one that the secret gives, compared in constant time."""
    real = issue(secret, shown.game_number, shown.player, shown.process_id)
    return hmac.compare_digest(encode_ints(real.game_id), encode_ints(shown.game_id))


def is_same_secret(given: bytes, right: bytes) -> bool:
    """Tell whether a password is right. The time this takes tells nothing of the right one.

    Both are hashed first, because even a comparison in constant time ends early for another length.
    """
    return hmac.compare_digest(hashlib.sha256(given).digest(), hashlib.sha256(right).digest())
