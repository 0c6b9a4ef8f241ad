"""A person at a real server in the dealer dialect: what it tells more, and what he may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from hearts.game.rules import parse_rules
from hearts.session.messages import Options
from hearts.session.table_words import Introduction, PlayerKind
from hearts_client.library.dialects import Dialect
from hearts_client.lines.person import Ending

from .house import House, house
from .test_person import ALONE, CODE, TerminalSeat, first_legal

DEALER = Dialect.DEALER
HUMAN = Introduction(PlayerKind.PERSON)
CUTTER = Introduction(PlayerKind.PERSON, cuts=True)


class At(TerminalSeat):
    """A person in the dealer dialect."""

    def __init__(self, made: House, nursery: trio.Nursery, **more: object) -> None:
        settings = {"dialect": DEALER, "introduction": HUMAN, **more}
        super().__init__(made, nursery, **settings)  # type: ignore[arg-type]

    async def text_after(self, seconds: float) -> str:
        await trio.sleep(seconds)
        return await self.new_text()

    async def until(self, text: str) -> str:
        """What is said up to such a text; the server may have something to store before."""
        heard = ""
        for _ in range(10_000):
            heard += "\n" + await self.text_after(0.1)
            if text in heard:
                return heard
        raise AssertionError(heard)


@pytest.mark.parametrize("rules", ["standard", "moon=choice,rotate", "dump,bleed,pass=never"])
@pytest.mark.parametrize("introduction", [HUMAN, CUTTER])
async def test_a_whole_game(
    rules: str, introduction: Introduction, tmp_path: Path, autojump_clock: object
) -> None:
    options = Options(frozenset({1, 2, 3}), parse_rules(rules), end_score=40)
    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        seat = At(made, nursery, options=options, answer=first_legal, introduction=introduction)
    assert seat.ending is Ending.OVER
    assert any(line.startswith("The game is over.") for line in seat.said)
    assert seat.said[-2:] == ["", "The session is over."]
    assert not any(line.startswith(("You cannot", "The server refuses")) for line in seat.said)
    hands = [line for line in seat.said if line.startswith("--- Hand")]
    deals = [line for line in seat.said if line.startswith("* ")]
    assert len(deals) == len(hands)
    for number, line in enumerate(deals, 1):
        assert line.startswith(f"* Deal {number} (")
        cuts = introduction is CUTTER
        assert (", cut) " in line) == cuts
        nobody = "; nobody chose it" if cuts else ""
        assert line.endswith(f" checked: it is the one that was promised{nobody}.")


async def test_a_hand_as_in_the_plain_dialect(tmp_path: Path, autojump_clock: object) -> None:
    told: list[list[str]] = []
    for dialect in Dialect:
        settings = ("--deal", CODE, "--bot-pause", "1")
        folder = tmp_path / dialect.value
        async with house(folder, *settings) as made, trio.open_nursery() as nursery:
            seat = At(made, nursery, dialect=dialect, introduction=None, answer=first_legal)
            await trio.sleep(80)
            await seat.type("/quit")
        end = next(n for n, line in enumerate(seat.said) if line.startswith("total"))
        told.append(seat.said[: end + 1])
    plain, dealer = told
    assert [line for line in dealer if not line.startswith("At the table")] == plain


async def test_the_table_forms(tmp_path: Path, autojump_clock: object) -> None:
    async with house(tmp_path, "--fill-after", "20") as made, trio.open_nursery() as nursery:
        ann = At(made, nursery, options=None)
        assert (await ann.new_text()).splitlines() == [
            "You are player 0. Waiting for the other players.",
            "At the table so far: you. 3 seats are free. "
            "Computers take them in 20 seconds, unless somebody comes.",
            "Table 1, a public one. A game to 100 points, rules: standard, 60 seconds for each "
            "choice.",
            "Friends come with: hearts-client hearts.example --taunt-port 0",
            "/start starts with computers at the free seats.",
        ]
        assert await ann.text_after(8) == ""
        bob = TerminalSeat(made, nursery, name="Bob", options=None)
        assert await ann.new_text() == (
            "At the table so far: you and Bob. 2 seats are free. "
            "Computers take them in 12 seconds, unless somebody comes."
        )
        text = await ann.text_after(12)
        assert text.startswith("\nOn your left sits Bob, across Moe, on your right Larry.\n")
        assert "\nPlayed by a computer: Moe, Larry.\n" in text
        await ann.type("/quit")
        await bob.type("/quit")


async def test_who_the_others_are(tmp_path: Path, autojump_clock: object) -> None:
    said = Introduction(PlayerKind.PROGRAM, 500, comment="I count cards\u202f* deal 1")
    two = Options(frozenset({3}))
    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        ann = At(made, nursery, options=two)
        await ann.new_text()
        bob = At(made, nursery, name="Bob", options=None, introduction=said)
        await ann.new_text()
        cleo = At(made, nursery, name="Cleo", options=None)
        lines = (await ann.new_text()).splitlines()
        where = lines.index("On your left sits Bob, across Cleo, on your right Moe.")
        assert lines[where + 1] == (
            "Bob is a program, of level 500, and says: I count cards * deal 1"
        )
        assert lines.count("Cleo is a person.") == 1
        await ann.type("1 2 3")
        assert await ann.text_after(7) == "Waiting for Bob and Cleo."
        assert await ann.type("") == "Waiting for Bob and Cleo."
        assert await ann.text_after(20) == ""
        await bob.type("1 2 3")
        assert await ann.text_after(7) == ""
        assert await ann.type("") == "Waiting for Cleo."
        for seat in (ann, bob, cleo):
            await seat.type("/quit")


async def test_rules_for_the_next_game(tmp_path: Path, autojump_clock: object) -> None:
    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        ann = At(made, nursery, options=Options(frozenset({2, 3})))
        assert "There is no table yet" in await ann.type("/propose jack")
        bob = At(made, nursery, name="Bob", options=None)
        await bob.new_text()
        await ann.new_text()
        assert await ann.type("/propose jack dump 50") == (
            "You propose for the next game: a game to 50 points, rules: jack,dump.\n"
            "The others are asked; they have a minute."
        )
        assert await bob.new_text() == (
            "Shall the next game be a game to 50 points, rules: jack,dump? Type /agree or /refuse."
        )
        assert await ann.type("/propose standard") == (
            "You propose for the next game: a game to 100 points, rules: standard.\n"
            "That is not done: other rules are being voted on already."
        )
        assert await bob.type("/agree") == (
            "You agree.\nThe next game is a game to 50 points, rules: jack,dump."
        )
        assert await ann.new_text() == "The next game is a game to 50 points, rules: jack,dump."
        await ann.type("/propose mac2000")
        await bob.type("/refuse")
        assert await ann.new_text() == (
            "The rules stay as they are (Bob): a player does not agree."
        )
        assert await bob.type("/agree") == "Not said: nothing is proposed now."
        assert await bob.type("/propose jack") == (
            "That is not done: only player 0, Ann, may ask for it."
        )
        assert "A game ends at 1 to 10000 points" in await ann.type("/propose jack 20000")
        assert (await ann.type("/propose poker")).startswith("'poker' is no rule; ")
        assert (await ann.type("/propose")).startswith("Give rules, such as ")
        assert await ann.type("/abort nothing") == "Type hand or game."
        assert await ann.type("/abort") == (
            "You propose to break this hand off.\nThe others are asked; they have a minute."
        )
        assert await bob.new_text() == (
            "Shall this hand be broken off, and dealt anew? Type /agree or /refuse."
        )
        told = await bob.type("/agree")
        assert told.startswith("You agree.\n")
        for lines in (told.splitlines(), (await ann.new_text()).splitlines()):
            broken = lines.index("All agree: this hand is broken off, and counts for nothing.")
            assert any("which was broken off, is the one" in line for line in lines)
            assert lines[broken:].count("--- Hand 1: three cards go to the left, to Moe. ---") < 2
            assert any(line.startswith("--- Hand 1: ") for line in lines[broken:])
        for seat in (ann, bob):
            await seat.type("/quit")


async def test_rules_where_somebody_cannot_be_asked(tmp_path: Path, autojump_clock: object) -> None:
    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        ann = At(made, nursery, options=Options(frozenset({2, 3})))
        await ann.new_text()
        bob = TerminalSeat(made, nursery, name="Bob", options=None)
        await bob.new_text()
        await ann.new_text()
        why = "The rules stay as they are (Bob): a player cannot be asked."
        assert why in await ann.type("/propose jack")
        assert "That is not done: only player 0, Ann" in await bob.type("/open Moe")
        for seat in (ann, bob):
            await seat.type("/quit")


async def test_the_plain_dialect_has_no_words_for_it(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        ann = TerminalSeat(made, nursery)
        await ann.new_text()
        assert await ann.type("/open Moe") == (
            "That is not done: the plain dialect has no words for that; use the dealer dialect."
        )
        await ann.type("/quit")


@pytest.mark.parametrize("dialect", Dialect)
async def test_seats_that_change_hands(
    dialect: Dialect, tmp_path: Path, autojump_clock: object
) -> None:
    """Bob goes away and is replaced; his seat is opened, and Cleo takes it."""
    slow = ("--turn-limit", "30", "--grace", "40", "--bot-pause", "1", "--end-score", "500")
    async with house(tmp_path, *slow) as made, trio.open_nursery() as nursery:
        ann = At(made, nursery, options=Options(frozenset({2, 3})), answer=first_legal)
        await ann.new_text()
        bob = At(made, nursery, name="Bob", options=None)
        await ann.new_text()
        await ann.type("/replace bob")
        await ann.until("A computer takes it before the next hand; who is there is asked.")
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
        await ann.until("The seat of Curly is open for a person; Curly plays on until one comes.")
        await ann.type("/open 1")
        await ann.until("That is not done: it is open, or its player cannot be asked")
        cleo = At(
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
            assert waiting[1:] == [
                "The table is playing. You have your seat when the hand is over."
            ]
        who = "\nCleo is a person." if dialect is DEALER else ""
        await ann.until("Cleo has the seat of Curly from now on." + who)
        text = await cleo.until("total")
        assert "On your left sits Moe, across Larry, on your right Ann." in text
        assert "Played by a computer: Moe, Larry." in text
        assert "WARNING" not in text
        if dialect is DEALER:
            assert "--- Hand 1" not in text
            assert "so far" in "\n".join((await cleo.type("/scores")).splitlines()[:2])
        for seat in (ann, cleo):
            assert "WARNING" not in "\n".join(seat.said)
            await seat.type("/quit")


async def test_what_both_connections_tell_is_said_once(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with house(tmp_path) as made, trio.open_nursery() as nursery:
        ann = At(made, nursery, options=ALONE)
        await ann.new_text()
        made.notice("the server shuts down")
        assert await ann.new_text() == "* the server shuts down"
        ann.person.player_session.hear_chat(-1, "the server shuts down")
        assert await ann.new_text() == ""
        ann.person.player_session.hear_chat(-1, "the server shuts down")
        made.notice("the server shuts down")
        assert await ann.new_text() == "* the server shuts down"
        await ann.type("/quit")
