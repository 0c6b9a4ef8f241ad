"""What a player of the dealer dialect says: his choices, and what he asks for."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import LocalProtocolError
from hearts.game.cards import Card
from hearts.session.client_registration import RegistrationRequest
from hearts.session.picture import Picture
from hearts.session.wishes import AnswerInvitation, LobbyWish, Wish
from hearts.table import GiveSeat, Question, Resign, Vote

from . import answers
from .beside import as_frame
from .client_connection import DealerConnection
from .client_queries import ClientQueries
from .frames import encode_frame
from .messages import PASS_SIZE


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

    def answer_beside(self, answer: Vote | GiveSeat | AnswerInvitation) -> None:
        """Answer what is asked beside the game. Raises LocalProtocolError if it is not asked."""
        self._talk.send(self._queries.answer_beside(answer))

    def wish(self, wish: Wish) -> None:
        """Ask for something. Raises LocalProtocolError before there are frames, and where a wish
        about play comes before there is a table."""
        is_early = self._registration.progress is None or self._is_past
        if is_early and not isinstance(wish, LobbyWish | Resign):
            raise LocalProtocolError("there is no table yet to ask something of")
        self._request(*as_frame(wish))

    def ping(self) -> None:
        """Have the server say something. Raises LocalProtocolError before there are frames."""
        self._request(answers.Ping.TYPE, b"")

    def _request(self, type: int, payload: bytes) -> None:
        if not self._is_registered:
            raise LocalProtocolError("the registration is not over yet")
        self._talk.send(encode_frame(type, 0, payload))
