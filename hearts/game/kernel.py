"""The one rules kernel: the play of a hand on integers, for tables, tournaments and search alike.

Cards are indexes 0-51 and sets of cards are masks (see :mod:`hearts.game.cards`). SocketSpec.md
section 6 says in words what is legal and why.
"""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import IllegalAction, Reason

from .cards import FULL_DECK, HEARTS_MASK, POINTS_MASK, QUEEN_OF_SPADES, SPADES_MASK, TWO_OF_CLUBS
from .rules import Rules

NO_SUIT = -1
"""The suit led while nothing is led yet."""

_QUEEN = 1 << QUEEN_OF_SPADES
_TWO_OF_CLUBS = 1 << TWO_OF_CLUBS
_ABOVE_QUEEN = 0b11 << QUEEN_OF_SPADES + 1
_NOT_POINTS = FULL_DECK & ~POINTS_MASK
_NOT_HEARTS = FULL_DECK & ~HEARTS_MASK
_SUIT_OF = tuple(card // 13 for card in range(52))
_BIT = tuple(1 << card for card in range(52))
_SUIT_MASK = tuple(0x1FFF << 13 * suit for suit in range(4))
_SPADES = SPADES_MASK.bit_length() // 13 - 1


def first_leader(hands: Sequence[int], rules: Rules, hand_number: int) -> int:
    """Give the leader of the first trick of a hand; ``hand_number`` counts from 0 in each game."""
    if rules.rotating_lead:
        return hand_number % 4
    return next(player for player in range(4) if hands[player] & _TWO_OF_CLUBS)


class HandPlay:
    """The thirteen tricks of one hand, from the first lead to the last card.

    Every field may be read; only :meth:`play` changes them. ``play`` trusts its caller, who takes
    a card from :meth:`legal`; untrusted cards go through :meth:`check` first.
    """

    def __init__(self, hands: list[int], rules: Rules, leader: int) -> None:
        """Begin the play with the hands as they are after the pass.

        ``leader`` comes from :func:`first_leader` or from the wire. A player who knows only
        their own hand gives empty sets for the others; what is played then collects in them.
        """
        self.hands = hands
        """The cards that each player still holds, as masks."""
        self.taken = [0, 0, 0, 0]
        """The cards in the tricks that each player took, as masks."""
        self.trick: list[int] = []
        """The cards of the trick under way, from the leader on."""
        self.played = 0
        self.broken = False
        self.suit = NO_SUIT
        self.best = -1
        self.winner = -1
        """The player who holds the trick under way so far; -1 before its first card."""
        self.rotating = rules.rotating_lead
        self.open_first = rules.points_on_first_trick
        self.must_dump = rules.must_dump_queen
        self.simple = False
        """True if only following suit and breaking hearts count: past the first trick, mostly."""
        self.points_break = HEARTS_MASK if rules.queen_keeps_hearts else POINTS_MASK
        self.leader = leader
        """The leader of the trick under way."""
        self.turn = leader

    def copy(self) -> HandPlay:
        """Return an independent copy, for search."""
        other = HandPlay.__new__(HandPlay)
        vars(other).update(vars(self))
        other.hands = self.hands.copy()
        other.taken = self.taken.copy()
        other.trick = self.trick.copy()
        return other

    @property
    def over(self) -> bool:
        return self.played == 52

    @property
    def seen(self) -> int:
        """Every card that lies open: in tricks taken and in the trick under way."""
        taken = self.taken
        seen = taken[0] | taken[1] | taken[2] | taken[3]
        for card in self.trick:
            seen |= _BIT[card]
        return seen

    def legal(self) -> int:
        """Return the cards that the player on turn may play, as a mask; 0 only when the hand is
        over.
        """
        hand = self.hands[self.turn]
        suit = self.suit
        if self.simple:
            if suit >= 0:
                return hand & _SUIT_MASK[suit] or hand
            return hand if self.broken else hand & _NOT_HEARTS or hand
        return self._legal_in_full(hand, suit)

    def _legal_in_full(self, hand: int, suit: int) -> int:
        if suit < 0:
            if not self.rotating and not self.played:
                return hand & _TWO_OF_CLUBS
            legal = hand if self.broken else hand & _NOT_HEARTS or hand
        else:
            legal = hand & _SUIT_MASK[suit] or hand
        if self.played < 4 and not self.open_first:
            legal = legal & _NOT_POINTS or legal
        if self.must_dump and legal & _QUEEN and self._queen_is_due(hand, suit):
            return _QUEEN
        return legal

    def _queen_is_due(self, hand: int, suit: int) -> bool:
        if suit < 0:
            return False
        if not hand & _SUIT_MASK[suit]:
            return True
        return suit == _SPADES and any(_BIT[card] & _ABOVE_QUEEN for card in self.trick)

    def play(self, card: int) -> None:
        """Play a legal card for the player on turn."""
        turn = self.turn
        bit = _BIT[card]
        self.hands[turn] ^= bit
        if not self.broken and bit & self.points_break:
            self.broken = True
        suit = _SUIT_OF[card]
        if self.suit < 0:
            self.suit = suit
            self.best = card
            self.winner = turn
        elif suit == self.suit and card > self.best:
            self.best = card
            self.winner = turn
        trick = self.trick
        trick.append(card)
        self.played = played = self.played + 1
        if played & 3:
            self.turn = turn + 1 & 3
            return
        a, b, c, _ = trick
        winner = self.winner
        self.taken[winner] |= _BIT[a] | _BIT[b] | _BIT[c] | bit
        self.leader = self.turn = winner
        self.suit = -1
        self.trick = []
        self.winner = -1
        self.simple = not self.must_dump

    def check(self, card: int) -> None:
        """Raise IllegalAction, with the reason, if the player on turn may not play a card."""
        if not 0 <= card < 52 or not self.legal() & _BIT[card]:
            raise IllegalAction(self._why_not(card))

    def _why_not(self, card: int) -> Reason:
        hand = self.hands[self.turn]
        if not 0 <= card < 52 or not hand & _BIT[card]:
            return Reason.NOT_HELD
        is_lead = self.suit < 0
        points_wait = self.played < 4 and not self.open_first and not self.legal() & POINTS_MASK
        follows = not is_lead and bool(hand & _SUIT_MASK[self.suit])
        rows = (
            (is_lead and not self.rotating and not self.played, Reason.TWO_OF_CLUBS_LEADS),
            (follows and _SUIT_OF[card] != self.suit, Reason.FOLLOW_SUIT),
            (points_wait and bool(_BIT[card] & POINTS_MASK), Reason.NO_POINTS_ON_FIRST_TRICK),
            (not is_lead, Reason.QUEEN_MUST_GO),
            (True, Reason.HEARTS_NOT_BROKEN),
        )
        return next(reason for holds, reason in rows if holds)
