"""Taking back, alone: what is undone, what comes again, and who may not."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import Fault
from hearts.game.cards import CARDS, Card, Suit, mask_of
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import AbortHand, ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.view import View, view_of
from hearts.table import inputs
from hearts.table.effects import AskBot, Decline, Effect, SendToAll, TakenBack, TellAgain
from hearts.table.inputs import Question, TakeBack
from hearts.table.seat import Kind
from tests.game.games import SEEDS, play_by_chance, rules_by
from tests.table.desk import HOLD, Desk
from tests.table.test_hidden_cards import END, Pair, RandomHand, Scene, swapped

ALONE = (Kind.CLIENT, Kind.COMPUTER, Kind.COMPUTER, Kind.COMPUTER)


def deals(seed: int = 0) -> list[Deal]:
    source = random.Random(seed)
    return [Deal.from_secret(source.randbytes(SECRET_BYTES)) for _ in range(60)]


def alone(
    rules: str = "standard", *, seed: int = 0, end: int = 100, deals_: Sequence[Deal] = ()
) -> Desk:
    """A person and three computers without a clock."""
    dealt = [*deals_, *deals(seed)]
    desk = Desk(rules, ALONE, limit=0, end=end, pause=60.0, deals=dealt).able(0)
    desk.answer_bots()
    return desk


def choose(desk: Desk, number: int = 0) -> None:
    """Make the choice of a number among those that the person has; the computers follow."""
    ((_, question),) = [asked for asked in desk.asked() if not asked[0]]
    desk.give(inputs.Chosen(0, choice(view_of(desk.table.game, 0), question, number)))
    desk.answer_bots()


def choice(view: View, question: Question, number: int) -> inputs.Choice:
    match question:
        case Question.CARD:
            return Play(0, view.legal_cards[number % len(view.legal_cards)])
        case Question.PASS:
            first = number % 11
            a, b, c = view.cards[first : first + 3]
            return Pass(0, (a, b, c))
        case Question.MOON:
            return ChooseMoon(0, bool(number % 2))
        case _:
            raise AssertionError(question)


def undo(desk: Desk, *, again: bool = False) -> list[Effect]:
    effects = desk.give(TakeBack(0, again))
    desk.answer_bots()
    return effects


def standing(desk: Desk) -> object:
    """All that follows from the steps of the game, and who is asked for what."""
    table = desk.table
    past, game = table.past, table.game
    told = [list(step) for step in past.replay_steps(0, 0)]
    marks = (TakenBack(-1),)
    plain = [item for step in told for item in step if item not in marks]
    return (
        list(past.game_actions),
        game.scores,
        game.phase,
        [view_of(game, player) for player in range(4)],
        desk.asked(),
        plain,
        past.hands_scored(),
        past.deals_over,
        past.decided(0, 0),
        table.commitment,
    )


def faults(effects: Sequence[Effect]) -> list[Fault]:
    return [effect.fault for effect in effects if isinstance(effect, Decline)]


def test_the_latest_choice_and_what_followed_it_are_undone() -> None:
    desk = alone(HOLD)
    choose(desk)
    before = standing(desk)
    choose(desk)
    assert standing(desk) != before
    effects = undo(desk)
    assert standing(desk) == before
    assert desk.lines[-1] == "take-back 0"
    assert SendToAll(TakenBack(0)) in effects
    assert TellAgain(0) in effects


def test_a_pass_is_taken_back_and_those_of_the_others_stay() -> None:
    desk = alone()
    asked = len(desk.all_of(AskBot))
    choose(desk)
    passes = [step for step in desk.table.past.game_actions if isinstance(step, Pass)]
    undo(desk)
    left = [step for step in desk.table.past.game_actions if isinstance(step, Pass)]
    assert left == [each for each in passes if each.player]
    assert [each.question for each in desk.all_of(AskBot)[:asked]] == [Question.PASS] * 3
    choose(desk)
    assert sum(each.question is Question.PASS for each in desk.all_of(AskBot)) == 3


def test_it_goes_across_the_end_of_a_hand_and_the_next_deal_stays() -> None:
    desk = alone(HOLD)
    for _ in range(13):
        choose(desk)
    assert desk.table.past.hands_scored() == 1
    deal = desk.table.past.game_actions[53]
    before = standing(desk)
    effects = undo(desk)
    assert SendToAll(TakenBack(1)) in effects
    assert desk.table.past.hands_scored() == 0
    undo(desk)
    choose(desk, 1)
    choose(desk)
    assert desk.table.past.hands_scored() == 1
    assert desk.table.past.game_actions[53] == deal
    undo(desk)
    undo(desk)
    undo(desk, again=True)
    assert not faults(desk.effects)
    choose(desk)
    assert standing(desk) != before


def test_what_was_taken_back_is_done_again_with_the_same_answers() -> None:
    desk = alone()
    for number in range(20):
        choose(desk, number)
    states = [standing(desk)]
    for _ in range(20):
        undo(desk)
        states.append(standing(desk))
    assert faults(undo(desk)) == [Fault.NOT_NOW]
    asked = len(desk.all_of(AskBot))
    for state in states[-2::-1]:
        undo(desk, again=True)
        assert standing(desk) == state
    assert faults(undo(desk, again=True)) == [Fault.NOT_NOW]
    assert len(desk.all_of(AskBot)) == asked, "no computer has thought again"


def test_who_is_quick_goes_back_as_often_as_they_say() -> None:
    desk = alone(HOLD)
    states = []
    for _ in range(4):
        states.append(standing(desk))
        choose(desk)
    desk.slow_store = True
    for state in (states[2], states[0]):
        desk.give(TakeBack(0))
        desk.give(TakeBack(0))
        while desk.pending:
            desk.durable()
        assert standing(desk) == state


@pytest.mark.parametrize("rules", ["standard", "jack,moon=choice", "pass=never,rotate"])
@given(
    seed=SEEDS,
    moves=st.lists(st.integers(-3, 8), min_size=1, max_size=60),
)
def test_any_plays_take_backs_and_redos_are_as_without_what_was_taken_back(
    rules: str, seed: int, moves: list[int]
) -> None:
    desk = alone(rules, seed=seed, end=10_000)
    kept: list[int] = []
    undone: list[int] = []
    for move in moves:
        if move >= 0:
            choose(desk, move)
            kept.append(move)
            undone.clear()
        elif move > -3 and kept:
            undo(desk)
            undone.append(kept.pop())
        elif move == -3 and undone:
            undo(desk, again=True)
            kept.append(undone.pop())
    plain = alone(rules, seed=seed, end=10_000)
    for move in kept:
        choose(plain, move)
    assert not faults(desk.effects)
    assert standing(desk) == standing(plain)
    assert (desk.table.past.takes_back > 0) == ("take-back 0" in desk.lines)
    again = Desk(rules, ALONE, limit=0, end=10_000, pause=60.0, stored=desk.lines)
    again.able(0).come_back(0)
    again.answer_bots()
    assert standing(again) == standing(desk)
    assert again.table.past.undone == desk.table.past.undone


def test_a_claim_is_one_choice_and_is_not_done_again() -> None:
    desk = alone("rotate,pass=never", deals_=[claimable()])
    choose(desk)
    before = standing(desk)
    desk.give(inputs.ClaimRest(0))
    desk.answer_bots()
    assert desk.table.past.hands_scored() == 1
    undo(desk)
    assert standing(desk) == before
    assert desk.table.rest.hand is None
    assert faults(undo(desk, again=True)) == [Fault.NOT_NOW]
    choose(desk)
    assert desk.table.past.hands_scored() == 0


def claimable() -> Deal:
    """Ann leads the ace of clubs and holds all spades but the two."""
    mine = [card for card in CARDS if card.suit is Suit.SPADES][1:]
    mine.append(Card.parse("AC"))
    others = [card for card in CARDS if card not in mine]
    return Deal((mask_of(mine), *(mask_of(others[n::3]) for n in range(3))))  # type: ignore[arg-type]


def test_a_hand_that_was_broken_off_is_the_limit() -> None:
    desk = alone(HOLD)
    for _ in range(14):
        choose(desk)
    desk.give(inputs.ProposeAbort(0, inputs.Abort.HAND))
    assert faults(undo(desk)) == [Fault.NOT_NOW]
    choose(desk)
    undo(desk)
    assert faults(undo(desk)) == [Fault.NOT_NOW]


def test_not_once_the_game_is_over_and_not_into_the_game_before() -> None:
    desk = alone(HOLD, end=1)
    for _ in range(13):
        choose(desk)
    assert faults(undo(desk)) == [Fault.NOT_NOW]
    desk.choose(0, Question.AGAIN)
    desk.answer_bots()
    assert faults(undo(desk)) == [Fault.NOT_NOW]


def test_not_where_somebody_else_has_had_a_seat_in_this_game() -> None:
    desk = alone(HOLD)
    desk.give(inputs.OpenSeat(0, 1))
    desk.give(inputs.TakeSeat(1, "Eve", 5))
    assert faults(undo(desk)) == [Fault.NOT_ALONE], "somebody waits for the seat"
    for _ in range(13):
        choose(desk)
    desk.give(inputs.Resign(1))
    desk.answer_bots()
    while desk.table.past.hands_scored() < 2:
        choose(desk)
    assert desk.table.past.seat_changes[1].kind is Kind.COMPUTER
    assert faults(undo(desk)) == [Fault.NOT_ALONE]


class AloneScene(Scene):
    """A table of one person without a clock, in a hand whose deals are given."""

    clock = 0


def test_hidden_cards_change_nothing_that_is_told() -> None:
    """A hand up to a moment, with cards exchanged that the person cannot know: both are told the
    same, whatever is taken back and done again."""
    told = 0
    for number in range(60):
        source = random.Random(number)
        rules = rules_by(source)
        done = [act for act, _ in play_by_chance(Game(rules, END), source, 1)]
        hand = RandomHand(rules, 0, done, seat := source.randrange(4))
        moment = source.randrange(5, len(done) - 8)
        swaps = hand.exchange(moment, source)
        if swaps is None:
            continue
        kinds = [Kind.CLIENT if player == seat else Kind.COMPUTER for player in range(4)]
        first, last = done[0], swapped(done[0], swaps, seat)
        assert isinstance(first, Deal)
        assert isinstance(last, Deal)
        pair = Pair(seat, *(AloneScene(rules, kinds, [deal]) for deal in (first, last)))
        for action in done[1:moment]:
            assert not isinstance(action, Deal | AbortHand)
            for scene, choice in zip(
                pair.scenes, (action, swapped(action, swaps, seat)), strict=True
            ):
                assert not isinstance(choice, Deal | AbortHand)
                scene.make(choice)
        for again in source.choices([False, False, True], k=12):
            for scene in pair.scenes:
                scene.give(TakeBack(seat, again))
            pair.check()
        told += pair.seen["TellAgain"]
    assert told > 100
