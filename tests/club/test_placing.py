"""A table of a club is played where most of its people have come, in virtual time."""

from __future__ import annotations

from pathlib import Path

import trio
from trio.testing import MockClock

from hearts_server.club.tables import UNEVEN
from tests.integration.house import listed, options, register, text

from .club_desk import NEWS_COME, ClubDesk, club_desk
from .test_club import KEPT, NAMES, alone, busy


async def placed(desk: ClubDesk, *doors: int) -> int:
    """The node that has the table of people who come by these doors, one after the other, with
    computers if they are not four."""
    computers = 0b1111 & ~((1 << len(doors)) - 1)
    callers = []
    for player, life in enumerate(doors):
        caller = await desk.nodes[life].call()
        blocks = () if player else (-2, *options(end=100, computers=computers))
        await register(caller, *blocks, name=NAMES[player])
        callers.append(caller)
    seated = [await caller.seated() for caller in callers]
    (game,) = {game for game, _ in seated}
    return desk.owners()[game]


async def test_people_who_have_come_by_one_node_play_there(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        for life in (2, 3, 2, 1):
            assert await placed(desk, *[life] * 4) == life
        # Computers come by no node.
        assert await placed(desk, 3) == 3
        await trio.sleep(NEWS_COME)
        # All of them are listed, whoever has them.
        caller = await desk.nodes[2].call()
        await caller.number()
        await caller.send(text("Eve"))
        assert sorted(number for _, number, _, _ in await listed(caller)) == [1, 2, 3, 4, 5]


async def test_people_who_have_come_by_several_nodes_play_where_most_are(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        assert await placed(desk, 1, 2, 2, 2) == 2
        assert await placed(desk, 1, 3, 2, 3) == 3
        # With a computer.
        assert await placed(desk, 2, 1, 2) == 2
        # As many by each: where fewer tables are.
        assert await placed(desk, 2, 2, 3, 3) == 3
        assert await placed(desk, 2, 1, 3) == 1


async def test_a_node_that_has_far_more_tables_gets_none_though_all_come_there(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        await busy(desk, 2, UNEVEN + 1)
        assert set(desk.owners().values()) == {2}
        assert await placed(desk, *[2] * 4) == 1
        assert await placed(desk, *[2] * 4) == 2


async def test_a_node_that_ends_gets_no_table_though_all_come_there(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        await (await alone(desk.nodes[2], "Eve")).seated()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(desk.nodes[2].playing.hand_over, lambda: None)
            await trio.sleep(NEWS_COME)
            assert await placed(desk, *[2] * 4) == 1
            nursery.cancel_scope.cancel()
