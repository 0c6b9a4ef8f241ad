"""The load in the dealer dialect: tables of four clients, and watchers of the first table.

The clients answer each query with what the script has for it; of all else they read the headers.
"""

from __future__ import annotations

import argparse
import socket
import struct

from .load import INT, Load, LoadPeer, connected, run
from .script import SessionScript

_TWO_INTS = struct.Struct(">2i")
_HEADER = struct.Struct(">3i")
_DO_PASS, _DONE_HAND, _LEAD_CARD, _PLAY_CARD, _SEATED, _REPLAY = 104, 105, 108, 118, 209, 211
_CHOICES = frozenset((_DO_PASS, _LEAD_CARD, _PLAY_CARD))
_SPEAK_DEALER = INT.pack(-6) + INT.pack(1)


class _Watcher(LoadPeer):
    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock)
        self.received = 0
        self.sent = 0
        self.hands = 0
        """The hands that are done."""
        self._rest = b""

    def take(self) -> None:
        arrived = self.receive()
        self.received += len(arrived)
        data, at = self._rest + arrived, 0
        while len(data) - at >= _HEADER.size:
            type, sequence, length = _HEADER.unpack_from(data, at)
            end = at + _HEADER.size + length
            if end > len(data):
                break
            if type == _DONE_HAND:
                self.hands += 1
            self._receive(type, sequence, data[at + _HEADER.size : end])
            at = end
        self._rest = data[at:]

    def _receive(self, type: int, sequence: int, payload: bytes) -> None:
        if type == _REPLAY:
            self.is_ready = payload == INT.pack(0)


class _DealerPlayer(_Watcher):
    def __init__(self, sock: socket.socket, answers: tuple[bytes, ...]) -> None:
        super().__init__(sock)
        self._answers = iter(answers)
        self._query: tuple[int, int] | None = None
        self.game_number = 0

    def _receive(self, type: int, sequence: int, payload: bytes) -> None:
        if type in _CHOICES:
            self._query = type, sequence
            self.is_ready = True
        elif type == _SEATED:
            _, self.game_number = _TWO_INTS.unpack_from(payload)

    def answer(self) -> bool:
        """Answer the query that is open; whether a card was played."""
        if self._query is None:
            return False
        type, sequence = self._query
        self._query = None
        answer = next(self._answers, None)
        if answer is None:
            # The hand that is dealt after the last one.
            return False
        self.sent += self.sock.send(_HEADER.pack(type, sequence, len(answer)) + answer)
        return type != _DO_PASS


class DealerLoad(Load[_Watcher]):
    """All clients and watchers of a run."""

    def connect(self, port: int, tables: int) -> None:
        """Connect the clients one after the other, so that four make a table."""
        for number in range(4 * tables):
            seat = number % 4
            sock = _registered(port, seat, INT.pack(1000 + seat), 1)
            self.add(_DealerPlayer(sock, self.script.seats[seat].answers))
        self.begin()

    def watch(self, port: int, watchers: int) -> None:
        """Connect watchers of the first table."""
        player = next(iter(self.peers.values()))
        assert isinstance(player, _DealerPlayer)
        watch = INT.pack(-9) + INT.pack(player.game_number)
        for _ in range(watchers):
            self.add(_Watcher(_registered(port, 0, watch + INT.pack(0), 2)))
        self.begin()

    def start(self, peer: _Watcher, now: float) -> None:
        if isinstance(peer, _DealerPlayer):
            self.plays += peer.answer()

    def take(self, peer: _Watcher) -> None:
        before, hands = peer.hands, self.script.hands
        peer.take()
        self.unfinished -= before < hands <= peer.hands
        self.start(peer, 0.0)

    def received(self) -> int:
        return sum(peer.received + peer.sent for peer in self.peers.values())


def _registered(port: int, player: int, rest: bytes, replies: int) -> socket.socket:
    """Say everything at once, and read the replies before the frames."""
    sock = connected(port, player, _SPEAK_DEALER + rest)
    for _ in range(replies):
        if sock.recv(4) != INT.pack(1):
            raise RuntimeError("the server does not speak the dealer dialect")
    return sock


def _begun(script: SessionScript, options: argparse.Namespace) -> DealerLoad:
    load = DealerLoad(script)
    load.connect(options.port, options.tables)
    load.watch(options.port, options.watchers)
    return load


if __name__ == "__main__":
    run(_begun)
