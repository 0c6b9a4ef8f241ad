"""What ends a server, what does not, and with which exit status it cannot begin."""

from __future__ import annotations

import fcntl
import os
import pty
import resource
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hearts_server.datadir import DataDir

ROOT = Path(__file__).parents[2]
FILES = Path(__file__).parents[1] / "certificates"
TIMEOUT = 20


def start(
    data_dir: Path, *arguments: str, stdin: int = subprocess.DEVNULL, before: Callable[[], None]
) -> subprocess.Popen[str]:
    """A server of its own session, so that it has no terminal unless it is given one."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "hearts_server", "--host", "127.0.0.1", "--port", "0"),
            *(
                "--taunt-port",
                "0",
                "--no-taunt-server",
                "--no-web",
                "--data-dir",
                str(data_dir),
                *arguments,
            ),
        ],
        cwd=ROOT,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=before,
    )


def listens(process: subprocess.Popen[str]) -> bool:
    assert process.stdout is not None
    return "listening on" in process.stdout.readline()


def until(process: subprocess.Popen[str], event: str) -> str:
    """The line of an event."""
    assert process.stderr is not None
    for line in process.stderr:
        if f"event={event} " in line:
            return line
    raise AssertionError("the server has ended")


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


def own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


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
        with start(tmp_path, *tls, before=before) as process:
            try:
                assert listens(process)
                for file in own:
                    shutil.copy(FILES / f"stranger{file.suffix}", file)
                began = time.monotonic()
                process.send_signal(signal.SIGHUP)
                assert "own.pem" in until(process, "certificate-renewed")
                # By itself it looks once a minute.
                assert time.monotonic() - began < TIMEOUT
                process.send_signal(signal.SIGTERM)
                assert process.wait(TIMEOUT) == 0
            finally:
                process.kill()

    def test_a_terminal_that_is_closed_ends_it_in_order(self, tmp_path: Path) -> None:
        ours, theirs = pty.openpty()

        with start(tmp_path, stdin=theirs, before=own_terminal) as process:
            try:
                assert listens(process)
                os.close(theirs)
                os.close(ours)
                until(process, "draining")
                assert process.wait(TIMEOUT) == 0
            finally:
                process.kill()

    def test_with_nohup_it_outlives_its_terminal(self, tmp_path: Path) -> None:
        ours, theirs = pty.openpty()

        def before() -> None:
            own_terminal()
            as_by_nohup()

        with start(tmp_path, "--log-level", "debug", stdin=theirs, before=before) as process:
            try:
                assert listens(process)
                os.close(theirs)
                os.close(ours)
                process.send_signal(signal.SIGHUP)
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(1)
            finally:
                process.kill()


class TestFullDisk:
    """A start that may go well later has another status than one with bad settings."""

    def refusal(self, data_dir: Path, most: int = 0) -> str:
        def full() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        with start(data_dir, before=full) as process:
            try:
                assert process.wait(TIMEOUT) == os.EX_TEMPFAIL
                assert process.stderr is not None
                return process.stderr.read()
            finally:
                process.kill()

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
