"""What a node says in the chat: to its own taunt server as the lobby, and else to the lobby."""

from __future__ import annotations

import pytest

from hearts.hosting.table_chat import GameNotice, Said, SeatHolder, SeatMuted
from hearts_server.club.node_chat import NodeChat

STANDING = (SeatHolder(1, 2, 3), GameNotice(1, "deal"))


@pytest.fixture
def passed_on() -> list[Said]:
    return []


@pytest.fixture
def chat(passed_on: list[Said]) -> NodeChat:
    made = NodeChat(bytes(32), 1, in_use=True)
    made.is_lobby = lambda: False
    made.pass_on = passed_on.append
    made.standing = lambda: STANDING
    return made


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
    assert tuple(passed_on) == STANDING
    assert chat.connected
    chat.lobby_has(5, 1)
    assert tuple(passed_on) == STANDING
    chat.lobby_has(5, 0)
    assert not chat.connected
    assert changed == [False]
    chat.lobby_has(5, 2)
    assert tuple(passed_on) == 2 * STANDING
    assert changed == [False, True]
    # Another lobby has another one.
    chat.lobby_has(6, 1)
    assert tuple(passed_on) == 3 * STANDING
    assert changed == [False, True]


def test_without_a_taunt_server_nothing_is_said(passed_on: list[Said]) -> None:
    chat = NodeChat(bytes(32), 1, in_use=False)
    chat.is_lobby = lambda: False
    chat.pass_on = passed_on.append
    chat.announce(1, "hello")
    chat.seat(1, 2, 3)
    assert passed_on == []
