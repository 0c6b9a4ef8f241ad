"""A page calls its player: by title, sounds and notifications, and says who has come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from .acting import PLAY, close_dialog, open_table, sit_down
from .looks import script
from .page_house import PageGuest, Web

pytestmark = pytest.mark.heavy

EAR = script("ear")
NOTICES = """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
  .then((all) => all.map(({ body }) => body).sort())"""


def test_a_page_calls_its_player(browser: Browser, house: Web) -> None:
    ann, bob = PageGuest(browser, house, "Ann"), PageGuest(browser, house, "Bob")
    page = ann.page
    ann.context.add_init_script(EAR)
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
