"""A game server of one's own on loopback, for playing against the computer.

Each game that is kept has a folder in ``solo``, beside the folder of the saved sessions.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import trio
from msgspec import Struct

from hearts.errors import HeartsError
from hearts.net.children import child, listening_lines, port_of
from hearts_client.library.reach import PASSWORD_VARIABLE

LOOPBACK = "127.0.0.1"
_START_LIMIT = 20.0
"""Seconds that the server has to say where it listens."""
_PAUSE_LIMIT = 86400
"""Seconds for which the table waits for the only person; the server ends with their client."""
_PATIENCE = (2.0, 2.0)
"""Seconds after the first and the second SIGTERM before more is done."""


class CannotHost(HeartsError):
    """The server of one's own did not start; the text says why."""


class Computers(Struct, frozen=True, gc=False):
    """The computers of a game alone, and its clock."""

    turn_limit: int = 0
    """Seconds; 0 for no limit."""
    pause: float = 0.0
    """Seconds before each choice of a computer."""
    level: str = "swift"
    names: tuple[str, ...] = ()
    """The names on the left, across and on the right: different, none with a comma; the server's
    own if there are none."""


@asynccontextmanager
async def own_server(
    deal: str, computers: Computers, data_dir: Path | None = None
) -> AsyncIterator[tuple[int, int]]:
    """Run a game server and a taunt server for as long as the block; give their ports.

    ``deal`` is the text of the first deal (:func:`hearts.game.deal.deal_text`); empty for any.
    ``data_dir`` is where the game is kept, and goes on if it was there before; None if it is not
    kept. The port of the taunt server is 0 if it did not start. Raises CannotHost, in a group.
    """
    with ExitStack() as stack:
        folder = data_dir or stack.enter_context(TemporaryDirectory(prefix="hearts-solo-"))
        try:
            await trio.Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
            log = stack.enter_context((log_file := Path(folder) / "log").open("wb"))
        except OSError as error:
            why = error.strerror or error
            raise CannotHost(f"the game cannot be kept in {folder}: {why}") from None
        options = {
            "--host": LOOPBACK,
            "--port": 0,
            "--taunt-port": 0,
            "--data-dir": folder,
            "--turn-limit": computers.turn_limit,
            "--bot-pause": computers.pause,
            "--computers": computers.level,
            "--computer-names": ",".join(computers.names),
            "--log-level": "warning",
            "--pause-limit": _PAUSE_LIMIT,
            "--deal": deal,
        }
        command = [sys.executable, "-m", "hearts_server", "--exit-with-parent", "--no-web"]
        command += [f"{name}={value}" for name, value in options.items() if value != ""]
        # What people tell their client is no setting of the server for a game alone.
        environment = {key: text for key, text in os.environ.items() if key != PASSWORD_VARIABLE}
        run = child(command, stderr=log, env=environment, deliver_cancel=_stop)
        async with trio.open_nursery() as nursery:
            process = await nursery.start(run)
            yield await _ports(process, log_file)
            nursery.cancel_scope.cancel()


async def _stop(process: trio.Process) -> None:
    for patience in _PATIENCE:
        process.send_signal(signal.SIGTERM)
        with trio.move_on_after(patience):
            await process.wait()
            return
    process.kill()


async def _ports(process: trio.Process, log_file: Path) -> tuple[int, int]:
    lines = await listening_lines(process, "hearts-server", _START_LIMIT)
    game, chat = lines.get("hearts-server"), lines.get("taunt-server")
    if game is None:
        said = (await trio.Path(log_file).read_text(errors="replace")).strip().splitlines()
        why = said[-1] if said else f"it said nothing for {_START_LIMIT:g} s"
        raise CannotHost(f"the server for the game did not start: {why}")
    return port_of(game), port_of(chat) if chat else 0
