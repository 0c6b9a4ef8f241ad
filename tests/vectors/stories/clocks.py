"""Choices that the server makes because time runs out, crossing late ones in both orders."""

from __future__ import annotations

from tests.vectors.scribe import Scribe, Story

from .common import EXAMPLE, at_table

LIMIT = 10


async def begin(s: Scribe) -> None:
    await at_table(s, EXAMPLE, rules="pass=never", turn_limit=LIMIT)


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


async def card_crosses(s: Scribe) -> None:
    await begin(s)
    s.turns[1, 2] = late_card
    await s.play_hand(1)
    await s.leave()


async def illegal_card_crosses(s: Scribe) -> None:
    await begin(s)
    s.turns[1, 2] = illegal_late_card
    await s.play_hand(1)
    await s.leave()


async def card_missed(s: Scribe) -> None:
    await begin(s)
    s.turns[1, 2] = missed_card
    await s.play_hand(1)
    await s.leave()


async def card_missed_and_more(s: Scribe) -> None:
    """The client reads on before it sends what it owes."""
    await begin(s)

    async def fall_behind(s: Scribe) -> None:
        s.fall_behind()
        await missed_card(s)

    async def catch_up(s: Scribe) -> None:
        await s.catch_up()
        await s.turn(3)

    s.turns = {(1, 2): fall_behind, (1, 3): catch_up}
    await s.play_hand(1)
    await s.leave()


async def played_at_once(s: Scribe) -> None:
    """Two limits are lost in this hand, so a stand-in plays without waiting."""
    await missed_card(s, 0)


async def silent_client(s: Scribe) -> None:
    """Two limits are lost, then a stand-in plays at once to the end of the hand."""
    await begin(s)

    async def miss(s: Scribe) -> None:
        if s.trick_number == 1:
            s.fall_behind()
        await s.wait(LIMIT - 1)
        assert not s.house.wire.output
        await missed_card(s, 1)

    s.turns = {(1, trick): played_at_once for trick in range(3, 14)}
    s.turns[1, 1] = s.turns[1, 2] = miss
    await s.play_hand(1)
    await s.leave()


async def owed_ack(s: Scribe) -> None:
    """The clock waits for acknowledgements, but not for ever."""
    await begin(s)

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

    s.turns = {(1, trick): played_at_once for trick in range(3, 14)}
    s.turns[1, 1], s.turns[1, 2] = fall_behind, wait_long
    await s.play_hand(1)
    await s.leave()


async def pass_crosses(s: Scribe) -> None:
    await at_table(s, EXAMPLE, turn_limit=LIMIT)

    async def late(s: Scribe) -> None:
        await s.wait(LIMIT)
        await s.pass_cards([5, 4, 9])

    s.turns[1, "pass"] = late
    await s.dealt(1)
    await s.leave()


async def pass_missed(s: Scribe) -> None:
    await at_table(s, EXAMPLE, turn_limit=LIMIT)

    async def missed(s: Scribe) -> None:
        await s.wait(LIMIT)
        assert await s.pass_status([]) == 1
        await s.owed(*s.passed)

    s.turns[1, "pass"] = missed
    await s.dealt(1)
    await s.leave()


def clocks() -> dict[str, Story]:
    """The cases of the file of this name."""
    return {
        "a card crosses the status": card_crosses,
        "an illegal card crosses the status": illegal_card_crosses,
        "the status comes before the card is sent": card_missed,
        "the status comes, and more, before the card is sent": card_missed_and_more,
        "a client that says nothing": silent_client,
        "the clock waits for an acknowledgement": owed_ack,
        "a pass crosses the status": pass_crosses,
        "the status comes before the pass is sent": pass_missed,
    }
