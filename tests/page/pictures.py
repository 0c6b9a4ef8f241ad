"""The pictures of the page in README and docs; ``python -m tests.docs.pictures`` makes them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.session.test_hand_link import VECTORS

from .acting import PLAY
from .page_house import PHONE, SEVENS, PageGuest, Web, chromium, web

NAMES = ("page.jpg", "first-hand.jpg", "hand-of-link.jpg")
DEAL = "1WJH-1MM5-XXDS-WW22-2PDA-F7CG-XNC3"
CARDS = 20
"""Those that are played of the hand of a link: the next one cost points."""
SETTINGS = ("--deal", DEAL, "--bot-pause", "0", "--computers", "simple")
_PLAY_ON = f"""() => {{
  const cards = document.querySelectorAll('.hand.asked .card').length;
  const lying = document.querySelectorAll('.trick .card').length;
  if (cards > 4 && cards < 10 && lying === 3) return true;
  ({PLAY})();
  return false;
}}"""
"""Play a card if one is asked for, until Ann is the last to a trick in the middle of the hand."""


def _guest(browser: Browser, made: Web, size: tuple[int, int]) -> PageGuest:
    guest = PageGuest(browser, made, "Ann")
    guest.page.set_viewport_size({"width": size[0], "height": size[1]})
    guest.page.add_init_script(SEVENS)
    guest.go()
    return guest


def _save(guest: PageGuest, path: Path) -> None:
    guest.page.mouse.move(0, 0)
    guest.page.wait_for_timeout(500)
    guest.page.screenshot(path=path, quality=80, type="jpeg", animations="disabled")


def take(folder: Path) -> None:
    """Make the pictures. Deal, numbers of the page and computers are fixed."""
    with (
        tempfile.TemporaryDirectory() as data,
        web(Path(data) / "data", *SETTINGS) as made,
        chromium() as browser,
    ):
        guest = _guest(browser, made, (1024, 640))
        guest.page.get_by_role("button", name="Play now").click()
        guest.page.wait_for_selector(".hand .card")
        while not guest.page.evaluate(_PLAY_ON):
            guest.page.wait_for_timeout(100)
        _save(guest, folder / "page.jpg")
        guest = _guest(browser, made, (PHONE["width"], PHONE["height"]))
        guest.page.get_by_role("button", name="Your first hand").click()
        guest.page.get_by_role("button", name="Go on").click()
        for card in ("ace of clubs", "ace of spades", "ace of hearts"):
            guest.page.get_by_role("button", name=card).dispatch_event("click")
        _save(guest, folder / "first-hand.jpg")
        guest = _guest(browser, made, (1024, 760))
        link = next(one["link"] for one in VECTORS["hands"] if one["title"] == "a hold hand")
        guest.page.evaluate("(link) => { location.hash = `hand=${link}`; }", link)
        guest.page.get_by_text("usually").nth(3).wait_for()
        for _ in range(CARDS):
            guest.page.keyboard.press("ArrowRight")
        guest.page.get_by_text("16 games each").wait_for()
        _save(guest, folder / "hand-of-link.jpg")
