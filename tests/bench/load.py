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
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from .script import NOT_A_PLAY, AnsweredMessage, SessionScript, load_script

_PLAYS = 52
_INT = struct.Struct(">i")
_NAME = _INT.pack(6) + b"ABCDE\0"
_FOREVER = AnsweredMessage(1 << 62, b"", b"", NOT_A_PLAY, NOT_A_PLAY)
_VARYING = 8
"""Bytes at the begin of a stream that differ from table to table."""
# Of Linux' struct tcp_info: tcpi_segs_out and tcpi_segs_in.
_SEGMENTS = struct.Struct("136x2I")
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
    segments: int
    """TCP segments in both directions; 0 where the system does not tell."""
    own_cpu: float
    """Seconds of CPU of the load itself."""


class _Player:
    __slots__ = ("got", "index", "messages", "seat", "sock", "stream", "table")

    def __init__(
        self, sock: socket.socket, table: _Plays, seat: int, script: SessionScript
    ) -> None:
        self.sock = sock
        self.table = table
        self.seat = seat
        self.stream = script.seats[seat].stream
        self.messages = (*script.seats[seat].messages, _FOREVER)
        self.got = 0
        self.index = 0


class _Plays:
    """The plays of one table that are on their way."""

    __slots__ = ("left", "sent")

    def __init__(self) -> None:
        self.sent = [0.0] * _PLAYS
        self.left = [3] * _PLAYS


class Load:
    """All clients of a run."""

    def __init__(self, script: SessionScript, pause: tuple[float, float] | None) -> None:
        """``pause`` is the least and the longest time before each choice, in seconds."""
        self._script = script
        self._pause = pause
        self._poll = select.epoll()
        self._idle: list[socket.socket] = []
        self._players: dict[int, _Player] = {}
        self._due: list[tuple[float, int, AnsweredMessage]] = []
        self._random = random.Random(1)
        self._latencies: list[float] = []
        self._plays = 0
        self._unfinished = 0

    def connect(self, port: int, tables: int) -> None:
        """Connect and register the clients one after the other, so that four make a table."""
        for _ in range(tables):
            table = _Plays()
            for seat in range(4):
                sock = self._connect(port, seat)
                sock.sendall(_NAME + _INT.pack(1000 + seat))
                self._players[sock.fileno()] = _Player(sock, table, seat, self._script)
        for fd, player in self._players.items():
            player.sock.setblocking(False)
            self._poll.register(fd, select.EPOLLIN)

    def connect_idle(self, port: int, connections: int, *, bare: bool) -> None:
        """Connect clients that wait for players: three to a private table, which stays open.

        A bare program knows no tables; there they are connections that say nothing.
        """
        for number in range(connections):
            sock = self._connect(port, number % 4 if bare else 0)
            self._idle.append(sock)
            if not bare:
                table = b"t%06d\0" % (number // 3)
                sock.sendall(_NAME + _INT.pack(-4) + _INT.pack(len(table)) + table)
                if sock.recv(4) != _INT.pack(number % 3):
                    raise RuntimeError("the server does not open private tables")
                sock.sendall(_INT.pack(1000))

    def _connect(self, port: int, seat: int) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", port), timeout=10)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if sock.recv(4) != _INT.pack(seat):
            raise RuntimeError("the server does not seat clients in order")
        return sock

    def begin(self) -> None:
        """Wait until every client was told what comes before its first choice."""
        begin = [len(said) for said in self._script.begin]
        unready = len(self._players)
        while unready:
            for fd, _ in self._poll.poll():
                player = self._players[fd]
                player.got += len(self._receive(player))
                unready -= player.got == begin[player.seat]

    def play(self, limit: float) -> LoadResult:
        """Play the script at every table, or until ``limit`` seconds are over.

        Without a pause it never sleeps. Else a server pays for waking it with each send as soon as
        it is slower than the load, which nobody does for a peer on another machine.
        """
        segments = self._segments()
        received = self._received()
        cpu = time.process_time()
        begin = time.perf_counter()
        self._unfinished = len(self._players)
        for player in self._players.values():
            self._answer(player, begin)
        end = begin + limit
        now = begin
        while self._unfinished and now < end:
            wait = 0.0
            if self._pause is not None:
                wake = min(self._due[0][0], end) if self._due else end
                wait = max(0.0, wake - time.perf_counter())
            ready = self._poll.poll(wait)
            for fd, _ in ready:
                player = self._players[fd]
                data = self._receive(player)
                now = time.perf_counter()
                got = player.got
                if got >= _VARYING and not player.stream.startswith(data, got):
                    self._check_end(player, data)
                player.got = got + len(data)
                self._answer(player, now)
            now = time.perf_counter()
            while self._due and self._due[0][0] <= now:
                _, fd, message = heapq.heappop(self._due)
                self._choose(self._players[fd], message)
        seconds = time.perf_counter() - begin
        return LoadResult(
            seconds,
            self._plays,
            self._received() - received,
            self._latencies,
            self._segments() - segments,
            time.process_time() - cpu,
        )

    def _receive(self, player: _Player) -> bytes:
        data = player.sock.recv(_RECEIVE_BYTES)
        if not data:
            raise RuntimeError("the server has ended a connection")
        return data

    @staticmethod
    def _check_end(player: _Player, data: bytes) -> None:
        # After the last hand another one is dealt, which is not played.
        rest = player.stream[player.got :]
        if not data.startswith(rest):
            raise RuntimeError(
                f"seat {player.seat} is told {data!r} at {player.got}, not {rest[: len(data)]!r}"
            )

    def _answer(self, player: _Player, now: float) -> None:
        got, messages, table = player.got, player.messages, player.table
        message = messages[player.index]
        if message is _FOREVER:
            # The hand that is dealt after the last one.
            return
        out = b""
        while message.end <= got:
            player.index += 1
            out += message.acks
            heard = message.heard
            if heard >= 0:
                table.left[heard] -= 1
                if not table.left[heard]:
                    table.left[heard] = 3
                    self._latencies.append(now - table.sent[heard])
            if message.choice:
                if self._pause is not None:
                    due = now + self._random.uniform(*self._pause)
                    heapq.heappush(self._due, (due, player.sock.fileno(), message))
                else:
                    if message.played >= 0:
                        table.sent[message.played] = now
                        self._plays += 1
                    out += message.choice
            message = messages[player.index]
        if out:
            player.sock.send(out)
        if message is _FOREVER:
            self._unfinished -= 1

    def _choose(self, player: _Player, message: AnsweredMessage) -> None:
        if message.played >= 0:
            player.table.sent[message.played] = time.perf_counter()
            self._plays += 1
        player.sock.send(message.choice)

    def _received(self) -> int:
        return sum(min(player.got, len(player.stream)) for player in self._players.values())

    def _segments(self) -> int:
        return segments_of(player.sock for player in self._players.values())

    def close(self) -> None:
        """Close every connection."""
        for player in self._players.values():
            player.sock.close()
        for sock in self._idle:
            sock.close()
        self._poll.close()


def segments_of(socks: Iterable[socket.socket]) -> int:
    """The TCP segments of some connections, in both directions."""
    if not hasattr(socket, "TCP_INFO"):
        return 0
    size = _SEGMENTS.size
    infos = (sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, size) for sock in socks)
    return sum(sum(_SEGMENTS.unpack(info)) for info in infos)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("tables", type=int)
    parser.add_argument("--pause", type=float, nargs=2)
    parser.add_argument("--limit", type=float, default=300.0)
    parser.add_argument("--idle", choices=("server", "bare"), help="only connect, 4 to a table")
    options = parser.parse_args()
    load = Load(load_script(options.script), options.pause)
    if options.idle is not None:
        load.connect_idle(options.port, 4 * options.tables, bare=options.idle == "bare")
    else:
        load.connect(options.port, options.tables)
        load.begin()
    print("ready", flush=True)
    if sys.stdin.readline() == "go\n":
        print(json.dumps(asdict(load.play(options.limit))), flush=True)
        sys.stdin.readline()
    load.close()


if __name__ == "__main__":
    main()
