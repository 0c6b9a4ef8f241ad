"""A session in the dealer dialect."""

from __future__ import annotations

from contextlib import suppress

import trio

from hearts.hosting.hosted_client import HostedClient
from hearts.hosting.store import StoredSeat
from hearts.session.messages import DEALER_VERSION, Refusal
from hearts.session.registration import SpeakDealer, Watch
from hearts.session.table_words import Refused
from hearts.table.seat import Kind
from hearts_conformance.checks import ClientFault, NobodyCame, NotShown
from hearts_conformance.line import KitLine
from hearts_conformance.session.chat import WATCHED_GAME
from hearts_conformance.session.checked_registration import CheckedRegistration, send
from hearts_conformance.session.host import Host
from hearts_conformance.session.scenario_run import ScenarioRun, part

from .conversation import DealerConversation, GaveSeatUp
from .frames import LeftUs, NothingCame, read_frame
from .kit_seat import DealerKitSeat

NO_WATCH = "the client does not watch"
_BEFORE = 30
"""Steps of the bots before the watcher comes: some tricks are past then."""


class DealerScenarioRun(ScenarioRun):
    version = DEALER_VERSION
    _conversation: DealerConversation

    def _look_at(self, registration: CheckedRegistration) -> None:
        if SpeakDealer in registration.received:
            self._marks.show("dealer.version")
        elif registration.back is not None:
            raise NotShown("the client comes back in the plain dialect")
        else:
            raise ClientFault("dealer.version", "the Process ID came without block -6 before it")

    def _new_conversation(self, host: Host) -> DealerConversation:
        return DealerConversation(self._script, host, self._marks, lambda: self._own)

    async def _play(self, nursery: trio.Nursery) -> None:
        if self._script.watched is not None:
            await self._watch()
            return
        with suppress(GaveSeatUp):
            await super()._play(nursery)
            return
        # An answer may have been on its way.
        await _read_all(self._there)
        await part(self._there, "seat.give", self._marks)
        raise NotShown("the client left for good")

    async def _turn_away(self, registration: CheckedRegistration, refusal: Refusal) -> None:
        script, line = self._script, self._there
        if script.plainly:
            # Frames may come right behind the Process ID, and cross with the refusal.
            await _read_all(line)
            await registration.refuse(refusal)
            await part(line, "refused.plainly", self._marks)
            return
        seat = DealerKitSeat(script.seat, script, self._marks)
        await line.send(seat.register_query())
        await _read_all(line, seat)
        await line.send(seat.beside(Refused(refusal, refusal.text)))
        await part(line, "refused.frame", self._marks)

    async def _finish(self) -> None:
        if self._conversation.aborted:
            await part(self._there, "abort.over", self._marks)
        await super()._finish()
        if not (self._script.has_clock or self._conversation.takes_back):
            raise NotShown("the client takes nothing back")

    # A client that watches

    async def _watch(self) -> None:
        """Let it watch a hand, from its middle to the end of the session."""
        line = await self._next_line(self._calls.wait)
        if line is None:
            raise NobodyCame("no client came")
        registration = CheckedRegistration(line, self._marks, self._script, self.version)
        await registration.offer_seat(0)
        await registration.receive(0)
        is_refused = not registration.is_complete
        if Watch not in registration.received or (is_refused and self._script.watched):
            raise NotShown(NO_WATCH)
        if self._script.watched:
            await self._show(line)
        else:
            await part(line, "watch.refused", self._marks)

    async def _show(self, line: KitLine) -> None:
        # One computer thinks at each step.
        session = self._session(WATCHED_GAME, 0, StoredSeat("Kit", Kind.CLIENT, 0))
        table = Host(session, 0, self._script, bot_pause=1.0)
        table.start_without_client()
        for _ in range(_BEFORE):
            table.step()
        watcher, link = table.watch()
        goes_on = True
        while goes_on:
            for _, data in link.take():
                await send(line, data, "watch.reads")
            await self._hear_watcher(line, watcher, is_late=False)
            goes_on = table.step()
        # What is on its way may be said; from then on the client has to close.
        await self._hear_watcher(line, watcher, is_late=True)
        if not (await line.end()).closed:
            raise ClientFault("watch.reads", "the client did not close at the end of the session")
        self._marks.show("watch.reads")

    async def _hear_watcher(self, line: KitLine, watcher: HostedClient, *, is_late: bool) -> None:
        """Take what came; nothing is answered but pings."""
        looks = is_late or self._marks.looks_closer("watch.reads")
        try:
            while line.unread or (looks and await line.listen()):
                watcher.receive(await read_frame(line))
        except LeftUs:
            raise ClientFault("watch.reads", "the client left before the end") from None
        except NothingCame as why:
            raise ClientFault("watch.reads", str(why)) from None
        if line.is_over:
            raise ClientFault("watch.reads", "the client left before the end")


async def _read_all(line: KitLine, seat: DealerKitSeat | None = None) -> None:
    """Read frames until nothing comes, and let the seat judge them."""
    with suppress(NothingCame):
        while await line.listen():
            frame = await read_frame(line)
            if seat is not None:
                seat.receive(frame)
