"""A door over real sockets: who is led where, as whom, and who waits."""

from __future__ import annotations

import contextlib
import struct

import pytest
import trio
import trio.testing

from hearts.hosting.handing_on import BeforeTable
from hearts.net import (
    TcpStream,
    open_listeners,
)
from hearts.session.messages import Refusal
from hearts_server.cluster.calling import lives_known_to
from hearts_server.cluster.letters import FRAME, Letter, SeatedElsewhere
from hearts_server.cluster.membership import Peer

from .door_node import (
    BOTH,
    HOST,
    OTHER,
    OWN,
    Contexts,
    heard,
    letter,
    node,
)

# At the lobby


@BOTH
async def test_the_lobby_is_told_a_client_s_address_and_who_leads_him(own: Contexts) -> None:
    async with node(own=own) as made:
        made.be_lobby(life=OTHER)
        async with await made.call() as client:
            await client.send_all(b"a" * 40_000 + b".")
            assert await heard(client) == b"a" * 40_000 + b"."
        assert (made.addresses, made.doors) == (["192.0.2.7"], [OWN])


@BOTH
async def test_a_client_that_reads_late_misses_nothing(own: Contexts) -> None:
    much = bytes(1 << 24)
    async with node(own=own) as made:
        said = trio.Event()

        async def serve(stream: TcpStream, address: str, door: int) -> None:
            link = made.link(stream)
            link.allow(2 * len(much))
            link.write(much)
            link.flush()
            await trio.testing.wait_all_tasks_blocked(0.1)
            said.set()
            await link.wait_sent(0)
            link.end()
            await link.run(lambda data: None)

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            await said.wait()
            assert len(await heard(client)) == len(much)


async def test_a_client_waits_for_a_lobby() -> None:
    async with node() as made, await made.call() as client:
        await client.send_all(b".")
        # Known to be the lobby, but it does not let people in yet.
        made.lobby = Peer(OWN, "lobby", made.address, 1)
        assert await lives_known_to(made.address) == [OWN, 9]
        made.be_lobby()
        assert await heard(client) == b"."


async def test_a_client_waits_no_longer_than_it_may() -> None:
    async with node(hold_limit=0.05) as made, await made.call() as client:
        assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)


async def test_nobody_at_the_address_of_the_lobby_is_told() -> None:
    async with node(hold_limit=0.3) as made:
        (gone,) = await open_listeners(HOST, 0)
        made.lobby = Peer(OWN, "gone", f"{HOST}:{gone.socket.getsockname()[1]}", 1)
        gone.socket.close()
        async with await made.call() as client:
            assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)
        assert set(made.refusing) == {"gone"}


async def test_a_connection_ends_when_its_life_does() -> None:
    async with node() as made:
        made.be_lobby(life=OWN)
        async with await made.call() as stays, await made.call() as client:
            await client.send_all(b"a")
            assert await client.receive_some() == b"a"
            made.door.lives_changed({OWN, OTHER})
            await client.send_all(b"b")
            assert await client.receive_some() == b"b"
            made.door.lives_changed({OTHER})
            assert await heard(client) == b""
            assert await heard(stays) == b""


@BOTH
async def test_a_client_that_leaves_leaves_the_lobby(own: Contexts) -> None:
    async with node(own=own) as made:
        left = trio.Event()

        async def serve(stream: TcpStream, address: str, door: int) -> None:
            await heard(stream)
            left.set()

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        client = await made.call()
        await client.send_all(b"a")
        await client.aclose()
        await left.wait()


@BOTH
async def test_a_client_that_has_said_all_hears_the_answer(own: Contexts) -> None:
    async with node(own=own) as made:

        async def serve(stream: TcpStream, address: str, door: int) -> None:
            link = made.link(stream)
            assert await link.read() == b"a"
            assert await link.read() == b""
            link.write(b"b")
            link.end()
            link.close()

        made.be_lobby()
        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            await client.send_all(b"a")
            await client.send_eof()
            assert await heard(client) == b"b"


async def test_a_client_that_says_too_much_to_a_lobby_that_does_not_read_is_lost() -> None:
    async with node() as made:
        made.be_lobby()

        async def serve(stream: TcpStream, address: str, door: int) -> None:
            await trio.sleep_forever()

        made.port.open(lambda address: True, serve)
        async with await made.call() as client:
            with contextlib.suppress(trio.BrokenResourceError):
                await client.send_all(bytes(1 << 24))
            assert await heard(client) == b""


# With a letter


@BOTH
async def test_a_client_with_a_letter_for_his_own_node_is_played_over_his_connection(
    own: Contexts,
) -> None:
    async with node(own=own) as made:
        made.be_lobby()
        async with await made.call() as client:
            await client.send_all(b"ab>cd")
            assert await client.receive_some() == b"ab"
            await client.send_all(b".")
            assert await heard(client) == b"owner: cd."
        assert made.taken == [("192.0.2.7", letter(OWN), b"cd.")]


@BOTH
async def test_a_client_with_a_letter_for_another_node_is_led_there(own: Contexts) -> None:
    async with node(own=own) as made, node(own=own, life=OTHER) as other:
        made.be_lobby()
        made.letter = Letter(7, OTHER, SeatedElsewhere(2, BeforeTable(b"unread", 5)))
        made.peers[OTHER] = Peer(OTHER, "other", other.address, 1)
        other.owner = OTHER
        other.take_letters()
        async with await made.call() as client:
            await client.send_all(b"ab>cd")
            assert await client.receive_some() == b"ab"
            await client.send_all(b".")
            assert await heard(client) == b"owner: cd."
        assert other.taken == [("192.0.2.7", made.letter, b"cd.")]
        assert made.taken == []


@pytest.mark.parametrize(
    "frame", [FRAME.pack(True, 0, 1 << 31), FRAME.pack(False, 3, 1) + b"a", FRAME.pack(True, 0, 0)]
)
async def test_a_lobby_that_says_nonsense_is_left(frame: bytes) -> None:
    left = trio.Event()

    async def lobby(stream: TcpStream, address: str, door: int) -> None:
        await stream.send_all(frame)
        assert await heard(stream) == b""
        left.set()

    async with node() as made:
        made.be_lobby()
        made.port.open(lambda address: True, lobby)
        async with await made.call() as client:
            assert await heard(client) == b""
            await left.wait()


async def test_a_client_is_held_until_his_table_has_an_owner() -> None:
    async with node() as made, node(life=OTHER) as other:
        made.be_lobby()
        made.letter = letter(9)
        made.owner = 0
        async with await made.call() as client:
            await client.send_all(b">a.")
            await made.asked.wait()
            # The one that had it is over, and another one has claimed it.
            made.peers[OTHER] = Peer(OTHER, "other", other.address, 1)
            made.owner = OTHER
            other.take_letters()
            await other.asked.wait()
            other.owner = OTHER
            assert await heard(client) == b"owner: a."
        assert other.taken == [("192.0.2.7", letter(9), b"a.")]


@pytest.mark.parametrize("owner", [9, OWN])
async def test_a_client_is_not_held_for_ever(owner: int) -> None:
    async with node(hold_limit=0.3) as made:
        made.be_lobby()
        made.letter = letter(owner)
        made.owner = 0
        async with await made.call() as client:
            await client.send_all(b">")
            assert await heard(client) == struct.pack(">i", Refusal.SERVER_FULL)


async def test_a_connection_to_an_owner_ends_when_his_life_does() -> None:
    async with node() as made, node(life=OTHER) as other:
        made.be_lobby()
        made.letter = letter(OTHER)
        made.peers[OTHER] = Peer(OTHER, "other", other.address, 1)
        other.owner = OTHER
        other.take_letters()
        async with await made.call() as client:
            await client.send_all(b">a")
            await other.reached.wait()
            made.door.lives_changed({OWN})
            assert await heard(client) == b""
