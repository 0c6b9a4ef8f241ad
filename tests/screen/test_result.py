"""The result of hands, as the events of the session tell it."""

from __future__ import annotations

import pytest

from hearts.game.cards import QUEEN_OF_SPADES, Card, Suit
from hearts.game.events import CardPlayed, TrickTaken
from hearts.session.messages import Scores
from hearts_client.screen.pictures.sights import ResultSight

from .seats import CODE, At, drawn


def counted(at: At) -> list[set[Card]]:
    """The cards that count and that each player took in the latest hand."""
    taken: list[set[Card]] = [set(), set(), set(), set()]
    trick: list[Card] = []
    for event in at.events:
        match event:
            case CardPlayed(_, card):
                trick.append(card)
            case TrickTaken(winner):
                taken[winner] |= {c for c in trick if c.suit is Suit.HEARTS or c == QUEEN_OF_SPADES}
                trick = []
            case _:
                pass
    return taken


async def play_hand(at: At) -> ResultSight:
    """Pass the first cards, and let a computer play."""
    at.pass_first()
    at.press("f")
    sight = await at.until(lambda sight: sight.result is not None)
    assert sight.result is not None
    return sight.result


@pytest.mark.seat("--deal", CODE, "--turn-limit", "0", alone=True)
async def test_the_result_of_hands(at: At) -> None:
    first = await play_hand(at)
    taken = counted(at)
    assert [set(row.cards) for row in first.rows] == taken
    queen = next(player for player in range(4) if QUEEN_OF_SPADES in taken[player])
    at.page.table.par = (1, ["Hand 1: you took 3; it usually costs 4 +-2."])
    assert "it usually costs 4 +-2." in drawn(at.page)
    who = at.page.table.roster.title(queen)
    assert f"{who} took the queen of spades." in first.facts
    scores = [event.scores for event in at.events if isinstance(event, Scores)]
    assert tuple(row.gained for row in first.rows) == scores[0]
    assert first.scores == ((0, 0, 0, 0), scores[0])
    assert "Hand 1 is over." in drawn(at.page)
    assert who in drawn(at.page)
    # Another hand: what it added, the totals and the places.
    at.events.clear()
    at.press("enter")
    await at.asked("Mark three")
    assert at.sight.result is None
    second = await play_hand(at)
    assert "usually" not in drawn(at.page)
    assert [set(row.cards) for row in second.rows] == counted(at)
    (total,) = [event.scores for event in at.events if isinstance(event, Scores)]
    assert tuple(row.total for row in second.rows) == total
    assert second.scores == ((0, 0, 0, 0), scores[0], total)
    ranked = sorted(total)
    assert [row.place for row in second.rows] == [1 + ranked.index(each) for each in total]
