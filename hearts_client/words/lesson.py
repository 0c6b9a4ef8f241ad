"""The guided first hand: its moments and words, and doubts about choices that cost much.

``hearts/bots/lesson.json`` has the deal and the words. The page reads it too, and finds the same
moments in ``hearts_web/page/client/lesson.js``; both are held to ``tests/vectors/lesson.json``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from hearts.bots.hints import hint
from hearts.bots.reading import LOWER
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.bots.swift.rows import rows_of
from hearts.game.cards import QUEEN_OF_SPADES, SPADES_MASK, Card, Suit
from hearts.game.events import Pass, Play, TrickTaken
from hearts.game.view import View
from hearts.session.client_events import DealerEvent, YourChoice
from hearts.session.messages import Scores
from hearts.session.picture import Picture
from hearts.table.inputs import Question

from .hints import hint_in_words
from .style import Style

TITLE = "Your first hand"
At = Literal["pass", "card", "trick", "end"]
"""The times of a hand at which something is said: a pass or a card is asked for, a trick or the
hand is over."""
_QUEEN = 1 << QUEEN_OF_SPADES


class LessonStep(Struct, frozen=True):
    """A moment and its words."""

    key: str
    at: At
    en: str
    de: str


class Words(Struct, frozen=True):
    """The words of one language that are filled in."""

    you: str
    suits: tuple[str, str, str, str]


class Lesson(Struct, frozen=True):
    """The text of ``lesson.json``."""

    deal: str
    secret: str
    """The secret of the deal, for the page."""
    level: str
    """The strength of the computers, whose choices follow from what they see."""
    names: tuple[str, str, str]
    """The names of the computers, from the left on."""
    unwise: int
    """The cost from which on a card is worth a word, in units of the network."""
    en: Words
    de: Words
    steps: tuple[LessonStep, ...]


@cache
def lesson() -> Lesson:
    return msgspec.json.decode(
        files("hearts.bots").joinpath("lesson.json").read_bytes(), type=Lesson
    )


class PastTrick(Struct, frozen=True, gc=False):
    """A trick that is over."""

    cards: tuple[Card, ...]
    best: Card
    winner: int


class LessonMoment(Struct, frozen=True):
    """A view with the tricks that are over."""

    view: View
    tricks: tuple[PastTrick, ...]

    @property
    def follows(self) -> bool:
        """True if the player must follow suit."""
        trick = self.view.trick
        return bool(trick) and bool(self.view.hand & trick[0].suit.mask)

    @property
    def leads(self) -> bool:
        return not self.view.trick and bool(self.tricks)

    @property
    def best(self) -> Card:
        """The card that takes the trick as it lies."""
        trick = self.view.trick
        return max(card for card in trick if card.suit is trick[0].suit)

    @property
    def is_queen_out(self) -> bool:
        """True if somebody else holds the queen of spades."""
        return bool(self.view.unseen & _QUEEN)

    @property
    def holders(self) -> list[int]:
        """The players who have taken points."""
        return [player for player, points in enumerate(self.view.points) if points]


def moment_of(view: View) -> LessonMoment:
    return LessonMoment(view, tuple(_tricks(view)))


def _tricks(view: View) -> Iterator[PastTrick]:
    leader = view.first_leader
    for start in range(0, len(view.history) // 4 * 4, 4):
        cards = view.history[start : start + 4]
        best = max(card for card in cards if card.suit is cards[0].suit)
        leader = (leader + cards.index(best)) % 4
        yield PastTrick(cards, best, leader)


def _always(now: LessonMoment) -> bool:
    return True


def _may_duck(now: LessonMoment) -> bool:
    held = now.view.hand & now.view.trick[0].suit.mask if now.follows else 0
    below = held & LOWER[now.best] if held else 0
    return bool(below) and below != held


def _may_flush(now: LessonMoment) -> bool:
    spades = now.view.hand & SPADES_MASK
    return now.leads and now.is_queen_out and bool(spades) and spades < _QUEEN


_HOLDS: Mapping[str, Callable[[LessonMoment], bool]] = {
    "high": lambda now: not now.tricks and now.follows,
    "follow": lambda now: now.follows,
    "lead": lambda now: now.leads,
    "duck": _may_duck,
    "last": lambda now: now.follows and len(now.view.trick) == 3,
    "void": lambda now: bool(now.view.trick) and not now.follows,
    "flush": _may_flush,
    "danger": lambda now: now.is_queen_out and now.view.hand & SPADES_MASK > _QUEEN,
    "holding": lambda now: bool(now.view.hand & _QUEEN),
    "hearts": lambda now: now.leads and now.view.broken and bool(now.view.hand & Suit.HEARTS.mask),
    "few": lambda now: len(now.tricks) == 9,
    "broken": lambda now: now.view.broken,
    "queen": lambda now: QUEEN_OF_SPADES in now.tricks[-1].cards,
    "mine": lambda now: now.view.player in now.holders,
    "alone": lambda now: len(now.holders) == 1 and max(now.view.points) > 3,
    "shared": lambda now: len(now.holders) > 1,
    "count": lambda now: len(now.holders) > 1,
    "shot": lambda now: len(now.holders) == 1,
}
"""The conditions of the moments, by their keys; the others come at their first time."""


class Guide:
    """Says each thing once, at its moment, in English."""

    def __init__(self, card: Callable[[Card], str]) -> None:
        """``card`` gives the name of a card."""
        self._card = card
        self._left = list(lesson().steps)

    def say(self, at: At, view: View, names: Sequence[str]) -> list[str]:
        """Return what there is to say now; it is not said again."""
        now = moment_of(view)
        steps = [
            step for step in self._left if step.at == at and _HOLDS.get(step.key, _always)(now)
        ]
        self._left = [step for step in self._left if step not in steps]
        filled = self._words(now, names) if steps else {}
        return [step.en.format_map(filled) for step in steps]

    def _words(self, now: LessonMoment, names: Sequence[str]) -> dict[str, str]:
        view, words = now.view, lesson().en
        called = [words.you if seat == view.player else names[seat] for seat in range(4)]
        last = now.tricks[-1] if now.tricks else None
        return {
            "left": called[(view.player + 1) % 4],
            "right": called[(view.player + 3) % 4],
            "cards": " ".join(map(self._card, view.received)),
            "led": words.suits[view.trick[0].suit] if view.trick else "",
            "best": self._card(now.best if view.trick else last.best if last else QUEEN_OF_SPADES),
            "first": called[view.first_leader],
            "taker": called[last.winner] if last else "",
            "rival": called[now.holders[0]] if now.holders else "",
            "points": str(view.points[view.player]),
            "scores": ", ".join(
                f"{name} {points}" for name, points in zip(called, view.points, strict=True)
            ),
        }


def better(view: View, choice: Play | Pass) -> tuple[Card, ...]:
    """Return the card to play, or those to pass, if the choice costs much more; else none."""
    network = shipped_network()
    bot = SwiftBot(network)
    if isinstance(choice, Pass):
        wise = bot.choose_pass(view)
        return () if set(wise) & set(choice.cards) else wise
    card, costs = bot.choose_card(view), network.costs(rows_of(view))
    return (card,) if costs[choice.card] - costs[card] >= lesson().unwise else ()


class Tutor:
    """Explains a hand while it is played, and says which choices cost much."""

    def __init__(self, style: Style, picture: Picture, name: Callable[[int], str]) -> None:
        self._guide = Guide(style.card)
        self._style = style
        self._picture = picture
        self._name = name
        self._doubted: frozenset[Card] = frozenset()
        self.is_over = False

    def teach(self, event: DealerEvent) -> list[str]:
        """Return what there is to say at an event that the picture knows."""
        at: At
        match event:
            case YourChoice(Question.PASS):
                at = "pass"
            case YourChoice(Question.CARD):
                at = "card"
            case TrickTaken() if not self._picture.hand.is_over:
                at = "trick"
            case Scores():
                at, self.is_over = "end", True
            case _:
                return []
        return self._guide.say(at, self._picture.view(), [self._name(seat) for seat in range(4)])

    def doubt(self, cards: Sequence[Card]) -> str:
        """Say what is better than to pass or play some cards; empty if nothing is, or if it was
        said of these cards before.
        """
        if self._doubted == set(cards):
            return ""
        view = self._picture.view()
        choice = Play(view.player, cards[0]) if len(cards) == 1 else Pass(view.player, (*cards,))
        if not better(view, choice):
            return ""
        self._doubted = frozenset(cards)
        question = Question.CARD if isinstance(choice, Play) else Question.PASS
        advice = hint_in_words(hint(view, question), self._style, self._name)
        return f"{self._style.cards(cards)} would probably cost you more. {advice}"
