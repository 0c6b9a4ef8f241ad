"""Ways that few go: back, links while one has a seat, late guests, a moon, a long game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .acting import PLAY, close_dialog, open_from_menu, open_table, play_until, sit_down
from .looks import WIDTH, faults_of, script
from .page_house import DEAL, SEVENS, PageGuest, Web, web

pytestmark = pytest.mark.heavy

SHARE = "navigator.share = async ({ url }) => { window.shared = url; };"
LEAVE = "Leave the table?"
NOTICES = """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
  .then((all) => all.map(({ body }) => body).sort())"""


def test_back_closes_and_asks(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "")
    page = guest.page
    guest.go()
    page.get_by_role("button", name="Your games").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    for _ in range(2):
        page.go_back()
        expect(page.get_by_role("dialog", name=LEAVE)).to_be_visible()
        page.go_back()
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.close()

    page = guest.page = guest.open_page()
    guest.go("#table=other")
    expect(page.get_by_label("Your name")).to_have_value(re.compile(r"Guest \d+"))
    expect(page.get_by_text("You have a seat at another table.")).to_be_visible()
    assert faults_of(page) == []
    page.get_by_role("button", name="Back to your seat").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    page.go_back()
    page.get_by_role("button", name="Leave for good").click()
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    guest.is_content()


def test_a_guest_comes_late(browser: Browser, house: Web) -> None:
    ann, bob = PageGuest(browser, house, "Ann", phone=True), PageGuest(browser, house, "Bob")
    ann.context.add_init_script(SHARE)
    open_table(ann, "late", computers=3)
    expect(ann.page.locator(".hand .card")).to_have_count(13)
    open_from_menu(ann.page, "Table and seats")
    ann.page.get_by_role("button", name="Open the seat for a person: Moe").tap()
    expect(ann.page.get_by_text("who comes by the link plays from the next hand")).to_be_visible()
    assert faults_of(ann.page) == []
    assert ann.page.evaluate(WIDTH) == 360
    ann.page.get_by_role("button", name="Share").tap()
    assert ann.page.evaluate("() => shared") == f"{house.address}#table=late"
    sit_down(bob, "late")
    expect(bob.page.get_by_text("You play from the next hand on.")).to_be_visible()
    expect(bob.page.get_by_text("Bob (you)")).to_be_visible()
    assert faults_of(bob.page) == []
    ann.page.get_by_role("button", name="Close").tap()
    open_from_menu(ann.page, "Play the rest of this hand")
    expect(bob.page.locator(".hand .card")).to_have_count(13)
    expect(bob.page.locator(".bar-title")).to_contain_text("Hand 2")
    ann.is_content()
    bob.is_content()


def test_hands_one_and_twelve(browser: Browser, house: Web) -> None:
    """Alone the result waits, also while nobody looks."""
    guest = PageGuest(browser, house, "Ann")
    page = guest.page
    page.add_init_script(script("ear"))
    open_table(guest, "long", end=1000, computers=3, level=1)
    expect(page.locator(".hand .card")).to_have_count(13)
    open_from_menu(page, "Play the rest of this hand")
    page.evaluate("() => { window.isAway = true; }")
    over = page.locator(".over-panel")
    expect(over).to_contain_text("the queen of spades.")
    expect(over.locator(".taken", has_text="Q♠")).to_have_count(1)
    expect(over).to_contain_text(re.compile(r"You took \d+; this hand usually costs \d+ ± \d+\."))
    over.get_by_role("button", name="See the hand again").click()
    for seat in page.locator(".open-hand h3").all():
        expect(seat).to_contain_text(re.compile(r", usually \d+ ± \d+$"))
    said = page.locator(".said")
    expect(said).to_contain_text("The hint would have passed")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_have_text("Trick 1, 4/52")
    expect(said).to_contain_text("took it, with")
    # Another card than the hint's is found, and what it cost by hindsight.
    for _ in range(48):
        if "The hint would have played" in said.inner_text():
            break
        place = page.locator("output").inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.locator("output")).not_to_have_text(place)
        expect(said).to_contain_text(re.compile("The hint says|would have|No other card|52/52"))
    expect(said).to_contain_text(re.compile(r"As all cards lay, .* \(16 games each"))
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert faults_of(page) == []
        fits = "(it) => it.scrollHeight <= it.clientHeight && it.scrollWidth <= it.clientWidth"
        assert page.locator("dialog.replay").evaluate(fits)
    page.keyboard.press("End")
    expect(page.locator("output")).to_have_text("Trick 13, 52/52")
    close_dialog(page)
    # The scores are longer than their place then, and their sum stays in sight.
    play_until([page], ".side tbody tr:nth-child(11)")
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert faults_of(page) == []
        assert page.evaluate(WIDTH) == width
        cut = "(it) => it.scrollWidth > it.clientWidth || it.getBoundingClientRect().bottom > 48"
        assert not page.locator(".bar-title p").evaluate(cut)
    page.set_viewport_size({"width": 1280, "height": 640})
    expect(page.locator(".side tfoot")).to_be_in_viewport()
    guest.is_content()


def test_a_page_calls_its_player(browser: Browser, house: Web) -> None:
    ann, bob = PageGuest(browser, house, "Ann"), PageGuest(browser, house, "Bob")
    page = ann.page
    ann.context.add_init_script(script("ear"))
    ann.context.grant_permissions(["notifications"])
    ann.go()
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Notify me of my turn").check()
    close_dialog(page)
    open_table(ann, "call", computers=2)
    expect(page.get_by_label("Send this link")).to_be_visible()
    page.evaluate("() => { window.isAway = true; }")
    sit_down(bob, "call")
    expect(page.locator(".hand .card")).to_have_count(13)
    expect(page).to_have_title("Your turn – Hearts")
    assert page.evaluate(NOTICES) == ["All are here. The game begins.", "It is your turn."]
    assert page.evaluate("() => heard") == [587, 587, 659, 880]
    page.evaluate("() => { window.isAway = false; }")
    page.keyboard.press("o")
    page.get_by_label("Sounds").uncheck()
    close_dialog(page)
    for _ in range(4):
        page.evaluate(PLAY)
    expect(page).to_have_title("Hearts")
    for guest in (ann, bob):
        guest.is_content()


def test_a_moon_that_is_claimed(browser: Browser, tmp_path: Path) -> None:
    settings = ("--rules", "moon=choice,pass=never", "--deal", DEAL, "--computers", "simple")
    with web(tmp_path / "data", "--fill-after", "never", *settings) as house:
        guest = PageGuest(browser, house, "Ann", phone=True)
        page = guest.page
        page.add_init_script(SEVENS)
        guest.go()
        page.get_by_role("button", name="Play now").tap()
        claim = page.get_by_role("button", name="Claim the rest")
        while not claim.is_visible():
            page.evaluate(script("play"), "high")
            page.wait_for_timeout(50)
        assert faults_of(page) == []
        claim.tap()
        expect(
            page.get_by_text("You have shot the moon! What do you choose?", exact=True)
        ).to_be_visible()
        expect(page.locator("#seat-0 .in-hand")).to_have_text("☾")
        assert faults_of(page) == []
        page.get_by_role("button", name="26 for each of the others").tap()
        expect(page.locator(".over-panel")).to_contain_text("☾")
        guest.is_content()
