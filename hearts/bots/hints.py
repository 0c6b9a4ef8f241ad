"""Hints for a person: the choice of the bot swift in their place, and the reasons for it.

The reasons are read from the figures that the simple bot decides by. If it would choose the same
and a part of a cost (a moon, the queen) has turned the choice, that part is the reason; otherwise
the reason is what the card does in the trick. Each reason is true, and the person can see that it
is.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from hearts.game.cards import HEARTS_MASK, POINTS_MASK, QUEEN_OF_SPADES, Card, Suit, cards_of
from hearts.game.scoring import points_by
from hearts.game.view import View
from hearts.table.inputs import Question

from .costs import Cost, cost_of
from .passing import ENOUGH_GUARDS, cards_to_pass
from .player import MoonBot
from .reading import HIGHER, LOWER, SUIT_MASKS, Reading, read
from .simple import SimpleBot, moon_on_others
from .swift.bot import SwiftBot, shipped_network
from .weighing import Weighing

_QUEEN = 1 << QUEEN_OF_SPADES
_UNLIKELY = 0.5
"""A chance to take the trick below which it is not expected."""


class Why(Enum):
    """The reason of a choice; :mod:`hearts_client.words.hints` has the sentence of each."""

    # A card, whatever its place in the trick
    ONLY_CARD = auto()
    STOP_MOON = auto()
    STARVE_MOON = auto()
    NO_TRICK = auto()
    BALANCE = auto()
    # Leading
    FLUSH_QUEEN = auto()
    LEAD_LOW = auto()
    LEAD_SAFE = auto()
    # Following suit
    FIRST_TRICK = auto()
    DUCK_HIGHEST = auto()
    DUCK = auto()
    QUEEN_BELOW = auto()
    TAKE_FREE = auto()
    TAKE_GAIN = auto()
    MUST_TAKE = auto()
    MAY_TAKE = auto()
    # Another suit
    SHED_QUEEN = auto()
    SHED_ABOVE_QUEEN = auto()
    SHED_POINTS = auto()
    SHED_HIGH = auto()
    # A pass
    PASS_SPADES = auto()
    PASS_VOID = auto()
    PASS_HEARTS = auto()
    PASS_HIGH = auto()
    # A moon
    MOON_GAINS_TIME = auto()
    MOON_NEARS_END = auto()
    MOON_WINS = auto()
    MOON_LOSES = auto()


class HintReason(Struct, frozen=True, gc=False):
    """A reason, with the cards, the player and the number that its sentence names."""

    why: Why
    cards: tuple[Card, ...] = ()
    """The cards of the reason: the best one on the table, that of a lead, or some of a pass."""
    player: int | None = None
    """The player who has all the points, or who would win."""
    number: int = 0
    """The points of the player who has them all, or of a moon; the number of spades below the
    queen; for a lead the number of cards of its suit that are out and higher."""
    out: int = 0
    """For a lead: the number of cards of its suit that are out, which nobody can see."""


class Hint(Struct, frozen=True, gc=False):
    """The recommended choice, with its reasons."""

    reasons: tuple[HintReason, ...]
    """One reason; for a pass up to two, the weightier first."""
    cards: tuple[Card, ...] = ()
    """The card to play, or the three to pass; empty for a moon."""
    on_others: bool | None = None
    """True if a moon should count on each of the others; None if no moon is asked for."""
    moon: int = 0
    """The points of that moon."""


def hint(view: View, question: Question, bot: MoonBot | None = None) -> Hint:
    """Give the choice of a bot, swift if none is given. Raises ValueError if it has no opinion."""
    bot = bot or SwiftBot(shipped_network())
    match question:
        case Question.CARD:
            return _hint_card(view, bot)
        case Question.PASS:
            cards = tuple(bot.choose_pass(view))
            return Hint(_pass_reasons(view, cards), cards)
        case Question.MOON:
            on_others = bot.choose_moon(view)
            return Hint((_moon_reason(view),), on_others=on_others, moon=points_by(view.rules).moon)
        case _:
            raise ValueError(f"there are no hints for {question.name}")


def _hint_card(view: View, bot: MoonBot) -> Hint:
    legal = tuple(cards_of(view.legal))
    if len(legal) == 1:
        return Hint((HintReason(Why.ONLY_CARD),), legal)
    reading = read(view)
    weighing = Weighing(view, reading)
    costs = {card: cost_of(card, view, reading, weighing) for card in legal}
    chosen = bot.choose_card(view)
    choice = _Choice(view, reading, weighing, costs, chosen)
    by_rule = min(costs, key=lambda card: (costs[card].total, card))
    return Hint((choice.reason(by_rule),), (chosen,))


class _Choice(Struct):
    """One card that was chosen among others."""

    view: View
    reading: Reading
    weighing: Weighing
    costs: Mapping[Card, Cost]
    chosen: Card

    @property
    def cost(self) -> Cost:
        return self.costs[self.chosen]

    def reason(self, by_rule: Card) -> HintReason:
        """Find the reason for the chosen card, where the simple bot chooses ``by_rule``."""
        if self.chosen == by_rule:
            return self._turned() or self._in_trick()
        reason = self._in_trick()
        return replace(reason, why=Why.BALANCE) if reason.why in _OF_RULES else reason

    def _in_trick(self) -> HintReason:
        best = self.reading.best
        if best is None:
            return self._leading()
        if self.chosen.suit != self.view.trick[0].suit:
            return HintReason(self._why_shed())
        return self._following(Card(best))

    def _turned(self) -> HintReason | None:
        """Return the reason if a part of the cost beside the trick itself has turned the choice."""
        suspect = self.reading.suspect
        if suspect is not None and self._turns({card: c.moon for card, c in self.costs.items()}):
            stops = self.cost.moon < 0
            if stops or not POINTS_MASK >> self.chosen & 1:
                why = Why.STOP_MOON if stops else Why.STARVE_MOON
                return HintReason(why, player=suspect, number=self.reading.suspect_points)
        if self._turns({card: c.bonus for card, c in self.costs.items()}):
            return HintReason(Why.NO_TRICK)
        return None

    def _turns(self, part: Mapping[Card, float]) -> bool:
        """Tell whether another card would have been chosen without this part of the costs."""
        costs = self.costs
        return min(costs, key=lambda card: (costs[card].total - part[card], card)) != self.chosen

    def _leading(self) -> HintReason:
        card, cost = self.chosen, self.cost
        out = self.reading.out & SUIT_MASKS[card.suit]
        higher = (out & HIGHER[card]).bit_count()
        why = _first(
            (bool(cost.flush), Why.FLUSH_QUEEN),
            (cost.chance < _UNLIKELY, Why.LEAD_LOW),
            (cost.taking <= min(other.taking for other in self.costs.values()), Why.LEAD_SAFE),
        )
        return HintReason(why, (card,), number=higher, out=out.bit_count())

    def _why_shed(self) -> Why:
        card = self.chosen
        return _first(
            (card == QUEEN_OF_SPADES, Why.SHED_QUEEN),
            (card.suit is Suit.HEARTS, Why.SHED_POINTS),
            (card > QUEEN_OF_SPADES and bool(self.reading.out & _QUEEN), Why.SHED_ABOVE_QUEEN),
            # A jack that counts is shed only where nothing else is left.
            (self.cost.keeping > 0, Why.SHED_HIGH),
        )

    def _following(self, best: Card) -> HintReason:
        card = self.chosen
        below = self.view.legal & LOWER[best]
        is_last = not self.reading.behind
        points = self.weighing.points_if_won(card)
        is_highest_below = below.bit_count() > 1 and below.bit_length() - 1 == card
        why = _first(
            (card < best and card == QUEEN_OF_SPADES, Why.QUEEN_BELOW),
            (card < best and is_highest_below, Why.DUCK_HIGHEST),
            (card < best, Why.DUCK),
            (is_last and points < 0, Why.TAKE_GAIN),
            (is_last and not points, Why.TAKE_FREE),
            (is_last and not below and not self.view.legal >> card + 1, Why.MUST_TAKE),
            (not is_last and not self.weighing.points_may_fall, Why.FIRST_TRICK),
            (not is_last and not below, Why.MAY_TAKE),
        )
        return HintReason(why, (best,) if why in _NAMES_BEST else ())


_OF_RULES = {Why.LEAD_SAFE, Why.FIRST_TRICK, Why.SHED_HIGH}
"""The reasons that are so of a card by rule alone."""
_NAMES_BEST = {Why.QUEEN_BELOW, Why.DUCK_HIGHEST, Why.DUCK, Why.MUST_TAKE, Why.MAY_TAKE}
"""The reasons that name the best card on the table."""


def _first(*rows: tuple[bool, Why]) -> Why:
    """Return the first reason that holds."""
    return next((why for holds, why in rows if holds), Why.BALANCE)


def _pass_reasons(view: View, cards: tuple[Card, ...]) -> tuple[HintReason, ...]:
    reasons = []
    guards = (view.hand & LOWER[QUEEN_OF_SPADES]).bit_count()
    spades = tuple(card for card in cards if card >= QUEEN_OF_SPADES)
    if spades and guards < ENOUGH_GUARDS:
        reasons.append(HintReason(Why.PASS_SPADES, spades, number=guards))
    for suit in (Suit.CLUBS, Suit.DIAMONDS):
        of_suit = tuple(card for card in cards if card.suit is suit)
        if of_suit and len(of_suit) == (view.hand & SUIT_MASKS[suit]).bit_count():
            reasons.append(HintReason(Why.PASS_VOID, of_suit))
    hearts = tuple(card for card in cards if HEARTS_MASK >> card & 1)
    if len(hearts) > 1:
        reasons.append(HintReason(Why.PASS_HEARTS, hearts))
    by_rule = set(cards) == set(cards_to_pass(view.hand, view.rules))
    return tuple(reasons[:2]) or (HintReason(Why.PASS_HIGH if by_rule else Why.BALANCE),)


def _moon_reason(view: View) -> HintReason:
    outcome = moon_on_others(view)
    if not outcome.over:
        on_others = SimpleBot().choose_moon(view)
        return HintReason(Why.MOON_NEARS_END if on_others else Why.MOON_GAINS_TIME)
    if view.player in outcome.winners:
        return HintReason(Why.MOON_WINS)
    moon = points_by(view.rules).moon
    return HintReason(Why.MOON_LOSES, player=outcome.winners[0], number=moon)
