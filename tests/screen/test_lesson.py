"""The guided first hand at the full screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from hearts.game.cards import Card
from hearts_client.screen.settings.settings import Settings
from hearts_client.screen.table.lesson_page import LessonPage
from hearts_client.words.lesson import lesson
from tests.client.client_house import house
from tests.vectors.lesson_lines import lines

from .seats import At, choices, drawn, marked

ORDERED = ("--deal", lesson().deal, "--computers", "swift", "--computer-names", "Moe,Larry,Curly")


AT_ONCE = Settings(trick_stays=0.0, bot_pause=0.0)


@asynccontextmanager
async def lesson_begun(folder: Path) -> AsyncIterator[At]:
    async with house(folder, *ORDERED) as made, trio.open_nursery() as nursery:
        at = At(made, nursery, settings=AT_ONCE, alone=True, page=LessonPage)
        await at.asked()
        yield at
        nursery.cancel_scope.cancel()


async def read_on(at: At, texts: list[str]) -> None:
    """Read all that is to be read before the next choice."""
    while True:
        await trio.sleep(0.1)
        await trio.testing.wait_all_tasks_blocked()
        text = at.page.sight().lesson
        if text.strip() and text not in texts:
            texts.append(text)
        if not at.page.is_held or "The hand is over" in text:
            return
        at.press("enter")


def play(at: At, card: Card) -> None:
    at.press(*str(card).lower(), "enter")


async def test_who_plays_as_advised_reads_each_text_and_leaves_at_the_end(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    line = lines()[0]
    own = [Card.from_wire(wire) for wire in line.passes[0]]
    texts: list[str] = []
    async with lesson_begun(tmp_path) as at:
        await read_on(at, texts)
        for card in own:
            play(at, card)
        at.press("enter")
        while "The hand is over" not in texts[-1]:
            await read_on(at, texts)
            if at.page.is_asked:
                play(at, Card.from_wire(line.own[len(choices(at))]))
    said = [text for _, some in line.said for text in some]
    assert len(texts) == len(said) - 1


async def test_an_unwise_choice_is_doubted_once_and_may_be_made(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with lesson_begun(tmp_path) as at:
        await read_on(at, [])
        for name in ("3h", "4h", "7d"):
            at.press(*name, "enter")
        assert marked(at.press("enter")) == "7D 3H 4H"
        assert "would probably cost you more. Pass AS AC 6C:" in at.sight.lesson
        assert at.page.is_asked
        at.press("enter")
        await at.until(lambda sight: "passed you" in sight.lesson)
        await read_on(at, [])
        play(at, Card.parse("KD"))
        assert any("follow suit" in text for text in at.notices)
        play(at, Card.parse("6C"))
        assert "Enter plays" in at.sight.prompt
        assert choices(at) == []
        at.press("enter")
        await at.until(lambda sight: choices(at) == ["6C"])


async def test_the_text_stands_beside_the_table_and_nothing_is_typed_there(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with lesson_begun(tmp_path) as at:
        rows = drawn(at.page).splitlines()
        assert "Your first hand" in rows[0]
        assert "Four play, each alone. A" in rows[2]
        assert "Enter goes on" in drawn(at.page)
        assert "chat" not in rows[-1]
        at.press("/", *"hello", "enter")
        assert at.said == []
