"""What is said over a client's line, and what comes beside its answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hearts.dealer.frames import Frame, encode_frame
from hearts_conformance.checks import Check, Marks
from hearts_conformance.line import DOES_NOT_READ, Line, Silence
from hearts_conformance.session.host import Host
from hearts_conformance.session.script import SendStyle, Twist

from . import agreement_checks as agreements
from . import checks
from .blame import Suspicion
from .frames import NothingCame, read_frame
from .judge import DealerJudge
from .script import DealerScript
from .seat import DealerKitSeat
from .speech import OutgoingFrames, QueryDue, Speech, is_forced


class GaveSeatUp(Exception):
    """The client has agreed to give its seat up, and was told that it has left."""


class LineTalk:
    """Says frames to one client, and takes in what it says by itself."""

    def __init__(
        self, script: DealerScript, host: Host, marks: Marks, own: Callable[[], Check | None]
    ) -> None:
        self._script = script
        self._host = host
        self._marks = marks
        self._judge = DealerJudge(host, marks)
        self._suspicion = Suspicion(marks, self._judge.doubts, own)
        self._speech = Speech(script, self._judge)
        self._returns = 0
        self._line: Line
        self._seat: DealerKitSeat

    async def _send(self, said: Sequence[OutgoingFrames | QueryDue]) -> None:
        apart = 0
        if self._script.style is SendStyle.WHOLE:
            # What was decided for the client comes with the query: nobody can answer in between.
            forced = (index for index, item in enumerate(said) if is_forced(item))
            apart = next(forced, len(said))
        for index, item in enumerate(said[:apart]):
            if isinstance(item, QueryDue) and item.data and index:
                await self._keep_quiet(said[index - 1])
            await self._write(item.data)
        await self._write(b"".join(item.data for item in said[apart:]))

    async def _flush(self) -> None:
        """Say what has to be said while an answer is waited for."""
        items = self._speech.items
        said = []
        while items and isinstance(aside := items[0], OutgoingFrames):
            said.append(aside)
            items.popleft()
        await self._send(said)

    async def _write(self, data: bytes) -> None:
        if not data:
            return
        try:
            await self._line.send(data)
        except Silence:
            raise self._suspicion.fault(checks.CARD, DOES_NOT_READ) from None

    async def _keep_quiet(self, last: OutgoingFrames | QueryDue) -> None:
        """See that what is only told is not answered, the first few times."""
        event = last.event if isinstance(last, OutgoingFrames) else None
        check = checks.PAST if self._returns and event is None else checks.NOTIFIED
        if self._marks.looks_closer(check, type(event).__name__):
            await self._settle()
            self._marks.show(check)

    async def _settle(self) -> None:
        """Take in what is under way, until nothing comes."""
        while await self._line.listen():
            try:
                frame = await read_frame(self._line)
            except NothingCame:
                return
            await self._take_aside(frame)

    async def _take_aside(self, frame: Frame) -> None:
        aborts = self._speech.aborts
        self._host.receive(encode_frame(*frame))
        self._speech.hear()
        if self._speech.aborts != aborts:
            is_game = Twist.PROPOSE_ABORT_GAME in self._script.twists.values()
            self._suspicion.turn_to(agreements.ABORT_GAME if is_game else agreements.ABORT_HAND)
        if self._seat.has_claimed:
            self._seat.has_claimed = False
            self._suspicion.turn_to(agreements.CLAIM_REFUSED)
        if self._seat.has_left:
            await self._flush()
            raise GaveSeatUp
