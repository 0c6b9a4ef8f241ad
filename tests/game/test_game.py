"""The state of a game: its laws in play by chance, its border, and its own proof of health."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.errors import IllegalAction, LocalProtocolError, Reason
from hearts.game.cards import CARDS, FULL_DECK, Card, by_wire, cards_of, mask_of
from hearts.game.events import (
    Action,
    CardPlayed,
    ChooseMoon,
    Deal,
    Event,
    HandDealt,
    HandScored,
    MoonChosen,
    Pass,
    PassesExchanged,
    PassMade,
    Play,
    TrickBegun,
    TricksDone,
    TrickTaken,
)
from hearts.game.game import Game, Phase
from hearts.game.rules import STANDARD, Moon, Rules, parse_rules
from tests.game import reference
from tests.game.games import ALL_RULES, SEEDS, deal_by, faults_of, play_by_chance, texts

SUITED = Deal((0x1FFF << 13, 0x1FFF, 0x1FFF << 26, 0x1FFF << 39))
"""Each player has a suit: clubs, hearts, diamonds, spades."""


def _play_low(game: Game) -> list[Event]:
    """Deal a suit to each and play it: player 0 leads clubs and takes every trick."""
    events = game.apply(SUITED)
    while game.phase is Phase.PLAY:
        assert game.play is not None
        (player,) = game.waiting_for()
        events += game.apply(Play(player, next(cards_of(game.play.legal()))))
    return events


@given(ALL_RULES, SEEDS)
def test_the_laws_hold_at_each_step(rules: Rules, seed: int) -> None:
    game = Game(rules, 60)
    source = random.Random(seed)
    assert faults_of(game) == []
    for _ in play_by_chance(game, source, 3):
        assert faults_of(game) == []
        held = sum(game.hand(player).bit_count() for player in range(4))
        under_way = 3 * sum(cards is not None for cards in game.passes) if not game.play else 0
        assert held + under_way + len(game.history) == 52
        if game.phase is Phase.PLAY:
            assert game.play is not None
            assert game.play.legal()


@given(ALL_RULES, SEEDS)
def test_a_game_is_retraced(rules: Rules, seed: int) -> None:
    """All but the last card of a hand leads to the same state, and no other card to any."""
    game, again = Game(rules, 60), Game(rules, 60)
    for action, _ in play_by_chance(game, random.Random(seed), 2):
        is_done = False
        if isinstance(action, Play) and again.play is not None and game.play is not None:
            others = FULL_DECK & ~again.play.legal()
            wrong = [Play(action.player, card) for card in cards_of(others)]
            assert not any(map(again.retrace, [*wrong, Play(action.player ^ 1, action.card)]))
            is_done = again.retrace(action)
            assert is_done is not game.play.over
        if not is_done:
            again.apply(action)
        mine, own = (vars(each) | {"play": each.play and vars(each.play)} for each in (again, game))
        assert mine == own


@given(ALL_RULES, SEEDS)
def test_a_game_agrees_with_the_reference(rules: Rules, seed: int) -> None:
    """Hands of a game from events alone: passes, leader, tricks, tallies, points and scores."""
    game = Game(rules, 40)
    source = random.Random(seed)
    scores = [0, 0, 0, 0]
    for number in range(4):
        if game.phase is Phase.OVER:
            break
        events = [event for _, more in play_by_chance(game, source, 1) for event in more]
        points, after, winners = _score_by_reference(events, rules, number, scores)
        scored = events[-1]
        assert isinstance(scored, HandScored)
        assert list(scored.points) == points
        assert list(scored.scores) == after
        assert list(scored.winners) == winners
        scores = after
    assert (game.phase is Phase.OVER) == bool(game.winners)


def _score_by_reference(
    events: list[Event], rules: Rules, number: int, scores: list[int]
) -> tuple[list[int], list[int], list[int]]:
    dealt = events[0]
    assert isinstance(dealt, HandDealt)
    assert dealt.number == number
    hands = [set(hand) for hand in texts(dealt.hands)]
    on_others = rules.moon is Moon.OTHERS
    hand: reference.ReferenceHand | None = None
    for event in events:
        match event:
            case PassMade(player, cards):
                hands[player] -= {str(card) for card in cards}
            case PassesExchanged(received):
                for player in range(4):
                    hands[player] |= {str(card) for card in received[player]}
            case TrickBegun(leader):
                hand = hand or reference.ReferenceHand(hands, str(rules), number)
                assert hand.turn == leader
            case CardPlayed(player, card):
                assert hand is not None
                assert hand.turn == player
                assert hand.refusal(str(card)) == 0
                hand.play(str(card))
            case TrickTaken(winner, tallies):
                assert hand is not None
                assert hand.tricks[-1][0] == winner
                assert sum(tallies) == sum(
                    reference.worth(card, str(rules)) for card in hand.played()
                )
            case MoonChosen(_, chosen):
                on_others = chosen
    assert hand is not None
    points = reference.hand_points(hand.taken(), str(rules), on_others)
    return points, *reference.add(scores, points, str(rules), 40)


@pytest.mark.parametrize(
    ("number", "sender_of"),
    [(0, [3, 0, 1, 2]), (1, [1, 2, 3, 0]), (2, [2, 3, 0, 1])],
    ids=["left", "right", "across"],
)
def test_cards_passed_arrive(number: int, sender_of: list[int]) -> None:
    game = Game()
    game.hand_number = number - 1
    deal = deal_by(random.Random(5))
    game.apply(deal)
    passes = []
    for player in range(4):
        cards = tuple(reversed(by_wire(deal.hands[player])[4:7]))
        passes.append(cards)
        events = game.apply(Pass(player, cards))
        assert events[0] == PassMade(player, cards, Pass(player, cards).by)
        if player < 3:
            assert len(events) == 1
            assert game.hand(player) == deal.hands[player] & ~mask_of(cards)
    for player, sender in enumerate(sender_of):
        assert game.received[player] == by_wire(mask_of(passes[sender]))
        kept = deal.hands[player] & ~mask_of(passes[player])
        assert game.hand(player) == kept | mask_of(passes[sender])
    assert faults_of(game) == []


@pytest.mark.parametrize(
    "cards",
    ["", "2C 3C", "2C 3C 4C 5C", "2C 2C 3C", "2C 3C 2H"],
    ids=["none", "two", "four", "twice", "not-held"],
)
def test_a_pass_is_three_cards_of_the_hand(cards: str) -> None:
    game = Game()
    game.apply(SUITED)
    passed = tuple(Card.parse(text) for text in cards.split())
    with pytest.raises(IllegalAction) as refused:
        game.check(Pass(0, passed))
    assert refused.value.reason is Reason.NOT_HELD


def test_nobody_does_what_he_was_not_asked_for() -> None:
    game = Game()
    three = by_wire(SUITED.hands[0])[:3]
    action: Action
    for action in (Pass(0, three), Play(0, CARDS[0]), ChooseMoon(0, True)):
        with pytest.raises(LocalProtocolError):
            game.check(action)
    game.apply(SUITED)
    for action in (SUITED, Play(0, CARDS[13]), ChooseMoon(0, True)):
        with pytest.raises(LocalProtocolError):
            game.check(action)
    game.apply(Pass(0, three))
    with pytest.raises(LocalProtocolError, match="nobody was asked for a Pass in phase pass"):
        game.check(Pass(0, three))
    assert game.waiting_for() == (1, 2, 3)
    for player in (3, 1, 2):
        game.apply(Pass(player, by_wire(SUITED.hands[player])[:3]))
    (player,) = game.waiting_for()
    with pytest.raises(LocalProtocolError, match=f"player {(player + 1) % 4} is not on turn"):
        game.check(Play((player + 1) % 4, CARDS[0]))
    with pytest.raises(LocalProtocolError):
        game.check(ChooseMoon(player, True))


@pytest.mark.parametrize(
    "hands",
    [
        (0, 0, 0, 0),
        (0x1FFF, 0x1FFF, 0x1FFF << 26, 0x1FFF << 39),
        (0x3FFF, 0x1FFE << 13, 0x1FFF << 26, 0x1FFF << 39),
    ],
    ids=["empty", "twice", "fourteen"],
)
def test_a_deal_gives_each_card_once(hands: tuple[int, int, int, int]) -> None:
    with pytest.raises(LocalProtocolError, match="13 of the 52 cards"):
        Game().check(Deal(hands))


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        ("pass=never", (0, 26, 26, 26)),
        ("pass=never,moon=minus", (-26, 0, 0, 0)),
        ("pass=never,notrick,jack", (-10, 21, 21, 21)),
    ],
)
def test_a_moon_without_a_choice(rules: str, points: tuple[int, ...]) -> None:
    game = Game(parse_rules(rules))
    _play_low(game)
    assert game.phase is Phase.DEAL
    assert game.scores == points
    assert game.shooter == 0


@pytest.mark.parametrize(
    ("on_others", "scores"), [(True, (0, 26, 26, 26)), (False, (-26, 0, 0, 0))]
)
def test_a_moon_with_a_choice(on_others: bool, scores: tuple[int, ...]) -> None:
    game = Game(parse_rules("pass=never,moon=choice"))
    _play_low(game)
    assert game.phase is Phase.MOON
    assert game.waiting_for() == (0,)
    with pytest.raises(LocalProtocolError):
        game.check(ChooseMoon(1, on_others))
    choice = ChooseMoon(0, on_others)
    game.check(choice)
    assert game.apply(choice) == [
        MoonChosen(0, on_others, choice.by),
        HandScored(scores, scores, ()),  # type: ignore[arg-type]  # four ints
    ]
    assert faults_of(game) == []


def test_the_last_card_of_a_hand_tells_everything_else() -> None:
    game = Game(parse_rules("pass=never,moon=choice"))
    *_, (_, last) = play_by_chance(game, random.Random(1), 1)
    assert [type(event) for event in last] == [CardPlayed, TrickTaken, TricksDone, HandScored]
    assert last[2] == TricksDone(None, False)


def test_the_last_card_of_a_moon_asks_the_shooter() -> None:
    game = Game(parse_rules("pass=never,moon=choice"))
    assert _play_low(game)[-1] == TricksDone(0, True)


@given(SEEDS, st.sampled_from(["standard", "exact=zero", "exact=wins", "moon=minus"]))
def test_a_game_ends_with_winners(seed: int, text: str) -> None:
    game = Game(parse_rules(text), 50)
    phases = [game.phase for _ in play_by_chance(game, random.Random(seed), 30)]
    assert Phase.OVER not in phases[:-1]
    assert game.phase is Phase.OVER
    assert game.winners
    assert game.waiting_for() == ()
    with pytest.raises(LocalProtocolError):
        game.check(SUITED)


def test_the_invariants_do_not_hold_for_a_hand_with_a_card_less() -> None:
    game = Game(parse_rules("pass=never"))
    next(play_by_chance(game, random.Random(3), 1))
    assert game.play is not None
    game.play.hands[2] &= game.play.hands[2] - 1
    assert "the 52 cards are not all there once" in faults_of(game)


def test_standard_is_the_default() -> None:
    game = Game()
    assert (game.rules, game.end_score, game.phase) == (STANDARD, 100, Phase.DEAL)
    assert game.scores == (0, 0, 0, 0)
