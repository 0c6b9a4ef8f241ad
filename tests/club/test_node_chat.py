"""What a node says in the chat: to its own taunt server as the lobby, and else to the lobby."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from hearts.hosting.table_chat import GameNotice, Said, SeatHolder, SeatMuted
from hearts_server.club.node_chat import NodeChat

STANDING = (SeatHolder(1, 2, 3), GameNotice(1, "deal"))
KEPT = (GameNotice(1, "Ann has left"),)


@pytest.fixture
def passed_on() -> list[Said]:
    return []


def node_chat(passed_on: list[Said], *, in_use: bool = True, begins: bool = True) -> NodeChat:
    """The chat of a node that is not the lobby."""
    made = NodeChat(bytes(32), 1, in_use=in_use, begins=begins)
    made.is_lobby = lambda: False
    made.pass_on = passed_on.append
    made.take_back = passed_on.clear
    made.standing = lambda: STANDING
    made.kept = lambda: KEPT
    return made


@pytest.fixture
def chat(passed_on: list[Said]) -> NodeChat:
    return node_chat(passed_on)


def test_a_node_that_is_not_the_lobby_passes_everything_on(
    chat: NodeChat, passed_on: list[Said]
) -> None:
    muted = SeatMuted(1, 0, 7, muted=True)
    chat.announce(1, "hello")
    chat.seat(1, 2, 3)
    chat.mute(muted)
    assert passed_on == [GameNotice(1, "hello"), SeatHolder(1, 2, 3), muted]


def test_a_notice_needs_a_lease_and_what_stands_does_not(
    chat: NodeChat, passed_on: list[Said]
) -> None:
    chat.may_tell = lambda: False
    chat.announce(1, "hello")
    chat.seat(1, 2, 3)
    assert passed_on == [SeatHolder(1, 2, 3)]
    assert chat.dropped == 1


def test_a_taunt_server_that_comes_is_told_what_stands(
    chat: NodeChat, passed_on: list[Said]
) -> None:
    changed: list[bool] = []
    chat.changed = changed.append
    chat.lobby_has(5, 1)
    assert tuple(passed_on) == STANDING + KEPT
    assert chat.connected
    passed_on.clear()
    chat.lobby_has(5, 1)
    assert passed_on == []
    chat.lobby_has(5, 0)
    assert not chat.connected
    assert changed == [False]
    # It waits until there is a chat, and is kept by its table.
    chat.announce(1, "Ann has left")
    chat.lobby_has(5, 2)
    assert tuple(passed_on) == STANDING + KEPT
    assert changed == [False, True]
    passed_on.clear()
    # Another lobby has another one.
    chat.lobby_has(6, 1)
    assert tuple(passed_on) == STANDING + KEPT
    assert changed == [False, True]


def test_one_that_has_been_there_all_the_time_is_told_no_notice_twice(
    passed_on: list[Said],
) -> None:
    chat = node_chat(passed_on, begins=False)
    chat.announce(1, "Bob has left")
    chat.lobby_has(5, 1)
    assert tuple(passed_on) == (GameNotice(1, "Bob has left"), *STANDING)


def test_without_a_taunt_server_nothing_is_said(passed_on: list[Said]) -> None:
    chat = node_chat(passed_on, in_use=False)
    chat.announce(1, "hello")
    chat.seat(1, 2, 3)
    assert passed_on == []


async def test_the_lobby_passes_on_all_that_a_new_taunt_server_is_told(
    nursery: trio.Nursery,
) -> None:
    chat = NodeChat(bytes(32), 1, in_use=True, begins=True)
    ours, theirs = trio.testing.memory_stream_pair()
    nursery.start_soon(chat.speak, ours)
    await theirs.receive_some()
    await theirs.send_all(b"\0\0\0\1")
    await trio.testing.wait_all_tasks_blocked()
    # Of a thousand tables of other nodes, in a few pieces of news.
    for number in range(12_000):
        chat.hear(GameNotice(number // 12, "Ann has left"))
    assert chat.dropped == 0
    nursery.cancel_scope.cancel()
