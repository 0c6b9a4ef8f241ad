"""A journal and a chat for a house: in memory, and with all that they were told."""

from __future__ import annotations

import trio

from hearts.hosting.store import Done, Session, StoredSeat
from hearts.hosting.table_chat import GameNotice, Said
from hearts_server.children.chat import Chat
from hearts_server.journal.store import StoredSession


class ListeningChat(Chat):
    """Keeps what the tables say."""

    def __init__(self, *, in_use: bool = True) -> None:
        super().__init__(bytes(32), 1, in_use=in_use)
        self.said: list[Said] = []

    @property
    def texts(self) -> list[str]:
        return [said.text for said in self.said if isinstance(said, GameNotice)]

    def send(self, said: Said) -> None:
        self.said.append(said)


class DyingJournal:
    """A journal of one session that dies at a write."""

    def __init__(self, cut_at: int = -1, *, keep: bool = False) -> None:
        """``cut_at`` counts the lines of this life from 0; ``keep`` stores the last one."""
        self.session: Session
        self.lines: list[str] = []
        self.ended: str | None = None
        self.cut = trio.Event()
        self._cut_at = cut_at
        self._keep = keep

    def begin(self, session: Session, durable: Done) -> DyingJournal:
        self.session = session
        durable()
        return self

    def take_up(self, stored: StoredSession) -> DyingJournal:
        self.session = stored.session
        self.lines += stored.lines
        return self

    def append(self, line: str, durable: Done) -> None:
        if self.cut.is_set():
            return
        if len(self.lines) == self._cut_at:
            self.cut.set()
            if self._keep:
                self.lines.append(line)
            return
        self.lines.append(line)
        durable()

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        pass

    def end(self, why: str, durable: Done) -> None:
        if not self.cut.is_set():
            self.ended = why
            durable()

    @property
    def stored(self) -> StoredSession:
        return StoredSession(self.session, tuple(self.lines), None, "")
