"""Choices that the server makes because time runs out, crossing late ones in both orders."""

from __future__ import annotations

from functools import partial

from tests.vectors.scribe import Scribe, Story, Turn

from .common import EXAMPLE, Turns, at_table, one_hand, pass_only

LIMIT = 10


async def on_the_clock(s: Scribe, turns: Turns) -> None:
    await at_table(s, EXAMPLE, rules="pass=never", turn_limit=LIMIT)
    await one_hand(s, turns)


async def late_card(s: Scribe) -> None:
    """A choice that is sent when the server has decided already."""
    await s.wait(LIMIT)
    await s.play(s.other_than_low())
    assert await s.play_status() > 0


async def illegal_late_card(s: Scribe) -> None:
    await s.wait(LIMIT)
    await s.play(12)
    assert await s.play_status() > 0


async def missed_card(s: Scribe, seconds: float = LIMIT) -> None:
    """Nothing was sent before the status came."""
    await s.wait(seconds)
    status = await s.play_status()
    assert status > 0
    await s.owed(status - 1)


async def fall_behind(s: Scribe) -> None:
    s.fall_behind()
    await missed_card(s)


async def catch_up(s: Scribe) -> None:
    await s.catch_up()
    await s.turn(3)


async def played_at_once(s: Scribe) -> None:
    """Two limits are lost in this hand, so a stand-in plays without waiting."""
    await missed_card(s, 0)


async def silent_client(s: Scribe) -> None:
    """Two limits are lost, then a stand-in plays at once to the end of the hand."""

    async def miss(s: Scribe) -> None:
        if s.trick_number == 1:
            s.fall_behind()
        await s.wait(LIMIT - 1)
        assert not s.house.wire.output
        await missed_card(s, 1)

    await on_the_clock(s, {1: miss, 2: miss, **dict.fromkeys(range(3, 14), played_at_once)})


async def owed_ack(s: Scribe) -> None:
    """The clock waits for acknowledgements, but not for ever."""

    async def fall_behind(s: Scribe) -> None:
        await s.turn(1)
        s.fall_behind()

    async def wait_long(s: Scribe) -> None:
        await s.wait(2 * LIMIT - 1)
        assert not s.house.wire.output
        await s.wait(1)
        status = await s.play_status()
        await s.owed(status - 1)
        await s.catch_up()

    turns = {1: fall_behind, 2: wait_long, **dict.fromkeys(range(3, 14), played_at_once)}
    await on_the_clock(s, turns)


async def late_pass(s: Scribe) -> None:
    await s.wait(LIMIT)
    await s.pass_cards([5, 4, 9])


async def missed_pass(s: Scribe) -> None:
    await s.wait(LIMIT)
    assert await s.pass_status([]) == 1
    await s.owed(*s.passed)


async def to_the_pass(s: Scribe, turn: Turn) -> None:
    await at_table(s, EXAMPLE, turn_limit=LIMIT)
    await pass_only(s, turn)


def clocks() -> dict[str, Story]:
    """The cases of the file of this name."""
    return {
        "a card crosses the status": partial(on_the_clock, turns={2: late_card}),
        "an illegal card crosses the status": partial(on_the_clock, turns={2: illegal_late_card}),
        "the status comes before the card is sent": partial(on_the_clock, turns={2: missed_card}),
        "the status comes, and more, before the card is sent": partial(
            on_the_clock, turns={2: fall_behind, 3: catch_up}
        ),
        "a client that says nothing": silent_client,
        "the clock waits for an acknowledgement": owed_ack,
        "a pass crosses the status": partial(to_the_pass, turn=late_pass),
        "the status comes before the pass is sent": partial(to_the_pass, turn=missed_pass),
    }
