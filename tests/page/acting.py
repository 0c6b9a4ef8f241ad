"""What people do at a page: by mouse, by touch and by keyboard, one act after the other."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from .looks import script
from .page_house import PageGuest

LIMIT = 90.0
"""Seconds after which a page hangs."""
MOST_TABS = 60
"""A page has fewer places that the Tab key goes to."""

PLAY = script("play")
_TARGET = script("target")
_ASKED = script("asked")
_HAS_FOCUS = "(selector) => document.activeElement?.matches(selector) ?? false"


def tap(page: Page) -> None:
    """Tap once where something is to be done, as somebody does with a finger."""
    place = page.evaluate(_TARGET)
    if place is not None:
        page.touchscreen.tap(*place)


def press(page: Page) -> None:
    """Do with keys alone what is asked, if anything is."""
    match page.evaluate(_ASKED):
        case "go on":
            page.keyboard.press("Enter")
        case "pass":
            if tab_to(page, ".hand .card"):
                page.keyboard.press("Home")
                for _ in range(3):
                    page.keyboard.press("Enter")
                    page.keyboard.press("ArrowRight")
                if tab_to(page, ".prompt button.main", "Shift+Tab"):
                    page.keyboard.press("Enter")
        case "card":
            if tab_to(page, ".hand .card"):
                page.keyboard.press("Home")
                for _ in range(13):
                    if page.evaluate(_HAS_FOCUS, ".hand.asked .card:not(.illegal)"):
                        page.keyboard.press("Enter")
                        break
                    page.keyboard.press("ArrowRight")


def tab_to(page: Page, selector: str, key: str = "Tab") -> bool:
    """Press a key until what fits the selector has the focus; whether it has."""
    for _ in range(MOST_TABS):
        if page.evaluate(_HAS_FOCUS, selector):
            return True
        page.keyboard.press(key)
    return False


def play_until(pages: list[Page], selector: str) -> None:
    """Everybody plays until the page of everybody has this."""
    end = time.monotonic() + LIMIT
    # It may have come since it was looked for, and one more act would go beyond it.
    act = PLAY if len(pages) > 1 else f"() => document.querySelector('{selector}') ? 0 : ({PLAY})()"
    while any(page.query_selector(selector) is None for page in pages):
        assert time.monotonic() < end, "the game does not go on"
        for page in pages:
            page.evaluate(act)
            page.wait_for_timeout(40)


def open_from_menu(page: Page, words: str) -> None:
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words).click()


def close_dialog(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


OWN_RULES = (
    "The jack of diamonds",
    "The queen of spades must be discarded at the first chance",
    "The first lead goes around, with any card",
    "A player who takes no trick gets 5 points off",
)


def open_table(
    guest: PageGuest, name: str, *, end: int = 100, computers: int = 0, level: int = 0
) -> None:
    """Go to the page, and make a table for friends; level 0 of computers is the host's."""
    guest.go()
    guest.page.get_by_role("button", name="Make a table").click()
    guest.page.get_by_label("Name of the table").fill(name)
    guest.page.get_by_label("The game ends at").fill(str(end))
    guest.page.get_by_label("Computers from the start").select_option(str(computers))
    if level:
        guest.page.get_by_label("The computers play").select_option(str(level))
    guest.page.get_by_role("button", name="Make the table").click()


def sit_down(guest: PageGuest, table: str) -> None:
    guest.go(f"#table={table}")
    guest.page.get_by_role("button", name="Sit down").click()


def make_table(page: Page, rules: str) -> None:
    page.get_by_role("button", name="Make a table").click()
    page.get_by_label("Name of the table").fill(rules)
    page.locator("form.make select").first.select_option(rules)
    if rules == "own":
        for words in OWN_RULES:
            page.get_by_label(words).check()
        page.get_by_label("Shooting the moon").select_option("2")
    page.get_by_label("The game ends at").fill("1")
    page.get_by_label("Computers from the start").select_option("3")
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator(".hand .card")).to_have_count(13)
