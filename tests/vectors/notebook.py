"""The lines of a transcript, written down while a client talks to the house."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from .vector_house import VectorServer

SUITS, RANKS = "HCDS", "A23456789TJQK"


def ints(*values: int) -> bytes:
    return struct.pack(f">{len(values)}i", *values)


def text(value: str) -> bytes:
    data = value.encode()
    return ints(len(data) + 1) + data + b"\0"


def card(number: int) -> str:
    return RANKS[(number - 1) % 13] + SUITS[(number - 1) // 13]


def cards(numbers: Sequence[int]) -> str:
    return " ".join(map(card, numbers))


class Notebook:
    """One case: what is said, by whom, as lines."""

    def __init__(self, house: VectorServer, title: str) -> None:
        self.house = house
        self.me = -1
        """The latest Player ID."""
        self.lines = [f"@case {title}"]
        self._parts = b""
        self._unsent: list[tuple[bytes, str]] | None = None
        self._time = 0.0

    async def do(self, *words: str) -> None:
        self.lines.append("@" + " ".join(words))
        await self.house.do(words)

    async def receive(self, number: int) -> tuple[int, ...]:
        """Ints that belong to the message under way."""
        return struct.unpack(f">{number}i", self._take(4 * number))

    async def receive_text(self) -> str:
        (size,) = await self.receive(1)
        return self._take(size)[:-1].decode()

    def _take(self, size: int) -> bytes:
        output = self.house.wire.output
        assert len(output) >= size, f"{self.lines[-1]}: the server said too little: {output.hex()}"
        data = bytes(output[:size])
        del output[:size]
        self._parts += data
        return data

    def told(self, comment: str) -> None:
        self.lines.append(f"< {self._parts.hex(' ')} # {comment}")
        self._parts = b""

    async def say(self, data: bytes, comment: str, mark: str = ">") -> None:
        self.lines.append(f"{mark} {data.hex(' ')} # {comment}")
        await self.house.send(data)

    async def choose(self, data: bytes, comment: str) -> None:
        await self.say(data, comment, ">>")

    async def wait(self, seconds: float) -> None:
        self._time += seconds
        await self.do("now", f"{self._time:g}")

    async def ack(self) -> None:
        await self._say_in_time(ints(self.me), "ack")

    async def owed(self, *values: int) -> None:
        await self._say_in_time(ints(*values), "the choice that is still owed; thrown away")

    async def _say_in_time(self, data: bytes, comment: str) -> None:
        if self._unsent is not None:
            self._unsent.append((data, comment))
        else:
            await self.say(data, comment)

    def fall_behind(self) -> None:
        """Send nothing that goes without thinking, until :meth:`catch_up`."""
        self._unsent = []

    async def catch_up(self) -> None:
        unsent, self._unsent = self._unsent or [], None
        for data, comment in unsent:
            await self.say(data, comment)

    def skip(self, what: str) -> None:
        """Take what was said as one message."""
        self._take(len(self.house.wire.output))
        self.told(what)

    async def leave(self) -> None:
        """The client closes, whatever it was told last."""
        if self.house.wire.output:
            self.skip("what follows; the client does not answer any more")
        self.lines.append("> end")
        await self.house.send(b"")
        self.end()

    def end(self) -> None:
        """The server has ended the connection and said nothing else."""
        assert self.house.wire.ended, "the connection is still open"
        self.finish()
        self.lines.append("< end")

    def finish(self) -> None:
        assert not self.house.wire.output, self.house.wire.output.hex(" ")
        assert not self._parts


def write(path: Path, heading: str, cases: Sequence[Sequence[str]]) -> None:
    """Write a file of cases, with a line for its heading."""
    blocks = ["\n".join(case) for case in cases]
    path.write_text("\n\n".join([f"# {heading}", *blocks]) + "\n", encoding="utf-8")
