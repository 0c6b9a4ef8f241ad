"""Judges what the client answers: what a legal one shows, what an illegal one is put down to."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.dealer.answers import ANSWERS, LeadAnswer, PassAnswer
from hearts.dealer.frames import Frame
from hearts.errors import Reason, RemoteProtocolError
from hearts.game.cards import Card, mask_of
from hearts.game.events import CardPlayed, CardsReceived, ChosenBy, Pass, PassMade, Play, YourHand
from hearts.table import Choice, Cut, Question
from hearts_conformance.checks import Check, Marks
from hearts_conformance.session.doubts import Doubts
from hearts_conformance.session.host import Host, card_text
from hearts_conformance.session.kept_link import Cause

from . import checks
from .cut_judge import CutJudge

_FRAMED = (checks.FRAMES, checks.NO_ACKS, checks.IN_REPLY_TO, checks.ANSWER_TYPE)
"""Checks that each right answer shows."""


class DealerJudge:
    """Follows the client's hand, and judges what it chooses of it."""

    def __init__(self, host: Host, marks: Marks) -> None:
        self._host = host
        self._marks = marks
        self._wanted: set[Card] = set()
        """Cards of answers that were not taken."""
        self._decided: dict[Card, Check] = {}
        """Cards that the table has chosen for the client, and what says so."""
        self._received: set[Card] = set()
        self._gone: set[Card] = set()
        self.cuts = CutJudge(host.me, marks)
        self.doubts = Doubts(marks)
        self._is_misled = False

    def note(self, event: Cause | None) -> None:
        """The client is told this."""
        self.cuts.note(event)
        match event:
            case YourHand():
                for cards in (self._wanted, self._received, self._gone):
                    cards.clear()
                self._decided.clear()
            case PassMade(player, cards, by) if player == self._host.me:
                self._lose(cards, by, checks.FORCED_PASS)
            case CardPlayed(player, card, by) if player == self._host.me:
                self._lose([card], by, checks.FORCED_CARD)
            case CardsReceived(cards):
                self._received.update(cards)
            case _:
                pass

    def _lose(self, cards: Sequence[Card], by: ChosenBy, check: Check) -> None:
        self.doubts.begin_choice()
        self._gone.update(cards)
        if by is not ChosenBy.PLAYER:
            # A client that had answered, and plays another card than it has lost, has not read on.
            cause = checks.LOST if self._wanted else check
            self._decided.update(dict.fromkeys(cards, cause))
        self._received.difference_update(cards)

    def want(self, cards: Sequence[Card]) -> None:
        """An answer with these cards came that is not taken: they stay if they are."""
        self._wanted.update(cards)

    def mislead(self) -> None:
        """The client is told that a legal choice is not legal, and may well try anything."""
        self._is_misled = True

    def is_legal(self, question: Question, choice: Choice | None) -> bool:
        """Whether an answer is right, and what that shows; None is a payload that means nothing."""
        reason = self._why_not(choice)
        if choice is not None and reason is None:
            self._is_misled = False
            self._praise(question, choice)
            return True
        if self._is_misled:
            return False
        match choice:
            case Play(_, card):
                self._blame(card, reason or Reason.NOT_HELD)
            case Pass(_, cards):
                came = f"{card_text(cards)} came; the hand is {self._hand}"
                self._marks.fail(checks.PASS, came)
            case Cut():
                self._marks.fail(*self.cuts.blame(choice))
            case _:
                self._marks.fail(checks.ANSWERS[question], "a payload that means nothing came")
        return False

    def _why_not(self, choice: Choice | None) -> Reason | None:
        if choice is None or (isinstance(choice, Cut) and not self.cuts.fits(choice)):
            return Reason.NOT_HELD
        return self._host.why_not(choice)

    def _praise(self, question: Question, choice: Choice) -> None:
        for check in (*_FRAMED, checks.ANSWERS[question]):
            self._marks.show(check)
        if not isinstance(choice, Play):
            return
        self._marks.show(checks.LEGAL)
        if self._gone:
            self._marks.show(checks.LOST)
        if choice.card in self._received:
            self._marks.show(checks.TAKEN)

    def _blame(self, card: Card, reason: Reason) -> None:
        view = self._host.view
        came = (
            f"{card} came, reason {int(reason)}; rules {view.rules}, "
            f"trick {card_text(view.trick)}, hand {self._hand}, legal {card_text(view.legal)}"
        )
        certain = self._certain_cause(card, reason)
        if certain is not None:
            self._marks.fail(certain, came)
            return
        believed = {checks.LOST: self._wanted, checks.TAKEN: self._received}
        fits = (check for check, cards in believed.items() if self._would_be_legal(card, cards))
        self.doubts.note(next(fits, None), checks.LEGAL, came)

    def _certain_cause(self, card: Card, reason: Reason) -> Check | None:
        """The check that fails because the client sees its hand wrongly; None if it may not."""
        earlier = self._marks.first_failed([checks.LOST, checks.TAKEN])
        if earlier is not None:
            return earlier
        if card in self._decided:
            return self._decided[card]
        if reason is not Reason.NOT_HELD:
            return None
        return checks.LOST if card in self._gone else checks.CARD

    def _would_be_legal(self, card: Card, without: set[Card]) -> bool:
        """Whether it would be for who does not hold some of the cards that it holds."""
        hand = self._host.view.hand
        believed = hand & ~mask_of(without)
        return believed != hand and self._host.would_be_legal(believed, card)

    @property
    def _hand(self) -> str:
        return card_text(self._host.view.hand)


def cards_of(answer: Frame) -> tuple[Card, ...]:
    """The cards of an answer to a query for a pass or a card; none in other frames."""
    kind = ANSWERS.get(answer.type)
    try:
        given = None if kind is None else kind.decode(answer.payload)
    except RemoteProtocolError:
        return ()
    match given:
        case LeadAnswer():
            return (given.card,)
        case PassAnswer(cards):
            return cards
        case _:
            return ()
