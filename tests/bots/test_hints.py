"""Hints: what the simple bot would choose, and reasons that are so."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.bots import MoonBot, SimpleBot
from hearts.bots.costs import cost_of
from hearts.bots.hints import Hint, Why, hint
from hearts.bots.reading import HIGHER, LOWER, SUIT_MASKS, read
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.bots.weighing import Weighing
from hearts.game.cards import HEARTS_MASK, POINTS_MASK, QUEEN_OF_SPADES, Suit, cards_of, mask_of
from hearts.game.game import Game, Phase
from hearts.game.rules import STANDARD, Rules, parse_rules
from hearts.game.scoring import add_points, hand_points
from hearts.game.view import View
from hearts.table.inputs import QUESTIONS, Question
from hearts_client.words.hints import hint_in_words
from hearts_client.words.style import Style
from tests.bots.test_bots import CHOICES, HEARTS, _view
from tests.game.games import ALL_RULES, SEEDS, deal_by, views_in

BOTS = (SimpleBot(), SwiftBot(shipped_network()))
NAMES = ("Ann", "Moe", "Larry", "Curly")


def _line(given: Hint) -> str:
    return hint_in_words(given, Style(ascii=True), NAMES.__getitem__)


def _is_so(view: View, given: Hint) -> bool:
    """Whether the reason for a card is so, told anew from the view."""
    (reason,), (card,) = given.reasons, given.cards
    best = reason.cards[0] if reason.cards else None
    below = view.legal & LOWER[best] if best is not None else 0
    follows = bool(view.trick) and card.suit is view.trick[0].suit
    is_last = len(view.trick) == 3
    on_trick = mask_of(view.trick)
    others = [view.taken[p] & POINTS_MASK for p in range(4) if p != reason.player]
    match reason.why:
        case Why.ONLY_CARD:
            return view.legal == 1 << card
        case Why.STOP_MOON | Why.STARVE_MOON:
            feeds = reason.why is Why.STARVE_MOON and POINTS_MASK >> card & 1
            return reason.player != view.player and not any(others) and not feeds
        case Why.NO_TRICK:
            return view.rules.no_trick_bonus and not view.taken[view.player]
        case Why.BALANCE:
            return view.legal != 1 << card and (bool(view.trick) or _is_counted(view, given))
        case Why.FLUSH_QUEEN:
            seen = on_trick | view.hand | sum(view.taken)
            is_out = not seen >> QUEEN_OF_SPADES & 1
            above = view.hand & HIGHER[QUEEN_OF_SPADES]
            return not view.trick and card.suit is Suit.SPADES and is_out and not above
        case Why.LEAD_LOW | Why.LEAD_SAFE:
            return not view.trick and _is_counted(view, given)
        case Why.FIRST_TRICK:
            return len(view.history) < 4 and not view.rules.points_on_first_trick
        case Why.DUCK_HIGHEST:
            return follows and below.bit_length() - 1 == card and below != 1 << card
        case Why.DUCK:
            return follows and bool(below >> card & 1)
        case Why.QUEEN_BELOW:
            return card == QUEEN_OF_SPADES and best in view.trick and bool(below >> card & 1)
        case Why.TAKE_FREE | Why.TAKE_GAIN:
            free = view.rules.jack or not (on_trick | 1 << card) & POINTS_MASK
            return follows and is_last and free
        case Why.MUST_TAKE:
            highest = view.legal.bit_length() - 1
            return follows and is_last and not below and card == highest
        case Why.MAY_TAKE:
            return follows and not is_last and not below and best in view.trick
        case Why.SHED_QUEEN:
            return not follows and card == QUEEN_OF_SPADES
        case Why.SHED_ABOVE_QUEEN:
            return not follows and bool(HIGHER[QUEEN_OF_SPADES] >> card & 1)
        case Why.SHED_POINTS:
            return not follows and bool(HEARTS_MASK >> card & 1)
        case Why.SHED_HIGH:
            return not follows and not POINTS_MASK >> card & 1
        case _:
            return False


def _is_counted(view: View, given: Hint) -> bool:
    """Whether the cards of the suit of a lead are counted right."""
    (reason,), (card,) = given.reasons, given.cards
    seen = view.hand | mask_of(view.history)
    out = [other for other in cards_of(SUIT_MASKS[card.suit]) if not seen >> other & 1]
    higher = [other for other in out if other > card]
    return (reason.out, reason.number) == (len(out), len(higher))


def _is_pass_so(view: View, given: Hint) -> bool:
    kept = view.hand & ~mask_of(given.cards)
    for reason in given.reasons:
        mask = mask_of(reason.cards)
        if mask & ~mask_of(given.cards):
            return False
        match reason.why:
            case Why.BALANCE:
                right = len(given.reasons) == 1
            case Why.PASS_SPADES:
                low = (view.hand & LOWER[QUEEN_OF_SPADES]).bit_count()
                right = reason.number == low and not mask & ~SUIT_MASKS[Suit.SPADES]
            case Why.PASS_VOID:
                right = not kept & SUIT_MASKS[reason.cards[0].suit]
            case Why.PASS_HEARTS:
                right = not mask & ~HEARTS_MASK and mask.bit_count() > 1
            case _:
                right = reason.why is Why.PASS_HIGH and len(given.reasons) == 1
        if not right:
            return False
    return True


def _is_moon_so(view: View, given: Hint) -> bool:
    (reason,) = given.reasons
    points = hand_points(view.taken, view.rules, moon_on_others=True)
    outcome = add_points(view.scores, points, view.rules, view.end_score)
    match reason.why:
        case Why.MOON_GAINS_TIME:
            leads = outcome.scores[view.player] == min(outcome.scores)
            return not outcome.over and not leads and given.on_others is False
        case Why.MOON_NEARS_END:
            return not outcome.over and outcome.scores[view.player] == min(outcome.scores)
        case Why.MOON_WINS:
            return view.player in outcome.winners
        case Why.MOON_LOSES:
            return reason.player in outcome.winners and view.player not in outcome.winners
        case _:
            return False


def _play(game: Game, counts: Counter[Why], bot: MoonBot) -> None:
    """Let the hints play a hand; each is the bot's choice, and its reason is so."""
    for view in views_in(game, [bot] * 4):
        given = hint(view, QUESTIONS[game.phase], bot)
        if game.phase is Phase.PASS:
            assert given.cards == bot.choose_pass(view)
            assert _is_pass_so(view, given)
        elif game.phase is Phase.PLAY:
            assert given.cards == (bot.choose_card(view),)
            assert _is_so(view, given), _line(given)
        else:
            assert given.on_others is bot.choose_moon(view)
            assert _is_moon_so(view, given)
        counts.update(reason.why for reason in given.reasons)
        line = _line(given)
        assert line.isascii()
        assert len(line) <= 78, line


@given(rules=ALL_RULES, seed=SEEDS, number=st.integers(0, 3), bot=st.sampled_from(BOTS))
def test_a_hint_is_the_choice_of_the_bot_and_its_reason_is_so(
    rules: Rules, seed: int, number: int, bot: MoonBot
) -> None:
    game = Game(rules)
    game.hand_number = number - 1
    game.apply(deal_by(random.Random(seed)))
    _play(game, Counter(), bot)


def test_in_play_nearly_every_reason_occurs() -> None:
    counts: Counter[Why] = Counter()
    for seed in range(120):
        rules = parse_rules("jack,notrick") if seed % 3 == 0 else STANDARD
        game = Game(rules)
        game.apply(deal_by(random.Random(seed)))
        _play(game, counts, BOTS[0])
    of_moons = {Why.STOP_MOON, Why.STARVE_MOON}
    of_moons |= {Why.MOON_GAINS_TIME, Why.MOON_NEARS_END, Why.MOON_WINS, Why.MOON_LOSES}
    assert set(Why) - set(counts) <= of_moons
    # The reason that says least is for the choices that a person would find hard as well.
    assert counts[Why.BALANCE] < counts.total() / 12


@given(rules=ALL_RULES, seed=SEEDS, steps=st.integers(0, 51))
def test_the_parts_of_a_cost_are_its_sum(rules: Rules, seed: int, steps: int) -> None:
    game = Game(rules)
    game.hand_number = 2
    game.apply(deal_by(random.Random(seed)))
    views = (view for view in views_in(game, [SimpleBot()] * 4) if view.legal)
    view = next(islice(views, steps, None))
    reading = read(view)
    for card in cards_of(view.legal):
        cost = cost_of(card, view, reading, Weighing(view, reading))
        parts = -cost.keeping + cost.taking + cost.bonus - cost.flush + cost.moon
        assert parts == pytest.approx(cost.total)
        assert 0 <= cost.chance <= 1


SAID = [
    "Play 9D: your highest card that stays below JD, so you do not take the trick.",
    "Play KD: the trick costs nothing, and you are rid of the card.",
    "Play KD: you cannot stay below JD, so take the trick with your highest card.",
    "Play QS: KS is above her, so somebody else gets her.",
    "Play QS: AS is above her, so somebody else gets her.",
    "Play 3S: it stays below 6S, so you do not take the trick.",
    "Play QS: you cannot follow suit, so somebody else gets her.",
    "Play AH: you cannot follow suit, so somebody else gets the point.",
    "Play 4S: it stays below 5S, so you do not take the trick.",
    "Play KS: the trick costs nothing, and you are rid of the card.",
    "Play 2D: all 3 diamonds left are higher, so you probably lose the trick.",
    "Play 4S: 8 of 10 spades left are higher, so you probably lose the trick.",
    "Play 7S: a low spade may force QS out of another hand.",
    "Play QD: the trick lowers your score.",
    "Play JD: the trick lowers your score.",
    "Play QC: you cannot follow suit, and it is your most dangerous card.",
    "Play 9H: you cannot follow suit, so somebody else gets the point.",
    "Play AD: it costs you the least, now and later.",
    "Play 9D: no more points for Curly, who has all 19.",
]


@pytest.mark.parametrize(("position", "said"), list(zip(CHOICES, SAID, strict=True)))
def test_what_is_said(position: tuple[str, str, str, dict[str, str]], said: str) -> None:
    hand, trick, _, more = position
    assert _line(hint(_view(hand, trick, **more), Question.CARD, SimpleBot())) == said


PASSES = [
    (
        "QS KS 3S 2C 3C 4C 5C 2D 3D 4D 2H 3H AH",
        "Pass QS KS AH: only 1 lower spade guards QS KS.",
    ),
    (
        "QS 2S 3S 4S 5S 2C 3C 4C AD KD 2H 3H 4H",
        "Pass AD KD 4C: you have no diamonds then.",
    ),
    (
        "2S 3S 4S 5S AH KH QH 2C 3C 4C 5C 6C 7C",
        "Pass AH KH QH: AH KH QH could take points.",
    ),
    (
        "2S 3S 4S 5S 6S KH 2H 2C 3C AC 2D 3D AD",
        "Pass KH AC AD: they are your most dangerous cards.",
    ),
    (
        "AS 2S 3S 4C 5C 6C 7C 8C 9C 2D 3D AH KH",
        "Pass AS AH KH: only 2 lower spades guard AS; AH KH could take points.",
    ),
    (
        "AS KS 2C 3C 4C 5C 6C 2D 3D 4D 5D 6D KH",
        "Pass KS AS KH: no lower spade guards KS AS.",
    ),
]


@pytest.mark.parametrize(("hand", "said"), PASSES)
def test_a_pass_in_words(hand: str, said: str) -> None:
    assert _line(hint(replace(_view(hand, ""), legal=0), Question.PASS, SimpleBot())) == said


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (
            (0, 0, 40, 0),
            "26 off your own: you are not in the lead, and this does not bring the end nearer.",
        ),
        (
            (40, 40, 20, 40),
            "26 to each of the others: you are in the lead, and this brings the end nearer.",
        ),
        ((90, 90, 20, 90), "26 to each of the others: it wins you the game."),
        (
            (0, 90, 95, 90),
            "26 off your own: 26 points to the others would end the game, and Ann would win it.",
        ),
    ],
)
def test_a_moon_in_words(scores: tuple[int, int, int, int], said: str) -> None:
    view = _view("", "", rules="moon=choice", p2=f"{HEARTS} QS")
    assert _line(hint(replace(view, scores=scores), Question.MOON)).startswith(said)


@pytest.mark.parametrize("question", [Question.AGAIN, Question.CUT])
def test_there_is_no_hint_for_other_questions(question: Question) -> None:
    with pytest.raises(ValueError, match=f"no hints for {question.name}"):
        hint(_view("2C 3C", ""), question)
