"""A program that connects by itself, again and again: ``visitor.py PORT SEATS``, until it is ended.

It plays in so many seats at a time.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "independent"))

from plain_client import ClientHabits, Closed, Driver, OwnSession  # type: ignore[import-not-found]

PAUSE = 0.02
"""Seconds between two calls at a door that is shut."""


def main() -> None:
    port, seats = int(sys.argv[1]), int(sys.argv[2])
    for _ in range(seats):
        threading.Thread(target=visit, args=(port,)).start()


def visit(port: int) -> None:
    while True:
        with suppress(OSError, Closed):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                Driver(OwnSession(ClientHabits()).talk(), connection).run()
            continue
        time.sleep(PAUSE)


if __name__ == "__main__":
    main()
