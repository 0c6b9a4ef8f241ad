"""Opinions about choices: a real process, in plain Python."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.game.cards import Card
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal, Play
from hearts.game.game import Game
from hearts.game.rules import parse_rules
from hearts.game.view import View, view_of
from hearts.judging.outlook import Outlook
from hearts_client.session.analyst import Analyst

TOO_LONG = 120


def a_view(rules: str = "pass=never,rotate", plays: int = 0) -> View:
    """That of the player on turn after some cards, each the lowest."""
    game = Game(parse_rules(rules))
    game.apply(Deal.from_secret(bytes(SECRET_BYTES)))
    for _ in range(plays):
        player = game.waiting_for()[0]
        game.apply(Play(player, view_of(game, player).legal_cards[0]))
    return view_of(game, game.waiting_for()[0])


@pytest.fixture(autouse=True)
def nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(tmp_path, monkeypatch, "numba")


def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """Let processes find a library that cannot be imported."""
    (tmp_path / f"{module}.py").write_text("raise ImportError(name=__name__)", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


async def outlook_of(analyst: Analyst, view: View, chosen: tuple[Card, ...] = ()) -> Outlook | None:
    """What it thinks."""
    send, heard = trio.open_memory_channel[Outlook | None](1)
    analyst.ask(view, send.send_nowait, chosen)
    return await heard.receive()


async def test_opinions_about_cards_and_passes(nursery: trio.Nursery) -> None:
    analyst = Analyst()
    nursery.start_soon(analyst.run)
    send, heard = trio.open_memory_channel[tuple[str, Outlook | None]](2)

    def hears(name: str) -> Callable[[Outlook | None], None]:
        return lambda outlook: send.send_nowait((name, outlook))

    view = a_view(plays=32)
    with trio.fail_after(TOO_LONG):
        # Only the last question is thought about before the process is there.
        analyst.ask(a_view(plays=36), hears("first"))
        analyst.ask(view, hears("second"))
        name, outlook = await heard.receive()
        assert name == "second"
        assert outlook is not None
        assert {one.card for one in outlook.choices} == set(view.legal_cards)
        assert {type(one.card) for one in outlook.choices} == {Card}
        assert 0 < outlook.deals <= 128, "fewer where its time was over before"

        begin = a_view("standard")
        lowest = begin.cards[:3]
        passes = await outlook_of(analyst, begin, tuple(sorted(lowest)))
        assert passes is not None
        assert len(passes.choices) == 2
        assert set(passes.of(*sorted(lowest)).cards) == set(lowest)

        # What swift does is no mistake.
        swift = SwiftBot(shipped_network())
        assert await analyst.judge(view, (swift.choose_card(view),)) is None

        # One that dies in the middle of a thought gives none, and the next one is asked.
        pid = analyst.pid
        os.kill(pid, signal.SIGSTOP)
        analyst.ask(view, hears("third"))
        await trio.testing.wait_all_tasks_blocked()
        os.kill(pid, signal.SIGKILL)
        assert await heard.receive() == ("third", None)
        assert await outlook_of(analyst, view) is not None
        assert analyst.pid != pid


async def test_a_process_that_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    broken(tmp_path, monkeypatch, "msgspec")
    analyst = Analyst()
    nursery.start_soon(analyst.run)
    with trio.fail_after(TOO_LONG):
        assert await outlook_of(analyst, a_view()) is None
