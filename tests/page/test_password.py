"""A server with a password: its invitation links, its start page, and what is told without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .acting import open_table
from .looks import WIDTH, faults_of
from .page_house import PageGuest, Web, web

pytestmark = pytest.mark.heavy

WORDS = "fig & fox"
LABEL = "Password of this server"


@pytest.fixture
def closed_house(tmp_path: Path) -> Iterator[Web]:
    with web(tmp_path / "data", "--password", WORDS, "--fill-after", "never") as made:
        yield made


def enter(page: Page, words: str) -> None:
    page.get_by_label(LABEL).fill(words)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("is_told", [True, False], ids=["configured", "found out"])
def test_a_link_without_the_password(browser: Browser, closed_house: Web, *, is_told: bool) -> None:
    ann = PageGuest(browser, closed_house, "Ann")
    ann.go()
    page = ann.page
    # What is typed before a wrong password stays.
    page.get_by_role("button", name="Make a table").click()
    page.get_by_label("Name of the table").fill("friday")
    page.get_by_label("The game ends at").fill("77")
    for words, said in (("", "asks for a password"), ("fox", "That is not the password.")):
        page.get_by_label(LABEL).fill(words)
        page.get_by_role("button", name="Make the table").click()
        expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    expect(page.get_by_label("The game ends at")).to_have_value("77")
    assert faults_of(page) == []
    enter(page, WORDS)
    expect(page.get_by_text("The password is right.")).to_be_visible()
    expect(page.get_by_text("No public table is open")).to_be_visible()
    page.get_by_role("button", name="Make the table").click()
    link = page.get_by_label("Send this link").input_value()
    assert link == f"{closed_house.address}#table=friday&words=fig+%26+fox"

    bob = PageGuest(browser, closed_house, "Bob", phone=True)
    page = bob.page
    if not is_told:
        told = json.dumps({"chat": True, "page": "", "files": []})
        page.route("**/config.json", lambda route: route.fulfill(body=told))
    bob.go("#table=friday")
    expect(page.get_by_label(LABEL)).to_be_visible()
    for told in ("Nobody is there", "Ann", "Sit down"):
        expect(page.get_by_text(told)).to_have_count(0)
    assert faults_of(page) == []
    assert page.evaluate(WIDTH) == 360
    enter(page, "fig")
    expect(page.get_by_text("That is not the password.")).to_be_visible()
    enter(page, WORDS)
    expect(page.get_by_text("There already: Ann.")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Sit down").click()
    expect(ann.page.get_by_text("Bob", exact=True)).to_be_visible()
    ann.is_content()
    bob.is_content()


def test_a_link_with_the_password(browser: Browser, closed_house: Web) -> None:
    """Its words go to no other place than the game's socket, and it seats nobody by itself."""
    ann = PageGuest(browser, closed_house, "Ann")
    ann.go("#words=fig+%26+fox")
    open_table(ann, "friday")
    bob = PageGuest(browser, closed_house, "Bob")
    page = bob.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.all_headers()}"))
    # The address when the page asks its server for something first.
    page.add_init_script(
        "const real = fetch; fetch = (...all) => { window.first ??= location.href; "
        "return real(...all); }"
    )
    bob.go("#table=friday&words=fig+%26+fox")
    expect(page.get_by_text("There already: Ann.")).to_be_visible()
    expect(ann.page.get_by_text("Waiting for 3 players.")).to_be_visible()
    home = closed_house.address
    assert page.evaluate("() => [first, location.href, document.title]") == [home, home, "Hearts"]
    assert asked
    assert not [each for each in asked if "friday" in each or "fox" in each]
    page.get_by_role("button", name="Go to the start page").click()
    page.reload()
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    bob.is_content()
