"""Opinions of a bot that searches: a real process, with the search in plain Python."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.cards import Card
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal, Play
from hearts.game.game import Game
from hearts.game.rules import parse_rules
from hearts.game.view import View, view_of
from hearts.table.inputs import Question
from hearts_client.session.analyst import Analyst, Opinion

TOO_LONG = 120


def a_view(rules: str = "pass=never,rotate", plays: int = 0) -> View:
    """That of the player on turn after some cards, each the lowest."""
    game = Game(parse_rules(rules))
    game.apply(Deal.from_secret(bytes(SECRET_BYTES)))
    for _ in range(plays):
        player = game.waiting_for()[0]
        game.apply(Play(player, view_of(game, player).legal_cards[0]))
    return view_of(game, game.waiting_for()[0])


async def opinion_of(analyst: Analyst, question: Question, view: View) -> Opinion | None:
    """What it thinks."""
    send, heard = trio.open_memory_channel[Opinion | None](1)
    analyst.ask(question, view, send.send_nowait)
    return await heard.receive()


async def test_opinions_about_cards_and_passes(nursery: trio.Nursery) -> None:
    analyst = Analyst("strong")
    nursery.start_soon(analyst.run)
    send, heard = trio.open_memory_channel[tuple[str, Opinion | None]](2)

    def hears(name: str) -> Callable[[Opinion | None], None]:
        return lambda opinion: send.send_nowait((name, opinion))

    view = a_view()
    with trio.fail_after(TOO_LONG):
        # Only the last question is thought about before the process is there.
        analyst.ask(Question.CARD, a_view(plays=4), hears("first"))
        analyst.ask(Question.CARD, view, hears("second"))
        name, opinion = await heard.receive()
        assert name == "second"
        assert opinion is not None
        assert opinion.outlook is not None
        assert opinion.level == "strong"
        assert {one.card for one in opinion.outlook.cards} == set(view.legal_cards)
        assert {type(one.card) for one in opinion.outlook.cards} == {Card}
        assert 0 < opinion.outlook.worlds <= 100, "fewer where its time was over before"

        begin = a_view("standard")
        passed = await opinion_of(analyst, Question.PASS, begin)
        assert passed is not None
        assert len(set(passed.passed)) == 3
        assert set(passed.passed) <= set(begin.cards)

        # One that dies in the middle of a thought gives none, and the next one is asked.
        pid = analyst.pid
        os.kill(pid, signal.SIGSTOP)
        analyst.ask(Question.CARD, view, hears("third"))
        await trio.testing.wait_all_tasks_blocked()
        os.kill(pid, signal.SIGKILL)
        assert await heard.receive() == ("third", None)
        assert await opinion_of(analyst, Question.CARD, view) is not None
        assert analyst.pid != pid


@pytest.mark.parametrize(("broken", "level"), [("numba", "strong"), ("msgspec", None)])
async def test_a_process_that_does_not_start(
    broken: str,
    level: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nursery: trio.Nursery,
) -> None:
    (tmp_path / f"{broken}.py").write_text("raise ImportError(name=__name__)", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    analyst = Analyst("expert")
    nursery.start_soon(analyst.run)
    with trio.fail_after(TOO_LONG):
        opinion = await opinion_of(analyst, Question.CARD, a_view())
    assert (None if opinion is None else opinion.level) == level
