"""A player's side of the dealer dialect: bytes in, events out; choices in, bytes out.

DealerSpec.md section 14. It does for its caller what the PlainSession of the plain dialect does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from msgspec.structs import replace

from hearts.errors import Fault, LocalProtocolError, Reason, RemoteProtocolError
from hearts.game.cards import Card, mask_of
from hearts.game.events import CardsReceived, ChosenBy, MoonChosen, PassMade, YourHand
from hearts.game.rules import Direction
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    YourChoice,
)
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.session.picture import Picture
from hearts.session.resume_token import ResumeToken
from hearts.table import (
    Abort,
    AbortProposed,
    AbortRefused,
    DealDisclosed,
    DealPromised,
    HandAborted,
    Question,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    SeatKept,
    SeatWanted,
)
from hearts.wire.text import is_legible

from . import answers
from . import messages as said
from .client_choices import DealerChoices
from .client_events import DealChecked, DealerEvent, Declined
from .client_table import TablePhase
from .deal_verifier import DealVerifier
from .frames import encode_frame
from .messages import HAND_SIZE, Message
from .numbers import AbortLater, MessageType

_UNSAID = answers.Introduction()


def _encoded(introduction: answers.Introduction, *, cuts: bool) -> bytes:
    if not is_legible(introduction.comment):
        raise LocalProtocolError("a comment has too many combining marks in a row")
    return replace(introduction, cuts=cuts).encode()


class DealerSession(DealerChoices):
    """One connection to a game server, from the Player ID to the end of the session."""

    has_words = True
    """Whether the dialect has words for more than the game."""

    def __init__(
        self,
        request: RegistrationRequest,
        introduction: answers.Introduction = _UNSAID,
        deals: DealVerifier | None = None,
        picture: Picture | None = None,
    ) -> None:
        """``introduction`` is who we are.

        ``deals`` and ``picture`` are what is known from connections before.

        Raises LocalProtocolError for a name, table, password or comment that cannot be sent.
        """
        super().__init__(
            replace(request, dealer=True), picture if picture is not None else Picture()
        )
        self._deals = deals if deals is not None else DealVerifier()
        back = request.come_back
        if back is not None and not back.knows_count:
            self._deals.forget()
        self._deals.connection_began()
        self._introduction = _encoded(introduction, cuts=self._deals.are_cut)
        self._comes_back = back is not None
        self._cut_sequence = 0
        self._seated: said.SeatedMessage | None = None
        self._dealt: list[Card] = []
        self._lost: Card | None = None
        self._turn: tuple[MessageType, int] | None = None
        """The latest query for a card."""
        self._has_begun = False
        self._disclosed: DealDisclosed | None = None
        """The deal that was disclosed last."""

    @property
    def progress(self) -> ResumeToken | None:
        """What is needed to come back to our seat; None before we have it and after the end."""
        return self._registration.progress

    # What the dealer says

    def _hear(self, message: Message) -> None:
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
            case said.AgainDecided(player, yes, by):
                self._queries.settle(Question.AGAIN)
                if player == self._table.player:
                    self._table.expect(TablePhase.AGAIN)
                    self._tell(AgainAnswered(yes, by))
                super()._hear(message)
            case said.RegisterPlayer():
                self._reply(message.TYPE, self._introduction)
            case said.SeatedMessage():
                self._seated = message
            case said.RegisterOpponents():
                self._on_opponents(message)
            case said.NewGame():
                self._on_game(message)
            case said.Replay(begins):
                self._on_replay(begins)
            case said.CutMessage(_, _, deal):
                self._on_cut_query(deal)
            case said.QueryNewRules():
                self._on_rules_query(message)
            case said.QueryAbort(left, _, whole_game):
                self._queries.ask_vote(message.TYPE, self._sequence)
                what = Abort.GAME if whole_game else Abort.HAND
                self._tell(AbortProposed(what, inf if left is None else left / 1000))
            case said.PlayGoesOn(player, why):
                self._queries.end_vote()
                self._tell(AbortRefused(-1 if player is None else player, why))
            case said.RulesStay(player, why):
                self._queries.end_vote()
                self._tell(RulesRefused(-1 if player is None else player, why))
            case said.GiveSeatQuery(left, _, asker, opens):
                self._queries.ask_beside(message.TYPE, self._sequence)
                self._tell(SeatWanted(asker, opens, inf if left is None else left / 1000))
            case said.SeatStays(player, why):
                if player == self._table.player:
                    self._queries.settle_beside(MessageType.GIVE_SEAT)
                self._tell(SeatKept(player, why))
            case (
                said.Waiting()
                | said.TableMessage()
                | said.TablesMessage()
                | said.Taken()
                | said.InvitableMessage()
                | said.InvitableCount()
                | said.PlayerCommentMessage()
            ):
                self._tell(message)
            case said.InvitationMessage():
                self._queries.ask_beside(message.TYPE, self._sequence)
                self._tell(message)
            case said.InvitationOver():
                self._queries.settle_beside(MessageType.INVITATION)
                self._tell(message)
            case said.SeatMoved(player):
                self._on_move(player)
                self._tell(message)
            case said.AnswerError():
                self._on_error(message)
            case _:
                super()._hear(message)

    def _tell(self, event: DealerEvent) -> None:
        if isinstance(event, HandAborted):
            self._check_aborted(event.deal)
        super()._tell(event)
        match event:
            case Scores():
                assert self._registration.progress is not None
                self._registration.progress = self._registration.progress.after(event)
            case DealPromised(deal, digest):
                self._deals.promise(deal, digest, self.picture.hand, is_past=self._is_past)
            case DealDisclosed(deal, secret, cuts):
                self._disclosed = event
                hand = self.picture.hand
                if self._deals.has_seen(deal, hand):
                    super()._tell(DealChecked(deal, self._deals.problem(hand, secret, cuts)))
            case MoonChosen():
                self._queries.settle(Question.MOON)
            case RulesAgreed():
                self._queries.end_vote()
            case HandAborted():
                self._forget_hand()
            case (
                AnotherGame(False)
                | said.AbortGame(AbortLater.NOTHING)
                | said.Taken(MessageType.LEAVE_TABLE)
            ):
                self._registration.progress = None
            case said.PlayerChange():
                self._rename()
            case _:
                pass

    def _reply(self, type: MessageType, payload: bytes) -> None:
        """Answer the query that has just come."""
        self._talk.send(encode_frame(type, self._sequence, payload))

    # Taking a seat

    def _on_opponents(self, message: said.RegisterOpponents) -> None:
        seated, self._seated = self._seated, None
        if seated is not None:
            self._take_seat(seated, message)
        super()._hear(message)

    def _take_seat(self, seated: said.SeatedMessage, message: said.RegisterOpponents) -> None:
        if not 0 <= seated.player < said.WATCHER or seated.game_number < 1 or seated.game_id < 0:
            raise RemoteProtocolError("a seat with numbers that mean nothing")
        if self._table.player != said.WATCHER:
            raise RemoteProtocolError("we are seated a second time")
        a, b, c, d = (info.name for info in message.players)
        self._registration.player = self._table.player = seated.player
        self._registration.take_seat(seated.game_number, seated.game_id, (a, b, c, d))
        self._hear_registration()

    def _on_move(self, player: int) -> None:
        if self._table.player != said.WATCHER:
            raise RemoteProtocolError("we have another seat after the table has begun")
        self._registration.player = player

    def _rename(self) -> None:
        progress = self._registration.progress
        if progress is not None:
            a, b, c, d = (info.name for info in self._table.infos)
            self._registration.progress = replace(progress, names=(a, b, c, d))

    # Coming back

    def _on_replay(self, begins: bool) -> None:
        if begins == self._is_past or (begins and self._table.phase is not TablePhase.GAME):
            raise RemoteProtocolError("a replay begins or ends where it cannot")
        self._is_past = begins
        if self._comes_back and not begins:
            self._comes_back = False
            self._tell(CaughtUp())

    def _on_game(self, message: said.NewGame) -> None:
        if self._table.player == said.WATCHER:
            raise RemoteProtocolError("a game begins before we have a seat")
        super()._hear(message)
        progress = self._registration.progress
        if self._is_past and not self._has_begun and progress is not None:
            self._table.take_up(progress.latest)
        self._has_begun = True

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

    def _check_aborted(self, deal: int) -> None:
        """Check the deal of a hand that is broken off, as far as it was played."""
        hand, disclosed = self.picture.hand, self._disclosed
        if disclosed is not None and disclosed.deal == deal and self._deals.has_begun(deal, hand):
            problem = self._deals.problem(hand, disclosed.secret, disclosed.cuts)
            super()._tell(DealChecked(deal, problem))

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
        self._tell(ChoiceTerms(question, message.left, legal))
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

    def _on_cut_query(self, deal: int) -> None:
        cut = self._deals.cut(deal)
        if cut is not None:
            self._cut_sequence = self._sequence
            self._reply(MessageType.CUT, answers.CutAnswer(cut).encode())

    def _on_rules_query(self, message: said.QueryNewRules) -> None:
        self._queries.ask_vote(message.TYPE, self._sequence)
        rules, left = message.rules, message.left
        seconds = inf if left is None else left / 1000
        self._tell(RulesProposed(rules.rules, rules.end_score, seconds))

    def _on_error(self, message: said.AnswerError) -> None:
        question = self._queries.reopen(message.in_reply_to, message.reason)
        if question is not None:
            meaningless = message.reason == Fault.MEANINGLESS
            why = Reason.NOT_HELD if meaningless else Reason(message.reason)
            self._tell(ChoiceRefused(question, why))
            return
        if message.type == MessageType.CUT and message.in_reply_to == self._cut_sequence:
            self._deals.cut_was_late()
        try:
            declined = Declined(MessageType(message.type), Fault(message.reason), message.why)
        except ValueError:
            return
        self._tell(declined)


_QUESTIONS = {
    MessageType.DO_PASS: Question.PASS,
    MessageType.LEAD_CARD: Question.CARD,
    MessageType.PLAY_CARD: Question.CARD,
    MessageType.MOON_CHOICE: Question.MOON,
    MessageType.PLAY_AGAIN: Question.AGAIN,
}
