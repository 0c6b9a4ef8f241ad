"""A session in the dealer dialect."""

from __future__ import annotations

from contextlib import suppress

from hearts.session.messages import DEALER_VERSION
from hearts_conformance.checks import Fault, Marks, NotShown
from hearts_conformance.hall.host import Host
from hearts_conformance.hall.reception import Guest, Reception
from hearts_conformance.hall.sitting import Sitting
from hearts_conformance.kit import Calls
from hearts_conformance.line import Line

from . import checks
from .asides import Asides
from .ear import NothingCame, read_frame
from .script import DealerScript
from .seat import KitSeat
from .talk import DealerTalk

_TABLE = "Conformance"


class DealerSitting(Sitting):
    """Plays one script in the dealer dialect."""

    version = DEALER_VERSION
    _talk: DealerTalk

    def __init__(self, script: DealerScript, calls: Calls, marks: Marks) -> None:
        super().__init__(script, calls, marks)
        self._dealer_script = script
        self._table = _TABLE
        self._has_sat = False

    def _look_at(self, guest: Guest) -> None:
        if guest.speaks_dealer:
            self._marks.show(checks.DIALECT)
        elif guest.back is not None:
            raise NotShown("the client comes back in the plain dialect")
        else:
            raise Fault(checks.DIALECT, "the Process ID came without block -6 before it")
        self._table = guest.table or self._table

    def _talk_at(self, host: Host) -> DealerTalk:
        return DealerTalk(self._dealer_script, host, self._marks, lambda: self._own, self._table)

    async def _turn_away(self, reception: Reception, line: Line) -> None:
        refusal = self._dealer_script.refusal
        assert refusal is not None
        seat = KitSeat(self._dealer_script.seat, self._dealer_script)
        asides = Asides(seat, self._marks)
        await line.send(seat.register_query())
        with suppress(NothingCame):
            while await line.listen():
                asides.take(await read_frame(line))
        await line.send(seat.refused(refusal, refusal.text))
        await self._part(line, checks.REFUSED)

    async def _finish(self) -> None:
        if self._talk.aborted:
            assert self._line is not None
            await self._part(self._line, checks.ABORTED)
        await super()._finish()
