"""What a search finds: known positions, the last tricks solved, its outlooks, time, passes."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from hearts.bots.levels import strong
from hearts.bots.passing import by_trouble
from hearts.bots.search.engine import PLAIN
from hearts.bots.search.position import position_of
from hearts.bots.search.rollouts import most_trouble
from hearts.bots.search.search import SearchBot, Strength
from hearts.bots.search.worlds import Worlds
from hearts.game.cards import POINTS_MASK, Card, cards_of, mask_of
from hearts.game.kernel import HandPlay
from hearts.game.rules import STANDARD, Direction, Moon, Rules, parse_rules
from hearts.game.scoring import hand_points
from hearts.game.view import View
from tests.game.games import BLANK, deal_by

from .known_positions import KNOWN, KnownPosition
from .positions import late_view


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
        outlook = _search(1, exact_cards=16).outlook_at(sure)
        assert outlook.exact
        costs = {}
        for card in position.view.legal_cards:
            play = position.play_in(world)
            play.play(card)
            costs[card] = _costs(play, rules)[me]
        assert {one.card: one.cost for one in outlook.cards} == pytest.approx(costs)


def test_an_outlook_says_what_is_expected() -> None:
    position = _known("the queen does not take a trick").position()
    outlook = _search(40, exact_cards=0).outlook_at(position)
    queen = outlook.of(Card.parse("QS"))
    assert outlook.best.card == Card.parse("3S")
    assert (outlook.best.loss, outlook.best.error) == (0.0, 0.0)
    assert outlook.worlds == 40
    assert not outlook.exact
    assert queen.queen == 1.0
    assert queen.points >= 13.0
    assert queen.loss == pytest.approx(queen.cost - outlook.best.cost)
    assert 0.0 < queen.error < 3.0
    with pytest.raises(KeyError):
        outlook.of(Card.parse("AH"))


def test_a_moon_shows_in_an_outlook() -> None:
    moon = _search(20, exact_cards=0).outlook_at(_known("all points so far").position()).best
    assert moon.moon > 0.9
    assert moon.cost == pytest.approx(-19.5, abs=2.0)
    coming = _known("the last heart stops the moon").position()
    duck = _search(20).outlook_at(coming).of(Card.parse("5H"))
    assert 0.3 < duck.other_moon < 0.9


def test_a_moon_is_a_plan_without_a_point_in_the_hand() -> None:
    position = KnownPosition(
        "winners of two suits, and all points so far", "AC KC AD KD 5D", "", "AC",
        "2H 3H 4H 2C 3C 4C 5C 6C 7C 2D 3D 4D 6D 7D 8D",
        taken=("", "", "5H 6H 7H 8H 9H TH JH QH KH AH QS", ""),
    ).position()  # fmt: skip
    best = _search(30, exact_cards=0).outlook_at(position).best
    assert best.shooting
    assert best.moon > 0.3


def _known(begin: str) -> KnownPosition:
    return next(known for known in KNOWN if known.why.startswith(begin))


def test_time_ends_a_search_with_the_best_so_far() -> None:
    ticks = iter(range(1000))
    strength = Strength(worlds=1000, pass_worlds=0, seconds=3.0)
    search = SearchBot(PLAIN, random.Random(1).random, strength, lambda: float(next(ticks)))
    outlook = search.outlook_at(_known("a low lead").position())
    assert 50 <= outlook.worlds <= 200
    search.seconds = 0.0
    assert search.outlook_at(_known("a low lead").position()).worlds == 50


def test_the_end_of_the_game_counts() -> None:
    """A moon on the others would end the game: it is shot if that wins, and not else."""
    known = _known("the trick with the last heart makes the moon")
    winning = _search(10).outlook_at(replace(known, scores=(80, 20, 10, 90)).position())
    losing = _search(10).outlook_at(replace(known, scores=(80, 10, 70, 90)).position())
    assert winning.best.card == Card.parse("AC")
    assert winning.best.cost < -19.5
    assert losing.best.cost > winning.best.cost + 3


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
