"""Every way through a registration and every refusal, in one piece and byte by byte."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import pytest
import trio

from .house import HEARTS, Caller, House, text

NAME = text("Ann")
ALONE = (-2, HEARTS | 0b1110, 30, 15)
"""Block -2 for three computers, so that the Game number comes at once."""
Parts = list[int | bytes]
Refused = tuple[str, Parts, list[int], int]
"""What is wrong, what is sent, the replies to the blocks, and the refusal."""
GOOD: list[tuple[str, Parts, list[int]]] = [
    ("nothing but a name", [NAME, *ALONE, 0], []),
    ("30 bytes", [text("é" * 15), *ALONE, 0], []),
    ("the largest Process ID", [NAME, *ALONE, 2**31 - 1], []),
    ("reasons", [NAME, -10, 0, *ALONE, 0], [1]),
    ("reasons with a reserved value", [NAME, -10, -7, *ALONE, 0], [1]),
    ("a password that nobody asked for", [NAME, -7, text("x" * 1023), *ALONE, 0], [1]),
    ("an empty password", [NAME, -7, text(""), *ALONE, 0], [1]),
    ("the list", [NAME, -8, *ALONE, 0], [0]),
    ("a private table", [NAME, -4, text("friends"), *ALONE, 0], [0]),
    ("an unknown block", [NAME, -11, 3, b"abc", *ALONE, 0], [0]),
    ("an unknown block without bytes", [NAME, -(2**31), 0, *ALONE, 0], [0]),
    ("a long unknown block", [NAME, -999, 1023, b"\xff" * 1023, *ALONE, 0], [0]),
    (
        "all of them",
        [NAME, -10, 0, -12, 0, -7, text(""), -12, 0, -8, -4, text("t"), -11, 0, *ALONE, 0],
        [1, 0, 1, 0, 0, 0, 0],
    ),
    ("sixteen blocks", [NAME, *([-11, 0] * 15), *ALONE, 0], [0] * 15),
    ("rules", [NAME, -2, 0x10000E | HEARTS | 136448, 0, 3600, 0], []),
    ("bits of rules that are not meant", [NAME, -2, HEARTS | 0xE | 0x1E00, 0, 0, 0], []),
]
BAD_NAMES: list[bytes] = [
    text(""),
    text("a" * 31),
    text("é" * 16),
    text("   "),
    text("a\nb"),
    text("a\x7f"),
    text("a\u202eb"),
    text("a\u2028b"),
    text(b"\xff\xfe"),
    text(b"a\0b"),
    b"\0\0\0\3abc",
    text("*"),
    text("table"),
    text(" Ｔａｂｌｅ\u200d"),
    text("x" * 1023),
]
BAD_LENGTHS = [b"\0\0\0\0", b"\0\0\4\1", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff"]
REFUSED: list[Refused] = [
    *((f"name {n}", Parts([name, 5]), list[int](), -101) for n, name in enumerate(BAD_NAMES)),
    *((f"length {n}", Parts([size]), list[int](), -101) for n, size in enumerate(BAD_LENGTHS)),
    ("a bad name and reasons", [text(""), -10, 0, 5], [1], -101),
    ("a bad name and a list", [text(""), -8], [], -101),
    ("a bad name and options", [text(""), *ALONE, 0], [], -101),
    ("tag -1", [NAME, -1], [], -102),
    ("tag -3", [NAME, -3], [], -102),
    ("a dealer dialect of no version", [NAME, -6, 0], [], -102),
    ("a bad name and the dealer dialect", [text(""), -6, 1], [], -101),
    ("watching in the plain dialect", [NAME, -9, 6], [], -102),
    ("watching nothing", [NAME, -6, 7, -9, 6], [1], -104),
    ("coming back", [NAME, -5, 7, 1, 0, 1000, 3], [], -103),
    ("the wrong order", [NAME, -8, -10, 0], [0], -102),
    ("twice", [NAME, -10, 0, -10, 0], [1], -102),
    ("Spades, as NetSpades asks for it", [NAME, -2, 0xCE, 100, 3, 0], [], -102),
    ("Spades, before another block", [NAME, -10, 0, -2, 0xE, 0, 0, -11, 0], [1], -102),
    ("options twice", [NAME, *ALONE, *ALONE], [], -102),
    ("a table and a watcher", [NAME, -4, text("t"), -9, 1], [0], -102),
    ("seventeen blocks", [NAME, *([-11, 0] * 17)], [0] * 16, -102),
    ("a block too long", [NAME, -11, 1024], [], -102),
    ("a block of less than nothing", [NAME, -11, -1], [], -102),
    ("a password without a NUL", [NAME, -7, b"\0\0\0\1x"], [], -102),
    ("a password too long", [NAME, -7, 1025], [], -102),
    ("a password of no length", [NAME, -7, 0], [], -102),
    ("a table without a name", [NAME, -4, text("")], [], -102),
    ("a table with a long name", [NAME, -4, text("t" * 31)], [], -102),
    ("a table with a bad name", [NAME, -4, text("a\tb")], [], -102),
    ("bit 0", [NAME, -2, HEARTS | 1, 0, 0, 5], [], -102),
    ("bit 21 without bit 20", [NAME, -2, HEARTS | 1 << 21, 0, 0, 5], [], -102),
    ("bit 31", [NAME, -2, -(2**31) | HEARTS, 0, 0, 5], [], -102),
    ("kind 2", [NAME, -2, 0x20, 0, 0, 5], [], -102),
    ("kind 3", [NAME, -2, 0x30, 0, 0, 5], [], -102),
    ("a moon of 3", [NAME, -2, HEARTS | 1 << 20 | 3 << 9, 0, 0, 5], [], -102),
    ("an exact of 3", [NAME, -2, HEARTS | 1 << 20 | 3 << 11, 0, 0, 5], [], -102),
    ("an end below 0", [NAME, -2, HEARTS, -1, 0, 5], [], -102),
    ("an end of 10001", [NAME, -2, HEARTS, 10001, 0, 5], [], -102),
    ("a turn limit of 3601", [NAME, -2, HEARTS, 0, 3601, 5], [], -102),
]
PASSWORD: list[Refused] = [
    ("no password", [NAME, 5], [], -105),
    ("no password before a list", [NAME, -8], [], -105),
    ("no password before a table", [NAME, -4, text("t")], [], -105),
    ("a wrong password", [NAME, -7, text("cat")], [], -105),
    ("half a password", [NAME, -7, text("fis")], [], -105),
    ("a wrong password with a reason", [NAME, -10, 0, -7, text("cat")], [1], -105),
]
PIECES = pytest.mark.parametrize("piece", [0, 1, 3], ids=["whole", "bytes", "threes"])


async def send(caller: Caller, parts: Parts, piece: int) -> None:
    data = b"".join(p.to_bytes(4, "big", signed=True) if isinstance(p, int) else p for p in parts)
    for start in range(0, len(data), piece or len(data)):
        await caller.send(data[start : start + (piece or len(data))])


@PIECES
async def test_registrations_that_lead_to_a_seat(piece: int, made: House) -> None:
    for number, (what, parts, replies) in enumerate(GOOD, 1):
        caller = await made.call()
        assert await caller.number() == 0, what
        await send(caller, parts, piece)
        if replies:
            assert await caller.numbers(len(replies)) == tuple(replies), what
        game, names = await caller.seated()
        assert (game, names[1:]) == (number, ["Moe", "Larry", "Curly"]), what
        await caller.stream.aclose()
        await trio.sleep(1)


async def refuse(made: House, cases: Sequence[Refused], piece: int) -> None:
    for what, parts, replies, code in cases:
        caller = await made.call()
        assert await caller.number() == 0, what
        await send(caller, parts, piece)
        assert await caller.numbers(len(replies)) == tuple(replies), what
        assert await caller.number() == code, what
        if -10 in parts and 1 in replies:
            why = await caller.string()
            assert len(why) > 10, what
            assert ("password" in why) == (code == -105), what
        assert await caller.ended(), what
        await caller.stream.aclose()
        await trio.sleep(1)


@PIECES
async def test_registrations_that_are_refused(piece: int, made: House) -> None:
    await refuse(made, REFUSED, piece)


@PIECES
@pytest.mark.house("--password", "fish")
async def test_passwords(piece: int, made: House) -> None:
    await refuse(made, PASSWORD, piece)
    caller = await made.call()
    await caller.number()
    await send(caller, [NAME, -7, text("fish"), -8, *ALONE, 5], piece)
    assert await caller.numbers(2) == (1, 0)
    assert (await caller.seated())[0] == 1


async def test_a_refusal_reaches_a_client_that_goes_on_sending(made: House) -> None:
    caller = await made.player(0)
    await caller.send(NAME, -1, bytes(5000))
    assert await caller.number() == -102
    assert await caller.ended()
    start = trio.current_time()
    with contextlib.suppress(trio.BrokenResourceError), trio.fail_after(2.1):
        while True:
            await caller.send(bytes(100))
            await trio.sleep(0.1)
    assert trio.current_time() - start > 1.5


async def test_bytes_behind_the_process_id_wait_up_to_a_limit(made: House) -> None:
    patient, pushing = await made.call(), await made.call()
    await patient.number()
    await patient.send(NAME, 5, bytes(1024))
    assert await pushing.number() == 1
    await pushing.send(NAME, 5, bytes(1024))
    await pushing.send(b"\0")
    assert await pushing.number() == -102
    assert await pushing.ended()
    await pushing.stream.aclose()
    await made.player(1)
    assert await patient.silent(10)


async def test_acknowledgements_may_come_with_the_process_id(made: House) -> None:
    caller = await made.call()
    await caller.number()
    await caller.send(NAME, *ALONE, 5, 0, 0)
    await caller.seated()
    assert await caller.numbers(5) == (1, 0, 30, 15, 0b1110)
    assert len(await caller.numbers(13)) == 13
