"""The rest of a hand is claimed at the full screen, where the person's own view proves it."""

from __future__ import annotations

import pytest

from hearts.game.events import CardPlayed, ChosenBy
from hearts.table.effects import RestClaimed
from hearts_client.screen.pictures.sights import Stage
from hearts_client.screen.settings.settings import Settings
from tests.client.claiming import CARDS, CODE, RULES, highest

from .seats import At

LINE = "All 7 tricks left are yours, with 9 points. Enter claims them."
SLOW = Settings(trick_stays=None)
"""A trick stays until a key is pressed."""


def keys(at: At) -> list[str]:
    return [button.key for button in at.sight.buttons]


async def to_claim(at: At) -> None:
    """Play up to the moment when the rest can be claimed."""
    while at.page.table.picture.view().hand.bit_count() > CARDS:
        assert "e" not in keys(at)
        assert at.press("e").prompt.startswith("Your turn")
        assert at.notices[-1] == "Some of the remaining tricks may not be yours."
        card = highest(at.page.table.picture.view())
        at.press(*str(card).lower(), "enter")
        await at.after()
        while at.page.is_held:
            at.press("enter")
            await at.after()
        await at.asked()


@pytest.mark.seat("--deal", CODE, options=RULES, settings=SLOW)
async def test_the_rest_is_claimed(at: At) -> None:
    await to_claim(at)
    assert "e" in keys(at)
    assert at.press("e").prompt == LINE
    assert at.press("left").prompt.startswith("Your turn"), "any other key takes it back"
    assert at.press("e").prompt == LINE
    assert keys(at)[0] == "enter"
    at.press("enter")
    sight = await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
    assert sight.totals == (0, 26, 26, 26)
    assert "You claim the rest: 2C 4C 8C 9C 10C   QH   6S" in at.notices
    (claim,) = [event for event in at.events if isinstance(event, RestClaimed)]
    place = at.events.index(claim)
    rest = [event for event in at.events[place:] if isinstance(event, CardPlayed)]
    assert [event.by for event in rest[: 4 * CARDS]] == [ChosenBy.COMPUTER] * 4 * CARDS
    at.press("enter")
    await at.asked()
    assert at.press("e").prompt.startswith("Your turn")


@pytest.mark.seat(
    "--deal", CODE, options=RULES, settings=Settings(trick_stays=None, finishes_slowly=True)
)
async def test_it_can_be_played_out_slowly(at: At) -> None:
    await to_claim(at)
    at.press("e", "enter")
    for _ in range(CARDS):
        await at.until(lambda _: at.page.is_held)
        assert at.sight.stage is not Stage.HAND_OVER
        at.press("enter")
        await at.after()
    await at.until(lambda sight: sight.stage is Stage.HAND_OVER)


@pytest.mark.seat("--deal", CODE, "--bot-pause", "1", options=RULES)
async def test_who_does_not_lead_cannot_claim(at: At) -> None:
    at.press(*str(highest(at.page.table.picture.view())).lower(), "enter")
    await at.after()
    at.press("e")
    assert at.notices[-1] == "It is not your turn to lead."
