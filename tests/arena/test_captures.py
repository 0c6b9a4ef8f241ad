"""Who took queen, jack and moon: against a slower count, in results, in reports and by deal."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from msgspec.structs import replace

from hearts.game.cards import JACK_OF_DIAMONDS, POINTS_MASK, QUEEN_OF_SPADES, cards_of
from hearts.game.deal import parse_deal_code
from hearts.game.events import Action, Deal, Play, TrickTaken
from hearts.game.record import hands_of
from hearts_arena.kept.captures import TRIED, Captures, captures_of, read_captures
from hearts_arena.kept.moves import actions_of, game_of
from hearts_arena.numbers.by_deal import deal_results
from hearts_arena.numbers.points import PointsSums
from hearts_arena.numbers.standings import standings_of
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.report.export import write_csv

from .small_tournaments import known, pair, played, tally_of

Tournament = tuple[Plan, list[tuple[Match, MatchResult]]]


@pytest.fixture(scope="module")
def tournament() -> Tournament:
    """Blunderers, who come to all that can happen, with records."""
    plan = pair("random", "simple,blunder=0.5", deals=25, seed=3, directions=True)
    plan = replace(plan, records=True)
    return plan, list(played(plan))


def slowly(actions: list[Action], plan: Plan, match: Match) -> Captures:
    """The same by the events of the table's own game."""
    game = game_of(plan, match)
    trick: list[int] = []
    takers: dict[int, int] = {}
    before = (0, 0, 0, 0)
    holder = stopped = stopper = None
    for action in actions:
        if isinstance(action, Play):
            trick.append(action.card)
        for event in game.apply(action):
            if isinstance(event, TrickTaken):
                takers.update(dict.fromkeys(trick, event.winner))
                trick.clear()
                others = [seat for seat in range(4) if seat != event.winner and before[seat]]
                if event.points != before and len(others) == 1 and holder is None:
                    (holder,) = others
                    if before[holder] >= TRIED and not before[event.winner]:
                        stopped, stopper = holder, event.winner
                before = event.points
    hearts = {takers[card] for card in cards_of(POINTS_MASK)}
    return Captures(
        takers[QUEEN_OF_SPADES],
        takers[JACK_OF_DIAMONDS],
        hearts.pop() if len(hearts) == 1 else None,
        stopped,
        stopper,
    )


def test_what_is_kept_is_what_a_slow_count_finds(tournament: Tournament) -> None:
    plan, results = tournament
    stopped = shot = 0
    for match, result in results:
        actions = actions_of(plan, match, result.moves)
        assert isinstance(actions[0], Deal)
        found = read_captures(result.took)
        assert found == slowly(actions, plan, match)
        assert captures_of(hands_of(game_of(plan, match), actions)) == result.took
        stopped += found.stopped is not None
        shot += found.shot is not None
    assert stopped
    assert shot


def test_what_each_player_did_adds_up(tournament: Tournament) -> None:
    plan, results = tournament
    tally = tally_of(plan, results)
    standings = standings_of(tally)
    first, second = standings.entrants
    hands = len(results)
    assert first.deeds.hands == second.deeds.hands == 2 * hands
    assert first.deeds.queens + second.deeds.queens == hands
    assert first.deeds.jacks + second.deeds.jacks == hands
    texts = [read_captures(result.took) for _, result in results]
    made = sum(text.shot is not None for text in texts)
    assert first.deeds.moons_made + second.deeds.moons_made == made == sum(tally.moons())
    tried = first.deeds.moons_tried + second.deeds.moons_tried
    assert tried == made + first.deeds.moons_stopped + second.deeds.moons_stopped
    for standing in standings.entrants:
        assert [each.hands for each in standing.by_direction] == [2 * hands // 4] * 4
        points = sum(each.points for each in standing.by_direction)
        assert points / (2 * hands) == pytest.approx(known(standing.points_per_hand).mean)


def test_by_deal(tournament: Tournament, tmp_path: Path) -> None:
    plan, results = tournament
    tally = tally_of(plan, results[:-1])
    found = list(deal_results(tally))
    assert [result.block for result in found] == [block for block in range(24) for _ in range(2)]
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert one.more == pytest.approx(-other.more)
        assert (one.points_per_hand - other.points_per_hand) / 2 == pytest.approx(one.more)
    match, _ = results[found[6].first_match]
    assert match.block == found[6].block == 3
    assert parse_deal_code(found[6].deal) == secret(plan, match, 0)
    for standing in standings_of(tally).entrants:
        mine = sorted(
            (each.more for each in found if each.entrant == standing.number), reverse=True
        )
        assert [deal.more for deal in standing.costliest] == [more for more in mine if more > 0][:3]
    write_csv(tmp_path, standings_of(tally), tally, [])
    rows = list(csv.DictReader((tmp_path / "deals.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 48
    assert rows[0]["entrant"] == "A"
    assert float(rows[0]["more"]) == found[0].more


def test_one_moon_more_is_counted_where_moons_are_known() -> None:
    student, ours = PointsSums(2, 0), PointsSums(2, 26)
    for sums in (student, ours):
        for points in (78, 82, 74, 80) * 5:
            sums.add(points, 12, 0)
    narrow, wide = known(student.estimate()), known(ours.estimate())
    assert narrow.mean == wide.mean
    assert known(wide.half_width) > 3 * known(narrow.half_width)
    # After many blocks one moon is nothing, whether there were some or not.
    for sums in (student, ours):
        for number in range(4_000):
            sums.add(78 + number % 7 + 52 * (number % 50 == 0), 12, number % 50 == 0)
    narrow, wide = known(student.estimate()), known(ours.estimate())
    assert wide.half_width == pytest.approx(narrow.half_width, rel=0.01)


@pytest.mark.parametrize("text", ["", "2", "24", "20+", "20-1", "20+1-23", "20 "])
def test_what_says_not_who_took_what(text: str) -> None:
    with pytest.raises(ValueError, match="says not who took what"):
        read_captures(text)
