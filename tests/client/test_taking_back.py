"""Somebody alone takes choices back: line by line, at the full screen, and in their records."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts.game.record import TAKEN_BACK
from hearts.session.messages import Options
from hearts.table.inputs import Question, TakeBack
from hearts_client.screen.settings.settings import Settings
from hearts_client.statistics.counting import count_records
from tests.screen.conftest import at as at
from tests.screen.seats import At

from .client_house import ClientHouse
from .terminal_seats import ALONE, CODE, PersonAtDealer

NO_CLOCK = ("--deal", CODE, "--turn-limit", "0", "--bot-pause", "0")
TAKEN = "You take your choice back. No statistics count this game."
NOT_ALONE = "choices are taken back only in a game alone with computers, without a clock"


@pytest.mark.house(*NO_CLOCK)
async def test_line_by_line(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = PersonAtDealer(made, nursery, options=ALONE)
    await ann.until("Type the three cards")
    assert "there is nothing to take back" in await ann.type("/undo")
    assert "there is nothing to take back, or to do again" in await ann.type("/redo")
    await turn(ann, "1 2 3")
    view = ann.client.view
    await turn(ann, first(ann))
    text = (await turn(ann, "/undo")).lstrip("\n")
    assert text.startswith(f"{TAKEN}\n--- Hand 1, trick 1 ---\n")
    assert "You are back" not in text
    assert "Your turn" in text
    assert ann.client.view == view
    await turn(ann, "/undo", "Type the three cards")
    assert ann.client.asked is Question.PASS
    await turn(ann, "/redo")
    assert ann.client.view == view
    await turn(ann, "/redo")
    assert ann.client.view.history[: len(view.history)] == view.history
    assert len(ann.client.view.history) > len(view.history)


@pytest.mark.house(*NO_CLOCK)
async def test_what_is_kept_is_marked_and_not_counted(
    made: ClientHouse, nursery: trio.Nursery, tmp_path: Path
) -> None:
    folder = tmp_path / "records"
    options = Options(frozenset({1, 2, 3}))
    ann = PersonAtDealer(made, nursery, options=options, record_folder=folder)
    await ann.until("Type the three cards")
    await turn(ann, "1 2 3")
    while len(ann.client.view.cards) > 1:
        await turn(ann, first(ann))
    await turn(ann, first(ann), "Type the three cards")
    assert ann.client.picture.board.rows
    await turn(ann, "/undo")
    assert not ann.client.picture.board.rows
    await ann.type("/quit")
    await ann.end()
    (file,) = folder.iterdir()
    assert file.read_text().splitlines()[7:] == [TAKEN_BACK]
    counted = count_records([folder])
    assert not counted.by_rules
    assert not counted.problems


async def turn(ann: PersonAtDealer, line: str, words: str = "Your turn") -> str:
    """Type something, and wait for what follows; the server may have to store something."""
    text = await ann.type(line)
    return text if words in text else text + await ann.until(words)


def first(ann: PersonAtDealer) -> str:
    return str(ann.client.view.legal_cards[0])


@pytest.mark.seat(*NO_CLOCK)
async def test_by_a_key(at: At) -> None:
    await at.asked("Mark")
    assert "undo" not in labels(at)
    at.pass_first()
    await at.asked("Your turn")
    assert "undo" in labels(at)
    seen = at.client.view
    for _ in range(2):
        at.press(*name_of(at), "enter")
        await at.after()
        while at.page.is_held:
            at.press("enter")
            await at.after()
        await at.asked()
    for _ in range(2):
        at.press("u")
        assert at.commanded.pop() == "/undo"
        await wish(at, again=False)
        await at.asked()
    assert at.client.view == seen
    assert at.page.table.picture.view() == seen
    assert TAKEN in at.notices
    at.press("U")
    assert at.commanded.pop() == "/redo"
    await wish(at, again=True)
    assert at.client.view != seen


@pytest.mark.seat(*NO_CLOCK, settings=Settings(trick_stays=None))
async def test_a_trick_that_is_shown_is_taken_back_at_once(at: At) -> None:
    await at.asked("Mark")
    at.pass_first()
    await at.asked("Your turn")
    seen = at.client.view
    at.press(*name_of(at), "enter")
    await at.until(lambda _: at.page.is_held)
    at.press("f", "u")
    await wish(at, again=False)
    assert not at.page.is_held
    assert at.page.table.picture.view() == seen
    assert not at.page.is_auto


def labels(at: At) -> list[str]:
    return [button.label for button in at.sight.buttons]


def name_of(at: At) -> str:
    return str(at.client.view.legal_cards[0]).lower()


async def wish(at: At, *, again: bool) -> None:
    await at.client.wish(TakeBack(at.client.player, again))
    await at.after()
