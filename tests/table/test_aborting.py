"""A hand or a game that the players break off: who has to agree, and what is left of it."""

from __future__ import annotations

import pytest

from hearts.errors import CorruptRecord, Fault
from hearts.game.deal import commitment, disclosure_notice
from hearts.game.events import YourHand
from hearts.game.game import Phase
from hearts.table import effects
from hearts.table.inputs import Abort, Chosen, ProposeAbort, ProposeRules, Question
from tests.game.games import faults_of
from tests.table.desk import CLIENT, COMPUTER, HOLD, JACK, SECRET, Desk


def propose(desk: Desk, what: Abort) -> None:
    """Player 0 proposes to break something off."""
    desk.give(ProposeAbort(0, what))


def agree(desk: Desk, what: Abort) -> None:
    """Player 0 proposes to break something off, and all others agree."""
    propose(desk, what)
    desk.agree(1, 2, 3)


def a_hand_scored(rules: str = "standard", **settings: object) -> Desk:
    """A table with a few cards of its second hand on it."""
    desk = Desk(rules, **settings).able(0, 1, 2, 3)  # type: ignore[arg-type]
    desk.play_hand()
    for player, question in desk.asked():
        desk.choose(player, question)
    return desk


def test_the_hand_is_dealt_anew() -> None:
    desk = a_hand_scored()
    desk.play(6)
    game = desk.table.game
    scores, number, direction = game.scores, game.hand_number, game.direction
    agree(desk, Abort.HAND)
    assert [line.split()[0] for line in desk.lines[-2:]] == ["abort", "deal"]
    assert (game.scores, game.hand_number, game.direction) == (scores, number, direction)
    assert game.history == []
    assert faults_of(game) == []
    assert desk.asked() == [(player, Question.PASS) for player in range(4)]
    *_, disclosed, aborted, promised = desk.told_to_all(
        effects.DealDisclosed, effects.HandAborted, effects.DealPromised
    )
    assert disclosed == effects.DealDisclosed(2, SECRET, bytes(32))
    assert aborted == effects.HandAborted(2)
    assert promised == effects.DealPromised(3, commitment(SECRET))
    assert effects.Announce(disclosure_notice(2, SECRET)) in desk.all_of(effects.Announce)
    assert len(desk.all_of(effects.Restarted)) == 1
    desk.play_hand()
    assert desk.told_to_all(effects.DealDisclosed)[-1] == effects.DealDisclosed(
        3, SECRET, bytes(32)
    )
    assert desk.table.past.hands_scored() == 2
    assert desk.table.record().replay().scores == game.scores


def test_the_game_is_broken_off_and_another_one_begins_with_the_rules_agreed_on() -> None:
    desk = a_hand_scored()
    desk.give(ProposeRules(0, JACK, 50))
    desk.agree(1, 2, 3)
    desk.play(6)
    agree(desk, Abort.GAME)
    assert [line.split()[0] for line in desk.lines[-3:]] == ["abort", "abort-game", "deal"]
    game = desk.table.game
    assert (game.scores, game.hand_number, game.rules, game.end_score) == ((0,) * 4, 0, JACK, 50)
    *_, aborted, over, begun, promised = desk.told_to_all(
        effects.HandAborted, effects.GameAborted, effects.GameBegun, effects.DealPromised
    )
    assert (aborted, over) == (effects.HandAborted(2), effects.GameAborted())
    assert isinstance(begun, effects.GameBegun)
    assert begun.setting.rules == JACK
    assert promised == effects.DealPromised(3, commitment(SECRET))
    desk.play_hand()
    assert len(desk.table.record().actions) == 1 + 4 + 52 + 1, "and the next deal"


@pytest.mark.parametrize("what", Abort)
def test_a_table_is_taken_up_again_at_any_line(what: Abort) -> None:
    desk = a_hand_scored(pause=600)
    desk.play(6)
    before = len(desk.lines)
    agree(desk, what)
    play_on = len(desk.lines)
    desk.play_hand()
    for at in range(before, len(desk.lines) + 1):
        again = Desk(pause=600, stored=desk.lines[:at])
        again.come_back(0)
        if at == len(desk.lines):
            assert again.table.game.scores == desk.table.game.scores
            for player in range(4):
                for hands in range(-1, 3):
                    told = list(desk.table.past.replay(player, hands))
                    assert list(again.table.past.replay(player, hands)) == told
        elif at >= play_on:
            past = again.table.past
            assert past.deals_over == past.hands_scored() + 1
    with pytest.raises(CorruptRecord):
        Desk(pause=600, stored=[*desk.lines[:before], "abort-game"])
    with pytest.raises(CorruptRecord):
        Desk(pause=600, stored=["abort"])


def test_who_comes_back_hears_that_the_hand_is_no_more() -> None:
    desk = a_hand_scored()
    desk.play(6)
    agree(desk, Abort.HAND)
    first, second, third, *_ = desk.table.past.replay(1, 1)
    assert (first, second) == (effects.HandAborted(2), effects.DealPromised(3, commitment(SECRET)))
    assert isinstance(third, YourHand)
    first, *_ = desk.table.past.replay(1, -1)
    assert first == second
    desk.play_hand()
    assert next(iter(desk.table.past.replay(1, 1))) == effects.HandAborted(2), "it is packed now"


def test_a_choice_that_is_not_durable_yet_comes_first() -> None:
    desk = Desk(HOLD, slow_store=True).able(0, 1, 2, 3)
    desk.durable()
    on_turn = desk.on_turn
    choice = desk.choice(on_turn, Question.CARD)
    desk.give(Chosen(on_turn, choice))
    agree(desk, Abort.HAND)
    assert len(desk.pending) == 1
    desk.durable()
    assert list(desk.pending) == ["abort"]
    assert desk.asked() == [], "nobody chooses any more"
    assert desk.give(Chosen(1, desk.choice(1, Question.CARD))) == []
    desk.durable()
    assert desk.lines[-1] == "abort"
    assert desk.table.game.phase is Phase.DEAL
    desk.durable()
    assert desk.asked()


def test_a_hand_that_is_over_first_is_not_broken_off() -> None:
    desk = Desk(HOLD).able(0, 1, 2, 3)
    desk.play(51)
    propose(desk, Abort.HAND)
    desk.play(1)
    assert desk.told_to_all(effects.AbortRefused) == [effects.AbortRefused(-1, "it is over")]
    assert desk.agree(1) == []


def test_what_all_agree_to_can_be_over_before_it_is_done() -> None:
    desk = Desk(HOLD, end=1, slow_store=True).able(0, 1, 2, 3)
    desk.durable()
    for _ in range(51):
        desk.play(1)
        desk.durable()
    desk.play(1)
    agree(desk, Abort.GAME)
    desk.durable()
    assert desk.told_to_all(effects.AbortRefused) == [effects.AbortRefused(-1, "it is over")]
    assert list(desk.pending) == ["ask-again 0"]
    wish = ProposeAbort(0, Abort.GAME)
    assert desk.give(wish) == [effects.Decline(0, wish, Fault.NOT_NOW)]


def test_between_two_hands_the_next_one_goes_with_the_game() -> None:
    desk = Desk(HOLD, slow_store=True).able(0, 1, 2, 3)
    hand = ProposeAbort(0, Abort.HAND)
    assert desk.give(hand) == [effects.Decline(0, hand, Fault.NOT_NOW)]
    agree(desk, Abort.GAME)
    for _ in range(3):
        desk.durable()
    assert [line.split()[0] for line in desk.lines] == ["deal", "abort", "abort-game"]


def test_deals_that_are_broken_off_count_for_the_bound_of_a_session() -> None:
    desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER), most_hands=3).able(0)
    for _ in range(3):
        assert not desk.table.ended
        propose(desk, Abort.HAND)
    assert [effect.why for effect in desk.all_of(effects.Ended)] == [
        "a session has at most 3 hands here"
    ]
