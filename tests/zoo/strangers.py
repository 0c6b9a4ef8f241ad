"""Animals that never get to play: they misbehave at the door of the game server."""

from __future__ import annotations

import struct

import trio

from .animals import animal
from .cage import COMPUTERS, HEARTS, Cage, new_name
from .visit import text

HOARD = 20
"""Private tables that a hoarder keeps at once."""
EARLY_BYTES = 4_000_000
GUESSES_AT_ONCE = 8
# A ClientHello of TLS 1.2 as a browser begins it; the rest does not matter to who reads no TLS.
TLS_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(range(200))
HTTP_REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: zoo\r\nAccept: */*\r\n\r\n"
_TAGS = (-2, -4, -5, -6, -7, -8, -9, -10, -11, -(2**31), -3, -1)


@animal(1)
async def silent(cage: Cage) -> None:
    """Connects and never speaks. The server: -106 after 60 s."""
    async with cage.visit() as visit:
        await visit.watch()


@animal(1)
async def dribbler(cage: Cage) -> None:
    """Sends one byte at a time, slower and slower. The server: -106 after 60 s; at a table its
    clock decides.
    """
    async with cage.visit() as visit:
        pause = 0.02

        async def write(data: bytes) -> None:
            nonlocal pause
            for byte in data:
                await trio.sleep(pause)
                await visit.send(bytes([byte]))
                pause *= 1.1

        session, _ = cage.manners()
        await visit.converse(session, write=write)


def _blocks_out_of_order(cage: Cage) -> bytes:
    payloads = {
        -2: struct.pack(">3i", HEARTS | COMPUTERS, 0, 0),
        -4: text("zoo"),
        -5: bytes(20),
        -7: text("wrong"),
        -11: struct.pack(">i", 3) + b"abc",
    }
    tags = cage.random.sample(_TAGS, len(_TAGS))
    return b"".join(struct.pack(">i", tag) + payloads.get(tag, bytes(4)) for tag in tags)


def _nonsense(cage: Cage) -> bytes:
    """A registration that is none, of another kind in each life."""
    bad_names = [
        b"\xff\xfe\xfd",
        b"\xc3",
        b"\xed\xa0\x80",
        b"Ann\x1b[2J",
        "Ann\r\n\u202eBob".encode(),
        b"   ",
        b"x" * 31,
        b"nul\0inside",
    ]
    lengths = [2**31 - 1, -1, -(2**31), 0, 1025, 2**20]
    kinds = [
        cage.random.randbytes(cage.random.randrange(1, 3000)),
        struct.pack(">i", cage.random.choice(lengths)) + cage.random.randbytes(100),
        text(cage.random.choice(bad_names)) + struct.pack(">i", 1),
        text("Ann") + _blocks_out_of_order(cage),
        text("Ann") + struct.pack(">ii", -4, cage.random.choice(lengths)),
        text("Ann") + struct.pack(">ii", -11, cage.random.choice([-1, 1024, 2**31 - 1])),
        text("Ann") + struct.pack(">5i", -2, 1, *(cage.random.randrange(2**31) for _ in "12"), 1),
        text("Ann") + struct.pack(">ii", -10, 0) * 20,
    ]
    return kinds[cage.lives % len(kinds)]


@animal(0.2)
async def garbage(cage: Cage) -> None:
    """Sends random bytes, lengths, names and blocks that are none. The server: -101 or -102, as
    soon as a fault is there.
    """
    async with cage.visit() as visit:
        await visit.number()
        await visit.send(_nonsense(cage))
        await visit.watch(5)


@animal(1)
async def early_sender(cage: Cage) -> None:
    """Sends megabytes before they are due, from the first moment on. The server: -102 at more than
    1024 bytes behind the Process ID.
    """
    async with cage.visit() as visit:
        # Not a word is awaited: name, Process ID and a flood of acknowledgements.
        await visit.send(text("Early"), 1)
        with trio.move_on_after(EARLY_BYTES / cage.grounds.flood_rate):
            await visit.flood(bytes)
        await visit.watch(5)


@animal(0.1)
async def name_holder(cage: Cage) -> None:
    """Registers at the public table, sits there for a moment and leaves. The server: nothing; the
    seat is freed.
    """
    async with cage.visit() as visit:
        await visit.number()
        await visit.send(text(f"Holder {cage.random.randrange(1000)}"), 1)
        await visit.watch(cage.random.uniform(0.3, 2))


async def _hoard_one(cage: Cage, number: int) -> None:
    async with cage.visit() as visit:
        await visit.number()
        await visit.send(text("Hoarder"), -4, text(new_name()))
        await visit.number()
        if number % 2:
            await visit.send(1)
        await visit.watch(cage.random.uniform(1, 10))


@animal(1)
async def table_hoarder(cage: Cage) -> None:
    """Opens 20 private tables at once, keeps them for a while and leaves. The server: nothing below
    the limits; -1 or -2 at them.
    """
    async with trio.open_nursery() as nursery:
        for number in range(HOARD):
            nursery.start_soon(_hoard_one, cage, number)


@animal(0.05)
async def lister(cage: Cage) -> None:
    """Asks for the list of tables all the time, twice on each connection. The server: -102 for the
    second time.
    """
    async with cage.visit() as visit:
        await visit.number()
        await visit.send(text("Lister"), -8)
        await visit.number()
        # Once to a connection is allowed.
        await visit.send(-8)
        await visit.watch(5)


@animal(0.02)
async def reconnector(cage: Cage) -> None:
    """Connects and resets, thousands of times a minute. The server: nothing, for it is gone."""
    async with cage.visit() as visit:
        visit.reset()


async def _guess_a_seat(cage: Cage, address: str) -> None:
    async with cage.visit(address=address) as visit:
        await visit.number()
        guess = [cage.random.randrange(2**31) for _ in range(4)]
        guess[0], guess[2] = cage.random.randrange(1, 100), cage.random.randrange(4)
        await visit.send(text("Guesser"), -5, *guess, -1)
        await visit.watch(5)


@animal(0.1)
async def guesser(cage: Cage) -> None:
    """Wants to come back to seats of others, with wrong numbers, from one address. The server: -103
    for a few, -2 for the others.
    """
    await _guess_a_seat(cage, cage.address)


@animal(0.5)
async def guessers(cage: Cage) -> None:
    """The same from many addresses of loopback. The server: -103 at first, then -2 for most."""
    async with trio.open_nursery() as nursery:
        for _ in range(GUESSES_AT_ONCE):
            nursery.start_soon(_guess_a_seat, cage, cage.new_address())


async def _say(data: bytes, cage: Cage) -> None:
    async with cage.visit() as visit:
        await visit.send(data)
        await visit.watch(5)


@animal(0.5)
async def tls(cage: Cage) -> None:
    """Says hello in TLS to the clear port. The server: -101."""
    await _say(TLS_HELLO, cage)


@animal(0.5)
async def http(cage: Cage) -> None:
    """Asks for a web page. The server: -101."""
    await _say(HTTP_REQUEST, cage)
