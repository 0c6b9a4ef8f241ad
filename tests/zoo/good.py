"""Good tables in one process: independent clients at a human pace, and how long they wait.

    python -m tests.zoo.good PORT TABLES [PASSWORD]

Each client has an address in a network of its own. It says ``ready`` when all tables play, goes on
until its standard input ends, and says what it saw as one line of JSON. Besides, a newcomer looks
in each second, and it is noted when he got his Player ID. Times are those of `time.monotonic`.
"""

from __future__ import annotations

import heapq
import json
import random
import selectors
import socket
import sys
import time
from dataclasses import asdict, dataclass, field

from tests.independent.client import Closed, Read, Session, Settings, Talk, Think, Write

from .addresses import good_address

PACE = (0.02, 0.06)
"""Seconds before each choice: at least and at most."""
_NEWCOMER = 1.0
"""Seconds from one newcomer to the next."""
_END_SCORE = 10_000
_NEWCOMERS_FROM = 10_000
"""Their addresses come behind those of the tables."""


@dataclass(slots=True)
class Sightings:
    """What the good clients saw."""

    choices: list[tuple[float, float]] = field(default_factory=list)
    """For each choice: when it was sent, and the seconds until its status was there."""
    newcomers: list[tuple[float, float]] = field(default_factory=list)
    """For each newcomer: when he connected, and the seconds until his Player ID."""
    newcomers_refused: int = 0
    decided_by_server: int = 0
    own_cpu: float = 0.0


def connect(port: int, address: str) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setblocking(False)
    return sock


class GoodClient:
    def __init__(self, port: int, address: str, settings: Settings, seen: Sightings) -> None:
        self.session = Session(settings)
        self.socket = connect(port, address)
        self.due: float | None = None
        """When it wants to go on, if it thinks."""
        self._seen = seen
        self._talk: Talk = self.session.talk()
        self._request = next(self._talk)
        self._random = random.Random(settings.seed)
        self._unread = b""
        self._chosen = False
        self._sent: float | None = None

    @property
    def plays(self) -> bool:
        """Whether its table has begun."""
        return len(self.session.facts) > 2

    def take(self) -> None:
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return
        if not data:
            raise Closed
        self._unread += data
        if self.due is None:
            self._go_on(time.monotonic())

    def wake(self) -> None:
        """It has thought enough."""
        self.due = None
        self._chosen = True
        self._request = self._talk.send(b"")
        self._go_on(time.monotonic())

    def _go_on(self, now: float) -> None:
        said = b""
        while True:
            answer = b""
            match self._request:
                case Write(data):
                    said += data
                    if self._chosen:
                        self.socket.sendall(said)
                        said, self._chosen = b"", False
                        self._sent = time.monotonic()
                case Think(seconds):
                    low, high = PACE
                    self.due = now + low + (high - low) * seconds
                    break
                case Read(count):
                    if len(self._unread) < count:
                        break
                    answer, self._unread = self._unread[:count], self._unread[count:]
                    if self._sent is not None:
                        self._seen.choices.append((self._sent, now - self._sent))
                        self._sent = None
            self._request = self._talk.send(answer)
        if said:
            self.socket.sendall(said)


class Newcomers:
    def __init__(self, port: int, seen: Sightings) -> None:
        self._port = port
        self._seen = seen
        self._begin = 0.0
        self._count = 0
        self.socket: socket.socket | None = None

    def come(self) -> socket.socket:
        self._begin = time.monotonic()
        self._count += 1
        self.socket = connect(self._port, good_address(_NEWCOMERS_FROM + self._count))
        return self.socket

    def take(self) -> None:
        assert self.socket is not None
        try:
            # The highest bit of a Player ID is set if it is none.
            refused = self.socket.recv(4)[:1] != b"\0"
        except OSError:
            refused = True
        self._seen.newcomers_refused += refused
        self._seen.newcomers.append((self._begin, time.monotonic() - self._begin))
        self.socket.close()
        self.socket = None


def members(port: int, tables: int, password: str | None, seen: Sightings) -> list[GoodClient]:
    return [
        GoodClient(
            port,
            good_address(4 * table + seat),
            Settings(
                name=f"Good {table}-{seat}",
                process_id=random.SystemRandom().randrange(2**31),
                password=password,
                table=f"good {table}",
                options=(1 << 4, _END_SCORE, 0),
                seed=4 * table + seat,
                think_chance=1,
                think_seconds=1,
            ),
            seen,
        )
        for table in range(tables)
        for seat in range(4)
    ]


def main(port: int, tables: int, password: str | None = None) -> None:
    seen = Sightings()
    crowd = members(port, tables, password, seen)
    newcomers = Newcomers(port, seen)
    due: list[tuple[float, int]] = []
    ready, cpu, next_newcomer = False, 0.0, 0.0
    with selectors.DefaultSelector() as selector:
        for number, member in enumerate(crowd):
            selector.register(member.socket, selectors.EVENT_READ, number)
        selector.register(sys.stdin, selectors.EVENT_READ, -1)
        while True:
            wait = max(0.0, due[0][0] - time.monotonic()) if due else 0.1
            for key, _ in selector.select(min(wait, 0.1)):
                if key.data == -1:
                    _finish(crowd, seen, time.process_time() - cpu)
                    return
                if key.data == -2:
                    selector.unregister(key.fileobj)
                    newcomers.take()
                    continue
                member = crowd[key.data]
                thought = member.due
                member.take()
                if member.due is not None and member.due != thought:
                    heapq.heappush(due, (member.due, key.data))
            now = time.monotonic()
            while due and due[0][0] <= now:
                number = heapq.heappop(due)[1]
                crowd[number].wake()
                if (again := crowd[number].due) is not None:
                    heapq.heappush(due, (again, number))
            if not ready and all(member.plays for member in crowd):
                ready, cpu = True, time.process_time()
                print("ready", flush=True)
            if ready and newcomers.socket is None and now >= next_newcomer:
                next_newcomer = now + _NEWCOMER
                selector.register(newcomers.come(), selectors.EVENT_READ, -2)


def _finish(crowd: list[GoodClient], seen: Sightings, cpu: float) -> None:
    seen.own_cpu = cpu
    for member in crowd:
        seen.decided_by_server += sum(
            fact.kind in ("play", "passing") and fact.numbers[-1] > 0
            for fact in member.session.facts
        )
    print(json.dumps(asdict(seen)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
