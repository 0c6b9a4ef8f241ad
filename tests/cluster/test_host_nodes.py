"""The host at the console of whole nodes, with a database: his acts reach the tables of all."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from hearts_server.console.acts import ENDED
from hearts_server.console_protocol import Done, EndTable, LookAround, SayToTables
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer

from .test_chat_nodes import NO_PAGE, at_console, chatty, ports, sit_down
from .test_nodes import NODE_TLS

pytestmark = pytest.mark.heavy

ALONE = (*NO_PAGE, "--no-taunt-server", "--tables-per-ipv4", "0", "--turn-limit", "0")


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


@pytest.mark.parametrize("tls", [(), NODE_TLS])
async def test_the_host_at_any_node_reaches_the_tables_of_all(
    tls: Sequence[str], tmp_path: Path, place: Schema, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with chatty(tmp_path, place, *ALONE, *tls, count=3) as nodes, AsyncExitStack() as stack:
        while caplog.text.count("node-heard") < 9:  # noqa: ASYNC110
            await trio.sleep(0.02)
        seats = []
        for port in await ports(nodes, "hearts-server is node "):
            caller, seat = await sit_down(port, "Ann")
            await stack.enter_async_context(caller.stream)
            seats.append(seat)
        for node in nodes:
            assert await at_console(node, LookAround()) == Done("3 tables")
        names = [node.config.node for node in nodes]
        assert await at_console(nodes[0], SayToTables("hello")) == Done(
            f"1 table was told; at node {names[1]} 1 table was told; "
            f"at node {names[2]} 1 table was told"
        )
        for node, seat in zip(nodes, seats[1:] + seats[:1], strict=True):
            number = seat.game_number
            assert await at_console(node, EndTable(number)) == Done(f"game {number} has ended")
        assert caplog.text.count('console-elsewhere asked="end ') == 3
    ended = place.sql("SELECT why FROM sessions")
    assert ended == [(ENDED,)] * 3
