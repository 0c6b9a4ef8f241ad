"""The client in the dealer dialect against the server itself, beside clients of the plain one."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.game.events import TrickTaken, YourHand
from hearts.session.client_events import DealChecked
from hearts.session.table_words import Introduction, PlayerKind, RegisterOpponents
from hearts_client.commands.bot import main
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import play_out

from .client_house import HOST, listening, until
from .test_coming_back import play

CUTTER = Introduction(PlayerKind.PROGRAM, 500, comment="cuts")


PLAIN, DEALER = Dialect.PLAIN, Dialect.DEALER


@pytest.mark.parametrize("dialects", [[DEALER, PLAIN] * 2, [PLAIN, DEALER] * 2])
async def test_a_table_of_both_dialects(
    dialects: list[Dialect], tmp_path: Path, autojump_clock: object
) -> None:
    heard = await play(tmp_path, "--end-score", "30", dialects=dialects, introduction=CUTTER)
    first, *others = [each.result for each in heard]
    assert first.complete
    assert len(first.games) == 2
    assert all(result.games == first.games for result in others)
    for each, dialect in zip(heard, dialects, strict=True):
        checked = [event for event in each.events if isinstance(event, DealChecked)]
        assert len(checked) == (first.hands if dialect is DEALER else 0)
        assert all(event.problem is None for event in checked)
        taken = [event for event in each.events if isinstance(event, TrickTaken)]
        assert len(taken) == 13 * first.hands


async def test_who_the_others_are(tmp_path: Path, autojump_clock: object) -> None:
    dialects = [DEALER, DEALER, PLAIN, PLAIN]
    heard = await play(tmp_path, "--end-score", "1", dialects=dialects, introduction=CUTTER)
    seen = [event.players for event in heard[1].events if isinstance(event, RegisterOpponents)]
    assert [info.comment for info in seen[-1]] == ["cuts", "cuts", "", ""]
    plain = PlayerKind.NOT_SAID
    assert [info.kind for info in seen[-1][2:]] == [plain, plain]


async def test_a_session_goes_on_in_the_other_dialect(tmp_path: Path) -> None:
    options = ("--fill-after", "0", "--bot-pause", "0")
    async with listening(tmp_path, *options) as running:
        port = running.port
        async with connect(HOST, port, name="Ann", dialect=DEALER) as client:
            first, progress = await until(client, YourHand), client.progress
        async with connect(HOST, port, come_back=progress, dialect=PLAIN) as client:
            assert await until(client, YourHand) == first
            progress = client.progress
        async with connect(HOST, port, come_back=progress, dialect=DEALER) as client:
            result = await play_out(SimpleBot(), client)
        assert result.complete


@pytest.mark.parametrize("dialect", ["plain", "dealer"])
async def test_the_bot_program(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simple", "--count", "4", "--host", HOST, "--dialect", dialect]
    async with listening(tmp_path, "--end-score", "20") as running:
        port = str(running.port)
        assert await trio.to_thread.run_sync(main, [*arguments, "--port", port]) == 0
    assert capsys.readouterr().out.count("game 1 ended") == 4
