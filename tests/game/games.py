"""Deals, rules and random play for the tests of the core."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from hypothesis import strategies as st

from hearts.bots import Bot, RandomBot
from hearts.bots.player import choice_of
from hearts.game.cards import FULL_DECK, cards_of, mask_of
from hearts.game.cuts import ShownCuts, hash_of, shown_cuts
from hearts.game.deal import Hands
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Event, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import RULES_BY_BITS, STANDARD, Direction, Rules
from hearts.game.view import View, view_of
from hearts.table.inputs import QUESTIONS, AnswerAgain, Cut


def rules_of(numbers: Iterable[int]) -> Rules:
    """The rules with a number for each of RULES_BY_BITS, of two that clash the second."""
    rules = STANDARD
    for rule, number in zip(RULES_BY_BITS, numbers, strict=True):
        rules = rules.having(rule.field, rule.kind(number))
    return rules


def rules_by(source: random.Random) -> Rules:
    return rules_of(source.randrange(len(rule.values)) for rule in RULES_BY_BITS)


ALL_RULES = st.tuples(*(st.integers(0, len(rule.values) - 1) for rule in RULES_BY_BITS)).map(
    rules_of
)
SEEDS = st.integers(0, 2**32 - 1)
_VALUES = st.binary(min_size=32, max_size=32).filter(any)
_PARTS = st.one_of(
    st.just((b"", b"")),
    _VALUES.map(lambda value: (hash_of(value), value)),
    _VALUES.map(lambda value: (hash_of(value), b"")),
)


def _shown_of(*parts: tuple[bytes, bytes]) -> ShownCuts:
    return shown_cuts(*zip(*parts, strict=True))


SHOWN = st.builds(_shown_of, _PARTS, _PARTS, _PARTS, _PARTS)
"""What players were committed to and have shown: some a value, some nothing of it, some none."""


def deal_by(source: random.Random) -> Deal:
    """A deal: often a plain shuffle, and often one with long suits and voids."""
    skew = source.choice([0.0, 0.0, 1.0, 3.0])
    deck = sorted(range(52), key=lambda card: card // 13 * skew + source.random() * 4)
    cut = source.randrange(52)
    deck = deck[cut:] + deck[:cut]
    a, b, c, d = (sum(1 << card for card in deck[i : i + 13]) for i in range(0, 52, 13))
    return Deal((a, b, c, d))


def secret_deal_by(source: random.Random) -> Deal:
    return Deal.from_secret(source.randbytes(16))


def cut_deal_by(source: random.Random) -> Deal:
    """A deal that follows from a secret, and from the values that some players have shown."""
    value, other = source.randbytes(32), source.randbytes(32)
    kinds = [(hash_of(value), value), (hash_of(other), b""), (b"", b"")]
    shown = _shown_of(*(source.choice(kinds) for _ in range(4)))
    return Deal.from_shown(source.randbytes(16), shown)


def play_by_chance(
    game: Game,
    source: random.Random,
    hands: int,
    deal: Callable[[random.Random], Deal] = deal_by,
) -> Iterator[tuple[Action, list[Event]]]:
    """Play some hands by chance: each action that was checked and done, with its events."""
    bot = RandomBot(source.random)
    while True:
        action: Action
        match game.phase:
            case Phase.OVER:
                return
            case Phase.DEAL:
                if not hands:
                    return
                hands -= 1
                action = deal(source)
            case Phase.PASS:
                player = source.choice(game.waiting_for())
                action = Pass(player, bot.choose_pass(view_of(game, player)))
            case Phase.PLAY:
                (player,) = game.waiting_for()
                action = Play(player, bot.choose_card(view_of(game, player)))
            case Phase.MOON:
                (player,) = game.waiting_for()
                action = ChooseMoon(player, bot.choose_moon(view_of(game, player)))
        game.check(action)
        yield action, game.apply(action)


def game_by_chance(
    rules: Rules,
    seed: int,
    hands: int,
    end_score: int = 100,
    deal: Callable[[random.Random], Deal] = deal_by,
) -> list[Action]:
    game = Game(rules, end_score)
    return [action for action, _ in play_by_chance(game, random.Random(seed), hands, deal)]


BLANK = View(
    0,
    STANDARD,
    100,
    (0, 0, 0, 0),
    0,
    Direction.HOLD,
    0,
    0,
    (),
    (),
    0,
    (),
    0,
    (),
    (0, 0, 0, 0),
    False,
)
"""A view of nothing, from which others are made."""


def views_in(game: Game, bots: Sequence[Bot]) -> Iterator[View]:
    """The view of each choice of a hand that is dealt, before the bot of its seat makes it."""
    while game.phase in QUESTIONS:
        player = game.waiting_for()[0]
        view = view_of(game, player)
        yield view
        action = choice_of(bots[player], QUESTIONS[game.phase], view, ChosenBy.PLAYER)
        assert not isinstance(action, AnswerAgain | Cut)
        game.check(action)
        game.apply(action)


def texts(hands: Hands) -> list[list[str]]:
    """Four masks as the texts of their cards."""
    return [[str(card) for card in cards_of(hand)] for hand in hands]


def faults_of(game: Game) -> list[str]:
    """The invariants that do not hold, in words; empty for every state that play can reach."""
    wrong = []
    if any(game.dealt):
        play = game.play
        if play is None:
            cards = [*game.dealt]
            sizes = [13] * 4
        else:
            trick = mask_of(play.trick)
            cards = [*play.hands, *play.taken, trick]
            sizes = [mask.bit_count() for mask in cards]
            if play.played != len(game.history) or sum(sizes[:4]) != 52 - play.played:
                wrong.append("the number of cards played does not fit the hands")
            if any(size % 4 for size in sizes[4:8]):
                wrong.append("a player has taken part of a trick")
            if play.played < 52 and not play.legal():
                wrong.append("the player on turn has no legal card")
        if sum(cards) != FULL_DECK or sum(sizes) != 52:
            wrong.append("the 52 cards are not all there once")
    if (game.phase is Phase.OVER) != bool(game.winners):
        wrong.append("a game has winners when it is over, and only then")
    if game.phase is not Phase.OVER and max(game.scores) >= game.end_score:
        wrong.append("a score is at the end and the game goes on")
    return wrong
