"""A player's side of the dealer dialect: bytes in, events out; choices in, bytes out.

DealerSpec.md section 14. It does for its caller what the PlainSession of the plain dialect does.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from hearts.errors import Fault, LocalProtocolError, Reason, RemoteProtocolError
from hearts.game.cards import Card, four, mask_of
from hearts.game.events import (
    CardsReceived,
    ChosenBy,
    MoonChosen,
    PassMade,
    Play,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.session import table_words as words
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    DealerEvent,
    YourChoice,
)
from hearts.session.client_registration import RegistrationRequest, SeatConnection
from hearts.session.messages import Scores
from hearts.session.picture import Picture, Scoreboard
from hearts.session.resume_token import ResumeToken
from hearts.session.wishes import AnswerInvitation, LobbyWish, Wish
from hearts.table import effects
from hearts.table.inputs import Choice, Cut, GiveSeat, Question, Resign, Vote
from hearts.wire.text import is_legible

from . import messages as said
from .beside import ANSWERED, INTRODUCTION, WISH_TYPES
from .client_connection import ClientQueries, DealerConnection
from .client_table import TablePhase
from .deal_verifier import DealVerifier
from .frames import MessageType, encode_frame
from .messages import Said, as_frame, type_of
from .structures import HAND_SIZE, WATCHER

_UNSAID = words.Introduction()


def _before(progress: ResumeToken, hands: int, board: Scoreboard) -> ResumeToken:
    """Return the progress before some hands that were taken back; the board has those left."""
    game_hands = progress.game_hands - hands
    if game_hands != len(board.rows) or (not game_hands and progress.hands > hands):
        return progress.without_count()
    latest = Scores(board.totals) if game_hands else None
    return replace(progress, hands=progress.hands - hands, game_hands=game_hands, latest=latest)


_VOTES = (MessageType.QUERY_NEW_RULES, MessageType.QUERY_ABORT)
_WISHES = {type: wish for wish, type in WISH_TYPES.items()}
_QUESTIONS: dict[int, Question] = {
    MessageType.DO_PASS: Question.PASS,
    MessageType.LEAD_CARD: Question.CARD,
    MessageType.PLAY_CARD: Question.CARD,
    MessageType.MOON_CHOICE: Question.MOON,
    MessageType.PLAY_AGAIN: Question.AGAIN,
}


class DealerSession(SeatConnection, DealerConnection):
    """One connection to a game server, from the Player ID to the end of the session."""

    speaks_dealer = True
    """The dialect has words for more than the game."""

    def __init__(
        self,
        request: RegistrationRequest,
        introduction: words.Introduction = _UNSAID,
        deals: DealVerifier | None = None,
        picture: Picture | None = None,
    ) -> None:
        """``introduction`` is sent to the dealer, to say who we are.

        ``deals`` and ``picture`` are those of earlier connections, if there were any.

        Raises LocalProtocolError for a name, table, password or comment that cannot be sent.
        """
        super().__init__(
            replace(request, dealer=True), picture if picture is not None else Picture()
        )
        self._queries = ClientQueries()
        self._is_past = False
        """True while the dealer repeats the events from before we came back."""
        self._dealt: list[Card] = []
        self._lost: Card | None = None
        self._turn: tuple[int, int] | None = None
        """The latest query for a card."""
        self._deals = deals if deals is not None else DealVerifier()
        back = request.come_back
        if back is not None and not back.knows_count:
            self._deals.forget()
        if not is_legible(introduction.comment):
            raise LocalProtocolError("a comment has too many combining marks in a row")
        self._introduction = replace(introduction, cuts=self._deals.own is not None)
        INTRODUCTION.encode(self._introduction)
        self._said_value = -1
        """The value whose hash the server was told last over this connection."""
        self._comes_back = back is not None
        self._cut_sequence = 0
        self.owes_cut = False
        """True if our value is asked for, and is shown by :meth:`show_cut`."""
        self._seated: said.SeatedMessage | None = None
        self._has_begun = False
        self._disclosed: effects.DealDisclosed | None = None
        """The deal that was disclosed last."""

    @property
    def progress(self) -> ResumeToken | None:
        """All that is needed to come back to our seat; None before we have it and after the end.

        As long as our value is asked for, this says that it is shown: so it is stored.
        """
        progress = self._registration.progress
        cuts = self._deals.own_shown if self.owes_cut else self._deals.own
        return None if progress is None else replace(progress, cuts=cuts)

    @property
    def asked(self) -> Question | None:
        return self._queries.asked

    def close(self) -> None:
        super().close()
        self._queries.close()

    def _send_choice(self, choice: Choice, cards: Sequence[Card], *values: int) -> None:
        self._talk.send(self._queries.answer(choice))

    # What else we say

    def answer_beside(self, answer: Vote | GiveSeat | AnswerInvitation) -> None:
        """Answer what is asked beside the game. Raises LocalProtocolError if it is not asked."""
        self._talk.send(self._queries.answer_beside(answer))

    def wish(self, wish: Wish) -> None:
        """Ask for something. Raises LocalProtocolError before there are frames, and for a wish
        about play before there is a table."""
        is_early = self._registration.progress is None or self._is_past
        if is_early and not isinstance(wish, LobbyWish | Resign):
            raise LocalProtocolError("there is no table yet to ask something of")
        self._request(*as_frame(wish))

    def ping(self) -> None:
        """Have the server say something. Raises LocalProtocolError before there are frames."""
        self._request(MessageType.PING, b"")

    def _request(self, type: int, payload: bytes) -> None:
        if not self._is_registered:
            raise LocalProtocolError("the registration is not over yet")
        self._talk.send(encode_frame(type, 0, payload))

    # What the dealer says

    def _receive(self, message: Said) -> None:
        match message:
            case said.CardPlayedMessage(_, player, card, by) if player == self._table.player:
                self._settle_card(card)
                super()._receive(message)
            case said.LoseCard(card, by):
                self._on_lose_card(card, by)
            case said.CardQuery():
                self._on_card_query(message)
            case said.TakeCard(card):
                self._on_take_card(card)
            case said.DoPass():
                self._check_held(message.cards)
                self._ask(message)
            case said.LosePass():
                self._on_lose_pass(message)
            case said.TakePass():
                self._on_take_pass(message)
            case said.TakeTrick(trick):
                self._table.check_trick(trick)
            case said.MoonChoice():
                if self._table.shooter != self._table.player:
                    raise RemoteProtocolError("we are asked about the moon of another player")
                self._ask(message)
            case said.PlayAgainMessage():
                if self._table.decider != self._table.player:
                    raise RemoteProtocolError("we are asked what another player decides")
                self._ask(message)
            case effects.AgainSettled(player, yes, by):
                self._queries.settle(Question.AGAIN)
                if player == self._table.player:
                    self._emit(AgainAnswered(yes, by))
                super()._receive(message)
            case said.RegisterPlayer():
                introduced = INTRODUCTION.encode(self._introduced())
                self._talk.send(encode_frame(type_of(message), self._sequence, introduced))
            case said.SeatedMessage():
                self._seated = message
            case words.RegisterOpponents():
                seated, self._seated = self._seated, None
                if seated is not None:
                    self._take_seat(seated, message)
                super()._receive(message)
            case said.NewGame():
                self._on_game(message)
            case words.Replay(begins):
                self._on_replay(begins)
            case effects.TakenBack():
                self._on_taken_back(message)
            case said.CutMessage(_, _, deal):
                self._on_cut_query(deal)
            case (
                effects.RulesProposed()
                | effects.AbortProposed()
                | effects.SeatWanted()
                | words.InvitationMessage()
            ):
                self._queries.ask_beside(type_of(message), self._sequence)
                self._emit(message)
            case effects.RulesRefused() | effects.AbortRefused():
                self._queries.settle_beside(*_VOTES)
                self._emit(message)
            case effects.SeatKept(player):
                if player == self._table.player:
                    self._queries.settle_beside(MessageType.GIVE_SEAT)
                self._emit(message)
            case (
                words.Waiting()
                | words.TableMessage()
                | words.TablesMessage()
                | words.Taken()
                | words.InvitableMessage()
                | words.InvitableCount()
                | words.PlayerCommentMessage()
            ):
                self._emit(message)
            case words.InvitationOver():
                self._queries.settle_beside(MessageType.INVITATION)
                self._emit(message)
            case words.SeatMoved(player):
                if self._table.player != WATCHER:
                    raise RemoteProtocolError("we have another seat after the table has begun")
                self._registration.player = player
                self._emit(message)
            case said.AnswerError():
                self._on_error(message)
            case _:
                super()._receive(message)

    def _emit(self, event: DealerEvent) -> None:
        match event:
            case effects.HandAborted(deal):
                self._check_aborted(deal)
            case Scores():
                self._report_unchecked()
            case _:
                pass
        super()._emit(event)
        match event:
            case Scores():
                assert self._registration.progress is not None
                self._registration.progress = self._registration.progress.after(event)
            case effects.DealPromised():
                self.owes_cut = False
                self._deals.promise(event, self.player, self.picture.hand)
            case effects.DealDisclosed(deal):
                self._disclosed = event
                hand = self.picture.hand
                if self._deals.has_seen(deal, hand):
                    super()._emit(self._deals.check(hand, event))
            case YourHand():
                self.owes_cut = False
                if not self._deals.is_in_promise:
                    self._said_value = -1
                self._send_next_hash()
            case MoonChosen():
                self._queries.settle(Question.MOON)
            case effects.RulesAgreed():
                self._queries.settle_beside(*_VOTES)
            case effects.HandAborted():
                self._forget_hand()
            case AnotherGame(False) | words.AbortGame(words.AbortLater.NOTHING):
                self._registration.progress = None
            case words.Taken(wish) if wish is Resign:
                self._registration.progress = None
            case words.PlayerChange(change, info):
                if change in (effects.Change.COMPUTER, effects.Change.TAKEN):
                    self._deals.forget_player(info.player)
                progress = self._registration.progress
                if progress is not None:
                    names = four(info.name for info in self._table.infos)
                    self._registration.progress = replace(progress, names=names)
            case _:
                pass

    # Taking a seat

    def _take_seat(self, seated: said.SeatedMessage, message: words.RegisterOpponents) -> None:
        if not 0 <= seated.player < WATCHER or seated.game_number < 1 or seated.game_id < 0:
            raise RemoteProtocolError("a seat with numbers that mean nothing")
        if self._table.player != WATCHER:
            raise RemoteProtocolError("we are seated a second time")
        self._registration.player = self._table.player = seated.player
        names = four(info.name for info in message.players)
        self._registration.take_seat(seated.game_number, seated.game_id, names)

    # Coming back

    def _on_replay(self, begins: bool) -> None:
        if begins == self._is_past or (begins and self._table.phase is not TablePhase.GAME):
            raise RemoteProtocolError("a replay begins or ends where it cannot")
        self._is_past = begins
        if not begins:
            self._send_next_hash()
        if self._comes_back and not begins:
            self._comes_back = False
            self._emit(CaughtUp())

    def _on_taken_back(self, message: effects.TakenBack) -> None:
        if message.hands >= 0:
            if self._is_past or self.picture.table is None:
                raise RemoteProtocolError("a choice is taken back where nothing is played")
            self._forget_hand()
            self._deals.forget()
            self._table.go(TablePhase.GAME)
            self._comes_back = True
        self._emit(message)
        progress, board = self._registration.progress, self.picture.board
        if progress is not None and message.hands > 0:
            self._registration.progress = _before(progress, message.hands, board)

    def _on_game(self, message: said.NewGame) -> None:
        if self._table.player == WATCHER:
            raise RemoteProtocolError("a game begins before we have a seat")
        super()._receive(message)
        progress = self._registration.progress
        if self._is_past and not self._has_begun and progress is not None:
            self._table.take_up(progress.latest)
        self._has_begun = True

    def _check_aborted(self, deal: int) -> None:
        """Check the deal of a hand that is broken off, as far as it was played."""
        hand, disclosed = self.picture.hand, self._disclosed
        if not self._deals.has_begun(deal, hand):
            return
        if disclosed is not None and disclosed.deal == deal:
            super()._emit(self._deals.check(hand, disclosed))
        elif not self._is_past:  # Of the past nothing else is told.
            self._report_unchecked()

    def _report_unchecked(self) -> None:
        unchecked = self._deals.unchecked(self.picture.hand)
        if unchecked is not None:
            super()._emit(unchecked)

    # Cutting deals (DealerSpec.md section 14.8)

    def _on_cut_query(self, deal: int) -> None:
        if self._deals.may_show(deal):
            self._cut_sequence = self._sequence
            self.owes_cut = True

    def show_cut(self) -> None:
        """Show our value; :attr:`progress` with its promise must be stored, if it is kept."""
        value = self._deals.value
        self._deals.own = own = self._deals.own_shown
        assert own is not None
        self._said_value = own.next
        payload = ANSWERED[MessageType.CUT].encode(Cut(self.player, value, own.next_hash))
        self._talk.send(encode_frame(MessageType.CUT, self._cut_sequence, payload))

    def introduce(self, introduction: words.Introduction) -> None:
        """Say again who we are, with the hash of our next value.

        Raises LocalProtocolError before there are frames.
        """
        cuts = introduction.cuts and self._deals.own is not None
        self._introduction = replace(introduction, cuts=cuts)
        self._request(MessageType.REGISTER_PLAYER, INTRODUCTION.encode(self._introduced()))

    def _introduced(self) -> words.Introduction:
        own = self._deals.own
        if own is None or not self._introduction.cuts:
            return self._introduction
        self._said_value = own.next
        return replace(self._introduction, next_hash=own.next_hash)

    def _send_next_hash(self) -> None:
        """Say the hash of our next value, if a promise has used up the one that we said."""
        own = self._deals.own
        if own is None or self._is_past or self._said_value == own.next:
            return
        if self._introduction.cuts:
            self.introduce(self._introduction)

    def _on_error(self, message: said.AnswerError) -> None:
        question = self._queries.reopen(message.in_reply_to, message.reason)
        if question is not None:
            meaningless = message.reason == Fault.MEANINGLESS
            why = Reason.NOT_HELD if meaningless else Reason(message.reason)
            self._emit(ChoiceRefused(question, why))
            return
        if message.type == MessageType.CUT and message.in_reply_to == self._cut_sequence:
            self._said_value = -1
            self._send_next_hash()
        try:
            fault = Fault(message.reason)
        except ValueError:
            return
        self._emit(words.Declined(_WISHES.get(message.type), fault, message.why))

    # Cards

    def _on_take_card(self, card: Card) -> None:
        self._dealt.append(card)
        if len(self._dealt) < HAND_SIZE:
            return
        cards, self._dealt = tuple(self._dealt), []
        table = self._table
        self._emit(YourHand(table.hand_number, table.direction, cards))
        table.go(TablePhase.LEAD if table.direction is Direction.HOLD else TablePhase.PASS)

    def _on_lose_pass(self, message: said.LosePass) -> None:
        table = self._table
        if message.player != table.player or message.direction != table.direction:
            raise RemoteProtocolError("that is not our pass")
        self._queries.settle(Question.PASS)
        self._emit(PassMade(message.player, message.cards, message.by))
        table.go(TablePhase.RECEIVE)

    def _on_take_pass(self, message: said.TakePass) -> None:
        table = self._table
        if message.direction.target(message.player) != table.player:
            raise RemoteProtocolError("cards come from a player who does not pass to us")
        self._emit(CardsReceived(message.cards))
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
            payload = ANSWERED[turn[0]].encode(Play(self.player, card))
            self._talk.send(encode_frame(*turn, payload))

    def _settle_card(self, card: Card) -> None:
        lost, self._lost = self._lost, None
        if lost != card:
            raise RemoteProtocolError("we have played a card that is not the one we lost")
        self._queries.settle(Question.CARD)

    def _forget_hand(self) -> None:
        for question in (Question.PASS, Question.CARD, Question.MOON):
            self._queries.settle(question)
        self._queries.settle_beside(*_VOTES)
        self._dealt.clear()
        self._lost = self._turn = None

    # What we are asked

    def _ask(
        self,
        message: said.DoPass | said.CardQuery | said.MoonChoice | said.PlayAgainMessage,
    ) -> None:
        if self._is_past:
            raise RemoteProtocolError("a query is no part of a replay")
        type_ = type_of(message)
        question = _QUESTIONS[type_]
        self._queries.ask(question, type_, self._sequence)
        cards = message.cards if isinstance(message, said.CardQuery) else ()
        legal = tuple(each.card for each in cards if each.legal)
        free, bank = message.bank or (None, None)
        self._emit(ChoiceTerms(question, message.left, legal, free, bank))
        self._emit(YourChoice(question))

    def _on_card_query(self, message: said.CardQuery) -> None:
        if not self._table.is_turn or self._lost is not None:
            raise RemoteProtocolError("we are asked for a card out of turn")
        self._table.check_trick(message.trick)
        self._check_held([each.card for each in message.cards])
        self._turn = type_of(message), self._sequence
        if self.picture.hand.claimed is None:
            self._ask(message)

    def _check_held(self, cards: Sequence[Card]) -> None:
        if self.picture.hand.held != mask_of(cards):
            raise RemoteProtocolError("the cards of a query are not those of our hand")
