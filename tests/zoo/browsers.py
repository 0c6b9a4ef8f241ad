"""Bad peers of the gateway for browsers: HTTP and WebSocket as nobody should speak them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from .animals import animal
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


@animal(1, browses=True)
async def web_silent(cage: Cage) -> None:
    """Connects and asks nothing. The server: closes after 15 s."""
    async with _visit(cage) as visit:
        await visit.watch(_STAYS)


@animal(1, browses=True)
async def web_slow(cage: Cage) -> None:
    """Sends a request byte by byte, two a second. The server: the same."""
    async with _visit(cage) as visit:
        for byte in _handshake(cage):
            await visit.send(bytes([byte]))
            await trio.sleep(0.5)


@animal(0.2, browses=True)
async def web_half(cage: Cage) -> None:
    """Sends half of a handshake. The server: the same."""
    request = _handshake(cage)
    async with _visit(cage) as visit:
        await visit.send(request[: cage.random.randrange(1, len(request))])
        await visit.watch(_STAYS * cage.random.random())


@animal(0.5, browses=True)
async def web_huge(cage: Cage) -> None:
    """Headers without end. The server: 431 and closes."""
    async with _visit(cage) as visit:
        await visit.send(b"GET / HTTP/1.1\r\nHost: a\r\nX: ")
        await visit.flood(lambda size: b"x" * size)


@animal(0.5, browses=True)
async def web_asker(cage: Cage) -> None:
    """Requests without end, and reads nothing. The server: waits, then resets."""
    async with _visit(cage, window=2048) as visit:
        await visit.flood(
            lambda size: b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" * (size // 27), pace=0.1
        )


@animal(0.2, browses=True)
async def web_garbage(cage: Cage) -> None:
    """No HTTP, bodies, paths that leave the folder. The server: 400, 404 or 405."""
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


@animal(0.2, browses=True)
async def web_stranger(cage: Cage) -> None:
    """A WebSocket for a page of somebody else. The server: 403."""
    async with _visit(cage) as visit:
        await visit.send(_handshake(cage, origin="http://evil.example"))
        if (await visit.take(len(_SWITCHED))).startswith(_SWITCHED):
            cage.tally.saw["WEBSOCKET FOR A STRANGER'S PAGE"] += 1
        await visit.watch(1)


@animal(0.5, browses=True)
async def web_pinger(cage: Cage) -> None:
    """Pings without end. The server: closes with 1008."""
    async with _websocket(cage) as visit:
        await visit.flood(lambda size: _frame(9, b"ping") * (size // 10))


@animal(0.5, browses=True)
async def web_fragments(cage: Cage) -> None:
    """Fragments of a byte without end. The server: reads them slowly."""
    async with _websocket(cage) as visit:
        await visit.send(_frame(2, whole=False))
        await visit.flood(lambda size: _frame(0, b"x", whole=False) * (size // 7))


@animal(0.2, browses=True)
async def web_frames(cage: Cage) -> None:
    """Text, no mask, huge sizes, unknown frames. The server: closes with 1002, 1003, 1007, 1009."""
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


@animal(0.5, browses=True)
async def web_non_reader(cage: Cage) -> None:
    """WebSockets that send and never read. The server: waits, then closes."""
    async with _visit(cage, window=2048) as visit:
        await visit.send(_handshake(cage, "/chat" if cage.lives % 2 else "/game"))
        await visit.flood(lambda size: _frame(2, bytes(100)) * (size // 106), _STAYS, pace=0.1)


@animal(1, browses=True)
async def web_mute(cage: Cage) -> None:
    """Answers no pings. The server: closes within 50 s."""
    async with _websocket(cage) as visit:
        await visit.watch(120)
