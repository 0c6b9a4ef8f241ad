"""Standings: what is counted, what is estimated, and that the estimates hold the truth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts_arena.numbers.estimates import estimate
from hearts_arena.numbers.points import points_over_blocks
from hearts_arena.numbers.standings import Standings, leaders_of, standings_of
from hearts_arena.numbers.tally import Tally
from hearts_arena.plan.results import Match, MatchResult, Seats
from hearts_arena.report.summary import leading

from .finishing_orders import ELO, ROTATIONS, matches, plan_of, result_of, tally_of, true_points
from .sittings import conduct_of, pace_of
from .small_tournaments import known, likely, pair, played
from .small_tournaments import tally_of as sums

TOURNAMENTS = 1000
BLOCKS = 6


def _tally(
    names: str, matches_per_block: int, played: Sequence[tuple[int, Seats, MatchResult]]
) -> Tally:
    tally = Tally(plan_of(names), matches_per_block)
    for block, seats, result in played:
        tally.add(Match(result.number, block, seats), result)
    return tally


def _two_against_two() -> Tally:
    return _tally(
        "AB",
        2,
        [
            (0, (0, 1, 0, 1), result_of(0, (0, 13, 2, 11))),
            (0, (1, 1, 0, 0), result_of(1, (4, 4, 4, 14))),
            (1, (0, 1, 0, 1), result_of(2, (26, 0, 0, 0))),
            (1, (1, 1, 0, 0), result_of(3, (20, 4, 1, 1))),
        ],
    )


# What is counted


def test_who_holds_two_seats_plays_two_games() -> None:
    first, second = standings_of(_two_against_two()).entrants
    assert (first.hands, first.games, second.hands, second.games) == (8, 8, 8, 8)
    assert first.entrant.name == "A"
    assert first.points_per_hand == estimate([20 / 4, 28 / 4])
    assert second.points_per_hand == estimate([32 / 4, 24 / 4])
    assert first.points_per_game == first.points_per_hand


def test_places_and_wins() -> None:
    first, second = standings_of(_two_against_two()).entrants
    assert first.places == (5, 1, 0, 2)
    assert second.places == (4, 0, 2, 2)
    assert (first.wins, first.shared_wins) == (5, 2)
    assert (second.wins, second.shared_wins) == (4, 4)
    assert first.average_place == estimate([(1 + 2 + 1 + 4) / 4, (4 + 1 + 1 + 1) / 4])
    assert second.wins_per_game == estimate([2 / 4, 2 / 4])


def test_seats_of_one_entrant_do_not_meet() -> None:
    table = standings_of(_two_against_two()).head_to_head
    # For each two seats of a table, and so twice for each seat.
    found = estimate([(20 - 32) * 2 / 8, (28 - 24) * 2 / 8])
    assert table[0][1] == replace(found, watched=True)
    assert table[1][0] == -known(table[0][1])
    assert (table[0][0], table[1][1]) == (None, None)


def test_one_against_three() -> None:
    seatings: list[Seats] = [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    played = [(0, seats, result_of(number, (20, 1, 2, 3))) for number, seats in enumerate(seatings)]
    standings = standings_of(_tally("AB", 4, played))
    first, second = standings.entrants
    assert (first.games, second.games) == (4, 12)
    assert known(first.points_per_hand).mean == 26 / 4
    assert known(second.points_per_hand).mean == 78 / 12
    assert known(standings.head_to_head[0][1]).mean == 0
    assert known(first.rating).mean == pytest.approx(0, abs=1e-9)


def test_several_hands_are_one_game() -> None:
    result = result_of(0, (26, 0, 0, 0), (0, 13, 5, 8))
    standings = standings_of(_tally("ABCD", 1, [(0, (3, 2, 1, 0), result)]))
    last = standings.entrants[0]
    assert (last.hands, last.games, standings.hands, standings.matches) == (2, 1, 2, 1)
    assert known(last.points_per_hand).mean == 4
    assert known(last.points_per_game).mean == 8
    assert known(standings.head_to_head[0][3]).mean == -9
    assert [entrant.entrant.name for entrant in standings.ranking] == ["B", "A", "C", "D"]


def test_the_rules_say_who_won() -> None:
    # A score of exactly the end may win, so the winner is before those with fewer points.
    exact = replace(result_of(0, (100, 30, 20, 20)), winners=(0,))
    standings = standings_of(_tally("ABCD", 1, [(0, (0, 1, 2, 3), exact)]))
    assert [entrant.places.index(1) + 1 for entrant in standings.entrants] == [1, 4, 2, 2]
    assert [entrant.wins for entrant in standings.entrants] == [1, 0, 0, 0]
    assert max(standings.entrants, key=lambda entrant: known(entrant.rating).mean).number == 0


def test_scores_that_were_wiped_out_are_no_points() -> None:
    result = replace(result_of(0, (10, 4, 6, 6)), scores=(0, 4, 6, 6), winners=(0,))
    first = standings_of(_tally("ABCD", 1, [(0, (0, 1, 2, 3), result)])).entrants[0]
    assert known(first.points_per_hand).mean == 10
    assert known(first.points_per_game).mean == 0


def test_conduct_and_times_are_those_of_all_matches() -> None:
    good, bad = conduct_of(choices=16), conduct_of(14, illegal=3, timeouts=2, crashes=1, stood_in=5)
    fast, slow = pace_of(0.5, 0.125), pace_of(4.0, 3.0)
    result = replace(
        result_of(0, (26, 0, 0, 0)), conduct=(good, bad, good, bad), pace=(fast, slow, fast, slow)
    )
    again = replace(result, number=1)
    seats: Seats = (0, 1, 0, 1)
    # No block is whole here.
    tally = _tally("AB", 3, [(0, seats, result), (1, seats, again)])
    first, second = standings_of(tally).entrants
    assert first.conduct == conduct_of(choices=64)
    assert second.conduct == conduct_of(56, illegal=12, timeouts=8, crashes=4, stood_in=20)
    assert (first.speed.per_choice, first.speed.per_hand) == (2 / 64, 0.5)
    assert (second.speed.per_hand, second.speed.slowest) == (4.0, 3.0)
    assert (first.points_per_hand, first.rating, first.hands) == (None, None, 0)
    assert tally.behaviours.points_so_far() == (13.0, 0.0)


def test_a_whole_tournament_of_one_direction_is_estimated_by_direction() -> None:
    for deals in (8, 9):
        plan = pair("simple", "random", deals=deals, seed=4)
        tally = sums(plan, played(plan))
        values = list(tally.differences(0, 1))
        cycle = 4 if deals == 8 else 1
        found = standings_of(tally)
        assert found.is_final
        wanted = estimate(values, cycle=cycle)
        assert found.head_to_head[0][1] == wanted
        assert known(found.entrants[1].behind).half_width == pytest.approx(wanted.half_width)


def test_who_leads_is_marked_only_where_one_may_look() -> None:
    plan = pair("simple", "random", deals=40, seed=4)
    tally = Tally(plan, 6)
    seen = []
    first = second = -1
    for match, result in played(plan):
        tally.add(match, result)
        (first, points, is_behind), (second, more, marked) = leaders_of(tally)
        assert points <= more
        assert not is_behind
        seen.append(marked)
        assert leading(("simple", "random"), leaders_of(tally)).endswith("*") == marked
    assert (first, second) == (0, 1)
    # It takes some blocks, and stays then.
    assert seen == sorted(seen)
    assert 4 * 6 < seen.index(True) < 20 * 6


def test_only_whole_blocks_are_estimated_from() -> None:
    tally = _two_against_two()
    before = standings_of(tally)
    tally.add(Match(9, 7, (0, 1, 0, 1)), result_of(9, (26, 0, 0, 0)))
    after = standings_of(tally)
    assert (before.blocks, before.matches, before.left_out, before.hands) == (2, 4, 0, 4)
    assert (after.blocks, after.matches, after.left_out, after.hands) == (2, 5, 1, 5)
    assert after.head_to_head == before.head_to_head
    assert [entrant.points_per_hand for entrant in after.entrants] == [
        entrant.points_per_hand for entrant in before.entrants
    ]


def test_nothing_was_played_yet() -> None:
    tally = Tally(plan_of("ABC"), 6)
    standings = standings_of(tally)
    assert [entrant.points_per_hand for entrant in standings.ranking] == [None] * 3
    assert standings.head_to_head == ((None,) * 3,) * 3
    assert (standings.blocks, standings.separated) == (0, False)
    assert points_over_blocks(tally) == ()
    assert tally.behaviours.points_so_far() == (None,) * 3


def test_entrants_that_never_met() -> None:
    played = []
    for number, (a, b) in enumerate([(0, 1), (0, 2)] * 3):
        points = (number, 3, 2 * number, 5)
        played.append((number // 2, (a, b, a, b), result_of(number, points)))
    standings = standings_of(_tally("ABC", 2, played))
    assert standings.head_to_head[1][2] is None
    assert known(standings.head_to_head[0][2]).blocks == 3
    # On the same deals they can be compared all the same.
    assert standings.entrants[2].behind is not None
    leader = standings.ranking[0]
    assert (known(leader.behind).mean, known(leader.behind).se) == (0, 0)


def test_what_is_no_result_of_the_plan() -> None:
    tally = _two_against_two()
    seats: Seats = (0, 1, 0, 1)
    with pytest.raises(ValueError, match="result 5 is not that of match 4"):
        tally.add(Match(4, 2, seats), result_of(5, (26, 0, 0, 0)))
    for block in (-1, 100):
        with pytest.raises(ValueError, match=f"no block {block}"):
            tally.add(Match(4, block, seats), result_of(4, (26, 0, 0, 0)))
    with pytest.raises(ValueError, match="block 1 has had all its matches"):
        tally.add(Match(3, 1, seats), result_of(3, (26, 0, 0, 0)))
    assert tally.matches == 4


# What is estimated


@given(st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(luck: random.Random) -> None:
    plan = plan_of(deals=9)
    played = [
        (
            match,
            replace(
                result,
                pace=(pace_of(0.1, 0.01), pace_of(0.7, 0.2), pace_of(0.3), pace_of(1e-7)),
            ),
        )
        for match, result in matches(9, random.Random(1), shared=0.5)
    ]
    found: list[tuple[Standings, object]] = []
    for _ in range(2):
        tally = Tally(plan, len(ROTATIONS))
        for match, result in played[:-2]:
            tally.add(match, result)
        found.append((standings_of(tally), points_over_blocks(tally)))
        last = played[-2:]
        played = played[:-2]
        luck.shuffle(played)
        played += last
    assert found[0] == found[1]


def test_the_course_ends_where_the_standings_are() -> None:
    tally = tally_of(50, random.Random(2))
    moments = points_over_blocks(tally, steps=8)
    assert [moment.blocks for moment in moments] == [6, 12, 18, 25, 31, 37, 43, 50]
    for entrant, last in zip(
        standings_of(tally).entrants, moments[-1].points_per_hand, strict=True
    ):
        whole, last = known(entrant.points_per_hand), known(last)
        assert (last.mean, last.se) == pytest.approx((whole.mean, whole.se))
    assert [moment.blocks for moment in points_over_blocks(tally, steps=100)] == list(range(1, 51))
    assert known(points_over_blocks(tally)[0].points_per_hand[0]).se is None


def test_ratings_of_many_blocks_come_near_the_truth() -> None:
    standings = standings_of(tally_of(1500, random.Random(4)))
    ratings = [known(entrant.rating) for entrant in standings.entrants]
    assert [rating.mean for rating in ratings] == pytest.approx(ELO, abs=15)
    assert all(2 < (rating.half_width or 0) < 12 for rating in ratings)
    assert [rating.blocks for rating in ratings] == [1500] * 4


@pytest.mark.heavy
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Many small tournaments: too narrow intervals would miss the truth too often, and too wide
    ones too seldom."""
    luck = random.Random(7)
    points = true_points()
    missed: Counter[str] = Counter()
    for _ in range(TOURNAMENTS):
        standings = standings_of(tally_of(BLOCKS, luck))
        truths = {
            "best's points": (standings.entrants[0].points_per_hand, points[0]),
            "worst's points": (standings.entrants[3].points_per_hand, points[3]),
            "best against worst": (standings.head_to_head[0][3], points[0] - points[3]),
            "second against third": (standings.head_to_head[1][2], points[1] - points[2]),
            "best's rating": (standings.entrants[0].rating, ELO[0]),
            "third's rating": (standings.entrants[2].rating, ELO[2]),
        }
        for what, (found, truth) in truths.items():
            found = known(found)
            missed[what] += not known(found.low) <= truth <= known(found.high)
    assert len(missed) == 6
    few = likely(TOURNAMENTS, 0.05, 1e-4)
    assert all(count in few for count in missed.values()), missed
