"""The independent client of the dealer dialect as a program that the conformance kit starts.

It is strict, so that it sees each fault of a dealer. What a later version may say, and refusals of
answers that it knows to be legal, it takes like any client.
"""

from __future__ import annotations

import re

from tests.independent.dealer import DealerSettings, PlayerConnection
from tests.independent.dealer_answers import COUNTED
from tests.independent.dealer_frames import (
    ABORT_GAME,
    CHOICES,
    DEAL_COMMITMENT,
    LAYOUTS,
    ServerFrame,
    decode,
    expect,
)
from tests.independent.dealer_hands import CUTS
from tests.independent.dealer_line import Heard
from tests.independent.dealer_proof import Values
from tests.independent.plain_client import Fact, Nonsense, OwnSession, Read, Talk, Ticket

from .clients import ClientProgram

_LONGER = re.compile(r"its length: it has (\d+) bytes too many$")


class Dealing(PlayerConnection):
    """A client that does all that SocketSpec.md asks for."""

    def _frame(self) -> Heard:
        while True:
            kind, sequence, length = yield from self._ints(3)
            data = (yield Read(length)) if length else b""
            expect(sequence == len(self.frames) + 1, f"sequence {sequence}")
            if kind in LAYOUTS:
                break
            self._skip(kind)
            self.frames.append(ServerFrame(kind, sequence, {}))
        frame = self._decode(kind, sequence, data)
        self.frames.append(frame)
        expect(not self._ended, f"{frame} after the end")
        return frame

    def _skip(self, kind: int) -> None:
        """A frame came whose type is not known."""

    def _decode(self, kind: int, sequence: int, data: bytes) -> ServerFrame:
        try:
            return decode(kind, sequence, data, self._past)
        except Nonsense as error:
            longer = _LONGER.search(str(error))
            if longer is None:
                raise
            return decode(kind, sequence, data[: -int(longer[1])], self._past)

    def _begin_hand(self) -> Talk:
        self._committed = (yield from self._peek(CUTS)).type == DEAL_COMMITMENT
        yield from super()._begin_hand()

    def _say(
        self,
        query: ServerFrame,
        payload: bytes,
        may: set[int],
        *,
        kind: int | None = None,
        fact: Fact | None = None,
        again: bool = False,
    ) -> Talk:
        refusable = query.type in CHOICES
        may = may | COUNTED if refusable else may
        yield from super()._say(query, payload, may, kind=kind, fact=fact, again=refusable or again)


class DealerProgram(ClientProgram):
    """A client program of the dealer dialect."""

    session: type[PlayerConnection] = Dealing
    settings: DealerSettings = DealerSettings(name="Zoë", cuts=True, pings=0.1)

    def begin(self, ticket: Ticket | None, before: OwnSession | None) -> OwnSession:
        assert before is None or isinstance(before, PlayerConnection)
        session = self.session(self.settings, ticket, before)
        if before is None:
            # The hands of a scenario are the same each time.
            session.values = Values(bytes([6]) * 32)
        return session

    def is_over(self, session: OwnSession) -> bool:
        assert isinstance(session, PlayerConnection)
        aborted = [frame for frame in session.frames if frame.type == ABORT_GAME]
        lost = session.facts[-1] == Fact("end")
        return super().is_over(session) or not lost or any(not frame["later"] for frame in aborted)
