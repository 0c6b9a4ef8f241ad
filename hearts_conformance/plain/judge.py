"""Judges the client's cards: what a legal one shows, and what an illegal one is put down to."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from hearts.errors import Reason
from hearts.game.cards import QUEEN_OF_SPADES, Card, mask_of
from hearts.game.events import CardPlayed, CardsReceived, ChosenBy, PassMade, YourHand
from hearts.session.messages import HAND_SIZE
from hearts.table import TableEvent
from hearts_conformance.checks import Check, Marks
from hearts_conformance.session.doubts import Doubts
from hearts_conformance.session.host import Host, card_text

from . import checks, rule_checks


class Holding(Struct):
    """The client's hand by hand index, and how it came to be what it is."""

    cards: list[Card]
    played: set[int] = field(default_factory=set)
    passed: dict[int, Card] = field(default_factory=dict)
    """The cards that were passed, by hand index."""
    forced: set[int] = field(default_factory=set)
    """The hand indexes that the table has played in place of the client."""

    gives: Sequence[int] = ()
    """The hand indexes that are passed."""

    def receive(self, cards: Sequence[Card]) -> None:
        """Received cards take the places of those that were passed."""
        for index, card in zip(self.gives, cards, strict=True):
            self.passed[index] = self.cards[index]
            self.cards[index] = card

    @property
    def left(self) -> list[int]:
        """The hand indexes of the cards that are still held."""
        return [index for index in range(HAND_SIZE) if index not in self.played]


class PlainJudge:
    """Follows the client's hand, and judges what it plays of it."""

    def __init__(self, host: Host, marks: Marks) -> None:
        self.holding = Holding([])
        self.doubts = Doubts(marks)
        self._host = host
        self._marks = marks

    def note(self, event: TableEvent) -> None:
        """The client is told this."""
        holding = self.holding
        match event:
            case YourHand(_, _, cards):
                self.holding = Holding(list(cards))
            case PassMade(_, cards):
                holding.gives = [holding.cards.index(card) for card in cards]
            case CardsReceived(cards):
                holding.receive(cards)
            case CardPlayed(player, card, by) if player == self._host.me:
                index = holding.cards.index(card)
                holding.played.add(index)
                self.doubts.begin_choice()
                if by is not ChosenBy.PLAYER:
                    holding.forced.add(index)
            case _:
                pass

    def praise(self, index: int) -> None:
        """A card that is legal; what it shows."""
        for reason in self._host.reasons():
            self._marks.show(self._by_variant(rule_checks.RULES[reason]))
        if self.holding.played:
            self._marks.show(checks.HELD)
        if index in self.holding.passed:
            self._marks.show(checks.PLACES)

    def blame(self, index: int, reason: Reason, earlier: Check | None) -> None:
        """Take an illegal card; ``earlier`` is what has led to it, if that is known."""
        view = self._host.view
        card = self.holding.cards[index] if 0 <= index < HAND_SIZE else "no card"
        came = (
            f"hand index {index} came, {card}: status {int(reason)}; rules {view.rules}, "
            f"trick {card_text(view.trick)}, hand {card_text(view.hand)}, "
            f"legal {card_text(view.legal)}"
        )
        certain = earlier or self._certain_cause(index, reason)
        if certain is not None:
            self._marks.fail(certain, came)
            return
        rule = self._by_variant(rule_checks.RULES[reason])
        self.doubts.note(checks.PLACES if self._fits_the_old_hand(index) else None, rule, came)

    def _certain_cause(self, index: int, reason: Reason) -> Check | None:
        """The check that fails because the client sees its hand wrongly; None if it may not."""
        holding, marks = self.holding, self._marks
        if not 0 <= index < HAND_SIZE or marks[checks.INDEX].failed:
            return checks.INDEX
        if marks[checks.HELD].failed:
            return checks.HELD
        if holding.forced and (index in holding.forced or marks[checks.FORCED_CARD].failed):
            return checks.FORCED_CARD
        if holding.passed and marks[checks.PLACES].failed:
            return checks.PLACES
        return checks.HELD if reason is Reason.NOT_HELD else None

    def _fits_the_old_hand(self, index: int) -> bool:
        """Whether the card would be legal for a client that has not taken what it received."""
        holding = self.holding
        old = {place: holding.passed.get(place, holding.cards[place]) for place in holding.left}
        return bool(holding.passed) and self._host.would_be_legal(mask_of(old.values()), old[index])

    def _by_variant(self, check: Check) -> Check:
        view = self._host.view
        if check is rule_checks.NO_POINTS and view.rules.rotating_lead and not view.history:
            return rule_checks.ROTATE
        if check is rule_checks.NOT_BROKEN and QUEEN_OF_SPADES in view.history:
            return rule_checks.QUEEN_KEEPS
        return check
