"""A person whose connection is lost, and one who ends the program and comes back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import trio

from hearts.session.messages import Options
from hearts_client.lines.person import Ending
from hearts_client.session.saved import read_all

from .client_house import ClientHouse, house
from .terminal_seats import CODE, PLACE, TerminalSeat, first_legal

LONG = 1_000_000


@pytest.mark.house("--deal", CODE, "--bot-pause", "1")
async def test_a_connection_that_is_lost_in_a_trick(
    made: ClientHouse, nursery: trio.Nursery
) -> None:
    seat = await TerminalSeat(made, nursery, life=lambda: LONG).settled()
    await seat.type("JD QC KC")
    await trio.sleep(4)
    await seat.type("2C")
    await trio.sleep(5.5)
    assert "Your turn, spades were led." in await seat.new_text()
    made.line.cut()
    lost, _, rest = (await seat.type("6S")).partition("\n")
    assert lost == "Connection lost. Your seat is kept; trying again (it broke)."
    assert rest == ""
    assert await seat.type("JS") == "There is no connection to the table at the moment."
    assert await seat.type("") == "There is no connection to the table at the moment."
    await trio.sleep(0.5)
    hand = "Hand: 3C 4C   3D 6D 9D KD AD   6S 9S JS KS   7H"
    assert (
        await seat.new_text()
        == f"""
You are back.
--- Hand 1, trick 2 ---
{hand}
On the table: Larry 10S, Curly 7S.
Your turn, spades were led. 60 seconds.
{hand}
You can play:
  1 6S   2 9S   3 JS   4 KS"""
    )
    assert await seat.type("/last") == (
        "Trick 1: you 2C, Moe KC, Larry AC, Curly AS.\nLarry takes it with no points."
    )
    assert await seat.type("6S") == "You: 6S"


async def test_the_program_ends_and_another_one_goes_on(tmp_path: Path) -> None:
    """In real time, for files are written by threads, which virtual time does not wait for."""
    folder = tmp_path / "saved"
    second_hand = trio.Event()

    def answer(line: str) -> str | None:
        if line.startswith("--- Hand 2"):
            second_hand.set()
        return None if second_hand.is_set() else first_legal(line)

    arguments = ("--deal", CODE, "--end-score", "60")
    with trio.fail_after(30):
        async with house(tmp_path / "server", *arguments) as made, trio.open_nursery() as nursery:
            first = TerminalSeat(made, nursery, answer=answer, sessions=folder)
            await second_hand.wait()
            await first.type("/quit")
            assert await first.end() is Ending.LEFT
            await first.client.aclose()
            (saved,) = read_all(folder)[0]
            assert saved.place == PLACE
            assert saved.progress.hands == 1
            second = TerminalSeat(
                made,
                nursery,
                answer=first_legal,
                come_back=saved.progress,
                sessions=folder,
                saved=saved,
            )
            assert await second.end() is Ending.OVER
    totals = next(line for line in first.said if line.startswith("total"))
    numbers = " ".join(totals.split()[1:])
    text = re.sub(" +", " ", "\n".join(second.said))
    assert (
        f"""You are back.
 You Moe Larry Curly
hand 1 {numbers}
total {numbers}
--- Hand 2 ---
Hand: """
        in text
    )
    assert read_all(folder) == ([], [])


@pytest.mark.house("--deal", CODE, "--grace", "50")
async def test_the_clock_plays_for_who_is_away(made: ClientHouse, nursery: trio.Nursery) -> None:
    """Two people; while one is away the clock passes and plays for them."""
    options = Options(frozenset({2, 3}), turn_limit=15)
    ann = await TerminalSeat(made, nursery, options=options).settled()
    bob = TerminalSeat(made, nursery, name="Bob", options=None, answer=first_legal)
    await trio.sleep(1)
    progress = ann.client.progress
    assert progress is not None
    await ann.type("/quit")
    await ann.client.aclose()
    await trio.sleep(20)
    assert "Trick 1" in await bob.new_text()
    ann = TerminalSeat(made, nursery, come_back=progress)
    text = await ann.new_text()
    assert "Time is up" not in text
    assert re.search(r"^--- Hand 1, trick \d+ ---$", text, re.M)
    assert text.count("You are back.") == 1
    assert ". 15 seconds." in text
