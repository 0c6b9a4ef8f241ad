"""The deal of the day in a browser: one try, over a reload and a kill, its result and links."""

from __future__ import annotations

import json
import re
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from hearts.session.hand_link import parse_link
from hearts.wire.day_chain import OVER_AFTER

from .acting import close_dialog, play_until
from .looks import WIDTH, faults_of, script
from .page_house import PHONE, PageGuest, Web

pytestmark = pytest.mark.heavy

TITLE = "The deal of the day"
SIZES = ((1366, 768), (PHONE["width"], PHONE["height"]))
LINKS_LATER = "The links to these hands come when the day is over everywhere"


def a_visitor(browser: Browser, house: Web, **more: object) -> PageGuest:
    """Somebody who has the deal of the day open, and looks away while cards are played."""
    guest = PageGuest(browser, house, "Ann", **more)  # type: ignore[arg-type]
    guest.page.add_init_script(script("ear"))
    guest.go()
    return guest


def open_day(page: Page, title: str = TITLE) -> None:
    page.get_by_role("button", name=title).click()
    expect(page.get_by_role("dialog", name=title)).to_be_visible()


def look_away(page: Page) -> None:
    """Let all cards fall at once from now on."""
    page.evaluate("() => { window.isAway = true; }")


def is_well_drawn(page: Page) -> None:
    """Nothing is wrong, and nothing wider than the screen, on a laptop and a phone."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert faults_of(page) == []
        assert page.evaluate(WIDTH) == width
        assert page.locator("dialog").evaluate("(it) => it.scrollWidth - it.clientWidth") == 0
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def points_of(page: Page) -> list[int]:
    rows = page.locator("dialog tbody").first.locator("tr")
    return [int(row.locator("td").first.inner_text()) for row in rows.all()]


def test_a_day_from_the_first_card_to_its_links(browser: Browser, house: Web) -> None:
    guest = a_visitor(browser, house)
    page = guest.page
    open_day(page)
    dialog = page.get_by_role("dialog", name=TITLE)
    today = time.strftime("%B %-d, %Y", time.gmtime())
    expect(dialog.get_by_text(today, exact=False).first).to_be_visible()
    expect(dialog.get_by_text("In another browser you are another visitor")).to_be_visible()
    expect(
        dialog.get_by_text(re.compile("^Fixed and published on .*; the host could"))
    ).to_be_visible()
    is_well_drawn(page)
    dialog.get_by_role("button", name="Play these hands").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    expect(page.locator(".bar-title h1")).to_have_text(TITLE)
    assert faults_of(page) == []

    # Nobody helps, and nothing is changed or taken back.
    page.keyboard.press("h")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    play_until([page], ".trick .card")
    expect(page.get_by_role("button", name="Take back")).to_have_count(0)
    page.get_by_role("button", name="Menu", exact=True).click()
    for words in ("Play the rest", "Take back", "Table and seats"):
        expect(page.get_by_role("dialog").get_by_role("button", name=words)).to_have_count(0)
    page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    expect(page.get_by_text("Your try ends with that")).to_be_visible()
    page.get_by_role("button", name="Stay").click()

    # Behind a hand stands what it usually costs, and no link.
    play_until([page], ".over-panel")
    panel = page.locator(".over-panel")
    expect(panel.get_by_text("this hand usually costs")).to_be_visible()
    expect(panel.get_by_text(re.compile("^Fixed and published on"))).to_be_visible()
    expect(panel.get_by_text(LINKS_LATER)).to_be_visible()
    panel.get_by_role("button", name="See the hand again").click()
    expect(page.get_by_role("dialog").get_by_text(LINKS_LATER)).to_be_visible()
    for words in ("Copy link", "Save this game"):
        expect(page.get_by_role("button", name=words)).to_have_count(0)
    close_dialog(page)
    first = int(panel.locator("tr", has_text="You").locator("td b").inner_text())

    # A reload, and a server that is killed, lose nothing.
    panel.get_by_role("button", name="Continue").or_(
        panel.get_by_role("button", name="Go on")
    ).click()
    expect(page.locator(".bar-title")).to_contain_text("Hand 2")
    play_until([page], ".trick .card")
    page.reload()
    expect(page.locator(".bar-title")).to_contain_text("Hand 2")
    house.game.kill()
    house.game.begin()
    house.game.wait_ready()
    look_away(page)
    play_until([page], "dialog")

    expect(dialog.locator("tbody").first.locator("tr")).to_have_count(5)
    *points, total = points_of(page)
    assert (points[0], sum(points)) == (first, total)
    expect(dialog.locator("tbody").first.get_by_text("±")).to_have_count(5)
    share = dialog.locator(".share").inner_text().split("\n")
    assert share[0] == f"Hearts, the deal of the day {time.strftime('%Y-%m-%d', time.gmtime())}"
    sums = f"{' + '.join(map(str, points))} = {total} points"
    assert re.fullmatch(rf"{re.escape(sums)}, (as many as|\d+ (more|less) than) usual", share[1])
    assert share[2:] == ["At the host's own machine, so without a place"]
    assert not re.search("[♥♣♦♠]|hand=", "".join(share))
    expect(dialog.get_by_text(LINKS_LATER)).to_be_visible()
    assert "hand=" not in page.content()
    is_well_drawn(page)
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog.get_by_role("button", name="Copy to share").click()
    expect(dialog.get_by_text("No card is told in it")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == "\n".join(share)

    # It is one try for this browser; another browser is another visitor.
    page.reload()
    open_day(page)
    expect(dialog.locator(".share")).to_be_visible()
    expect(dialog.get_by_role("button", name="Play these hands")).to_have_count(0)
    other = a_visitor(browser, house)
    open_day(other.page)
    expect(other.page.get_by_role("button", name="Play these hands")).to_be_visible()
    other.is_content()

    # When the day is over everywhere its hands are links.
    house.game.terminate()
    house.game.wait_ended()
    house.game.ahead = OVER_AFTER
    house.game.begin()
    house.game.wait_ready()
    page.reload()
    open_day(page)
    expect(dialog.get_by_role("button", name="Play these hands")).to_be_visible()
    links = dialog.locator("tbody a")
    expect(links).to_have_count(4)
    hands = [parse_link(link.get_attribute("href") or "") for link in links.all()]
    assert [hand.number for hand in hands] == [1, 2, 3, 4]
    assert [hand.played()[1].scored.points[0] for hand in hands] == points  # type: ignore[union-attr]
    expect(dialog.get_by_role("alert")).to_have_count(0)
    expect(dialog.get_by_text("without a place")).to_be_visible()
    expect(dialog.locator(".share")).to_have_count(0)
    is_well_drawn(page)
    links.nth(2).click()
    expect(page.locator("dialog.replay .open-hand")).to_have_count(4)
    guest.is_content()


def test_a_day_that_is_left_in_german_on_a_phone(browser: Browser, house: Web) -> None:
    title = "Die Hände des Tages"
    guest = a_visitor(browser, house, phone=True, language="de-AT")
    page = guest.page
    open_day(page, title)
    is_well_drawn(page)
    page.get_by_role("button", name="Diese Hände spielen").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    # The same visitor where the seat is not.
    kept = page.evaluate("() => localStorage.getItem('hearts.days')")
    other = PageGuest(browser, house, "Ann", language="de-AT")
    other.context.add_init_script(f"localStorage.setItem('hearts.days', {json.dumps(kept)})")
    other.go()
    open_day(other.page, title)
    expect(other.page.get_by_text("Dein Versuch läuft.")).to_be_visible()
    expect(other.page.get_by_role("button", name="Diese Hände spielen")).to_have_count(0)
    other.is_content()
    page.get_by_role("button", name="Menü", exact=True).click()
    page.get_by_role("button", name="Den Tisch verlassen").click()
    page.get_by_role("button", name="Endgültig verlassen").click()
    open_day(page, title)
    expect(page.get_by_text("Du hast deinen Versuch verlassen")).to_be_visible()
    expect(page.locator(".share")).to_have_count(0)
    is_well_drawn(page)
    guest.is_content()
