"""How long somebody at the page waits, in figures: ``python -m tests.page.measure``.

Each figure is taken several times, each time without a cache. Time is that of the page: from the
moment at which an address was opened, or of a click, until the frame is drawn that shows what was
waited for.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, expect

from .looks import script
from .page_house import PageGuest, Web, chromium, web

TIMES = 15
"""Runs for each figure."""

_STOPWATCH = script("stopwatch")


def told(page: Page, expression: str) -> float:
    """Milliseconds, as soon as the page can tell them."""
    page.wait_for_function(expression)
    found: float = page.evaluate(expression)
    return found


def start(browser: Browser, house: Web) -> dict[str, float]:
    """The page is opened, and a click sits down at a table with three computers."""
    guest = PageGuest(browser, house, "Ann")
    page = guest.page
    page.add_init_script(_STOPWATCH)
    guest.go()
    opened = told(page, "firstDrawn['.card']")
    page.get_by_role("button", name="Play now").click()
    cards = page.locator(".hand .card")
    expect(cards).to_have_count(13)
    page.wait_for_timeout(500)  # What is clicked at once was meant for what was there before.
    raised = []
    for place in range(3):
        before = page.evaluate("() => clicks.length")
        cards.nth(place).click(position={"x": 12, "y": 20})
        raised.append(told(page, f"clicks[{before}]"))
    page.get_by_role("button", name="Pass 3 cards").click()
    may = page.locator(".hand.asked .card:not(.illegal)").first
    may.wait_for()
    page.wait_for_timeout(500)
    before = page.evaluate("() => clicks.length")
    may.click(position={"x": 12, "y": 20})
    played = told(page, f"clicks[{before}]")
    page.reload()
    back = told(page, "firstDrawn['.hand .card']")
    guest.context.close()
    return {
        "link opened, first card drawn": opened,
        "reloaded in mid-hand, own cards drawn": back,
        "click on a card to pass, card raised": median(raised),
        "click on a card to play, card gone to the server": played,
    }


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        web(Path(folder) / "data", "--fill-after", "never") as house,
        chromium() as browser,
    ):
        taken = [start(browser, house) for _ in range(TIMES)]
        print("| what | median ms | best ms | worst ms |\n|---|---|---|---|")
        for what in taken[0]:
            all_of_it = sorted(each[what] for each in taken)
            low, high = all_of_it[0], all_of_it[-1]
            print(f"| {what} | {median(all_of_it):.0f} | {low:.0f} | {high:.0f} |")
        print(f"\nload {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {browser.version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
