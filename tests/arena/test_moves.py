"""Moves: a short text from which the choices of any record come back, and nothing else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import CorruptRecord
from hearts.game.cards import CARDS, cards_of
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import parse_rules
from hearts_arena.kept.moves import CARD_MOVES, actions_of, choice_of, move_of, moves_of
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match
from hearts_arena.plan.schedules import cycle_of, match_of

from .sittings import plan_of, plans, play, sitting


@given(plans(), st.integers(0, 99), st.integers())
def test_the_actions_come_back_from_their_moves(plan: Plan, place: int, seed: int) -> None:
    plan = plan_of(rules=plan.rules, hands=plan.hands, seed=plan.seed, deals=30, end_score=20)
    number = cycle_of(plan, place).start
    source = random.Random(seed)
    actions, _, _ = sitting(plan, number, lambda: source.choice(list(ChosenBy)))
    back = actions_of(plan, match_of(plan, number), moves_of(actions))
    assert [action for action in back if not isinstance(action, Pass)] == [
        action for action in actions if not isinstance(action, Pass)
    ]
    assert sorted(back, key=repr) == sorted(actions, key=repr)


def test_a_hand_in_the_middle_of_a_round_of_directions() -> None:
    plan = plan_of(rules=parse_rules("rotate"))
    for number in range(4):
        actions = actions_of(plan, match_of(plan, number), play(plan, number).moves)
        assert len(actions) == 1 + (0 if number == 3 else 4) + 52


def test_passes_stand_by_seats_whoever_was_first() -> None:
    actions, _, _ = sitting(plan_of(), 0)
    deal, a, b, c, d, *plays = actions
    assert moves_of([deal, c, a, d, b, *plays]) == moves_of(actions)


@given(st.sampled_from(ChosenBy), st.integers(0, 3), st.integers(0, 51), st.booleans())
def test_a_choice_comes_back_from_its_move(
    by: ChosenBy, player: int, card: int, on_others: bool
) -> None:
    cards = tuple(CARDS[(card + more) % 52] for more in (0, 7, 30))
    choices = Play(player, CARDS[card], by), Pass(player, cards, by)
    for choice in (*choices, ChooseMoon(player, on_others, by)):
        assert choice_of(move_of(choice), player) == choice
    assert CARD_MOVES[by][card] == move_of(choices[0])


@pytest.mark.parametrize("text", ["", "hello", "4ABC", "0AB", "A!!", "AB", "A ", "A\n"])
def test_no_other_text_is_a_choice(text: str) -> None:
    with pytest.raises(CorruptRecord, match="is no choice"):
        choice_of(text, 0)


MOON = plan_of(rules=parse_rules("pass=never,moon=choice"))


def _moon() -> tuple[Match, list[Action]]:
    """A hand in which player 1 takes all the points: nobody but player 2 plays high cards."""
    match = match_of(MOON, 102)
    game = Game(MOON.rules, MOON.game_end)
    actions: list[Action] = [Deal.from_secret(secret(MOON, match, 0))]
    game.apply(actions[0])
    while game.phase is Phase.PLAY:
        assert game.play is not None
        (player,) = game.waiting_for()
        cards = sorted(cards_of(game.play.legal()), key=lambda card: (card.rank, card))
        actions.append(Play(player, cards[-1 if player == 2 else 0]))
        game.apply(actions[-1])
    assert game.phase is Phase.MOON
    return match, actions


@pytest.mark.parametrize("on_others", [False, True])
@pytest.mark.parametrize("by", ChosenBy)
def test_a_moon_that_the_shooter_chose(on_others: bool, by: ChosenBy) -> None:
    match, actions = _moon()
    actions.append(ChooseMoon(1, on_others, by))
    assert actions_of(MOON, match, moves_of(actions)) == actions


def test_a_moon_without_its_choice_is_no_end() -> None:
    match, actions = _moon()
    with pytest.raises(CorruptRecord, match="hand 1 of match 102 has no end"):
        actions_of(MOON, match, moves_of(actions))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda moves: moves[:-1], "has no end"),
        (lambda moves: moves + "A", "more choices than a hand has"),
        (lambda moves: moves + "?", "'\\?' is no choice"),
        (lambda moves: moves[16:], "nobody was asked for|not on turn|more choices"),
        (lambda moves: "4" + moves[1:], "is no choice"),
        (lambda moves: moves[:-2] + moves[-1] * 2, "you do not hold that card|must follow"),
        (lambda moves: moves + " " + moves, "hand 2 of match 0"),
        (lambda moves: "", "has no end"),
    ],
)
def test_other_texts_are_refused(change: object, why: str) -> None:
    assert callable(change)
    plan = plan_of()
    moves = play(plan, 0).moves
    with pytest.raises(CorruptRecord, match=why):
        actions_of(plan, match_of(plan, 0), change(moves))


def test_the_moves_of_another_deal_do_not_fit() -> None:
    plan = plan_of()
    with pytest.raises(CorruptRecord):
        actions_of(plan_of(seed=2), match_of(plan, 0), play(plan, 0).moves)


@given(st.text("0123ABCXYZabcxyz+-!*~ ", max_size=90))
def test_any_text_gives_actions_or_an_error(moves: str) -> None:
    plan = plan_of()
    with pytest.raises(CorruptRecord):
        actions_of(plan, match_of(plan, 0), moves)
