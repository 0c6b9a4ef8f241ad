"""What the host says at the console of one node counts wherever the table is, in virtual time."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.dealer.frames import encode_frame
from hearts.dealer.numbers import MessageType
from hearts.net import TcpStream
from hearts.session import table_words as w
from hearts.session.messages import Refusal
from hearts.session.wishes import AnswerInvitation, BeInvitable
from hearts_server.cluster.calling import CALL_LIMIT
from hearts_server.cluster.handshake import Errand
from hearts_server.console.acts import END_LIMIT, ENDED, SAID
from hearts_server.console.between_nodes import REPLY_LIMIT
from hearts_server.console_protocol import (
    Answer,
    Done,
    EndTable,
    InviteToTable,
    LookAround,
    MutePlayer,
    NotDone,
    RemoveFromSeat,
    Request,
    SayToTables,
    TableLine,
    TableStage,
)
from tests.dealer.payloads import payload
from tests.integration.friends import Friend, numbered
from tests.integration.house import options, register, text

from .club_desk import NEWS_COME, ClubDesk, DeskNode, club_desk
from .test_club import KEPT, alone

CHAT = ("--taunt-port", "7")
"""There is a chat somewhere, and nobody has reached it yet."""


async def no_answer(_stream: TcpStream) -> None:
    """Take what another node asks, and say nothing."""
    await trio.sleep_forever()


async def answered(node: DeskNode, request: Request) -> Answer:
    """The only line of an answer."""
    (answer,) = await node.ask(request)
    return answer


async def tables(node: DeskNode) -> list[TableLine]:
    """The tables that the console of a node shows."""
    *lines, last = await node.ask(LookAround())
    assert isinstance(last, Done)
    return [line for line in lines if isinstance(line, TableLine)]


async def one_each(desk: ClubDesk) -> None:
    """Each node plays a table, whose game has the number of its life."""
    for life in desk.nodes:
        await (await alone(desk.nodes[life], f"Ann{life}")).seated()
    assert desk.owners() == {life: life for life in desk.nodes}
    await trio.sleep(NEWS_COME)


async def test_a_table_is_ended_at_whichever_node_that_is_said(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        await one_each(desk)
        for game, life in ((3, 1), (1, 2), (2, 2)):
            ended = await answered(desk.nodes[life], EndTable(game))
            assert ended == Done(f"game {game} has ended")
            assert desk.store.sessions[game].why == ENDED
            # Whatever the news said last.
            assert game not in [each.game for each in await tables(desk.nodes[life])]
        nobody = NotDone("no table plays game 9; `hearts-server tables` lists those that do")
        assert await answered(desk.nodes[2], EndTable(9)) == nobody
    assert caplog.text.count("console-elsewhere") == 2


async def test_the_answer_waits_for_the_database_of_the_other_node(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        await one_each(desk)
        began = trio.current_time()
        with desk.store.silent():
            answer = await answered(desk.nodes[1], EndTable(2))
        assert trio.current_time() - began == pytest.approx(END_LIMIT)
        assert answer == NotDone(
            "nobody plays game 2 any more; it ends as soon as that can be stored"
        )


async def test_who_is_removed_from_another_node_stays_so_when_that_dies(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, owner = desk.nodes.values()
        await (await alone(lobby, "Eve")).seated()
        callers = [await owner.call() for _ in range(2)]
        await register(callers[0], -2, *options(end=100, computers=0b1100), name="Ann")
        await register(callers[1], name="Bob")
        game, game_id = await callers[1].numbers(2)
        await trio.sleep(NEWS_COME)
        removed = await answered(lobby, RemoveFromSeat(game, 1))
        assert removed == Done(f"Bob is removed from seat 1 of game {game}")
        await desk.kill(owner)
        back = await lobby.call()
        await back.number()
        await back.send(text("Bob"), -5, game, game_id, 1, 1000, 0)
        assert await back.number() == Refusal.NO_SUCH_GAME


async def test_all_tables_are_told_or_one_wherever_it_is(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        listeners = [
            await Friend.come(node, f"Ann{life}", -2, *options(computers=0b1110), table="")
            for life, node in desk.nodes.items()
        ]
        await trio.sleep(NEWS_COME)
        assert await answered(desk.nodes[2], SayToTables("soon")) == Done(
            "1 table was told; at node n1 1 table was told; at node n3 1 table was told"
        )
        for listener in listeners:
            assert (await listener.hear(w.ServerNotice)).text == f"{SAID}soon"
        assert await answered(desk.nodes[2], SayToTables("now", 3)) == Done("1 table was told")
        assert (await listeners[2].hear(w.ServerNotice)).text == f"{SAID}now"
        for listener in listeners[:2]:
            assert MessageType.SERVER_NOTICE not in await listener.types_up_to_pong()
        assert isinstance(await answered(desk.nodes[2], SayToTables("a\nb")), NotDone)


async def test_somebody_is_muted_by_his_name_at_any_node(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT, *CHAT) as desk:
        await one_each(desk)
        await (await alone(desk.nodes[1], "Ann2")).seated()
        await trio.sleep(NEWS_COME)
        later = "is muted, as soon as the chat is back"
        assert await answered(desk.nodes[1], MutePlayer("Ann3")) == Done(f"Ann3 (3/0) {later}")
        assert await answered(desk.nodes[3], MutePlayer("Ann2")) == NotDone(
            "several people are called Ann2; say which: 2/0, 4/0"
        )
        assert await answered(desk.nodes[3], MutePlayer("2/0")) == Done(f"Ann2 (2/0) {later}")
        assert await answered(desk.nodes[3], MutePlayer("9/0")) == NotDone(
            'nobody at a table that plays is "9/0"'
        )
        assert await answered(desk.nodes[3], MutePlayer("Moe")) == NotDone(
            "nobody at a table that plays is Moe"
        )
        muted = {each.game: each.seats[0].muted for each in await tables(desk.nodes[1])}
        assert muted == {1: False, 2: True, 3: True, 4: False}


async def test_somebody_is_invited_at_any_node(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, other = desk.nodes.values()
        await Friend.come(lobby, "Ann", table="den")
        eve = await Friend.come(other, "Eve", table="eve waits")
        await eve.say(BeInvitable(0, True))
        await eve.hear(w.Taken)
        assert {each.name: each.seats[0].invitable for each in await tables(other)} == {
            "den": 0,
            "eve waits": 1,
        }
        answers: list[Answer] = []

        async def invite() -> None:
            answers.append(await answered(other, InviteToTable("1", "den")))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(invite)
            number, _ = await numbered(eve, w.InvitationMessage)
            # He takes his time.
            await trio.sleep(3 * REPLY_LIMIT)
            await eve.caller.send(encode_frame(166, number, payload(AnswerInvitation(0, True))))
        assert answers == [Done("Eve comes to den")]


async def test_all_nodes_show_the_same_tables(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        await one_each(desk)
        await Friend.come(desk.nodes[3], "Eve", table="den")
        shown = [
            sorted(await tables(node), key=lambda each: each.game) for node in desk.nodes.values()
        ]
        assert shown[0] == shown[1] == shown[2]
        assert [each.game for each in shown[0]] == [0, 1, 2, 3]
        # The address is known where the table is.
        assert all(each.seats[0].address for each in shown[0])


async def test_a_node_that_cannot_be_reached_is_named(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        await one_each(desk)
        host = desk.nodes[1]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(desk.kill, desk.nodes[3], 2.5)
            await wait_all_tasks_blocked()
            nothing = "node n3 cannot be reached, and has done nothing"
            assert await answered(host, EndTable(3)) == NotDone(nothing)
            assert await answered(host, SayToTables("hello")) == NotDone(
                f"1 table was told; at node n2 1 table was told; {nothing}"
            )
            *lines, last = await host.ask(LookAround())
            # What was known of it is shown all the same.
            assert [each.game for each in lines if isinstance(each, TableLine)] == [1, 2, 3]
            assert last == Done("3 tables; no answer of n3, whose tables are as last told")
        # Another node has its table by and by.
        await trio.sleep(NEWS_COME)
        assert await answered(host, EndTable(3)) == Done("game 3 has ended")


async def test_a_node_that_does_not_answer_in_time_is_named(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        await one_each(desk)
        desk.nodes[2].port.take_acts(no_answer)
        for request, limit in (
            (EndTable(2), END_LIMIT + REPLY_LIMIT),
            (MutePlayer("Ann2"), REPLY_LIMIT),
        ):
            began = trio.current_time()
            assert await answered(desk.nodes[1], request) == NotDone(
                "node n2 has not answered in time; it may have done it all the same"
            )
            assert trio.current_time() - began == pytest.approx(limit, abs=CALL_LIMIT)
        lines = await tables(desk.nodes[1])
        assert [(each.game, each.state) for each in lines] == [
            (1, TableStage.PLAYING),
            (2, TableStage.PLAYING),
        ]


async def test_a_game_whose_node_is_over_is_ended_by_whoever_is_asked(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 3, *KEPT) as desk:
        await one_each(desk)
        with desk.store.silent():
            await desk.kill(desk.nodes[3])
            began = trio.current_time()
            assert await answered(desk.nodes[1], EndTable(3)) == NotDone(
                "nobody can tell now which node plays game 3; try again later"
            )
            assert trio.current_time() - began == pytest.approx(REPLY_LIMIT)
            await desk.kill(desk.nodes[2])
        assert await answered(desk.nodes[1], EndTable(2)) == Done("game 2 has ended")


async def test_a_table_is_found_before_any_news_tell_of_it(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        lobby, other = desk.nodes.values()
        await (await alone(lobby, "Ann")).seated()
        assert other.playing.tables.owner(1) == 0
        assert await answered(other, EndTable(1)) == Done("game 1 has ended")


async def test_who_has_no_lobby_invites_nobody(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with club_desk(tmp_path, 2, *KEPT) as desk:
        await desk.kill(desk.nodes[1])
        assert await answered(desk.nodes[2], InviteToTable("Eve", "den")) == NotDone(
            "no node is the lobby now, so no table forms; try again in a moment"
        )


async def test_nonsense_of_a_node_is_refused_and_it_is_let_go(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with club_desk(tmp_path, 1, *KEPT) as desk:
        node = desk.nodes[1]
        for said in (b"{}\n", b""):
            stream = await node.caller.call(node.own.address, Errand.ACT)
            assert isinstance(stream, trio.SocketStream)
            async with stream:
                await stream.send_all(said)
                await stream.send_eof()
                answer = b"".join([bytes(data) async for data in stream])
                assert (b"refused" in answer) == bool(said)
