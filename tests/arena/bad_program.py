"""A program that plays for a while and then behaves badly: ``bad_program.py HOST PORT WHAT``.

It begins by printing its process number, so that a test can see whether it is gone.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import time
from pathlib import Path
from typing import NoReturn

sys.path.append(str(Path(__file__).parents[1] / "independent"))

from plain_client import ClientHabits, Driver, OwnSession, string  # type: ignore[import-not-found]

STEPS = 60
"""Of a conversation: about four tricks."""
FOREVER = 1000.0


def main() -> None:
    host, port, what = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    print(os.getpid(), flush=True)
    if what == "exit":
        sys.exit(3)
    if what == "never":
        hang()
    with socket.create_connection((host, port)) as connection:
        match what:
            case "silent":
                hang()
            case "nonsense":
                connection.sendall(b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n")
                while connection.recv(4096):
                    pass
            case "illegal":
                Driver(OwnSession(ClientHabits(wrong=1.0)).talk(), connection).run()
            case "useless frames":
                connection.sendall(string("Pia") + struct.pack(">3i", -6, 1, 77))
                while True:
                    connection.sendall(struct.pack(">3i", 999, 0, 0) * 1000)
            case "back":
                come_back(connection, host, port)
            case _:
                Driver(OwnSession(ClientHabits()).talk(), connection).run(STEPS)
                misbehave(what, connection)


def misbehave(what: str, connection: socket.socket) -> None:
    match what:
        case "hang":
            hang()
        case "hang up":
            connection.close()
            hang()
        case "die":
            os.abort()
        case "late nonsense":
            connection.sendall(b"\xff" * 64)
            hang()
        case "flood":
            while True:
                connection.sendall(bytes(65536))
        case "print":
            while True:
                print("x" * 65536, flush=True)
        case "hog":
            print(len(bytearray(1 << 29)), flush=True)
            hang()
        case "fork":
            if os.fork():
                os._exit(0)
            if sys.platform == "linux":
                os.setsid()
            print(os.getpid(), flush=True)
            hang()
        case _:
            raise AssertionError(what)


def come_back(connection: socket.socket, host: str, port: int) -> None:
    session = OwnSession(ClientHabits())
    Driver(session.talk(), connection).run(STEPS)
    connection.close()
    with socket.create_connection((host, port)) as again:
        again.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        back = OwnSession(session.settings, session.ticket)
        Driver(back.talk(), again).run()
    assert back.facts[-2].kind == "new game", back.facts[-2]


def hang() -> NoReturn:
    time.sleep(FOREVER)
    raise AssertionError("nobody ended it")


if __name__ == "__main__":
    main()
