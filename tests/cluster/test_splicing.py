"""Two connections that are one: what becomes of an end that takes nothing."""

from __future__ import annotations

import contextlib

import trio
from trio.testing import MockClock

from hearts.net.sockets import SocketLink
from hearts_server.cluster.doors import AtLobby
from hearts_server.cluster.letters import FRAME
from hearts_server.cluster.splicing import TAKE_LIMIT, splice

MUCH = bytes(1 << 20)


def pair() -> tuple[trio.SocketStream, trio.SocketStream]:
    one, other = (trio.SocketStream(each) for each in trio.socket.socketpair())
    return one, other


async def say(stream: trio.SocketStream, data: bytes) -> None:
    """Say as much as is taken."""
    with contextlib.suppress(trio.BrokenResourceError):
        await stream.send_all(data)


async def test_a_client_that_takes_nothing_is_given_up(autojump_clock: MockClock) -> None:
    client, client_end = pair()
    owner, owner_end = pair()
    async with client, owner, trio.open_nursery() as nursery:
        nursery.start_soon(say, owner, MUCH)
        with trio.fail_after(2 * TAKE_LIMIT):
            await splice(SocketLink(client_end, nursery), SocketLink(owner_end, nursery))


async def test_who_takes_nothing_of_the_lobby_is_given_up(autojump_clock: MockClock) -> None:
    client, client_end = pair()
    lobby, lobby_end = pair()
    async with client, lobby, trio.open_nursery() as nursery:
        link = SocketLink(client_end, nursery)
        nursery.start_soon(say, lobby, FRAME.pack(False, 0, len(MUCH)) + MUCH)
        with trio.fail_after(2 * TAKE_LIMIT):
            assert await AtLobby(link, lobby_end).run() is None
        assert link.why_lost is not None
        link.close()


async def test_a_client_that_is_slow_gets_all(autojump_clock: MockClock) -> None:
    client, client_end = pair()
    owner, owner_end = pair()
    taken = 0
    async with client, owner, trio.open_nursery() as nursery:
        ends = SocketLink(client_end, nursery), SocketLink(owner_end, nursery)
        nursery.start_soon(splice, *ends)
        nursery.start_soon(owner.send_all, MUCH)
        while taken < len(MUCH):
            taken += len(await client.receive_some(1 << 12))
            await trio.sleep(TAKE_LIMIT / 100)
        assert trio.current_time() > 2 * TAKE_LIMIT
        nursery.cancel_scope.cancel()
