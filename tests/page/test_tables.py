"""Pages at tables: seats, invitations, votes, and games that the referee judges."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.independent.referee import Referee

from .acting import (
    close_dialog,
    make_table,
    open_from_menu,
    open_table,
    play_until,
    sit_down,
)
from .looks import WIDTH, faults_of
from .page_house import PageGuest, Web

pytestmark = pytest.mark.heavy


def test_a_guest_is_sent_away(browser: Browser, house: Web) -> None:
    ann, bob = PageGuest(browser, house, "Ann"), PageGuest(browser, house, "Bob")
    open_table(ann, "away")
    sit_down(bob, "away")
    ann.page.get_by_role("button", name="Send away: Bob").click()
    expect(bob.page.get_by_text("has sent you away")).to_be_visible()
    expect(ann.page.locator("#link")).to_have_value(re.compile(r"#table=away-[a-z0-9]{13}$"))
    bob.go("#table=away")
    expect(bob.page.get_by_text("This link is out of date")).to_be_visible()
    expect(bob.page.get_by_role("button", name="Sit down")).to_have_count(0)
    # By its new link.
    bob.page.goto(ann.page.locator("#link").input_value())
    bob.page.get_by_role("button", name="Sit down").click()
    expect(ann.page.get_by_text("Bob", exact=True)).to_be_visible()


def test_breaking_off(browser: Browser, house: Web) -> None:
    ann, bob = PageGuest(browser, house, "Ann"), PageGuest(browser, house, "Bob", phone=True)
    open_table(ann, "abort", end=1)
    sit_down(bob, "abort")
    expect(ann.page.get_by_text("Bob", exact=True)).to_be_visible()
    ann.page.get_by_role("button", name="Fill up with computers").click()
    play_until([ann.page, bob.page], ".lying")
    said = ann.page.get_by_role("log")
    for what, answer, outcome in (
        ("hand", "Play on", "Play goes on (Bob): a player does not agree."),
        ("hand", "Abandon it", "this hand is abandoned and does not count"),
        ("game", "Abandon it", "this game is abandoned. Another one begins."),
    ):
        open_from_menu(ann.page, "Table and seats")
        ann.page.get_by_role("button", name=f"Abandon this {what}").click()
        expect(ann.page.get_by_text("The others have a minute")).to_be_visible()
        close_dialog(ann.page)
        vote = bob.page.get_by_role("alertdialog", name=f"Abandon this {what}")
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
    ann, bob = PageGuest(browser, house, "Ann"), PageGuest(browser, house, "Bob")
    cleo = PageGuest(browser, house, "Cleo", phone=True)
    cleo.go()
    cleo.page.get_by_role("button", name="Wait to be invited").tap()
    expect(cleo.page.get_by_text("can see you in a list")).to_be_visible()
    open_table(ann, "seats")
    expect(ann.page.get_by_role("button", name="Sit here")).to_have_count(0)
    sit_down(bob, "seats")
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
    question.get_by_role("button", name="Join them").tap()
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
    expect(host.get_by_text("The player in that seat has a minute")).to_be_visible()
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


def test_games_by_five_sets_of_rules_are_judged_and_verified(
    browser: Browser, house: Web, tmp_path: Path
) -> None:
    guests = []
    for rules in SETS_OF_RULES:
        guest = PageGuest(browser, house, "Ann")
        guests.append(guest)
        guest.go()
        make_table(guest.page, rules)
        open_from_menu(guest.page, "Play the rest of this hand")
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
    assert {without_passes_and_remarks(text) for text in saved.values()} == set(
        map(without_passes_and_remarks, told.values())
    )
    assert len({text.splitlines()[1] for text in saved.values()}) == len(guests)
    subprocess.run((*program, "verify", *told, *saved), check=True, timeout=60)


def save_records(guests: Sequence[PageGuest], folder: Path) -> Iterator[Path]:
    """Have each page save its game, as its player would."""
    for number, guest in enumerate(guests):
        guest.page.get_by_role("button", name="Look at the hands").click()
        with guest.page.expect_download() as saving:
            guest.page.get_by_role("button", name="Save this game").click()
        path = folder / f"saved-{number}.txt"
        saving.value.save_as(path)
        yield path


def without_passes_and_remarks(record: str) -> str:
    """Of others a page knows which cards they passed, and not in which order; the server adds
    remarks.
    """
    return re.sub(r"^(pass|#) .*\n", "", record, flags=re.M)


def judge(guests: Sequence[PageGuest]) -> None:
    """Have the independent referee look at what each page has heard and chosen."""
    for guest, rules in zip(guests, SETS_OF_RULES, strict=True):
        (seat,) = (each for each in guest.overheard if each.path == "game" and each.has_frames)
        report = Referee({0: seat.facts("Ann", rules)}).judge()
        assert report.games == 1
        # Points that are taken off may leave nobody at the end after the first hand.
        assert report.hands >= 1
