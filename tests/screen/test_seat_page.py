"""A person at the screen of a real server: passing, playing, and what stands in the way of it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import trio

from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.errors import Reason
from hearts.game.cards import Card
from hearts.game.events import ChosenBy, PassMade
from hearts.session.client_events import ChoiceRefused
from hearts.session.messages import Options
from hearts.table.inputs import Question
from hearts_client.library.dialects import Dialect
from hearts_client.screen.pictures.canvas import Ink, OnButton
from hearts_client.screen.pictures.sights import Flash, OnCard, OnTable, Stage
from hearts_client.screen.settings.settings import Settings
from hearts_client.screen.sound import Sound
from tests.client.client_house import ClientHouse
from tests.client.played import own_record

from .seats import (
    CODE,
    PASS,
    At,
    choices,
    cursor,
    dealt,
    drawn,
    leading,
    marked,
    names,
    playable,
)

HAND = "2C 3C 4C QC KC 3D 6D 9D JD 6S 9S JS 7H"
AFTER_PASS = "2C 3C 4C 3D 6D 9D KD AD 6S 9S JS KS 7H"


@pytest.mark.seat("--rules", "mac2000", begin=dealt)
async def test_the_head_names_rules_that_have_a_name(at: At) -> None:
    assert at.sight.rules == "mac2000"
    assert "mac2000" in drawn(at.page)


# The pass


@pytest.mark.seat(begin=dealt)
async def test_cards_are_marked_and_passed(at: At) -> None:
    sight = at.sight
    assert (sight.stage, sight.hand_number, sight.trick_number) == (Stage.PASSING, 1, 0)
    assert (names(sight.hand), marked(sight), cursor(sight)) == (HAND, "", "2C")
    assert sight.prompt == "Mark three cards for Moe (0 marked)."
    assert cursor(at.press("left")) == "7H"
    sight = at.press("right", "right", "right", " ")
    assert (cursor(sight), marked(sight)) == ("4C", "4C")
    assert marked(at.press(" ")) == ""
    assert marked(at.press("enter")) == "4C"
    sight = at.press("end", "up", "q", "C")
    assert (cursor(sight), marked(sight)) == ("QC", "4C QC 7H")
    assert sight.prompt == "Enter passes 4C 7H QC to Moe."
    sight = at.press("j", "d")
    assert (marked(sight), cursor(sight)) == ("4C QC 7H", "JD")
    assert at.notices[-1] == "Three cards are marked already; Space takes a mark away."
    assert marked(at.press("backspace")) == ""
    assert "Three cards are marked already; Space takes a mark away." not in at.history
    # Enter behind a name leaves its mark, also behind the third; a name never takes one away.
    sight = at.press(*"kc", "enter", *"qc", "enter", *"qcjd", "enter")
    assert marked(sight) == "QC KC JD"
    assert not any(isinstance(event, PassMade) for event in at.events)
    assert at.press("enter").prompt == "Waiting for the others."
    sight = await at.after()
    assert (names(sight.hand), marked(sight)) == ("2C 3C 4C 3D 6D 9D 6S 9S JS 7H", "")
    assert at.notices[-1] == "You pass: KC QC JD, to Moe."
    sight = await at.asked("you lead")
    assert names(sight.hand) == AFTER_PASS
    assert at.notices[-1] == "From Curly you receive: AD KD KS."
    assert names(tuple(h for h in sight.hand if h.received)) == "KD AD KS"
    assert cursor(sight) == "2C"
    at.press("enter")
    sight = await at.after()
    assert not any(held.received for held in sight.hand)


@pytest.mark.seat("--turn-limit", "20", begin=dealt)
async def test_the_clock_passes_meanwhile(at: At) -> None:
    at.press("k", "c", "q", "c")
    assert at.sight.left == 20
    assert (await at.after(7.5)).left == 13
    sight = await at.until(lambda sight: sight.stage is Stage.TRICK)
    assert marked(sight) == ""
    assert [e.by for e in at.events if isinstance(e, PassMade)] == [ChosenBy.CLOCK]
    assert any(text.startswith("Time is up. The server passes") for text in at.notices)


# A card


@pytest.mark.seat(begin=leading)
async def test_a_card_is_played_by_keys(at: At) -> None:
    assert (playable(at.sight), cursor(at.sight)) == ("2C", "2C")
    sight = at.press("7", "h")
    assert cursor(sight) == "7H"
    at.press("enter")
    assert at.notices[-1] == ("You cannot play 7H now: the first lead must be the two of clubs.")
    assert at.page.is_asked
    at.press("a", "s")
    assert at.notices[-1] == "You do not hold AS."
    at.press("2", "c")
    at.press("enter", "enter")
    assert at.notices[-1] == "It is not your turn to choose."
    sight = await at.after()
    assert choices(at) == ["2C"]
    assert [str(seat.played) for seat in sight.seats] == ["2C", "None", "None", "None"]
    sight = await at.asked("follow spades")
    assert (playable(sight), cursor(sight)) == ("6S 9S JS KS", "6S")
    at.press("3", "d", "enter")
    assert at.notices[-1].startswith("You cannot play 3D now: spades were led")
    at.press("right", "j", "s", "enter")
    await at.after()
    assert choices(at) == ["2C", "JS"]
    assert not any(isinstance(event, ChoiceRefused) for event in at.events)


@pytest.mark.seat("--bot-pause", "0", begin=leading)
async def test_nothing_is_sent_twice(at: At) -> None:
    """Enter, pressed once too often, neither plays another card nor answers what follows."""
    at.press(*["enter"] * 30)
    await at.after()
    assert choices(at) == ["2C"]
    await at.until(lambda sight: at.page.is_held)
    at.press(*["enter"] * 30)
    await at.asked("follow spades")
    assert choices(at) == ["2C"]


@pytest.mark.seat(begin=leading)
async def test_half_a_name_is_not_a_choice(at: At) -> None:
    sight = at.press("1")
    assert sight.prompt == "1... and a suit: c d h s"
    assert at.press("0").prompt == "T... and a suit: c d h s"
    assert at.press("left").prompt.startswith("Your turn")
    at.press("q", "enter")
    assert "..." not in at.sight.prompt
    sight = await at.after()
    assert "..." not in sight.prompt
    assert choices(at) == []
    at.press("2", "c", "enter")
    await at.after()
    assert choices(at) == ["2C"]


@pytest.mark.seat("--turn-limit", "20", begin=leading)
async def test_the_clock_plays_meanwhile(at: At) -> None:
    assert at.sight.left == 20
    assert at.sight.waited is None
    await at.after(15)
    assert at.sight.left == 5
    await at.until(lambda sight: not at.page.is_asked)
    at.press("enter")
    await at.after()
    assert choices(at, by=ChosenBy.CLOCK) == ["2C"]
    assert choices(at) == []
    late = [ink for text, ink in at.page.ticker.history if text.startswith("Time is up.")]
    assert late == [Ink.ALARM]
    sight = await at.asked("follow spades")
    assert sight.left == 20
    await at.until(lambda sight: not at.page.is_asked)
    # A stand-in plays once; the answer that our client gives too late gets a short time.
    await at.until(lambda sight: sight.left == 3)
    short = [ink for text, ink in at.page.ticker.history if text.startswith("Time is short.")]
    assert short == [Ink.ALARM]


@pytest.mark.seat(begin=leading)
async def test_what_is_refused_is_asked_again(at: At) -> None:
    """A server that is stricter than the client thinks: the choice is open as before."""
    at.page.receive(ChoiceRefused(Question.CARD, Reason.FOLLOW_SUIT))
    sight = await at.after()
    assert at.notices[-1].startswith("The server refuses that: ")
    assert at.page.is_asked
    assert sight.left == 60
    at.press("enter")
    await at.after()
    assert choices(at) == ["2C"]


@pytest.mark.seat(begin=dealt)
async def test_a_hint_is_what_the_bot_would_do(at: At) -> None:
    bot = SwiftBot(shipped_network())
    best = bot.choose_pass(at.client.view)
    at.press("i")
    for card in best:
        assert at.theme.style.card(card) in at.notices[-1]
    at.press(*PASS)
    at.press("i")
    assert at.notices[-1] == "There is nothing to choose now."
    await at.asked("you lead")
    at.press("enter")
    sight = await at.asked("follow spades")
    best_card = bot.choose_card(at.client.view)
    at.press("end", "i")
    assert cursor(at.sight) == str(best_card)
    assert at.theme.style.card(best_card) in at.notices[-1]
    assert sight.prompt == at.sight.prompt


@pytest.mark.seat(begin=leading)
async def test_nobody_helps_at_the_deal_of_the_day(at: At) -> None:
    page = at.page
    assert {"i", "f"} <= {key.key for key in page.bar(counts=True)}
    page.record = own_record()
    page.record.day = date(2026, 11, 27)
    assert not {"i", "f", "u"} & {key.key for key in page.bar(counts=True)}
    at.press("i")
    assert at.notices[-1] == "There are no hints at the deal of the day."
    at.press("f", "f")
    assert at.notices[-1] == "The deal of the day you play yourself."
    assert not page.is_auto


# A trick that is over


@pytest.mark.seat(settings=Settings(trick_stays=2.0), begin=leading)
async def test_a_trick_stays_for_a_while(at: At) -> None:
    at.press("enter")
    sight = await at.until(lambda sight: at.page.is_held)
    begun = trio.current_time()
    assert [str(seat.played) for seat in sight.seats] == ["2C", "KC", "AC", "AS"]
    assert [seat.wins for seat in sight.seats] == [False, False, True, False]
    assert sight.buttons[0].label == "go on"
    assert sight.waited is None
    assert sight.prompt == ""
    sight = await at.until(lambda sight: sight.trick_number == 2)
    assert trio.current_time() - begun == pytest.approx(2.0, abs=0.1)
    assert [str(seat.played) for seat in sight.seats] == ["None", "None", "TS", "7S"]


@pytest.mark.parametrize("how", ["enter", " ", "esc", "card", "table", "button"])
@pytest.mark.seat("--turn-limit", "0", settings=Settings(trick_stays=None), begin=leading)
async def test_a_trick_is_dismissed_and_nothing_is_played(how: str, at: At) -> None:
    at.press("enter")
    await at.until(lambda sight: at.page.is_held)
    await at.after(10)
    assert at.page.is_held
    match how:
        case "card":
            at.click(OnCard(Card.parse("6S")))
        case "table":
            at.click(OnTable())
        case "button":
            at.click(OnButton("enter"))
        case _:
            at.press(how)
    sight = await at.asked("follow spades")
    assert choices(at) == ["2C"]
    assert sight.trick_number == 2


@pytest.mark.seat("--turn-limit", "20", settings=Settings(trick_stays=None), begin=leading)
async def test_a_trick_is_cleared_away_where_time_runs_out(at: At) -> None:
    at.press("enter")
    await at.until(lambda sight: at.page.is_held)
    began = trio.current_time()
    # Larry leads at once, Curly follows a second later, and then it is our turn.
    sight = await at.asked("follow spades")
    assert trio.current_time() - began == pytest.approx(2 + 20 - 5, abs=1.0)
    assert sight.left == 5


@pytest.mark.seat(
    "--turn-limit", "10", "--bot-pause", "4", settings=Settings(trick_stays=None), begin=leading
)
async def test_time_that_ran_for_a_choice_that_is_made_does_not_matter(at: At) -> None:
    """Others think for longer than the person had; a trick stays for them all the same."""
    at.press("enter")
    await at.until(lambda sight: at.page.is_held)
    await at.after(4)
    assert at.page.is_held


@pytest.mark.seat(begin=leading)
async def test_the_last_trick_is_shown_again(at: At) -> None:
    at.press("l")
    assert at.notices[-1] == "No trick of this hand is over yet."
    assert at.sight.stage is Stage.TRICK
    at.press("enter")
    await at.asked("follow spades")
    sight = at.press("l")
    assert (sight.stage, sight.trick_number) == (Stage.LAST_TRICK, 1)
    assert [str(seat.played) for seat in sight.seats] == ["2C", "KC", "AC", "AS"]
    sight = at.press("enter")
    assert sight.stage is Stage.TRICK
    assert [str(seat.played) for seat in sight.seats] == ["None", "None", "TS", "7S"]
    at.press("l")
    at.click(OnCard(Card.parse("6S")))
    assert at.sight.stage is Stage.TRICK
    await at.after()
    assert choices(at) == ["2C"]


@pytest.mark.seat(
    "--turn-limit", "0", "--bot-pause", "0", settings=Settings(trick_stays=0.0), begin=leading
)
async def test_the_last_trick_is_gone_with_its_hand(at: At) -> None:
    """Who still looks at it sees the next hand; their next key is not taken for its end."""
    at.press("f")
    await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
    assert at.press("l").stage is Stage.LAST_TRICK
    sight = await at.asked("Mark three")
    assert sight.stage is Stage.PASSING
    assert marked(at.press(" ")) == cursor(at.sight)


# The mouse


@pytest.mark.seat(begin=dealt)
async def test_cards_are_clicked(at: At) -> None:
    for text in ("KC", "2C", "QC", "2C", "JD"):
        at.click(OnCard(Card.parse(text)))
    sight = at.sight
    assert (marked(sight), cursor(sight)) == ("QC KC JD", "JD")
    at.click(OnButton("enter"))
    await at.asked("you lead")
    at.click(OnCard(Card.parse("7H")))
    assert at.notices[-1].startswith("You cannot play 7H now")
    at.click(OnCard(Card.parse("2C")))
    at.click(OnCard(Card.parse("3C")))
    await at.after()
    assert choices(at) == ["2C"]
    at.click(OnTable())
    at.click(None)
    await at.after()
    assert choices(at) == ["2C"]


# Clocks and notices


@pytest.mark.house("--deal", CODE)
async def test_for_whom_the_table_waits(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = At(made, nursery, options=Options(frozenset({2, 3})))
    await ann.after()
    bob = At(made, nursery, name="Bob", options=None)
    await ann.asked()
    await bob.asked()
    ann.pass_first()
    sight = await ann.after(4)
    assert sight.prompt == "Waiting for Bob."
    assert sight.waited is not None
    assert 3 <= sight.waited <= 5
    assert [seat.name for seat in sight.seats if seat.on_turn] == ["Bob"]
    assert sight.left is None
    bob.pass_first()
    await ann.until(lambda sight: sight.stage is Stage.TRICK)
    first, second = (ann, bob) if ann.page.is_asked else (bob, ann)
    sight = await second.after(7)
    name = "Ann" if first is ann else "Bob"
    assert sight.prompt == f"Waiting for {name}."
    assert sight.waited in (6, 7)
    assert [seat.name for seat in sight.seats if seat.on_turn] == [name]
    assert (first.sight.waited, first.sight.left) == (None, 53)
    assert [seat.name for seat in first.sight.seats if seat.on_turn] == ["You"]


@pytest.mark.seat(settings=Settings(notice_stays=3.0), begin=dealt)
async def test_notices_vanish_and_are_kept(at: At) -> None:
    at.page.show_notice("one")
    await at.after(2)
    at.page.show_notice("two", Ink.ALARM)
    sight = await at.after(0.9)
    assert sight.notices == (("one", Ink.NOTICE), ("two", Ink.ALARM))
    assert (await at.after(1)).notices == (("two", Ink.ALARM),)
    assert (await at.after(2)).notices == ()
    assert at.notices[-2:] == ["one", "two"]


async def test_the_bell_rings_if_it_is_wished(tmp_path: Path, autojump_clock: object) -> None:
    for bell in (True, False):
        async with leading(tmp_path / str(bell), settings=Settings(bell=bell)) as at:
            assert at.heard == ([Sound.TURN] * 2 if bell else [])


@pytest.mark.seat(
    "--turn-limit",
    "0",
    "--bot-pause",
    "0",
    dialect=Dialect.PLAIN,
    settings=Settings(finishes_slowly=True, bell=True),
    begin=leading,
)
async def test_what_was_felt_passes(at: At) -> None:
    """And what is on the screen is drawn anew only where something changes."""
    at.press("f")
    await at.until(lambda sight: sight.flash is Flash.HEARTS_BROKEN)
    assert at.heard[-1] is Sound.NEWS
    await at.until(lambda sight: sight.flash is Flash.QUEEN)
    assert Sound.QUEEN in at.heard
    await at.asked("Mark three")
    await at.after(30)
    drawn_first = at.page.widget.render((80, 23), True)
    await at.after(30)
    assert at.sight.flash is None
    assert at.page.widget.render((80, 23), True) is drawn_first
