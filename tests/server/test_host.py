"""The host of a table: what goes wrong in it stays in it."""

from __future__ import annotations

import logging

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.cards import Card
from hearts.rules import STANDARD
from hearts.table import Kind, Setting, Table
from hearts.view import View
from hearts_server.host import TableHost
from hearts_server.store import NoStore

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
    host = TableHost(
        Table(Setting(STANDARD, 100, 60, 60.0), PLAYERS, lambda: bytes(16)),
        7,
        [None] * 4,
        [SimpleBot(), bot(), SimpleBot(), SimpleBot()],
        store=NoStore(),
        announce=lambda game, text: None,
        bot_pause=0,
        show_deals=False,
    )
    with trio.fail_after(10):
        await host.run()
    assert host.ended.is_set()
    (error,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert error.getMessage() == "table-failed game=7"
