"""The client in the dealer dialect against the server itself, beside clients of the plain one."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.dealer.client_events import DealChecked, DealerEvent
from hearts.game.events import HandBegun, TrickTaken, YourHand
from hearts.session.client_events import ConnectionLost, SessionEnded
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.session.table_words import Introduction, PlayerKind, RegisterOpponents
from hearts_client.commands.bot import main
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import SessionResult, play_out
from hearts_client.library.watching import watch

from .house import HOST, house, listening

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.heavy) for seed in (1, 2, 3))]
SEATED = 700
"""Bytes after which a client of either dialect has its seat."""
CUTTER = Introduction(PlayerKind.PROGRAM, 500, comment="cuts")

Heard = list[tuple[SessionResult, list[DealerEvent]]]


async def play(
    folder: Path,
    dialects: list[Dialect],
    *arguments: str,
    life: Callable[[], int] | None = None,
    introduction: Introduction = CUTTER,
) -> Heard:
    """Four bots play; the first of them may lose its connections. Seats in order."""
    heard: Heard = []
    arguments = (*arguments, "--turn-limit", "3600", "--grace", "3600")
    async with house(folder, *arguments) as made, trio.open_nursery() as nursery:

        async def run(number: int, dialect: Dialect) -> None:
            events: list[DealerEvent] = []
            request = RegistrationRequest(f"bot {number}", number)
            own_life = None if number else life
            client = made.client(request, own_life, dialect, introduction)
            result = await play_out(SimpleBot(), client, games=2, on_event=events.append)
            heard.append((result, events))

        for number, dialect in enumerate(dialects):
            nursery.start_soon(run, number, dialect)
            await trio.testing.wait_all_tasks_blocked()
    return sorted(heard, key=lambda each: each[0].player)


PLAIN, DEALER = Dialect.PLAIN, Dialect.DEALER


@pytest.mark.parametrize("dialects", [[DEALER] * 4, [DEALER, PLAIN] * 2, [PLAIN, DEALER] * 2])
async def test_a_table_of_both_dialects(
    dialects: list[Dialect], tmp_path: Path, autojump_clock: object
) -> None:
    heard = await play(tmp_path, dialects, "--end-score", "30")
    first, *others = [result for result, _ in heard]
    assert first.complete
    assert len(first.games) == 2
    assert all(result.games == first.games for result in others)
    for (_, events), dialect in zip(heard, dialects, strict=True):
        checked = [event for event in events if isinstance(event, DealChecked)]
        assert len(checked) == (first.hands if dialect is DEALER else 0)
        assert all(event.problem is None for event in checked)
        taken = [event for event in events if isinstance(event, TrickTaken)]
        assert len(taken) == 13 * first.hands


async def test_who_the_others_are(tmp_path: Path, autojump_clock: object) -> None:
    heard = await play(tmp_path, [DEALER, DEALER, PLAIN, PLAIN], "--end-score", "1")
    seen = [event.players for event in heard[1][1] if isinstance(event, RegisterOpponents)]
    assert [info.comment for info in seen[-1]] == ["cuts", "cuts", "", ""]
    plain = PlayerKind.NOT_SAID
    assert [info.kind for info in seen[-1][2:]] == [plain, plain]


@pytest.mark.parametrize("seed", SEEDS)
async def test_connections_that_are_lost_all_the_time(
    seed: int, tmp_path: Path, autojump_clock: object
) -> None:
    draw, first = random.Random(seed), count()
    heard = await play(
        tmp_path,
        [DEALER, DEALER, PLAIN, PLAIN],
        "--end-score",
        "40",
        life=lambda: draw.randrange(1500, 9000) + (0 if next(first) else SEATED),
    )
    (cut, events), (whole, _), *_ = heard
    assert sum(isinstance(event, ConnectionLost) for event in events) > 3
    assert (cut.games, cut.hands, cut.complete) == (whole.games, whole.hands, True)
    scores = [event.scores for event in events if isinstance(event, Scores)]
    others = [event.scores for event in heard[1][1] if isinstance(event, Scores)]
    assert scores == others
    assert events[-1] == SessionEnded(complete=True)
    assert not any(event.problem for event in events if isinstance(event, DealChecked))


async def test_a_session_goes_on_in_the_other_dialect(tmp_path: Path) -> None:
    options = ("--fill-after", "0", "--bot-pause", "0")
    async with listening(tmp_path, *options) as running:
        port = running.port
        async with connect(HOST, port, name="Ann", dialect=DEALER) as client:
            async for event in client:
                if isinstance(event, YourHand):
                    break
            first, progress = event, client.progress
        async with connect(HOST, port, come_back=progress, dialect=PLAIN) as client:
            async for event in client:
                if isinstance(event, YourHand):
                    break
            assert event == first
            progress = client.progress
        async with connect(HOST, port, come_back=progress, dialect=DEALER) as client:
            result = await play_out(SimpleBot(), client)
        assert result.complete


async def test_watching_a_table(tmp_path: Path) -> None:
    async with listening(tmp_path, "--fill-after", "0", "--bot-pause", "0") as running:
        port = running.port
        async with connect(HOST, port, name="Ann", dialect=DEALER) as client:
            async for event in client:
                if isinstance(event, YourHand):
                    break
            async with watch(HOST, port, game_number=client.credentials.game_number) as watcher:
                async for seen in watcher:
                    if isinstance(seen, HandBegun):
                        break
                assert isinstance(event, YourHand)
                assert seen == HandBegun(0, event.direction)


@pytest.mark.parametrize("dialect", ["plain", "dealer"])
async def test_the_bot_program(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simple", "--count", "4", "--host", HOST, "--dialect", dialect]
    async with listening(tmp_path, "--end-score", "20") as running:
        port = str(running.port)
        assert await trio.to_thread.run_sync(main, [*arguments, "--port", port]) == 0
    assert capsys.readouterr().out.count("game 1 ended") == 4
