"""Judges the choices of a client of the plain dialect, which has to know the rules itself."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from msgspec import Struct, field

from hearts.errors import Reason
from hearts.game.cards import QUEEN_OF_SPADES, Card, mask_of
from hearts.game.events import CardPlayed, CardsReceived, ChosenBy, PassMade, Play, YourHand
from hearts.session.messages import HAND_SIZE
from hearts.table.inputs import Choice, Question
from hearts_conformance.session.judge import Judge
from hearts_conformance.session.kept_link import Cause

CHOICES = {
    Question.PASS: "pass.choice",
    Question.CARD: "play.index",
    Question.MOON: "moon.choice",
    Question.AGAIN: "again.choice",
}
_RULES = {
    Reason.FOLLOW_SUIT: "rule.follow",
    Reason.QUEEN_MUST_GO: "rule.dump",
    Reason.NO_POINTS_ON_FIRST_TRICK: "rule.no-points",
    Reason.TWO_OF_CLUBS_LEADS: "rule.two-of-clubs",
    Reason.HEARTS_NOT_BROKEN: "rule.broken",
}
"""The check of each reason for which a card that is held may be refused."""


class Holding(Struct):
    """The client's hand by hand index, and how it came to be what it is."""

    cards: list[Card]
    played: set[int] = field(default_factory=set)
    passed: dict[int, Card] = field(default_factory=dict)
    forced: set[int] = field(default_factory=set)
    """The hand indexes that the table has played in place of the client."""

    gives: Sequence[int] = ()

    def receive(self, cards: Sequence[Card]) -> None:
        """Put received cards into the places of those that were passed."""
        for index, card in zip(self.gives, cards, strict=True):
            self.passed[index] = self.cards[index]
            self.cards[index] = card

    @property
    def left(self) -> list[int]:
        """The hand indexes of the cards that are still held."""
        return [index for index in range(HAND_SIZE) if index not in self.played]


class PlainJudge(Judge):
    """Follows the client's hand by hand index."""

    holding = Holding([])

    def note(self, event: Cause) -> None:
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
                self._verdict = None
                if by is not ChosenBy.PLAYER:
                    holding.forced.add(index)

    def _mark_legal(self, question: Question, choice: Choice) -> None:
        self._marks.show(CHOICES[question])
        if not isinstance(choice, Play):
            return
        for reason in self._host.reasons():
            self._marks.show(self._rule(reason))
        if self.holding.played:
            self._marks.show("play.held")
        if self.holding.cards.index(choice.card) in self.holding.passed:
            self._marks.show("pass.places")

    def _mark_illegal(
        self, question: Question, choice: Choice | None, reason: Reason, answer: bytes
    ) -> None:
        values = struct.unpack(f">{len(answer) // 4}i", answer)
        if question is not Question.CARD:
            self._marks.fail(CHOICES[question], f"{values} came")
            return
        (index,) = values
        card = self.holding.cards[index] if 0 <= index < HAND_SIZE else "no card"
        came = f"hand index {index} came, {card}: status {int(reason)}; {self._seen()}"
        certain = self._certain_cause(index, reason)
        if certain is not None:
            self._marks.fail(certain, came)
            return
        wrong = "pass.places" if self._fits_the_old_hand(index) else None
        self._doubt(wrong, self._rule(reason), came)

    def _certain_cause(self, index: int, reason: Reason) -> str | None:
        """Find the check of a client that certainly sees its hand wrongly; None if it may not."""
        holding, marks = self.holding, self._marks
        if not 0 <= index < HAND_SIZE or marks["play.index"].failed:
            return "play.index"
        if marks["play.held"].failed:
            return "play.held"
        if holding.forced and (index in holding.forced or marks["forced.card"].failed):
            return "forced.card"
        if holding.passed and marks["pass.places"].failed:
            return "pass.places"
        return "play.held" if reason is Reason.NOT_HELD else None

    def _fits_the_old_hand(self, index: int) -> bool:
        """Tell if the card would be legal for a client that has not taken what it received."""
        holding = self.holding
        old = {place: holding.passed.get(place, holding.cards[place]) for place in holding.left}
        return bool(holding.passed) and self._host.would_be_legal(mask_of(old.values()), old[index])

    def _rule(self, reason: Reason) -> str:
        """Find the rule that a reason is about."""
        view, check = self._host.view, _RULES[reason]
        if check == "rule.no-points" and view.rules.rotating_lead and not view.history:
            return "rule.rotate"
        if check == "rule.broken" and QUEEN_OF_SPADES in view.history:
            return "rule.queen-keeps"
        return check
