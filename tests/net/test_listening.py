"""Listening: ports, addresses, and who is at the other end."""

from __future__ import annotations

import errno
import socket
from pathlib import Path

import pytest
import trio

from hearts.net import accept_connections, address_text, open_listeners
from hearts.net.listen import bound_private_socket, listen_at

from .link_ends import TIMEOUT


class TestListening:
    async def test_a_free_port_is_the_same_on_every_address(self) -> None:
        listeners = await open_listeners("localhost", 0)
        ports = {listener.socket.getsockname()[1] for listener in listeners}
        for listener in listeners:
            await listener.aclose()
        assert len(ports) == 1
        assert 0 not in ports

    async def test_an_address_as_people_write_it(self) -> None:
        (listener,) = await open_listeners("127.0.0.1", 0)
        async with listener:
            port = listener.socket.getsockname()[1]
            assert address_text(listener) == f"127.0.0.1:{port}"

    async def test_an_ipv6_address_has_brackets(self) -> None:
        try:
            (listener,) = await open_listeners("::1", 0)
        except OSError as error:
            pytest.skip(f"no IPv6 here: {error}")
        async with listener:
            port = listener.socket.getsockname()[1]
            assert address_text(listener) == f"[::1]:{port}"

    async def test_a_port_in_use_is_an_oserror(self) -> None:
        (listener,) = await open_listeners("127.0.0.1", 0)
        async with listener:
            with pytest.raises(OSError, match=r".") as caught:
                await open_listeners("127.0.0.1", listener.socket.getsockname()[1])
        assert caught.value.errno == errno.EADDRINUSE

    async def test_the_peers_address_is_without_its_port(self) -> None:
        (listener,) = await open_listeners("127.0.0.1", 0)
        assert await served_address(listener, socket.AF_INET) == "127.0.0.1"

    async def test_an_ipv4_peer_of_an_ipv6_socket_has_its_ipv4_address(self) -> None:
        try:
            listening = trio.socket.socket(socket.AF_INET6)
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            await listening.bind(("::", 0))
        except OSError as error:
            pytest.skip(f"no IPv6 here: {error}")
        listening.listen()
        assert await served_address(trio.SocketListener(listening), socket.AF_INET) == "127.0.0.1"

    async def test_a_peer_at_a_unix_socket_has_none(self, tmp_path: Path) -> None:
        (listener,) = listen_at([bound_private_socket(tmp_path / "socket")])
        assert await served_address(listener, socket.AF_UNIX) == ""


async def served_address(listener: trio.SocketListener, family: int) -> str:
    """What a connection is served with that comes to this listener."""
    found: list[str] = []
    name = listener.socket.getsockname()
    where = name if family == socket.AF_UNIX else ("127.0.0.1", name[1])
    async with listener, trio.open_nursery() as nursery:

        async def serve(stream: trio.SocketStream, address: str) -> None:
            found.append(address)
            nursery.cancel_scope.cancel()

        nursery.start_soon(accept_connections, [listener], lambda address: True, serve, nursery)
        with socket.socket(family) as client, trio.fail_after(TIMEOUT):
            client.connect(where)
            await trio.sleep_forever()
    return found[0]
