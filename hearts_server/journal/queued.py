"""The lines of one session on their way into the journal, through the spool or without one."""

from __future__ import annotations

import time
from collections.abc import Callable

from hearts.hosting.store import Done, StoredSeat

from .items import ChangeSeat, End, StoredItem, StoredLine
from .spool import Spool, encoded, line_check


class QueuedStore:
    """The lines of one session on their way into the journal."""

    __slots__ = ("_game_number", "_number", "_put")

    def __init__(self, put: Callable[[StoredItem], None], game_number: int, number: int) -> None:
        self._put = put
        self._game_number = game_number
        self._number = number

    def append(self, line: str, durable: Done) -> None:
        """Store a line; ``durable`` is called on the loop when it is."""
        self._put(StoredLine(self._game_number, self._number, line, durable))
        self._number += 1

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        """Network, description or mute of a seat are these now."""
        self._put(ChangeSeat(self._game_number, player, seat))

    def end(self, why: str, durable: Done) -> None:
        """The session is over now; ``durable`` is called on the loop when that is stored."""
        self._put(End(self._game_number, int(time.time()), why, durable))


class SpooledStore(QueuedStore):
    """The same where the spool makes lines durable at once, before the thread has them."""

    __slots__ = ("_before", "_spool", "_unsure")

    def __init__(
        self,
        put: Callable[[StoredItem], None],
        spool: Spool,
        game_number: int,
        number: int = 0,
        last: str = "",
    ) -> None:
        """``last`` is the line before ``number``."""
        super().__init__(put, game_number, number)
        self._spool = spool
        self._before = line_check(game_number, number - 1, encoded(last)) if number else 0
        self._unsure = 0
        """How many callbacks wait for the thread; no line goes before them."""

    def append(self, line: str, durable: Done) -> None:
        """Store a line; ``durable`` is called at once if the spool takes it."""
        data = encoded(line)
        number, before = self._number, self._before
        check = self._before = line_check(self._game_number, number, data)
        stored = StoredLine(self._game_number, number, line)
        if not self._unsure and self._spool.keep(stored, data, check, before):
            self._number = number + 1
            durable()
        else:
            super().append(line, self.waiting(durable))

    def waiting(self, durable: Done) -> Done:
        """What to call in place of ``durable``, if the session has to wait for the thread."""
        self._unsure += 1

        def done() -> None:
            self._unsure -= 1
            durable()

        return done
