"""Nodes of a club, whole, in virtual time: who plays what, who is led where, what a death changes.

The clients share no code with the server. As processes the same nodes are tested in
tests/cluster/test_spread.py and test_nodes.py.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from hearts.hosting.registrar import BegunElsewhere
from hearts.limits import network_of
from hearts.limits.tables import FIRST_TABLES
from hearts.session import table_words as w
from hearts.session.messages import Refusal
from hearts.session.registration import HalfRegistered, Watch
from hearts.session.wishes import BeInvitable, TellInvitable
from hearts_server.club.news import News
from hearts_server.club.owner import BEGIN_LIMIT
from hearts_server.club.tables import UNEVEN
from hearts_server.cluster.calling import Caller as NodeCaller
from hearts_server.cluster.calling import exactly, socket_stream
from hearts_server.cluster.doors import ANSWER_LIMIT
from hearts_server.cluster.handshake import Errand
from hearts_server.cluster.letters import ANSWER, SIZE, Letter
from hearts_server.config import TryLater
from hearts_server.lobby.waiting_line import HURRIED_WAIT, WAIT_LIMIT
from hearts_server.server import FULL, ROOM_AFTER
from tests.independent.client import Fact, Session, Settings
from tests.integration.dealers import eventually, until
from tests.integration.friends import Friend
from tests.integration.house import HEARTS, Caller, judge, listed, options, register, text
from tests.journal.desk import session as some_session
from tests.journal.memory import Kept

from .club_desk import ADDRESS, NEWS_COME, SECRET, ClubDesk, DeskNode, club_desk

SHORT = (HEARTS, 5, 0)
"""A session of about one hand."""
NAMES = ("Ann", "Bob", "Cleo", "Dan")
KEPT = ("--pause-limit", "600", "--fill-after", "never")


def people(seed: int, table: str | None = None, think: float = 0.0) -> list[Session]:
    """Four who play at one table."""
    return [
        Session(
            Settings(
                name=f"{name}{seed}",
                process_id=10 * seed + n,
                table=table,
                options=SHORT,
                seed=n,
                think_seconds=think,
                think_chance=1.0 if think else 0.0,
            )
        )
        for n, name in enumerate(NAMES)
    ]


def has_seen(facts: Sequence[Fact], count: int) -> bool:
    """Whether a client knows of more than so much."""
    return len(facts) > count


async def one(session: Session, node: DeskNode) -> None:
    """Come to a node, and play to the end."""
    caller = await node.call()
    await caller.converse(session.talk())
    await caller.stream.aclose()


async def alone(node: DeskNode, name: str, *blocks: int | bytes) -> Caller:
    """Somebody at a table with computers, which begins at once."""
    caller = await node.call()
    await register(caller, *blocks, -2, *options(end=100, computers=0b1110), name=name)
    return caller


async def test_four_who_come_to_different_nodes_play_together(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        nodes = [desk.nodes[life] for life in (1, 2, 3, 2)]
        for table in (None, "friends"):
            sessions = people(1, table)
            async with trio.open_nursery() as nursery:
                for session, node in zip(sessions, nodes, strict=True):
                    nursery.start_soon(one, session, node)
            assert judge(sessions).games == 1
        stored = desk.store.stored()
        assert [each.why for each in stored] == ["the players are done"] * 2


async def busy(desk: ClubDesk, life: int, count: int) -> None:
    """Have a node play so many tables, of one person each who has come there."""
    for number in range(count):
        await (await alone(desk.nodes[life], f"Eve{life}{number}")).seated()


async def test_who_comes_back_finds_his_table_wherever_it_is(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    settings = Settings(name="Ann", process_id=7, options=options(end=30, computers=0b1110), seed=3)
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        await (await alone(desk.nodes[1], "Bob")).seated()
        session = Session(settings)
        for turn, life in enumerate((2, 1, 3, 2), 1):
            caller = await desk.nodes[life].call()
            if turn > 1:
                session = Session(settings, session.ticket)
            facts, count = session.facts, 10 * turn
            await caller.converse(until(session.talk(), partial(has_seen, facts, count)))
            await caller.stream.aclose()
            assert desk.owners()[2] == 2
        # Its node dies: whoever has it next is found, and nobody is refused meanwhile.
        async with trio.open_nursery() as nursery:
            nursery.start_soon(desk.kill, desk.nodes[2], 2.5)
            last = Session(settings, session.ticket)
            await one(last, desk.nodes[3])
        assert last.facts[-1].kind == "end"
        assert desk.store.owners[2] in (1, 3)


async def test_tables_of_others_go_on_when_the_lobby_dies(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        lobby, second, third = desk.nodes.values()
        alone_at_lobby = await alone(lobby, "Eve")
        await alone_at_lobby.seated()
        sessions = people(2, think=0.1)
        # Three of them come through the owner of their table, and one through another door.
        doors = [second, second, third, second]
        async with trio.open_nursery() as nursery:
            for session, node in zip(sessions, doors, strict=True):
                nursery.start_soon(one, session, node)
            await eventually(lambda: all(has_seen(each.facts, 2) for each in sessions))
            assert desk.owners() == {1: 1, 2: 2}
            await desk.kill(lobby)
        assert judge(sessions).games == 1
        # What the lobby played is taken up, and its name stays taken.
        await trio.sleep(NEWS_COME)
        assert list(desk.owners()) == [1]
        await desk.make_lobby(third)
        caller = await second.call()
        await caller.number()
        await caller.send(text("Dan"))
        ((_, number, _, names),) = await listed(caller)
        assert (number, names[0]) == (1, "Eve")


async def test_who_cannot_give_numbers_to_games_is_no_lobby(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """His machine may have a full disk, and another node none."""
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, other = desk.nodes.values()
        await (await alone(lobby, "Eve")).seated()
        await desk.kill(lobby)
        number = other.data_dir.path / "game-number"
        number.unlink()
        number.mkdir()
        with pytest.raises(TryLater, match="--data-dir: cannot write"):
            await desk.make_lobby(other)


async def test_nobody_is_hurried_after_a_takeover_of_the_lobby(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Whoever registers is waited for as long as ever, though many come back just then."""
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, other = desk.nodes.values()
        await (await alone(lobby, "Eve")).seated()
        await desk.kill(lobby)
        await desk.make_lobby(other)
        first, second = await other.call(), await other.call()
        assert await first.number() == 0
        assert await second.silent(WAIT_LIMIT - HURRIED_WAIT)
        await first.send(text("Ann"), 1000)
        # He is seated where she is.
        assert await second.number() == 1


async def test_a_table_whose_owner_dies_before_it_begins_begins_elsewhere(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        await busy(desk, 1, UNEVEN + 1)
        await busy(desk, 2, 1)
        async with trio.open_nursery() as nursery:
            # The lobby has heard of it a moment ago, so that it gets the next table.
            nursery.start_soon(desk.kill, desk.nodes[3], 1.0)
            caller = await alone(desk.nodes[1], "Ann")
            game, names = await caller.seated()
            assert names[0] == "Ann"
        assert f"table-placed game={game} life=3" in caplog.text
        assert desk.owners()[game] in (1, 2)


async def test_a_table_begins_without_whoever_does_not_come(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        lobby, owner, door = desk.nodes.values()
        await (await alone(lobby, "Eve")).seated()
        came = await owner.call()
        await register(came, -2, *options(end=100, computers=0b1100), name="Ann")
        lost = await door.call()
        assert await lost.number() == 1
        with desk.store.silent():
            await lost.send(text("Bob"), 1001)
            await trio.sleep(1.0)
            # Whoever leads him dies before the table is stored.
            await desk.kill(door)
        stored = trio.current_time()
        _, names = await came.seated()
        assert names[:2] == ["Ann", "Bob"]
        assert trio.current_time() - stored == pytest.approx(BEGIN_LIMIT, abs=0.5)
        assert desk.owners() == {1: 1, 2: 2}


async def test_nothing_is_told_while_the_lease_is_over(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT, "--bot-pause", "0.1") as desk:
        lobby, owner = desk.nodes.values()
        # So the other one plays for both: it is led there, and it has come there.
        await busy(desk, 1, UNEVEN + 1)
        for door in (lobby, owner):
            caller = await alone(door, "Ann")
            game, _ = await caller.seated()
            assert desk.owners()[game] == owner.life
            owner.is_open = False
            while not await caller.silent(1.0):
                await caller.take(1)
            owner.renew()
            await trio.sleep(NEWS_COME)
            assert await caller.take(1)
            await caller.stream.aclose()


async def test_a_letter_is_answered_though_the_database_is_silent(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    half = HalfRegistered(4, 3, reasons=False, dealer=False, rest=b"")
    letter = Letter(7, 1, BegunElsewhere("Ann", half, Watch(7))).encode()
    async with club_desk(tmp_path, 1, *KEPT) as desk:
        node = desk.nodes[1]
        stream = await NodeCaller(SECRET).call(node.own.address, Errand.LETTER, ADDRESS)
        async with socket_stream(stream):
            with desk.store.silent(), trio.fail_after(ANSWER_LIMIT):
                await stream.send_all(SIZE.pack(len(letter)) + letter)
                assert ANSWER.unpack(await exactly(stream, ANSWER.size)) == (0,)
                assert not await stream.receive_some(1)


async def test_who_comes_back_while_the_database_is_silent_is_asked_to_try_again(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        settings = Settings(name="Ann", process_id=7, options=options(computers=0b1110), seed=3)
        session = Session(settings)
        caller = await desk.nodes[2].call()
        await caller.converse(until(session.talk(), partial(has_seen, session.facts, 5)))
        await caller.stream.aclose()
        await desk.kill(desk.nodes[1])
        with desk.store.silent():
            desk.lobby_life = 2
            caller = await desk.nodes[2].call()
            assert await caller.number() == Refusal.SERVER_FULL
        await desk.make_lobby(desk.nodes[2])
        last = Session(settings, session.ticket)
        caller = await desk.nodes[2].call()
        await caller.converse(until(last.talk(), partial(has_seen, last.facts, 20)))


async def test_a_full_club_ends_a_table_that_nobody_plays_at_wherever_it_is(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    most = FIRST_TABLES + 2
    async with club_desk(tmp_path, 2, *KEPT, "--max-tables", str(most)) as desk:
        other = desk.nodes[2]
        for number in range(1, most + 1):
            caller = await alone(desk.nodes[2 - number % 2], f"Ann{number}")
            await caller.seated()
            # All of them leave but the one whose table could give way before the last one.
            if number != most - 1:
                await caller.stream.aclose()
            await trio.sleep(NEWS_COME)
        assert desk.owners() == {number: 2 - number % 2 for number in range(1, most + 1)}
        assert await (await alone(other, "Eve")).number() == Refusal.SERVER_FULL
        await trio.sleep(ROOM_AFTER)
        assert (await (await alone(other, "Eve")).seated())[0] == most + 1
        await trio.sleep(NEWS_COME)
        assert list(desk.owners()) == [*range(1, most), most + 1]
        assert desk.store.sessions[most].why == FULL


async def test_who_waits_to_be_invited_is_told_at_the_tables_of_all_nodes(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    alone_there = (-2, *options(computers=0b1110))
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, other = desk.nodes.values()
        players = [
            await Friend.come(node, name, *alone_there, table="")
            for node, name in ((lobby, "Ann"), (other, "Bob"))
        ]
        assert desk.owners() == {1: 1, 2: 2}
        eve = await Friend.come(other, "Eve", table="eve waits")
        for is_waiting in (True, False):
            await eve.say(BeInvitable(0, is_waiting))
            await trio.sleep(NEWS_COME)
            for player in players:
                await player.say(TellInvitable(0))
                if is_waiting:
                    told = await player.hear(w.InvitableMessage)
                    assert (told.number, told.info.name) == (1, "Eve")
                assert (await player.hear(w.InvitableCount)).count == is_waiting


async def test_people_hear_of_a_table_that_cannot_be_stored(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        # Somebody has used the number.
        desk.store.sessions[1] = Kept(some_session(), ended=1, why="another one")
        caller = await alone(desk.nodes[2], "Ann", -4, text("friends"))
        assert await caller.number() == 0
        assert await caller.number() == Refusal.SERVER_FULL
        assert await caller.ended()
        # The name is free, and so is the next number.
        caller = await alone(desk.nodes[2], "Ann", -4, text("friends"))
        assert await caller.number() == 0
        assert (await caller.seated())[0] == 2


async def test_news_of_a_life_that_is_over_count_for_nothing(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """A node tells what it has until it finds out that the others have gone on without it."""
    home = "198.51.100.1"
    async with club_desk(tmp_path, 2, *KEPT, "--max-per-address", "5") as desk:
        lobby, other = desk.nodes.values()
        stream = await NodeCaller(SECRET).call(lobby.own.address, Errand.NEWS)
        async with socket_stream(stream):
            await desk.kill(other)
            await stream.send_all(News(2, networks={network_of(home): 5}).encode())
            await trio.sleep(NEWS_COME)
            caller = await lobby.call(home)
            await register(caller, -2, *options(computers=0b1110), name="Ann")
            assert (await caller.seated())[1][0] == "Ann"


async def test_a_chat_is_gone_with_its_lobby_until_the_next_one_has_told_of_its_own(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, other = desk.nodes.values()
        other.playing.chat.lobby_has(lobby.life, 1)
        other.playing.lives_changed(desk.nodes)
        assert other.playing.has_chat()
        # Else who waits for a chat is led in vain to a lobby that has none yet.
        await desk.kill(lobby)
        assert not other.playing.has_chat()


async def test_who_was_removed_stays_so_when_his_node_dies(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, owner = desk.nodes.values()
        await (await alone(lobby, "Eve")).seated()
        callers = [await owner.call() for _ in range(2)]
        await register(callers[0], -2, *options(end=100, computers=0b1100), name="Ann")
        await register(callers[1], name="Bob")
        game, game_id = await callers[1].numbers(2)
        host = owner.playing.server.sessions.playing(game)
        assert host is not None
        removed = trio.Event()
        assert host.seats.remove(1, removed.set)
        await removed.wait()
        await desk.kill(owner)
        # In the middle of the same hand.
        back = await lobby.call()
        await back.number()
        await back.send(text("Bob"), -5, game, game_id, 1, 1000, 0)
        assert await back.number() == Refusal.NO_SUCH_GAME
        assert desk.owners() == {1: 1, 2: 1}


async def test_a_node_that_ends_hands_its_tables_to_the_others(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, other = desk.nodes.values()
        settings = Settings(name="Ann", process_id=7, options=options(computers=0b1110), seed=3)
        await (await alone(lobby, "Eve")).seated()
        session = Session(settings)
        caller = await other.call()
        handed_over = trio.Event()
        async with trio.open_nursery() as nursery:
            talk = until(session.talk(), partial(has_seen, session.facts, 20))
            nursery.start_soon(caller.converse, talk)
            nursery.start_soon(other.playing.hand_over, handed_over.set)
            await trio.sleep(NEWS_COME)
            # It takes no more.
            await (await alone(other, "Dan")).seated()
            assert desk.owners() == {1: 1, 2: 2, 3: 1}
        await caller.stream.aclose()
        await handed_over.wait()
        await desk.kill(other)
        last = Session(settings, session.ticket)
        caller = await lobby.call()
        await caller.converse(until(last.talk(), partial(has_seen, last.facts, 20)))
        assert desk.owners()[2] == 1
