"""How computers of a server play: novices, and workers that think, with the plain search."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.bots import BOTS, Bot, NoviceBot, SimpleBot
from hearts.game.deal import SECRET_BYTES, deal_code
from hearts.game.events import CardsReceived, Deal, Play
from hearts.game.game import Game
from hearts.game.rules import STANDARD, parse_rules
from hearts.game.view import View, view_of
from hearts.net.asking import thinking_command
from hearts.session.client_events import YourChoice
from hearts.session.messages import Options
from hearts.settings.readers import LEVELS
from hearts.table.inputs import Choice, Question
from hearts_client.library.connecting import connect
from hearts_client.library.playing import play_out
from hearts_server.children.thinkers import QUEUE_LIMIT, Thinkers
from hearts_server.commands.main import main
from tests.integration.house import HOST, listening

TOO_LONG = 120
ALWAYS = 1e9


def a_view() -> View:
    """That of the player who leads, with more than one card to choose from."""
    game = Game(parse_rules("pass=never,rotate"))
    game.apply(Deal.from_secret(bytes(SECRET_BYTES)))
    return view_of(game, game.waiting_for()[0])


async def ready(pool: Thinkers) -> int:
    while not pool.pids:  # noqa: ASYNC110
        await trio.sleep(0.01)
    return pool.pids[0]


async def test_a_worker_answers_and_one_that_is_killed_costs_nothing(nursery: trio.Nursery) -> None:
    pool = Thinkers("strong", workers=1, patience=ALWAYS)
    view = a_view()
    assert pool.think(Question.CARD, view, lambda choice: None) is None, "no worker is ready"
    nursery.start_soon(pool.run)
    send, answers = trio.open_memory_channel[Choice | None](QUEUE_LIMIT + 1)
    ask = partial(pool.think, Question.CARD, view, send.send_nowait)
    with trio.fail_after(TOO_LONG):
        first = await ready(pool)
        assert os.getpriority(os.PRIO_PROCESS, first) == 19
        assert os.getsid(first) == os.getsid(0), "or its priority does not count beside ours"
        assert ask() == ALWAYS
        choice = await answers.receive()
        assert isinstance(choice, Play)
        assert choice.card in view.legal_cards

        # In the middle of a thought; the rest waits for the next worker.
        os.kill(first, signal.SIGSTOP)
        assert ask() == ALWAYS
        await trio.testing.wait_all_tasks_blocked()
        while ask() is not None:
            pass
        os.kill(first, signal.SIGKILL)
        assert await answers.receive() is None
        assert isinstance(await answers.receive(), Play)
        assert await ready(pool) != first


async def test_a_worker_that_nobody_hears_any_more_ends_without_a_word() -> None:
    heard, said = os.pipe()
    os.close(heard)
    command = thinking_command("strong", 1)
    ended = await trio.run_process(
        command, stdin=b"", stdout=said, capture_stderr=True, check=False
    )
    os.close(said)
    assert (ended.returncode, ended.stderr) == (0, b"")


async def test_a_worker_that_has_let_somebody_wait_in_vain_is_asked_nothing_more(
    nursery: trio.Nursery, mock_clock: MockClock
) -> None:
    pool = Thinkers("strong", workers=1, patience=2)
    nursery.start_soon(pool.run)
    while not pool.pids:
        await trio.lowlevel.checkpoint()
    (pid,) = pool.pids
    os.kill(pid, signal.SIGSTOP)
    send, answers = trio.open_memory_channel[Choice | None](3)
    ask = partial(pool.think, Question.CARD, a_view(), send.send_nowait)
    assert ask() == 2
    await trio.testing.wait_all_tasks_blocked()
    mock_clock.jump(1.5)
    assert ask() == 2
    mock_clock.jump(1)
    assert ask() is None
    # Nobody waits for the other one any more either.
    mock_clock.jump(1)
    os.kill(pid, signal.SIGCONT)
    assert isinstance(await answers.receive(), Play)
    await trio.testing.wait_all_tasks_blocked()
    # The third would wait for another, as the last did for too long.
    assert [ask(), ask(), ask()] == [2, 2, None]


async def test_computers_of_a_server_search(tmp_path: Path) -> None:
    settings = ("--computers", "strong", "--fill-after", "0", "--end-score", "1")
    with trio.fail_after(TOO_LONG):
        async with listening(tmp_path, *settings) as running:
            assert running.thinkers is not None
            await ready(running.thinkers)
            async with connect(HOST, running.port, name="Ann") as client:
                await play_out(SimpleBot(), client)
            assert running.thinkers.choices > 0


SWIFT = ("--computers", "swift")
NOVICE = Options(frozenset({1, 2, 3}), levels=(0, 0, 0, LEVELS["novice"]))


@pytest.mark.parametrize(
    ("more", "options", "thoughts", "passes"),
    [
        pytest.param(("--computers", "novice"), None, 9, NoviceBot(lambda: 0.0), id="host"),
        pytest.param((), NOVICE, 9, NoviceBot(lambda: 0.0), id="player"),
        pytest.param(SWIFT, None, 9, BOTS["swift"](lambda: 0.0), id="swift"),
        pytest.param(SWIFT, None, 0, SimpleBot(), id="no time"),
    ],
)
async def test_computers_play_by_their_level_as_long_as_there_is_time(
    more: Sequence[str], options: Options | None, thoughts: int, passes: Bot, tmp_path: Path
) -> None:
    secret = bytes(range(SECRET_BYTES))
    settings = (*more, "--fill-after", "0", "--deal", deal_code(secret))
    game = Game(STANDARD)
    game.apply(Deal.from_secret(secret))
    # The player on her right passes to her.
    view = view_of(game, 3)
    others = [set(bot.choose_pass(view)) for bot in (NoviceBot(lambda: 0.0), SimpleBot())]
    expected = set(passes.choose_pass(view))
    assert others.count(expected) <= 1, "or it would show nothing"
    with trio.fail_after(TOO_LONG):
        async with listening(tmp_path, *settings) as running:
            assert running.thinkers is None
            running.server.launcher.thoughts.most = thoughts
            async with connect(HOST, running.port, name="Ann", options=options) as client:
                async for event in client:
                    if isinstance(event, YourChoice) and event.question is Question.PASS:
                        await client.pass_cards(client.view.cards[:3])
                    elif isinstance(event, CardsReceived):
                        assert set(event.cards) == expected
                        break


def test_an_expert_needs_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    settings = ["--port", "0", "--data-dir", str(tmp_path), "--no-taunt-server", "--no-web"]
    assert main([*settings, "--computers", "expert"]) == 2
    assert (
        "--computers expert: the bot expert needs numba: pip install 'hearts-server[expert]'"
        in capsys.readouterr().err
    )
