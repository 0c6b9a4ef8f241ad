"""Many independent clients in one process, on one thread: each plays a session of its own.

    python -m tests.independent.crowd PORT TABLES CLIENTS-PER-TABLE END-SCORE

The tables are private ones. It ends with status 0 if every session ended as it should.
"""

from __future__ import annotations

import selectors
import socket
import sys
from collections.abc import Iterator

from tests.independent.client import Closed, Read, Session, Settings, Talk, Write


class Member:
    """One client of the crowd."""

    def __init__(self, port: int, settings: Settings) -> None:
        self.session = Session(settings)
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        self._talk: Talk = self.session.talk()
        self._request = next(self._talk)
        self._unread = b""

    def take(self) -> bool:
        """Take what has arrived and answer it; whether the session goes on."""
        data = self.socket.recv(65536)
        self._unread += data
        said = b""
        try:
            while True:
                answer = b""
                if isinstance(self._request, Write):
                    said += self._request.data
                elif isinstance(self._request, Read):
                    count = self._request.count
                    if not data:
                        self._talk.throw(Closed())
                    if len(self._unread) < count:
                        break
                    answer, self._unread = self._unread[:count], self._unread[count:]
                self._request = self._talk.send(answer)
        except StopIteration:
            self.socket.close()
            return False
        if said:
            self.socket.sendall(said)
        return True


def members(port: int, tables: int, clients: int, end: int) -> Iterator[Member]:
    computers = sum(1 << player for player in range(clients, 4))
    for table in range(tables):
        for seat in range(clients):
            yield Member(
                port,
                Settings(
                    name=f"{table}-{seat}",
                    process_id=table,
                    table=f"crowd {clients}-{table}",
                    options=(1 << 4 | computers, end, 0),
                    seed=4 * table + seat,
                ),
            )


def main(port: int, tables: int, clients: int, end: int) -> int:
    """Let them all play; how many have not come to the end of a game."""
    crowd = list(members(port, tables, clients, end))
    with selectors.DefaultSelector() as selector:
        for member in crowd:
            selector.register(member.socket, selectors.EVENT_READ, member)
        while selector.get_map():
            for key, _ in selector.select():
                if not key.data.take():
                    selector.unregister(key.fileobj)
    endings = [[fact.kind for fact in member.session.facts[-2:]] for member in crowd]
    return sum(ending != ["new game", "end"] for ending in endings)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
