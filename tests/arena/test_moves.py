"""Moves: a short text from which the choices of any record come back, and nothing else."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.errors import CorruptRecord
from hearts.game.cards import cards_of
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Play
from hearts.game.game import Game, Phase
from hearts.game.record import Record, parse_record
from hearts.game.rules import parse_rules
from hearts_arena.deals import secret
from hearts_arena.moves import actions_of, moves_of
from hearts_arena.plan import Plan
from hearts_arena.results import Match
from hearts_arena.schedules import cycle_of, match_of

from .sittings import NAMES, plan_of, plans, play

FOUR = (NAMES[0], NAMES[1], NAMES[2], NAMES[3])


@settings(max_examples=50)
@given(plans(), st.integers(0, 99), st.integers())
def test_a_record_comes_back_from_its_moves(plan: Plan, place: int, seed: int) -> None:
    plan = plan_of(rules=plan.rules, hands=plan.hands, seed=plan.seed, deals=30, end_score=20)
    number = cycle_of(plan, place).start
    source = random.Random(seed)
    record = play(plan, number, lambda: source.choice(list(ChosenBy))).record
    parsed = parse_record(record)
    actions = tuple(actions_of(plan, match_of(plan, number), moves_of(record)))
    assert actions == parsed.actions
    assert str(Record(plan.rules, plan.game_end, parsed.names, actions)) == record


def test_a_hand_in_the_middle_of_a_round_of_directions() -> None:
    plan = plan_of(rules=parse_rules("rotate"))
    for number in range(4):
        record = play(plan, number).record
        actions = actions_of(plan, match_of(plan, number), moves_of(record))
        assert len(actions) == 1 + (0 if number == 3 else 4) + 52


def test_moves_are_short() -> None:
    result = play(plan_of(), 0)
    assert len(moves_of(result.record)) == 4 * 4 + 52
    assert len(result.record) > 700


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
    record = str(Record(MOON.rules, MOON.game_end, FOUR, tuple(actions)))
    assert actions_of(MOON, match, moves_of(record)) == actions


def test_a_moon_without_its_choice_is_no_end() -> None:
    match, actions = _moon()
    record = str(Record(MOON.rules, MOON.game_end, FOUR, tuple(actions)))
    with pytest.raises(CorruptRecord, match="hand 1 of match 102 has no end"):
        actions_of(MOON, match, moves_of(record))


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
    moves = moves_of(play(plan, 0).record)
    with pytest.raises(CorruptRecord, match=why):
        actions_of(plan, match_of(plan, 0), change(moves))


def test_the_moves_of_another_deal_do_not_fit() -> None:
    plan = plan_of()
    with pytest.raises(CorruptRecord):
        actions_of(plan_of(seed=2), match_of(plan, 0), moves_of(play(plan, 0).record))


@pytest.mark.parametrize("line", ["hello", "play 0 1C", "play 4 2C", "pass 0 2C 3C", "moon 0 all"])
def test_a_record_with_a_strange_line_has_no_moves(line: str) -> None:
    with pytest.raises(CorruptRecord, match=line):
        moves_of(play(plan_of(), 0).record + line + "\n")


@given(st.text("0123ABCXYZabcxyz+-!*~ ", max_size=90))
def test_any_text_gives_actions_or_an_error(moves: str) -> None:
    plan = plan_of()
    with pytest.raises(CorruptRecord):
        actions_of(plan, match_of(plan, 0), moves)
