"""Clocks at the page: none alone, what is left of one, and what is chosen when it is over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .acting import open_from_menu, open_table, sit_down
from .looks import WIDTH, faults_of
from .page_house import PageGuest, web

pytestmark = pytest.mark.heavy


def test_who_is_late_is_told_so_and_comes_back(browser: Browser, tmp_path: Path) -> None:
    with web(tmp_path / "data", "--turn-limit", "26", "--fill-after", "never") as house:
        ann, bob = PageGuest(browser, house, "Ann", phone=True), PageGuest(browser, house, "Bob")
        open_table(ann, "late")
        sit_down(bob, "late")
        ann.page.get_by_role("button", name="Send away: Bob").wait_for()
        ann.page.get_by_role("button", name="Fill up with computers").click()
        # From the half on.
        expect(ann.page.locator("#seat-0 .seconds")).to_have_text(re.compile("^1[1-3]$"))
        late = ann.page.get_by_role("alert").filter(has_text="A computer plays for you.")
        expect(late).to_contain_text(re.compile("Time is up: passed( (10|[2-9AJQK])[♥♣♦♠]){3}"))
        assert faults_of(ann.page) == []
        assert ann.page.evaluate(WIDTH) == 360
        said = bob.page.get_by_role("log")
        expect(said).to_contain_text(re.compile("computer plays for Ann"))
        late.get_by_role("button", name="I am back").tap()
        expect(said).to_contain_text("Ann is back")
        ann.is_content()


def test_alone_there_is_no_clock(browser: Browser, tmp_path: Path) -> None:
    with web(tmp_path / "data", "--turn-limit", "1", "--fill-after", "never") as house:
        ann = PageGuest(browser, house, "Ann")
        open_table(ann, "alone")
        ann.page.get_by_role("button", name="Fill up with computers").click()
        expect(ann.page.locator(".hand.asked .card")).to_have_count(13)
        open_from_menu(ann.page, "Rules")
        expect(ann.page.get_by_text("There is no clock.")).to_be_visible()
        expect(ann.page.locator(".clock")).to_have_count(0)
        ann.is_content()
