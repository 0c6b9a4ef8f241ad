"""A session in the dealer dialect."""

from __future__ import annotations

from contextlib import suppress

import trio

from hearts.dealer.frames import encode_frame
from hearts.session.client_events import Refused
from hearts.session.messages import DEALER_VERSION
from hearts_conformance.checks import ClientFault, Marks, NotShown
from hearts_conformance.hall.checked_registration import CheckedRegistration, ClientUnderTest
from hearts_conformance.hall.host import Host
from hearts_conformance.hall.scenario_run import ScenarioRun
from hearts_conformance.kit import Calls
from hearts_conformance.line import Line

from . import agreement_checks as agreements
from . import checks
from .ear import NothingCame, read_frame
from .line_talk import GaveSeatUp
from .script import DealerScript
from .seat import DealerKitSeat
from .talk import DealerTalk


class DealerScenarioRun(ScenarioRun):
    """Plays one script in the dealer dialect."""

    version = DEALER_VERSION
    _talk: DealerTalk

    def __init__(self, script: DealerScript, calls: Calls, marks: Marks) -> None:
        super().__init__(script, calls, marks)
        self._dealer_script = script

    def _look_at(self, client: ClientUnderTest) -> None:
        if client.speaks_dealer:
            self._marks.show(checks.DIALECT)
        elif client.back is not None:
            raise NotShown("the client comes back in the plain dialect")
        else:
            raise ClientFault(checks.DIALECT, "the Process ID came without block -6 before it")

    def _talk_at(self, host: Host) -> DealerTalk:
        return DealerTalk(self._dealer_script, host, self._marks, lambda: self._own)

    async def _play(self, nursery: trio.Nursery) -> None:
        with suppress(GaveSeatUp):
            await super()._play(nursery)
            return
        line = self._line
        assert line is not None
        # An answer may have been on its way.
        with suppress(NothingCame):
            while await line.listen():
                await read_frame(line)
        await self._part(line, agreements.GIVE_SEAT)
        raise NotShown("the client left for good")

    async def _turn_away(self, registration: CheckedRegistration, line: Line) -> None:
        refusal = self._dealer_script.refusal
        assert refusal is not None
        script = self._dealer_script
        if script.plainly:
            # Frames may come right behind the Process ID, and cross with the refusal.
            with suppress(NothingCame):
                while await line.listen():
                    await read_frame(line)
            await registration.refuse(refusal)
            await self._part(line, checks.REFUSED_PLAINLY)
            return
        seat = DealerKitSeat(script.seat, script, self._marks)
        await line.send(seat.register_query())
        with suppress(NothingCame):
            while await line.listen():
                seat.receive(encode_frame(*await read_frame(line)))
        await line.send(seat.beside(Refused(refusal, refusal.text)))
        await self._part(line, checks.REFUSED)

    async def _finish(self) -> None:
        if self._talk.aborted:
            assert self._line is not None
            await self._part(self._line, checks.ABORTED)
        await super()._finish()
