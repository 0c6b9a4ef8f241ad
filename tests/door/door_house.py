"""A game server and its door as processes, and visitors with OpenSSH's own client."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncssh
import pytest

from tests.soak.soak_server import ROOT, ServerProcess, server

HOST = "127.0.0.1"
PATIENCE = 30
NO_KEY = "You came without an ssh key"
ENTER = "\r"


class DoorProcess:
    """A door through all its lives, with its server."""

    def __init__(self, folder: Path, game: ServerProcess, *arguments: str) -> None:
        self.folder = folder
        self.game = game
        self.socket = folder / "data" / "door"
        self.port = 0
        self.fingerprint = ""
        self.log = folder / "door.log"
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def begin(self) -> None:
        command = [sys.executable, "-m", "hearts_ssh", "--host", HOST, "--port", str(self.port)]
        command += ["--server", str(self.socket), *self._arguments]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        said = [self._process.stdout.readline() for _ in range(2)]
        found = re.search(r"listening on \S+:(\d+)\n", said[0])
        assert found is not None, (said, self.log.read_text())
        self.port, self.fingerprint = int(found[1]), said[1].split()[-1]

    def stop(self) -> int:
        """Let it end in order; gives its status."""
        assert self._process is not None
        with self._process:
            self._process.terminate()
            self._process.wait(PATIENCE)
        return self._process.returncode

    def close(self) -> None:
        """End it at once; it has to be there, unless it was stopped."""
        if self._process is not None and self._process.returncode is None:
            with self._process:
                status = self._process.poll()
                self._process.kill()
            assert status is None, self.log.read_text()

    def clients(self) -> list[int]:
        """The processes of the clients: the children of the only child of the door."""
        zygotes = _children(self.pid)
        return [each for zygote in zygotes for each in _children(zygote)]

    def key(self, name: str, *kind: str) -> Path:
        """A key of a visitor, which is made if it is not there."""
        path = self.folder / name
        if not path.exists():
            make = ["ssh-keygen", "-q", "-N", "", "-f", str(path), "-t", *(kind or ("ed25519",))]
            subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        return path

    def ssh(self, *words: str, key: Path | None = None, user: str = "play") -> list[str]:
        """The command of a visitor; options before ``--``, a command behind it."""
        options, _, command = " ".join(words).partition("--")
        settled = {
            "StrictHostKeyChecking": "no",
            "UserKnownHostsFile": str(self.folder / "known_hosts"),
            "IdentitiesOnly": "yes",
            "IdentityAgent": "none",
            "ConnectTimeout": "10",
            "LogLevel": "ERROR",
        }
        made = ["ssh", "-F", "none", "-p", str(self.port), *options.split()]
        made += [f"-o{name}={value}" for name, value in settled.items()]
        made += ["-i", str(key or self.folder / "none")]
        return [*made, f"{user}@{HOST}", *command.split()]

    def run(
        self, *words: str, key: Path | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Return the end of a visit of somebody who types nothing."""
        return subprocess.run(
            self.ssh(*words, key=key, **more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def door(
    folder: Path, *arguments: str, game: tuple[str, ...] = (), chats: bool = False
) -> Iterator[DoorProcess]:
    """A server and its door, with more ``arguments`` for it and settings of the ``game``."""
    if shutil.which("ssh") is None:
        if os.environ.get("HEARTS_NEEDS_SSH"):
            pytest.fail("there is no ssh")
        pytest.skip("there is no ssh")
    with server(folder / "data", *game, chats=chats) as running:
        made = DoorProcess(folder, running, *arguments)
        running.begin()
        running.wait_ready()
        try:
            made.begin()
            yield made
        finally:
            made.close()


def until(seen: object, seconds: float = PATIENCE) -> None:
    """Wait until something is true of processes that say nothing of it."""
    assert callable(seen)
    end = time.monotonic() + seconds
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.05)


class Forged(asyncssh.SSHKeyPair):
    """The public key of somebody else, with signatures of our own."""

    def __init__(self, shown: asyncssh.SSHKey, signing: asyncssh.SSHKey) -> None:
        super().__init__(
            shown.algorithm, shown.algorithm, shown.sig_algorithms, (), shown.public_data, None
        )
        self._signing = signing

    def sign(self, data: bytes) -> bytes:
        return self._signing.sign(data, self._signing.algorithm)


class KeylessClient(asyncssh.SSHClient):
    """Answers a question without prompts, as OpenSSH does."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: object
    ) -> list[str]:
        return []
