"""One WebSocket, and the connection to a server that it is carried to."""

from __future__ import annotations

from functools import partial

import trio
from msgspec import Struct

from hearts.limits.work import Work
from hearts.net import Link, Pump
from hearts.net.logline import EventLog
from hearts.net.places import connect_to
from hearts.settings.readers import Place
from hearts.wire.proxy_header import proxy_header

from .websocket_frames import Close, Frames

GAME = "/game"
"""The path of the WebSocket that leads to the game."""
CONNECT_LIMIT = 5.0
"""Seconds in which a server must take a connection."""
MUCH = 32 * 1024
"""Unsent bytes to one side at which the other side is not read any more."""
LITTLE = 8 * 1024
"""Unsent bytes at which it is read again."""
SLOW_LIMIT = 30.0
"""Seconds that a side may take for that; then both are given up."""
READ_WORK = 60
"""Microseconds of work for bytes of a browser, about."""
FRAME_WORK = 20
"""The same for each frame among them."""

log = EventLog(__name__)


class Backend(Struct, frozen=True):
    """A server that takes connections of the gateway."""

    where: Place
    takes_addresses: bool
    """True if each connection begins with a PROXY header, which says who the player is."""

    async def reach(self, address: str, pump: Pump, nursery: trio.Nursery) -> Link:
        """Make a connection for a player at this address.

        ``nursery`` owns its writer. Raises OSError or trio.TooSlowError.
        """
        with trio.fail_after(CONNECT_LIMIT):
            link = pump.link(await connect_to(self.where), nursery)
        if self.takes_addresses:
            link.write(proxy_header(address))
            link.flush()
        return link


class Relay(Struct, eq=False):
    """Carries bytes both ways until one of the two sides has ended."""

    browser: Link
    """From its beginning on only :meth:`run` reads from this and from ``server``."""
    server: Link
    frames: Frames
    work: Work | None
    held: int = 0
    """Sides that are not read because the other one is slow."""

    async def run(self, data: bytes) -> None:
        """Carry bytes both ways until the end; ``data`` is what the browser has sent already."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._run_server)
            if data:
                self._from_browser(data)
            await self.browser.run(self._from_browser)
            self.server.end()

    async def _run_server(self) -> None:
        await self.server.run(self._from_server)
        lost = self.server.why_lost is not None
        self.close(Close.UNREACHABLE if lost else Close.ENDED)

    def _from_browser(self, data: bytes) -> None:
        browser, server = self.browser, self.server
        work = READ_WORK
        for inward, outward in self.frames.receive(data):
            work += FRAME_WORK
            if inward:
                server.write(inward)
            if outward:
                browser.write(outward)
        server.flush()
        browser.flush()
        if self.frames.is_closing:
            browser.end()
            server.end()
            return
        pause = 0.0 if self.work is None else self.work.spend(work, trio.current_time())
        if pause or server.backlog > MUCH:
            browser.pause(pause, partial(self._wait_for, server))

    def _from_server(self, data: bytes) -> None:
        browser = self.browser
        browser.write(self.frames.carry(data))
        browser.flush()
        if browser.backlog > MUCH:
            self.server.pause(0.0, partial(self._wait_for, browser))

    async def _wait_for(self, slow: Link) -> None:
        self.held += 1
        try:
            with trio.move_on_after(SLOW_LIMIT) as waiting:
                await slow.wait_sent(LITTLE)
        finally:
            self.held -= 1
        if waiting.cancelled_caught:
            slow.abort("too slow in taking what is sent")

    def look_after(self) -> None:
        """Ask the browser for a sign of life; give it up if the last one was not answered.

        To be called at intervals that are longer than any network is silent.
        """
        if not self.frames.is_alive and not self.held:
            self.browser.abort("no sign of life")
            return
        self.browser.write(self.frames.ping())
        self.browser.flush()

    def close(self, why: Close) -> None:
        self.browser.write(self.frames.close(why))
        self.browser.end()
        self.server.end()
