"""Where the server of a game alone keeps it, so that one can come back to it.

Each game has a folder in ``solo``, beside the folder of the saved sessions.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_hex

import trio

_NAME_BYTES = 4


def new_name() -> str:
    """A name for a game that begins."""
    return token_hex(_NAME_BYTES)


def folder_of(sessions: Path, name: str) -> Path:
    """The folder of a game; ``sessions`` is the one with the saved sessions."""
    return sessions.parent / "solo" / name


@asynccontextmanager
async def kept(folder: Path | None, is_wanted: Callable[[], bool]) -> AsyncIterator[None]:
    """Remove a folder at the end of the block, unless somebody may come back to it then.

    What cannot be removed stays. None is for a game that is not kept.
    """
    try:
        yield
    finally:
        if folder is not None and not is_wanted():
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(shutil.rmtree, folder, True)
