"""Results of a search: known positions, the last tricks solved, time, passes."""

from __future__ import annotations

import random
import sys
from collections import Counter
from types import CodeType

import pytest
from msgspec.structs import replace

from hearts.bots.levels import strong
from hearts.bots.passing import by_trouble
from hearts.bots.search.endgame import _begin
from hearts.bots.search.engine import PLAIN
from hearts.bots.search.playing import END, MOON, PLAYED, legal, pick, play
from hearts.bots.search.position import position_of, state_of
from hearts.bots.search.rollouts import most_trouble
from hearts.bots.search.search import SearchBot, Strength
from hearts.bots.search.settling import cost, settle
from hearts.bots.search.worlds import Worlds
from hearts.game.cards import POINTS_MASK, Card, cards_of, four, mask_of
from hearts.game.game import Phase
from hearts.game.kernel import HandPlay
from hearts.game.rules import STANDARD, Direction, Moon, Rules, parse_rules
from hearts.game.scoring import hand_points
from hearts.game.view import View
from tests.game.games import BLANK, deal_by

from .known_positions import KNOWN, KnownPosition
from .positions import late_view, views_by


def _search(worlds: int, **settings: object) -> SearchBot:
    strength = replace(Strength(worlds, 0), **settings)
    return SearchBot(PLAIN, random.Random(1).random, strength)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.why.replace(" ", "-"))
def test_known_position(known: KnownPosition) -> None:
    position = known.position()
    assert len(position.view.legal_cards) > 1
    card = _search(60).best_card(position)
    assert str(card) in known.right.split(), known.why


def test_there_are_enough_known_positions() -> None:
    assert len(KNOWN) >= 40
    assert len({known.why for known in KNOWN}) == len(KNOWN)


def _costs(play: HandPlay, rules: Rules) -> list[float]:
    """What the rest costs each player if everybody sees all cards: the kernel tries every card."""
    if play.over:
        points = hand_points(play.taken, rules, rules.moon is Moon.OTHERS)
        return [own - sum(points) / 4 for own in points]
    turn = play.turn
    best: list[float] = []
    # Of cards that cost the same the lowest counts, as the solver has it.
    for card in cards_of(play.legal()):
        later = play.copy()
        later.play(card)
        costs = _costs(later, rules)
        if not best or costs[turn] < best[turn]:
            best = costs
    return best


@pytest.mark.parametrize("rules", ["standard", "jack,notrick", "dump,moon=minus"])
def test_the_last_tricks_are_those_of_trying_everything(rules: str) -> None:
    _compare_with_trying_everything(parse_rules(rules), 44, 12)


@pytest.mark.heavy
@pytest.mark.parametrize("rules", ["standard", "jack,notrick", "dump,moon=minus"])
def test_the_last_four_tricks_are_those_of_trying_everything(rules: str) -> None:
    _compare_with_trying_everything(parse_rules(rules), 38, 6)


def _compare_with_trying_everything(rules: Rules, played: int, positions: int) -> None:
    for seed in range(positions):
        position = position_of(late_view(seed, played + seed % 4, rules))
        me = position.view.player
        world = next(iter(Worlds(position).all()))
        # The hands of one world are known, so that there is only this one.
        sure = replace(
            position,
            may_hold=tuple(0 if player == me else world[player] for player in range(4)),
        )
        found = _search(1, exact_cards=16).card_costs(sure)
        costs = {}
        for card in position.view.legal_cards:
            play = position.play_in(world)
            play.play(card)
            costs[card] = _costs(play, rules)[me]
        assert found == pytest.approx([costs[card] for card in sorted(costs)])


@pytest.mark.parametrize(
    ("most", "views"), [(100, 10), pytest.param(1000, 150, marks=pytest.mark.heavy)]
)
def test_no_choice_looks_at_more_positions_than_it_may(most: int, views: int) -> None:
    counts: Counter[CodeType] = Counter()
    worst = 0
    for seed in range(views):
        view = late_view(seed, 36, parse_rules("jack"))
        search = _search(2, exact_cards=16, positions=most)
        counts.clear()
        sys.setprofile(lambda frame, event, _: counts.update([frame.f_code] * (event == "call")))
        card = search.choose_card(view)
        sys.setprofile(None)
        worst = max(worst, counts[_begin.__code__])
        assert card in view.legal_cards
    # One more finds out that none is left.
    assert worst == most + 1


def test_a_hand_that_cannot_end_the_game_is_counted_as_such() -> None:
    source, sure = random.Random(9), 0
    for _ in range(12):
        for view, game in views_by(source):
            scores = four(source.randrange(-20, 100) for _ in range(4))
            if game.phase is Phase.PLAY and not state_of(view := replace(view, scores=scores))[END]:
                state = state_of(view)
                state[:4] = [game.hand(player) for player in range(4)]
                while state[PLAYED] < 52:
                    play(state, pick(state, legal(state)))
                settle(state)
                costs = [cost(state, player) for player in range(4)]
                state[END] = view.end_score
                assert costs == [cost(state, player) for player in range(4)]
                sure += max(scores) + 2 * state[MOON] >= view.end_score
    assert sure > 40


def test_a_moon_counts() -> None:
    position = _known("all points so far").position()
    assert min(_search(20, exact_cards=0).card_costs(position)) == pytest.approx(-19.5, abs=2.0)


def _known(begin: str) -> KnownPosition:
    return next(known for known in KNOWN if known.why.startswith(begin))


def test_time_ends_a_search_with_the_best_so_far() -> None:
    ticks: list[float] = []

    def clock() -> float:
        ticks.append(len(ticks))
        return ticks[-1]

    strength = Strength(worlds=1000, pass_worlds=0, seconds=3.0)
    search = SearchBot(PLAIN, random.Random(1).random, strength, clock)
    search.card_costs(_known("a low lead").position())
    assert len(ticks) == 4
    ticks.clear()
    search.seconds = 0.0
    search.card_costs(_known("a low lead").position())
    assert len(ticks) == 2


def test_the_end_of_the_game_counts() -> None:
    """A moon on the others would end the game: it is shot if that wins, and not else."""
    known = _known("the trick with the last heart makes the moon")
    winning, losing = (replace(known, scores=end) for end in ((80, 20, 10, 90), (80, 10, 70, 90)))
    assert _search(10).best_card(winning.position()) == Card.parse("AC")
    least = min(_search(10).card_costs(winning.position()))
    assert least < -19.5
    assert min(_search(10).card_costs(losing.position())) > least + 3


def test_a_pass_gets_rid_of_high_spades() -> None:
    bot = SearchBot(PLAIN, random.Random(1).random, Strength(10, 12, pass_pool=5))
    passed = bot.choose_pass(_pass_view("QS KS 3C 5C 7C 8D 9D 4D 3D 2H 4H 5H 6H"))
    assert Card.parse("QS") in passed
    assert Card.parse("KS") in passed


@pytest.mark.parametrize("rules", [STANDARD, Rules(jack=True)])
def test_the_others_pass_by_rule(rules: Rules) -> None:
    source = random.Random(2)
    for hand in (hand for _ in range(300) for hand in deal_by(source).hands):
        ranked = by_trouble(hand, rules)
        for many in (3, 7):
            assert most_trouble(hand, many, rules.jack) == mask_of(ranked[:many])


def _pass_view(hand: str) -> View:
    mask = sum(1 << Card.parse(word) for word in hand.split())
    return replace(BLANK, direction=Direction.LEFT, hand=mask)


@pytest.mark.parametrize(
    ("scores", "on_others"),
    [
        ((0, 0, 27, 0), False),
        ((0, 0, 26, 0), True),
        ((80, 20, 10, 90), True),
        ((80, 10, 70, 90), False),
    ],
)
def test_a_moon_is_counted_where_it_wins_more(
    scores: tuple[int, int, int, int], on_others: bool
) -> None:
    view = replace(
        _pass_view("2C"), hand=0, scores=scores, rules=parse_rules("moon=choice"), player=2,
        taken=(0, 0, POINTS_MASK, 0),
    )  # fmt: skip
    bot = strong(random.random)
    assert isinstance(bot, SearchBot)
    assert bot.choose_moon(view) is on_others
