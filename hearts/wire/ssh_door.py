"""The words between a game server and its door by ssh: a line of JSON each way.

The door connects with a PROXY header that names nobody, hears the server's line, and says its own
once it listens. For each visitor it connects again, with their address in the header.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from msgspec import Meta, Struct
from msgspec.json import encode

from hearts.errors import RemoteProtocolError
from hearts.wire.json_values import InvalidJson, from_json

LONGEST_LINE = 300
"""Bytes of a line, its end included."""
CHAT = "-chat"
"""The ending of the path of the second socket, behind which the chat is."""


class DoorSecret(Struct, frozen=True, gc=False):
    """The line of the server."""

    secret: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    """32 bytes that only this server and its standby give."""
    has_chat: bool


class DoorOpened(Struct, frozen=True, gc=False):
    """The line of a door that listens."""

    port: Annotated[int, Meta(ge=1, le=65535)]
    fingerprint: Annotated[str, Meta(pattern=r"\ASHA256:[A-Za-z0-9+/]{43}\Z")]


LineT = TypeVar("LineT", DoorSecret, DoorOpened)


def door_line(said: DoorSecret | DoorOpened) -> bytes:
    return encode(said) + b"\n"


def read_door_line(line: bytes, kind: type[LineT]) -> LineT:
    """Return what a line says. Raises RemoteProtocolError."""
    if not line.endswith(b"\n") or len(line) > LONGEST_LINE:
        raise RemoteProtocolError("no line of a door")
    try:
        return from_json(line.decode("ascii", "replace"), kind)
    except InvalidJson as error:
        raise RemoteProtocolError(f"a line of a door: {error}") from None
