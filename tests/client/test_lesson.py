"""The guided first hand, line by line; and that nothing is kept of it."""

from __future__ import annotations

from pathlib import Path

import trio

from hearts.game.cards import Card
from hearts_client.lines.person import Ending
from hearts_client.session.visit import lesson_visit
from hearts_client.words.lesson import lesson
from tests.vectors.lesson_lines import lines

from .client_house import house
from .terminal_seats import TerminalSeat

ORDERED = ("--deal", lesson().deal, "--computers", "swift", "--computer-names", "Moe,Larry,Curly")


async def test_each_text_is_said_line_by_line_and_the_hand_is_the_end(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    line = lines()[0]
    passed = " ".join(str(Card.from_wire(wire)) for wire in line.passes[0])
    cards = iter(line.own)

    def answer(said: str) -> str | None:
        if said.startswith("Type the three cards"):
            return passed
        if said.startswith(("You can play:", "You can only play")):
            return str(Card.from_wire(next(cards)))
        return None

    async with house(tmp_path, *ORDERED) as made, trio.open_nursery() as nursery:
        seat = TerminalSeat(made, nursery, solo=True, answer=answer, is_lesson=True)
        await seat.end()
    texts = [text for _, some in line.said for text in some]
    said = "\n".join(seat.said)
    assert sum(text[:30] in said for text in texts) >= len(texts) - 2
    assert "The next hand passes to the right" in said
    assert seat.ending is Ending.OVER


async def test_an_unwise_card_is_played_when_it_is_said_again(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    asked: list[str] = []

    def answer(said: str) -> str | None:
        asked.append(said)
        if said.startswith("Type the three cards") or "would probably cost" in said:
            return "3H 4H 7D"
        return None

    async with house(tmp_path, *ORDERED) as made, trio.open_nursery() as nursery:
        seat = TerminalSeat(made, nursery, solo=True, answer=answer, is_lesson=True)
        with trio.move_on_after(60):
            await seat.end()
        nursery.cancel_scope.cancel()
    doubts = [said for said in asked if "would probably cost you more. Pass" in said]
    assert len(doubts) == 1
    assert doubts[0].endswith("Say it once more to do it all the same.")
    assert any("passed you" in said for said in asked)


def test_a_lesson_has_its_deal_and_no_clock() -> None:
    visit = lesson_visit("Ann")
    assert (visit.deal, visit.computers.turn_limit) == (lesson().deal, 0)
    assert visit.place.solo
    assert visit.saved is None
