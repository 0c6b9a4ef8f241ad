"""Plans of every kind, and matches that are played by chance."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.events import Action, ChosenBy, Deal, HandScored
from hearts.game.game import Game, Phase
from hearts.game.scoring import Four
from hearts_arena.kept.moves import game_of, moves_of
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Entrant, Plan, PlayerLimits, Schedule
from hearts_arena.plan.results import NANOSECONDS, Conduct, MatchResult, TimeTaken
from hearts_arena.plan.schedules import match_of
from tests.game.games import ALL_RULES, play_by_chance

NAMES = ("Ann", "Zoë  B.", "<b>", "Moe", "Larry", "Curly")


def conduct_of(
    choices: int = 0, illegal: int = 0, timeouts: int = 0, crashes: int = 0, stood_in: int = 0
) -> Conduct:
    return Conduct(choices, illegal, timeouts, crashes, stood_in)


def pace_of(seconds: float = 0, slowest: float = 0) -> TimeTaken:
    return TimeTaken(round(seconds * NANOSECONDS), round(slowest * NANOSECONDS))


CALM = conduct_of(14)
QUICK = pace_of(0.25, 0.125)

limits = st.floats(0, 86_400) | st.sampled_from([0, 10])


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Any plan that is possible, with few entrants."""
    schedule = draw(st.sampled_from(Schedule))
    most = min(schedule.entrants[-1], len(NAMES))
    size = draw(st.integers(schedule.entrants[0], most))
    specs = st.sampled_from(["random", 'cmd:./bot "x" --port {port}', "module:Ünicode"])
    return Plan(
        entrants=tuple(Entrant(name, draw(specs)) for name in NAMES[:size]),
        schedule=schedule,
        deals=draw(st.integers(1, 9)),
        seed=draw(st.integers(0, 2**64 - 1)),
        rules=draw(ALL_RULES),
        hands=draw(st.none() | st.integers(1, 3)),
        end_score=draw(st.integers(1, 10_000)),
        directions=draw(st.booleans()),
        duplicate=draw(st.booleans()),
        move_limit=draw(limits),
        hand_limit=draw(limits),
        records=draw(st.booleans()),
        limits=draw(
            st.lists(st.builds(PlayerLimits, st.just(NAMES[0]), limits, limits), max_size=1).map(
                tuple
            )
        ),
        keeps_players=draw(st.booleans()),
    )


def plan_for(*specs: str, **fields: Any) -> Plan:
    entrants = tuple(Entrant(f"P{number}", spec) for number, spec in enumerate(specs))
    return Plan(entrants, **fields)


def plan_of(size: int = 2, **fields: Any) -> Plan:
    entrants = tuple(Entrant(name, "random") for name in NAMES[:size])
    return replace(Plan(entrants), **fields)


def play(
    plan: Plan, number: int, choose_by: Callable[[], ChosenBy] = lambda: ChosenBy.PLAYER
) -> MatchResult:
    """The result of a match that was played by chance, always the same, with its moves."""
    actions, points, game = sitting(plan, number, choose_by)
    return MatchResult(
        number,
        tuple(points),
        game.scores,
        game.winners or tuple(p for p in range(4) if game.scores[p] == min(game.scores)),
        (CALM, conduct_of(14, 1, 2, 3, 4), CALM, CALM),
        (QUICK, pace_of(86_400.5, 3.000000001), QUICK, pace_of()),
        moves_of(actions) if plan.records else "",
    )


def sitting(
    plan: Plan, number: int, choose_by: Callable[[], ChosenBy] = lambda: ChosenBy.PLAYER
) -> tuple[list[Action], list[Four], Game]:
    """What was played in the same match: all actions, the points of each hand, and the game."""
    match = match_of(plan, number)
    game = game_of(plan, match)
    hands = iter(range(10_000))
    actions: list[Action] = []
    points: list[Four] = []
    played = play_by_chance(
        game,
        random.Random(number),
        10_000 if plan.hands is None else plan.hands,
        lambda _: Deal.from_secret(secret(plan, match, next(hands))),
    )
    for action, events in played:
        actions.append(action if isinstance(action, Deal) else replace(action, by=choose_by()))
        points += [event.points for event in events if isinstance(event, HandScored)]
    assert game.phase in (Phase.DEAL, Phase.OVER)
    return actions, points, game
