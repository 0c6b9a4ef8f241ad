"""The pace is the player's: pauses, a hand finished at once, notices while they are true."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts_client.screen.pictures.sights import Flash, Stage
from hearts_client.screen.settings.settings import Settings

from .seats import CODE, PASS, At, seated

QUICK_SERVER = ("--deal", CODE, "--bot-pause", "0", "--turn-limit", "0")


async def lead(at: At) -> None:
    """Pass, and lead the first trick."""
    at.press(*PASS)
    await at.asked("you lead")
    at.press("2", "c", "enter")


@pytest.mark.seat(*QUICK_SERVER, settings=Settings(bot_pause=2.0, trick_stays=1.0), alone=True)
async def test_alone_each_choice_of_a_computer_has_its_pause(at: At) -> None:
    """The server makes none, and a change of the setting counts at once."""
    await lead(at)
    begun = trio.current_time()
    await at.until(lambda sight: at.page.is_held)
    # Three computers follow.
    assert trio.current_time() - begun == pytest.approx(3 * 2.0, abs=0.3)
    await at.asked("follow spades")
    # The trick stays, and two of them play.
    assert trio.current_time() - begun == pytest.approx(3 * 2.0 + 1.0 + 2 * 2.0, abs=0.5)
    assert not at.page.is_held
    at.theme.settings = Settings(bot_pause=0.0, trick_stays=0.0)
    begun = trio.current_time()
    at.press("6", "s", "enter")
    await at.until(lambda sight: sight.trick_number == 3)
    assert trio.current_time() - begun < 0.5


@pytest.mark.parametrize("slowly", [False, True])
async def test_f_finishes_the_hand(slowly: bool, tmp_path: Path, autojump_clock: object) -> None:
    settings = Settings(bot_pause=2.0, trick_stays=None, finishes_slowly=slowly)
    async with seated(tmp_path, *QUICK_SERVER, settings=settings, alone=True, asks=True) as at:
        await lead(at)
        await at.until(lambda sight: at.page.is_held)
        assert "f does it" in at.press("f").prompt
        assert "f does it" not in at.press("left").prompt
        assert not at.press("f").auto
        assert at.press("f").auto
        if slowly:
            await at.after(60)
            assert at.sight.trick_number == 1
            return
        begun = trio.current_time()
        await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
        assert trio.current_time() - begun < 1
        # And the result waits for the person.
        assert (await at.after(60)).stage is Stage.HAND_OVER
        at.press("enter")
        assert (await at.after()).stage is Stage.PASSING


@pytest.mark.seat(
    *QUICK_SERVER,
    settings=Settings(bot_pause=0.5, trick_stays=1.0, finishes_slowly=True, notice_stays=60),
    alone=True,
)
async def test_notices_are_shown_while_they_are_true(at: At) -> None:
    """What is said about a trick goes with it, and a hint with the choice that it was for."""
    await lead(at)
    await at.asked("follow spades")
    at.press("i")
    assert at.sight.notices[-1][0].startswith("Play ")
    at.press("7", "h", "enter")
    assert at.sight.notices[-1][0].startswith("You cannot play 7H")
    at.press("6", "s", "enter")
    await at.after()
    assert not any(text.startswith(("Play", "You cannot")) for text, _ in at.sight.notices)
    at.press("f")
    broken, felt, taken = set(), set(), set()
    while at.sight.stage is not Stage.HAND_OVER:
        sight = at.sight
        said = [text for text, _ in sight.notices]
        if "Hearts are broken." in said:
            broken.add(sight.trick_number)
        if sight.flash is Flash.HEARTS_BROKEN:
            felt.add(sight.trick_number)
        takers = [text for text in said if text.endswith("the trick.")]
        if takers:
            taken.add(sight.trick_number)
            assert len(takers) == 1
            assert at.page.is_held or sight.trick_number == 13
        await at.after(0.25)
    assert len(broken) == 1
    assert felt == broken
    assert len(taken) >= 11


@pytest.mark.seat(*QUICK_SERVER, alone=True)
async def test_what_was_played_can_be_read(at: At) -> None:
    """Each trick with its cards and points, and what each hand added."""
    assert at.notices[-1] == "--- Hand 1: three cards go to the left. ---"
    await lead(at)
    await at.asked("follow spades")
    said = "Trick 1: you 2C, Moe KC, Larry AC, Curly AS. Larry takes it with no points."
    assert said in at.notices
    at.press("f")
    await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
    tricks = [text for text in at.notices if text.startswith("Trick ")]
    assert len(tricks) == 13
    assert any(text.startswith("total") for text in at.notices)
