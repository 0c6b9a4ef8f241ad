"""A session in the dealer dialect."""

from __future__ import annotations

from contextlib import suppress

import trio

from hearts.session.client_events import Refused
from hearts.session.messages import DEALER_VERSION
from hearts_conformance.checks import ClientFault, NotShown
from hearts_conformance.line import Line
from hearts_conformance.session.checked_registration import CheckedRegistration
from hearts_conformance.session.host import Host
from hearts_conformance.session.scenario_run import ScenarioRun, part

from .conversation import DealerConversation, GaveSeatUp
from .frames import NothingCame, read_frame
from .seat import DealerKitSeat


class DealerScenarioRun(ScenarioRun):
    """Plays one script in the dealer dialect."""

    version = DEALER_VERSION
    _conversation: DealerConversation

    def _look_at(self, registration: CheckedRegistration) -> None:
        if registration.speaks_dealer:
            self._marks.show("dealer.version")
        elif registration.back is not None:
            raise NotShown("the client comes back in the plain dialect")
        else:
            raise ClientFault("dealer.version", "the Process ID came without block -6 before it")

    def _new_conversation(self, host: Host) -> DealerConversation:
        return DealerConversation(self._script, host, self._marks, lambda: self._own)

    async def _play(self, nursery: trio.Nursery) -> None:
        with suppress(GaveSeatUp):
            await super()._play(nursery)
            return
        assert self._line is not None
        # An answer may have been on its way.
        await _read_all(self._line)
        await part(self._line, "seat.give", self._marks)
        raise NotShown("the client left for good")

    async def _turn_away(self, registration: CheckedRegistration, line: Line) -> None:
        script = self._script
        assert script.refusal is not None
        if script.plainly:
            # Frames may come right behind the Process ID, and cross with the refusal.
            await _read_all(line)
            await registration.refuse(script.refusal)
            await part(line, "refused.plainly", self._marks)
            return
        seat = DealerKitSeat(script.seat, script, self._marks)
        await line.send(seat.register_query())
        await _read_all(line, seat)
        await line.send(seat.beside(Refused(script.refusal, script.refusal.text)))
        await part(line, "refused.frame", self._marks)

    async def _finish(self) -> None:
        assert self._line is not None
        if self._conversation.aborted:
            await part(self._line, "abort.over", self._marks)
        await super()._finish()


async def _read_all(line: Line, seat: DealerKitSeat | None = None) -> None:
    """Read frames until nothing comes, and let the seat judge them."""
    with suppress(NothingCame):
        while await line.listen():
            frame = await read_frame(line)
            if seat is not None:
                seat.receive(frame)
