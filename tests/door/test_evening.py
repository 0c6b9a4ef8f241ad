"""An evening at a server with a password: two phones, a terminal, a visitor by ssh; the server is
killed twice, and all four have seen the same game."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.page.acting import tap
from tests.page.page_house import PageGuest, Web, chromium
from tests.page.terminal_guest import TerminalGuest
from tests.terminal.terminal import Terminal

from .door_house import ENTER, DoorProcess, door, until

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(600)]

LIMIT = 240.0
"""Seconds after which the evening hangs."""
WORDS = "fig & fox"
POINTS = 26
"""Points of a hand, at least."""
SETTINGS = ("--turn-limit", "0", "--password", WORDS, "--fill-after", "never", "--grace", "600")
GAME_OVER = "The game is over"


async def say_words(screen: Terminal) -> None:
    await screen.wait_for("The host asks for a password")
    screen.type("fig" + ENTER)
    await screen.wait_for("That is not the password")
    screen.type(WORDS + ENTER)


async def come_by_ssh(screen: Terminal) -> None:
    """Fill in a name and the table, and join it."""
    await screen.wait_for("Play now")
    for label, text in (("Your name", "Dora"), ("Table ", "friday")):
        place = screen.find(label)
        assert place is not None
        screen.click(place[0] + 14, place[1])
        screen.type(f"\x15\x0b{text}")
        await screen.wait_for(text)
    screen.click_text("Join the next")
    await say_words(screen)


def held(page: Page) -> int:
    return page.locator(".hand .card").count()


class FourFriends:
    """Two phones whose people play, beside terminals that play by themselves."""

    def __init__(self, there: DoorProcess, pages: list[Page], guests: list[TerminalGuest]) -> None:
        self._there = there
        self._pages = pages
        self._guests = guests

    def play(self, is_so: Callable[[], bool]) -> None:
        """Play until something is so."""
        end = time.monotonic() + LIMIT
        while not is_so():
            assert time.monotonic() < end, "\n".join(guest.text for guest in self._guests)
            for page in self._pages:
                tap(page)
            self._pages[0].wait_for_timeout(40)

    def kill_the_server(self) -> None:
        """All four lose it, and come back when it is there again, whatever they were doing."""
        game = self._there.game
        before = [len(guest.said) for guest in self._guests]

        def all_read(words: str) -> bool:
            return all(
                words in guest.said[size:] for guest, size in zip(self._guests, before, strict=True)
            )

        game.kill()
        for page in self._pages:
            expect(page.locator(".lost")).to_be_visible()
        until(lambda: all_read("Connection lost"))
        game.begin()
        game.wait_ready()
        for page in self._pages:
            expect(page.locator(".lost")).to_have_count(0)
        until(lambda: all_read("You are back."))

    def all_see_the_end(self) -> bool:
        are_over = [page.query_selector(".result") is not None for page in self._pages]
        return all(are_over) and all(GAME_OVER in guest.text for guest in self._guests)


def read_at_page(page: Page, me: str) -> dict[str, int]:
    """The scores in the result of a page, by name."""
    places = page.locator(".result .places li").all()
    names = [place.locator("span").nth(1).inner_text().rstrip(" ★") for place in places]
    totals = [int(place.locator("b").inner_text()) for place in places]
    return dict(zip([me if name == "You" else name for name in names], totals, strict=True))


def read_at_terminal(text: str, me: str) -> dict[str, int]:
    """The scores in the table beside the game, by name."""
    beside = [line.partition("│")[2].replace("★", " ").split() for line in text.splitlines()]
    names = next(row for row in beside if "You" in row)
    totals = next(row for row in beside if row[:1] == ["total"])
    people = [me if name == "You" else name for name in names]
    return dict(zip(people, map(int, totals[1:]), strict=True))


def test_an_evening(tmp_path: Path) -> None:
    game = (*SETTINGS, "--end-score", "1")
    with ExitStack() as stack:
        there = stack.enter_context(door(tmp_path, game=game, chats=True))
        house = stack.enter_context(closing(Web(there.game, 1000, chats=True)))
        browser = stack.enter_context(chromium())

        # Ann has the words from the host, and opens the table; Bob has her link.
        ann, bob = (PageGuest(browser, house, name, phone=True) for name in ("Ann", "Bob"))
        ann.go("#words=fig+%26+fox")
        ann.page.get_by_role("button", name="Make a table").tap()
        ann.page.get_by_label("Name of the table").fill("friday")
        ann.page.get_by_role("button", name="Make the table").tap()
        link = ann.page.get_by_label("Send this link").input_value()
        bob.go(link.removeprefix(house.address))
        expect(bob.page.get_by_text("There already: Ann.")).to_be_visible()
        bob.page.get_by_role("button", name="Sit down").tap()
        expect(ann.page.get_by_text("Waiting for 2 players")).to_be_visible()

        where = (f"127.0.0.1:{there.game.port}", "--taunt-port", str(there.game.taunt_port))
        how = (*where, "--table", "friday", "--name", "Cleo")
        key = there.key("dora")
        cleo = TerminalGuest(tmp_path / "cleo", *how, come=say_words)
        dora = TerminalGuest(tmp_path / "dora-home", command=there.ssh(key=key), come=come_by_ssh)
        evening = FourFriends(there, [ann.page, bob.page], [cleo, dora])
        stack.enter_context(cleo.seated())
        expect(ann.page.get_by_text("Waiting for 1 player.")).to_be_visible()
        stack.enter_context(dora.seated())
        for page in (ann.page, bob.page):
            expect(page.locator(".hand .card")).to_have_count(13)

        evening.play(lambda: held(ann.page) <= 9)
        evening.kill_the_server()
        evening.play(lambda: held(ann.page) <= 5)
        evening.kill_the_server()
        evening.play(evening.all_see_the_end)
        seen = [read_at_page(guest.page, name) for guest, name in ((ann, "Ann"), (bob, "Bob"))]
        seen += [read_at_terminal(cleo.text, "Cleo"), read_at_terminal(dora.text, "Dora")]
        assert seen == [seen[0]] * 4
        assert set(seen[0]) == {"Ann", "Bob", "Cleo", "Dora"}
        assert sum(seen[0].values()) >= POINTS
        assert there.game.lives == 3
        assert there.game.errors() == []
        for guest in (ann, bob):
            guest.is_content()
