"""Own mistakes in a browser: kept from hands, asked as questions, and told in words."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, expect

from .acting import close_dialog, open_from_menu, open_table
from .looks import WIDTH, faults_of
from .page_house import PHONE, PageGuest, Web
from .test_links import vector

pytestmark = pytest.mark.heavy

TITLE = "Your own mistakes"
KEEP = """(mistake) => localStorage.setItem('hearts.mistakes', JSON.stringify(
    { hands: [], looked: [], mistakes: [mistake] }))"""
KEPT = "() => JSON.parse(localStorage.getItem('hearts.mistakes') ?? 'null')"


def outlook(card: int, loss: float, queen: float, trick: float) -> dict[str, float]:
    figures = {"error": 0.3 if loss else 0, "queen": queen, "trick": trick}
    return {"card": card, "loss": loss, "moon": 0, "otherMoon": 0, **figures}


def test_a_mistake_is_asked_and_comes_again(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Zoe")
    page = guest.page
    # In the ninth trick of Ann; the figures are made up.
    mistake = {
        "link": vector("with names")["link"],
        "count": 33,
        "outlooks": [outlook(7, 0, 0.1, 0.2), outlook(17, 5.5, 0.6, 0.2)],
        "at": 0,
        "due": 0,
        "asked": 0,
        "rights": 0,
    }
    guest.go()

    def ask() -> Locator:
        page.evaluate(KEEP, mistake)
        guest.go()
        page.get_by_role("button", name=re.compile(f"^{TITLE}\\s*1 to look at today")).click()
        return page.get_by_role("dialog", name=TITLE)

    dialog = ask()
    expect(dialog.get_by_text("Hand 3 of a game of")).to_be_visible()
    expect(dialog.get_by_text("8 tricks before")).to_be_visible()
    for width, height in ((1280, 800), (PHONE["width"], PHONE["height"])):
        page.set_viewport_size({"width": width, "height": height})
        assert faults_of(page) == []
        assert page.evaluate(WIDTH) == width
    dialog.get_by_role("button", name="seven of hearts").click()
    expect(dialog.get_by_text("Right.")).to_be_visible()
    expect(dialog.get_by_text("In the game you played the four of clubs.")).to_be_visible()
    expect(dialog.get_by_text("costs 5.5 ± 0.3 points more than the seven")).to_be_visible()
    expect(dialog.get_by_text("you take the queen of spades in 60% of the deals")).to_be_visible()
    expect(dialog.get_by_text("It comes again in 1 day.")).to_be_visible()
    assert faults_of(page) == []
    dialog.get_by_role("button", name="Go on").click()
    expect(dialog.get_by_text("That is all for today.")).to_be_visible()
    close_dialog(page)
    expect(page.get_by_text("to look at today")).to_have_count(0)

    # What was neither played nor better is looked at when it is the answer.
    dialog = ask()
    dialog.get_by_role("button", name="ten of hearts").click()
    expect(dialog.get_by_text(re.compile(r"^(Right|Not the best)\.$"))).to_be_visible()
    expect(dialog.get_by_text("In the game you played the four of clubs.")).to_be_visible()
    dialog = ask()
    dialog.get_by_role("button", name="four of clubs").click()
    expect(dialog.get_by_text("That is what you played in the game.")).to_be_visible()
    guest.is_content()


def test_hands_are_looked_through_at_the_start(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann")
    page = guest.page
    open_table(guest, "mistakes", computers=3)
    expect(page.locator(".hand .card")).to_have_count(13)
    open_from_menu(page, "Play the rest of this hand")
    expect(page.locator(".over-panel")).to_be_visible()
    page.wait_for_function(f"() => ({KEPT})()?.hands.length === 1")
    page.go_back()
    page.get_by_role("button", name="Leave for good").click()
    page.wait_for_function(f"() => ({KEPT})()?.looked.length === 1")
    guest.is_content()
