"""The server's side of a seated player in the plain dialect.

What the table says becomes bytes; what the client sends becomes inputs of the table. The client
owes something for almost all that it is told: an acknowledgement, or a choice. Acknowledgements
are counted, choices stand in a queue, and the bytes that arrive are read against these alone, so
the table never waits (SocketSpec.md sections 4 and 5).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import assert_never

from msgspec import Struct

from hearts.errors import Reason, RemoteProtocolError
from hearts.game.cards import CARDS, Card
from hearts.game.events import (
    BY_PLAYER,
    CardPlayed,
    CardsReceived,
    ChooseMoon,
    ChosenBy,
    HandScored,
    MoonChosen,
    Pass,
    PassMade,
    Play,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.session.messages import HAND_SIZE, Scores, TableInfo
from hearts.session.table_words import Beside, PlayerInfo
from hearts.table.effects import AgainSettled, Ask, GameAborted, GameBegun, GameScored, TableEvent
from hearts.table.inputs import (
    CARD,
    AnswerAgain,
    CameLate,
    Choice,
    Chosen,
    ClientCaughtUp,
    Input,
    Question,
)
from hearts.wire.codec import NAME_LIMIT, encode_int, encode_ints, encode_str
from hearts.wire.credentials import SeatCredentials

EARLY_LIMIT = 1024
"""Bytes that may wait because they came before they were due."""
OWED_LIMIT = 1000
"""Acknowledgements that a client may owe."""

_INTS = {value: encode_int(value) for value in range(-10, 64)}
_ACCEPTED = _INTS[0]
_CARDS = tuple(encode_int(card.wire) for card in CARDS)
_TALLY = struct.Struct(">5i")
_ONE_INT = struct.Struct(">i")
_THREE_INTS = struct.Struct(">3i")


class _Asked(Struct, gc=False):
    """A choice that the client owes."""

    question: Question
    after: int
    """The number of things that the client ever owed before it."""
    at_head: bool
    """True if the table was told that nothing earlier is owed."""
    arrived: bool = False
    """True if the choice was read."""
    elsewhere: bool = False
    """True if it was made over a connection that is lost, and will be settled soon."""
    late: bool = False
    """True if the server has decided already, so that the choice is read and thrown away."""


class PlainSeat:
    """One seated client: bytes in, inputs of the table out, and the other way round."""

    __slots__ = (
        "_ack",
        "_choices",
        "_given",
        "_hand",
        "_most",
        "_open",
        "_owed",
        "_passed",
        "asked",
        "computers",
        "early",
        "player",
    )

    speaks_dealer = False
    """The dialect has no words for more than the game."""
    follows = False
    idle = pieces = 0
    """A client can send little more than what it owes, so nothing needs to be counted."""

    def __init__(self, player: int, computers: frozenset[int] = frozenset()) -> None:
        """``computers`` are the players that the Table message names as computers."""
        self.player = player
        self.computers = computers
        self._ack = encode_int(player)
        self._hand: list[Card] = []
        self._passed: list[int] = []
        self._owed = 0
        """The number of acknowledgements and choices that the client has owed in all."""
        self._given = 0
        """The number of them that have come."""
        self._most = OWED_LIMIT
        """The number that it may have owed in all by now."""
        self._choices: list[_Asked] = []
        """The choices that the client owes."""
        self._open: _Asked | None = None
        self.asked = False
        """True while the client's choice is awaited, so that its bytes matter now."""
        self.early = b""
        """Bytes that were not due when they came."""

    # What the dialect has no words for

    def beside(self, said: TableEvent | Beside) -> bytes:
        """Return no bytes: the chat says it, or nothing does."""
        return b""

    def take_replies(self) -> bytes:
        """Return no bytes: nothing is answered at once."""
        return b""

    def share(self, public: object) -> None:
        """Keep nothing of what everybody sees: each event is said by itself."""

    def stand(self, standing: object) -> None:
        """Keep nothing: the Scores tell where the players stand."""

    # To the client

    def welcome(
        self, credentials: SeatCredentials, table_name: str, players: Sequence[PlayerInfo]
    ) -> bytes:
        """Return the answer to the Process ID: game number, Game ID and the four names."""
        self._owed += 1
        return encode_ints(credentials.game_number, credentials.game_id) + b"".join(
            encode_str(player.name, NAME_LIMIT) for player in players
        )

    def seats_changed(self, computers: frozenset[int]) -> None:
        self.computers = computers

    def encode_event(self, event: TableEvent) -> bytes:
        """Return the bytes of an event; empty if this player is told nothing of it.

        Raises RemoteProtocolError when the client owes too many acknowledgements.
        """
        if type(event) is CardPlayed:
            if event.player == self.player:
                return self._settle(event.by, self._hand.index(event.card))
            said = _CARDS[event.card]
        elif type(event) is TrickTaken:
            said = _TALLY.pack(event.winner, *event.points)
        elif type(event) is TrickBegun:
            said = _INTS[event.leader]
        else:
            match event:
                case YourHand(_, direction, cards):
                    said = self._encode_hand(direction, cards)
                case PassMade(_, cards, by):
                    self._passed = [self._hand.index(card) for card in cards]
                    status = self._settle(by, 0)
                    return status if status == _ACCEPTED else status + encode_ints(*self._passed)
                case CardsReceived(cards):
                    for index, card in zip(self._passed, cards, strict=True):
                        self._hand[index] = card
                    said = b"".join(_CARDS[card] for card in cards)
                case TricksDone(shooter, decide):
                    mine = decide and shooter == self.player
                    said = encode_ints(-1 if shooter is None else shooter, int(mine))
                    if mine:
                        return said
                case MoonChosen(player, on_others, by):
                    return self._settle(by, int(on_others)) if player == self.player else b""
                case HandScored(_, scores, winners):
                    said = Scores(scores, winners).encode()
                case GameScored(_, scores, winners, decider):
                    said = Scores(scores, winners, decider == self.player).encode()
                case AgainSettled(player, yes, by):
                    status = self._settle(by, int(yes)) if player == self.player else b""
                    said = status + encode_int(yes)
                case GameBegun(setting):
                    said = TableInfo(
                        setting.rules, setting.end_score, setting.limit, self.computers
                    ).encode()
                case GameAborted():
                    # A player who left in the dealer dialect may come back in this one, which has
                    # no words for another game.
                    raise RemoteProtocolError("the plain dialect cannot tell of another game")
                case _:
                    return self.beside(event)
        owed = self._owed = self._owed + 1
        if owed > self._most:
            raise RemoteProtocolError(f"more than {OWED_LIMIT} acknowledgements are owed")
        return said

    def recall(self, missed: TableEvent | Question) -> bytes:
        """Return the bytes of an event or question from the time when the client was away.

        The client owes a choice for each decided question as well, which is thrown away. What it
        owes for all this does not count towards the limit.
        """
        self._most = self._owed + OWED_LIMIT
        if isinstance(missed, Question):
            self.owe_choice(missed)
            return b""
        return self.encode_event(missed)

    def made_before(self) -> None:
        if self._open is not None:
            self._open.elsewhere = True

    def ask(self, asked: Ask) -> bytes:
        """Ask for a choice, which the client owes now; it has been told all that it needs."""
        self.owe_choice(asked.question)
        return b""

    @property
    def owes_recalled_choice(self) -> bool:
        return self._open is not None

    @property
    def has_caught_up(self) -> bool:
        return self._open is not None and self._open.at_head

    def owe_choice(self, question: Question) -> bool:
        """Take note that the client owes a choice now; True if it owes nothing earlier."""
        asked = _Asked(question, self._owed, self._owed == self._given)
        self._owed += 1
        self._open = asked
        self._choices.append(asked)
        self.asked = True
        return asked.at_head

    def refuse(self, reason: Reason) -> bytes:
        assert self._open is not None
        self.owe_choice(self._open.question)
        return encode_int(reason)

    def _encode_hand(self, direction: Direction, cards: Sequence[Card]) -> bytes:
        self._hand = list(cards)
        if direction is Direction.HOLD:
            self._owed += 1
        return b"".join(_CARDS[card] for card in cards) + _INTS[direction]

    def _settle(self, by: ChosenBy, decided: int) -> bytes:
        asked, self._open = self._open, None
        self.asked = False
        if asked is not None and not asked.arrived:
            asked.late = True
        # What came over a connection that is lost is news to this one.
        known = asked is None or (asked.arrived and not asked.elsewhere)
        return _ACCEPTED if known and by is BY_PLAYER else _INTS[decided + 1]

    # From the client

    @property
    def owes(self) -> bool:
        return self._owed > self._given

    def receive(self, data: bytes) -> list[Input]:
        """Return the inputs that bytes from the client amount to, in order.

        Raises RemoteProtocolError for a wrong acknowledgement and for too much that is not due.
        """
        if self.early:
            data = self.early + data
        choices = self._choices
        before = given = self._given
        size = len(data)
        offset = 0
        inputs: list[Input] = []
        while True:
            head = choices[0] if choices else None
            due = (self._owed if head is None else head.after) - given
            if due:
                came = min(due, (size - offset) // 4)
                end = offset + 4 * came
                if data[offset:end] != self._ack * came:
                    raise self._wrong_ack(data[offset:end])
                given += came
                offset = end
                if came < due:
                    break
            if head is None:
                break
            is_pass = head.question is not CARD and head.question is Question.PASS
            choice = _THREE_INTS if is_pass else _ONE_INT
            if size - offset < choice.size:
                if not head.late and not head.at_head:
                    head.at_head = True
                    inputs.append(ClientCaughtUp(self.player))
                break
            values = choice.unpack_from(data, offset)
            offset += choice.size
            given += 1
            choices.pop(0)
            head.arrived = True
            if head.late:
                inputs.append(CameLate(self.player))
            else:
                self.asked = False
                inputs.append(Chosen(self.player, self._choice(head.question, values)))
            if offset == size and not choices:
                break
        self._given = given
        self._most += given - before
        self.early = data[offset:]
        if len(self.early) > EARLY_LIMIT:
            raise RemoteProtocolError(f"more than {EARLY_LIMIT} bytes came before they were due")
        return inputs

    def _wrong_ack(self, data: bytes) -> RemoteProtocolError:
        (value,) = next(value for value in _ONE_INT.iter_unpack(data) if value != (self.player,))
        # Out of step it could be anything, a Process ID among it, and this is logged.
        came = value if -1 <= value <= HAND_SIZE else "another number"
        return RemoteProtocolError(f"an acknowledgement of {came} came where {self.player} is due")

    def _choice(self, question: Question, values: Sequence[int]) -> Choice | None:
        player = self.player
        if question is CARD:
            (index,) = values
            return Play(player, self._hand[index]) if 0 <= index < HAND_SIZE else None
        match question:
            case Question.PASS:
                if len(set(values)) < 3 or not all(0 <= index < HAND_SIZE for index in values):
                    return None
                return Pass(player, tuple(self._hand[index] for index in values))
            case Question.MOON:
                return ChooseMoon(player, values == (1,)) if values[0] in (0, 1) else None
            case Question.AGAIN:
                return AnswerAgain(player, values != (0,))
            case Question.CUT:
                raise AssertionError("nobody cuts in the plain dialect")
            case _:
                assert_never(question)
