"""Whether the deals are those that the server promised (SocketSpec.md sections 7.7 and 14.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hearts.cards import CARDS, Card, mask_of
from hearts.deal import NO_CUT, Hands, commitment, deal_hands
from hearts.rules import Direction
from hearts.verify import passes_of

DrawCut = Callable[[], bytes]
"""Gives 8 bytes that nobody can foresee."""


@dataclass(slots=True)
class _Hand:
    player: int
    direction: Direction
    dealt: int
    passed: int = 0
    played: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    @property
    def is_over(self) -> bool:
        return sum(mask.bit_count() for mask in self.played) == len(CARDS)


class Deals:
    """The deal under way, as one seat sees it; outlives the connections of its session."""

    def __init__(self, draw_cut: DrawCut | None = None) -> None:
        """``draw_cut`` is for who wants to cut each deal."""
        self._draw_cut = draw_cut
        self._deal = 0
        self._digest: bytes | None = None
        self._is_double = False
        self._cut = NO_CUT
        self._is_cut_sure = False
        self._hand: _Hand | None = None

    @property
    def are_cut(self) -> bool:
        """Whether each deal is to be cut."""
        return self._draw_cut is not None

    def connection_began(self) -> None:
        """Whether a cut has arrived over the connection before is not known."""
        self._is_cut_sure = False

    def promise(self, deal: int, digest: bytes) -> None:
        """The commitment of a deal; who comes back hears it once more."""
        if deal != self._deal:
            self._deal = deal
            self._cut = NO_CUT
            self._is_double = False
            self._hand = None
        elif self._digest != digest:
            self._is_double = True
        self._digest = digest

    def cut(self, deal: int) -> bytes | None:
        """What we add to the deal that was promised, always the same; None for nothing."""
        if self._draw_cut is None or deal != self._deal:
            return None
        if self._cut == NO_CUT:
            self._cut = self._draw_cut()
        self._is_cut_sure = True
        return self._cut

    def cut_was_late(self) -> None:
        """The server went on without our cut."""
        self._is_cut_sure = False

    def begin_hand(self, player: int, direction: Direction, cards: Sequence[Card]) -> None:
        """What we were dealt."""
        self._hand = _Hand(player, direction, mask_of(cards))

    def passed(self, cards: Sequence[Card]) -> None:
        """What we passed."""
        if self._hand is not None:
            self._hand.passed = mask_of(cards)

    def played(self, player: int, card: Card) -> None:
        """A card lies on the table."""
        if self._hand is not None:
            self._hand.played[player] |= 1 << card

    def has_seen(self, deal: int) -> bool:
        """Whether we have seen the whole hand of a deal, so that it can be checked."""
        return deal == self._deal and self._hand is not None and self._hand.is_over

    def problem(self, secret: bytes, cuts: bytes) -> str | None:
        """What is wrong with the deal whose hand we have seen; None if nothing is."""
        hand = self._hand
        assert hand is not None
        hands = deal_hands(secret, cuts)
        own_cut = cuts[len(NO_CUT) * hand.player :][: len(NO_CUT)]
        if self._is_double:
            return "it was promised twice, and not the same"
        if self._digest != commitment(secret):
            return "it is not the one that was promised"
        if own_cut != self._cut and (self._is_cut_sure or own_cut != NO_CUT):
            return "our cut is not in it"
        if hands[hand.player] != hand.dealt:
            return "it does not give the cards that we had"
        if not self._fits(hand, hands):
            return "it does not give the cards that were played"
        return None

    @staticmethod
    def _fits(hand: _Hand, hands: Hands) -> bool:
        passes = passes_of(hands, hand.played, hand.direction)
        return passes is not None and passes[hand.player] == hand.passed
