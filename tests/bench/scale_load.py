"""The load of the part ``scale``: many tables at a human pace, whose people come and go.

They follow a script. It says ``ready`` when all tables have begun, and then reads commands from
standard input and answers each with a line of JSON, while they play on: ``go SECONDS`` measures;
``drop`` says that the server was killed, and ``back PORT`` has all come back at once. It leaves at
the end of its input. Run by :mod:`tests.bench.scale`.
"""

from __future__ import annotations

import argparse
import errno
import gc
import heapq
import json
import os
import random
import resource
import select
import socket
import struct
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from .load import INT
from .report import percentile
from .scale_people import HandPlaces, JoinStage, Pinger, ScaleSeat, ScaleTable
from .script import SessionScript, load_script

_PER_NETWORK = 40
"""People of one /24."""
_NETWORKS = 5000
"""Networks of one process."""
_JOINING = 64
"""People who register at the same time; more of them only wait for each other."""
_TOO_EARLY = frozenset((-1, -2, -4, -106))
"""Refusals after which one tries again."""
_REST = 1.0
"""Seconds until then."""
_AWAY = (1.0, 3.0)
"""Seconds until who has left comes back."""
_FILLING_PAUSE = (20.0, 40.0)
"""Seconds that each thinks until all are there, so that it does not take long."""
_TELLS = 5.0
"""Seconds between two words of how many are there."""
_EVENTS = 64
"""Sockets that are read before the clock is looked at again."""
_BIND_ADDRESS_NO_PORT = 24
"""An option that Python has no name for: many connections may have one port."""
_TWO_INTS = struct.Struct(">2i")
_Act = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class ScaleResult:
    """The times and counts of the people of one process."""

    seconds: float
    latencies: list[float]
    """Seconds of each play, if they are timed."""
    pings: list[float]
    """Seconds of each ping, likewise."""
    lag: float
    """Seconds that 99 of 100 choices were not later than they were due."""
    own_cpu: float
    counts: dict[str, int]
    """Plays, tables that came and were left, people who returned or had the seat back; tries,
    and what should be 0: ended, strayed, ran out, refused."""


class ScaleLoad:
    """All people of one process."""

    def __init__(self, options: argparse.Namespace, script: SessionScript) -> None:
        self._port: int = options.port
        self._own_pause: tuple[float, float] = tuple(options.pause)
        self._pause = _FILLING_PAUSE
        self._times: bool = options.times
        self._churn: float = options.churn
        self._people = 4 - script.computers
        self._places = [HandPlaces(seat) for seat in script.seats[: self._people]]
        self._random = random.Random(options.part)
        self._process_ids = count(1_000_000 * options.part)
        self._addresses = count()
        self._networks = -(-options.tables * self._people // _PER_NETWORK)
        self._first_network = 250 + _NETWORKS * options.part
        self._poll = select.epoll()
        self._readers: dict[int, ScaleSeat | _Act] = {}
        """By descriptor: a seat, or what reads something else."""
        self._tables: list[ScaleTable] = []
        """Those that play."""
        self._to_join: deque[ScaleSeat] = deque()
        self._joining = 0
        self._due: list[tuple[float, int, ScaleSeat | _Act]] = []
        self._timers = count(1)
        self._measuring = False
        self._reset()
        self._wanted: int = options.tables
        for _ in range(self._wanted):
            self._open_table()

    def _reset(self) -> None:
        self._counts: Counter[str] = Counter()
        self._latencies: list[float] = []
        self._pings: list[float] = []
        self._lags: list[float] = []

    # Joining and coming back

    def _open_table(self) -> None:
        table = ScaleTable(b"t%d\0" % next(self._process_ids))
        for _ in range(self._people):
            seat = ScaleSeat(table, self._address(), next(self._process_ids))
            table.seats.append(seat)
            self._to_join.append(seat)

    def _address(self) -> str:
        """The next one. Those of one network do not follow each other, for it would wait."""
        at = next(self._addresses)
        host, network = divmod(at, self._networks)
        if host >= _PER_NETWORK:
            network, host = divmod(at, _PER_NETWORK)
        network += self._first_network
        return f"127.{network // 250}.{network % 250}.{host + 1}"

    def _connect(self, seat: ScaleSeat) -> None:
        self._counts["tries"] += 1
        seat.sock = sock = socket.socket()
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.IPPROTO_IP, _BIND_ADDRESS_NO_PORT, 1)
        sock.bind((seat.address, 0))
        seat.stage, seat.unread = JoinStage.CONNECTING, b""
        self._readers[sock.fileno()] = seat
        error = sock.connect_ex(("127.0.0.1", self._port))
        if error not in (0, errno.EINPROGRESS):
            raise OSError(error, os.strerror(error))
        self._poll.register(sock.fileno(), select.EPOLLIN)

    def _close(self, seat: ScaleSeat) -> None:
        if seat.sock is not None:
            del self._readers[seat.sock.fileno()]
            self._joining -= not seat.returns
        seat.close()

    def _try_again(self, seat: ScaleSeat, seconds: float) -> None:
        def connect(now: float) -> None:
            if seat.returns and not seat.table.is_left:
                self._connect(seat)
            elif not seat.returns:
                self._to_join.append(seat)

        self._at(time.perf_counter() + seconds, connect)

    def _register(self, seat: ScaleSeat, data: bytes) -> None:
        seat.unread += data
        while len(seat.unread) >= 4 and seat.stage is not JoinStage.NUMBERS:
            (reply,) = INT.unpack_from(seat.unread)
            seat.unread = seat.unread[4:]
            if reply < 0:
                self._refuse(seat, reply)
                return
            if seat.stage is JoinStage.CONNECTING:
                self._send(seat, seat.registration(alone=self._people == 1))
                seat.stage = JoinStage.REGISTERING
            else:
                seat.place(reply, self._places)
                seat.stage = JoinStage.NUMBERS
                self._counts["back"] += seat.returns
        if len(seat.unread) < 8:
            return
        seat.numbers = _TWO_INTS.unpack_from(seat.unread)
        if seat.numbers[0] < 0:
            self._refuse(seat, seat.numbers[0])
            return
        seat.stage = JoinStage.PLAYING
        if seat.returns:
            self._counts["returned"] += 1
        else:
            seat.returns = True
            self._joining -= 1
            if all(each.stage is JoinStage.PLAYING for each in seat.table.seats):
                self._tables.append(seat.table)
                self._counts["came"] += 1
        data, seat.unread = seat.unread, b""
        self._take(seat, data, time.perf_counter())

    def _refuse(self, seat: ScaleSeat, code: int) -> None:
        self._close(seat)
        if code in _TOO_EARLY:
            self._try_again(seat, _REST)
        else:
            self._counts["refused"] += 1
            self._counts[f"refused with {code}"] += 1

    # Playing

    def _take(self, seat: ScaleSeat, data: bytes, now: float) -> None:
        got = seat.got
        if got >= seat.checked_from and not seat.places.stream.startswith(data, got):
            rest = seat.places.stream[got:]
            # After the last hand another one is dealt, which is not played.
            if not data.startswith(rest):
                print(f"told {data!r} at {got}, not {rest[: len(data)]!r}", file=sys.stderr)
                self._counts["strayed"] += 1
                self._replace(seat.table)
                return
        seat.got = got = got + len(data)
        if seat.sent:
            self._latencies.append(now - seat.sent)
            seat.sent = 0.0
        message = seat.messages[seat.index]
        out = b""
        while message.end <= got:
            seat.index += 1
            out += message.acks
            if message.heard >= 0 and self._times:
                self._hear(seat.table, message.heard, now)
            if message.choice:
                if seat.decided:
                    seat.decided -= 1
                    out += message.choice
                else:
                    seat.turn = self._at(now + self._random.uniform(*self._pause), seat)
            message = seat.messages[seat.index]
            self._counts["ran out"] += message is HandPlaces.END
        if out:
            self._send(seat, out)

    def _hear(self, table: ScaleTable, heard: int, now: float) -> None:
        """Somebody has heard of a play; the last of three people ends its time."""
        if self._people == 1:
            return
        table.left[heard] -= 1
        if not table.left[heard]:
            table.left[heard] = 3
            self._latencies.append(now - table.sent[heard])

    def _choose(self, seat: ScaleSeat) -> None:
        message = seat.messages[seat.index - 1]
        seat.turn = 0
        self._counts["plays"] += 1
        if self._times:
            now = time.perf_counter()
            if self._people == 1:
                seat.sent = now
            elif message.played >= 0:
                seat.table.sent[message.played] = now
        self._send(seat, message.choice)

    def _send(self, seat: ScaleSeat, data: bytes) -> None:
        assert seat.sock is not None
        try:
            seat.sock.send(data)
        except (ConnectionResetError, BrokenPipeError):
            self._lose(seat)

    def _read(self, seat: ScaleSeat, now: float) -> None:
        assert seat.sock is not None
        try:
            data = seat.sock.recv(4096)
        except OSError:
            data = b""
        if not data:
            self._lose(seat)
        elif seat.stage is JoinStage.PLAYING:
            self._take(seat, data, now)
        else:
            self._register(seat, data)

    def _lose(self, seat: ScaleSeat) -> None:
        """The server has ended a connection, or has not let it in."""
        if seat.stage is JoinStage.PLAYING:
            self._counts["ended"] += 1
            self._close(seat)
        else:
            self._close(seat)
            self._try_again(seat, _REST)

    # Leaving

    def _leave(self, now: float) -> None:
        """Somebody leaves, who comes back, or all of a table, in whose place others come."""
        if not self._measuring:
            return
        self._at(now + 1 / self._churn, self._leave)
        table = self._random.choice(self._tables)
        seat = self._random.choice(table.seats)
        if self._random.random() < 0.5:
            self._counts["left"] += 1
            self._replace(table)
        elif seat.stage is JoinStage.PLAYING:
            self._close(seat)
            self._try_again(seat, self._random.uniform(*_AWAY))

    def _replace(self, table: ScaleTable) -> None:
        if table in self._tables:
            self._tables.remove(table)
        table.is_left = True
        for seat in table.seats:
            self._close(seat)
        self._open_table()

    # Running

    def _at(self, due: float, act: ScaleSeat | _Act) -> int:
        timer = next(self._timers)
        heapq.heappush(self._due, (due, timer, act))
        return timer

    def _step(self, end: float) -> None:
        """Do what is to be done next, and wait for it until ``end`` at most."""
        while self._to_join and self._joining < _JOINING:
            self._joining += 1
            self._connect(self._to_join.popleft())
        due = self._due[0][0] if self._due else end
        wait = max(0.0, min(due, end) - time.perf_counter())
        # It waits for whole milliseconds, and at least as long as it is told.
        limit = wait if self._times else max(0.0, int(wait * 1e3) / 1e3 - 1e-4)
        events = self._poll.poll(limit, _EVENTS)
        now = time.perf_counter()
        if not events and not self._times and 0.0 < (left := min(due, end) - now) < 1e-3:
            time.sleep(left)
        for fd, _ in events:
            reader = self._readers.get(fd)
            if isinstance(reader, ScaleSeat):
                self._read(reader, now)
            elif reader is not None:
                reader(now)
        while self._due and self._due[0][0] <= (now := time.perf_counter()):
            due, timer, act = heapq.heappop(self._due)
            if not isinstance(act, ScaleSeat):
                act(now)
            elif act.turn == timer:
                self._lags.append(now - due)
                self._choose(act)

    def join(self) -> float:
        """Have all tables begin; how many seconds it took."""
        begin = said = time.perf_counter()
        while len(self._tables) < self._wanted:
            self._step(time.perf_counter() + 1.0)
            if time.perf_counter() > said + _TELLS:
                said += _TELLS
                there = f"{len(self._tables)} of {self._wanted} tables"
                print(f"{there} after {said - begin:.0f} s", file=sys.stderr, flush=True)
        now = time.perf_counter()
        # Neither the collector nor what it looks at is to make people late.
        gc.freeze()
        gc.disable()
        # Whoever thinks does so at their own pace from here on.
        self._pause = self._own_pause
        again = [(now + self._random.uniform(*self._pause), *each[1:]) for each in self._due]
        heapq.heapify(again)
        self._due = again
        self._start_pings()
        return now - begin

    def _start_pings(self) -> None:
        for number in range(Pinger.MANY if self._times else 0):
            self._start_pinger(Pinger(self._port, number))

    def _start_pinger(self, pinger: Pinger) -> None:
        fd = pinger.sock.fileno()

        def take(now: float) -> None:
            try:
                seconds = pinger.take(now)
            except OSError:
                del self._readers[fd]
                pinger.sock.close()
            else:
                self._pings += [seconds] if seconds else []

        def ping(now: float) -> None:
            if self._readers.get(fd) is take:
                pinger.ping(now)
                self._at(now + Pinger.EVERY, ping)

        self._readers[fd] = take
        self._poll.register(fd, select.EPOLLIN)
        self._at(time.perf_counter() + self._random.uniform(0, Pinger.EVERY), ping)

    def run_until_told(self) -> str:
        """Play on until there is a command; empty at the end of the input."""
        told: list[str] = []
        self._readers[0] = lambda now: told.append(os.read(0, 100).decode())
        self._poll.register(0, select.EPOLLIN)
        while not told:
            self._step(time.perf_counter() + 1.0)
        self._poll.unregister(0)
        return told[0]

    def measure(self, seconds: float) -> ScaleResult:
        """Play for so long, while people come and go."""
        self._reset()
        cpu, begin = time.process_time(), time.perf_counter()
        self._measuring = True
        if self._churn:
            self._leave(begin)
        while time.perf_counter() < begin + seconds:
            self._step(begin + seconds)
        self._measuring = False
        return self._result(begin, cpu)

    def drop(self) -> ScaleResult:
        """Close what is left of all connections, after the server was killed."""
        self._due.clear()
        self._to_join.clear()
        for reader in list(self._readers.values()):
            if isinstance(reader, ScaleSeat):
                self._close(reader)
        return self._result(0.0, 0.0)

    def come_back(self, port: float) -> ScaleResult:
        """Have everybody come back at once, and wait for the last."""
        self._reset()
        self._port = int(port)
        people = [seat for table in self._tables for seat in table.seats]
        cpu, begin = time.process_time(), time.perf_counter()
        for seat in people:
            self._connect(seat)
        while self._counts["back"] + self._counts["refused"] < len(people):
            self._step(time.perf_counter() + 1.0)
        found = self._result(begin, cpu)
        self._start_pings()
        return found

    def _result(self, begin: float, cpu: float) -> ScaleResult:
        return ScaleResult(
            time.perf_counter() - begin,
            self._latencies,
            self._pings,
            percentile(sorted(self._lags) or [0.0], 99),
            time.process_time() - cpu,
            dict(self._counts),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("tables", type=int)
    parser.add_argument("--part", type=int, default=0, help="of all people, of which many are")
    parser.add_argument("--pause", type=float, nargs=2, default=(1.0, 6.0))
    parser.add_argument("--churn", type=float, default=0.0, help="leaves a second")
    parser.add_argument("--times", action="store_true", help="time each play, and ping")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if not options.times:
        # Those who time the server are not to wait for the others.
        os.nice(5)
    load = ScaleLoad(options, load_script(options.script))
    print("ready", load.join(), flush=True)
    acts: dict[str, Callable[..., ScaleResult]]
    acts = {"go": load.measure, "drop": load.drop, "back": load.come_back}
    while command := load.run_until_told().split():
        found = acts[command[0]](*map(float, command[1:]))
        print(json.dumps(asdict(found)), flush=True)


if __name__ == "__main__":
    main()
