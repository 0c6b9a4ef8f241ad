"""A made-up version 0.2 plays with this one: its frames are longer, and it has others besides.

SocketSpec 12 and DealerSpec 14.1 say what a later version may add, docs/promises.md that it will.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from hearts.dealer.frames import MessageType
from tests.hosting.desk import DeskLink

from .loopback import DealerPlayer, Loopback

HEAD = struct.Struct(">3i")
MORE = b"\0\0\0\x07\xff\xff\xff\xff"
WHOLE = {MessageType.PING.value, MessageType.PONG.value}
"""All of their payloads is a field."""
UNKNOWN = 7_000


def frames(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Types, numbers and payloads; to each payload that may grow something is added."""
    while data:
        kind, number, length = HEAD.unpack_from(data)
        payload, data = data[HEAD.size : HEAD.size + length], data[HEAD.size + length :]
        yield kind, number, payload if kind in WHOLE else payload + MORE


def frame(kind: int, number: int, payload: bytes) -> bytes:
    return HEAD.pack(kind, number, len(payload)) + payload


class LaterPlayer(DealerPlayer):
    """A client of today whose server is of 0.2, and which is of 0.2 to its server of today."""

    def read(self, link: DeskLink) -> None:
        if self.is_connected and (data := link.take()):
            self.receive(b"".join(map(self._of_later_server, *zip(*frames(data), strict=True))))
        super().read(link)

    @staticmethod
    def _of_later_server(kind: int, sequence: int, payload: bytes) -> bytes:
        # Each frame is followed by one that nobody knows, and which counts.
        return frame(kind, 2 * sequence - 1, payload) + frame(UNKNOWN, 2 * sequence, MORE)

    def sent(self) -> bytes:
        said = b""
        for kind, answered, payload in frames(super().sent()):
            said += frame(UNKNOWN, 0, MORE) + frame(kind, (answered + 1) // 2, payload)
        return said


class LaterLoopback(Loopback):
    player_kind = LaterPlayer


def test_whole_games_are_the_same() -> None:
    told = []
    for kind in (Loopback, LaterLoopback):
        table = kind(end_score=60, seed=3, cuts=(0, 2))
        table.run()
        assert table.is_over
        told.append([(player.scores, player.picture.view()) for player in table.players])
    assert told[0] == told[1]
    assert len(told[0][0][0]) > 2
