"""Keeps the list of tables fresh while it is shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import trio

from hearts.errors import HeartsError
from hearts.session.client_events import TablesListed

from .lobby import TablesPage

REFRESH_EVERY = 5.0
"""Seconds between an answer and the next question. A server lets an address connect far more often,
so that several people behind one address may look at its tables."""
ANSWER_LIMIT = 10.0
"""Seconds for an answer, from the connection on."""
_LONGEST = 60.0


async def keep_fresh(page: TablesPage, ask: Callable[[str], Awaitable[TablesListed]]) -> None:
    """Show the tables anew every few seconds, until cancelled.

    ``ask`` gets the name of the table that the person looks at, or nothing. Where it fails with a
    HeartsError the old list stays, the page says so, and the next try waits twice as long.
    """
    pause = REFRESH_EVERY
    while True:
        await trio.sleep(pause)
        listed: TablesListed | None = None
        try:
            with trio.move_on_after(ANSWER_LIMIT):
                listed = await ask(page.looked_at)
        except* HeartsError:
            pass
        if listed is None:
            pause = min(2 * pause, _LONGEST)
            page.show_stale()
        else:
            pause = REFRESH_EVERY
            page.show_tables(listed)
