"""A person at a real server in the dealer dialect: what more it tells, and may be asked."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts.session.messages import Options
from hearts.session.table_words import Introduction, PlayerKind
from hearts_client.library.dialects import Dialect

from .client_house import ClientHouse, house
from .terminal_seats import ALONE, CODE, DEALER, HUMAN, PersonAtDealer, TerminalSeat, first_legal


async def test_a_hand_as_in_the_plain_dialect(tmp_path: Path, autojump_clock: object) -> None:
    told: list[list[str]] = []
    for dialect in Dialect:
        settings = ("--deal", CODE, "--bot-pause", "1")
        folder = tmp_path / dialect.value
        async with house(folder, *settings) as made, trio.open_nursery() as nursery:
            seat = PersonAtDealer(
                made, nursery, dialect=dialect, introduction=None, answer=first_legal
            )
            await trio.sleep(80)
            await seat.type("/quit")
        end = next(n for n, line in enumerate(seat.said) if line.startswith("total"))
        told.append(seat.said[: end + 1])
    plain, dealer = told
    assert [line for line in dealer if not line.startswith("At the table")] == plain


@pytest.mark.house("--fill-after", "20")
async def test_the_table_forms(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = PersonAtDealer(made, nursery, options=None)
    assert (await ann.new_text()).splitlines() == [
        "You are player 0. Waiting for the other players.",
        "At the table so far: you. 3 seats are free. "
        "Computers take them in 20 seconds, unless somebody comes.",
        "Table 1, a public one. A game to 100 points, rules: standard, 60 seconds for each choice.",
        "Friends come with: hearts-client hearts.example --taunt-port 0",
        "It is in the Python package hearts-server. If the host serves a page, it is at "
        "http://hearts.example:7680/, unless its port is another.",
        "/start starts with computers at the free seats.",
    ]
    assert await ann.text_after(8) == ""
    TerminalSeat(made, nursery, name="Bob", options=None)
    assert await ann.new_text() == (
        "At the table so far: you and Bob. 2 seats are free. "
        "Computers take them in 12 seconds, unless somebody comes."
    )
    text = await ann.text_after(12)
    assert text.startswith("\nOn your left sits Bob, across Moe, on your right Larry.\n")
    assert "\nPlayed by a computer: Moe, Larry.\n" in text


async def test_who_the_others_are(made: ClientHouse, nursery: trio.Nursery) -> None:
    said = Introduction(PlayerKind.PROGRAM, 500, comment="I count cards\u202f* deal 1")
    two = Options(frozenset({3}))
    ann = await PersonAtDealer(made, nursery, options=two).settled()
    bob = PersonAtDealer(made, nursery, name="Bob", options=None, introduction=said)
    await ann.new_text()
    PersonAtDealer(made, nursery, name="Cleo", options=None)
    lines = (await ann.new_text()).splitlines()
    where = lines.index("On your left sits Bob, across Cleo, on your right Moe.")
    assert lines[where + 1] == ("Bob is a program, of level 500, and says: I count cards * deal 1")
    assert lines.count("Cleo is a person.") == 1
    await ann.type("1 2 3")
    assert await ann.text_after(7) == "Waiting for Bob and Cleo."
    assert await ann.type("") == "Waiting for Bob and Cleo."
    assert await ann.text_after(20) == ""
    await bob.type("1 2 3")
    assert await ann.text_after(7) == ""
    assert await ann.type("") == "Waiting for Cleo."


async def test_rules_for_the_next_game(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = PersonAtDealer(made, nursery, options=Options(frozenset({2, 3})))
    assert "There is no table yet" in await ann.type("/propose jack")
    bob = await PersonAtDealer(made, nursery, name="Bob", options=None).settled()
    await ann.new_text()
    assert await ann.type("/propose jack dump 50") == (
        "You propose for the next game: a game to 50 points, rules: jack,dump.\n"
        "The others have a minute to answer."
    )
    assert await bob.new_text() == (
        "Shall the next game be a game to 50 points, rules: jack,dump? Type /agree or /refuse."
    )
    assert await ann.type("/propose standard") == (
        "You propose for the next game: a game to 100 points, rules: standard.\n"
        "That was not done: there is a vote on other rules already."
    )
    assert await bob.type("/agree") == (
        "You agree.\nThe next game is a game to 50 points, rules: jack,dump."
    )
    assert await ann.new_text() == "The next game is a game to 50 points, rules: jack,dump."
    await ann.type("/propose mac2000")
    await bob.type("/refuse")
    assert await ann.new_text() == ("The rules stay as they are (Bob): a player does not agree.")
    assert await bob.type("/agree") == "Not said: nothing is proposed now."
    assert await bob.type("/propose jack") == (
        "That was not done: only player 0, Ann, may ask for it."
    )
    assert "A game ends at 1 to 10000 points" in await ann.type("/propose jack 20000")
    assert (await ann.type("/propose poker")).startswith("'poker' is no rule; ")
    assert (await ann.type("/propose")).startswith("Give rules, such as ")
    assert await ann.type("/abort nothing") == "Type hand or game."
    assert await ann.type("/abort") == (
        "You propose to abandon this hand.\nThe others have a minute to answer."
    )
    assert await bob.new_text() == ("Abandon this hand and deal again? Type /agree or /refuse.")
    told = await bob.type("/agree")
    assert told.startswith("You agree.\n")
    for lines in (told.splitlines(), (await ann.new_text()).splitlines()):
        broken = lines.index("All agree: this hand is abandoned and does not count.")
        assert any("which was abandoned, is the one" in line for line in lines)
        assert lines[broken:].count("--- Hand 1: three cards go to the left, to Moe. ---") < 2
        assert any(line.startswith("--- Hand 1: ") for line in lines[broken:])


async def test_rules_where_somebody_cannot_be_asked(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    ann = await PersonAtDealer(made, nursery, options=Options(frozenset({2, 3}))).settled()
    bob = await TerminalSeat(made, nursery, name="Bob", options=None).settled()
    await ann.new_text()
    why = "The rules stay as they are (Bob): a player cannot be asked."
    assert why in await ann.type("/propose jack")
    assert "That was not done: only player 0, Ann" in await bob.type("/open Moe")


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.house("--turn-limit", "30", "--grace", "40", "--bot-pause", "1", "--end-score", "500")
async def test_seats_that_change_hands(
    dialect: Dialect, made: ClientHouse, nursery: trio.Nursery
) -> None:
    """Bob goes away and is replaced; their seat is opened, and Cleo takes it."""
    ann = await PersonAtDealer(
        made, nursery, options=Options(frozenset({2, 3})), answer=first_legal
    ).settled()
    bob = PersonAtDealer(made, nursery, name="Bob", options=None)
    await ann.new_text()
    await ann.type("/replace bob")
    await ann.until("A computer takes the seat before the next hand, if its player agrees.")
    await bob.until("Ann asks you to give up your seat to a computer, for good.")
    assert (await ann.type("/replace Zoe")) == (
        "There is no player 'Zoe'; give a name or a number: 0 you, 1 Bob, 2 Moe, 3 Larry."
    )
    await bob.type("/quit")
    await bob.client.aclose()
    await ann.until("Bob has lost the connection.")
    await ann.until("A computer plays for Bob until Bob is back.")
    assert "You ask for a computer in place of Bob." in await ann.type("/replace 1")
    await ann.until("Curly, a computer, has the seat of Bob from now on.")
    rules = await ann.type("/rules")
    assert "Played by a computer: Curly, Moe, Larry." in rules

    await ann.type("/open curly")
    await ann.until("The seat of Curly is open for a person; Curly plays until one comes.")
    await ann.type("/open 1")
    await ann.until("That was not done: it is open, or its player cannot be asked")
    cleo = PersonAtDealer(
        made,
        nursery,
        name="Cleo",
        options=None,
        table="Table 1",
        dialect=dialect,
        introduction=HUMAN,
        answer=first_legal,
    )
    waiting = (await cleo.text_after(7)).splitlines()
    assert waiting[0] == "You are player 1. Waiting for the other players."
    if dialect is DEALER:
        assert waiting[1:] == ["The table is playing. You play from the next hand on."]
    who = "\nCleo is a person." if dialect is DEALER else ""
    await ann.until("Cleo has the seat of Curly from now on." + who)
    text = await cleo.until("total")
    assert "On your left sits Moe, across Larry, on your right Ann." in text
    assert "Played by a computer: Moe, Larry." in text
    assert "WARNING" not in text
    if dialect is DEALER:
        assert "--- Hand 1" not in text
        assert "so far" in "\n".join((await cleo.type("/scores")).splitlines()[:2])
    assert "WARNING" not in "\n".join(ann.said + cleo.said)


async def test_what_both_connections_tell_is_said_once(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    ann = await PersonAtDealer(made, nursery, options=ALONE).settled()
    made.notice("the server shuts down")
    assert await ann.new_text() == "* the server shuts down"
    ann.person.player_session.receive_chat(-1, "the server shuts down")
    assert await ann.new_text() == ""
    ann.person.player_session.receive_chat(-1, "the server shuts down")
    made.notice("the server shuts down")
    assert await ann.new_text() == "* the server shuts down"
