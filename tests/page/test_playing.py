"""The page in a real browser, at a real server: whoever plays, by any means, and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .acting import close_dialog, open_from_menu, open_table, play_until, press, sit_down
from .looks import WIDTH, faults_of
from .page_house import PageGuest, Web, web

pytestmark = pytest.mark.heavy

HELD = "() => [...document.querySelectorAll('.hand .card')].map(({ dataset }) => dataset.card)"


def test_two_pages_and_computers_play_a_game(browser: Browser, house: Web) -> None:
    ann, bob = PageGuest(browser, house, "Ann"), PageGuest(browser, house, "Bob", phone=True)
    open_table(ann, "friends", end=1)
    assert faults_of(ann.page) == []
    link = ann.page.get_by_label("Send this link")
    expect(link).to_have_value(f"{house.address}#table=friends")

    sit_down(bob, "friends")
    expect(ann.page.get_by_text("Bob", exact=True)).to_be_visible()
    assert faults_of(bob.page) == []

    ann.page.get_by_role("button", name="Fill up with computers").click()
    expect(ann.page.locator(".hand .card")).to_have_count(13)
    expect(bob.page.locator(".hand .card")).to_have_count(13)
    assert faults_of(ann.page) == []
    assert faults_of(bob.page) == []
    ann.page.get_by_label("Say something").fill("good luck <b>")
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("log")).to_contain_text("good luck <b>")

    play_until([ann.page, bob.page], ".result")
    for guest in (ann, bob):
        expect(guest.page.get_by_role("button", name="Deals: 1 checked")).to_be_visible()
        assert faults_of(guest.page) == []
    ann.page.get_by_role("button", name="Deals: 1 checked").click()
    expect(ann.page.get_by_text("Deal 1: as promised")).to_be_visible()
    assert faults_of(ann.page) == []
    close_dialog(ann.page)
    open_from_menu(ann.page, "Replay hands")
    assert faults_of(ann.page) == []
    close_dialog(ann.page)
    bob.page.get_by_role("button", name="Go on").click()
    ann.page.get_by_role("button", name="Play again").click()
    for guest in (ann, bob):
        expect(guest.page.locator(".hand .card")).to_have_count(13)
    ann.is_content()
    bob.is_content()


def test_a_phone_by_touch(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann", phone=True)
    page = guest.page
    guest.go()
    page.get_by_role("button", name="Play now").tap()
    cards = page.locator(".hand .card")
    expect(cards).to_have_count(13)
    assert page.evaluate(WIDTH) == 360
    page.wait_for_timeout(400)  # what is tapped at once was meant for what was there before
    for place in (0, 6, 12):
        cards.nth(place).tap(position={"x": 12, "y": 20})
    page.get_by_role("button", name="Pass 3 cards").tap()
    hand = page.locator(".hand.asked")
    hand.wait_for()
    may = page.locator(".hand.asked .card:not(.illegal)").first
    page.wait_for_timeout(400)
    before = cards.count()
    may.tap(position={"x": 12, "y": 20})
    # One tap plays nothing.
    expect(page.locator(".hand .card.raised")).to_have_count(1)
    assert cards.count() == before
    page.locator(".hand .card.raised").tap(position={"x": 12, "y": 20})
    expect(page.locator(".hand .card")).to_have_count(before - 1)
    guest.is_content()


def test_by_keyboard_alone(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann")
    page = guest.page
    guest.go()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.get_by_label("Your name").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".hand .card")).to_have_count(13)
    press(page)
    expect(page.locator(".hand .card.received")).to_have_count(3)
    page.locator(".hand.asked .card:not(.illegal)").first.wait_for()
    page.keyboard.press("h")
    expect(page.get_by_role("dialog", name="Hint")).to_contain_text("Play the")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    count = page.locator(".hand .card").count()
    press(page)
    expect(page.locator(".hand .card")).to_have_count(count - 1)
    # The card that had the focus is gone; the keys go on with another one.
    expect(page.locator(".hand .card:focus")).to_have_count(1)
    outline = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"
    guest.is_content()


def test_choices_are_taken_back_alone(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann")
    page = guest.page
    guest.go()
    page.get_by_role("button", name="Play now").click()
    undo = page.get_by_role("button", name="Take back your last choice")
    expect(page.locator(".hand .card")).to_have_count(13)
    expect(undo).to_have_count(0)
    play_until([page], ".hand .card.received")
    held_then = page.evaluate(HELD)
    play_until([page], ".over-panel")
    undo.click()
    expect(page.locator(".over-panel")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(1)
    for held in range(2, 14):
        page.keyboard.press("u")
        expect(page.locator(".hand .card")).to_have_count(held)
    page.wait_for_function(f"(held) => ({HELD})().join() === held", arg=",".join(held_then))
    page.keyboard.press("Shift+U")
    expect(page.locator(".hand .card")).to_have_count(12)
    open_from_menu(page, "Do it again")
    expect(page.locator(".hand .card")).to_have_count(11)
    expect(page.get_by_role("log")).to_contain_text("This game is not counted.")
    page.reload()
    expect(page.locator(".hand .card")).to_have_count(11)
    play_until([page], ".over-panel")
    expect(page.get_by_role("button", name="Deals: 1 checked")).to_be_visible()
    assert faults_of(page) == []
    guest.is_content()


def test_coming_back(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann")
    guest.go()
    guest.page.get_by_role("button", name="Play now").click()
    play_until([guest.page], ".lying")
    held = guest.page.locator(".hand .card").count()

    guest.page.reload()
    expect(guest.page.locator(".hand .card").first).to_be_visible()
    assert guest.page.locator(".hand .card").count() <= held

    with guest.page.expect_response("**/swift.bin") as network:
        open_from_menu(guest.page, "Play the rest of this hand")
    assert network.value.ok
    guest.page.locator(".over-panel").wait_for()

    guest.page.close()
    again = guest.page = guest.open_page()
    guest.go()
    expect(again.locator(".hand .card").first).to_be_visible()
    open_from_menu(again, "Scores")
    expect(again.get_by_role("dialog").get_by_role("row")).to_have_count(3)
    close_dialog(again)
    open_from_menu(again, "Leave the table")
    again.get_by_role("button", name="Leave for good").click()
    expect(again.get_by_role("button", name="Play now")).to_be_visible()
    secrets = "() => Object.keys(localStorage).filter((key) => key.startsWith('hearts.seat'))"
    assert again.evaluate(secrets) == []
    guest.is_content()


def test_a_full_gateway_and_one_without_a_server(browser: Browser, tmp_path: Path) -> None:
    with web(tmp_path / "data", "--fill-after", "never", most_websockets=2) as house:
        ann, bob = PageGuest(browser, house, "Ann"), PageGuest(browser, house, "Bob")
        ann.go()
        ann.page.get_by_role("button", name="Play now").click()
        expect(ann.page.locator(".hand .card")).to_have_count(13)
        bob.go()
        expect(bob.page.get_by_text("This server is full")).to_be_visible()
        bob.page.get_by_role("button", name="Play now").click()
        expect(bob.page.get_by_text("This server is full")).to_be_visible()
        ann.context.close()
        expect(bob.page.locator(".hand .card")).to_have_count(13)

        house.game.kill()
        cat = PageGuest(browser, house, "Cat")
        cat.go()
        expect(cat.page.get_by_text("The game server is not running")).to_be_visible()
        house.game.begin()
        house.game.wait_ready()
        bob.context.close()
        expect(cat.page.get_by_text("No public table is open")).to_be_visible()
        cat.is_content()
