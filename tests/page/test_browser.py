"""The page in a real browser, at a real server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.independent.referee import Referee

from .house import ELSEWHERE, PLAY, Guest, Web, chromium, web

pytestmark = pytest.mark.heavy

HERE = Path(__file__).parent
AXE = HERE / "vendor" / "axe.min.js"
WIDTH = "() => document.documentElement.scrollWidth"
LIMIT = 90.0
"""Seconds after which a page hangs."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Web]:
    with web(tmp_path / "data", "--grace", "60", "--fill-after", "never") as made:
        yield made


def play_until(pages: list[Page], selector: str) -> None:
    """Everybody plays until the page of everybody has this."""
    end = time.monotonic() + LIMIT
    while any(page.query_selector(selector) is None for page in pages):
        assert time.monotonic() < end, "the game does not go on"
        for page in pages:
            page.evaluate(PLAY)
            page.wait_for_timeout(40)


def play_first_cards(pages: list[Page]) -> None:
    """Everybody plays until nobody has all his cards any more."""
    end = time.monotonic() + LIMIT
    while max([page.evaluate(PLAY) for page in pages]) == 13:
        assert time.monotonic() < end, "the game does not go on"
        pages[0].wait_for_timeout(40)


def faults_of(page: Page) -> list[str]:
    """What axe finds wrong with what is shown."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    found = page.evaluate(f"axe.run(document, {{runOnly: {json.dumps(tags)}}})")
    return [
        f"{fault['id']}: {node['html']}" for fault in found["violations"] for node in fault["nodes"]
    ]


def open_from_menu(page: Page, words: str) -> None:
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words).click()


def close_dialog(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_two_pages_and_computers_play_a_game(browser: Browser, house: Web) -> None:
    ann, bob = Guest(browser, house, "Ann"), Guest(browser, house, "Bob", phone=True)
    ann.go()
    ann.page.get_by_role("button", name="Make a table").click()
    ann.page.get_by_label("Name of the table").fill("friends")
    ann.page.get_by_label("The game ends at").fill("1")
    assert faults_of(ann.page) == []
    ann.page.get_by_role("button", name="Make the table").click()
    link = ann.page.get_by_label("Send this link")
    expect(link).to_have_value(f"{house.address}?table=friends")

    bob.go("?table=friends")
    expect(bob.page.get_by_text("Ann has invited you")).to_be_visible()
    bob.page.get_by_role("button", name="Sit down").click()
    expect(ann.page.get_by_text("Bob")).to_be_visible()
    assert faults_of(bob.page) == []
    bob.page.get_by_role("button", name="Hello!").click()
    expect(ann.page.get_by_role("log")).to_contain_text("Hello!")

    ann.page.get_by_role("button", name="Fill up with computers").click()
    expect(ann.page.locator(".hand .card")).to_have_count(13)
    expect(bob.page.locator(".hand .card")).to_have_count(13)
    assert faults_of(ann.page) == []
    assert faults_of(bob.page) == []
    ann.page.get_by_label("Say something").fill("good luck <b>")
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("log")).to_contain_text("good luck <b>")
    expect(bob.page.get_by_role("button", name="Chat, 1 new message")).to_be_visible()

    play_until([ann.page, bob.page], ".result")
    for guest in (ann, bob):
        expect(guest.page.get_by_role("button", name="Deals: 1 checked")).to_be_visible()
        assert faults_of(guest.page) == []
    ann.page.get_by_role("button", name="Deals: 1 checked").click()
    expect(ann.page.get_by_text("Deal 1: as promised")).to_be_visible()
    assert faults_of(ann.page) == []
    close_dialog(ann.page)
    open_from_menu(ann.page, "Replay hands")
    ann.page.get_by_role("button", name="To the end").click()
    expect(ann.page.get_by_text("Trick 13, 52/52")).to_be_visible()
    assert faults_of(ann.page) == []
    close_dialog(ann.page)
    open_from_menu(bob.page, "Replay hands")
    wide = "(dialog) => dialog.scrollWidth - dialog.clientWidth"
    assert bob.page.get_by_role("dialog").evaluate(wide) == 0
    close_dialog(bob.page)
    bob.page.get_by_role("button", name="Go on").click()
    ann.page.get_by_role("button", name="Play again").click()
    for guest in (ann, bob):
        expect(guest.page.locator(".hand .card")).to_have_count(13)
    ann.is_content()
    bob.is_content()


def test_a_phone_by_touch(browser: Browser, house: Web) -> None:
    guest = Guest(browser, house, "Ann", phone=True)
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
    guest = Guest(browser, house, "Ann")
    page = guest.page
    guest.go()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.get_by_label("Your name").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".hand .card")).to_have_count(13)
    page.locator(".hand .card[tabindex='0']").focus()
    for _ in range(3):
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    expect(page.locator(".hand .card.raised")).to_have_count(3)
    outline = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"
    button = page.get_by_role("button", name="Pass 3 cards")
    for _ in range(12):
        if button.evaluate("(it) => it === document.activeElement"):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.locator(".hand.asked .card:not(.illegal)").first.wait_for()
    page.keyboard.press("h")
    expect(page.get_by_role("dialog", name="Hint")).to_contain_text("Play the")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    count = page.locator(".hand .card").count()
    page.locator(".hand .card[tabindex='0']").focus()
    page.keyboard.press("Home")
    for _ in range(count):
        page.keyboard.press("Enter")
        if page.locator(".hand .card.sent").count() or page.locator(".hand .card").count() < count:
            break
        page.keyboard.press("ArrowRight")
    expect(page.locator(".hand .card")).to_have_count(count - 1)
    guest.is_content()


def test_coming_back(browser: Browser, house: Web) -> None:
    guest = Guest(browser, house, "Ann")
    guest.go()
    guest.page.get_by_role("button", name="Play now").click()
    play_until([guest.page], ".lying")
    held = guest.page.locator(".hand .card").count()

    guest.page.reload()
    expect(guest.page.locator(".hand .card").first).to_be_visible()
    assert guest.page.locator(".hand .card").count() <= held

    house.game.kill()
    gone = guest.page.get_by_text("The game server is not there at the moment. This page tries")
    expect(gone).to_be_visible()
    house.game.begin()
    house.game.wait_ready()
    expect(gone).to_have_count(0)
    open_from_menu(guest.page, "Play this hand to its end")
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
        ann, bob = Guest(browser, house, "Ann"), Guest(browser, house, "Bob")
        ann.go()
        ann.page.get_by_role("button", name="Play now").click()
        expect(ann.page.locator(".hand .card")).to_have_count(13)
        bob.go()
        expect(bob.page.get_by_text("Too many players are here")).to_be_visible()
        bob.page.get_by_role("button", name="Play now").click()
        expect(bob.page.get_by_text("Too many players are here")).to_be_visible()
        ann.context.close()
        expect(bob.page.locator(".hand .card")).to_have_count(13)

        house.game.kill()
        cat = Guest(browser, house, "Cat")
        cat.go()
        expect(cat.page.get_by_text("The game server is not there")).to_be_visible()
        house.game.begin()
        house.game.wait_ready()
        bob.context.close()
        expect(cat.page.get_by_text("No public table is open")).to_be_visible()
        cat.is_content()


def test_breaking_off(browser: Browser, house: Web) -> None:
    ann, bob = Guest(browser, house, "Ann"), Guest(browser, house, "Bob", phone=True)
    ann.go()
    ann.page.get_by_role("button", name="Make a table").click()
    ann.page.get_by_label("Name of the table").fill("abort")
    ann.page.get_by_label("The game ends at").fill("1")
    ann.page.get_by_role("button", name="Make the table").click()
    bob.go("?table=abort")
    bob.page.get_by_role("button", name="Sit down").click()
    expect(ann.page.get_by_text("Bob")).to_be_visible()
    ann.page.get_by_role("button", name="Fill up with computers").click()
    play_first_cards([ann.page, bob.page])
    said = ann.page.get_by_role("log")
    for what, answer, outcome in (
        ("hand", "Play on", "The play goes on (Bob): a player does not agree."),
        ("hand", "Break it off", "this hand is broken off, and counts for nothing"),
        ("game", "Break it off", "this game is broken off. Another one begins."),
    ):
        open_from_menu(ann.page, "Table and seats")
        ann.page.get_by_role("button", name=f"Break this {what} off").click()
        expect(ann.page.get_by_text("The others are asked")).to_be_visible()
        close_dialog(ann.page)
        vote = bob.page.get_by_role("alertdialog", name=f"Shall this {what} be broken off")
        expect(vote).to_be_visible()
        assert faults_of(bob.page) == []
        vote.get_by_role("button", name=answer).click()
        expect(vote).to_have_count(0)
        expect(said).to_contain_text(outcome)
    for guest in (ann, bob):
        expect(guest.page.locator(".hand .card")).to_have_count(13)
        expect(guest.page.get_by_role("button", name="Deals: 2 checked")).to_be_visible()
    bob.page.reload()
    expect(bob.page.locator(".hand .card")).to_have_count(13)
    play_until([ann.page, bob.page], ".result")
    ann.is_content()
    bob.is_content()


def test_seats_and_invitations(browser: Browser, house: Web) -> None:
    ann, bob = Guest(browser, house, "Ann"), Guest(browser, house, "Bob")
    cleo = Guest(browser, house, "Cleo", phone=True)
    cleo.go()
    cleo.page.get_by_role("button", name="Wait to be invited").tap()
    expect(cleo.page.get_by_text("Who has a table sees you")).to_be_visible()
    ann.go()
    ann.page.get_by_role("button", name="Make a table").click()
    ann.page.get_by_label("Name of the table").fill("seats")
    ann.page.get_by_role("button", name="Make the table").click()
    expect(ann.page.get_by_role("button", name="Sit here")).to_have_count(0)
    bob.go("?table=seats")
    bob.page.get_by_role("button", name="Sit down").click()
    seats = ann.page.get_by_role("list", name="Seats").get_by_role("listitem")
    expect(seats.nth(1)).to_contain_text("Bob")
    bob.page.get_by_role("button", name="Sit here: seat 4").click()
    expect(seats.nth(3)).to_contain_text("Bob")
    expect(bob.page.get_by_text("Bob (you)")).to_be_visible()
    assert faults_of(bob.page) == []

    ann.page.get_by_role("button", name="Invite Cleo").click()
    question = cleo.page.get_by_role("dialog", name="Ann invites you to the table “seats”")
    expect(question).to_contain_text("There already: Ann and Bob.")
    assert faults_of(cleo.page) == []
    assert faults_of(ann.page) == []
    question.get_by_role("button", name="Come along").tap()
    expect(seats.nth(1)).to_contain_text("Cleo")
    expect(ann.page.get_by_role("log")).to_contain_text("The invitation is accepted.")
    expect(cleo.page.get_by_role("heading", name="Table “seats”")).to_be_visible()
    assert cleo.page.evaluate(WIDTH) == 360

    ann.page.get_by_role("button", name="Fill up with computers").click()
    for guest in (ann, bob, cleo):
        expect(guest.page.locator(".hand .card")).to_have_count(13)
    open_from_menu(ann.page, "Table and seats")
    host = ann.page.get_by_role("dialog")
    host.get_by_role("button", name="Give the seat to a computer: Bob").click()
    expect(host.get_by_text("Who is there is asked for the seat")).to_be_visible()
    asked = bob.page.get_by_role("alertdialog", name="Ann asks for your seat, for a computer")
    expect(asked).to_be_visible()
    assert faults_of(bob.page) == []
    asked.get_by_role("button", name="Keep it").click()
    expect(asked).to_have_count(0)
    expect(ann.page.get_by_role("log")).to_contain_text("The seat stays as it is (Bob)")
    host.get_by_role("button", name="Give the seat to a computer: Bob").click()
    expect(host.get_by_text("that is not possible now")).to_be_visible()
    host.get_by_role("button", name="Open the seat for a person: Cleo").click()
    asked = cleo.page.get_by_role("alertdialog", name="Ann asks for your seat, for somebody else")
    asked.get_by_role("button", name="Give it up").tap()
    expect(cleo.page.get_by_role("button", name="Play now")).to_be_visible()
    for guest in (ann, bob, cleo):
        guest.is_content()


SETS_OF_RULES = ("standard", "mactech98", "mac2000", "windows93", "own")
OWN_RULES = (
    "The jack of diamonds takes 10 points off",
    "The queen of spades must go at the first chance",
    "The first lead goes around, with any card",
    "Who takes no trick gets 5 points off",
)


def make_table(page: Page, rules: str) -> None:
    page.get_by_role("button", name="Make a table").click()
    page.get_by_label("Name of the table").fill(rules)
    page.locator("form.make select").first.select_option(rules)
    if rules == "own":
        for words in OWN_RULES:
            page.get_by_label(words).check()
        page.get_by_label("Shooting the moon").select_option("2")
    page.get_by_label("The game ends at").fill("1")
    page.get_by_label("Computers from the start").select_option("3")
    page.get_by_role("button", name="Make the table").click()
    expect(page.locator(".hand .card")).to_have_count(13)


def test_games_by_five_sets_of_rules_are_judged_and_verified(
    browser: Browser, house: Web, tmp_path: Path
) -> None:
    guests = []
    for rules in SETS_OF_RULES:
        guest = Guest(browser, house, "Ann")
        guests.append(guest)
        guest.go()
        make_table(guest.page, rules)
        open_from_menu(guest.page, "Play this hand to its end")
    play_until([guest.page for guest in guests], ".result")
    for guest in guests:
        expect(guest.page.get_by_role("button", name="Deals:")).to_have_attribute(
            "aria-label", re.compile("all as promised")
        )
        guest.is_content()
    judge(guests)
    program = (sys.executable, "-m", "hearts_server")
    kept = tmp_path / "kept"
    export = (*program, "records", "--data-dir", tmp_path / "data", "export", "--all", kept)
    subprocess.run(export, check=True, timeout=60)
    records = sorted(kept.iterdir())
    assert len(records) == len(guests)
    told = {str(record): record.read_text() for record in records}
    saved = {str(path): path.read_text() for path in save_records(guests, tmp_path)}
    assert {without_passes(text) for text in saved.values()} == set(
        map(without_passes, told.values())
    )
    assert len({text.splitlines()[1] for text in saved.values()}) == len(guests)
    subprocess.run((*program, "verify", *told, *saved), check=True, timeout=60)


def save_records(guests: Sequence[Guest], folder: Path) -> Iterator[Path]:
    """Have each page save its game, as its player would."""
    for number, guest in enumerate(guests):
        guest.page.get_by_role("button", name="Look at the hands").click()
        with guest.page.expect_download() as saving:
            guest.page.get_by_role("button", name="Save this game").click()
        path = folder / f"saved-{number}.txt"
        saving.value.save_as(path)
        yield path


def without_passes(record: str) -> str:
    """Of others a page knows which cards they passed, and not in which order."""
    return re.sub(r"^pass .*\n", "", record, flags=re.M)


def judge(guests: Sequence[Guest]) -> None:
    """Have the independent referee look at what each page has heard and chosen."""
    for guest, rules in zip(guests, SETS_OF_RULES, strict=True):
        (seat,) = (each for each in guest.overheard if each.path == "game" and each.has_frames)
        report = Referee({0: seat.facts("Ann", rules)}).judge()
        assert (report.games, report.hands) == (1, 1)


CACHES = "() => caches.keys()"
PICTURES = """async () => {
  const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json();
  return Promise.all(manifest.icons.map(async ({ src, sizes, type }) => {
    const answer = await fetch(src);
    const { width, height } = await createImageBitmap(await answer.blob()).catch(() => ({}));
    return [answer.headers.get('content-type') === type, sizes, `${width}x${height}`];
  }));
}"""


def test_the_page_is_kept_by_the_browser(browser: Browser, house: Web) -> None:
    guest = Guest(browser, house, "Ann")
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
    page.goto(house.address + "?table=friends")
    expect(page.get_by_text("The connection is lost")).to_be_visible()


def test_watching(browser: Browser, house: Web) -> None:
    ann, bob = Guest(browser, house, "Ann"), Guest(browser, house, "Bob", phone=True)
    ann.go()
    ann.page.get_by_role("button", name="Play with whoever comes").click()
    ann.page.get_by_role("button", name="Fill up with computers").click()
    expect(ann.page.locator(".hand .card")).to_have_count(13)
    bob.go()
    bob.page.get_by_role("button", name="Watch Table").click()
    expect(bob.page.get_by_role("region", name="Ann: 0 points")).to_be_visible()
    play_until([ann.page], ".lying")
    bob.page.locator(".lying").first.wait_for()
    expect(bob.page.locator(".hand")).to_have_count(0)
    open_from_menu(bob.page, "To the start")
    expect(bob.page.get_by_role("button", name="Play now")).to_be_visible()
    ann.is_content()
    bob.is_content()


def test_an_address_that_no_browser_trusts(browser: Browser, house: Web) -> None:
    """Without https the browser has no cryptography and no clipboard to offer."""
    guest = Guest(browser, house, "Ann", at=ELSEWHERE)
    page = guest.page
    guest.go()
    may = "() => [isSecureContext, 'subtle' in crypto, 'clipboard' in navigator]"
    assert page.evaluate(may) == [False, False, False]
    page.get_by_role("button", name="Make a table").click()
    page.get_by_label("The game ends at").fill("1")
    page.get_by_role("button", name="Make the table").click()
    expect(page.get_by_label("Send this link")).to_have_value(re.compile(ELSEWHERE))
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    page.get_by_role("button", name="Fill up with computers").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    open_from_menu(page, "Play this hand to its end")
    play_until([page], ".result")
    page.get_by_role("button", name="Deals: 1 checked, all as promised").click()
    expect(page.get_by_text("Your number is in it")).to_be_visible()
    guest.is_content()


def test_own_games_at_a_server_without_a_chat(browser: Browser, tmp_path: Path) -> None:
    with web(tmp_path / "data", "--fill-after", "never", chats=False) as house:
        guest = Guest(browser, house, "Ann", phone=True)
        page = guest.page
        guest.go()
        make_table(page, "standard")
        page.get_by_role("button", name="Chat", exact=True).click()
        expect(page.get_by_role("dialog").get_by_text("This server has no chat")).to_be_visible()
        expect(page.get_by_role("dialog").get_by_label("Say something")).to_have_count(0)
        close_dialog(page)
        open_from_menu(page, "Play this hand to its end")
        play_until([page], ".result")
        page.get_by_role("button", name="Play again").click()
        open_from_menu(page, "Play this hand to its end")
        play_until([page], ".result")
        open_from_menu(page, "Your games")
        plot = page.get_by_role("dialog").get_by_role("img")
        expect(plot).to_have_accessible_name(
            re.compile(r"In each game: [\d.]+, [\d.]+; On average")
        )
        assert faults_of(page) == []
        assert page.evaluate(WIDTH) == 360
        assert {each.path for each in guest.overheard} == {"game"}
        guest.is_content()


def test_the_page_in_german(browser: Browser, house: Web) -> None:
    """Its words are longer, and fit on a phone all the same."""
    guest = Guest(browser, house, "Ann", phone=True, language="de-AT")
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
    for words in ("Punkte", "Regeln", "Tisch und Plätze", "Einstellungen", "Den Tisch verlassen"):
        page.get_by_role("button", name="Menü", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name=words).click()
        dialog = page.get_by_role("dialog")
        assert dialog.evaluate("(it) => it.scrollWidth - it.clientWidth") == 0, words
        dialog.get_by_role("button", name="Schließen").click()
        expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Menü", exact=True).click()
    page.get_by_role("button", name="Diese Hand für mich zu Ende spielen").click()
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
    guest = Guest(browser, house, "Ann", phone=True)
    page = guest.page
    guest.go()
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Colours of the page").select_option("dark")
    assert faults_of(page) == []
    close_dialog(page)
    page.get_by_role("button", name="Your games").click()
    assert faults_of(page) == []
    close_dialog(page)
    page.reload()
    expect(page.locator("html.dark")).to_have_count(1)
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    assert faults_of(page) == []
    for words in ("Scores", "Last trick", "Rules", "Table and seats", "Options", "Leave the table"):
        open_from_menu(page, words)
        assert faults_of(page) == [], words
        close_dialog(page)
    # At 200 % a phone has half of its width, and nothing is out of reach.
    page.set_viewport_size({"width": 320, "height": 480})
    assert page.evaluate(WIDTH) == 320
    guest.is_content()
