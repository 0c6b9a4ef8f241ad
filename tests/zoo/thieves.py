"""Attackers that want what is not theirs: somebody's seat, the password, a place in the chat."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import trio

from tests.independent.dealer import DealerSettings, PlayerConnection, Wish
from tests.independent.dealer_frames import REPLACE_PLAYER, ints
from tests.independent.plain_client import ClientHabits, OwnSession, Ticket

from .animals import animal
from .cage import HEARTS, Cage
from .players import seated
from .talkers import credentials_of, register
from .visit import Gone, text

GUESSES_A_SECOND = 300
PASSWORDS_A_SECOND = 1000
NAMES_A_SECOND = 3000
_NAMES = 15
"""Of a connection; it may send 16 blocks."""
_TABLE_THERE = 2
_AT_ONCE = 8
_OWNER_PAUSE = 1.0
_OWNER_LIMIT = 30.0
_CODE_LATER = -2


async def _guess(cage: Cage, ticket: Ticket, address: str) -> None:
    async with cage.visit(address=address) as visit:
        await visit.reply()
        wrong = [cage.random.randrange(2**31) for _ in range(2)]
        await visit.send(text("Thief"), -5, ticket.game, wrong[0], ticket.player, wrong[1], -1)
        await visit.reply()


async def _come_back(cage: Cage, settings: ClientHabits, ticket: Ticket) -> None:
    """The owner of the seat takes it again and again, and tells how that went."""
    settings = replace(settings, table=None, options=None)
    away = trio.current_time()
    while True:
        session = OwnSession(settings, ticket)
        with suppress(Gone):
            async with cage.visit(address=cage.address) as visit:
                await visit.converse(session, until=seated)
        kind, numbers, _ = session.facts[-1] if session.facts else ("", (), ())
        if kind == "seated":
            cage.tally.saw["owner back"] += 1
            if trio.current_time() - away > _OWNER_LIMIT:
                cage.tally.saw["OWNER BACK AFTER MORE THAN 30 s"] += 1
            away = trio.current_time() + _OWNER_PAUSE
        elif kind == "refused":
            later = numbers[0] == _CODE_LATER
            cage.tally.saw["owner told later" if later else "OWNER TOLD THAT IT IS OVER"] += 1
        await trio.sleep(_OWNER_PAUSE)


async def _steal(cage: Cage, address: Callable[[], str]) -> None:
    settings = None
    with suppress(Gone):
        async with cage.visit() as visit:
            session, settings = cage.manners()
            await visit.converse(session, until=seated)
    ticket = None if settings is None else session.ticket
    if settings is None or ticket is None:
        return

    async def one() -> None:
        await _guess(cage, ticket, address())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_come_back, cage, settings, ticket)
        await cage.crowd(one, many=_AT_ONCE, a_second=GUESSES_A_SECOND, seconds=30)
        nursery.cancel_scope.cancel()


@animal(0.5, attacks=True)
async def seat_thief(cage: Cage) -> None:
    """Guesses at one seat from many networks, 300 times a second, while its owner comes back. The
    server: -103 to one a second, -2 to the others; the owner gets the seat.
    """
    await _steal(cage, cage.new_address)


@animal(0.5, attacks=True)
async def home_thief(cage: Cage) -> None:
    """The same from the owner's own address. The server: -103 or -2; the owner is told -2 at worst
    and gets the seat.
    """
    await _steal(cage, lambda: cage.address)


@animal(0.1, attacks=True)
async def password_guesser(cage: Cage) -> None:
    """Tries passwords, 1000 a second. The server: -105 at first, then -2 or waits up to 5 s."""

    async def one() -> None:
        async with cage.visit() as visit:
            await visit.reply()
            await visit.send(text("Guesser"), -7, text(f"word {cage.random.randrange(10**6)}"))
            await visit.reply()
            cage.tally.saw["passwords accepted"] += 1

    await cage.crowd(one, many=_AT_ONCE, a_second=PASSWORDS_A_SECOND)


@animal(0.1, attacks=True)
async def name_guesser(cage: Cage) -> None:
    """Asks for private tables by names, 3000 a second from a whole network. The server: says 20
    times that there is none, then -2 to all but a few.
    """

    async def one() -> None:
        async with cage.visit(address=cage.neighbour() if cage.address else "") as visit:
            await visit.reply()
            names = [f"ann-{cage.random.randrange(1000, 10_000)}".encode() for _ in range(_NAMES)]
            asked = [part for name in names for part in (-12, len(name), name)]
            await visit.send(text("Guesser"), *asked)
            while await visit.reply() != _TABLE_THERE:
                cage.tally.saw["names asked"] += 1
            cage.tally.saw["TABLE FOUND"] += 1

    await cage.crowd(one, many=_AT_ONCE, a_second=NAMES_A_SECOND / _NAMES)


def _nearly_over(session: OwnSession) -> bool:
    return sum(fact.kind == "tallies" for fact in session.facts) >= 12


def _third_hand(session: OwnSession) -> bool:
    return sum(fact.kind == "hand" for fact in session.facts) >= 3


@animal(0.5, chats=True, attacks=True)
async def ghost(cage: Cage) -> None:
    """Loses its seat for good to a computer and chats on from it. The server: the taunt server
    refuses it.
    """
    _, plain = cage.manners()
    plain = replace(plain, options=(HEARTS | 0b1100, 10_000, cage.grounds.turn_limit))
    numbers = b""
    replaced = trio.Event()

    def enough(session: OwnSession) -> bool:
        nonlocal numbers
        if seated(session):
            numbers = credentials_of(session, plain)
        return _nearly_over(session)

    async def stay() -> None:
        wish = Wish(2, REPLACE_PLAYER, ints(1))
        settings = DealerSettings(
            name="Haunted",
            process_id=cage.random.randrange(2**31),
            table=plain.table,
            options=plain.options,
            wishes=(wish,),
        )
        async with cage.visit() as visit:
            # It opens the table; only then the other one comes.
            session = PlayerConnection(settings)
            nursery.start_soon(follow)
            await visit.converse(session, until=_third_hand)
            cage.tally.saw["times replaced"] += 1
            replaced.set()
            await _register_anew(cage, numbers)
            await trio.sleep(2)
        nursery.cancel_scope.cancel()

    async def follow() -> None:
        await trio.sleep(0.3)
        with suppress(Gone):
            async with cage.visit() as visit:
                await visit.converse(OwnSession(plain), until=enough)
        if numbers:
            with suppress(Gone):
                await _chat_on(cage, numbers, replaced)

    async with trio.open_nursery() as nursery:
        with suppress(Gone):
            await stay()
        nursery.cancel_scope.cancel()


async def _chat_on(cage: Cage, numbers: bytes, replaced: trio.Event) -> None:
    """Keep the connection from before, and use it."""
    async with cage.visit(cage.grounds.taunt_port) as visit:
        await register(visit, numbers)
        await replaced.wait()
        await visit.send(numbers, text("boo"))
        await visit.watch(1)
        cage.tally.saw["CHATS ON THOUGH REPLACED"] += 1


async def _register_anew(cage: Cage, numbers: bytes) -> None:
    with suppress(Gone):
        async with cage.visit(cage.grounds.taunt_port) as visit:
            await visit.send(numbers)
            await visit.reply()
            cage.tally.saw["REGISTERED THOUGH REPLACED"] += 1
