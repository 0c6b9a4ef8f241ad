"""Matches that are played in process: the same game as a server's table plays."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game import events
from hearts.game.events import AbortHand, Action, ChosenBy, Deal, Play
from hearts.game.game import Game
from hearts.game.rules import PRESETS, STANDARD, Direction, Moon, Rules, parse_rules
from hearts.game.view import view_of
from hearts_arena.kept.moves import actions_of, game_of
from hearts_arena.plan.plan import Plan, Schedule
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.plan.schedules import matches
from hearts_arena.play.match_runner import MatchRunner, seeds_of
from hearts_arena.play.players import BadPlayer
from tests.game.games import ALL_RULES, SEEDS

from .own_bots import HERE, Diary
from .sittings import conduct_of, pace_of, plan_for

MATCH = Match(5, 2, (0, 1, 1, 0))


def run(plan: Plan, match: Match = MATCH) -> MatchResult:
    """Play a match; whoever raises lets the test fail."""

    def complain(entrant: int, text: str, is_crash: bool) -> None:
        assert not is_crash, f"entrant {entrant}: {text}"

    return MatchRunner(plan, complain).play(match)


def replayed(
    plan: Plan, result: MatchResult, match: Match = MATCH
) -> Iterator[tuple[Game, Action]]:
    """The game before each action of a match, each of which the rules allow."""
    game = game_of(plan, match)
    for action in actions_of(plan, match, result.moves):
        yield game, action
        game.apply(action)
    assert result.scores == game.scores
    assert result.points[-1] == game.points
    assert plan.hands or result.winners == game.winners


@given(rules=ALL_RULES, seed=SEEDS, first_hand=st.integers(0, 3), hands=st.sampled_from([1, 3]))
def test_every_choice_is_made_of_the_view_that_a_game_gives(
    rules: Rules, seed: int, first_hand: int, hands: int
) -> None:
    plan = plan_for(f"{HERE}:Diary", f"{HERE}:Diary", rules=rules, seed=seed, hands=hands)
    match = replace(MATCH, first_hand=first_hand)
    Diary.pages.clear()
    result = run(plan, match)
    seen = (page[1] for page in Diary.pages if page[0] in ("pass", "card", "moon"))
    for game, action in replayed(plan, result, match):
        if not isinstance(action, Deal | AbortHand):
            assert next(seen) == view_of(game, action.player)
    assert next(seen, None) is None
    assert len(result.points) == hands


@pytest.mark.parametrize("preset", [*PRESETS, "jack,moon=choice,rotate,notrick,pass=cycle3"])
@pytest.mark.parametrize("others", ["random", f"{HERE}:Wavering", f"{HERE}:Stubborn"])
def test_games_end_as_the_rules_say(preset: str, others: str) -> None:
    values = {"rules": parse_rules(preset), "hands": None, "end_score": 60}
    plan = plan_for("simple,blunder=0.5", others, **values)
    result = run(plan)
    assert list(replayed(plan, result))
    assert sum(map(sum, result.points)) == sum(result.scores) or preset == "windows93"


def test_a_number_of_hands_is_played_whatever_the_score() -> None:
    plan = plan_for("random", "simple", hands=20, end_score=30)
    result = run(plan)
    assert len(result.points) == 20
    assert result.scores == tuple(map(sum, zip(*result.points, strict=True)))
    assert max(result.scores) > 30
    assert result.winners == tuple(
        seat for seat in range(4) if result.scores[seat] == min(result.scores)
    )
    assert list(replayed(plan, result))


def test_who_ties_has_won_too() -> None:
    plan = plan_for("random", "simple")
    results = (run(plan, match) for match in islice(matches(plan), 200))
    tied = [result for result in results if len(result.winners) > 1]
    assert tied
    for result in tied:
        assert {result.scores[seat] for seat in result.winners} == {min(result.scores)}


def test_without_records_all_else_is_the_same() -> None:
    plan = plan_for("random", "simple")
    kept, not_kept = run(plan), run(replace(plan, records=False))
    assert kept.moves
    assert not not_kept.moves
    assert repeatable(not_kept) == repeatable(replace(kept, moves=""))


def repeatable(result: MatchResult) -> MatchResult:
    return replace(result, pace=(pace_of(),) * 4)


def test_a_match_follows_from_the_plan_and_its_number_alone() -> None:
    plan = plan_for("random", f"{HERE}:Gambler", "simple,blunder=0.5", f"{HERE}:Diary")
    plan = replace(plan, schedule=Schedule.CHALLENGE)
    some = list(islice(matches(plan), 30))

    def play(order: list[Match]) -> list[MatchResult]:
        runner = MatchRunner(plan, lambda entrant, text, is_crash: None)
        results = {match.number: repeatable(runner.play(match)) for match in order}
        return [results[match.number] for match in some]

    forwards = play(some)
    random.random()
    assert play(some[::-1]) == forwards
    assert [repeatable(run(plan, match)) for match in some] == forwards
    assert (
        play([replace(match, number=match.number + 100) for match in some[:1]] + some) == forwards
    )


def test_seats_have_seeds_of_their_own() -> None:
    plan = plan_for("random", "random")
    seeds = [seed for number in range(50) for seed in seeds_of(plan, replace(MATCH, number=number))]
    seeds += seeds_of(replace(plan, seed=2), MATCH)
    assert len(set(seeds)) == len(seeds) == 204
    assert seeds_of(plan, MATCH) == seeds_of(replace(plan, rules=Rules(jack=True)), MATCH)
    assert all(0 <= seed < 1 << 64 for seed in seeds)


def test_the_life_of_a_player() -> None:
    plan = plan_for(f"{HERE}:Diary", "simple", "random", hands=2)
    Diary.pages.clear()
    match = Match(3, 0, (2, 0, 1, 1))
    result = run(plan, match)
    actions = actions_of(plan, match, result.moves)
    kinds = [page[0] for page in Diary.pages]
    hand = ["pass", *["card", "trick"] * 13, "hand"]
    assert kinds == ["tournament", "game", *hand, *hand]
    assert Diary.pages[:2] == [("tournament", 3, 10_000), ("game", ("P2", "P0", "P1", "P1"), 1)]
    game = Game(plan.rules, plan.game_end)
    told = [event for action in actions for event in game.apply(action)]
    winners = [event.winner for event in told if isinstance(event, events.TrickTaken)]
    scored = [("hand", e.points, e.scores) for e in told if isinstance(e, events.HandScored)]
    tricks = [page for page in Diary.pages if page[0] == "trick"]
    assert [page[3] for page in tricks] == winners
    assert [page for page in Diary.pages if page[0] == "hand"] == scored
    cards = [action.card for action in actions if isinstance(action, Play)]
    assert [card for page in tricks for card in page[1]] == cards  # type: ignore[attr-defined]
    leaders = [cards.index(page[1][0]) for page in tricks[:13]]  # type: ignore[index]
    assert leaders == list(range(0, 52, 4))


def test_who_is_kept_hears_of_the_tournament_once_and_of_each_game() -> None:
    plan = plan_for(f"{HERE}:Diary", f"{HERE}:Raises,where=card", keeps_players=True)
    Diary.pages.clear()
    crashes: list[bool] = []
    runner = MatchRunner(plan, lambda *fault: crashes.append(fault[2]))
    some = list(islice(matches(replace(plan, directions=False)), 3))
    results = [runner.play(match) for match in some]
    kinds = Counter(page[0] for page in Diary.pages)
    # One object for each of their two seats.
    assert (kinds["tournament"], kinds["game"], kinds["hand"]) == (2, 6, 6)
    # Who has raised is made anew for the next match.
    assert crashes == [True] * 6
    for match, result in zip(some, results, strict=True):
        assert result.conduct[match.seats.index(1)].crashes == 1


@pytest.mark.parametrize("where", ["tournament", "game", "pass", "card", "trick", "hand", "exit"])
def test_who_raises_is_replaced_and_harms_nobody_else(where: str) -> None:
    plan = plan_for(f"{HERE}:Raises,where={where}", "simple", hands=3)
    heard: list[tuple[int, str, bool]] = []
    runner = MatchRunner(plan, lambda *fault: heard.append(fault))
    match = Match(1, 0, (1, 0, 1, 1))
    result = runner.play(match)
    ((entrant, text, is_crash),) = heard
    assert (entrant, is_crash) == (0, True)
    assert ("SystemExit: enough" if where == "exit" else f"RuntimeError: no {where}") in text
    assert ("hand 1, trick" in text) == (where in ("card", "exit"))
    assert re.search(r"\(hand 1, .*deal \S+, match 1; ", text)
    asked = 3 * 14
    own = {"tournament": 0, "game": 0, "pass": 0, "card": 9, "exit": 9, "trick": 2, "hand": 14}
    conduct = result.conduct[1]
    assert (conduct.choices, conduct.crashes, conduct.timeouts) == (asked, 1, 0)
    actions = actions_of(plan, match, result.moves)
    made = [action for action in actions if action_of(action, 1)]
    assert conduct.stood_in == sum(action_of(action, 1) is ChosenBy.STAND_IN for action in made)
    assert asked - conduct.stood_in == own[where]
    assert {result.conduct[seat] for seat in (0, 2, 3)} == {conduct_of(asked)}


def action_of(action: Action, player: int) -> ChosenBy | None:
    """Who made an action of a player; None for those of others."""
    if isinstance(action, Deal | AbortHand) or action.player != player:
        return None
    return action.by


def test_who_raises_when_he_is_made_plays_nothing() -> None:
    plan = plan_for("simple", f"{HERE}:Raises,where=init")
    heard: list[int] = []
    result = MatchRunner(plan, lambda entrant, text, is_crash: heard.append(entrant)).play(MATCH)
    assert heard == [1, 1]
    assert result.conduct[1] == result.conduct[2] == conduct_of(14, crashes=1, stood_in=14)
    assert result.pace[1] == result.pace[2] == pace_of()
    assert result.points == run(plan_for("simple", "simple")).points


def test_dead_players_are_not_even_made() -> None:
    plan = plan_for("simple", f"{HERE}:DiesSometimes,share=1")
    runner = MatchRunner(plan, lambda entrant, text, is_crash: None)
    result = runner.play(MATCH, dead=frozenset({1, 2}))
    assert result.conduct[1] == result.conduct[2] == conduct_of(14, crashes=1, stood_in=14)
    assert result.conduct[0] == conduct_of(14)


def test_answers_that_the_rules_refuse() -> None:
    plan = plan_for(f"{HERE}:Stubborn", f"{HERE}:Wavering")
    result = run(plan)
    assert result.conduct[0] == result.conduct[3] == conduct_of(14, illegal=140, timeouts=14)
    assert result.conduct[1] == result.conduct[2] == conduct_of(14, illegal=13)
    actions = actions_of(plan, MATCH, result.moves)
    made = [action for action in actions if not isinstance(action, Deal | AbortHand)]
    marks = {(action.player, action.by) for action in made}
    assert marks == {
        (0, ChosenBy.CLOCK),
        (1, ChosenBy.PLAYER),
        (2, ChosenBy.PLAYER),
        (3, ChosenBy.CLOCK),
    }


def test_the_clock_chooses_like_the_simple_bot() -> None:
    stubborn = run(plan_for(f"{HERE}:Stubborn", "random"))
    simple = run(plan_for("simple", "random"))
    assert stubborn.points == simple.points
    assert stubborn.moves.replace("!", "") == simple.moves


def test_plain_numbers_are_cards_too() -> None:
    ints, plain = (run(plan_for(f"{HERE}:{name}", "random")) for name in ("Ints", "Plain"))
    assert repeatable(ints) == repeatable(plain)
    assert ints.conduct[0] == conduct_of(14)


def test_the_shooter_of_a_moon_is_asked() -> None:
    rules = Rules(moon=Moon.CHOICE)
    plan = plan_for("random", "simple,blunder=0.7", rules=rules, deals=10_000)
    runner = MatchRunner(plan, lambda entrant, text, is_crash: None)
    played = ((match, runner.play(match)) for match in matches(plan))
    match, result = next((match, result) for match, result in played if not result.moves.isalnum())
    passes = STANDARD.direction(match.first_hand) is not Direction.HOLD
    assert sorted(conduct.choices - passes for conduct in result.conduct) == [13, 13, 13, 14]
    assert list(replayed(plan, result, match))


def test_time_is_measured() -> None:
    result = run(plan_for("random", f"{HERE}:Does,what=sleep"))
    for seat in (1, 2):
        assert result.pace[seat].slowest >= 2_000_000
        assert result.pace[seat].whole >= 13 * 2_000_000
    for seat in (0, 3):
        assert 0 < result.pace[seat].slowest <= result.pace[seat].whole


def test_programs_on_the_wire_may_be_in_the_plan() -> None:
    plan = plan_for("random", "random", "cmd:./bot", "wire:7600")
    run(plan)
    with pytest.raises(BadPlayer):
        run(plan_for("random", "nobody"))


@given(ALL_RULES, st.integers(0, 99))
def test_whoever_needs_no_view_plays_as_with_one(rules: Rules, seed: int) -> None:
    with_views = plan_for(f"{HERE}:Diary", "simple", rules=rules, seed=seed)
    without = plan_for("random", "simple", rules=rules, seed=seed)
    assert run(without).moves == run(with_views).moves
