"""Whole hands and games at the full screen, votes, and a connection that is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts.game.cards import Card
from hearts.game.events import CardPlayed, MoonChosen
from hearts.game.rules import parse_rules
from hearts.session.client_events import (
    AgainAnswered,
    CaughtUp,
    ConnectionLost,
    SessionEnded,
)
from hearts.session.messages import Options, Scores
from hearts.table.effects import (
    GameAborted,
    HandAborted,
    RulesAgreed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)
from hearts.table.inputs import Abort, Question
from hearts_client.library.dialects import Dialect
from hearts_client.screen.pictures.canvas import Ink
from hearts_client.screen.pictures.sights import Flash, Stage
from hearts_client.screen.table.keys import WantedPage
from tests.client.client_house import ClientHouse, house

from .seats import ALONE, CODE, PASS, QUICK, At, cursor, marked, names, wanted

MOON = "1DWM-274G-SX5S-2FXP-5PQ0-TQWH-6DTG"
"""Whoever passes their lowest cards and plays high in seat 0 takes all points of it."""
TWO = Options(frozenset({2, 3}))


def keys_of(card: Card) -> tuple[str, ...]:
    return tuple(str(card).lower())


async def play_high(at: At) -> None:
    """Pass low and play high, by keys, until something else is asked."""
    while at.page.is_asked:
        view = at.client.view
        if at.client.asked is Question.PASS:
            chosen = sorted(view.cards, key=lambda card: (card.rank, card))[:3]
        elif at.client.asked is Question.CARD:
            chosen = [max(view.legal_cards, key=lambda card: (card.rank, card))]
        else:
            return
        for card in chosen:
            at.press(*keys_of(card))
        at.press("enter")
        await at.until(lambda sight: at.page.is_asked or sight.stage is not Stage.TRICK)
        await at.until(lambda sight: at.page.is_asked or sight.stage is Stage.HAND_OVER)


# Hands


@pytest.mark.seat("--deal", MOON, options=Options(ALONE.computers, parse_rules("moon=choice")))
async def test_a_hand_by_keys_and_a_moon(at: At) -> None:
    await play_high(at)
    sight = at.sight
    assert sight.flash is Flash.MOON
    assert "You have shot the moon!" in at.notices
    assert sight.prompt == ("26 points to each of the others (+), or 26 off your own score (-)?")
    assert [button.key for button in sight.buttons[:2]] == ["+", "-"]
    assert names(sight.hand) == ""
    at.press("enter", " ", "left", "y")
    assert at.page.is_asked
    at.press("i")
    assert at.page.is_asked
    at.press("-")
    await at.until(lambda sight: sight.totals != (0, 0, 0, 0))
    assert at.sight.totals == (-26, 0, 0, 0)
    assert at.sight.rows == (("hand 1", (-26, 0, 0, 0)),)
    result = at.sight.result
    assert result is not None
    assert result.facts == ("You shot the moon.",)
    assert len(result.rows[0].cards) == 14
    assert [row.gained for row in result.rows] == [-26, 0, 0, 0]
    chosen = [event for event in at.events if isinstance(event, MoonChosen)]
    assert [event.on_others for event in chosen] == [False]
    assert at.page.wanted.statistics().current_buffer_used == 0


@pytest.mark.seat("--deal", CODE, "--bot-pause", "1")
async def test_a_computer_plays_the_hand_out(at: At) -> None:
    sight = at.press("f")
    assert (sight.auto, at.page.is_asked) == (True, False)
    await at.until(lambda sight: sight.trick_number == 4)
    assert not at.press("f").auto
    assert at.notices[-1] == "You play yourself again."
    await at.asked()
    await at.after(20)
    assert at.page.is_asked
    sight = at.press("f")
    assert (sight.auto, at.page.is_asked) == (True, False)
    await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
    assert not at.sight.auto
    assert sum(isinstance(event, CardPlayed) and not event.player for event in at.events) == 13
    await at.asked("Mark three cards")
    sight = await at.after(30)
    assert at.page.is_asked
    assert not sight.auto


@pytest.mark.seat("--turn-limit", "0")
async def test_the_scores_of_a_hand_stay(at: At) -> None:
    at.pass_first()
    at.press("f")
    sight = await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
    assert at.page.is_held
    assert (sight.middle, sight.prompt) == (("Hand 1 is over.",), "")
    assert not any(seat.on_turn for seat in sight.seats)
    assert [button.key for button in sight.buttons[:3]] == ["enter", "v", "b"]
    assert sum(sight.totals) in (26, 78), "or a moon was shot"
    assert [row for _, row in sight.rows] == [sight.totals]
    assert not at.press("f").auto
    assert at.notices[-1] == "There is no hand to play out now."
    assert (await at.after(7)).stage is Stage.HAND_OVER
    assert (await at.after(2)).stage is Stage.PASSING
    at.pass_first()
    at.press("f")
    await at.until(lambda sight: sight.stage is Stage.HAND_OVER)
    at.press("enter")
    assert (await at.after()).stage is Stage.PASSING


# What else is asked


@pytest.mark.parametrize("key", ["y", "n"])
@pytest.mark.seat(options=Options(ALONE.computers, end_score=1))
async def test_another_game(key: str, at: At) -> None:
    at.pass_first()
    at.press("f")
    sight = await at.asked("Another game?")
    winners = at.page.table.picture.board.winners
    assert (sight.stage, sight.winners) == (Stage.GAME_OVER, frozenset(winners))
    who = at.page.table.roster.all_names(winners)
    assert sight.middle == ("The game is over.", f"Won by {who}.")
    assert sight.result is not None
    first = [
        s.player for s, row in zip(sight.seats, sight.result.rows, strict=True) if row.place == 1
    ]
    assert frozenset(first) == sight.winners
    won = 0 in sight.winners
    assert sight.flash is (Flash.GAME_WON if won else Flash.GAME_LOST)
    assert [button.key for button in sight.buttons[:2]] == ["y", "n"]
    assert at.press("a").prompt == "Another game? y or n"
    at.press("enter", "left", " ")
    assert at.page.is_asked
    at.press(key)
    assert not at.page.is_asked
    if key == "n":
        await at.until(lambda sight: at.page.is_over)
        assert at.sight.prompt == "Nothing more happens here: Esc leaves."
        assert at.notices[-1] == "The session is over."
        at.press("esc")
        assert WantedPage.LEAVE in wanted(at)
        at.press("f", "i", "enter", "y")
        assert not at.sight.auto
    else:
        sight = await at.asked("Mark three cards")
        assert (sight.totals, sight.rows, sight.winners) == ((0, 0, 0, 0), (), frozenset())
        assert sight.result is None
    answered = [event.yes for event in at.events if isinstance(event, AgainAnswered)]
    assert answered == [key == "y"]


@pytest.mark.seat(options=Options(ALONE.computers, end_score=1))
async def test_between_two_games_nobody_has_won(at: At) -> None:
    """As long as the table waits for the next deal."""
    at.pass_first()
    at.press("f")
    await at.asked("Another game?")
    info = at.page.table.picture.table
    assert info is not None
    at.page.receive(info)
    assert (await at.after()).middle == ("Another game begins.",)


@pytest.mark.parametrize("key", ["y", "n"])
async def test_a_vote_on_other_rules(key: str, made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = At(made, nursery, options=TWO)
    await ann.after()
    bob = At(made, nursery, name="Bob", options=None)
    await bob.asked()
    rules = parse_rules("jack,dump")
    await ann.client.propose_rules(rules, 50)
    sight = await bob.until(lambda sight: "Shall" in sight.prompt)
    assert sight.prompt == ("Shall the next game be a game to 50 points, rules: jack,dump? y or n")
    assert "Shall" not in ann.sight.prompt
    bob.press("right", " ")
    assert marked(bob.sight) == cursor(bob.sight)
    bob.press(key)
    assert "Shall" not in bob.sight.prompt
    await bob.after()
    ended = RulesAgreed if key == "y" else RulesRefused
    assert [type(e) for e in ann.events if isinstance(e, RulesAgreed | RulesRefused)] == [ended]
    assert bob.page.is_asked


@pytest.mark.seat("--deal", CODE, "--bot-pause", "1")
async def test_being_asked_for_the_seat(at: At) -> None:
    """No key answers that by chance: it has to be typed in the chat."""
    at.press(*PASS)
    at.page.receive(SeatWanted(1, False, 60.0))
    line = "You are asked for your seat: /yield gives it up, /stay keeps it."
    await at.until(lambda sight: sight.prompt == line)
    asked = "Moe asks you to give up your seat to a computer, for good. Type /yield or /stay."
    assert asked in at.notices
    at.press("y", "n", "enter")
    at.press("/", *"/stay", "enter", "esc")
    assert at.commanded == ["/stay"]
    at.page.receive(SeatKept(0, "the player does not agree"))
    await at.until(lambda sight: sight.prompt != line)
    assert "You keep the seat: the player does not agree." in at.notices


@pytest.mark.parametrize("what", Abort)
async def test_what_all_break_off(what: Abort, made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = At(made, nursery, options=TWO)
    await ann.after()
    bob = At(made, nursery, name="Bob", options=None)
    await bob.asked()
    held = bob.sight.hand
    bob.press("right", " ")
    await ann.client.propose_abort(what)
    sight = await bob.until(lambda sight: "Abandon" in sight.prompt)
    assert sight.prompt.startswith(f"Abandon this {what.value} and ")
    bob.press("y")
    await bob.until(lambda sight: sight.hand != held and bob.page.is_asked)
    assert not marked(bob.sight)
    assert bob.sight.hand_number == 1
    told = [type(e) for e in bob.events if isinstance(e, HandAborted | GameAborted)]
    assert told == [HandAborted, GameAborted][: 1 + (what is Abort.GAME)]


# A connection that is lost


@pytest.mark.house("--deal", CODE, "--bot-pause", "1")
async def test_a_lost_connection_and_coming_back(made: ClientHouse, nursery: trio.Nursery) -> None:
    at = At(made, nursery, life=lambda: 10**9, settings=QUICK)
    await at.asked()
    at.press(*PASS)
    before = await at.asked("you lead")
    await made.line.aclose()
    at.press("enter")
    sight = await at.until(lambda sight: "Connection lost" in sight.prompt)
    assert sight.prompt_ink is Ink.ALARM
    assert sight.left is None
    at.press("enter", "2", "c", "enter", "y", "n")
    sight = await at.asked("you lead")
    assert at.notices[-1] == "You are back."
    assert (sight.prompt, sight.left) == (before.prompt, 60)
    assert (sight.seats, names(sight.hand), sight.rows) == (
        (before.seats, names(before.hand), before.rows)
    )
    at.press("2", "c", "enter")
    await at.asked("follow spades")
    nursery.cancel_scope.cancel()
    assert sum(isinstance(event, ConnectionLost) for event in at.events) == 1


async def test_a_whole_game_over_a_bad_line(tmp_path: Path, autojump_clock: object) -> None:
    """Each connection breaks somewhere; a computer plays the cards as soon as they are asked."""
    options = Options(ALONE.computers, end_score=10)
    async with house(tmp_path, "--bot-pause", "0.2") as made, trio.open_nursery() as nursery:
        at = At(made, nursery, options=options, settings=QUICK, life=lambda: 10**9)
        nursery.start_soon(break_often, made)
        while not at.page.is_over:
            sight = await at.until(lambda sight: at.page.is_asked or at.page.is_over)
            if "Mark three" in sight.prompt or "Enter passes" in sight.prompt:
                at.page.choosing.unmark()
                at.pass_first()
                if not at.sight.auto:
                    at.press("f")
            elif at.page.is_asked:
                at.press("n" if "Another" in sight.prompt else "f")
        assert sum(isinstance(event, CaughtUp) for event in at.events) > 3
        assert at.events[-1] == SessionEnded(complete=True)
        last = [event for event in at.events if isinstance(event, Scores)][-1]
        assert at.sight.totals == last.scores
        assert at.sight.winners == frozenset(last.winners)
        nursery.cancel_scope.cancel()


async def break_often(made: ClientHouse) -> None:
    """Break the connection again and again."""
    while True:
        await trio.sleep(1.7)
        await made.line.aclose()


async def test_a_vote_that_ended_meanwhile_is_not_asked_for(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    ann = At(made, nursery, options=TWO)
    await ann.after()
    bob = At(made, nursery, name="Bob", options=None, life=lambda: 10**9)
    await bob.asked()
    await ann.client.propose_rules(parse_rules("jack"), 50)
    await bob.until(lambda sight: "Shall" in sight.prompt)
    await made.line.aclose()
    await bob.until(lambda sight: "Connection lost" in sight.prompt)
    sight = await bob.asked()
    assert "Mark three" in sight.prompt


async def test_the_server_goes_away(at: At) -> None:
    await at.client.aclose()
    at.page.receive(SessionEnded(complete=False))
    sight = await at.after()
    assert sight.prompt == "Nothing more happens here: Esc leaves."
    assert at.notices[-1] == "The server has ended the connection."
    assert (sight.left, sight.waited) == (None, None)


# The plain dialect says less


@pytest.mark.seat("--deal", CODE, "--bot-pause", "1", dialect=Dialect.PLAIN)
async def test_the_plain_dialect(at: At) -> None:
    at.press(*PASS)
    assert at.sight.prompt == "Waiting for the others."
    await at.asked("you lead")
    at.press("2", "c", "enter")
    sight = await at.asked("follow spades")
    assert [seat.name for seat in sight.seats] == ["You", "Moe", "Larry", "Curly"]
    assert sight.left is None or sight.left > 50
