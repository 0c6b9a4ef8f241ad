"""What a page and the server said to each other, judged by the independent client and referee.

The independent client takes the place of the page: it is given what the page received, and its
choices are those that the page sent. It checks each message, and keeps the facts for the referee.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence

from playwright.sync_api import WebSocket

from tests.independent.dealer import DealerSettings, PlayerConnection
from tests.independent.dealer_frames import CUT, LAYOUTS, PONG, REGISTER_PLAYER, ServerFrame, ints
from tests.independent.dealer_proof import Values
from tests.independent.plain_client import Closed, Fact, Read

_PERSON = 4
_REPLIES = 4
"""Ints that come before the frames where a table was joined by its name."""
_VALUE = 32
_Frame = tuple[int, int, bytes]


class Overheard:
    """The bytes of one WebSocket, without their framing."""

    def __init__(self, socket: WebSocket) -> None:
        self.path = socket.url.rpartition("/")[2]
        self.sent = b""
        self.received = b""
        socket.on("framesent", self._receive_from_page)
        socket.on("framereceived", self._receive_from_server)

    def _receive_from_page(self, payload: bytes | str) -> None:
        assert isinstance(payload, bytes)
        self.sent += payload

    def _receive_from_server(self, payload: bytes | str) -> None:
        assert isinstance(payload, bytes)
        self.received += payload

    @property
    def has_frames(self) -> bool:
        return len(self.received) > 12 * _REPLIES

    def facts(self, name: str, table: str) -> list[Fact]:
        """What the player of the page saw and chose, from the first to the last message.

        ``table`` is the name of the table that was joined. Raises Nonsense where the server said
        what it may not say to them.
        """
        # The page has asked for levels, too (block -15).
        replies, frames = self.received[: 4 * _REPLIES], self.received[4 * _REPLIES + 4 :]
        sent = list(_frames(_behind_registration(self.sent)))
        answers = {asked: payload for _, asked, payload in sent}
        told, chosen, number = replies, {}, 0
        for kind, sequence, payload in _frames(frames):
            # The independent client does not ask about tables, and sends no such pings.
            if kind not in LAYOUTS or kind == PONG:
                continue
            number += 1
            chosen[number] = answers.get(sequence)
            told += struct.pack(">3i", kind, number, len(payload)) + payload
        settings = DealerSettings(name=name, table=table, kind=_PERSON, cuts=True)
        page = _Page(settings, chosen, _ValuesSaid(sent))
        _give(page, told)
        return page.facts


class _ValuesSaid(Values):
    """The values that the page has shown, in the order in which it has said their hashes."""

    def __init__(self, sent: Sequence[_Frame]) -> None:
        super().__init__(b"")
        shown = [payload[:_VALUE] for kind, _, payload in sent if kind == CUT]
        self._shown = {hashlib.sha256(value).digest(): value for value in shown}
        said = (payload[-_VALUE:] for kind, _, payload in sent if kind in (REGISTER_PLAYER, CUT))
        self._hashes = list(dict.fromkeys(said))

    def value(self, number: int) -> bytes:
        return self._shown[self.hash(number)]

    def hash(self, number: int) -> bytes:
        return self._hashes[number]


class _Page(PlayerConnection):
    """A player whose choices and values are known."""

    def __init__(
        self, settings: DealerSettings, chosen: dict[int, bytes | None], values: Values
    ) -> None:
        super().__init__(settings)
        self._chosen = chosen
        self.values = values

    def _right_choice(self, query: ServerFrame) -> bytes:
        return self._chosen[query.sequence] or ints(0)


def _give(page: PlayerConnection, told: bytes) -> None:
    talk = page.talk()
    request = next(talk)
    while True:
        try:
            if not isinstance(request, Read):
                request = talk.send(b"")
            elif request.count <= len(told):
                data, told = told[: request.count], told[request.count :]
                request = talk.send(data)
            else:
                request = talk.throw(Closed())
        except StopIteration:
            return


def _frames(data: bytes) -> Iterator[_Frame]:
    """Type, sequence or what it replies to, and payload of each frame that is whole."""
    at = 0
    while at + 12 <= len(data):
        kind, number, size = struct.unpack_from(">3i", data, at)
        at += 12 + size
        if at <= len(data):
            yield kind, number, data[at - size : at]


def _behind_registration(sent: bytes) -> bytes:
    """The frames of a page that has joined a table by its name."""
    at = _behind_str(sent, 0)
    assert sent[at : at + 20] == ints(-10, 0, -6, 1, -4)
    at = _behind_str(sent, at + 20)
    (block,) = struct.unpack_from(">i", sent, at)
    at += 16 if block == -2 else 0
    assert sent[at : at + 8] == ints(-15, 0)
    return sent[at + 12 :]


def _behind_str(data: bytes, at: int) -> int:
    (length,) = struct.unpack_from(">i", data, at)
    return int(at + 4 + length)
