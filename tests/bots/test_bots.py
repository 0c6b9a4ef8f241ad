"""The bots: always legal, the simple one deterministic, sound in known positions, and stronger."""

from __future__ import annotations

import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.bots import BOTS, NoviceBot, RandomBot, SimpleBot, choose_moon
from hearts.bots.costs import cost_of
from hearts.bots.novice import CARELESS
from hearts.bots.passing import cards_to_pass
from hearts.bots.reading import PastTricks, read
from hearts.bots.weighing import Weighing
from hearts.game.cards import FULL_DECK, HEARTS_MASK, POINTS_MASK, Card, Suit, cards_of, mask_of
from hearts.game.events import Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.kernel import HandPlay
from hearts.game.rules import STANDARD, Direction, Rules, parse_rules
from hearts.game.view import View, view_of
from tests.arena.own_bots import Plain
from tests.game.games import ALL_RULES, BLANK, SEEDS, deal_by, faults_of, views_in
from training.matches import difference, play_hand

BEFORE = "2C 3C KC AC"
"""A first trick that says little."""
HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


@pytest.mark.parametrize("name", ["random", "novice", "simple", "swift"])
@given(rules=ALL_RULES, seed=SEEDS)
def test_every_choice_is_legal(name: str, rules: Rules, seed: int) -> None:
    source = random.Random(seed)
    game = Game(rules, 60)
    for _ in range(2):
        if game.phase is Phase.DEAL:
            game.apply(deal_by(source))
            play_hand(game, [BOTS[name](source.random) for _ in range(4)])
    assert faults_of(game) == []


@given(ALL_RULES, SEEDS)
def test_the_simple_bot_chooses_the_same_again(rules: Rules, seed: int) -> None:
    games = []
    for _ in range(2):
        game = Game(rules)
        game.apply(deal_by(random.Random(seed)))
        play_hand(game, [SimpleBot() for _ in range(4)])
        games.append((game.history, game.passes, game.scores))
    assert games[0] == games[1]


@given(ALL_RULES, SEEDS)
def test_a_novice_chooses_the_same_again_and_forgets_what_was_played(
    rules: Rules, seed: int
) -> None:
    game = Game(rules)
    game.apply(deal_by(random.Random(seed)))
    novices = [NoviceBot(random.Random(seed).random) for _ in range(2)]
    while game.phase in (Phase.PASS, Phase.PLAY):
        player = game.waiting_for()[0]
        view = view_of(game, player)
        if game.phase is Phase.PASS:
            game.apply(Pass(player, novices[0].choose_pass(view)))
            continue
        forgotten = replace(view, history=view.trick, taken=(0, 0, 0, 0), passed=(), received=())
        card = novices[0].choose_card(view)
        assert novices[1].choose_card(forgotten) == card
        game.apply(Play(player, card))


@pytest.mark.parametrize(
    ("hand", "trick", "choices", "rules"),
    [
        # Low where it leads, of any suit.
        ("2C KC 4D AD 9H QS", "", {"2C", "4D", "9H", "QS"}, "standard"),
        # Below the best card: the highest there is, or the lowest.
        ("3D 7D 9D KD", "JD 2D", {"3D", "9D"}, "standard"),
        # It keeps the queen if it would take her, and throws her if it can.
        ("QS KS AS", "JS", {"KS"}, "standard"),
        ("QS AH KD", "5C 4C 6C", {"QS"}, "standard"),
        ("3H 9H AD", "5C 4C 6C", {"9H"}, "standard"),
        ("3D JD KS", "5C 4C 6C", {"KS"}, "standard"),
        ("3D JD 2S", "5C 4C 6C", {"3D"}, "jack"),
    ],
)
def test_what_a_novice_chooses_with_care(
    hand: str, trick: str, choices: set[str], rules: str
) -> None:
    view = _view(hand, trick, rules=rules)
    draws = random.Random(1)
    # Never below the share of choices that are made without care.
    bot = NoviceBot(lambda: CARELESS + (1 - CARELESS) * draws.random())
    assert {str(bot.choose_card(view)) for _ in range(100)} == choices


def test_a_novice_may_play_anything() -> None:
    view = _view("3D 7D 9D KD", "JD 2D")
    bot = NoviceBot(random.Random(1).random)
    assert {bot.choose_card(view) for _ in range(500)} == set(view.cards)


def test_the_random_bot_reaches_every_choice() -> None:
    view = _view("QS 3C 4D AH KH", trick="")
    bot = RandomBot(random.Random(1).random)
    assert {bot.choose_card(view) for _ in range(200)} == set(view.cards)
    assert {card for _ in range(200) for card in bot.choose_pass(view)} == set(view.cards)
    assert {bot.choose_moon(view) for _ in range(50)} == {True, False}
    assert all(len(set(bot.choose_pass(view))) == 3 for _ in range(50))


@pytest.mark.parametrize("number", [0.0, 1.0 - 2**-53])
def test_the_random_bot_takes_numbers_from_the_whole_range(number: float) -> None:
    view = _view("QS 3C 4D AH KH", trick="")
    bot = RandomBot(lambda: number)
    assert bot.choose_card(view) in view.cards
    assert len(set(bot.choose_pass(view))) == 3


def test_a_bot_needs_no_moon_choice() -> None:
    view = _view("", trick="")
    assert choose_moon(Plain(), view) is True
    game = Game(parse_rules("moon=choice"))
    game.apply(deal_by(random.Random(1)))
    play_hand(game, [Plain() for _ in range(4)])


@given(ALL_RULES, SEEDS, st.integers(0, 3))
def test_a_reading_never_rules_out_what_is_so(rules: Rules, seed: int, number: int) -> None:
    source = random.Random(seed)
    game = Game(rules)
    game.hand_number = number - 1
    game.apply(deal_by(source))
    for view in views_in(game, [RandomBot(source.random)] * 4):
        if game.play is None or not view.legal:
            continue
        reading = read(view)
        hands = game.play.hands
        assert reading.out == sum(hands) - hands[view.player]
        for other in range(4):
            if other != view.player:
                assert hands[other] & ~reading.may_hold[other] == 0
        assert len(reading.behind) == 3 - len(view.trick)
        if view.trick:
            assert reading.winner == game.play.winner
            assert reading.best == game.play.best


@given(ALL_RULES, SEEDS)
def test_what_was_read_before_changes_no_reading(rules: Rules, seed: int) -> None:
    source = random.Random(seed)
    past = PastTricks()
    simple = SimpleBot()
    for number in range(2):
        game = Game(rules)
        game.hand_number = number - 1
        game.apply(deal_by(source))
        for view in views_in(game, [RandomBot(source.random)] * 4):
            # Not every moment is read, and the views are of all players in turn.
            if view.legal and source.random() < 0.5:
                assert past.ruled_out(view)[0] == _ruled_out(view)
                assert simple.choose_card(view) == _least_cost(view)


def _ruled_out(view: View) -> list[int]:
    """What the play so far rules out for each player, all of it read from the first card on."""
    ruled_out = [0, 0, 0, 0]
    broken = False
    breaking = HEARTS_MASK if view.rules.queen_keeps_hearts else POINTS_MASK
    leader = view.first_leader
    for start in range(0, len(view.history), 4):
        cards = view.history[start : start + 4]
        led = cards[0]
        if led.suit is Suit.HEARTS and not broken:
            ruled_out[leader] |= FULL_DECK & ~HEARTS_MASK
        for place, card in enumerate(cards):
            if card.suit is not led.suit:
                ruled_out[(leader + place) % 4] |= led.suit.mask
        broken = broken or bool(mask_of(cards) & breaking)
        best = max(card for card in cards if card.suit is led.suit)
        leader = (leader + cards.index(best)) % 4
    return ruled_out


def _least_cost(view: View) -> Card:
    """What the simple bot has to choose, from a reading of the whole history."""
    reading = read(view)
    weighing = Weighing(view, reading)
    return min(
        cards_of(view.legal),
        key=lambda card: (cost_of(card, view, reading, weighing).total, card),
    )


def test_a_reading_finds_voids_and_passed_cards() -> None:
    view = _view("3C 5D", trick="9D QS", before="2C 3D KC 4C")
    reading = read(view)
    assert reading.may_hold[3] & 0x1FFF << 13 == 0
    assert reading.may_hold[1] & 0x1FFF << 26 == 0
    assert (reading.best, reading.winner) == (Card.parse("9D"), 0)
    passed = tuple(Card.parse(text) for text in ("AS", "AH", "AD"))
    later = read(replace(view, direction=Direction.LEFT, passed=passed))
    assert later.may_hold[3] & mask_of(passed) == mask_of(passed)
    assert later.may_hold[0] & mask_of(passed) == 0


def _mask(text: str) -> int:
    return mask_of(Card.parse(word) for word in text.split())


def _view(
    hand: str, trick: str, *, before: str = BEFORE, rules: str = "standard", **taken: str
) -> View:
    """A view of player 2, on turn in a trick under way, after the trick ``before``.

    ``taken`` gives cards taken even before that (``p0="QS 2S"``).
    """
    parsed = parse_rules(rules)
    trick_cards = tuple(Card.parse(text) for text in trick.split())
    leader = (2 - len(trick_cards)) % 4
    history = tuple(Card.parse(text) for text in before.split())
    masks = [_mask(taken.get(f"p{player}", "")) for player in range(4)]
    play = HandPlay([0, 0, _mask(hand), 0], parsed, leader)
    play.played = 20
    play.simple = not play.must_dump
    play.broken = True
    for card in trick_cards:
        play.play(card)
    best = max(range(4), key=lambda place: (history[place].suit == history[0].suit, history[place]))
    masks[leader] |= mask_of(history)
    return replace(
        BLANK,
        player=2,
        rules=parsed,
        hand=_mask(hand),
        legal=play.legal() if hand else 0,
        first_leader=(leader - best) % 4,
        history=(*history, *trick_cards),
        leader=leader,
        trick=trick_cards,
        taken=tuple(masks),
        broken=True,
    )


# Positions in which a sound player has one choice: hand, trick under way, choice, other settings.
CHOICES: list[tuple[str, str, str, dict[str, str]]] = [
    # Ducking: the highest card that stays below.
    ("3D 9D KD", "JD 2D 2H", "9D", {}),
    # Last to play and no points: the trick is taken with the highest card.
    ("3D 9D KD", "JD 2D 4D", "KD", {}),
    # Last, and it cannot be ducked: the highest card goes.
    ("QD KD", "JD 2D 2H", "KD", {}),
    # The queen goes under the king and the ace.
    ("QS 3S", "2S KS", "QS", {}),
    ("QS 3S", "AS 4S 5S", "QS", {}),
    # She does not take a trick that she need not take.
    ("QS 3S", "5S 4S 6S", "3S", {}),
    # Without the suit she goes first, then a high heart.
    ("QS AH KD", "5C 4C 6C", "QS", {"p0": "8C 7C"}),
    ("AH 3H 4D", "5C 4C 6C", "AH", {"p0": "QS 2S"}),
    # The king of spades keeps away while the queen may still fall on it.
    ("KS 4S", "5S", "4S", {}),
    ("KS 4S", "5S 6S 7S", "KS", {}),
    # Leading, the low card of a long suit and not the high one.
    ("2D AD", "", "2D", {"p0": "3D 4D 5D 6D 7D 8D 9D TD"}),
    ("AS 4S KS", "", "4S", {}),
    # A low spade may drive out the queen.
    ("7S 8C", "", "7S", {}),
    # The jack of diamonds is worth taking, and worth keeping, where it counts.
    ("QD 2D", "JD 3D 4D", "QD", {"rules": "jack"}),
    ("JD 2D", "TD 3D 4D", "JD", {"rules": "jack"}),
    ("JD QC 2H", "5S 4S 6S", "QC", {"rules": "jack", "p0": "QS KS", "p1": "4H TD"}),
    ("JD 4C 9H", "5S 4S 7S", "9H", {"rules": "jack", "p0": "QS KS", "p1": "4H TD"}),
    # A moon that comes closer is stopped with one heart.
    ("2D AD", "5D 4D 3H", "AD", {"p1": "QS 4H 5H 6H 7H 8H", "p0": "9C"}),
    ("4C AH 9D", "9S 8S 2S", "9D", {"p3": "QS 4H 5H 6H 7H 8H 9H", "p0": "TC"}),
]


@pytest.mark.parametrize(("hand", "trick", "choice", "more"), CHOICES)
def test_sound_choices(hand: str, trick: str, choice: str, more: dict[str, str]) -> None:
    view = _view(hand, trick, **more)
    assert str(SimpleBot().choose_card(view)) == choice


@pytest.mark.parametrize(
    ("hand", "rules", "passed"),
    [
        ("QS KS 3S 2C 3C 4C 5C 2D 3D 4D 2H 3H AH", "standard", {"QS", "KS", "AH"}),
        ("QS 2S 3S 4S 5S 2C 3C 2D 3D AD KD 2H 3H", "standard", {"AD", "KD", "3C"}),
        ("AS KS 2C 3C 4C 5C 6C 2D 3D 4D 5D 2H 3H", "standard", {"AS", "KS"}),
        ("2S 3S 4S 5S AH KH QH 2C 3C 4C 5C 6C 7C", "standard", {"AH", "KH", "QH"}),
        ("JD 2S 3S 4S 5S AH KH QH 2C 3C 4C 5C 6C", "jack", {"AH", "KH", "QH"}),
        ("JD 2S 3S 4S 5S 2H 3H 4H 2C 3C 4C 5C 6C", "standard", {"JD"}),
    ],
)
def test_sound_passes(hand: str, rules: str, passed: set[str]) -> None:
    chosen = {str(card) for card in cards_to_pass(_mask(hand), parse_rules(rules))}
    assert len(chosen) == 3
    assert passed <= chosen


@pytest.mark.parametrize(
    ("scores", "on_others"),
    [
        ((0, 0, 0, 0), True),
        ((0, 0, 26, 0), True),
        ((0, 0, 27, 0), False),
        ((20, 24, 47, 30), False),
        ((90, 90, 20, 90), True),
        ((0, 90, 95, 90), False),
        ((20, 90, 20, 90), True),
        ((0, 80, 40, 0), False),
    ],
)
def test_the_moon_goes_where_it_helps(scores: tuple[int, int, int, int], on_others: bool) -> None:
    view = _view("", trick="", rules="moon=choice", p2=f"{HEARTS} QS")
    assert SimpleBot().choose_moon(replace(view, scores=scores)) is on_others


def test_a_novice_is_between_random_and_simple() -> None:
    """6.9 points a hand better than one, 3.6 worse than the other, over many deals."""
    for one, other, least in (("novice", "random", 4), ("simple", "novice", 1.5)):
        assert statistics.fmean(difference(BOTS[one], BOTS[other], 40, STANDARD, seed=1)) > least


def test_simple_is_much_better_than_random() -> None:
    """About 8 points a hand over many deals; 40 deals show 6."""
    assert statistics.fmean(difference(BOTS["simple"], BOTS["random"], 40, STANDARD, seed=1)) > 6
