"""A key never plays a card that was not meant: what was shown before may have been meant."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.cards import Card
from hearts.game.events import PassMade
from hearts.session.client_events import AgainAnswered
from hearts.session.messages import Options
from hearts_client.screen.pictures.canvas import OnButton
from hearts_client.screen.pictures.sights import OnCard, OnTable, Stage
from hearts_client.screen.settings.settings import Settings

from .seats import ALONE, CODE, At, choices, cursor, leading, marked, wanted

WAIT = 0.4
SLOW = Settings(trick_stays=None)


@asynccontextmanager
async def follows(folder: Path, settings: Settings = SLOW) -> AsyncIterator[At]:
    """A person before whom the first trick lies; when it is cleared away, they are to follow."""
    arguments = ("--bot-pause", "0", "--turn-limit", "0")
    async with leading(folder, *arguments, settings=settings, key_waits=WAIT) as at:
        at.press("2", "c", "enter")
        await at.until(lambda sight: at.page.is_held)
        await at.after(WAIT)
        yield at


@asynccontextmanager
async def asked_now(folder: Path, settings: Settings = SLOW) -> AsyncIterator[At]:
    """The same, who has just cleared the trick away."""
    async with follows(folder, settings) as at:
        at.press("enter")
        await at.after()
        assert "follow spades" in at.sight.prompt
        yield at


async def until_held(at: At, number: int) -> None:
    """Wait until a trick lies that is over."""
    await at.until(lambda sight: at.page.is_held and sight.trick_number == number)


# Keys and clicks at a table


@pytest.mark.parametrize("how", ["enter", "card", "button"])
@pytest.mark.seat(begin=asked_now)
async def test_too_soon_after_a_trick(how: str, at: At) -> None:
    card = Card.parse(cursor(at.sight))

    def choose() -> None:
        match how:
            case "card":
                at.click(OnCard(card))
            case "button":
                at.click(OnButton("enter"))
            case _:
                at.press("enter")

    assert not at.sight.buttons[0].counts
    choose()
    await at.after(WAIT / 2)
    choose()
    assert at.page.is_asked
    assert choices(at) == ["2C"]
    await at.after(WAIT)
    assert at.sight.buttons[0].counts
    choose()
    await at.after()
    assert choices(at) == ["2C", str(card)]


@pytest.mark.seat(begin=follows)
async def test_a_key_that_is_held_down(at: At) -> None:
    for _ in range(100):
        at.press("enter")
        await at.after(0.033)
    assert at.page.is_asked
    assert choices(at) == ["2C"]


@pytest.mark.seat("--deal", CODE, settings=SLOW, key_waits=WAIT)
async def test_the_third_mark_and_the_pass_are_two_choices(at: At) -> None:
    """Enter that is pressed twice at once marks the third card; it does not pass the three."""
    await at.after(WAIT)
    at.press("home", "enter", "right", "enter", "right")
    at.press("enter", "enter")
    await at.after(WAIT / 2)
    sight = at.press("enter")
    assert sight.prompt.startswith("Enter passes")
    assert not sight.buttons[0].counts
    assert not any(isinstance(event, PassMade) for event in at.events)
    sight = await at.after(WAIT)
    assert sight.buttons[0].counts
    # A mark that is taken away can be set again at once.
    at.press(" ", "left", " ", "right")
    assert len(marked(at.sight).split()) == 1
    at.press(" ", "left", " ", "enter")
    assert not any(isinstance(event, PassMade) for event in at.events)
    await at.after(WAIT)
    at.press("enter")
    await at.until(lambda sight: any(isinstance(event, PassMade) for event in at.events))


@pytest.mark.seat(begin=asked_now)
async def test_a_name_and_enter_are_one_choice(at: At) -> None:
    at.press("9", "s", "enter")
    await at.after()
    assert choices(at) == ["2C", "9S"]


@pytest.mark.seat(begin=follows)
async def test_a_name_that_was_typed_before(at: At) -> None:
    """It was typed while the trick lay, and Enter clears that away; it is no choice."""
    at.press("9", "s", "enter")
    await at.after()
    at.press("enter")
    await at.after(WAIT)
    assert choices(at) == ["2C"]
    assert cursor(at.sight) == "9S"


@pytest.mark.seat(begin=asked_now)
async def test_after_a_word_in_the_chat(at: At) -> None:
    await at.after(WAIT)
    # All in one go: nothing of it is drawn in between.
    at.press("9", "s", "/", *"gg", *["enter"] * 5)
    await at.after()
    at.press("!", "1", "enter")
    await at.after()
    assert at.said[0] == "gg"
    assert len(at.said) == 2
    assert choices(at) == ["2C"]
    await at.after(WAIT)
    at.press("enter")
    await at.after()
    assert choices(at) == ["2C", "9S"]


@pytest.mark.seat(begin=asked_now)
async def test_after_the_last_trick_and_a_page(at: At) -> None:
    await at.after(WAIT)
    at.press("l", "enter", "enter")
    at.press("enter")
    await at.after()
    assert at.sight.stage is Stage.TRICK
    at.press("?")
    assert wanted(at)
    at.page.uncovered()
    at.press("enter")
    at.press("enter")
    await at.after()
    assert choices(at) == ["2C"]


@pytest.mark.seat(Settings(trick_stays=None, finishes_slowly=True), begin=follows)
async def test_what_is_over_is_not_cleared_away_unseen(at: At) -> None:
    """Enter for the last trick does not clear the end of the hand away, nor does a click."""
    at.press("f")
    for number in range(2, 14):
        at.press("enter")
        await until_held(at, number)
        await at.after(WAIT)
    at.press("enter")
    await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
    at.press("enter", " ", "esc")
    at.click(OnTable())
    assert (await at.after(WAIT / 2)).stage is Stage.HAND_OVER
    await at.after(WAIT)
    at.press("enter")
    assert (await at.after()).stage is Stage.PASSING


@pytest.mark.seat(
    options=Options(ALONE.computers, end_score=1),
    settings=Settings(trick_stays=0.0),
    key_waits=WAIT,
)
async def test_another_game_is_not_answered_unseen(at: At) -> None:
    await at.after(WAIT)
    at.pass_first()
    await at.after(WAIT)
    at.press("enter", "f")
    while "Another game?" not in at.sight.prompt:
        at.press("y", "n")
        await trio.sleep(0.01)
    at.press("n", "enter")
    await at.after(WAIT / 2)
    assert at.page.is_asked
    await at.after(WAIT)
    at.press("y")
    await at.after()
    assert [e.yes for e in at.events if isinstance(e, AgainAnswered)] == [True]


# Options


@pytest.mark.seat(Settings(trick_stays=None, asks_twice=True), begin=asked_now)
async def test_an_odd_card_is_asked_about(at: At) -> None:
    sight = at.press("k", "s", "enter", "enter")
    assert sight.prompt == "KS may take the trick. Enter plays it all the same."
    assert at.press("left").prompt == "Your turn: follow spades."
    at.press("k", "s", "enter")
    await at.after(WAIT)
    at.press("enter")
    await at.after()
    assert choices(at) == ["2C", "KS"]


@pytest.mark.parametrize("name", ["7H", "JS"])
@pytest.mark.seat(
    "--bot-pause",
    "2",
    "--turn-limit",
    "0",
    settings=Settings(trick_stays=0.0, chooses_ahead=True),
    begin=leading,
)
async def test_a_card_is_chosen_ahead_and_taken_back(name: str, at: At) -> None:
    at.press("2", "c", "enter")
    await at.after(1)
    keys = tuple(name.lower())
    sight = at.press(*keys, "enter")
    assert sight.prompt == f"{name} is played when it is your turn; Backspace takes it back."
    assert marked(sight) == name
    assert marked(at.press("enter")) == ""
    assert marked(at.press("9", "s", "enter")) == "9S"
    assert marked(at.press("backspace")) == ""
    at.click(OnCard(Card.parse(name)))
    assert marked(at.sight) == name
    await at.until(lambda sight: sight.trick_number == 2 and sight.seats[3].played)
    await at.after()
    if name == "JS":
        assert choices(at) == ["2C", "JS"]
    else:
        # It cannot be played, so they are asked.
        assert at.page.is_asked
        assert at.notices[-1].startswith("You cannot play 7H now")
        assert choices(at) == ["2C"]
