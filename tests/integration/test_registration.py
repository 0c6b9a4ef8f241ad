"""Registrations at their bounds; each block and each refusal is in tests/vectors/plain."""

from __future__ import annotations

import contextlib

import pytest
import trio

from .house import HEARTS, House, text

NAME = text("Ann")
ALONE = (-2, HEARTS | 0b1110, 30, 15)
"""Block -2 for three computers, so that the Game number comes at once."""


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


@pytest.mark.house("--name", "Friday club", "--password", "fish")
async def test_the_greeting_is_for_who_knows_the_password(made: House) -> None:
    caller = await made.call()
    await caller.number()
    await caller.send(NAME, -16, 0, -7, text("fish"), -16, 0, -16, 1, b"?")
    assert await caller.numbers(3) == (0, 1, 1)
    assert await caller.string() == "Friday club"
    assert await caller.number() == 0
