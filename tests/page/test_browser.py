"""The page and its browser: what is kept and trusted there, languages, options and looks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect

from .acting import close_dialog, make_table, open_from_menu, play_until
from .looks import WIDTH, faults_of, script
from .page_house import DEAL, ELSEWHERE, SEVENS, PageGuest, Web, web

pytestmark = pytest.mark.heavy

CACHES = "() => caches.keys()"


PICTURES = script("pictures")


def test_the_page_is_kept_by_the_browser(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann")
    page = guest.page
    guest.go()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    told = page.evaluate("async () => (await fetch('config.json')).json()")
    assert page.evaluate(CACHES) == [f"hearts-page-{told['page']}"]
    for has_type, sizes, measured in page.evaluate(PICTURES)[1:]:
        assert has_type
        assert sizes == measured
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    guest.is_content()
    # No text becomes a part of the page that could be a script.
    for attempt in ("document.body.innerHTML = '<b>'", "navigator.serviceWorker.register('x.js')"):
        with pytest.raises(Error, match="Trusted"):
            page.evaluate(f"() => ({attempt})")
    guest.complaints.clear()

    # Another page: another worker, and nothing is kept of the old one.
    other = json.dumps({**told, "page": "other"})
    page.route("**/config.json", lambda route: route.fulfill(body=other))
    page.reload()
    expect(page.locator(".hand .card")).to_have_count(13)
    page.wait_for_function("async () => String(await caches.keys()) === 'hearts-page-other'")
    guest.is_content()

    house.gateway.terminate()
    house.gateway.wait()
    page.goto(house.address + "?again#table=friends")
    expect(page.get_by_text("The server cannot be reached")).to_be_visible()


def test_the_greeting_is_shown_as_it_is_written(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "welcome"
    file.write_text("<b>Kind</b> & quiet\nWe begin at eight\n")
    with web(tmp_path / "data", "--name", "Friday club", "--welcome", str(file)) as house:
        guest = PageGuest(browser, house, "Ann")
        for link in ("", "#table=club"):
            guest.page.goto(house.address + link)
            for line in ("Friday club", "<b>Kind</b> & quiet", "We begin at eight"):
                expect(guest.page.get_by_text(line, exact=True)).to_be_visible()
        guest.is_content()
        assert faults_of(guest.page) == []


def test_a_visit_asks_for_little(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann", at=ELSEWHERE)
    page = guest.page
    weights: list[int] = []
    network = guest.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda said: weights.append(said["encodedDataLength"]))
    for most in (12, 2, 2):
        weights.clear()
        guest.go()
        page.get_by_text("No public table is open").wait_for()
        assert 0 < sum(weight > 0 for weight in weights) <= most
    bob = PageGuest(browser, house, "Bob")
    bob.go()
    bob.page.get_by_role("button", name="Play with others").click()
    expect(page.get_by_role("button", name=re.compile("^Join Table"))).to_be_visible()
    guest.is_content()


def test_the_joined_page_is_the_same_game_as_its_modules(browser: Browser, tmp_path: Path) -> None:
    results = []
    for where, most in (("", 0), ("index.html", 1)):
        with web(tmp_path / f"data{most}", "--fill-after", "never", "--deal", DEAL) as house:
            guest = PageGuest(browser, house, "Ann")
            page = guest.page
            page.add_init_script(SEVENS + script("ear"))
            guest.go(where)
            page.get_by_role("button", name="Play now").click()
            expect(page.locator(".hand .card")).to_have_count(13)
            expect(page.locator("script[src='main.js']")).to_have_count(most)
            page.evaluate("() => { window.isAway = true; }")
            play_until([page], ".over-panel .taken")
            results.append(page.locator(".over-panel table").inner_text())
            guest.is_content()
    assert results[0] == results[1]


def test_an_address_that_no_browser_trusts(browser: Browser, house: Web) -> None:
    """Without https the browser has no cryptography and no clipboard to offer."""
    guest = PageGuest(browser, house, "Ann", at=ELSEWHERE)
    page = guest.page
    guest.go()
    may = "() => [isSecureContext, 'subtle' in crypto, 'clipboard' in navigator]"
    assert page.evaluate(may) == [False, False, False]
    page.get_by_role("button", name="Make a table").click()
    page.get_by_label("The game ends at").fill("1")
    page.get_by_role("button", name="Make the table").click()
    expect(page.get_by_label("Send this link")).to_have_value(
        re.compile(f"{ELSEWHERE}.*#table=Ann-[0-9a-z]{{13}}$")
    )
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    page.get_by_role("button", name="Fill up with computers").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    open_from_menu(page, "Play the rest of this hand")
    play_until([page], ".result")
    page.get_by_role("button", name="Deals: 1 checked, all as promised").click()
    # In the result, and beside the deal.
    expect(page.get_by_text("Nobody chose this deal.")).to_have_count(2)
    guest.is_content()


def test_own_games_at_a_server_without_a_chat(browser: Browser, tmp_path: Path) -> None:
    with web(tmp_path / "data", "--fill-after", "never", chats=False) as house:
        guest = PageGuest(browser, house, "Ann", phone=True)
        page = guest.page
        guest.go()
        make_table(page, "standard")
        page.get_by_role("button", name="Chat", exact=True).click()
        expect(page.get_by_role("dialog").get_by_text("This server has no chat")).to_be_visible()
        expect(page.get_by_role("dialog").get_by_label("Say something")).to_have_count(0)
        close_dialog(page)
        open_from_menu(page, "Play the rest of this hand")
        play_until([page], ".result")
        page.get_by_role("button", name="Play again").click()
        open_from_menu(page, "Play the rest of this hand")
        play_until([page], ".result")
        open_from_menu(page, "Your games")
        plot = page.get_by_role("dialog").get_by_role("img")
        expect(plot).to_have_accessible_name(
            re.compile(r"In each game: [\d.]+, [\d.]+; Average so far")
        )
        assert faults_of(page) == []
        assert page.evaluate(WIDTH) == 360
        assert {each.path for each in guest.overheard} == {"game"}
        guest.is_content()


def test_the_page_in_german(browser: Browser, house: Web) -> None:
    """Its words are longer, and fit on a phone all the same."""
    guest = PageGuest(browser, house, "Ann", phone=True, language="de-AT")
    page = guest.page
    guest.go()
    expect(page.locator("html[lang=de]")).to_have_count(1)
    page.get_by_role("button", name="Einen Tisch eröffnen").click()
    assert faults_of(page) == []
    assert page.evaluate(WIDTH) == 360
    page.get_by_label("Das Spiel endet bei").fill("1")
    page.get_by_role("button", name="Tisch eröffnen", exact=True).click()
    expect(page.get_by_text("Es fehlen noch 3 Spieler.")).to_be_visible()
    assert page.evaluate(WIDTH) == 360
    page.get_by_role("button", name="Mit Computern auffüllen").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    expect(page.get_by_role("button", name=re.compile("3 Karten an .* geben"))).to_be_visible()
    for words in (
        "So geht Hearts",
        "Regeln",
        "Tisch und Plätze",
        "Einstellungen",
        "Den Tisch verlassen",
    ):
        page.get_by_role("button", name="Menü", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name=words).click()
        dialog = page.get_by_role("dialog")
        assert dialog.evaluate("(it) => it.scrollWidth - it.clientWidth") == 0, words
        dialog.get_by_role("button", name="Schließen").click()
        expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Menü", exact=True).click()
    page.get_by_role("button", name="Den Rest dieser Hand für mich spielen").click()
    play_until([page], ".result")
    expect(page.get_by_role("button", name="Karten: 1 Mal geprüft")).to_be_visible()
    assert page.evaluate(WIDTH) == 360
    page.get_by_role("button", name="Menü", exact=True).click()
    page.get_by_role("button", name="Einstellungen").click()
    page.get_by_label("Sprache").select_option("en")
    expect(page.locator("html[lang=en]")).to_have_count(1)
    expect(page.get_by_role("button", name="Menu", exact=True)).to_be_visible()
    guest.is_content()


def test_options_and_darkness(browser: Browser, house: Web) -> None:
    guest = PageGuest(browser, house, "Ann", phone=True)
    page = guest.page
    guest.go()
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Page colours").select_option("dark")
    assert faults_of(page) == []
    close_dialog(page)
    page.get_by_role("button", name="Your games").click()
    assert faults_of(page) == []
    close_dialog(page)
    # The browser is back where it was before the dialog.
    page.wait_for_function("() => history.state === null")
    page.reload()
    expect(page.locator("html.dark")).to_have_count(1)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    assert faults_of(page) == []
    for words in ("Scores", "How Hearts", "Rules", "Table and seats", "Options", "Leave the table"):
        open_from_menu(page, words)
        assert faults_of(page) == [], words
        close_dialog(page)
    # At 200 % a phone has half of its width, and nothing is out of reach.
    page.set_viewport_size({"width": 320, "height": 480})
    assert page.evaluate(WIDTH) == 320
    guest.is_content()
