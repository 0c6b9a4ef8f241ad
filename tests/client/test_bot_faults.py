"""Faults of bots as their authors are told: the method, the moment, and their own line."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

from hearts.bots import SimpleBot
from hearts.game.cards import Card
from hearts.session.messages import Options
from hearts_client.commands.bot import run_bot
from hearts_client.library.bot_faults import card_of, line_of_frame
from hearts_client.library.call_watch import CallWatch, SlowCall
from hearts_client.library.playing import BotError, play_session
from tests.integration.house import HOST, listening

from . import faulty_bots as faulty

FILE = "tests/client/faulty_bots.py"
ALONE = Options(frozenset({1, 2, 3}))
QUEEN = Card.parse("QS")


def line_with(text: str) -> int:
    lines = Path(faulty.__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


async def fault_of(bot: SimpleBot, data_dir: Path) -> str:
    """What the author of a bot is told."""
    async with listening(data_dir) as running:
        with pytest.raises(BotError) as caught:
            await play_session(bot, HOST, running.port, name="Ann", options=ALONE)
    return str(caught.value)


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (None, "None, which is no card"),
        ([QUEEN], r"\[.*\], which is no card"),
        ("QS", "'QS', which is no card"),
        (52, "52, which is no card"),
    ],
)
async def test_what_is_no_card(answer: object, what: str, tmp_path: Path) -> None:
    told = await fault_of(faulty.AnswersItsOwn(answer), tmp_path)
    place = f"{FILE}:{line_with('def choose_card')}, in choose_card"
    assert re.fullmatch(
        rf"choose_card gave {what}\. Hand: .*; legal: .* \(hand 1, trick 1 of game 1; "
        rf"`hearts-server records show 1` has the deal; {re.escape(place)}\)",
        told,
    ), told


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (7, "gave 7, which is no list of cards"),
        ([None] * 3, "gave None among its cards, which is no card"),
        ([], "gave no card, which is not legal: a pass is three different cards"),
        ([QUEEN] * 3, "gave QS QS QS, which is not legal: a pass is three different cards"),
    ],
)
async def test_what_is_no_pass(answer: object, what: str, tmp_path: Path) -> None:
    told = await fault_of(faulty.AnswersItsOwn(cards=answer), tmp_path)
    assert told.startswith(f"choose_pass {what}. Hand: ")
    assert "(hand 1, passing of game 1;" in told
    assert told.endswith(f"{FILE}:{line_with('def choose_pass')}, in choose_pass)")


async def test_what_is_raised_is_told_with_the_authors_own_line(tmp_path: Path) -> None:
    told = await fault_of(faulty.Fails(), tmp_path)
    assert told.startswith("choose_pass raised json.decoder.JSONDecodeError: Expecting value")
    assert told.endswith(f"{FILE}:{line_with('json.loads')}, in _think)")


async def test_a_bot_that_thinks_for_long_is_told_of_once_a_call(tmp_path: Path) -> None:
    said: list[str] = []
    bot = faulty.WaitsLong()

    def say(call: SlowCall) -> None:
        said.append(call.text)
        bot.told.set()

    watch = CallWatch(say, slow=0.001)
    async with listening(tmp_path, "--rules", "pass=never", "--end-score", "1") as running:
        with watch.watching():
            await play_session(bot, HOST, running.port, name="Ann", options=ALONE, watch=watch)
    assert said[0].startswith(
        "choose_card has not answered for 0.001 s (hand 1, trick 1 of game 1;"
    )
    assert said[0].endswith(f"{FILE}:{line_with('self.told.wait()')}, in choose_card)")


def test_a_call_is_told_of_once() -> None:
    said: list[str] = []
    first, over = threading.Event(), threading.Event()

    def say(call: SlowCall) -> None:
        said.append(call.text)
        (over if first.is_set() else first).set()

    watch = CallWatch(say, slow=0.001)
    with watch.watching():
        with watch.call("choose_card", "hand 1"):
            first.wait()
        with watch.call("choose_pass", "hand 2"):
            over.wait()
    assert [text.split()[0] for text in said] == ["choose_card", "choose_pass"]


class Unmakeable(SimpleBot):
    def __init__(self) -> None:
        raise RuntimeError("no file of weights")


def test_a_bot_that_cannot_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run_bot(Unmakeable, ["--port", "1"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "the bot cannot be made: it raised RuntimeError: no file of weights" in told
    assert "tests/client/test_bot_faults.py:" in told


def test_a_worker_that_waits_for_a_program_names_the_arena() -> None:
    told: list[str] = []
    arena = {"__name__": "hearts_arena.waiting", "tell": lambda at: told.append(line_of_frame(at))}
    exec(compile("import sys\ndef wait(): tell(sys._getframe())", "waiting.py", "exec"), arena)
    begin = compile("wait()", "<string>", "exec")
    thread = threading.Thread(target=exec, args=(begin, {**arena, "__name__": "__main__"}))
    thread.start()
    thread.join()
    assert told == ["waiting.py:2, in wait"]


def test_numbers_of_cards_are_cards() -> None:
    assert card_of(int(QUEEN)) is QUEEN
    assert card_of([]) is None
