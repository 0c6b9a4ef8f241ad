"""Connections at other nodes count towards the limits of the lobby, and end nobody's waiting."""

from __future__ import annotations

from collections import Counter

import trio

from hearts.limits import PerNetwork
from hearts.session.messages import Refusal
from hearts_server.lobby.open_connections import OpenConnections

HOME, AWAY = "192.0.2.7", "198.51.100.1"


async def test_connections_elsewhere_count_by_their_networks() -> None:
    connections = OpenConnections(100, PerNetwork.widening(3))
    connections.count_elsewhere(2, Counter({HOME: 2}))
    here = connections.enter(HOME)
    assert here.refusal is None
    assert connections.enter(HOME).refusal is Refusal.TOO_MANY_FROM_ADDRESS
    assert connections.enter(AWAY).refusal is None
    assert connections.count == 3
    connections.count_elsewhere(2, Counter({AWAY: 1}))
    assert connections.enter(HOME).refusal is None
    # Its node is no more.
    connections.count_elsewhere(2, Counter())
    assert connections.networks == {HOME: 3, AWAY: 1}


async def test_who_was_led_here_is_let_in_and_waited_for() -> None:
    connections = OpenConnections(1, PerNetwork.widening(1))
    connections.count_elsewhere(2, Counter({HOME: 5}))
    led = [connections.let_in(HOME), connections.let_in(HOME)]
    assert [each.refusal for each in led] == [None, None]
    for each in led:
        connections.leave(each)
    assert not connections.networks
    with trio.fail_after(1):
        await connections.wait_empty()
