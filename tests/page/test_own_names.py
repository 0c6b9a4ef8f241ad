"""Names of one's own: claimed, marked, taken back by words; and a server that is another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hearts_server.commands.main import main
from tests.soak.soak_server import server

from .acting import open_table
from .looks import WIDTH, faults_of
from .page_house import PageGuest, Web, web

pytestmark = pytest.mark.heavy

CLAIM = "Make Ann my own"
IS_OURS = "Ann is your name here."


@pytest.fixture
def named_house(tmp_path: Path) -> Iterator[Web]:
    with web(tmp_path / "data", "--names", "--fill-after", "never") as made:
        yield made


def test_a_name_is_claimed_by_invitation(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with web(tmp_path / "data", "--names", "--by-invitation") as made:
        assert main(["names", "invite", "--data-dir", str(tmp_path / "data")]) == 0
        code = capsys.readouterr().out.split()[0]
        ann = PageGuest(browser, made, "Ann")
        ann.go()
        ann.page.get_by_role("button", name=CLAIM).click()
        dialog = ann.page.get_by_role("dialog")
        dialog.get_by_role("button", name=CLAIM).click()
        expect(dialog.get_by_role("alert")).to_contain_text("it takes an invitation of the host")
        dialog.get_by_label("Code of an invitation").fill(code.lower())
        assert faults_of(ann.page) == []
        dialog.get_by_role("button", name=CLAIM).click()
        expect(dialog.get_by_text("Ann is yours from now on.")).to_be_visible()


def claim(page: Page, name: str = "Ann") -> list[str]:
    """Claim the name, and show that its words are written down; the words."""
    asks, is_ours = CLAIM.replace("Ann", name), IS_OURS.replace("Ann", name)
    page.get_by_role("button", name=asks).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("This page has no TLS")).to_be_visible()
    assert faults_of(page) == []
    dialog.get_by_role("button", name=asks).click()
    expect(dialog.get_by_text(f"{name} is yours from now on.")).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_have_count(12)
    words = dialog.get_by_role("listitem").all_inner_texts()
    assert faults_of(page) == []
    dialog.get_by_role("button", name="I have written them down").click()
    for ninth, said in (("zoo", "These are not the words."), (words[8][:4].upper(), is_ours)):
        page.get_by_label("Word 3").fill(words[2])
        page.get_by_label("Word 9").fill(ninth)
        assert faults_of(page) == []
        page.keyboard.press("Enter")
        expect(dialog.get_by_text(said)).to_be_visible()
    dialog.locator(".dialog-body").get_by_role("button", name="Close").click()
    expect(page.get_by_text(is_ours)).to_be_visible()
    expect(page.get_by_role("button", name="Write the twelve words down")).to_have_count(0)
    return words


def take_back(page: Page, typed: str) -> None:
    page.get_by_role("button", name="I have twelve words").click()
    page.get_by_label("The twelve words").fill(typed)
    page.get_by_role("button", name="Take my name back").click()


def seat(page: Page, name: str) -> None:
    """See that somebody sits at the table that forms, under just this name."""
    seats = page.get_by_role("list", name="Seats").locator(".seat-name")
    expect(seats.filter(has_text=name).first).to_be_visible()


def test_a_name_is_its_owners_alone(browser: Browser, named_house: Web) -> None:
    ann = PageGuest(browser, named_house, "Ann")
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.go()
    expect(ann.page.get_by_text("The others see ~Ann: a guest.")).to_be_visible()
    assert faults_of(ann.page) == []
    assert len(asked) == 6, asked
    words = claim(ann.page)
    open_table(ann, "friday")
    expect(ann.page.get_by_text("Ann (you)")).to_be_visible()
    expect(ann.page.get_by_role("img", name="own name")).to_be_visible()

    other = PageGuest(browser, named_house, "Ann", phone=True)
    page = other.page
    other.go("#table=friday")
    page.get_by_role("button", name=CLAIM).click()
    page.get_by_role("dialog").get_by_role("button", name=CLAIM).click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The server says")
    assert page.evaluate(WIDTH) == 360
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("~Ann (you)")).to_be_visible()
    seat(ann.page, "~Ann")
    assert faults_of(ann.page) == []

    third = PageGuest(browser, named_house, "Ann", language="de-DE")
    third.go()
    page = third.page
    page.get_by_role("button", name="Ich habe zwölf Wörter").click()
    dialog = page.get_by_role("dialog")
    for typed, said in (
        (" ".join(words[:11]), "Das sind 11 Wörter, und 12 müssen es sein."),
        (" ".join(["xyzzy", *words[1:]]), "Wort 1, „xyzzy“, steht nicht in der Liste."),
    ):
        page.get_by_label("Die zwölf Wörter").fill(typed)
        page.get_by_role("button", name="Meinen Namen zurückholen").click()
        expect(dialog.get_by_text(said)).to_be_visible()
    assert faults_of(page) == []
    page.get_by_label("Die zwölf Wörter").fill("\n".join(word[:4].title() for word in words))
    page.get_by_role("button", name="Meinen Namen zurückholen").click()
    expect(dialog.get_by_text("Ann ist hier dein Name.")).to_be_visible()
    dialog.locator(".dialog-body").get_by_role("button", name="Schließen").click()
    page.get_by_role("button", name="Mit anderen spielen").click()
    expect(page.get_by_text("Ann (du)")).to_be_visible()
    expect(page.get_by_text("~Ann (du)")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Ann ist hier dein Name.")).to_be_visible()

    ann.page.get_by_role("button", name="Fill up with computers and begin").click()
    for page, label in (
        (other.page, "Ann: 0 points in the game, 0 in this hand, 13 cards, own name"),
        (ann.page, "~Ann: 0 points in the game, 0 in this hand, 13 cards, guest"),
    ):
        expect(page.get_by_role("region", name=label)).to_be_visible()
        assert faults_of(page) == []

    page = third.page
    page.get_by_role("button", name="Dein Name hier").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Was darüber gespeichert ist").click()
    expect(dialog.get_by_text("in the standings: no")).to_be_visible()
    dialog.get_by_role("button", name="Den Namen aufgeben").click()
    assert faults_of(page) == []
    dialog.get_by_role("button", name="Für immer aufgeben").click()
    expect(dialog.get_by_text("player 1 takes its place in games")).to_be_visible()
    dialog.locator(".dialog-body").get_by_role("button", name="Schließen").click()
    expect(page.get_by_text("Die anderen sehen ~Ann: einen Gast.")).to_be_visible()
    expect(page.get_by_role("button", name="Ann soll mir gehören")).to_be_visible()
    for guest in (ann, other, third):
        guest.is_content()


def test_another_device_is_let_in_by_the_code_that_it_shows(
    browser: Browser, named_house: Web
) -> None:
    first, second = PageGuest(browser, named_house, "Ann"), PageGuest(browser, named_house, "Ann")
    first.go()
    claim(first.page)
    second.go()
    second.page.get_by_role("button", name="I am Ann on another device").click()
    asking = second.page.get_by_role("dialog")
    expect(asking.get_by_text("Type this code at a device")).to_be_visible()
    assert faults_of(second.page) == []
    code = asking.get_by_role("status").inner_text()
    asking.get_by_role("button", name="I have typed it there").click()
    expect(asking.get_by_role("alert")).to_contain_text("It is not let in yet.")
    first.page.get_by_role("button", name="Devices").click()
    devices = first.page.get_by_role("dialog")
    expect(devices.get_by_text("This device, since 20")).to_be_visible()
    devices.get_by_label("The code that it shows").fill("0000")
    devices.get_by_role("button", name="Look what asks").click()
    expect(devices.get_by_role("alert")).to_contain_text("no device waits with this code")
    assert faults_of(first.page) == []
    devices.get_by_label("The code that it shows").fill(code.lower())
    devices.get_by_role("button", name="Look what asks").click()
    expect(devices.get_by_text("from your own network")).to_be_visible()
    assert faults_of(first.page) == []
    devices.get_by_role("button", name="Let it in").click()
    expect(devices.get_by_role("status")).to_have_text("Your name is the name of that device too.")
    asking.get_by_role("button", name="I have typed it there").click()
    expect(asking.get_by_text(IS_OURS)).to_be_visible()
    asking.locator(".dialog-body").get_by_role("button", name="Close").click()
    open_table(second, "friday")
    expect(second.page.get_by_text("Ann (you)")).to_be_visible()

    devices.get_by_role("button", name="Revoke its key").click()
    expect(devices.get_by_text("it will be a guest here")).to_be_visible()
    devices.get_by_role("button", name="Revoke its key").click()
    expect(devices.get_by_role("listitem")).to_have_count(1)
    second.go()
    second.page.get_by_role("button", name="Play with others").click()
    told = second.page.get_by_role("alert").filter(has_text="The key of this device for the name")
    expect(told).to_be_visible()
    for guest in (first, second):
        guest.is_content()


def test_the_owner_of_a_name_has_their_seat_on_another_device(
    browser: Browser, named_house: Web
) -> None:
    first, second = PageGuest(browser, named_house, "Ann"), PageGuest(browser, named_house, "Ann")
    first.go()
    words = claim(first.page)
    first.page.get_by_role("button", name="Play now").click()
    expect(first.page.locator(".hand .card")).to_have_count(13)
    second.go()
    take_back(second.page, " ".join(words))
    expect(second.page.get_by_role("dialog").get_by_text(IS_OURS)).to_be_visible()
    second.page.locator(".dialog-body").get_by_role("button", name="Close").click()
    back = "Back to your seat"
    expect(first.page.get_by_role("button", name=back)).to_have_count(0)
    second.page.get_by_role("button", name=back).click()
    expect(second.page.locator(".hand .card")).to_have_count(13)
    elsewhere = "You are playing this seat somewhere else."
    expect(first.page.get_by_role("alert")).to_have_text(elsewhere)
    first.page.get_by_role("button", name=back).click()
    expect(first.page.locator(".hand .card")).to_have_count(13)
    for guest in (first, second):
        guest.is_content()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["--names"], "This server has another key than before"),
        ([], "This server does not ask for the key of your name"),
    ],
    ids=["another key", "no names"],
)
def test_another_server_makes_no_silent_guest(
    browser: Browser, named_house: Web, tmp_path: Path, settings: list[str], said: str
) -> None:
    ann = PageGuest(browser, named_house, "Ann")
    page = ann.page
    ann.go()
    claim(page)
    with server(tmp_path / "evil", "--fill-after", "never", *settings, chats=True) as evil:
        evil.begin()
        evil.wait_ready()
        named_house.game = evil
        named_house.restart_gateway(lambda: None)
        ann.go()
        page.get_by_role("button", name="Play with others").click()
        expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
        expect(page.get_by_text("(you)")).to_have_count(0)
        assert faults_of(page) == []
        # What is known of the first server stays until the player says otherwise.
        page.reload()
        page.get_by_role("button", name="Play with others").click()
        expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
        page.get_by_role("button", name="Play as a guest").click()
        page.get_by_role("button", name="Play with others").click()
        expect(page.get_by_text("Ann (you)")).to_be_visible()
        ann.is_content()
