"""The load: tables of four clients that follow a script, all in one process, and know no rules.

It talks with the benchmark over its standard input and output: it says ``ready`` when every table
has begun, waits for ``go``, plays, says its results as one line of JSON, and leaves at the end of
its input. Run by :mod:`tests.bench.processes`.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import select
import socket
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from .script import NOT_A_PLAY, AnsweredMessage, SessionScript, load_script

_PLAYS = 52
INT = struct.Struct(">i")
_NAME = INT.pack(6) + b"ABCDE\0"
_FOREVER = AnsweredMessage(1 << 62, b"", b"", NOT_A_PLAY, NOT_A_PLAY)
_VARYING = 8
"""Bytes at the begin of a stream that differ from table to table."""
_RECEIVE_BYTES = 65536


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What one run of the load came to."""

    seconds: float
    """From ``go`` to the end of the last table."""
    plays: int
    received: int
    """Bytes of the script that the clients got after ``go``."""
    latencies: list[float]
    """Seconds of each play from its sending until the last of the other three had it."""
    own_cpu: float
    """Seconds of CPU of the load itself."""


class LoadPeer:
    """A connection that has registered."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.is_ready = False
        """True if it has come to where the run begins."""

    def receive(self) -> bytes:
        """The bytes that have arrived."""
        data = self.sock.recv(_RECEIVE_BYTES)
        if not data:
            raise RuntimeError("the server has ended a connection")
        return data

    def take(self) -> None:
        """Read what has arrived before the run begins."""
        raise NotImplementedError


PeerT = TypeVar("PeerT", bound=LoadPeer)


class Load(Generic[PeerT]):
    """All clients of a run."""

    def __init__(self, script: SessionScript) -> None:
        self.script = script
        self.peers: dict[int, PeerT] = {}
        self.plays = 0
        self.unfinished = 0
        self.latencies: list[float] = []
        self._poll = select.epoll()

    def add(self, peer: PeerT) -> None:
        peer.sock.setblocking(False)
        self.peers[peer.sock.fileno()] = peer
        self._poll.register(peer.sock.fileno(), select.EPOLLIN)

    def begin(self) -> None:
        """Wait until every client was told what comes before its first choice."""
        while not all(peer.is_ready for peer in self.peers.values()):
            for fd, _ in self._poll.poll():
                self.peers[fd].take()

    def start(self, peer: PeerT, now: float) -> None:
        """Say what a peer says when the run begins."""
        raise NotImplementedError

    def take(self, peer: PeerT) -> None:
        """Read what has arrived, and answer it."""
        raise NotImplementedError

    def wait(self, end: float) -> float:
        """Seconds until something is to be said, or the run is over."""
        return 0.0

    def say_due(self, now: float) -> None:
        """Say what is due by now."""

    def received(self) -> int:
        raise NotImplementedError

    def play(self, limit: float) -> LoadResult:
        """Play the script at every table, or until ``limit`` seconds are over.

        Without a pause it never sleeps, unless it is told to. Else a server pays for waking it with
        each send as soon as it is slower than the load, which nobody does for a peer on another
        machine.
        """
        received = self.received()
        cpu = time.process_time()
        begin = now = time.perf_counter()
        self.unfinished = len(self.peers)
        for peer in self.peers.values():
            self.start(peer, begin)
        while self.unfinished and now < begin + limit:
            for fd, _ in self._poll.poll(self.wait(begin + limit)):
                self.take(self.peers[fd])
            now = time.perf_counter()
            self.say_due(now)
        return LoadResult(
            time.perf_counter() - begin,
            self.plays,
            self.received() - received,
            self.latencies,
            time.process_time() - cpu,
        )

    def close(self) -> None:
        """Close every connection."""
        for peer in self.peers.values():
            peer.sock.close()
        self._poll.close()


class _Plays:
    """The plays of one table that are on their way."""

    def __init__(self) -> None:
        self.sent = [0.0] * _PLAYS
        self.left = [3] * _PLAYS


class _Player(LoadPeer):
    def __init__(
        self, sock: socket.socket, table: _Plays, seat: int, script: SessionScript
    ) -> None:
        super().__init__(sock)
        self.table = table
        self.seat = seat
        self.stream = script.seats[seat].stream
        self.messages = (*script.seats[seat].messages, _FOREVER)
        self._unbegun = len(script.begin[seat])
        self.got = 0
        self.index = 0

    def take(self) -> None:
        self.got += len(self.receive())
        self.is_ready = self.got == self._unbegun


class PlainLoad(Load[_Player]):
    """The load in the plain dialect."""

    def __init__(
        self, script: SessionScript, pause: tuple[float, float] | None, *, sleeps: bool = False
    ) -> None:
        """``pause`` is the least and the longest time before each choice, in seconds."""
        super().__init__(script)
        self._pause = pause
        self._sleeps = sleeps
        self._due: list[tuple[float, int, AnsweredMessage]] = []
        self._random = random.Random(1)

    def connect(self, port: int, tables: int) -> None:
        """Connect and register the clients one after the other, so that four make a table."""
        for _ in range(tables):
            table = _Plays()
            for seat in range(4):
                sock = connected(port, seat, INT.pack(1000 + seat))
                self.add(_Player(sock, table, seat, self.script))
        self.begin()

    def wait(self, end: float) -> float:
        if self._pause is None and not self._sleeps:
            return 0.0
        wake = min(self._due[0][0], end) if self._due else end
        return max(0.0, wake - time.perf_counter())

    def say_due(self, now: float) -> None:
        while self._due and self._due[0][0] <= now:
            _, fd, message = heapq.heappop(self._due)
            player = self.peers[fd]
            if message.played >= 0:
                player.table.sent[message.played] = time.perf_counter()
                self.plays += 1
            player.sock.send(message.choice)

    def take(self, peer: _Player) -> None:
        data, got = peer.receive(), peer.got
        now = time.perf_counter()
        if got >= _VARYING and not peer.stream.startswith(data, got):
            self._check_end(peer, data)
        peer.got = got + len(data)
        self.start(peer, now)

    @staticmethod
    def _check_end(player: _Player, data: bytes) -> None:
        # After the last hand another one is dealt, which is not played.
        rest = player.stream[player.got :]
        if not data.startswith(rest):
            raise RuntimeError(
                f"seat {player.seat} is told {data!r} at {player.got}, not {rest[: len(data)]!r}"
            )

    def start(self, peer: _Player, now: float) -> None:
        got, messages, table = peer.got, peer.messages, peer.table
        message = messages[peer.index]
        if message is _FOREVER:
            # The hand that is dealt after the last one.
            return
        out = b""
        while message.end <= got:
            peer.index += 1
            out += message.acks
            heard = message.heard
            if heard >= 0:
                table.left[heard] -= 1
                if not table.left[heard]:
                    table.left[heard] = 3
                    self.latencies.append(now - table.sent[heard])
            if message.choice:
                if self._pause is not None:
                    due = now + self._random.uniform(*self._pause)
                    heapq.heappush(self._due, (due, peer.sock.fileno(), message))
                else:
                    if message.played >= 0:
                        table.sent[message.played] = now
                        self.plays += 1
                    out += message.choice
            message = messages[peer.index]
        if out:
            peer.sock.send(out)
        if message is _FOREVER:
            self.unfinished -= 1

    def received(self) -> int:
        return sum(min(player.got, len(player.stream)) for player in self.peers.values())


def connected(port: int, seat: int, said: bytes) -> socket.socket:
    """Connect as the next player, and say a name and more."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=10)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if sock.recv(4) != INT.pack(seat):
        raise RuntimeError("the server does not seat clients in order")
    sock.sendall(_NAME + said)
    return sock


def run(begun: Callable[[SessionScript, argparse.Namespace], Load[Any]]) -> None:
    """Run a load as the benchmark says; ``begun`` gives one whose tables have begun."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("tables", type=int)
    parser.add_argument("--pause", type=float, nargs=2)
    parser.add_argument("--sleeps", action="store_true", help="without a pause as well")
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--watchers", type=int, default=0, help="of the dealer dialect")
    options = parser.parse_args()
    load = begun(load_script(options.script), options)
    print("ready", flush=True)
    if sys.stdin.readline() == "go\n":
        print(json.dumps(asdict(load.play(options.limit))), flush=True)
        sys.stdin.readline()
    load.close()


def _begun(script: SessionScript, options: argparse.Namespace) -> PlainLoad:
    load = PlainLoad(script, options.pause, sleeps=options.sleeps)
    load.connect(options.port, options.tables)
    return load


if __name__ == "__main__":
    run(_begun)
