"""The page of one's own mistakes at the full screen."""

from __future__ import annotations

from hearts.game.cards import Card
from hearts_client.mistakes.kept import KeptMistakes
from hearts_client.screen.pages.mistakes_page import MistakesPage
from tests.client.opinions import OpinionDesk
from tests.client.test_mistakes import mistake

from .replays import THEME, Shown


def test_a_mistake_is_asked_and_told_of() -> None:
    kept, desk = KeptMistakes([mistake()]), OpinionDesk()
    page = MistakesPage(kept, THEME, desk.ask)
    shown = Shown(page)
    page.tell(1, 3)
    assert "1 to look at today" in shown.text
    assert "looked through 1 of 3 hands" in shown.text
    assert "What do you play?" in shown.text
    legal = THEME.style.sorted(kept.mistakes[0].view.legal_cards)
    shown.press("left", "right", *["right"] * legal.index(Card.parse("QS")), "enter")
    assert "Right." in shown.text
    assert "6S costs 11.4 points more" in shown.text
    assert len(kept.mistakes[0].reviews) == 1
    shown.press("enter")
    assert "Nothing is to be looked at today." in shown.text
    assert "0 to look at today" in shown.text


def test_one_that_is_found_while_the_page_is_open_is_asked() -> None:
    kept = KeptMistakes()
    page = MistakesPage(kept, THEME, OpinionDesk().ask)
    shown = Shown(page)
    assert "Nothing is to be looked at today." in shown.text
    shown.press("enter", "left")
    kept.add(mistake())
    page.tell(2, 3)
    assert "What do you play?" in shown.text
