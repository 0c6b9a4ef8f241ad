"""An evening at one table: a phone, a keyboard, a terminal, a bot, and somebody who looks on."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from hearts_server.config import JOURNAL_FILE
from hearts_server.journal.sqlite import file_archive
from tests.soak.soak_server import ROOT

from .acting import open_from_menu, press, tab_to, tap
from .page_house import PageGuest, chromium, web
from .terminal_guest import TerminalGuest

pytestmark = pytest.mark.heavy

LIMIT = 150.0
"""Seconds after which the evening hangs."""
BOT = (
    *(sys.executable, "-c"),
    "import sys; from hearts_client.commands.bot import main; sys.exit(main())",
)


def play(ann: Page, bob: Page, until: Callable[[], bool]) -> None:
    """The phone and the keyboard play until something is so."""
    end = time.monotonic() + LIMIT
    while not until():
        assert time.monotonic() < end, "the game does not go on"
        tap(ann)
        press(bob)
        ann.wait_for_timeout(40)


def play_to_middle(ann: Page, bob: Page, cards: int) -> None:
    """Both play so many cards, and on until one is asked in a trick that others have begun.

    Then nobody else is asked anything. As one leads, the other one follows.
    """
    end = time.monotonic() + LIMIT
    while True:
        assert time.monotonic() < end, "the game does not go on"
        for page, act in ((ann, tap), (bob, press)):
            if is_asked_behind_others(page, cards):
                return
            act(page)
        ann.wait_for_timeout(40)


def is_asked_behind_others(page: Page, cards: int) -> bool:
    held = page.locator(".hand.asked:not(:has(.sent, .raised)) .card").count()
    full = page.locator(".lying.full").count()
    return 0 < held <= 13 - cards and page.locator(".lying").count() > 0 and full == 0


def watch(page: Page) -> None:
    page.get_by_role("button", name="Refresh").click()
    page.get_by_role("button", name="Watch Table").click()
    expect(page.get_by_role("region", name="Ann:")).to_be_visible()


def test_an_evening(tmp_path: Path) -> None:
    rules = ("--end-score", "1", "--grace", "600", "--fill-after", "never")
    with web(tmp_path / "data", *rules) as house, chromium() as browser:
        ann, bob = PageGuest(browser, house, "Ann", phone=True), PageGuest(browser, house, "Bob")
        eve = PageGuest(browser, house, "Eve")
        ann.go()
        ann.page.get_by_role("button", name="Play with others").tap()
        expect(ann.page.get_by_text("Waiting for 3 players")).to_be_visible()
        bob.go()
        expect(bob.page.get_by_role("button", name="Join Table")).to_be_visible()
        assert tab_to(bob.page, ".tables button")
        bob.page.keyboard.press("Enter")
        expect(ann.page.get_by_text("Waiting for 2 players")).to_be_visible()

        where = f"127.0.0.1:{house.game.port}"
        program = TerminalGuest(
            tmp_path, where, "--taunt-port", str(house.game.taunt_port), "--name", "Cleo"
        )
        with program.seated():
            expect(ann.page.get_by_text("Waiting for 1 player.")).to_be_visible(timeout=60_000)
            there = ("--dialect", "dealer", "--port", str(house.game.port))
            bot = (*BOT, "--quiet", "--name", "Dan", *there, "simple")
            with subprocess.Popen(bot, cwd=ROOT) as dan:
                for page in (ann.page, bob.page):
                    expect(page.locator(".hand .card")).to_have_count(13)
                eve.go()
                watch(eve.page)

                play_to_middle(ann.page, bob.page, 1)
                pages = (ann.page, bob.page, eve.page)
                house.restart_gateway(meanwhile=lambda: lost(*pages))
                found(*pages)

                play_to_middle(ann.page, bob.page, 3)
                house.game.kill()
                lost(*pages)
                house.game.begin()
                house.game.wait_ready()
                found(*pages)

                program.kill_and_come_back()
                play(ann.page, bob.page, lambda: all(map(has_result, pages)))
                play(ann.page, bob.page, lambda: "The game is over" in program.text)
                for page in (ann.page, bob.page):
                    checked = re.compile("all as promised. Nobody chose this deal.")
                    expect(page.get_by_role("button", name=checked)).to_be_visible()
                # The chat came back as well.
                assert tab_to(bob.page, ".say input")
                bob.page.keyboard.type("good night")
                bob.page.keyboard.press("Enter")
                wait_for_chat(ann.page, "good night")
                look_at_hands(ann.page)
                look_at_hands(eve.page)
                expect(eve.page.locator(".hand")).to_have_count(0)
                open_from_menu(eve.page, "To the start page")
                expect(eve.page.get_by_role("button", name="Play now")).to_be_visible()
                dan.terminate()
        for guest in (ann, bob, eve):
            guest.is_content()
    with closing(file_archive(tmp_path / "data" / JOURNAL_FILE)) as journal:
        promise, deal, *_ = journal.session(1).lines
    assert promise.startswith("promise ")
    assert len(re.findall(r" [0-9a-f]{64}", deal)) == 4, "the values of all four"


def has_result(page: Page) -> bool:
    return page.query_selector(".result") is not None


def lost(*pages: Page) -> None:
    for page in pages:
        expect(page.locator(".lost")).to_be_visible()


def found(*pages: Page) -> None:
    for page in pages:
        expect(page.locator(".lost")).to_have_count(0)
        expect(page.get_by_role("region", name="Cleo:")).to_be_visible()


def wait_for_chat(page: Page, words: str) -> None:
    page.get_by_role("button", name="Chat, ").tap()
    dialog = page.get_by_role("dialog", name="Chat")
    expect(dialog.get_by_role("log")).to_contain_text(f"Bob {words}")
    dialog.get_by_role("button", name="Close").tap()


def look_at_hands(page: Page) -> None:
    page.get_by_role("button", name="Look at the hands").click()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_text("Trick 13, 52/52")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
