"""Points, the moon, the end of a game and its winners, under every variant and where they meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.game.cards import Card, mask_of
from hearts.game.deal import Hands
from hearts.game.rules import Rules, parse_rules
from hearts.game.scoring import add_points, hand_points, moon_shooter, tallies
from tests.game import reference
from tests.game.games import ALL_RULES, texts

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
MOON = f"{HEARTS} QS"


def _taken(*hands: str) -> list[int]:
    return [mask_of(Card.parse(text) for text in hand.split()) for hand in hands]


@st.composite
def taken_cards(draw: st.DrawFn) -> Hands:
    """The 52 cards, as four players could take them; often a moon or a player without a trick."""
    takers = draw(st.sampled_from([(0, 1, 2, 3), (0, 1), (2,), (0, 1, 3)]))
    owners = draw(st.lists(st.sampled_from(takers), min_size=52, max_size=52))
    shooter = draw(st.sampled_from([None, None, *takers]))
    masks = [0, 0, 0, 0]
    for index, owner in enumerate(owners):
        is_point = reference.is_point(str(Card(index)))
        masks[shooter if shooter is not None and is_point else owner] |= 1 << index
    a, b, c, d = masks
    return (a, b, c, d)


@given(ALL_RULES, taken_cards(), st.booleans())
def test_points_of_a_hand_agree_with_the_reference(
    rules: Rules, taken: Hands, on_others: bool
) -> None:
    points = hand_points(taken, rules, on_others)
    assert list(points) == reference.hand_points(texts(taken), str(rules), on_others)


@given(ALL_RULES, taken_cards(), st.booleans())
def test_points_of_a_hand_sum_as_the_variant_says(
    rules: Rules, taken: Hands, on_others: bool
) -> None:
    moon = total = 129 if rules.spot else 26
    if moon_shooter(taken) is not None:
        total = 3 * moon if on_others else -moon
    if rules.jack:
        total -= 10
    if rules.no_trick_bonus:
        total -= 5 * taken.count(0)
    assert sum(hand_points(taken, rules, on_others)) == total
    assert sum(tallies(taken, rules)) == moon - 10 * rules.jack


@given(
    ALL_RULES,
    st.lists(st.integers(-120, 120), min_size=4, max_size=4),
    st.lists(st.integers(-41, 26), min_size=4, max_size=4),
    st.integers(1, 130),
)
def test_the_end_agrees_with_the_reference(
    rules: Rules, scores: list[int], points: list[int], end: int
) -> None:
    a, b, c, d = scores
    e, f, g, h = points
    outcome = add_points((a, b, c, d), (e, f, g, h), rules, end)
    after, winners = reference.add(scores, points, str(rules), end)
    assert list(outcome.scores) == after
    assert list(outcome.winners) == winners
    assert outcome.over == bool(winners)


@given(
    ALL_RULES,
    st.lists(st.sampled_from([0, 49, 50, 51]), min_size=4, max_size=4),
)
def test_scores_around_the_end_agree_with_the_reference(rules: Rules, scores: list[int]) -> None:
    a, b, c, d = scores
    outcome = add_points((a, b, c, d), (0, 0, 0, 0), rules, 50)
    after, winners = reference.add(scores, [0] * 4, str(rules), 50)
    assert (list(outcome.scores), list(outcome.winners)) == (after, winners)


@pytest.mark.parametrize(
    ("rules", "taken", "on_others", "points"),
    [
        ("standard", (f"{HEARTS} 2C", "QS", "3C", "4C"), True, (13, 13, 0, 0)),
        ("standard", (HEARTS, "QS", "3C", "4C"), True, (13, 13, 0, 0)),
        ("standard", (MOON, "2C", "3C", "4C"), True, (0, 26, 26, 26)),
        ("standard", (MOON, "2C", "3C", "4C"), False, (-26, 0, 0, 0)),
        ("jack", ("2C", MOON + " JD", "3C", "4C"), True, (26, -10, 26, 26)),
        ("jack", ("2C", MOON, "JD 3C", "4C"), True, (26, 0, 16, 26)),
        ("jack", ("2C", MOON + " JD", "3C", "4C"), False, (0, -36, 0, 0)),
        ("jack", ("2C", MOON, "3C", "JD 4C"), False, (0, -26, 0, -10)),
        ("jack", ("JD 2H", "QS", HEARTS[3:], "4C"), True, (-9, 13, 12, 0)),
        ("standard", ("JD 2H", "QS", HEARTS[3:], "4C"), True, (1, 13, 12, 0)),
        ("notrick", (MOON, "2C", "", "4C"), True, (0, 26, 21, 26)),
        ("notrick", (MOON, "", "", ""), False, (-26, -5, -5, -5)),
        ("notrick", (HEARTS, "QS", "", "4C"), True, (13, 13, -5, 0)),
        ("notrick,jack", (MOON + " JD", "", "2C", "4C"), True, (-10, 21, 26, 26)),
    ],
)
def test_how_variants_meet(
    rules: str, taken: tuple[str, ...], on_others: bool, points: tuple[int, ...]
) -> None:
    assert hand_points(_taken(*taken), parse_rules(rules), on_others) == points


@pytest.mark.parametrize(
    ("rules", "scores", "after", "winners"),
    [
        ("standard", (99, 98, 30, 40), (99, 98, 30, 40), ()),
        ("standard", (100, 98, 30, 30), (100, 98, 30, 30), (2, 3)),
        ("standard", (130, -3, 30, 40), (130, -3, 30, 40), (1,)),
        ("exact=zero", (100, 98, 30, 40), (0, 98, 30, 40), ()),
        ("exact=zero", (100, 101, 30, 40), (0, 101, 30, 40), (0,)),
        ("exact=zero", (100, 100, 30, 40), (0, 0, 30, 40), ()),
        ("exact=zero", (100, 100, 100, 120), (0, 0, 0, 120), (0, 1, 2)),
        ("exact=wins", (100, 98, 30, 40), (100, 98, 30, 40), (0,)),
        ("exact=wins", (100, 130, 100, 2), (100, 130, 100, 2), (0, 2)),
        ("exact=wins", (101, 98, 30, 40), (101, 98, 30, 40), (2,)),
    ],
)
def test_the_end_of_a_game(
    rules: str,
    scores: tuple[int, int, int, int],
    after: tuple[int, ...],
    winners: tuple[int, ...],
) -> None:
    outcome = add_points((0, 0, 0, 0), scores, parse_rules(rules), 100)
    assert outcome.scores == after
    assert outcome.winners == winners


def test_the_jack_is_no_part_of_the_moon() -> None:
    assert moon_shooter(_taken(MOON, "JD", "2C", "3C")) == 0
    assert moon_shooter(_taken(HEARTS, "QS", "", "")) is None
    assert moon_shooter([0, 0, 0, 0]) is None
