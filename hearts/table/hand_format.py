"""How a finished hand is one number: what :mod:`hand_packer` and :mod:`hand_unpacker` agree on.

Each step adds digits to the number, and the base of a digit is how many values it can have just
there. A card is its place among those that its player holds, or holds of the suit that was led; so
one that must be played adds nothing, and the cards say whose turn it is. The first digit has the
least weight. The digits come in this order:

- for each step before the deal, and for the deal, which one of :class:`BeforeDeal` it is, and what
  it says; a deal that was promised has the secret of the promise;
- :class:`ChoiceMarks`, and who made the choices if not the players did;
- for each step behind the last card which one of :class:`AfterPlay` it is, and what it says;
- the passes, in the order in which they came;
- the plays.

An ordinary hand takes about 32 bytes, 16 of them for the secret of its deal. What is rare takes
more: a cut 32, and a hand in which a player and others made the choices of his seat about 16.
"""

from __future__ import annotations

from enum import IntEnum

from hearts.game.cards import CARDS
from hearts.game.events import ChosenBy, Pass, Play
from hearts.game.rules import RULE_BITS_MASK
from hearts.wire.codec import INT_MAX

from .seat import Kind


class BeforeDeal(IntEnum):
    """What comes next before the cards are dealt."""

    DEAL = 0
    HANDS = 1
    """A deal that does not follow from a secret."""
    PROMISE = 2
    ANSWER = 3
    RULES = 4
    SEAT = 5
    ABORT_HAND = 6
    """A hand was broken off, of which nothing else is kept."""
    ABORT_GAME = 7


class DealCuts(IntEnum):
    """The cuts of a deal that follows from a secret."""

    NONE = 0
    GIVEN = 1
    """The 32 bytes alone."""
    SHOWN = 2
    """A digit for each player, :class:`CutShown`, and what it says."""


class CutShown(IntEnum):
    """A player's part in the cuts of a deal."""

    NONE = 0
    VALUE = 1
    MISSING = 2
    """The hash alone, of a value that was not shown."""


class ChoiceMarks(IntEnum):
    """Who passed and played."""

    PLAYERS = 0
    """The players themselves."""
    SEATS = 1
    """At each seat always the same: a digit for each seat says who."""
    CHOICES = 2
    """A digit for each choice says who. One more value says that rules come before the choice."""


class AfterPlay(IntEnum):
    """What comes next when the cards are played."""

    END = 0
    ASK = 1
    MOON = 2
    RULES = 3


CHOICES = (Play, Pass)
BYS = tuple(ChosenBy)
DIGIT_OF = {by: digit for digit, by in enumerate(BYS)}
RULES_COME = len(BYS)
KINDS = tuple(Kind)
BIT = tuple(1 << card for card in CARDS)
SUIT_OF = tuple(card.suit.mask for card in CARDS)
"""The cards of a card's suit."""
BELOW = tuple((1 << card) - 1 for card in CARDS)
PLAYS = len(CARDS)
RULES_UNIT = RULE_BITS_MASK & -RULE_BITS_MASK
"""The lowest bit of :attr:`Rules.bits` that has a meaning."""
ALL_RULES = RULE_BITS_MASK // RULES_UNIT + 1
NAME_BYTES = 256
"""A name has at most 30 characters, which is at most 120 bytes."""
PROCESS_IDS = INT_MAX + 1
