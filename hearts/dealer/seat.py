"""The server's side of a seated player in the dealer dialect.

What the table says becomes frames, and what the client sends is read by the listener (DealerSpec.md
section 14).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, assert_never

from hearts.game.cards import WIRE, Card, by_wire, mask_of
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    HandBegun,
    MoonChosen,
    PassMade,
    TrickBegun,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.session.table_words import PlayerInfo, RegisterOpponents
from hearts.table import effects
from hearts.table.effects import TableEvent
from hearts.table.inputs import CARD, Question
from hearts.wire.codec import INT_MAX, encode_int
from hearts.wire.credentials import SeatCredentials

from . import messages
from .frames import BY_NUMBERS, HEADER, DealerState, MessageType
from .listener import Listener
from .messages import CHOOSE_CARD, TWO_INTS, as_frame, type_of
from .public_table import SUIT, PublicEvent, PublicTable

# To ask the Enum takes a call; see hearts/README.md.
_LEAD_CARD: Final = MessageType.LEAD_CARD
_PLAY_CARD: Final = MessageType.PLAY_CARD
_LOSE_CARD: Final = MessageType.LOSE_CARD
_FIRST_TO_PLAY: Final = DealerState.PLAYER_1_PLAY
_CARDS = tuple(encode_int(number) for number in WIRE)
_NO_BANK = TWO_INTS.pack(-1, -1)
_HELD, _LEGAL = (tuple(TWO_INTS.pack(number, legal) for number in WIRE) for legal in (0, 1))
"""A card in the hand of a player who is asked for one, by whether it may be played."""


_REFUSED = {
    effects.RulesRefused: MessageType.QUERY_NEW_RULES,
    effects.SeatKept: MessageType.GIVE_SEAT,
    effects.AbortRefused: MessageType.QUERY_ABORT,
}
"""The queries that are over when something is refused."""
_OF_HAND = (Question.PASS, Question.CARD, Question.MOON)
"""The queries that are over with a hand."""


class DealerSeat(Listener):
    """One seated client: bytes in, inputs of the table out, and the other way round."""

    __slots__ = ("_deal", "_direction", "_hand", "_public", "_shows_standing")

    def __init__(self, player: int, standing: effects.SessionTotals | None = None) -> None:
        """``standing`` is as for :meth:`stand`; None at the begin of a session."""
        super().__init__(player)
        self._public = PublicTable(standing or effects.SessionTotals())
        self._shows_standing = standing is not None
        self._hand: list[Card] = []
        self._direction = Direction.HOLD
        self._deal = 1

    def stand(self, standing: effects.SessionTotals) -> None:
        self._public = PublicTable(standing)
        self._shows_standing = True

    def share(self, public: PublicTable) -> None:
        self._public = public

    # To the client, beside the game

    def register_query(self) -> bytes:
        """Ask the player to introduce themselves; they may do so at any time, or never."""
        self._open(MessageType.REGISTER_PLAYER)
        return self._encode(messages.RegisterPlayer(None, DealerState.INIT, self.player))

    def welcome(
        self, credentials: SeatCredentials, table_name: str, infos: Sequence[PlayerInfo]
    ) -> bytes:
        return self._encode(
            messages.SeatedMessage(
                self.player, credentials.game_number, credentials.game_id, table_name
            )
        ) + self.beside(RegisterOpponents(tuple(infos)))

    # To the client, of the game

    def seats_changed(self, computers: frozenset[int]) -> None:
        """Do nothing: a change of a seat is told when it happens."""

    def encode_event(self, event: TableEvent) -> bytes:
        player = self.player
        # These come with each card; see hearts/README.md.
        if type(event) is CardPlayed:
            lost = self._lose_card(event) if event.player == player else b""
            return self._show(event, lost)
        if type(event) is TrickTaken:
            taken = b""
            if event.winner == player:
                ((_, payload),) = self._public.show(event)
                taken = self._frame(MessageType.TAKE_TRICK, payload)
            return self._show(event, taken)
        if type(event) is TrickBegun:
            return self._show(event)
        match event:
            case YourHand(number, direction, cards):
                return self._take_hand(number, direction, cards)
            case PassMade(_, cards, by):
                self._settle(Question.PASS, by)
                self._hand = [card for card in self._hand if card not in cards]
                return self._encode(messages.LosePass(player, self._direction, cards, by))
            case CardsReceived(cards):
                self._hand = list(by_wire(mask_of([*self._hand, *cards])))
                giver = next(who for who in range(4) if self._direction.target(who) == player)
                return self._encode(messages.TakePass(giver, self._direction, cards))
            case MoonChosen() | effects.AgainSettled():
                if event.player == player:
                    moon = isinstance(event, MoonChosen)
                    self._settle(Question.MOON if moon else Question.AGAIN, event.by)
                return self._show(event)
            case effects.RulesProposed() | effects.SeatWanted() | effects.AbortProposed():
                type_, payload = as_frame(event)
                self._open(type_)
                return self._frame(type_, payload)
            case effects.RulesAgreed():
                self._settle_if_answered(MessageType.QUERY_NEW_RULES)
                return self._show(event)
            case effects.RulesRefused() | effects.SeatKept() | effects.AbortRefused():
                self._settle_if_answered(_REFUSED[type(event)])
                return self._frame(*as_frame(event))
            case effects.HandAborted():
                self._settle_if_answered(MessageType.QUERY_ABORT)
                for question in _OF_HAND:
                    self._settle(question, ChosenBy.CLOCK)
                return self._show(event)
            case effects.TakenBack():
                for question in _OF_HAND:
                    self._settle(question, ChosenBy.CLOCK)
                return self._frame(*as_frame(event))
            case effects.DealPromised(deal):
                self._deal = deal
                return self._show(event)
            case effects.CutSettled(_, by):
                self._settle(Question.CUT, by)
                return b""
            case HandBegun():
                return b""
            case effects.GameBegun():
                begun = self._show(event)
                if self._shows_standing:
                    self._shows_standing = False
                    begun += self._frame(*self._public.standing())
                return begun
            case _:
                return self._show(event)

    def recall(self, missed: TableEvent | Question) -> bytes:
        return b"" if isinstance(missed, Question) else self.encode_event(missed)

    def ask(self, asked: effects.Ask) -> bytes:
        left, bank, question = _milliseconds(asked.left), _bank(asked), asked.question
        if question is CARD:
            return self._ask_card(left, bank, asked)
        query: messages.Message
        match question:
            case Question.PASS:
                state, hand = DealerState.passing(self.player), tuple(self._hand)
                query = messages.DoPass(left, state, self.player, self._direction, hand, bank)
            case Question.MOON:
                query = messages.MoonChoice(left, DealerState.SUMMING_HAND, bank)
            case Question.AGAIN:
                query = messages.PlayAgainMessage(left, DealerState.SUMMING_GAME, bank)
            case Question.CUT:
                query = messages.CutMessage(left, DealerState.SHUFFLING, self._deal)
            case _:
                assert_never(question)
        self._open(type_of(query), question, asked.tries)
        return self._encode(query)

    def _ask_card(
        self, left: int | None, bank: tuple[int, int] | None, asked: effects.Ask
    ) -> bytes:
        trick = self._public.trick
        type = _PLAY_CARD if trick[SUIT] else _LEAD_CARD
        self._open(type, CARD, asked.tries)
        hand, legal = self._hand, asked.legal
        asks = CHOOSE_CARD.pack(
            -1 if left is None else left,
            _FIRST_TO_PLAY + self.player,
            *trick,
            len(hand),
        )
        cards = [_LEGAL[card] if legal >> card & 1 else _HELD[card] for card in hand]
        cards.append(_NO_BANK if bank is None else TWO_INTS.pack(*bank))
        return self._frame(type, asks + b"".join(cards))

    def _take_hand(self, number: int, direction: Direction, cards: Sequence[Card]) -> bytes:
        self._direction = direction
        self._hand = list(cards)
        frames = [self._show(HandBegun(number, direction))]
        frames += [self._frame(MessageType.TAKE_CARD, _CARDS[card]) for card in cards]
        return b"".join(frames)

    def _lose_card(self, played: CardPlayed) -> bytes:
        self._settle(CARD, played.by)
        self._hand.remove(played.card)
        lost = TWO_INTS.pack(WIRE[played.card], BY_NUMBERS[played.by])
        return self._frame(_LOSE_CARD, lost)

    def _show(self, event: PublicEvent, data: bytes = b"") -> bytes:
        """Return the frames that all seats are told of an event, behind ``data``."""
        public = self._public
        # Mostly another seat has shown it just before; to ask again is a call for each card.
        shown = public.said if event is public.latest else public.show(event)
        for type, payload in shown:
            self._sequence += 1
            data += HEADER.pack(type, self._sequence, len(payload)) + payload
        return data


def _bank(asked: effects.Ask) -> tuple[int, int] | None:
    if asked.bank == inf:
        return None
    return round(1000 * min(asked.free, asked.left)), round(1000 * asked.bank)


def _milliseconds(seconds: float) -> int | None:
    return None if seconds == inf else max(0, min(round(1000 * seconds), INT_MAX))
