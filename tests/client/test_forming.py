"""People at a table that forms: what they are told, how they start it, talk, and leave for good."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from hearts.game.rules import parse_rules
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options
from hearts_client.library.client import Client
from hearts_client.library.reach import Tls
from hearts_client.lines.person import Ending, Person
from hearts_client.session.saved import SessionPlace
from hearts_client.session.visit import TakenSeat
from hearts_client.words.style import Style

from .client_house import ClientHouse
from .terminal_seats import PersonAtDealer, TerminalSeat

JACK = Options(rules=parse_rules("jack"), end_score=50)


async def test_two_friends_start_with_computers(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = PersonAtDealer(made, nursery, table="club", options=JACK)
    assert (await ann.new_text()).splitlines() == [
        "You are player 0. Waiting for the other players.",
        "At the table so far: you. 3 seats are free.",
        "Table club, a private one. A game to 50 points, rules: jack, 60 seconds for each choice.",
        "the jack of diamonds counts 10 off your score",
        "It is new; you have opened it.",
        "Friends come with: hearts-client hearts.example --table club --taunt-port 0",
        "It is in the Python package hearts-server. If the host serves a page, it is at "
        "http://hearts.example:7680/#table=club, unless its port is another.",
        "/start starts with computers at the free seats.",
    ]
    bob = PersonAtDealer(made, nursery, name="Bob", table="club", options=None)
    lines = (await bob.new_text()).splitlines()
    assert "It is new; you have opened it." not in lines
    assert lines[-1] == "Ann can start with computers at the free seats."
    assert await ann.text_after(600) == "At the table so far: you and Bob. 2 seats are free."
    assert await bob.type("/start") == (
        "That was not done: only the player who opened the table may start it."
    )
    assert await ann.type("/say two more?") == "You say: two more?"
    assert await bob.new_text() == "Ann says: two more?"
    assert "On your left sits Bob, across Moe, on your right Larry." in await ann.type("/start")
    await bob.new_text()
    assert await bob.type("/start") == "The table has its players already."


async def test_the_next_one_may_start_it_if_the_opener_has_gone(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    ann = await PersonAtDealer(made, nursery, table="club", options=None).settled()
    bob = await PersonAtDealer(made, nursery, name="Bob", table="club", options=None).settled()
    await ann.type("/quit")
    await ann.client.aclose()
    assert (await bob.new_text()).splitlines() == [
        "At the table so far: you. 3 seats are free.",
        "/start starts with computers at the free seats.",
    ]
    assert "On your left sits Larry" in await bob.type("/start")


async def test_another_seat(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = await PersonAtDealer(made, nursery, table="club", options=None).settled()
    bob = await PersonAtDealer(made, nursery, name="Bob", table="club", options=None).settled()
    assert await bob.type("/seat") == "You ask for seat 2.\nYou are player 2 now."
    assert await bob.type("/seat 0") == (
        "That was not done: give the number of a free seat, 1 or 3."
    )
    assert await bob.type("/seat 3") == "You ask for seat 3.\nYou are player 3 now."
    assert bob.client.player == 3
    await ann.new_text()
    assert await ann.type("/seat 1") == (
        "That was not done: player 0 stays, because only that seat may ask for some things."
    )
    assert "on your right Bob" in await ann.type("/start")
    assert "On your left sits Ann" in await bob.new_text()
    assert await bob.type("/seat 1") == "The table has its players already."


async def test_a_guest_is_sent_away(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = await PersonAtDealer(made, nursery, table="club", options=None).settled()
    bob = await PersonAtDealer(made, nursery, name="Bob", table="club", options=None).settled()
    assert "only the player who opened the table may send" in await bob.type("/dismiss Ann")
    await ann.new_text()
    told = await ann.type("/dismiss Bob")
    assert "Table club-" in told
    assert "The guest is gone. The table has a new name" in told
    assert "It is new" not in told
    assert "has sent you away" in str(bob.ending)
    assert "no guest has that seat" in await ann.type("/dismiss 2")


async def test_an_invitation(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = PersonAtDealer(made, nursery, table="club", options=JACK)
    eve = PersonAtDealer(made, nursery, name="Eve", table="eve waits", options=None)
    for seat in (ann, eve):
        await seat.new_text()
    assert await ann.type("/players") == "Nobody is waiting to be invited."
    assert await eve.type("/come") == "Not said: nobody invites you now."
    assert (await eve.type("/wait")).startswith("Others may invite you now")
    listed = (await ann.type("/players")).splitlines()
    assert listed == [
        "  1  Eve, a person",
        "To invite one of these players type /invite and the number.",
    ]
    assert await ann.type("/invite Eve") == "That was not done: give a number of /players."
    assert await ann.type("/invite 7") == (
        "That was not done: that player cannot be invited now, or has not come to this table "
        "before."
    )
    assert await ann.type("/invite 1") == "The player has half a minute to answer."
    assert (await eve.new_text()).splitlines() == [
        "Ann invites you to the table club: a game to 50 points, rules: jack, 60 seconds for "
        "each choice.",
        "At that table: Ann. Type /come or /decline; you have half a minute.",
    ]
    lines = (await eve.type("/come")).splitlines()
    assert lines[:2] == ["Done: the player comes.", "You are player 1 now."]
    assert "At the table so far: Ann and you. 2 seats are free." in lines
    assert any(line.startswith("Table club, a private one.") for line in lines)
    assert "At the table so far: you and Eve. 2 seats are free." in await ann.new_text()
    assert "On your left sits Eve" in await ann.type("/start")
    assert eve.client.player == 1


async def test_leaving_for_good(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = await PersonAtDealer(made, nursery, options=Options(frozenset({2, 3}))).settled()
    bob = await PersonAtDealer(made, nursery, name="Bob", options=None).settled()
    assert "You leave for good." in await bob.type("/leave")
    assert bob.ending is Ending.LEFT
    assert bob.client.progress is None
    await ann.until("A computer plays for Bob until Bob is back.")


async def test_giving_up_a_seat_to_somebody_else(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = await PersonAtDealer(made, nursery, options=Options(frozenset({3}))).settled()
    bob = PersonAtDealer(made, nursery, name="Bob", options=None)
    cleo = PersonAtDealer(made, nursery, name="Cleo", options=None)
    for seat in (ann, bob, cleo):
        await seat.new_text()
    assert await bob.type("/yield") == "Not said: nobody asks for your seat now."
    await ann.type("/replace Bob")
    wanted = "Ann asks you to give up your seat to a computer, for good. Type /yield or /stay."
    assert wanted in await bob.new_text()
    assert "You keep the seat: the player does not agree." in await bob.type("/stay")
    assert "Bob keeps the seat: the player does not agree." in await ann.new_text()
    assert "has said no in this game" in await ann.type("/replace Bob")
    assert "The player has a minute" in await ann.type("/open Cleo")
    assert "to somebody else" in await cleo.new_text()
    assert "You give up your seat." in await cleo.type("/yield")
    assert cleo.ending is Ending.LEFT
    assert cleo.client.progress is None


async def test_a_plain_client_has_no_word_for_it(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = await TerminalSeat(made, nursery, table="club", options=None).settled()
    assert await ann.type("/start") == "That was not done: this server cannot do it."
    assert await ann.type("/say hello") == "Not said: there is no chat at this table."
    assert "/quit leaves" in await ann.type("/leave")
    assert await ann.type("/seat") == "That was not done: this server cannot do it."


@pytest.mark.parametrize(
    ("place", "table", "line"),
    [
        (SessionPlace("example.org", 7626, 7627, None), "", "example.org"),
        (
            SessionPlace("example.org", 8000, 8001, Tls()),
            "Ann's club",
            "example.org:8000 --table 'Ann'\"'\"'s club' --tls --taunt-port 8001",
        ),
        (SessionPlace("2001:db8::1", 8000, 7627, None), "", "'[2001:db8::1]:8000'"),
        # A name that means each one's own machine is of no use to friends.
        (SessionPlace("localhost", 7626, 0, None), "", "YOUR-ADDRESS --taunt-port 0"),
    ],
)
def test_the_line_for_friends_is_complete(place: SessionPlace, table: str, line: str) -> None:
    assert place.invite(table)[0] == f"hearts-client {line}"


async def test_a_person_is_told_that_the_server_is_silent(autojump_clock: object) -> None:
    stream, _ = trio.testing.memory_stream_pair()
    said: list[str] = []
    client = Client(stream, RegistrationRequest("Ann", 1))
    send, lines = trio.open_memory_channel[str](0)
    seat = TakenSeat(client, SessionPlace("hearts.example", 7626, 0, None))
    person = Person(seat, Style(ascii=True), said.append)
    with trio.move_on_after(60), send:
        await person.play(lines)
    assert said == ["* The server has not answered yet."]
