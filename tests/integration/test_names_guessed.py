"""Names of private tables that strangers of several networks try out.

Nobody waits, so no time passes, and a budget that is used up stays so.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from hearts.dealer import messages as m
from hearts.errors import Fault
from hearts.limits.tries import FREE_TRIES
from hearts.session import table_words as w
from hearts.session.wishes import AskForTable

from .friends import Friend
from .house import Caller, House, text

SECRET = "ann-1234"
NOBODY, THERE = 1, 2
"""Replies to block -12."""
ENOUGH = -2


@asynccontextmanager
async def calling(made: House, network: int, *said: int | bytes) -> AsyncIterator[Caller]:
    """A connection from a network of its own that has said its name, and more."""
    caller = await made.greet("Guess", *said, address=f"127.0.{network}.1")
    yield caller
    await caller.leave()


def look_at(name: str) -> tuple[int, int, bytes]:
    return -12, len(name), name.encode()


async def look(made: House, network: int, name: str) -> int:
    async with calling(made, network, *look_at(name)) as caller:
        return await caller.number()


@pytest.fixture
async def ann(made: House) -> AsyncIterator[None]:
    """Somebody waits at a private table."""
    async with calling(made, 1, -4, text(SECRET), 1000) as ann:
        assert await ann.number() == 0
        yield


async def test_a_network_that_guesses_is_told_nothing_more(made: House, ann: None) -> None:
    heard = [await look(made, 2, f"ann-{number}") for number in range(FREE_TRIES + 20)]
    assert heard == [NOBODY] * FREE_TRIES + [ENOUGH] * 20
    # The answer says nothing, not even of a table that is there.
    assert await look(made, 2, SECRET) == ENOUGH
    assert await look(made, 3, SECRET) == THERE
    # To open a table, or to join one, is no question.
    for name in ("bob-1", "bob-2", SECRET):
        async with calling(made, 2, -4, text(name)) as guest:
            assert await guest.number() == (name == SECRET)


async def test_the_same_question_again_is_none(made: House) -> None:
    async with calling(made, 2) as caller:
        for name in ["soon", "later"] * FREE_TRIES:
            await caller.send(*look_at(name))
            assert await caller.number() == NOBODY
        # Nor is it one in the words of the dealer dialect.
        await caller.send(-6, 1, -4, text("own"), 7)
        assert await caller.numbers(2) == (1, 0)
        friend = Friend(caller)
        for name in ["soon", "later"] * FREE_TRIES:
            await friend.say(AskForTable(0, name))
            assert (await friend.receive(m.AnswerError)).reason == Fault.NOT_NOW
    heard = [await look(made, 2, f"other {number}") for number in range(FREE_TRIES - 1)]
    assert heard == [NOBODY] * (FREE_TRIES - 2) + [ENOUGH]


async def test_the_dealer_dialect_asks_within_the_same_budget(made: House, ann: None) -> None:
    for network, is_told in ((2, False), (3, True)):
        async with calling(made, network, -6, 1, -4, text(f"own {network}"), 7) as caller:
            assert await caller.numbers(2) == (1, 0)
            friend = Friend(caller)
            if not is_told:
                for number in range(FREE_TRIES):
                    await friend.say(AskForTable(0, f"ann-{number}"))
                    assert (await friend.receive(m.AnswerError)).reason == Fault.NOT_NOW
            await friend.say(AskForTable(0, SECRET))
            if is_told:
                assert (await friend.receive(w.TableMessage)).table == SECRET
            else:
                assert (await friend.receive(m.AnswerError)).reason == Fault.NOT_NOW
                assert await look(made, network, SECRET) == ENOUGH
