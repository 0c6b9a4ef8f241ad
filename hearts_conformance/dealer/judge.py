"""Judges what a client of the dealer dialect answers, which is told the cards that are legal."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.dealer.beside import GIVEN
from hearts.dealer.frames import HEADER
from hearts.errors import Reason, RemoteProtocolError
from hearts.game.cards import Card, mask_of
from hearts.game.cuts import hash_of
from hearts.game.events import CardPlayed, CardsReceived, ChosenBy, Pass, PassMade, Play, YourHand
from hearts.session.table_words import Introduction
from hearts.table.effects import CutSettled, DealPromised
from hearts.table.inputs import Choice, Cut, Question
from hearts_conformance.checks import Marks
from hearts_conformance.session.host import Host, card_text
from hearts_conformance.session.judge import Judge
from hearts_conformance.session.kept_link import Cause

CHOICES = {
    Question.PASS: "pass.answer",
    Question.CARD: "card.answer",
    Question.MOON: "moon.answer",
    Question.AGAIN: "again.answer",
    Question.CUT: "cut.answer",
}
_FRAMED = ("frame.whole", "frame.no-acks", "answer.in-reply-to", "answer.type")
"""Checks that each right answer shows."""


class CutJudge:
    """Follows the promises that have a hash of the client."""

    def __init__(self, player: int, marks: Marks) -> None:
        self._player = player
        self._marks = marks
        self._latest = DealPromised(0, b"")
        self._deals: dict[bytes, int] = {}
        self._is_again = False
        self._missed = 0
        """The latest deal without the value that was promised."""

    @property
    def _own(self) -> bytes:
        return self._latest.hashes[self._player]

    def note(self, event: Cause | None) -> None:
        match event:
            case DealPromised():
                self._is_again = event == self._latest
                if event.deal > self._latest.deal:
                    self._latest = event
                    self._see_promise(event.deal)
            case CutSettled(player, by) if player == self._player and by is not ChosenBy.PLAYER:
                # If nothing was promised, the promise has waited for a hash.
                self._missed = self._latest.deal if self._own else 0

    def _see_promise(self, deal: int) -> None:
        if not self._own:
            if self._missed:
                self._marks.fail("cut.next", f"no hash came for deal {deal}")
            return
        before = self._deals.setdefault(self._own, deal)
        if before != deal:
            self._marks.fail("cut.another", f"deal {deal} has the hash of deal {before}")
        elif len(self._deals) > 1:
            self._marks.show("cut.another")

    def introduce(self, introduction: Introduction) -> None:
        if not introduction.cuts:
            return
        came = "P_REGISTER_PLAYER came with cuts 1 and no hash"
        self._marks.decide("cut.hash", "" if introduction.next_hash else came)

    def fits(self, cut: Cut) -> bool:
        is_right = hash_of(cut.value) == self._own
        if is_right:
            self._marks.show("cut.fits")
            if self._missed:
                self._missed = 0
                self._marks.show("cut.next")
        return is_right

    def fault_of(self, cut: Cut) -> tuple[str, str]:
        """Give the check that fails for another value than the promised one, and what came."""
        check = "cut.again" if self._is_again else "cut.fits"
        came = hash_of(cut.value).hex()
        return check, f"a value came whose hash is {came}; {self._own.hex()} is promised"


class DealerJudge(Judge):
    """Follows the client's hand card by card."""

    def __init__(self, host: Host, marks: Marks) -> None:
        super().__init__(host, marks)
        self.cuts = CutJudge(host.me, marks)
        self._wanted: set[Card] = set()
        """Cards of answers that were not accepted."""
        self._decided: dict[Card, str] = {}
        """Cards that the table has chosen for the client, each with the check that covers this."""
        self._received: set[Card] = set()
        self._gone: set[Card] = set()

    def note(self, event: Cause) -> None:
        self.cuts.note(event)
        match event:
            case YourHand():
                for cards in (self._wanted, self._received, self._gone, self._decided):
                    cards.clear()
            case PassMade(player, cards, by) if player == self._host.me:
                self._lose(cards, by, "forced.pass")
            case CardPlayed(player, card, by) if player == self._host.me:
                self._lose([card], by, "forced.card")
            case CardsReceived(cards):
                self._received.update(cards)

    def _lose(self, cards: Sequence[Card], by: ChosenBy, check: str) -> None:
        self._verdict = None
        self._gone.update(cards)
        if by is not ChosenBy.PLAYER:
            # A client that had answered, and plays another card than it has lost, has not read on.
            cause = "card.lost" if self._wanted else check
            self._decided.update(dict.fromkeys(cards, cause))
        self._received.difference_update(cards)

    def want(self, cards: Sequence[Card]) -> None:
        """Note cards of an answer that is not taken: they stay in the hand."""
        self._wanted.update(cards)

    def why_not(self, choice: Choice | None) -> Reason | None:
        if isinstance(choice, Cut) and not self.cuts.fits(choice):
            return Reason.NOT_HELD
        return super().why_not(choice)

    def _mark_legal(self, question: Question, choice: Choice) -> None:
        for check in (*_FRAMED, CHOICES[question]):
            self._marks.show(check)
        if not isinstance(choice, Play):
            return
        self._marks.show("card.legal")
        if self._gone:
            self._marks.show("card.lost")
        if choice.card in self._received:
            self._marks.show("card.taken")

    def _mark_illegal(
        self, question: Question, choice: Choice | None, reason: Reason, answer: bytes
    ) -> None:
        match choice:
            case Play(_, card):
                self._mark_illegal_card(card, reason)
            case Pass(_, cards):
                hand = card_text(self._host.view.hand)
                self._marks.fail("pass.answer", f"{card_text(cards)} came; the hand is {hand}")
            case Cut():
                self._marks.fail(*self.cuts.fault_of(choice))
            case _:
                self._marks.fail(CHOICES[question], "a payload that means nothing came")

    def _mark_illegal_card(self, card: Card, reason: Reason) -> None:
        came = f"{card} came, reason {int(reason)}; {self._seen()}"
        certain = self._certain_cause(card, reason)
        if certain is not None:
            self._marks.fail(certain, came)
            return
        believed = {"card.lost": self._wanted, "card.taken": self._received}
        fits = (check for check, cards in believed.items() if self._would_be_legal(card, cards))
        self._doubt(next(fits, None), "card.legal", came)

    def _certain_cause(self, card: Card, reason: Reason) -> str | None:
        """Find the check to blame if the client certainly misjudges its own hand, or None."""
        earlier = self._marks.first_failed(["card.lost", "card.taken"])
        if earlier is not None:
            return earlier
        if card in self._decided:
            return self._decided[card]
        if reason is not Reason.NOT_HELD:
            return None
        return "card.lost" if card in self._gone else "card.answer"

    def _would_be_legal(self, card: Card, without: set[Card]) -> bool:
        hand = self._host.view.hand
        believed = hand & ~mask_of(without)
        return believed != hand and self._host.would_be_legal(believed, card)


def cards_of(answer: bytes) -> tuple[Card, ...]:
    """Read the cards of an answer to a query for a pass or a card; none in other frames."""
    row = GIVEN.get(HEADER.unpack_from(answer)[0])
    try:
        given = None if row is None else row.decode(answer[HEADER.size :], player=0)
    except RemoteProtocolError:
        return ()
    match given:
        case Play():
            return (given.card,)
        case Pass(_, cards):
            return cards
        case _:
            return ()
