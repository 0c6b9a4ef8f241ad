"""A socket between a server and its database that breaks a connection at a chosen request."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
from enum import Enum, auto
from pathlib import Path
from types import TracebackType

from .server import PostgresServer

_SOCKET = ".s.PGSQL.5432"


class Cut(Enum):
    """Where a connection breaks."""

    BEFORE = auto()
    """The request does not reach the database."""
    AFTER = auto()
    """The database has done what was asked, and its answer does not come back."""


class Line:
    """Carries what both sides say, until a request is reached at which it breaks, once."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = str(server.folder / _SOCKET)
        self._folder = tempfile.TemporaryDirectory(prefix="hearts-line-", dir="/tmp")
        self.folder = Path(self._folder.name)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / _SOCKET))
        self._listener.listen()
        self._lock = threading.Lock()
        self._left = -1
        self._how = Cut.BEFORE
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Line:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._folder.cleanup()

    def url(self, role: str) -> str:
        return f"postgresql://{role}@/postgres?host={self.folder}"

    def break_at(self, request: int, how: Cut) -> None:
        """Break at the request of this number from now on, from 0."""
        with self._lock:
            self._left, self._how = request, how

    @property
    def is_broken(self) -> bool:
        """Whether that request was reached."""
        return self._left < 0

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                database = socket.socket(socket.AF_UNIX)
                database.connect(self._server)
                threading.Thread(target=self._carry, args=(client, database), daemon=True).start()

    def _carry(self, client: socket.socket, database: socket.socket) -> None:
        # Each side asks and waits, so that one thread does for both.
        with client, database, contextlib.suppress(OSError):
            while request := client.recv(1 << 20):
                with self._lock:
                    breaks = self._left == 0
                    self._left = max(-1, self._left - 1)
                if breaks and self._how is Cut.BEFORE:
                    return
                database.sendall(request)
                if request[:1] == b"X":
                    return
                answer = database.recv(1 << 20)
                if breaks:
                    return
                client.sendall(answer)
