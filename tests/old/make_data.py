"""Make a data dir and a saved session for later versions: ``python -m tests.old.make_data FILE``.

A server of the version that this file lies in is killed while its tables are in every state that a
journal can be in. FILE becomes a tar archive of its data dir, of what hearts-client had saved, and
of what it takes to come back to the seats.
"""

from __future__ import annotations

import json
import socket
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.independent.client import Driver, Session, Settings
from tests.independent.dealer import DealerSession, DealerSettings, Wish
from tests.independent.dealer_frames import CUT, PLAYER_CHANGE

from .archive import CLIENT, TODAY

HEARTS, COMPUTERS = 1 << 4, 0b1110
REPLACE_PLAYER = 221
DATA, STATE, SEATS = "data", "state", "seats.json"


class LedClient:
    """A client that is led as far as its table has to come."""

    def __init__(self, port: int, session: Session) -> None:
        self.session = session
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._driver = Driver(session.talk(), self.socket)

    def lead(self, until: Callable[[], bool]) -> None:
        """Let it go on until something is so, or the session has ended."""
        while not until() and self._driver.run(1):
            pass

    def step(self, number: int) -> None:
        """Let it read or write so many times."""
        self._driver.run(number)

    def seen(self, kind: str) -> int:
        """How many facts of a kind it has."""
        return sum(fact.kind == kind for fact in self.session.facts)

    @property
    def seat(self) -> dict[str, Any]:
        """What it takes to come back, and the settings of who does."""
        ticket = self.session.ticket
        assert ticket is not None
        dialect = "dealer" if isinstance(self.session, DealerSession) else "plain"
        return {"dialect": dialect, "ticket": asdict(ticket), "name": self.session.settings.name}


def sit(port: int, settings: Settings) -> LedClient:
    """A client that has connected."""
    if isinstance(settings, DealerSettings):
        return LedClient(port, DealerSession(settings))
    return LedClient(port, Session(settings))


def play(port: int, folder: Path, stack: ExitStack) -> dict[str, dict[str, Any]]:
    """Bring tables into their states; the seats, by what their table is. All stay connected."""
    alone = HEARTS | COMPUTERS
    unfinished = sit(port, Settings("Ann", 1_111_111, options=(alone, 100, 0)))
    unfinished.lead(lambda: unfinished.seen("scores") > 0 and unfinished.seen("tallies") > 17)

    finished = sit(port, Settings("Bob", 2_222_222, options=(alone, 1, 0)))
    finished.lead(lambda: False)

    second = sit(port, Settings("Cleo", 3_333_333, options=(alone, 1, 0), again=1, seed=1))
    second.lead(lambda: second.seen("new game") > 0 and second.seen("tallies") > 15)

    promise = DealerSettings("Dora", 4_444_444, options=(alone, 100, 0), cuts=True)
    waiting = sit(port, promise)
    assert isinstance(waiting.session, DealerSession)
    frames = waiting.session.frames
    waiting.lead(lambda: sum(frame.type == CUT for frame in frames) > 1)

    # The one who goes is replaced before the second hand.
    three = HEARTS | 0b1100
    wish = Wish(1, REPLACE_PLAYER, (1).to_bytes(4, "big"))
    stays = DealerSettings("Eve", 5_555_555, table="seats", options=(three, 100, 0), wishes=(wish,))
    changed = sit(port, stays)
    changed.lead(lambda: changed.seen("player") > 1)
    changed.step(2)  # What the table shall be like, and the Process ID.
    goes = sit(port, Settings("Finn", 6_666_666, table="seats"))
    goes.lead(lambda: goes.seen("hand") > 0)
    assert isinstance(changed.session, DealerSession)
    told = changed.session.frames
    goes.socket.close()
    time.sleep(0.5)  # Only who is away can be replaced.
    changed.lead(lambda: changed.seen("scores") > 0 and changed.seen("tallies") > 15)
    assert any(frame.type == PLAYER_CHANGE for frame in told)

    where = (f"127.0.0.1:{port}", "--name", "Pat", "--taunt-port", "0", "--computers", "3")
    person = TODAY.start(*CLIENT, *where, XDG_STATE_HOME=str(folder / STATE))
    stack.callback(person.wait)
    stack.callback(person.kill)
    assert person.stdout is not None
    for line in person.stdout:
        if "Type the three cards" in line:
            break
    tables = {
        "unfinished": unfinished,
        "finished": finished,
        "second game": second,
        "promise": waiting,
        "changed seat": changed,
        "replaced": goes,
    }
    return {name: {**guest.seat, "facts": guest.session.facts} for name, guest in tables.items()}


def main(file: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        settings = ("--turn-limit", "0", "--grace", "0", "--pause-limit", "3600")
        with (
            ExitStack() as stack,
            TODAY.game_server(folder / DATA, *settings, "--fill-after", "never") as port,
        ):
            seats = play(port, folder, stack)
        # The server was killed, and everybody was still there.
        (folder / SEATS).write_text(json.dumps(seats), "utf-8")
        with tarfile.open(file, "w:xz") as packed:
            for name in (DATA, STATE, SEATS):
                packed.add(folder / name, arcname=name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
