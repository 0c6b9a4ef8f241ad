"""The client's side of a registration, from the Player ID to the four names.

SocketSpec.md section 3. The replies of the server are read one after the other; each option block
is sent when the one before is answered, for a refusal ends the connection.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import RemoteProtocolError
from hearts.wire.codec import INT_MAX, NAME_LIMIT, encode_int, encode_ints, encode_str
from hearts.wire.credentials import SeatCredentials

from .client_events import CameBack, Refused, Seated, TableLooked, TablesListed, WaitingForPlayers
from .client_states import Conversation, State, within
from .messages import (
    DEALER_VERSION,
    LOOK_TAG,
    MAX_LISTED_TABLES,
    MAX_OPTION_BLOCKS,
    ListedTable,
    LookedTable,
    LookReply,
    Options,
    Tag,
)
from .resume_token import Names, ResumeToken


class RegistrationRequest(Struct, frozen=True):
    """Who wants to play, where and how (SocketSpec.md section 3)."""

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
    """With :attr:`list_only`, ask also what the listed tables are, as many as a registration may
    ask about; this one goes first. None for not."""
    look: str = ""
    """Ask what the table of this name is, and nothing more; empty for not."""
    come_back: ResumeToken | None = None
    """The seat to come back to; then of the others only :attr:`name` and the dialect count."""
    dealer: bool = False
    """Whether the connection speaks the dealer dialect from the Process ID on."""
    watch: int = 0
    """The number of a game to watch, which takes the dealer dialect; 0 for playing."""

    @classmethod
    def to_come_back(cls, progress: ResumeToken) -> RegistrationRequest:
        """What brings a client back to its seat (SocketSpec.md section 5.6)."""
        name = progress.names[progress.player]
        return cls(name, progress.credentials.process_id, come_back=progress)

    def blocks(self) -> Iterator[tuple[bytes, State]]:
        """Each option block that has a reply, with the state in which the reply is awaited."""
        yield encode_ints(Tag.REASONS, 0), State.REASONS_REPLY
        if self.password and self.come_back is None:
            password = encode_int(Tag.PASSWORD) + encode_str(self.password)
            yield password, State.PASSWORD_REPLY
        if self.dealer and not self.list_only and not self.look:
            yield encode_ints(Tag.DEALER, DEALER_VERSION), State.DEALER_REPLY
        if self.come_back is not None:
            yield _come_back_block(self.come_back), State.COME_BACK_REPLY
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

    def ending(self) -> bytes:
        """The last part: the options, which have no reply, and the Process ID."""
        if self.come_back is not None:
            return encode_int(self.come_back.credentials.process_id)
        options = b"" if self.options is None else self.options.encode()
        return options + encode_int(self.process_id)


def _look_block(table: str) -> bytes:
    name = table.encode()
    return encode_ints(LOOK_TAG, len(name)) + name


def _come_back_block(progress: ResumeToken) -> bytes:
    shown = progress.credentials
    return encode_ints(
        Tag.COME_BACK,
        shown.game_number,
        shown.game_id,
        shown.player,
        shown.process_id,
        progress.hands,
    )


class ClientRegistration:
    """The first half of a session; the caller gives it the messages of its states."""

    def __init__(self, request: RegistrationRequest, talk: Conversation) -> None:
        """Raises LocalProtocolError for a name, table or password that cannot be sent."""
        self.player = -1
        """Our seat as far as it is known, 0-3; -1 before the Player ID."""
        self.progress = request.come_back
        """How far the session has come; None while there is none."""
        self.decided = 0
        """Where we come back: how many of our choices in the replay are decided already."""
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
            self._talk.tell(Refused(code, ""))
            self._talk.go(State.CLOSED)
        return True

    def _on_player_id(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            self._sit_down(ints[0])
            self._talk.send(self._name)
            self._next_block()

    def _sit_down(self, player: int) -> None:
        self.player = within(player, 0, 3, "a Player ID")

    def _next_block(self) -> None:
        if self._blocks:
            block, state = self._blocks.popleft()
            self._talk.send(block)
            self._talk.go(state)
        else:
            self._talk.send(self._ending)
            if self.progress is None and not self._is_watcher:
                self._talk.tell(WaitingForPlayers(self.player))
            self._talk.go(self._start)

    def _on_reasons_reply(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            self._reasons = ints[0] == 1
            self._next_block()

    def _on_password_reply(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            self._next_block()

    def _on_dealer_reply(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            within(ints[0], 1, DEALER_VERSION, "a version of the dealer dialect")
            self._next_block()

    def _on_watch_reply(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            self._next_block()

    def _on_table_reply(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            self._sit_down(ints[0])
            self._next_block()

    def _on_come_back_reply(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            assert self.progress is not None
            self.decided = within(ints[0], 1, INT_MAX, "a reply to coming back") - 1
            self.player = self.progress.player
            self._talk.tell(CameBack(self.decided, self.progress))
            self._next_block()

    def _on_list_size(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            self._expected_tables = within(ints[0], 0, MAX_LISTED_TABLES, "a number of tables")
            self._next_listed()

    def _on_listed_table(self, ints: list[int], texts: list[str]) -> None:
        game_number, open_seats = ints
        name, a, b, c, d = texts
        if game_number < 0:
            raise RemoteProtocolError(f"a listed game number of {game_number} is below 0")
        within(open_seats, 0, 4, "a number of open seats")
        self._tables.append(ListedTable(name, game_number, open_seats, (a, b, c, d)))
        self._next_listed()

    def _next_listed(self) -> None:
        if len(self._tables) < self._expected_tables:
            self._talk.go(State.LISTED_TABLE)
        else:
            self._ask_details()

    def _ask_details(self) -> None:
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
            self._talk.tell(TablesListed(tuple(self._tables), tuple(self._details.items())))
            self._talk.go(State.CLOSED)

    def _on_look_reply(self, ints: list[int], texts: list[str]) -> None:
        if self.refused(ints[0]):
            return
        if ints[0] == LookReply.TABLE:
            self._talk.go(State.LOOKED_TABLE)
        elif self._looked_at:
            self._looked_at.popleft()
            self._next_detail()
        else:
            self._talk.tell(TableLooked(ints[0] == LookReply.NO_TABLE, None))
            self._talk.go(State.CLOSED)

    def _on_looked_table(self, ints: list[int], texts: list[str]) -> None:
        table = LookedTable.decode(ints, texts)
        if self._looked_at:
            self._details[self._looked_at.popleft()] = table
            self._next_detail()
        else:
            self._talk.tell(TableLooked(True, table))
            self._talk.go(State.CLOSED)

    def _on_game_number(self, ints: list[int], texts: list[str]) -> None:
        if not self.refused(ints[0]):
            if not ints[0]:
                raise RemoteProtocolError("a game number is not 0")
            self._code = ints[0]
            self._talk.go(State.GAME_ID)

    def _on_refusal_reason(self, ints: list[int], texts: list[str]) -> None:
        self._talk.tell(Refused(self._code, texts[0]))
        self._talk.go(State.CLOSED)

    def _on_game_id(self, ints: list[int], texts: list[str]) -> None:
        (game_id,) = ints
        a, b, c, d = texts
        if game_id < 0:
            raise RemoteProtocolError(f"a Game ID of {game_id} is below 0")
        self._talk.send(encode_int(self.player))
        self.take_seat(self._code, game_id, (a, b, c, d))
        self._talk.go(State.TABLE)

    def take_seat(self, game_number: int, game_id: int, names: Names) -> None:
        """The table has its players, and :attr:`player` is our seat for good.

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
        self._talk.tell(Seated(credentials, names))


HANDLERS: dict[State, Callable[[ClientRegistration, list[int], list[str]], None]] = {
    State.PLAYER_ID: ClientRegistration._on_player_id,
    State.REASONS_REPLY: ClientRegistration._on_reasons_reply,
    State.PASSWORD_REPLY: ClientRegistration._on_password_reply,
    State.DEALER_REPLY: ClientRegistration._on_dealer_reply,
    State.LIST_SIZE: ClientRegistration._on_list_size,
    State.LISTED_TABLE: ClientRegistration._on_listed_table,
    State.LOOK_REPLY: ClientRegistration._on_look_reply,
    State.LOOKED_TABLE: ClientRegistration._on_looked_table,
    State.TABLE_REPLY: ClientRegistration._on_table_reply,
    State.COME_BACK_REPLY: ClientRegistration._on_come_back_reply,
    State.WATCH_REPLY: ClientRegistration._on_watch_reply,
    State.GAME_NUMBER: ClientRegistration._on_game_number,
    State.REFUSAL_REASON: ClientRegistration._on_refusal_reason,
    State.GAME_ID: ClientRegistration._on_game_id,
}
"""What is done with the message of each state of a registration."""
