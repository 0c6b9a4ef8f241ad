"""Statistics: hands whose numbers are known, and what must be true of any games."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import CorruptRecord
from hearts.game.cards import Card, cards_of, mask_of
from hearts.game.events import (
    Action,
    ChooseMoon,
    ChosenBy,
    Deal,
    Play,
)
from hearts.game.game import Game, Phase
from hearts.game.record import Reader, Record
from hearts.game.rules import Rules, parse_rules
from hearts.game.stats import Numbers, Statistics, statistics_of
from tests.game.games import ALL_RULES, SEEDS, game_by_chance

NAMES = ("Ann", "Moe", "Larry", "Curly")
ONE_SUIT_EACH = ("C", "H", "D", "S")


def _count(text: str) -> list[Statistics]:
    return [statistics_of(Reader(text), player) for player in range(4)]


def _suit(suit: str) -> int:
    return mask_of(Card.parse(rank + suit) for rank in "23456789TJQKA")


def _suits(order: Sequence[str]) -> Deal:
    a, b, c, d = map(_suit, order)
    return Deal((a, b, c, d))


class ScriptedGame:
    """A game that is played by a script, and by the lowest cards where that says nothing."""

    def __init__(self, rules: str, end_score: int = 100) -> None:
        self.game = Game(parse_rules(rules), end_score)
        self.actions: list[Action] = []

    def do(self, action: Action) -> None:
        self.game.check(action)
        self.game.apply(action)
        self.actions.append(action)

    def play(self, deal: Deal, script: str = "", by: ChosenBy = ChosenBy.PLAYER) -> None:
        """A hand, up to the choice of a shooter; ``script`` has the first cards, as "2D 3D"."""
        self.do(deal)
        for text in script.split():
            (player,) = self.game.waiting_for()
            self.do(Play(player, Card.parse(text), by))
        while self.game.phase is Phase.PLAY:
            assert self.game.play is not None
            (player,) = self.game.waiting_for()
            self.do(Play(player, next(cards_of(self.game.play.legal())), by))

    def text(self) -> str:
        return str(Record(self.game.rules, self.game.end_score, NAMES, tuple(self.actions)))

    def count(self) -> list[Statistics]:
        return _count(self.text())


def test_all_that_a_moon_brings() -> None:
    table = ScriptedGame("jack,pass=never", 26)
    table.play(_suits(ONE_SUIT_EACH))
    shooter, *others = table.count()
    assert shooter == Statistics(
        scores=Numbers(1, -10, -10, -10),
        places=Numbers(1, 1, 1, 1),
        won=1,
        points=Numbers(1, -10, -10, -10),
        tricks=13,
        hearts=13,
        queens=1,
        jacks=1,
        queen_and_jack_in_hand=1,
        moons=1,
        moon_points_given=78,
        choices=13,
    )
    for other in others:
        assert other == Statistics(
            scores=Numbers(1, 26, 26, 26),
            places=Numbers(1, 2, 2, 2),
            points=Numbers(1, 26, 26, 26),
            moons_of_others=1,
            moon_points_got=26,
            choices=13,
        )


def test_queen_and_jack_in_one_trick() -> None:
    table = ScriptedGame("standard,pass=never")
    table.play(_suits(ONE_SUIT_EACH), "2C 2H 2D 2S 3C 3H JD QS")
    shooter = table.count()[0]
    assert (shooter.queen_and_jack_in_trick, shooter.queen_and_jack_in_hand) == (1, 1)
    assert (shooter.zero_hands, shooter.points.total) == (1, 0)
    assert all(other.queen_and_jack_in_trick == 0 for other in table.count()[1:])


@pytest.mark.parametrize(
    ("rules", "choice", "points", "given_points", "got"),
    [
        ("moon=minus,pass=never", None, -26, 0, 0),
        ("moon=choice,pass=never", True, 0, 78, 26),
        ("moon=choice,pass=never", False, -26, 0, 0),
    ],
)
def test_ways_to_count_a_moon(
    rules: str, choice: bool | None, points: int, given_points: int, got: int
) -> None:
    table = ScriptedGame(rules)
    table.play(_suits(ONE_SUIT_EACH))
    if choice is not None:
        table.do(ChooseMoon(0, choice, ChosenBy.CLOCK))
    shooter, other, *_ = table.count()
    assert (shooter.moons, shooter.points.total) == (1, points)
    assert shooter.moon_points_given == given_points
    assert (other.moons_of_others, other.points.total, other.moon_points_got) == (1, got, got)
    assert shooter.choices == (13 if choice is None else 14)
    assert shooter.by_clock == (0 if choice is None else 1)


def test_places_and_shared_games() -> None:
    table = ScriptedGame("standard,pass=never", 50)
    table.play(_suits("CHDS"))
    table.play(_suits("HCDS"))
    counted = table.count()
    assert table.game.scores == (26, 26, 52, 52)
    assert [one.places.total for one in counted] == [1, 1, 3, 3]
    assert [(one.won, one.won_with_others) for one in counted] == [(1, 1), (1, 1), (0, 0), (0, 0)]
    assert [one.games for one in counted] == [1] * 4
    assert [one.points.lowest for one in counted] == [0, 0, 26, 26]
    assert [one.points.highest for one in counted] == [26] * 4


def test_a_score_that_wins_though_it_is_not_the_lowest() -> None:
    table = ScriptedGame("exact=wins,pass=never", 26)
    table.play(_suits("CHDS"))
    assert table.game.scores == (0, 26, 26, 26)
    assert [one.places.total for one in table.count()] == [4, 1, 1, 1]


def test_scores_differ_from_points_where_a_score_goes_back() -> None:
    table = ScriptedGame("exact=zero,pass=never", 26)
    table.play(_suits("CHDS"))
    table.play(_suits("CDHS"))
    assert table.game.phase is Phase.DEAL
    assert [(one.points.total, one.unfinished) for one in table.count()] == [(0, 1), *[(52, 1)] * 3]


@pytest.mark.parametrize("by", ChosenBy)
def test_choices_made_for_a_player(by: ChosenBy) -> None:
    table = ScriptedGame("standard,pass=never")
    table.play(_suits("CHDS"), by=by)
    for one in table.count():
        assert one.choices == 13
        assert one.by_clock == 13 * (by is ChosenBy.CLOCK)
        assert one.by_stand_in == 13 * (by is ChosenBy.STAND_IN)
        assert one.by_computer == 13 * (by is ChosenBy.COMPUTER)


def test_a_record_that_stops_counts_its_finished_hands() -> None:
    table = ScriptedGame("standard,pass=never")
    table.play(_suits("CHDS"))
    whole = table.count()
    table.play(_suits("CHDS"))
    lines = table.text().splitlines()
    second = lines.index("scores 0 26 26 26") + 1
    for end in (second, second + 1, second + 30, len(lines) - 2):
        assert _count("\n".join(lines[:end])) == whole
    assert [one.unfinished for one in whole] == [1] * 4
    assert [one.hands for one in whole] == [1] * 4
    # The last scores may be missing: the game says what they are.
    assert [one.hands for one in _count("\n".join(lines[:-1]))] == [2] * 4


def test_a_header_alone_is_a_game_that_was_left() -> None:
    assert _count(ScriptedGame("standard").text()) == [Statistics(unfinished=1)] * 4


def test_what_is_wrong_in_a_record_is_told() -> None:
    table = ScriptedGame("standard,pass=never")
    table.play(_suits("CHDS"))
    with pytest.raises(CorruptRecord, match="line 61: the scores are not those"):
        _count(table.text().replace("scores 0 26", "scores 1 26"))


# Covering the jack of diamonds: player 2 is third, as player 0 leads.

FIRST = "2D 4D 6D 7D 8D 2C 3C 4C 5C 6C 7C 8C 9C"
SECOND = "3D QD KD TC JC QC KC AC 2S 3S 4S 5S 6S"
THIRD = "5D AD 7S 8S 9S TS JS QS KS AS 2H 3H 4H"
LEFT = "9D TD JD 5H 6H 7H 8H 9H TH JH QH KH AH"
HANDS = (FIRST, SECOND, THIRD, LEFT)


def _exchanged(one: str, other: str) -> tuple[str, ...]:
    swap = {one: other, other: one}
    return tuple(" ".join(swap.get(card, card) for card in hand.split()) for hand in HANDS)


NO_ACE = _exchanged("AD", "4D")
JACK_AT_THE_RIGHT = _exchanged("JD", "3D")


@pytest.mark.parametrize(
    ("script", "hands", "rules", "expected"),
    [
        pytest.param("2D 3D AD 9D", HANDS, "jack", (1, 0), id="covered"),
        pytest.param("2D 3D AD JD", HANDS, "jack", (1, 0), id="covered-and-lost"),
        pytest.param("2D KD AD JD", HANDS, "jack", (1, 0), id="covered-above-another"),
        pytest.param("2D 3D 5D JD", HANDS, "jack", (0, 1), id="not-covered"),
        pytest.param("2D KD 5D JD", HANDS, "jack", (0, 1), id="not-covered-below-another"),
        pytest.param("2D 3D 5D TD JD", HANDS, "jack", (0, 0), id="the-jack-stays"),
        pytest.param("2D 3D 5D JD", NO_ACE, "jack", (0, 0), id="nothing-to-cover-with"),
        pytest.param("2D JD AD 3D", JACK_AT_THE_RIGHT, "jack", (0, 0), id="not-at-the-left"),
        pytest.param("2D JD 5D 3D", JACK_AT_THE_RIGHT, "jack", (0, 0), id="nor-regretted"),
        pytest.param("2C TC AD 9D", HANDS, "jack", (0, 0), id="another-suit"),
        pytest.param("2C TC 7S JD", HANDS, "jack", (0, 0), id="another-suit-and-no-diamond"),
        pytest.param("2D 3D AD JD", HANDS, "standard", (0, 0), id="a-jack-that-does-not-count"),
        pytest.param("2D 3D 5D JD", HANDS, "standard", (0, 0), id="nor-is-regretted"),
    ],
)
def test_covering_the_jack(
    script: str, hands: Sequence[str], rules: str, expected: tuple[int, int]
) -> None:
    a, b, c, d = (mask_of(map(Card.parse, hand.split())) for hand in hands)
    table = ScriptedGame(f"{rules},rotate,pass=never")
    table.play(Deal((a, b, c, d)), script)
    covers = [(one.covered, one.not_covered) for one in table.count()]
    assert covers == [(0, 0), (0, 0), expected, (0, 0)]


# Any games


@given(ALL_RULES, SEEDS, st.integers(1, 5), st.integers(0, 60))
def test_of_any_game(rules: Rules, seed: int, hands: int, cut: int) -> None:
    actions = game_by_chance(rules, seed, hands, 60)
    actions = actions[: len(actions) - cut if cut else None] or actions[:1]
    record = Record(rules, 60, NAMES, tuple(actions))
    game = record.replay()
    counted = _count(str(record))
    finished = game.hand_number + (game.phase in (Phase.DEAL, Phase.OVER))
    assert [one.hands for one in counted] == [finished] * 4
    assert sum(one.queens for one in counted) == finished
    assert sum(one.jacks for one in counted) == finished
    assert sum(one.hearts for one in counted) == 13 * finished
    assert sum(one.tricks for one in counted) == 13 * finished
    assert sum(one.choices for one in counted) == finished * 52 + sum(
        1 for action in _finished(actions, finished) if not isinstance(action, Deal | Play)
    )
    assert 3 * sum(one.moons for one in counted) == sum(one.moons_of_others for one in counted)
    given_points = sum(one.moon_points_given for one in counted)
    assert given_points == sum(one.moon_points_got for one in counted)
    over = game.phase is Phase.OVER
    assert [(one.scores.count, one.unfinished) for one in counted] == [(over, not over)] * 4
    assert sum(one.won for one in counted) == len(game.winners)
    if over:
        assert tuple(one.scores.total for one in counted) == game.scores
    covers = sum(one.covered + one.not_covered for one in counted)
    assert covers <= finished * rules.jack


def _finished(actions: Sequence[Action], hands: int) -> list[Action]:
    deals = [index for index, action in enumerate(actions) if isinstance(action, Deal)]
    return list(actions[: [*deals, len(actions)][hands]])


@given(st.lists(st.integers(-52, 52)), st.integers(0, 10))
def test_numbers_in_parts(numbers: list[int], cut: int) -> None:
    one, two = (sum(map(Numbers.of, part), Numbers()) for part in (numbers[:cut], numbers[cut:]))
    whole = one + two
    assert (whole.count, whole.total) == (len(numbers), sum(numbers))
    assert whole.lowest == min(numbers, default=None)
    assert whole.highest == max(numbers, default=None)
    assert whole.mean == (sum(numbers) / len(numbers) if numbers else None)


@given(ALL_RULES, SEEDS, SEEDS)
def test_games_in_parts(rules: Rules, one: int, other: int) -> None:
    games = [
        _count(str(Record(rules, 40, NAMES, tuple(game_by_chance(rules, seed, 4, 40)))))
        for seed in (one, other)
    ]
    for first, second in zip(*games, strict=True):
        both = first + second
        assert both == second + first
        assert both + Statistics() == both
        assert both.games == 2
        assert both.hands == first.hands + second.hands
        assert both.points.total == first.points.total + second.points.total
        assert (both.queens, both.moons) == (
            first.queens + second.queens,
            first.moons + second.moons,
        )
