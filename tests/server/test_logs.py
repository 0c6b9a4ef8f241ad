"""The log: lines that nobody can forge, that tools can read, and that tell no secret."""

from __future__ import annotations

import ast
import json
import logging
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from hearts.game.cards import Card
from hearts.game.deal import deal_code
from hearts.net.logline import (
    HEAD_KEYS,
    LONGEST_TRACE,
    LONGEST_VALUE,
    TEXT_KEY,
    TRACE_KEY,
    EventLog,
    LineFormatter,
)
from tests.independent.plain_client import ClientHabits, OwnSession
from tests.integration.house import Caller, house, judge, options, text

from .process import ROOT, TIMEOUT, running

APPLICATIONS = ("hearts_server", "taunt_server")
FOLDERS = (*APPLICATIONS, "hearts_web", "hearts/net")

Pairs = dict[str, str]


def parse(line: str) -> Pairs:
    """The keys and values of a line, by a reader that shares no code with the writer."""
    pairs: Pairs = {}
    decoder = json.JSONDecoder()
    rest = line
    while rest:
        key, equals, rest = rest.partition("=")
        assert equals
        assert re.fullmatch("[a-z_]+", key), line
        assert key not in pairs, line
        if rest.startswith('"'):
            value, end = decoder.raw_decode(rest)
            rest = rest[end:]
            assert rest == "" or rest.startswith(" "), line
            rest = rest[1:]
        else:
            value, _, rest = rest.partition(" ")
            assert value
            assert '"' not in value
            assert "=" not in value
        pairs[key] = value
    assert tuple(pairs)[:4] == HEAD_KEYS
    return pairs


class LoggedLines(logging.Handler):
    """Keeps the lines of a logger."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(LineFormatter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def written(name: str, level: int = logging.DEBUG) -> tuple[EventLog, list[str]]:
    """A log of its own, and its lines."""
    logger = logging.getLogger(name)
    logger.propagate = False
    logger.setLevel(level)
    handler = LoggedLines()
    logger.handlers[:] = [handler]
    return EventLog(name), handler.lines


class TestLines:
    def test_a_line_by_hand(self) -> None:
        log, lines = written("hearts_server.line")
        log.info("table-ended", game=7, why="all left", seconds=1.50, drained=True, by=None)
        (line,) = lines
        assert re.fullmatch(
            r"time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z level=info logger=line "
            r'event=table-ended game=7 why="all left" seconds=1\.5 drained=yes by=none',
            line,
        )

    def test_the_time_is_in_utc(self) -> None:
        record = logging.LogRecord("a", logging.INFO, "", 0, "b", (), None)
        record.created = 1763748245.0004
        assert LineFormatter().format(record) == (
            "time=2025-11-21T18:04:05.000Z level=info logger=a event=message text=b"
        )

    @given(st.text(), st.text())
    def test_any_value_reads_back_and_forges_nothing(self, first: str, second: str) -> None:
        log, lines = written("any")
        log.warning("odd", first=first, second=second)
        (line,) = lines
        assert line.isascii()
        assert line.isprintable()
        pairs = parse(line)
        assert (pairs["first"], pairs["second"]) == (first, second)
        assert len(pairs) == 6

    @pytest.mark.parametrize(
        ("texts", "is_plain"),
        [
            (["192.0.2.1", "2001:db8::1", "a-b_c", "/var/lib/x", "-4"], True),
            (["", "a b", 'a" level=error', "a=b", "a\nb=c", "a\x1b[2J", "\\", "é"], False),
            (["a\u2028b", "a\u202eb"], False),
        ],
    )
    def test_what_is_not_plain_is_quoted(self, texts: list[str], is_plain: bool) -> None:
        log, lines = written("quoted")
        for value in texts:
            log.info("odd", value=value)
            assert lines[-1].endswith(f"value={value if is_plain else json.dumps(value)}")

    @given(st.text())
    def test_other_libraries_forge_nothing_either(self, said: str) -> None:
        _, lines = written("library")
        logging.getLogger("library").info("%s", said)
        pairs = parse(lines[0])
        assert (pairs["event"], pairs[TEXT_KEY]) == ("message", said)

    def test_a_long_value_is_cut(self) -> None:
        log, lines = written("long")
        log.info("odd", value="x" * 10_000)
        assert parse(lines[0])["value"] == "x" * LONGEST_VALUE + "..."

    def test_an_error_is_one_line(self) -> None:
        log, lines = written("error")
        try:
            raise RuntimeError('first\nsecond "third" fourth=5')
        except RuntimeError:
            log.exception("table-failed", game=7)
        (line,) = lines
        assert "\n" not in line
        pairs = parse(line)
        assert pairs["level"] == "error"
        assert pairs["event"] == "table-failed"
        assert tuple(pairs)[-1] == TRACE_KEY
        assert pairs[TRACE_KEY].startswith("Traceback (most recent call last):\n  File ")
        assert pairs[TRACE_KEY].endswith("\nRuntimeError")
        assert "raise RuntimeError(" in pairs[TRACE_KEY]

    def test_a_trace_has_no_text_of_an_error(self) -> None:
        log, lines = written("texts")
        said = "".join(("se", "cret"))
        try:
            try:
                dict[str, int]()[said]
            except KeyError as error:
                raise ExceptionGroup(said, [ValueError(said)]) from error
        except ExceptionGroup:
            log.exception("table-failed")
        trace = parse(lines[0])[TRACE_KEY]
        classes = [line for line in trace.splitlines() if line.isidentifier()]
        assert classes == ["KeyError", "ValueError", "ExceptionGroup"]
        assert said not in trace

    def test_a_long_trace_keeps_its_end(self) -> None:
        log, lines = written("trace")
        try:
            raise ExceptionGroup("many", [RuntimeError() for _ in range(LONGEST_TRACE // 20)])
        except ExceptionGroup:
            log.exception("table-failed")
        trace = parse(lines[0])[TRACE_KEY]
        assert len(trace) == LONGEST_TRACE + 3
        assert trace.endswith("\nExceptionGroup")

    def test_the_errors_of_a_group_are_named(self) -> None:
        log, lines = written("group")
        inner = ExceptionGroup("b", [OSError(5, "broken"), ValueError()])
        log.info("lost", why=ExceptionGroup("a", [KeyError("c"), inner]))
        assert parse(lines[0])["why"] == "KeyError: 'c'; OSError: [Errno 5] broken; ValueError"

    def test_a_level_that_is_off_costs_no_text(self) -> None:
        class Costly:
            def __str__(self) -> str:
                raise AssertionError("nobody wants to know")

        log, lines = written("off", logging.WARNING)
        log.debug("looked-at", value=Costly())
        log.info("looked-at", value=Costly())
        assert lines == []
        log.warning("seen", value="yes")
        assert len(lines) == 1

    def test_the_place_of_a_call_is_known(self) -> None:
        log, lines = written("place")
        handler = logging.getLogger("place").handlers[0]
        handler.setFormatter(logging.Formatter("%(filename)s %(funcName)s"))
        log.info("here")
        assert lines == ["test_logs.py test_the_place_of_a_call_is_known"]


def calls() -> list[tuple[str, ast.Call]]:
    """Every call of a log, with the file it stands in."""
    found = []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            # Most modules log nothing, and a tree takes long to make.
            for node in ast.walk(ast.parse(text)) if "log." in text else ():
                match node:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "_log"))):
                        found.append((f"{folder}/{file.name}", node))
    return found


def test_every_event_has_a_fixed_name_and_keys_of_its_own() -> None:
    for file, call in calls():
        where = f"{file}, line {call.lineno}"
        (event,) = call.args
        assert isinstance(event, ast.Constant), where
        assert re.fullmatch("[a-z]+(-[a-z]+)*", str(event.value)), where
        for keyword in call.keywords:
            assert keyword.arg is not None, where
            assert re.fullmatch("[a-z]+(_[a-z]+)*", keyword.arg), where
            assert keyword.arg not in (*HEAD_KEYS, TEXT_KEY, TRACE_KEY), where


def test_only_events_are_logged() -> None:
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            knows = file.name == "logline.py"
            assert knows or "getLogger" not in file.read_text(encoding="utf-8"), file


PASSWORD = "sesame-17"
DEALS = [deal_code(bytes([number]) * 16) for number in range(1, 7)]
PROCESS_IDS = [610_000_001, 610_000_002, 610_000_003, 610_000_004]
CARD = re.compile(r"(?<![A-Za-z0-9])(?:[2-9AJKQT]|10)[CDHS♣♦♥♠](?![A-Za-z0-9])")


async def test_a_session_at_debug_level_tells_nothing(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.handler.setFormatter(LineFormatter())
    deals = [part for code in DEALS for part in ("--deal", code)]
    async with house(tmp_path, "--password", PASSWORD, *deals) as made:
        await made.guest(-7, text(PASSWORD[:-1]))
        await made.guest(-2, 1, 2, 3)
        sessions = [
            OwnSession(
                ClientHabits(
                    process_id=process_id,
                    password=PASSWORD,
                    options=options(end=30),
                    wrong=0.1,
                    seed=process_id,
                )
            )
            for process_id in PROCESS_IDS
        ]
        await made.play(sessions)
        await misbehave_in_play(await made.call())
        await made.server.drain()
        secret = made.data_dir.secret
    judge(sessions)
    log = caplog.text
    events = {parse(line)["event"] for line in log.splitlines()}
    assert {"table-started", "table-ended", "game-over", "refused", "dropped"} <= events
    game_ids = {
        fact.numbers[2] for session in sessions for fact in session.facts if fact.kind == "seated"
    }
    assert len(game_ids) == 4
    hidden = [PASSWORD, PASSWORD[:-1], *DEALS, *map(str, PROCESS_IDS), *map(str, game_ids)]
    hidden += [bytes([number]).hex() * 16 for number in range(1, len(DEALS) + 1)]
    hidden += [secret.hex(), repr(secret)[2:10], str(tmp_path)]
    for piece in hidden:
        assert piece not in log
    assert CARD.findall(log) == []


async def misbehave_in_play(caller: Caller) -> None:
    """Sit down with three computers, and acknowledge what nobody sent."""
    await caller.number()
    await caller.send(text("Rude"), -7, text(PASSWORD), -2, *options(computers=0b1110))
    assert await caller.number() == 1
    await caller.send(PROCESS_IDS[0])
    await caller.seated()
    await caller.send(99)
    while not await caller.ended():
        pass


def test_a_card_would_be_found() -> None:
    for number in range(52):
        card = Card(number)
        for shown in (str(card), card.symbol, repr(card)):
            assert CARD.search(f'event=odd value="{shown} x"'), shown


@pytest.mark.parametrize("application", APPLICATIONS)
def test_a_program_writes_lines(application: str, tmp_path: Path) -> None:
    """Each program's own log on standard error, from its start to its end."""
    words = ("--log-level", "debug", "--exit-with-parent")
    with running(tmp_path, *words, application=application) as (process, _):
        _, log = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0
    said = [parse(line) for line in log.splitlines()]
    assert any(pairs.get("why") == "the parent is gone" for pairs in said)
    assert (tmp_path / "secret").read_bytes().hex() not in log
