"""The host of a table: what goes wrong in it stays in it."""

from __future__ import annotations

import logging

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.game.cards import Card
from hearts.game.events import Deal
from hearts.game.rules import STANDARD
from hearts.game.view import View
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.store import NoStore, Session, StoredSeat
from hearts.net.logline import EventLog
from hearts.table import Kind, Setting, Table
from hearts_server.table.running import run_table

PLAYERS = [(name, Kind.COMPUTER) for name in ("Ann", "Moe", "Larry", "Curly")]


class FailingBot(SimpleBot):
    """Passes well, and then breaks."""

    def choose_card(self, view: View) -> Card:
        raise RuntimeError("this bot is broken")


class CheatingBot(SimpleBot):
    """Passes a card three times."""

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return (view.cards[0],) * 3


@pytest.mark.parametrize("bot", [FailingBot, CheatingBot])
async def test_a_bot_that_fails_ends_its_table_alone(
    bot: type[SimpleBot], caplog: pytest.LogCaptureFixture
) -> None:
    setting = Setting(STANDARD, 100, 60, 60.0)
    table = Table(setting, PLAYERS, lambda: Deal.from_secret(bytes(16)))
    seats = [StoredSeat(name, kind, 0) for name, kind in PLAYERS]
    host = HostedTable(
        table,
        Session(7, "Table 1", False, setting, (seats[0], seats[1], seats[2], seats[3]), 0),
        [SimpleBot(), bot(), SimpleBot(), SimpleBot()],
        secret=bytes(32),
        store=NoStore(),
        announce=lambda game, text: None,
        clock=trio.current_time,
        log=EventLog("host"),
    )
    with trio.fail_after(10):
        await run_table(host, table.start())
    assert host.is_over
    (error,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert error.getMessage() == "table-failed game=7"
