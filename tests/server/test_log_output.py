"""A log that nobody reads: it stops nothing, and no kind of line buries another."""

from __future__ import annotations

import fcntl
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hearts.limits.log_lines import (
    KINDS_KEPT,
    LINES_A_SECOND,
    LINES_AT_ONCE,
    REPORT_EVERY,
    LineKind,
    LineLimiter,
)
from hearts.net.log_lines import LAST_LINES_LIMIT, LineWriter
from tests.independent.plain_client import ClientHabits

from .process import ALONE, ROOT, TIMEOUT, port_of, running, seated


class TestKinds:
    def test_a_flood_of_one_kind_leaves_the_others_their_room(self) -> None:
        limiter = LineLimiter()
        taken = [limiter.take("arrival", "refused", 0.0) for _ in range(3 * LINES_AT_ONCE)]
        assert sum(kind is not None for kind in taken) == LINES_AT_ONCE
        assert limiter.dropped == 2 * LINES_AT_ONCE
        assert limiter.take("host", "table-failed", 0.0) is not None

    def test_a_kind_has_a_rate(self) -> None:
        limiter = LineLimiter()
        for _ in range(LINES_AT_ONCE):
            kind = limiter.take("arrival", "refused", 0.0)
            assert kind is not None
            kind.written += 1
        assert limiter.take("arrival", "refused", 0.0) is None
        taken = [limiter.take("arrival", "refused", 10.0) for _ in range(1000)]
        assert sum(kind is not None for kind in taken) == 10 * LINES_A_SECOND

    def test_lines_that_nobody_reads_fill_a_room(self) -> None:
        limiter = LineLimiter()
        kinds = [limiter.take("arrival", "refused", 1.0 * second) for second in range(5000)]
        assert sum(kind is not None for kind in kinds) == LINES_AT_ONCE
        assert kinds[0] is not None
        kinds[0].written += 7
        taken = [limiter.take("arrival", "refused", 5000.0) for _ in range(10)]
        assert sum(kind is not None for kind in taken) == 7

    def test_what_was_dropped_is_said_at_once_and_then_once_a_minute(self) -> None:
        limiter = LineLimiter()
        for _ in range(LINES_AT_ONCE + 1):
            limiter.take("arrival", "refused", 0.0)
        assert limiter.due < 0
        ((kind, lines),) = limiter.to_report(0.0)
        assert (kind.source, kind.event, lines) == ("arrival", "refused", 1)
        for _ in range(50):
            assert limiter.take("arrival", "refused", 0.0) is None
        assert limiter.to_report(REPORT_EVERY - 1) == []
        assert limiter.due == REPORT_EVERY
        assert [lines for _, lines in limiter.to_report(REPORT_EVERY)] == [50]
        assert limiter.to_report(10 * REPORT_EVERY) == []

    def test_there_are_never_too_many_kinds(self) -> None:
        limiter = LineLimiter()
        kinds = {limiter.take("library", str(number), 0.0) for number in range(2 * KINDS_KEPT)}
        assert len(kinds) == KINDS_KEPT + 1


@contextmanager
def small_pipe() -> Iterator[tuple[int, int]]:
    """A pipe that is full after a page."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    try:
        yield reader, writer
    finally:
        os.close(writer)
        os.close(reader)


def read_all(reader: int) -> str:
    text = b""
    while data := os.read(reader, 65536):
        text += data
    return text.decode()


class TestWriter:
    def test_a_full_pipe_is_not_waited_for_and_gets_everything_later(self) -> None:
        with small_pipe() as (reader, writer):
            lines, kind = LineWriter(writer), LineKind("a", "b", 0.0)
            expected = b"".join(b"line %d\n" % number for number in range(2000))
            for line in expected.splitlines(keepends=True):
                assert kind.take(0.0)
                lines.put(line, kind)
            lines.end()
            lines.wait(time.monotonic())
            read = b""
            while len(read) < len(expected):
                read += os.read(reader, 65536)
            lines.wait(time.monotonic() + TIMEOUT)
            assert read == expected
            assert (kind.written, lines.lost) == (2000, 0)

    def test_two_writers_to_a_pipe_do_not_mix_their_lines(self) -> None:
        with small_pipe() as (reader, writer):
            expected = []
            writers = [LineWriter(writer), LineWriter(writer)]
            for number in range(500):
                for name, lines in enumerate(writers):
                    expected.append(b"%d %d " % (name, number) + b"x" * (number % 70) + b"\n")
                    lines.put(expected[-1], LineKind("a", "b", 0.0))
            read = b""
            while len(read) < sum(map(len, expected)):
                read += os.read(reader, 1000)
            for lines in writers:
                lines.end()
                lines.wait(time.monotonic() + TIMEOUT)
        assert sorted(read.splitlines(keepends=True)) == sorted(expected)

    def test_a_pipe_without_a_reader_loses_lines_and_no_more(self) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        lines, kind = LineWriter(writer), LineKind("a", "b", 0.0)
        lines.put(b"x\n", kind)
        lines.end()
        lines.put(b"y\n", kind)
        lines.wait(time.monotonic() + TIMEOUT)
        os.close(writer)
        assert lines.lost == 2


def flood(port: int) -> None:
    """Connections that have much said about them: a name that nobody may have, and nonsense."""
    for number in range(60):
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as peer:
            peer.sendall(bytes(4) if number % 2 else b"\xff" * 64)
            peer.shutdown(socket.SHUT_WR)
            while peer.recv(4096):
                pass


def play_a_hand(port: int) -> None:
    """Play with three computers until a hand is over."""
    with seated(port, ClientHabits(options=ALONE, seed=1)) as (session, driver):
        while not any(fact.kind == "scores" for fact in session.facts):
            assert driver.run(steps=1)


@pytest.mark.parametrize(
    ("application", "goes_on"), [("hearts_server", play_a_hand), ("taunt_server", flood)]
)
def test_a_full_standard_error_stops_nothing(
    application: str, goes_on: Callable[[int], None], tmp_path: Path
) -> None:
    words = ("--log-level", "debug", "--accept-rate", "0")
    with (
        small_pipe() as (_, errors),
        running(tmp_path, *words, application=application, stderr=errors) as (_, said),
    ):
        port = port_of(said, application.replace("_", "-"))
        flood(port)
        goes_on(port)


def test_what_was_dropped_is_said_in_the_log() -> None:
    program = (
        "from hearts.net.logline import EventLog\n"
        "from hearts.net.log_lines import log_lines\n"
        "log = EventLog('hearts_server.lobby.arrival')\n"
        "with log_lines('info') as lines:\n"
        f"    for number in range({LINES_AT_ONCE} + 1000):\n"
        "        log.info('refused', code=number)\n"
        "    log.error('journal-failing')\n"
        "    print(lines.dropped)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    # On a slow machine some more are allowed before it is through.
    dropped = int(done.stdout)
    assert 0 < dropped <= 1000
    said = [line.split(" ", 1)[1] for line in done.stderr.splitlines()]
    assert said.count("level=error logger=arrival event=journal-failing") == 1
    head = "level=warning logger=log_lines event=lines-dropped source=arrival what=refused "
    told = [int(line.partition("lines=")[2]) for line in said if line.startswith(head)]
    assert told[0] == 1
    assert sum(told) == dropped
    assert len(said) == LINES_AT_ONCE + 1000 - dropped + len(told) + 1


CRASH = (
    "import hearts_server.running.serve as app\n"
    "from hearts_server.given_settings import parse_config\n"
    "def broken(*arguments):\n"
    "    print('x' * 9000)\n"
    "    raise RuntimeError('as bad as can be')\n"
    "app.trio.run = broken\n"
    "app.serve(parse_config(['--port', '0']))\n"
)


def test_a_crash_shows_its_error() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CRASH], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout == "x" * 9000 + "\n"
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert re.search(r"\nRuntimeError: as bad as can be\n$", done.stderr)


def test_a_crash_ends_the_program_though_nobody_reads() -> None:
    with small_pipe() as (_, writer):
        began = time.monotonic()
        with subprocess.Popen(
            [sys.executable, "-c", CRASH], cwd=ROOT, stdout=writer, stderr=writer
        ) as process:
            assert process.wait(TIMEOUT) == 1
        assert time.monotonic() - began < LAST_LINES_LIMIT + 5
