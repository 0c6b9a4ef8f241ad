"""The guided first hand in a browser: offered once, played as advised and otherwise, left."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.vectors.lesson_lines import lines

from .acting import LIMIT, close_dialog, open_from_menu
from .looks import WIDTH, faults_of
from .page_house import PageGuest, Web

pytestmark = pytest.mark.heavy

CLICK = "(card) => document.querySelector(`.hand [data-card='${card}']`)?.click()"
TEXT = ".said-step p"
READ = """() => {
  const button = document.querySelector('.said-step .main');
  const text = document.querySelector('.said-step p')?.innerText.trim() ?? '';
  const isAsked = button === null && document.querySelector('.play.lesson .hand.asked') !== null;
  button?.click();
  return [text, isAsked || document.querySelector('.play.lesson') === null];
}"""
"""Read what is said and go on; tell if a choice is asked for, or the lesson is over."""


def begin(guest: PageGuest, name: str = "Your first hand") -> Page:
    guest.go()
    guest.page.get_by_role("button", name=name).click()
    guest.page.wait_for_selector(".play.lesson")
    return guest.page


def read_on(page: Page, texts: list[str]) -> None:
    """Read what there is to read until a choice is asked for, or the lesson is over."""
    end = time.monotonic() + LIMIT
    is_asked = False
    while not is_asked:
        assert time.monotonic() < end, "the lesson does not go on"
        text, is_asked = page.evaluate(READ)
        if text and text not in texts:
            texts.append(text)
        page.wait_for_timeout(40)


def test_who_plays_as_advised_reads_all_of_it_and_is_not_asked_again(
    browser: Browser, house: Web
) -> None:
    line = lines()[0]
    texts: list[str] = []
    guest = PageGuest(browser, house, "Ann")
    page = begin(guest)
    assert faults_of(page) == []
    read_on(page, texts)
    for card in line.passes[0]:
        page.evaluate(CLICK, card)
    page.get_by_role("button", name="Pass 3 cards to Moe").click()
    for card in line.own:
        read_on(page, texts)
        assert page.query_selector(".said-step .row") is None
        page.evaluate(CLICK, card)
    read_on(page, texts)
    page.wait_for_selector(".start")
    assert len(texts) == sum(len(said) for _, said in line.said)
    assert "you 1, Moe 16, Larry 7, Curly 2" in " ".join(texts)
    assert page.locator(".way", has_text="Your first hand").count() == 0
    expect(page.locator(".start-foot")).to_contain_text("Your first hand")
    assert [each.path for each in guest.overheard if each.path == "game" and each.sent] != []
    guest.is_content()


def test_a_wrong_card_and_an_unwise_one_are_explained_also_in_german_on_a_phone(
    browser: Browser, house: Web
) -> None:
    guest = PageGuest(browser, house, "Ann", phone=True, language="de-DE")
    page = begin(guest, "Deine erste Hand")
    read_on(page, [])
    for card in (3, 4, 33):
        page.evaluate(CLICK, card)
    page.get_by_role("button", name="3 Karten").click()
    expect(page.locator(TEXT)).to_contain_text("kostet dich wahrscheinlich mehr. Gib Pik Ass")
    assert faults_of(page) == []
    assert page.evaluate(WIDTH) == 360
    page.get_by_role("button", name="Trotzdem so").click()
    texts: list[str] = []
    read_on(page, texts)
    assert "J♣" in texts[0]
    page.evaluate(CLICK, 10)
    expect(page.locator(".prompt")).to_have_text("Kreuz wurde ausgespielt, und du hast welche")
    page.evaluate(CLICK, 19)
    page.get_by_role("button", name="Neu wählen").click()
    expect(page.locator(".hand .card")).to_have_count(13)
    page.evaluate(CLICK, 19)
    page.get_by_role("button", name="Trotzdem so").click()
    expect(page.locator(".hand .card")).to_have_count(12)
    guest.is_content()


def test_it_is_left_by_back_and_from_a_game_one_is_back_in_the_game(
    browser: Browser, house: Web
) -> None:
    guest = PageGuest(browser, house, "Ann")
    page = begin(guest)
    page.go_back()
    page.wait_for_selector(".start")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".play:not(.lesson) .hand .card")
    held = page.locator(".hand .card").all_inner_texts()
    open_from_menu(page, "Your first hand")
    page.wait_for_selector(".play.lesson")
    page.get_by_role("button", name="Leave the lesson").click()
    page.wait_for_selector(".play:not(.lesson)")
    assert page.locator(".hand .card").all_inner_texts() == held
    open_from_menu(page, "Rules")
    close_dialog(page)
    guest.is_content()
