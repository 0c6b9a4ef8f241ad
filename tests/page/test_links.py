"""Links to hands in a browser: opened, refused, played on, and copied from a hand that is over."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from hearts.session.hand_link import SHOWN_BY_LINK, parse_link
from tests.session.test_hand_link import VECTORS

from .acting import close_dialog, open_from_menu, open_table, play_until
from .looks import WIDTH, faults_of
from .page_house import PageGuest, Web

pytestmark = pytest.mark.heavy

NO_HAND = "This link leads to no hand"


def vector(title: str) -> dict[str, object]:
    return next(vector for vector in VECTORS["hands"] if vector["title"] == title)


def to_the_end(page: Page) -> list[str]:
    """The points of each player, as the replay has them."""
    page.keyboard.press("End")
    expect(page.locator("output")).to_have_text("Trick 13, 52/52")
    return page.locator(".open-hand h3 .quiet").all_inner_texts()


def test_a_link_is_opened_and_played_on(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Zoe")
    page, hand = guest.page, vector("with names")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    guest.go(f"#hand={hand['link']}")
    expect(page.locator("dialog.replay .open-hand")).to_have_count(4)
    assert asked
    assert not any("hand" in url for url in asked)
    assert page.evaluate("() => location.href") == guest.address
    expect(page.get_by_text(SHOWN_BY_LINK)).to_be_visible()
    # Behind the points stands what the hand usually costs.
    points = [found[0] for text in to_the_end(page) if (found := re.search("-?[0-9]+", text))]
    assert points == [str(number) for number in hand["points"]]  # type: ignore[attr-defined]
    expect(page.get_by_role("button", name="Play on from here")).to_be_disabled()
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert faults_of(page) == []
        assert page.evaluate(WIDTH) == width
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("Home")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    page.get_by_label("Seat").select_option("2")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".hand .card")).to_have_count(11)
    expect(page.locator(".bar-title")).to_contain_text("Hand 3")
    assert faults_of(page) == []
    play_until([page], ".over-panel")
    page.get_by_role("button", name="Continue").or_(
        page.get_by_role("button", name="Go on")
    ).first.click()
    expect(page.locator("dialog.replay")).to_be_visible()
    page.get_by_role("button", name="Play on from the pass").click()
    expect(page.get_by_role("button", name=re.compile("Pass "))).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Leave for good").click()
    close_dialog(page)
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    guest.is_content()


def test_made_up_links_end_in_words(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Zoe")
    page, source = guest.page, random.Random(33)
    guest.go("#hand=")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_%+ <\"'"
    links = [vector["link"] for vector in VECTORS["wrong"] if vector["link"]]
    links += ["".join(source.choices(alphabet, k=source.randrange(1, 900))) for _ in range(40)]
    links.append("A" * 2_000_000)
    for link in links:
        page.evaluate("(link) => { location.hash = `hand=${link}`; }", link)
        expect(page.get_by_role("alert").filter(has_text=NO_HAND)).to_be_visible()
        assert page.evaluate("() => location.hash") == ""
        close_dialog(page)
    guest.is_content()


def test_links_are_copied_from_a_hand_that_is_over(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann")
    page = guest.page
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_table(guest, "links", computers=3)
    expect(page.locator(".hand .card")).to_have_count(13)
    open_from_menu(page, "Play the rest of this hand")
    page.locator(".over-panel").get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link.startswith(f"{guest.address}#hand=")
    hand = parse_link(link)
    assert (hand.number, hand.own, hand.given_names) == (1, 0, None)
    page.locator(".over-panel").get_by_label("with names").check()
    page.locator(".over-panel").get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    named = parse_link(page.evaluate("() => navigator.clipboard.readText()"))
    assert named.names[0] == "Ann"
    # Without a clipboard the link stands there, and is chosen.
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error(); }; }")
    page.get_by_role("button", name="See the hand again").click()
    page.get_by_role("dialog").get_by_role("button", name="Copy link").click()
    shown = page.get_by_label("The link to this hand")
    expect(shown).to_have_value(link)
    assert shown.evaluate("(it) => it.selectionEnd - it.selectionStart") == len(link)
    guest.is_content()
