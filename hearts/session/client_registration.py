"""The client's side of a registration, from the Player ID to the four names.

SocketSpec.md section 3. The replies of the server are read one after the other; each option block
is sent when the one before is answered, because a refusal ends the connection.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import Card, four
from hearts.game.events import ChooseMoon, Pass, Play
from hearts.game.game import PASS_SIZE
from hearts.names.proof import AskedChallenge, NameAnswer, NameProof, NameState
from hearts.settings.readers import LEVELS
from hearts.table.inputs import AnswerAgain, Choice, Question
from hearts.wire.codec import NAME_LIMIT, encode_int, encode_ints, encode_str
from hearts.wire.credentials import SeatCredentials

from .client_events import (
    CameBack,
    DealerEvent,
    Seated,
    SessionEnded,
    TableLooked,
    TablesListed,
    WaitingForPlayers,
)
from .client_states import REPLIES, Conversation, State
from .messages import (
    CHALLENGE_TAG,
    DEALER_VERSION,
    GREETING_TAG,
    HOSTS_LEVELS,
    LEVELS_TAG,
    LOOK_TAG,
    MAX_OPTION_BLOCKS,
    PROOF_TAG,
    ListedTable,
    LookedTable,
    LookReply,
    Options,
    Tag,
)
from .picture import Picture
from .resume_token import Names, ResumeToken
from .table_words import Refused, ServerNotice

_NO_SUCH_LEVEL = "Computers of that level do not play here{others}; they play as the host has it."
_LEVELS_ASKED = encode_ints(LEVELS_TAG, 0)


class NameProver(Protocol):
    """Proves a name to one server (SocketSpec.md, annex E); what it says is for the player."""

    @property
    def asked(self) -> AskedChallenge:
        """The question for a challenge."""

    def answer(
        self, challenge: bytes, name: str, dialect: int
    ) -> tuple[NameProof | None, list[str]]:
        """Return the proof for a challenge, or None to be a guest; and lines.

        ``challenge`` is empty if the server gives none.
        """

    def told(self, answer: NameAnswer) -> list[str]:
        """Return lines about the answer to the proof."""


class RegistrationRequest(Struct, frozen=True):
    """A request to play, come back or watch, or to hear of tables (SocketSpec.md section 3)."""

    name: str
    process_id: int
    """0 or more, best drawn by chance: half of the proof of the seat."""
    password: str = ""
    table: str = ""
    """A public table to join, or a private one to join or open; empty for the next free seat."""
    options: Options | None = None
    """Wishes for the table, which count only from the player 0 who opens it."""
    list_only: bool = False
    """Ask for the list of tables and nothing more."""
    details_first: str | None = None
    """With :attr:`list_only`, ask also for details of the listed tables, up to the limit of a
    registration. The table of this name goes first; None to ask for no details."""
    look: str = ""
    """Ask for details of the table of this name, and nothing more; empty not to ask."""
    come_back: ResumeToken | None = None
    """The seat to come back to; then of the others only :attr:`name` and the dialect count."""
    dealer: bool = False
    """True if the connection speaks the dealer dialect from the Process ID on."""
    greeting: bool = False
    """Ask for the server's greeting, too; of the day in its place, if there is a token below. With
    the list, ask for the levels of computers as well."""
    visitor: bytes = b""
    prover: NameProver | None = None
    """Proves that the name is the player's; None for a guest where the server has names."""
    watch: int = 0
    """The number of a game to watch, which takes the dealer dialect; 0 for playing."""

    @classmethod
    def to_come_back(cls, progress: ResumeToken) -> RegistrationRequest:
        """Make the request that brings a client back to its seat (SocketSpec.md section 5.6)."""
        name = progress.names[progress.player]
        return cls(name, progress.credentials.process_id, come_back=progress)

    def blocks(self) -> Iterator[tuple[bytes, State]]:
        """Return each option block that has a reply, with the state in which the reply is
        awaited.
        """
        yield encode_ints(Tag.REASONS, 0), State.REASONS_REPLY
        if self.password and self.come_back is None:
            password = encode_int(Tag.PASSWORD) + encode_str(self.password)
            yield password, State.PASSWORD_REPLY
        if self.greeting:
            yield encode_ints(GREETING_TAG, len(self.visitor)) + self.visitor, State.GREETING_SIZE
        if self.greeting and self.list_only:
            yield _LEVELS_ASKED, State.LEVELS_ALLOWED
        if self.dealer and not self.list_only and not self.look:
            yield encode_ints(Tag.DEALER, DEALER_VERSION), State.DEALER_REPLY
        is_named = self.come_back is None and not (self.look or self.watch)
        if self.prover is not None and is_named:
            yield _sized_block(CHALLENGE_TAG, self.prover.asked.encode()), State.CHALLENGE_REPLY
        if self.come_back is not None:
            shown = self.come_back.credentials
            seat = shown.game_number, shown.game_id, shown.player, shown.process_id
            back = encode_ints(Tag.COME_BACK, *seat, self.come_back.hands)
            yield back, State.COME_BACK_REPLY
        elif self.list_only:
            yield encode_int(Tag.LIST), State.LIST_SIZE
        elif self.look:
            encode_str(self.look, NAME_LIMIT)  # It is checked like one that is joined.
            yield _look_block(self.look), State.LOOK_REPLY
        elif self.watch:
            yield encode_ints(Tag.WATCH, self.watch), State.WATCH_REPLY
        elif self.table:
            table = encode_int(Tag.TABLE) + encode_str(self.table, NAME_LIMIT)
            yield table, State.TABLE_REPLY
        levels = HOSTS_LEVELS if self.options is None else self.options.levels
        if levels != HOSTS_LEVELS and self.come_back is None:
            yield encode_ints(LEVELS_TAG, len(levels)) + bytes(levels), State.LEVELS_REPLY

    def ending(self) -> bytes:
        """Return the last part: the options, which have no reply, and the Process ID."""
        if self.come_back is not None:
            return encode_int(self.come_back.credentials.process_id)
        options = b"" if self.options is None else self.options.encode()
        return options + encode_int(self.process_id)


def _look_block(table: str) -> bytes:
    return _sized_block(LOOK_TAG, table.encode())


def _sized_block(tag: int, data: bytes) -> bytes:
    return encode_ints(tag, len(data)) + data


def _no_such_level(levels: frozenset[int]) -> str:
    """Return a line for a player who wanted another level than these."""
    names = ", ".join(name for name, number in LEVELS.items() if number in levels)
    return _NO_SUCH_LEVEL.format(others=f", but these do: {names}" if names else "")


class ClientRegistration:
    """The first half of a session; the caller gives it the messages of its states."""

    def __init__(self, request: RegistrationRequest, talk: Conversation) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        self.player = -1
        """Our seat as far as it is known, 0-3; -1 before the Player ID."""
        self.progress = request.come_back
        """The progress of the session; None while there is none."""
        self.decided = 0
        """The number of our choices in a replay that are decided already, if we come back."""
        self._talk = talk
        self._name = encode_str(request.name, NAME_LIMIT)
        self._blocks = deque(request.blocks())
        self._ending = request.ending()
        back = request.come_back
        self._start = State.FRAMES if request.dealer else State.GAME_NUMBER
        self._is_watcher = bool(request.watch)
        self._process_id = request.process_id if back is None else back.credentials.process_id
        self._reasons = False
        self._code = 0
        self._expected_tables = 0
        self._tables: list[ListedTable] = []
        self._expected_greeting = 0
        self._greeting: list[str] = []
        self._request = request
        self._state = NameState.UNTOLD
        self._expected_notes = 0
        self._notes: list[str] = []
        self._levels = frozenset[int]()
        self._lists = request.list_only
        self._details_first = request.details_first
        self._looks_left = MAX_OPTION_BLOCKS - len(self._blocks)
        self._looked_at = deque[str]()
        self._details: dict[str, LookedTable] = {}

    def refused(self, code: int) -> bool:
        """Take note of a refusal; False if the int is none."""
        if code >= 0:
            return False
        if self._reasons:
            self._code = code
            self._talk.go(State.REFUSAL_REASON)
        else:
            self._talk.emit(Refused(code, ""))
            self._talk.go(State.CLOSED)
        return True

    def receive(self, ints: list[int], texts: list[str]) -> None:
        """Take the message that the state waits for. Raises RemoteProtocolError."""
        talk = self._talk
        if talk.state in REPLIES and self.refused(ints[0]):
            return
        match talk.state:
            case State.PLAYER_ID:
                self.player = ints[0]
                talk.send(self._name)
                self._next_block()
            case State.REASONS_REPLY:
                self._reasons = ints[0] == 1
                self._next_block()
            case State.PASSWORD_REPLY | State.DEALER_REPLY | State.WATCH_REPLY:
                self._next_block()
            case State.GREETING_SIZE:
                self._expected_greeting = ints[0]
                self._next_greeting()
            case State.GREETING:
                self._greeting += texts
                self._next_greeting()
            case State.CHALLENGE_REPLY if ints[0]:
                talk.go(State.CHALLENGE)
            case State.CHALLENGE_REPLY:
                self._prove(b"")
            case State.CHALLENGE:
                self._prove(encode_ints(*ints))
            case State.PROOF_REPLY:
                self._state = NameState(ints[0])
                if ints[0]:
                    talk.go(State.NOTES_SIZE)
                else:
                    self._next_note()
            case State.NOTES_SIZE:
                self._expected_notes = ints[0]
                self._next_note()
            case State.NOTE:
                self._notes += texts
                self._next_note()
            case State.TABLE_REPLY:
                self.player = ints[0]
                self._next_block()
            case State.LEVELS_REPLY:
                if ints[0] != 1:
                    self._blocks.append((_LEVELS_ASKED, State.LEVELS_ALLOWED))
                self._next_block()
            case State.LEVELS_ALLOWED:
                self._levels = frozenset(n for n in range(ints[0].bit_length()) if ints[0] >> n & 1)
                if not self._lists:
                    talk.emit(ServerNotice(_no_such_level(self._levels)))
                self._next_block()
            case State.COME_BACK_REPLY:
                assert self.progress is not None
                self.decided = ints[0] - 1
                self.player = self.progress.player
                talk.emit(CameBack(self.decided, self.progress))
                self._next_block()
            case State.LIST_SIZE:
                self._expected_tables = ints[0]
                self._next_listed()
            case State.LISTED_TABLE:
                name, a, b, c, d = texts
                self._tables.append(ListedTable(name, ints[0], ints[1], (a, b, c, d)))
                self._next_listed()
            case State.LOOK_REPLY if ints[0] == LookReply.TABLE:
                talk.go(State.LOOKED_TABLE)
            case State.LOOK_REPLY:
                self._on_looked(None, ints[0] == LookReply.NO_TABLE)
            case State.LOOKED_TABLE:
                self._on_looked(LookedTable.decode(ints, texts), True)
            case State.GAME_NUMBER:
                if not ints[0]:
                    raise RemoteProtocolError("a game number is not 0")
                self._code = ints[0]
                talk.go(State.GAME_ID)
            case State.REFUSAL_REASON:
                talk.emit(Refused(self._code, texts[0]))
                talk.go(State.CLOSED)
            case State.GAME_ID:
                talk.send(encode_int(self.player))
                self.take_seat(self._code, ints[0], four(texts))
                talk.go(State.TABLE)
            case _:
                raise AssertionError(f"{talk.state} is not of a registration")

    def _next_block(self) -> None:
        if self._blocks:
            block, state = self._blocks.popleft()
            self._talk.send(block)
            self._talk.go(state)
        else:
            self._talk.send(self._ending)
            if self.progress is None and not self._is_watcher:
                self._talk.emit(WaitingForPlayers(self.player))
            self._talk.go(self._start)

    def _next_greeting(self) -> None:
        if len(self._greeting) < self._expected_greeting:
            self._talk.go(State.GREETING)
            return
        if not self._lists:
            for text in filter(None, self._greeting):
                self._talk.emit(ServerNotice(text))
        self._next_block()

    def _prove(self, challenge: bytes) -> None:
        request = self._request
        assert request.prover is not None
        dialect = DEALER_VERSION if request.dealer else 0
        proof, lines = request.prover.answer(challenge, request.name, dialect)
        for line in lines:
            self._talk.emit(ServerNotice(line))
        if proof is not None:
            self._blocks.appendleft((_sized_block(PROOF_TAG, proof.encode()), State.PROOF_REPLY))
        self._next_block()

    def _next_note(self) -> None:
        if len(self._notes) < self._expected_notes:
            self._talk.go(State.NOTE)
            return
        assert self._request.prover is not None
        for line in self._request.prover.told(NameAnswer(self._state, self._notes)):
            self._talk.emit(ServerNotice(line))
        self._next_block()

    def _next_listed(self) -> None:
        if len(self._tables) < self._expected_tables:
            self._talk.go(State.LISTED_TABLE)
            return
        first = self._details_first
        if first is not None:
            names = sorted((table.name for table in self._tables), key=lambda name: name != first)
            self._looked_at.extend(names[: self._looks_left])
            # All at once: one after the other would take as many round trips.
            self._talk.send(b"".join(map(_look_block, self._looked_at)))
        self._next_detail()

    def _next_detail(self) -> None:
        if self._looked_at:
            self._talk.go(State.LOOK_REPLY)
        else:
            details, greeting = tuple(self._details.items()), tuple(self._greeting)
            self._talk.emit(TablesListed(tuple(self._tables), details, greeting, self._levels))
            self._talk.go(State.CLOSED)

    def _on_looked(self, table: LookedTable | None, is_known: bool) -> None:
        if not self._looked_at:
            self._talk.emit(TableLooked(is_known, table))
            self._talk.go(State.CLOSED)
            return
        name = self._looked_at.popleft()
        if table is not None:
            self._details[name] = table
        self._next_detail()

    def take_seat(self, game_number: int, game_id: int, names: Names) -> None:
        """Note that the table has its players, and that :attr:`player` is our seat for good.

        Raises RemoteProtocolError if we came back to another seat.
        """
        credentials = SeatCredentials(game_number, game_id, self.player, self._process_id)
        if self.progress is None:
            self.progress = ResumeToken(credentials, names)
        elif self.progress.credentials != credentials:
            raise RemoteProtocolError("we came back to one seat and got another")
        else:
            # Somebody else may have a seat meanwhile (DealerSpec.md section 14.8).
            self.progress = replace(self.progress, names=names)
        self._talk.emit(Seated(credentials, names))


class ClientConnection(ABC):
    """One connection to a game server in either dialect.

    The caller feeds what arrives, takes events until there is None, and then sends what
    :meth:`bytes_to_send` gives.
    """

    def __init__(self, request: RegistrationRequest, picture: Picture) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        self.picture = picture
        """The table as it is known after the event that was taken last."""
        self._talk = Conversation()
        self._registration = ClientRegistration(request, self._talk)
        self._at_end = False

    @property
    def player(self) -> int:
        """Our seat as far as it is known, 0-3; -1 before the Player ID."""
        return self._registration.player

    @property
    def closed(self) -> bool:
        return self._talk.state is State.CLOSED

    @property
    @abstractmethod
    def _is_complete(self) -> bool:
        """True if the session ended because the players wanted no more."""

    def feed(self, data: bytes) -> None:
        """Add bytes that arrived; empty bytes mean the end of the stream."""
        if data:
            self._talk.feed(data)
        else:
            self._at_end = True

    def bytes_to_send(self) -> bytes:
        """Give out the bytes to be sent now, in one write. Each is given out once."""
        return self._talk.bytes_to_send()

    def next_event(self) -> DealerEvent | None:
        """Return the next event; None while more bytes are needed, or when all is over.

        Raises RemoteProtocolError for anything that no server of this protocol says.
        """
        try:
            while (event := self._talk.next_event()) is None and self._read():
                pass
            if event is not None:
                self.picture.update(event)
                return event
        except RemoteProtocolError:
            self.close()
            self._talk.forget_events()
            raise
        if not self._at_end or self.closed:
            return None
        ended = SessionEnded(self._is_complete)
        self.close()
        return ended

    @abstractmethod
    def _read(self) -> bool:
        """Read one message, if one is there as a whole. Raises RemoteProtocolError."""

    def close(self) -> None:
        """Expect nothing more from the server; bytes that are there already are dropped."""
        self._talk.close()


class SeatConnection(ClientConnection):
    """A connection over which we choose; each method raises LocalProtocolError if that is not
    asked for now."""

    @property
    @abstractmethod
    def asked(self) -> Question | None:
        """The choice that we have to make now; None also when it is sent."""

    def pass_cards(self, cards: Sequence[Card]) -> None:
        """Pass three different cards of our hand."""
        if len(cards) != PASS_SIZE or len(set(cards)) != PASS_SIZE:
            raise LocalProtocolError("a pass is three different cards")
        self._choose(Question.PASS, Pass(self.player, tuple(cards)), cards)

    def play(self, card: Card) -> None:
        """Play a card that we hold; legality is the server's word."""
        self._choose(Question.CARD, Play(self.player, card), [card])

    def choose_moon(self, on_others: bool) -> None:
        """Choose 26 points for each of the others, or 26 off our own."""
        self._choose(Question.MOON, ChooseMoon(self.player, on_others), (), int(on_others))

    def play_again(self, yes: bool) -> None:
        """Answer whether another game is wanted."""
        self._choose(Question.AGAIN, AnswerAgain(self.player, yes), (), int(yes))

    def _choose(
        self, question: Question, choice: Choice, cards: Sequence[Card], *values: int
    ) -> None:
        if self.asked is not question:
            raise LocalProtocolError(f"a choice of {question.value} is not asked for now")
        self.picture.require(cards)
        self._send_choice(choice, cards, *values)

    @abstractmethod
    def _send_choice(self, choice: Choice, cards: Sequence[Card], *values: int) -> None:
        """Send a choice; ``cards`` and ``values`` are what it says."""
