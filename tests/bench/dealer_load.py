"""The load in the dealer dialect: tables of four clients, and watchers of the first table.

The clients answer each query with what the script has for it; of all else they read the headers.
It talks with the benchmark as :mod:`tests.bench.load` does.
"""

from __future__ import annotations

import argparse
import json
import select
import socket
import struct
import sys
import time
from dataclasses import asdict
from pathlib import Path

from .load import LoadResult, segments_of
from .script import SessionScript, load_script

_INT = struct.Struct(">i")
_TWO_INTS = struct.Struct(">2i")
_HEADER = struct.Struct(">3i")
_DO_PASS, _DONE_HAND, _LEAD_CARD, _PLAY_CARD, _SEATED, _REPLAY = 104, 105, 108, 118, 209, 211
_CHOICES = frozenset((_DO_PASS, _LEAD_CARD, _PLAY_CARD))
_NAME = _INT.pack(6) + b"ABCDE\0"
_SPEAK_DEALER = _INT.pack(-6) + _INT.pack(1)
_RECEIVE_BYTES = 65536


class _Peer:
    """A connection that has registered."""

    __slots__ = ("_rest", "hands", "ready", "received", "sent", "sock")

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.received = 0
        self.sent = 0
        self.hands = 0
        """The hands that are done."""
        self.ready = False
        """Whether it has come to where the run begins."""
        self._rest = b""

    def take(self) -> None:
        """Read what has arrived."""
        arrived = self.sock.recv(_RECEIVE_BYTES)
        if not arrived:
            raise RuntimeError("the server has ended a connection")
        self.received += len(arrived)
        data, at = self._rest + arrived, 0
        while len(data) - at >= _HEADER.size:
            type, sequence, length = _HEADER.unpack_from(data, at)
            end = at + _HEADER.size + length
            if end > len(data):
                break
            if type == _DONE_HAND:
                self.hands += 1
            self._hear(type, sequence, data[at + _HEADER.size : end])
            at = end
        self._rest = data[at:]

    def _hear(self, type: int, sequence: int, payload: bytes) -> None:
        raise NotImplementedError


class _Watcher(_Peer):
    __slots__ = ()

    def _hear(self, type: int, sequence: int, payload: bytes) -> None:
        if type == _REPLAY:
            self.ready = payload == _INT.pack(0)


class _Player(_Peer):
    __slots__ = ("_answers", "_query", "game_number")

    def __init__(self, sock: socket.socket, answers: tuple[bytes, ...]) -> None:
        super().__init__(sock)
        self._answers = iter(answers)
        self._query: tuple[int, int] | None = None
        self.game_number = 0

    def _hear(self, type: int, sequence: int, payload: bytes) -> None:
        if type in _CHOICES:
            self._query = type, sequence
            self.ready = True
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


class DealerLoad:
    """All clients and watchers of a run."""

    def __init__(self, script: SessionScript) -> None:
        self._script = script
        self._poll = select.epoll()
        self._players: dict[int, _Player] = {}
        self._peers: dict[int, _Peer] = {}

    def connect(self, port: int, tables: int) -> None:
        """Connect the clients one after the other, so that four make a table."""
        for number in range(4 * tables):
            seat = number % 4
            sock = _register(port, seat, _SPEAK_DEALER + _INT.pack(1000 + seat), 1)
            player = _Player(sock, self._script.seats[seat].answers)
            self._players[sock.fileno()] = player
            self._add(player)
        self._begin()

    def watch(self, port: int, watchers: int) -> None:
        """Connect watchers of the first table."""
        game_number = next(iter(self._players.values())).game_number
        watch = _INT.pack(-9) + _INT.pack(game_number)
        for _ in range(watchers):
            self._add(_Watcher(_register(port, 0, _SPEAK_DEALER + watch + _INT.pack(0), 2)))
        self._begin()

    def _add(self, peer: _Peer) -> None:
        peer.sock.setblocking(False)
        self._peers[peer.sock.fileno()] = peer
        self._poll.register(peer.sock.fileno(), select.EPOLLIN)

    def _begin(self) -> None:
        while not all(peer.ready for peer in self._peers.values()):
            for fd, _ in self._poll.poll():
                self._peers[fd].take()

    def play(self, limit: float) -> LoadResult:
        """Play the script at every table, or until ``limit`` seconds are over; it never sleeps, as
        the load of the plain dialect."""
        segments, received = self._segments(), self._received()
        cpu = time.process_time()
        begin = time.perf_counter()
        plays = 0
        for player in self._players.values():
            player.answer()
        unfinished = len(self._peers)
        hands = self._script.hands
        while unfinished and time.perf_counter() - begin < limit:
            for fd, _ in self._poll.poll(0.0):
                peer = self._peers[fd]
                before = peer.hands
                peer.take()
                unfinished -= before < hands <= peer.hands
                if isinstance(peer, _Player):
                    plays += peer.answer()
        return LoadResult(
            time.perf_counter() - begin,
            plays,
            self._received() - received,
            [],
            self._segments() - segments,
            time.process_time() - cpu,
        )

    def _received(self) -> int:
        return sum(peer.received + peer.sent for peer in self._peers.values())

    def _segments(self) -> int:
        return segments_of(peer.sock for peer in self._peers.values())

    def close(self) -> None:
        """Close every connection."""
        for peer in self._peers.values():
            peer.sock.close()
        self._poll.close()


def _register(port: int, player: int, rest: bytes, replies: int) -> socket.socket:
    """Say everything at once, and read the replies before the frames."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=10)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if sock.recv(4) != _INT.pack(player):
        raise RuntimeError("the server does not seat clients in order")
    sock.sendall(_NAME + rest)
    for _ in range(replies):
        if sock.recv(4) != _INT.pack(1):
            raise RuntimeError("the server does not speak the dealer dialect")
    return sock


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("tables", type=int)
    parser.add_argument("--watchers", type=int, default=0)
    parser.add_argument("--limit", type=float, default=300.0)
    options = parser.parse_args()
    load = DealerLoad(load_script(options.script))
    load.connect(options.port, options.tables)
    load.watch(options.port, options.watchers)
    print("ready", flush=True)
    if sys.stdin.readline() == "go\n":
        print(json.dumps(asdict(load.play(options.limit))), flush=True)
        sys.stdin.readline()
    load.close()


if __name__ == "__main__":
    main()
