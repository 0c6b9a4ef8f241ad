"""The check that a node can begin beside those that beat: its name, its version, its settings."""

from __future__ import annotations

import time

from hearts_server.config import TryLater
from hearts_server.standby.agreement import Declared, disagreement
from hearts_server.standby.membership import SILENCE

from .connecting import Connection
from .lives import fence

LEAVE_LIMIT = SILENCE + 0.5
"""Seconds in which one that is dead is taken for that."""
_LOOK_EVERY = 0.05
_BEATING = (
    "SELECT n.name, n.declared FROM nodes AS n JOIN beats AS b ON b.life = n.life"
    " WHERE n.live AND b.live AND b.beaten > clock_timestamp() - make_interval(secs => %s)"
    " ORDER BY n.begun, n.life"
)
_NAMESAKES = (
    "SELECT n.life FROM nodes AS n JOIN beats AS b ON b.life = n.life WHERE n.live AND n.name = %s"
)


def check_beside(connection: Connection, name: str, own: Declared) -> None:
    """Wait a moment for nodes to leave beside which this one cannot be; end a silent namesake.

    Raises TryLater: they may be ended, and this one begun again.
    """
    deadline = time.monotonic() + LEAVE_LIMIT
    while (why := _why_not(connection, name, own)) is not None:
        if time.monotonic() > deadline:
            raise TryLater(f"--node: {why}")
        time.sleep(_LOOK_EVERY)
    for (life,) in connection.execute(_NAMESAKES, (name,)).fetchall():
        fence(connection, life)


def _why_not(connection: Connection, name: str, own: Declared) -> str | None:
    beating = [
        (other, Declared.decode(text))
        for other, text in connection.execute(_BEATING, (SILENCE,)).fetchall()
    ]
    if any(other == name for other, _ in beating):
        return f"another node beats that is called {name} as well; give each a name of its own"
    return disagreement(own, beating)
