"""A seat at the full screen that is not there yet, or is taken in the middle of a game."""

from __future__ import annotations

import pytest
import trio

from hearts.session.wishes import SendAway
from hearts_client.library.dialects import Dialect
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.pictures.sights import Stage
from hearts_client.screen.settings.settings import Settings
from hearts_client.screen.sound import Sound
from hearts_client.screen.table.keys import WantedPage, helped
from hearts_client.words.typed import Typed, read_line
from tests.client.client_house import ClientHouse

from .seats import QUICK, At, names, wanted


@pytest.mark.house("--fill-after", "20")
async def test_the_table_forms(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = At(made, nursery, options=None)
    sight = await ann.after()
    assert sight.stage is Stage.WAITING
    assert "Computers take the free seats in 20 s." in sight.middle
    ann.press("enter", " ", "left", "end", "q", "s", "y", "i", "l", "f")
    assert not ann.sight.auto
    sight = await ann.after(8)
    assert "Computers take the free seats in 12 s." in sight.middle
    cleo = At(made, nursery, name="Cleo", options=None)
    await cleo.after()
    await cleo.client.ask_table()
    sight = await cleo.after()
    assert "another seat" in [button.label for button in sight.buttons]
    cleo.press("p")
    assert cleo.commanded == ["/seat"]
    await cleo.client.move_seat(2)
    sight = await cleo.after()
    free = "(free)"
    assert [line for line in sight.middle if line in (free, "Ann", "Cleo (you)")] == [
        "Ann",
        free,
        "Cleo (you)",
        free,
    ]
    await cleo.client.leave_for_good()
    await cleo.after()
    bob = At(made, nursery, name="Bob", options=None, dialect=Dialect.PLAIN)
    sight = await ann.after()
    assert "Bob" in "\n".join(sight.middle)
    await ann.asked()
    sight = await bob.asked()
    assert [seat.name for seat in sight.seats] == ["You", "Moe", "Larry", "Ann"]


async def test_an_invitation_is_a_question(made: ClientHouse, nursery: trio.Nursery) -> None:
    """Only who has opened a table invites; who is invited comes or stays with one key."""
    ann = At(made, nursery, options=None, table="club")
    await ann.until(lambda sight: sight.forming_words)
    bob = At(made, nursery, name="Bob", options=None, table="club")
    await bob.until(lambda sight: sight.forming_words)
    hears = Settings(bell=True)
    more = {"options": None, "table": "eve waits", "settings": hears, "key_waits": 0.4}
    eve = At(made, nursery, name="Eve", **more)  # type: ignore[arg-type]
    for at in (ann, bob):
        at.press("i")
    assert wanted(ann) == [WantedPage.INVITE]
    assert wanted(bob) == []
    assert bob.notices[-1] == "Only who has opened the table may invite others to it."
    assert "invite" in [button.label for button in ann.sight.buttons]
    await eve.until(lambda sight: sight.forming_words)
    await eve.client.be_invitable(True)
    await eve.after()
    await ann.client.invite(1)
    question = "Ann invites you to the table club. Do you accept? y or n"
    sight = await eve.until(lambda sight: sight.prompt == question)
    assert Sound.NEWS in eve.heard
    assert [button.key for button in sight.buttons[:2]] == ["y", "n"]
    words = [text for text, _ in sight.forming_words]
    assert words[0].startswith("Ann invites you to the table club: a game to 100 points")
    assert words[1] == "At that table: Ann, Bob."
    # It may be meant for what was to be seen before.
    assert eve.press("n").prompt == question
    await eve.after(1)
    assert eve.press("y").prompt != question
    title = ("Table club, a private one", Ink.TITLE)
    sight = await eve.until(lambda sight: title in sight.forming_words)
    assert "Eve (you)" in [text for text, _ in sight.forming_words]
    assert eve.client.player == 2


async def test_an_invitation_that_is_over_is_no_question(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    ann = At(made, nursery, options=None, table="club")
    eve = At(made, nursery, name="Eve", options=None, table="eve waits")
    await eve.until(lambda sight: sight.forming_words)
    await eve.client.be_invitable(True)
    await eve.after()
    await ann.client.invite(1)
    await eve.until(lambda sight: "invites you" in sight.prompt)
    sight = await eve.after(31)
    assert "invites you" not in sight.prompt
    assert eve.notices[-1] == "The invitation is over: the player has not answered in time."
    assert not eve.page.press("y")


async def test_a_guest_is_sent_away(made: ClientHouse, nursery: trio.Nursery) -> None:
    """No key does that by chance: it has to be typed in the chat."""
    ann = At(made, nursery, options=None, table="club")
    await ann.until(lambda sight: sight.forming_words)
    bob = At(made, nursery, name="Bob", options=None, table="club")
    await ann.until(lambda sight: "Bob" in [text for text, _ in sight.forming_words])
    ann.press("/", *"/dismiss Bob", "enter")
    assert ann.commanded == ["/dismiss Bob"]
    assert read_line(ann.commanded[0]) == Typed("/dismiss", "Bob")
    await ann.client.wish(SendAway(ann.client.player, 1))
    sight = await ann.until(lambda sight: "Bob" not in [text for text, _ in sight.forming_words])
    assert sight.forming_words[0][0].startswith("Table club-")
    assert any(notice.startswith("The guest is gone.") for notice in ann.notices)
    await bob.after()
    assert "has sent you away" in str(bob.problem)


@pytest.mark.house("--bot-pause", "1", "--end-score", "500", "--turn-limit", "0")
async def test_a_newcomer_waits_for_the_end_of_the_hand(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    ann = At(made, nursery, settings=QUICK)
    await ann.asked()
    ann.pass_first()
    ann.press("f")
    await ann.client.open_seat(1)
    await ann.until(lambda sight: sight.trick_number == 3)
    bob = At(made, nursery, name="Bob", options=None, table="Table 1")
    sight = await bob.after(3)
    assert sight.stage is Stage.WAITING
    assert names(sight.hand) == ""
    bob.press(*helped())
    sight = await bob.asked("Mark three cards")
    assert [seat.name for seat in sight.seats] == ["You", "Larry", "Curly", "Ann"]
    assert len(sight.hand) == 13
    assert sum(sight.totals) in (26, 78), "or a moon was shot"
    assert [title for title, _ in sight.rows] == ["so far"]
    assert "You are back." not in bob.notices
