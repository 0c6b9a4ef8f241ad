"""A player's own cards in the dealer dialect, and what he is asked to choose."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import RemoteProtocolError
from hearts.game.cards import Card, mask_of
from hearts.game.events import CardsReceived, ChosenBy, PassMade, YourHand
from hearts.game.rules import Direction
from hearts.session.client_events import AgainAnswered, ChoiceTerms, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.picture import Picture
from hearts.table import AgainSettled, Question

from . import answers
from . import messages as said
from .beside import Said
from .client_choices import DealerChoices
from .client_table import TablePhase
from .frames import encode_frame
from .messages import HAND_SIZE, Message
from .numbers import MessageType


class OwnHand(DealerChoices):
    """A connection on which cards come to a player and go."""

    def __init__(self, request: RegistrationRequest, picture: Picture) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        super().__init__(request, picture)
        self._dealt: list[Card] = []
        self._lost: Card | None = None
        self._turn: tuple[MessageType, int] | None = None
        """The latest query for a card."""

    def _hear(self, message: Message | Said) -> None:
        match message:
            case said.CardPlayedMessage(_, player, card, by) if player == self._table.player:
                self._settle_card(card)
                super()._hear(message)
            case said.LoseCard(card, by):
                self._on_lose_card(card, by)
            case said.LeadCard() | said.PlayCard():
                self._on_card_query(message)
            case said.TakeCard(card):
                self._on_take_card(card)
            case said.DoPass():
                self._on_pass_query(message)
            case said.LosePass():
                self._on_lose_pass(message)
            case said.TakePass():
                self._on_take_pass(message)
            case said.TakeTrick(trick):
                self._table.expect(TablePhase.TRICK)
                self._table.check_trick(trick)
            case said.MoonChoice():
                self._on_moon_query(message)
            case said.PlayAgainMessage():
                self._on_again_query(message)
            case AgainSettled(player, yes, by):
                self._queries.settle(Question.AGAIN)
                if player == self._table.player:
                    self._table.expect(TablePhase.AGAIN)
                    self._tell(AgainAnswered(yes, by))
                super()._hear(message)
            case _:
                super()._hear(message)

    # Cards

    def _on_take_card(self, card: Card) -> None:
        self._table.expect(TablePhase.CARDS)
        self._dealt.append(card)
        if len(self._dealt) < HAND_SIZE:
            return
        cards, self._dealt = tuple(self._dealt), []
        table = self._table
        self._tell(YourHand(table.hand_number, table.direction, cards))
        table.go(TablePhase.LEAD if table.direction is Direction.HOLD else TablePhase.PASS)

    def _on_lose_pass(self, message: said.LosePass) -> None:
        table = self._table
        table.expect(TablePhase.PASS)
        if message.player != table.player or message.direction != table.direction:
            raise RemoteProtocolError("that is not our pass")
        self._queries.settle(Question.PASS)
        self._tell(PassMade(message.player, message.cards, message.by))
        table.go(TablePhase.RECEIVE)

    def _on_take_pass(self, message: said.TakePass) -> None:
        table = self._table
        table.expect(TablePhase.RECEIVE)
        if message.direction.target(message.player) != table.player:
            raise RemoteProtocolError("cards come from a player who does not pass to us")
        self._tell(CardsReceived(message.cards))
        table.go(TablePhase.LEAD)

    def _on_lose_card(self, card: Card, by: ChosenBy) -> None:
        if not self._table.is_turn or self._lost is not None:
            raise RemoteProtocolError("we lose a card out of turn")
        if not self.picture.hand.held >> card & 1:
            raise RemoteProtocolError("we lose a card that we do not hold")
        self._lost = card
        turn, self._turn = self._turn, None
        if turn is not None and by is ChosenBy.STAND_IN:
            # A late answer gives us time for the next choice, as the one owed in the plain dialect.
            self._talk.send(encode_frame(*turn, answers.PlayAnswer(card).encode()))

    def _settle_card(self, card: Card) -> None:
        lost, self._lost = self._lost, None
        if lost != card:
            raise RemoteProtocolError("we have played a card that is not the one we lost")
        self._queries.settle(Question.CARD)

    def _forget_hand(self) -> None:
        for question in (Question.PASS, Question.CARD, Question.MOON):
            self._queries.settle(question)
        self._queries.end_vote()
        self._dealt.clear()
        self._lost = self._turn = None

    # What we are asked

    def _ask(
        self,
        message: said.DoPass
        | said.LeadCard
        | said.PlayCard
        | said.MoonChoice
        | said.PlayAgainMessage,
    ) -> None:
        if self._is_past:
            raise RemoteProtocolError("a query is no part of a replay")
        question = _QUESTIONS[message.TYPE]
        self._queries.ask(question, message.TYPE, self._sequence)
        cards = message.cards if isinstance(message, said.LeadCard | said.PlayCard) else ()
        legal = tuple(each.card for each in cards if each.legal)
        free, bank = message.bank or (None, None)
        self._tell(ChoiceTerms(question, message.left, legal, free, bank))
        self._tell(YourChoice(question))

    def _on_pass_query(self, message: said.DoPass) -> None:
        self._table.expect(TablePhase.PASS)
        self._check_held(message.cards)
        self._ask(message)

    def _on_card_query(self, message: said.LeadCard | said.PlayCard) -> None:
        if not self._table.is_turn or self._lost is not None:
            raise RemoteProtocolError("we are asked for a card out of turn")
        self._table.check_trick(message.trick)
        self._check_held([each.card for each in message.cards])
        self._turn = message.TYPE, self._sequence
        if self.picture.hand.claimed is None:
            self._ask(message)

    def _check_held(self, cards: Sequence[Card]) -> None:
        if self.picture.hand.held != mask_of(cards):
            raise RemoteProtocolError("the cards of a query are not those of our hand")

    def _on_moon_query(self, message: said.MoonChoice) -> None:
        self._table.expect(TablePhase.MOON)
        if self._table.shooter != self._table.player:
            raise RemoteProtocolError("we are asked about the moon of another player")
        self._ask(message)

    def _on_again_query(self, message: said.PlayAgainMessage) -> None:
        self._table.expect(TablePhase.AGAIN)
        if self._table.decider != self._table.player:
            raise RemoteProtocolError("we are asked what another player decides")
        self._ask(message)


_QUESTIONS = {
    MessageType.DO_PASS: Question.PASS,
    MessageType.LEAD_CARD: Question.CARD,
    MessageType.PLAY_CARD: Question.CARD,
    MessageType.MOON_CHOICE: Question.MOON,
    MessageType.PLAY_AGAIN: Question.AGAIN,
}
