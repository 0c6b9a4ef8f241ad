"""Computers that search: a table with a thinker, which answers, or does not, or too late."""

from __future__ import annotations

from collections.abc import Callable

from hearts.bots import RandomBot
from hearts.game.cards import Card, by_wire, cards_of, mask_of
from hearts.game.events import ChosenBy, Pass
from hearts.game.view import View, view_of
from hearts.table.inputs import Choice, Question
from tests.table.desk import choice_for

from .desk import COMPUTER, PLAIN, TableDesk

PATIENCE = 2.0
Answered = Callable[[Choice | None], None]


class DeskThinker:
    """Thinks until the test answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, View, Answered]] = []
        self.is_full = False

    def think(self, question: Question, view: View, answered: Answered) -> float | None:
        if self.is_full:
            return None
        self.asked.append((question, view, answered))
        return PATIENCE


def passes(desk: TableDesk) -> dict[int, tuple[int, ...]]:
    """The cards that were passed so far, by player."""
    return {
        player: tuple(cards)
        for player, cards in enumerate(desk.table.game.passes)
        if cards is not None
    }


def own_pass(view: View) -> tuple[int, ...]:
    """What the bot of the seat passes."""
    choice = choice_for(Question.PASS, view, ChosenBy.COMPUTER)
    assert isinstance(choice, Pass)
    return choice.cards


def begun(thinker: DeskThinker) -> TableDesk:
    desk = TableDesk(dialects=(PLAIN, COMPUTER, COMPUTER, COMPUTER), thinker=thinker)
    desk.begin()
    return desk


def test_the_answer_of_the_thinker_is_the_choice() -> None:
    thinker = DeskThinker()
    desk = begun(thinker)
    assert [view.player for _, view, _ in thinker.asked] == [1, 2, 3]
    assert not passes(desk)
    _, view, answered = thinker.asked[1]
    highest = view.cards[:3]
    answered(Pass(2, highest, ChosenBy.COMPUTER))
    # Whoever sleeps until the table is due has to hear of it.
    assert desk.host.alarm.deadline <= desk.now
    desk.do_due()
    assert passes(desk) == {2: highest}


def test_a_computers_own_bot_chooses_when_the_thinker_cannot_or_takes_too_long() -> None:
    thinker = DeskThinker()
    desk = begun(thinker)
    (_, first, late), (_, second, dead), _ = thinker.asked
    dead(None)
    desk.do_due()
    assert passes(desk) == {2: own_pass(second)}
    desk.wait(PATIENCE - 0.1)
    assert set(passes(desk)) == {2}
    desk.wait(0.1)
    assert set(passes(desk)) == {1, 2, 3}
    assert passes(desk)[1] == own_pass(first)
    late(Pass(1, first.cards[-3:], ChosenBy.COMPUTER))
    dead(None)
    desk.do_due()
    assert passes(desk)[1] == own_pass(first)
    assert not desk.host.is_over


def test_a_thinker_that_has_enough_to_do_is_not_waited_for() -> None:
    thinker = DeskThinker()
    thinker.is_full = True
    assert set(passes(begun(thinker))) == {1, 2, 3}


def test_a_stand_in_does_not_search() -> None:
    thinker = DeskThinker()
    desk = TableDesk(dialects=(PLAIN, PLAIN, COMPUTER, COMPUTER), limit=0, thinker=thinker)
    desk.begin()
    desk.leave(0)
    desk.wait(desk.setting.grace)
    assert passes(desk).keys() == {0, 2, 3}
    assert {view.player for _, view, _ in thinker.asked} == {2, 3}


def test_computers_of_their_own_play_for_computers_and_stand_in_for_nobody() -> None:
    desk = TableDesk(
        dialects=(PLAIN, PLAIN, COMPUTER, COMPUTER),
        limit=0,
        computers=[RandomBot(lambda: 1 - 2**-53) for _ in range(4)],
    )
    desk.begin()
    desk.leave(0)
    desk.wait(desk.setting.grace)
    made = passes(desk)
    assert made.keys() == {0, 2, 3}
    for player, cards in made.items():
        # The stand-in passes the lowest cards, the others the last ones of the deck.
        before = view_of(desk.table.game, player).hand | mask_of(map(Card, cards))
        assert set(cards) == set(
            by_wire(before)[:3] if player == 0 else tuple(cards_of(before))[-3:]
        )


def test_an_answer_for_a_table_that_is_over_is_nothing() -> None:
    thinker = DeskThinker()
    desk = begun(thinker)
    desk.host.end("the host ended it")
    before = list(desk.store.lines)
    for _, view, answered in thinker.asked:
        answered(choice_for(Question.PASS, view, ChosenBy.COMPUTER))
    desk.do_due()
    assert desk.store.lines == before
    assert desk.host.due < 0
