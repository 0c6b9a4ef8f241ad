"""Bad peers of the gateway for browsers: HTTP and WebSocket as nobody should speak them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from .animals import Animal
from .cage import Cage
from .visit import ZooVisit

_KEY = b"dGhlIHNhbXBsZSBub25jZQ=="
_MASK = b"\x01\x02\x03\x04"
_STAYS = 10.0
_SWITCHED = b"HTTP/1.1 101 "


def _handshake(cage: Cage, path: str = "/game", origin: str = "") -> bytes:
    host = f"{cage.grounds.host}:{cage.grounds.web_port}"
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        f"Origin: {origin or f'http://{host}'}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {_KEY.decode()}",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def _frame(opcode: int, payload: bytes = b"", *, whole: bool = True) -> bytes:
    """A frame of less than 126 bytes."""
    body = bytes(byte ^ _MASK[at % 4] for at, byte in enumerate(payload))
    return bytes([opcode | (0x80 if whole else 0), 0x80 | len(payload)]) + _MASK + body


@asynccontextmanager
async def _visit(cage: Cage, window: int = 0) -> AsyncIterator[ZooVisit]:
    async with cage.visit(cage.grounds.web_port, window=window) as visit:
        yield visit


@asynccontextmanager
async def _websocket(cage: Cage) -> AsyncIterator[ZooVisit]:
    async with _visit(cage) as visit:
        await visit.send(_handshake(cage))
        if await visit.take(len(_SWITCHED)) == _SWITCHED:
            cage.tally.saw["WebSockets"] += 1
        yield visit


async def say_nothing(cage: Cage) -> None:
    async with _visit(cage) as visit:
        await visit.watch(_STAYS)


async def ask_slowly(cage: Cage) -> None:
    async with _visit(cage) as visit:
        for byte in _handshake(cage):
            await visit.send(bytes([byte]))
            await trio.sleep(0.5)


async def shake_half_a_hand(cage: Cage) -> None:
    request = _handshake(cage)
    async with _visit(cage) as visit:
        await visit.send(request[: cage.random.randrange(1, len(request))])
        await visit.watch(_STAYS * cage.random.random())


async def send_huge_headers(cage: Cage) -> None:
    async with _visit(cage) as visit:
        await visit.send(b"GET / HTTP/1.1\r\nHost: a\r\nX: ")
        await visit.flood(lambda size: b"x" * size)


async def send_many_requests(cage: Cage) -> None:
    async with _visit(cage, window=2048) as visit:
        await visit.flood(
            lambda size: b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * (size // 27), pace=0.1
        )


async def speak_nonsense(cage: Cage) -> None:
    said = (
        cage.random.randbytes(cage.random.randrange(1, 500)),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    )
    async with _visit(cage) as visit:
        await visit.send(said[cage.lives % len(said)])
        await visit.watch(1)


async def come_from_elsewhere(cage: Cage) -> None:
    async with _visit(cage) as visit:
        await visit.send(_handshake(cage, origin="http://evil.example"))
        if (await visit.take(len(_SWITCHED))).startswith(_SWITCHED):
            cage.tally.saw["WEBSOCKET FOR A STRANGER'S PAGE"] += 1
        await visit.watch(1)


async def flood_with_pings(cage: Cage) -> None:
    async with _websocket(cage) as visit:
        await visit.flood(lambda size: _frame(9, b"ping") * (size // 10))


async def flood_with_fragments(cage: Cage) -> None:
    async with _websocket(cage) as visit:
        await visit.send(_frame(2, whole=False))
        await visit.flood(lambda size: _frame(0, b"x", whole=False) * (size // 7))


async def send_odd_frames(cage: Cage) -> None:
    odd = (
        _frame(1, b"text"),
        b"\x82\x05hello",
        b"\x82\xff" + (1 << 62).to_bytes(8) + _MASK + bytes(200_000),
        b"\x83\x80" + _MASK,
        b"\xf2\x80" + _MASK,
        _frame(0, b"never begun"),
        _frame(8, b"\xff"),
        cage.random.randbytes(300),
    )
    async with _websocket(cage) as visit:
        await visit.send(odd[cage.lives % len(odd)])
        await visit.watch(2)


async def never_read(cage: Cage) -> None:
    async with _visit(cage, window=2048) as visit:
        await visit.send(_handshake(cage, "/chat" if cage.lives % 2 else "/game"))
        await visit.flood(lambda size: _frame(2, bytes(100)) * (size // 106), _STAYS, pace=0.1)


async def answer_no_pings(cage: Cage) -> None:
    async with _websocket(cage) as visit:
        await visit.watch(120)


BROWSERS = tuple(
    Animal(f"web-{name}", wrong, may, live, pause, browses=True)
    for name, wrong, may, live, pause in (
        ("silent", "connects and asks nothing", "closes after 15 s", say_nothing, 1),
        ("slow", "sends a request byte by byte, two a second", "the same", ask_slowly, 1),
        ("half", "sends half of a handshake", "the same", shake_half_a_hand, 0.2),
        ("huge", "headers without end", "431 and closes", send_huge_headers, 0.5),
        ("asker", "requests without end, and reads nothing", "waits, then resets",
         send_many_requests, 0.5),
        ("garbage", "no HTTP, bodies, paths that leave the folder", "400, 404 or 405",
         speak_nonsense, 0.2),
        ("stranger", "a WebSocket for a page of somebody else", "403", come_from_elsewhere, 0.2),
        ("pinger", "pings without end", "closes with 1008", flood_with_pings, 0.5),
        ("fragments", "fragments of a byte without end", "reads them slowly",
         flood_with_fragments, 0.5),
        ("frames", "text, no mask, huge sizes, unknown frames",
         "closes with 1002, 1003, 1007 or 1009", send_odd_frames, 0.2),
        ("non-reader", "WebSockets that send and never read", "waits, then closes",
         never_read, 0.5),
        ("mute", "answers no pings", "closes within 50 s", answer_no_pings, 1),
    )
)  # fmt: skip
