"""Names of private tables that strangers try out, over sockets from several networks.

Time stands still, so a budget that is used up stays so.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio
from trio.testing import MockClock

from hearts.dealer import messages as m
from hearts.errors import Fault
from hearts.limits.tries import FREE_TRIES
from hearts.session import table_words as w
from hearts.session.wishes import TellTable
from tests.dealer.payloads import frame

from .friends import Friend
from .house import HOST, Caller, listening, text

SECRET = "ann-1234"
NOBODY, THERE = 1, 2
"""Replies to block -12."""
ENOUGH = -2


@asynccontextmanager
async def calling(port: int, network: int) -> AsyncIterator[Caller]:
    """A connection from a network of its own that has said its name."""
    address = f"127.0.{network}.1"
    async with await trio.open_tcp_stream(HOST, port, local_address=address) as stream:
        caller = Caller(stream)
        await caller.number()
        await caller.send(text("Guess"))
        yield caller


def look_at(name: str) -> tuple[int, int, bytes]:
    return -12, len(name), name.encode()


async def look(port: int, network: int, name: str) -> int:
    async with calling(port, network) as caller:
        await caller.send(*look_at(name))
        return await caller.number()


async def test_a_network_that_guesses_is_told_nothing_more(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    async with listening(tmp_path) as running, calling(running.port, 1) as ann:
        await ann.send(-4, text(SECRET), 1000)
        assert await ann.number() == 0
        heard = [await look(running.port, 2, f"ann-{number}") for number in range(FREE_TRIES + 20)]
        assert heard == [NOBODY] * FREE_TRIES + [ENOUGH] * 20
        # The answer says nothing, not even of a table that is there.
        assert await look(running.port, 2, SECRET) == ENOUGH
        assert await look(running.port, 3, SECRET) == THERE
        # To open a table, or to join one, is no question.
        for name in ("bob-1", "bob-2", SECRET):
            async with calling(running.port, 2) as guest:
                await guest.send(-4, text(name))
                assert await guest.number() == (name == SECRET)


async def test_the_same_question_again_is_none(tmp_path: Path, mock_clock: MockClock) -> None:
    async with listening(tmp_path) as running:
        async with calling(running.port, 2) as caller:
            for name in ["soon", "later"] * FREE_TRIES:
                await caller.send(*look_at(name))
                assert await caller.number() == NOBODY
            # Nor is it one in the words of the dealer dialect.
            await caller.send(-6, 1, -4, text("own"), 7)
            assert await caller.numbers(2) == (1, 0)
            friend = Friend(caller)
            for _ in range(FREE_TRIES):
                for name in ("soon", "later"):
                    await caller.send(frame(TellTable(0, name)))
                    assert (await friend.hear(m.AnswerError)).reason == Fault.NOT_NOW
        heard = [await look(running.port, 2, f"other {number}") for number in range(FREE_TRIES - 1)]
        assert heard == [NOBODY] * (FREE_TRIES - 2) + [ENOUGH]


async def test_the_dealer_dialect_asks_within_the_same_budget(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    async with listening(tmp_path) as running, calling(running.port, 1) as ann:
        await ann.send(-4, text(SECRET), 1000)
        assert await ann.number() == 0
        for network, is_told in ((2, False), (3, True)):
            async with calling(running.port, network) as caller:
                await caller.send(-6, 1, -4, text(f"own {network}"), 7)
                assert await caller.numbers(2) == (1, 0)
                friend = Friend(caller)
                if not is_told:
                    for number in range(FREE_TRIES):
                        guess = TellTable(0, f"ann-{number}")
                        await caller.send(frame(guess))
                        assert (await friend.hear(m.AnswerError)).reason == Fault.NOT_NOW
                asked = TellTable(0, SECRET)
                await caller.send(frame(asked))
                if is_told:
                    assert (await friend.hear(w.TableMessage)).table == SECRET
                else:
                    assert (await friend.hear(m.AnswerError)).reason == Fault.NOT_NOW
                    assert await look(running.port, network, SECRET) == ENOUGH
