"""Clocks at the page: none alone, what is left of one, and what is chosen when it is over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .acting import open_from_menu
from .looks import WIDTH, faults_of
from .page_house import PageGuest, web

pytestmark = pytest.mark.heavy


def test_clocks(browser: Browser, tmp_path: Path) -> None:
    limits = ("--turn-limit", "26", "--fill-after", "2", "--bot-pause", "0")
    with web(tmp_path / "data", *limits, "--rules", "jack", "--end-score", "500") as house:
        ann, bob = PageGuest(browser, house, "Ann", phone=True), PageGuest(browser, house, "Bob")
        # A page takes long to open while the machine is busy, and the clocks run.
        for guest in (ann, bob):
            guest.go()
        for guest in (ann, bob):
            guest.page.get_by_role("button", name="Play with others").click()
        for guest in (ann, bob):
            expect(guest.page.locator(".hand .card")).to_have_count(13)
            # Nothing is taken from the bank for a third of the limit.
            expect(guest.page.locator("#seat-0 .clock")).to_be_visible()
            expect(guest.page.locator(".bank, #seat-0 .seconds")).to_have_count(0)
        # From the half on.
        expect(ann.page.locator("#seat-0 .seconds")).to_have_text(re.compile("^1[1-3]$"))
        bank = re.compile(r"^\d+ s, 1[01]\d s in the bank$")
        expect(bob.page.locator(".bank")).to_have_text(bank)
        assert faults_of(bob.page) == []
        late = ann.page.get_by_role("alert").filter(has_text="A computer plays for you.")
        expect(late).to_contain_text(re.compile("Time is up: passed( (10|[2-9AJQK])[♥♣♦♠]){3}"))
        assert faults_of(ann.page) == []
        assert ann.page.evaluate(WIDTH) == 360
        said = bob.page.get_by_role("log")
        expect(said).to_contain_text(re.compile("computer plays for “?Ann"))
        late.get_by_role("button", name="I am back").tap()
        expect(said).to_contain_text(re.compile("Ann”? is back"))

        alone = PageGuest(browser, house, "Cleo")
        alone.go()
        alone.page.get_by_role("button", name="Make a table").click()
        alone.page.get_by_label("The computers play").select_option("As beginners")
        alone.page.get_by_role("button", name="Make the table").click()
        # What the server says of the seat.
        expect(alone.page.get_by_label("A computer at seat 4 plays")).to_have_value("1")
        alone.page.get_by_role("button", name="Fill up").click()
        expect(alone.page.locator(".hand.asked .card")).to_have_count(13)
        open_from_menu(alone.page, "Rules")
        # The host's own rules and end, which the form begins with.
        for words in ("There is no clock.", "The jack of diamonds", "The game ends at 500 points"):
            expect(alone.page.get_by_text(words)).to_be_visible()
        expect(alone.page.locator(".clock")).to_have_count(0)
        for guest in (ann, bob, alone):
            guest.is_content()
