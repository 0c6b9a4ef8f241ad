"""Unix sockets in the data dir, for a server and the programs that it starts."""

from __future__ import annotations

import os
from pathlib import Path

PAGE_GAME, PAGE_CHAT = "web-game", "web-chat"
"""What the names of the sockets begin with at which the gateway finds the game and the chat."""
SOCKETS = (PAGE_GAME, PAGE_CHAT)
_LONGEST_PATH = 100
"""Bytes of the path of a Unix socket: systems have room for 104 or 108."""


def own_socket(folder: Path, name: str) -> str:
    """The path of a Unix socket of this process, where a program that it starts is to connect or to
    listen. Raises OSError if no socket can be there.

    What processes that were killed have left is removed.
    """
    for old in folder.glob(f"{name}-*"):
        # Other files of such a name are the host's.
        if old.is_socket():
            old.unlink(missing_ok=True)
    path = str(folder / f"{name}-{os.getpid()}")
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise OSError("the path of the data dir is too long for a Unix socket")
    return path
