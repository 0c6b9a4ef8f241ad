"""What ends a server, what does not, and with which exit status it cannot begin."""

from __future__ import annotations

import fcntl
import os
import pty
import resource
import shutil
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hearts_server.datadir import DataDir
from tests.independent.plain_client import ClientHabits

from .process import ALONE, ROOT, TIMEOUT, command, ending, port_of, running, seated, until

FILES = Path(__file__).parents[1] / "certificates"
DEVNULL = subprocess.DEVNULL


def nothing() -> None:
    pass


def as_by_nohup() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


@pytest.fixture
def hangups_heard() -> Iterator[None]:
    """What nohup has made of SIGHUP for the tests is not inherited by the server."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangups_heard")
class TestHangup:
    @pytest.mark.parametrize("before", [nothing, as_by_nohup])
    def test_without_a_terminal_certificates_are_read_again(
        self, tmp_path: Path, before: Callable[[], None]
    ) -> None:
        own = [tmp_path / name for name in ("own.pem", "own.key")]
        for file in own:
            shutil.copy(FILES / f"house{file.suffix}", file)
        tls = ("--tls-cert", str(own[0]), "--tls-key", str(own[1]))
        with running(tmp_path, *tls, stdin=DEVNULL, before=before) as (process, _):
            for file in own:
                shutil.copy(FILES / f"stranger{file.suffix}", file)
            began = time.monotonic()
            process.send_signal(signal.SIGHUP)
            assert "own.pem" in until(process, "certificate-renewed")
            # By itself it looks once a minute.
            assert time.monotonic() - began < TIMEOUT
            process.send_signal(signal.SIGTERM)
            ending(process)

    @pytest.mark.parametrize("nohup", [False, True])
    def test_a_terminal_that_is_closed_ends_it_in_order_unless_by_nohup(
        self, nohup: bool, tmp_path: Path
    ) -> None:
        ours, theirs = pty.openpty()

        def before() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            if nohup:
                as_by_nohup()

        with running(tmp_path, stdin=theirs, before=before) as (process, said):
            os.close(theirs)
            os.close(ours)
            if nohup:
                process.send_signal(signal.SIGHUP)
                with seated(port_of(said), ClientHabits(options=ALONE)):
                    assert process.poll() is None
            else:
                until(process, "draining")
                ending(process)


class TestFullDisk:
    """A start that may go well later has another status than one with bad settings."""

    def refusal(self, data_dir: Path, most: int = 0) -> str:
        def full() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        done = subprocess.run(
            command(data_dir), cwd=ROOT, capture_output=True, preexec_fn=full, check=False
        )
        assert done.returncode == os.EX_TEMPFAIL
        return done.stderr.decode()

    def test_of_the_data_dir(self, tmp_path: Path) -> None:
        assert self.refusal(tmp_path) == (
            f"hearts-server: --data-dir: cannot write {tmp_path}: File too large\n"
        )

    def test_of_the_journal(self, tmp_path: Path) -> None:
        # The data dir's own files are there, and get no larger: the journal is what is missing.
        DataDir(tmp_path).close()
        assert self.refusal(tmp_path, most=64) == (
            f"hearts-server: cannot write the journal {tmp_path / 'journal.db'}: disk I/O error\n"
        )
