"""A person at a real server, in virtual time: what is typed and what is seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.deal import commitment_notice, disclosure_notice, parse_deal_code
from hearts.game.rules import parse_rules
from hearts.session.messages import Options
from hearts.session.table_words import Introduction
from hearts_client.library.dialects import Dialect
from hearts_client.lines.person import Ending
from hearts_client.session.saved import SessionPlace

from .client_house import HOST, ClientHouse, house
from .terminal_seats import CODE, CUTTER, HUMAN, TerminalSeat, first_legal


@pytest.mark.house("--deal", CODE, "--bot-pause", "1")
async def test_a_hand_as_a_person_plays_it(made: ClientHouse, nursery: trio.Nursery) -> None:
    seat = TerminalSeat(made, nursery)
    asked = await seat.new_text()
    assert asked.endswith(
        """--- Hand 1: three cards go to the left, to Moe. ---
  1 2C   2 3C   3 4C   4 QC   5 KC
  6 3D   7 6D   8 9D   9 JD
 10 6S  11 9S  12 JS
 13 7H
Type the three cards for Moe, by name or by number. 60 seconds."""
    )
    assert await seat.type("AS KC 9") == "You do not hold AS."
    assert await seat.type("KC 4") == "Give 3 cards, not 2."
    question = "\n".join(asked.splitlines()[-5:])
    again = question.replace("60 seconds.", "About 60 seconds are left.")
    assert await seat.type("") == again
    assert await seat.type("KC 4 jd") == "You pass: KC QC JD, to Moe."
    await trio.sleep(1.5)
    assert await seat.new_text() == (
        """From Curly you receive: AD KD KS.
Hand: 2C 3C 4C   3D 6D 9D KD AD   6S 9S JS KS   7H

Trick 1. You lead.
Your turn. 60 seconds.
Hand: 2C 3C 4C   3D 6D 9D KD AD   6S 9S JS KS   7H
You can only play 2C: press Enter."""
    )
    assert await seat.type("7H") == (
        "You cannot play 7H now: the first lead must be the two of clubs."
    )
    assert await seat.type("2") == "There is no number 2; give 1 to 1 or a name."
    assert await seat.type("") == "You: 2C"
    assert await seat.type("3C") == ("It is not your turn to choose, so '3C' was ignored.")
    assert await seat.type("") == (
        "On the table: you 2C.\nIt is the turn of Moe, for 0 seconds now."
    )
    await trio.sleep(5.5)
    assert await seat.new_text() == (
        """Moe: KC
Larry: AC
Curly: AS
Larry takes trick 1.

Trick 2. Larry leads.
Larry: 10S
Curly: 7S
Your turn, spades were led. 60 seconds.
Hand: 3C 4C   3D 6D 9D KD AD   6S 9S JS KS   7H
You can play:
  1 6S   2 9S   3 JS   4 KS"""
    )
    assert await seat.type("3D") == (
        "You cannot play 3D now: spades were led, and you must follow suit."
    )
    assert await seat.type("/last") == (
        "Trick 1: you 2C, Moe KC, Larry AC, Curly AS.\nLarry takes it with no points."
    )
    assert await seat.type("/hand") == "Hand: 3C 4C   3D 6D 9D KD AD   6S 9S JS KS   7H"
    assert await seat.type("/scores") == "No hand is scored yet."
    assert await seat.type("/again") == (
        "/again is for a game against computers: hearts-client --solo"
    )
    assert await seat.type("/deal") == "There is no command /deal. /help lists them."
    assert await seat.type("/say hi") == "Not said: there is no chat at this table."
    assert await seat.type("/quit") == ""
    assert await seat.end() is Ending.LEFT


@pytest.mark.house("--deal", CODE)
async def test_hints(made: ClientHouse, nursery: trio.Nursery) -> None:
    seat = await TerminalSeat(made, nursery).settled()
    assert (await seat.type("/hint")).startswith("Pass ")
    await seat.type("KC 4 jd")
    assert await seat.type("/hint") == "Play 2C: it is the only card that you can play."
    assert (await seat.type("")).endswith("4 KS")
    assert (await seat.type("/hint")).startswith("Play ")
    seat.end_input()


@pytest.mark.parametrize("rules", ["standard", "moon=choice,rotate", "dump,bleed,pass=never"])
@pytest.mark.parametrize("introduction", [None, HUMAN, CUTTER])
async def test_a_whole_game(
    rules: str, introduction: Introduction | None, made: ClientHouse, nursery: trio.Nursery
) -> None:
    """In the plain dialect, and in the other one with and without cuts."""
    options = Options(frozenset({1, 2, 3}), parse_rules(rules), end_score=40)
    dialect = Dialect.PLAIN if introduction is None else Dialect.DEALER
    seat = TerminalSeat(
        made,
        nursery,
        options=options,
        answer=first_legal,
        dialect=dialect,
        introduction=introduction,
    )
    assert await seat.end() is Ending.OVER
    assert any(line.startswith("The game is over.") for line in seat.said)
    assert seat.said[-2:] == ["", "The session is over."]
    assert not any(line.startswith(("You cannot", "The server refuses")) for line in seat.said)
    hands = [line for line in seat.said if line.startswith("--- Hand")]
    deals = [line for line in seat.said if line.startswith("* ")]
    assert len(deals) == (0 if introduction is None else len(hands))
    cut, nobody = (", cut", "; nobody chose it") if introduction is CUTTER else ("", "")
    for number, line in enumerate(deals, 1):
        said = rf"\* Deal {number} \([0-9A-Z-]+{cut}\) checked: it is the one that was promised"
        assert re.fullmatch(f"{said}{nobody}\\.", line)


@pytest.mark.house("--deal", CODE)
async def test_the_clock_plays_and_hurries(made: ClientHouse, nursery: trio.Nursery) -> None:
    options = Options(frozenset({1, 2, 3}), turn_limit=30)
    seat = TerminalSeat(made, nursery, options=options)
    await trio.sleep(62)
    text = await seat.new_text()
    assert "5 seconds left." in text
    assert "Time is up. The server passes for you: " in text
    assert "Time is up. The server plays 2C for you." in text
    assert text.count("30 seconds.\n") == 2
    short = "* Time is short. If you choose in time, you have your full time again"
    assert f"{short} from the next hand on.\nYour turn, spades were led. 3 seconds." in text
    assert "Your turn" in await seat.type("")
    legal = next(line for line in reversed(seat.said) if line.startswith("  1 "))
    next_turn = await seat.type(legal.split()[1])
    assert ". 3 seconds." in next_turn
    assert short not in next_turn


@pytest.mark.house("--deal", CODE)
async def test_waiting_for_a_person(made: ClientHouse, nursery: trio.Nursery) -> None:
    ann = TerminalSeat(made, nursery, options=Options(frozenset({2, 3})))
    await trio.sleep(10)
    assert (await ann.new_text()).splitlines() == [
        "You are player 0. Waiting for the other players.",
        "Waiting for the others.",
    ]
    assert await ann.type("") == "Waiting for the others."
    assert await ann.type("/hand") == "You have no cards yet."
    bob = TerminalSeat(made, nursery, name="Bob", options=None)
    assert "On your left sits Bob, across Moe" in await ann.new_text()
    await ann.type("1 2 3")
    await bob.type("1 2 3")
    assert "Trick 1." in await ann.new_text()
    turns = [seat for seat in (ann, bob) if "Your turn" in "\n".join(seat.said)]
    assert len(turns) == 1
    other = bob if turns == [ann] else ann
    name = "Ann" if other is bob else "Bob"
    await other.new_text()
    await trio.sleep(7)
    assert await other.new_text() == f"Waiting for {name}."
    assert f"It is the turn of {name}, for 7 seconds now." in await other.type("")


def until_total(said: list[str]) -> Callable[[str], str | None]:
    """Answers as long as no hand is scored."""
    return lambda line: None if any("total" in each for each in said) else first_legal(line)


@pytest.mark.house("--deal", CODE, "--bot-pause", "1")
async def test_a_deal_to_play_again(made: ClientHouse, nursery: trio.Nursery) -> None:
    secret, said = parse_deal_code(CODE), list[str]()
    seat = TerminalSeat(made, nursery, solo=True, said=said, answer=until_total(said))
    await seat.new_text()
    assert (await seat.type("/again")) == (
        "No hand is finished yet, so there is none to play again."
    )
    for notice in (
        "deal 1 was nonsense",
        commitment_notice(1, secret),
        disclosure_notice(1, secret),
    ):
        seat.person.player_session.receive_chat(-1, notice)
    await trio.sleep(100)
    text = await seat.new_text()
    assert text.startswith("* deal 1 was nonsense\n")
    scores, _, rest = text.partition(f"* Deal 1 ({CODE}) checked: ")
    assert scores.splitlines()[-1].startswith("total")
    assert rest.startswith("it is the one that was promised; /again plays it again.\n\n--- Hand 2")
    assert await seat.type("/again") == ""
    assert await seat.end() is Ending.AGAIN
    assert seat.person.player_session.promises.last_deal == CODE


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.house("--deal", CODE)
async def test_the_last_deal_is_waited_for(
    told: bool, made: ClientHouse, nursery: trio.Nursery
) -> None:
    secret = parse_deal_code(CODE)
    options = Options(frozenset({1, 2, 3}), end_score=1)
    seat = TerminalSeat(made, nursery, answer=first_legal, options=options)
    seat.person.player_session.receive_chat(-1, commitment_notice(1, secret))
    await trio.testing.wait_all_tasks_blocked()
    assert seat.said[-1] == "The session is over."
    assert seat.ending is None
    if told:
        seat.person.player_session.receive_chat(-1, disclosure_notice(1, secret))
    await trio.sleep(1)
    assert seat.ending is (Ending.OVER if told else None)
    await trio.sleep(2)
    assert sum("never shown" in line for line in seat.said) == (not told)
    assert await seat.end() is Ending.OVER


async def test_no_chat_is_said_once_and_play_goes_on(tmp_path: Path) -> None:
    listener, *_ = await trio.open_tcp_listeners(0, host=HOST)
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    options = Options(frozenset({1, 2, 3}), end_score=200)
    place = SessionPlace(HOST, 7626, port, None)
    with trio.fail_after(20):
        async with house(tmp_path) as made, trio.open_nursery() as nursery:
            seat = TerminalSeat(made, nursery, place=place, answer=first_legal, options=options)
    why = f"cannot connect to {HOST}:{port}: Connection refused"
    assert [line for line in seat.said if "chat" in line] == [
        f"* There is no chat: {why}. The game goes on."
    ]
    assert seat.said[-1] == "The session is over."


@pytest.mark.house("--password", "fish")
async def test_the_table_is_closed(made: ClientHouse, nursery: trio.Nursery) -> None:
    seat = TerminalSeat(made, nursery)
    assert str(await seat.end()) == "the password is wrong or missing"
    assert seat.said == []
