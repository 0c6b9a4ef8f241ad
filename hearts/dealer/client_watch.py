"""A watcher's side of the dealer dialect: bytes in, what everybody may see out (section 14.9)."""

from __future__ import annotations

from hearts.errors import RemoteProtocolError
from hearts.session.client_events import CaughtUp
from hearts.session.client_registration import RegistrationRequest
from hearts.session.picture import Picture
from hearts.session.table_words import Replay, TableMessage, Waiting
from hearts.session.wishes import TellTable

from . import messages as said
from .beside import Said, as_frame
from .client_connection import DealerConnection
from .client_events import Watching
from .frames import encode_frame
from .messages import Message


class WatcherSession(DealerConnection):
    """One connection that watches a table, from the Player ID to the end of the session."""

    def __init__(self, game_number: int, *, name: str = "watcher", password: str = "") -> None:
        """Raises LocalProtocolError for a name or password that cannot be sent."""
        super().__init__(
            RegistrationRequest(name, 0, password=password, dealer=True, watch=game_number),
            Picture(is_watching=True),
        )
        self._is_past = False

    def _check_sequence(self, number: int) -> None:
        if number:
            raise RemoteProtocolError(f"a watcher's frame has sequence {number}, not 0")

    def _hear(self, message: Message | Said) -> None:
        match message:
            case said.SeatedMessage(_, game_number, _, table):
                self._tell(Watching(game_number, table))
                type_, payload = as_frame(TellTable(said.WATCHER))
                self._talk.send(encode_frame(type_, 0, payload))
            case Replay(begins):
                if begins == self._is_past:
                    raise RemoteProtocolError("a replay begins or ends where it cannot")
                self._is_past = begins
                if not begins:
                    self._tell(CaughtUp())
            case _:
                super()._hear(message)

    def _hear_other(self, message: Message | Said) -> None:
        if isinstance(message, Waiting | TableMessage):
            self._tell(message)
        elif not isinstance(message, said.Pong):
            raise RemoteProtocolError(f"a watcher is told of a {type(message).__name__}")
