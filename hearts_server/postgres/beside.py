"""The check that a node can begin beside those that are live, by what each has declared."""

from __future__ import annotations

import time

from hearts_server.cluster.agreement import Declared, disagreement
from hearts_server.cluster.membership import SILENCE
from hearts_server.config import TryLater

from .connecting import Connection

LEAVE_LIMIT = SILENCE + 0.5
"""Seconds in which one that is dead is taken for that."""
_LOOK_EVERY = 0.05
_BEATING = (
    "SELECT n.name, n.declared FROM nodes AS n JOIN beats AS b ON b.life = n.life"
    " WHERE n.live AND b.live AND b.beaten > clock_timestamp() - make_interval(secs => %s)"
    " ORDER BY n.life"
)


def check_beside(connection: Connection, own: Declared) -> None:
    """Wait a moment for live nodes to leave beside which this one cannot be.

    Raises TryLater: they may be ended, and this one begun again.
    """
    deadline = time.monotonic() + LEAVE_LIMIT
    while (why := disagreement(own, _beating(connection))) is not None:
        if time.monotonic() > deadline:
            raise TryLater(f"--node: {why}")
        time.sleep(_LOOK_EVERY)


def _beating(connection: Connection) -> list[tuple[str, Declared]]:
    found = connection.execute(_BEATING, (SILENCE,)).fetchall()
    return [(name, Declared.decode(text)) for name, text in found]
