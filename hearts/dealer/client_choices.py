"""What a player of the dealer dialect says: his choices, and what he asks for."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import LocalProtocolError
from hearts.game.cards import Card
from hearts.session.client_registration import RegistrationRequest
from hearts.session.picture import Picture
from hearts.table import (
    Abort,
    ClaimRest,
    OpenSeat,
    ProposeAbort,
    ProposeRules,
    Question,
    ReplacePlayer,
    Resign,
    Wish,
)

from . import answers
from .client_connection import DealerConnection
from .client_queries import ClientQueries
from .frames import encode_frame
from .messages import PASS_SIZE
from .structures import RulesInfo


class DealerChoices(DealerConnection):
    """A connection on which a player answers and asks."""

    def __init__(self, request: RegistrationRequest, picture: Picture) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        super().__init__(request, picture)
        self._queries = ClientQueries()
        self._is_past = False
        """Whether the dealer repeats what was before we came back."""

    @property
    def asked(self) -> Question | None:
        """What we have to choose now; ``None`` also when the choice is sent."""
        return self._queries.asked

    def close(self) -> None:
        """Expect nothing more from the server; bytes that are there already are dropped."""
        super().close()
        self._queries.close()

    # Our choices

    def pass_cards(self, cards: Sequence[Card]) -> None:
        """Pass three different cards of our hand. Raises LocalProtocolError."""
        if len(cards) != PASS_SIZE or len(set(cards)) != PASS_SIZE:
            raise LocalProtocolError("a pass is three different cards")
        self._queries.expect(Question.PASS)
        self.picture.require(cards)
        self._answer(answers.PassAnswer(tuple(cards)))

    def play(self, card: Card) -> None:
        """Play a card that we hold. Raises LocalProtocolError; legality is the server's word."""
        self._queries.expect(Question.CARD)
        self.picture.require([card])
        self._answer(answers.PlayAnswer(card))

    def choose_moon(self, on_others: bool) -> None:
        """26 points on each of the others, or 26 off our own. Raises LocalProtocolError."""
        self._queries.expect(Question.MOON)
        self._answer(answers.MoonAnswer(on_others))

    def play_again(self, yes: bool) -> None:
        """Answer whether another game is wanted. Raises LocalProtocolError."""
        self._queries.expect(Question.AGAIN)
        self._answer(answers.AgainAnswer(yes))

    def _answer(self, answer: answers.Answer) -> None:
        self._talk.send(self._queries.answer(answer))

    # What else we say

    def vote(self, agreed: bool) -> None:
        """Answer what is proposed. Raises LocalProtocolError if nothing is."""
        self._talk.send(self._queries.vote(answers.RulesAnswer(agreed)))

    def give_seat(self, agreed: bool) -> None:
        """Answer SeatWanted. Raises LocalProtocolError where nobody asks for our seat."""
        answer = answers.GiveSeatAnswer(agreed)
        self._talk.send(self._queries.answer_beside(answer, "nobody asks for your seat now"))

    def answer_invitation(self, agreed: bool) -> None:
        """Answer InvitationMessage. Raises LocalProtocolError where we are not invited."""
        answer = answers.InvitationAnswer(agreed)
        self._talk.send(self._queries.answer_beside(answer, "nobody invites you now"))

    def wish(self, wish: Wish) -> None:
        """Ask for something that only player 0 may ask for. Raises LocalProtocolError."""
        if self._registration.progress is None or self._is_past:
            raise LocalProtocolError("there is no table yet to ask something of")
        request: answers.Answer
        match wish:
            case ProposeRules(_, rules, end_score):
                request = answers.ProposeRulesRequest(RulesInfo(rules, end_score))
            case ProposeAbort(_, what):
                request = answers.ProposeAbortRequest(what is Abort.GAME)
            case ReplacePlayer(_, seat):
                request = answers.ReplacePlayerRequest(seat)
            case OpenSeat(_, seat):
                request = answers.OpenSeatRequest(seat)
            case Resign():
                request = answers.LeaveTableRequest()
            case ClaimRest():
                request = answers.ClaimRestRequest()
        self.request(request)

    def request(self, request: answers.Answer) -> None:
        """Send a request that needs no game. Raises LocalProtocolError before there are frames."""
        if not self._is_registered:
            raise LocalProtocolError("the registration is not over yet")
        self._talk.send(encode_frame(request.TYPE, 0, request.encode()))
