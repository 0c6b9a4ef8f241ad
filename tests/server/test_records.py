"""``hearts-server records`` on a journal that real play has written."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio

from hearts.errors import HeartsError
from hearts.game.record import parse_record
from hearts.game.verify import verify_records
from hearts.hosting.store import Session, StoredSeat
from hearts.table import (
    Able,
    Abort,
    AnswerAgain,
    Chosen,
    Kind,
    Persist,
    ProposeAbort,
    Question,
    Vote,
)
from hearts_server.commands import session_list
from hearts_server.commands.main import main as server_main
from hearts_server.commands.records import main
from hearts_server.commands.verify import report_lines
from hearts_server.config import Durability
from hearts_server.journal.opening import open_existing
from hearts_server.journal.reading import SessionReader
from hearts_server.journal.replay import games_of, tell
from hearts_server.journal.sessions import end_session, load_row
from hearts_server.journal.sqlite import SqliteJournal
from hearts_server.journal.store import StoredSession
from tests.journal.finished import insert_finished
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer
from tests.table.desk import NAMES, Desk

ROOT = Path(__file__).parents[2]
KINDS = (Kind.CLIENT, Kind.CLIENT, Kind.CLIENT, Kind.COMPUTER)
DAY = 86400
TWO_GAMES, PLAYING, LEFT, SPOILT, JUST_BEGUN = 1, 2, 3, 4, 5


def play(desk: Desk, until: Callable[[Desk], bool]) -> None:
    """Everybody chooses one after the other; Dan is a computer."""
    desk.answer_bots()
    while not until(desk):
        player, question = desk.asked()[0]
        desk.choose(player, question)
        desk.answer_bots()


def lines_of(desk: Desk) -> list[str]:
    return [effect.line for effect in desk.all_of(Persist)]


def asks_again(desk: Desk) -> bool:
    return (0, Question.AGAIN) in desk.asked()


def two_games() -> list[str]:
    desk = Desk("jack", KINDS, end=20)
    play(desk, asks_again)
    desk.choose(0, Question.AGAIN)
    play(desk, asks_again)
    desk.give(Chosen(0, AnswerAgain(0, False)))
    assert desk.table.ended
    return lines_of(desk)


def a_hand_and_a_half() -> list[str]:
    desk = Desk("standard", KINDS)
    play(desk, lambda it: it.table.game.hand_number == 1 and len(it.table.game.history) == 21)
    return lines_of(desk)


def stood_in(lines: list[str]) -> list[str]:
    """The same lines, with a card that a stand-in played."""
    _, own, *_ = (n for n, line in enumerate(lines) if re.fullmatch(r"play 0 \w\w", line))
    return [*lines[:own], f"{lines[own]} stand-in", *lines[own + 1 :]]


def played_out(lines: list[str]) -> list[str]:
    """The same lines, with a card of Bob's that was played by a computer, as behind a claim."""
    _, own, *_ = (n for n, line in enumerate(lines) if re.fullmatch(r"play 1 \w\w", line))
    return [*lines[:own], f"{lines[own]} computer", *lines[own + 1 :]]


class Case:
    """A data dir with a journal, and the command on it."""

    def __init__(self, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.data_dir = data_dir
        self.journal = data_dir / "journal.db"
        self._capsys = capsys

    def run(self, *arguments: object, status: int = 0) -> tuple[str, str]:
        """What the command says on standard output and standard error."""
        assert main([*map(str, arguments), "--data-dir", str(self.data_dir)]) == status
        return self._capsys.readouterr()

    def sql(self, statement: str) -> list[tuple[int, ...]]:
        with contextlib.closing(sqlite3.connect(self.journal, isolation_level=None)) as connection:
            return connection.execute(statement).fetchall()


async def write(path: Path, sessions: Sequence[tuple[Session, list[str], str]]) -> None:
    journal = SqliteJournal(path, Durability.NORMAL)
    async with trio.open_nursery() as nursery:
        await nursery.start(journal.run)
        for session, lines, why in sessions:
            store = journal.begin(session, lambda: None)
            for line in lines:
                store.append(line, lambda: None)
            if why:
                store.end(why, lambda: None)
        nursery.cancel_scope.cancel()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data_dir = tmp_path_factory.mktemp("data")
    a, b, c, d = (StoredSeat(name, kind, 9) for name, kind in zip(NAMES, KINDS, strict=True))

    def session(number: int, desk: Desk, name: str, *, private: bool = False) -> Session:
        begun = 1_700_000_000 + number * DAY
        return Session(number, name, private, desk.table.setting, (a, b, c, d), begun)

    standard, jack = Desk("standard", KINDS), Desk("jack", KINDS, end=20)
    half = a_hand_and_a_half()
    trio.run(
        write,
        data_dir / "journal.db",
        [
            (session(TWO_GAMES, jack, "Table 1"), two_games(), "the players are done"),
            (session(PLAYING, standard, "Table 2"), half, ""),
            (
                session(LEFT, standard, "台所", private=True),
                played_out(stood_in(half)),
                "nobody came back",
            ),
            (session(SPOILT, standard, "Table 4"), ["play 0 2C", "deal me in"], "an error"),
            (session(JUST_BEGUN, standard, "Table 5"), lines_of(standard), ""),
        ],
    )
    with contextlib.closing(open_existing(data_dir / "journal.db", write=True)) as connection:
        for number in (TWO_GAMES, LEFT, SPOILT):
            row = load_row(connection, number)
            end_session(connection, number, row.begun + 60, row.why)
    return data_dir


@pytest.fixture
def case(written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Case:
    return Case(Path(shutil.copytree(written, tmp_path / "data")), capsys)


def records_in(text: str) -> list[str]:
    return [f"hearts-record 1\n{part}".rstrip("\n") for part in text.split("hearts-record 1\n")[1:]]


class TestList:
    def test_sessions_stand_in_a_table(self, case: Case) -> None:
        out, err = case.run("list")
        lines = out.splitlines()
        assert re.sub(" +", " ", lines[0]) == "Session Table Players Begun Games Hands State"
        assert re.fullmatch(
            r" +1  Table 1 +Ann, Bob, Cleo, Dan  2023-11-1\d \d\d:\d\d +2 +\d+  "
            r"ended: the players are done",
            lines[1],
        )
        assert lines[2].endswith(" 0      2  playing")
        assert "台所 (private)" in lines[3]
        assert len(lines) == 6
        assert err == ""

    def test_columns_are_straight_with_wide_characters_too(self, case: Case) -> None:
        out, _ = case.run("list")
        lines = out.replace("台所", "wwww").splitlines()
        assert len({line.index("Ann, Bob") for line in lines[1:]}) == 1

    def test_the_newest_on_request(self, case: Case) -> None:
        out, err = case.run("list", "--last", 2)
        assert [line.split()[0] for line in out.splitlines()[1:]] == ["4", "5"]
        assert "2 of 5 sessions" in err
        assert len(case.run("list", "--last", 0)[0].splitlines()) == 6

    def test_a_long_list_comes_in_parts_whose_columns_never_get_narrower(
        self, case: Case, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole, _ = case.run("list")
        monkeypatch.setattr(session_list, "_ROWS_AT_ONCE", 2)
        parts, _ = case.run("list")
        assert [line.split() for line in parts.splitlines()] == [
            line.split() for line in whole.splitlines()
        ]
        assert parts.splitlines()[4:] == whole.splitlines()[4:]

    def test_rows_without_a_sense_are_named(self, case: Case) -> None:
        case.sql("UPDATE sessions SET rules = 'chess', table_name = 'x' || char(27) || 'x'")
        out, _ = case.run("list", status=1)
        assert out.count("unreadable: ") == 5
        assert "\x1b" not in out


class TestShow:
    def test_each_game_is_a_record_that_replays(self, case: Case) -> None:
        out, err = case.run("show", TWO_GAMES)
        first, second = map(parse_record, records_in(out))
        for record in (first, second):
            assert record.replay().winners
            assert record.names == NAMES
            assert str(record.rules) == "jack"
        assert " computer\n" in out
        assert err == ""
        assert records_in(case.run("show", TWO_GAMES, "--game", 2)[0]) == [str(second).rstrip()]

    def test_of_a_hand_that_goes_on_nothing_is_shown(self, case: Case) -> None:
        out, err = case.run("show", PLAYING)
        (record,) = map(parse_record, records_in(out))
        assert record.replay().hand_number == 0
        assert len(record.actions) == 1 + 4 + 52
        assert "only its finished hands are shown" in err
        assert out.count("\ndeal ") == 1
        told, err = case.run("replay", PLAYING)
        assert "Hand 1," in told
        assert "Hand 2," not in told
        assert "only its finished hands are shown" in err

    def test_of_a_first_hand_that_goes_on_there_is_nothing(self, case: Case) -> None:
        for command in ("show", "replay", "export"):
            out, err = case.run(command, JUST_BEGUN, status=2)
            assert out == ""
            assert "no finished hand" in err

    def test_a_session_that_ended_in_mid_hand_is_shown_as_far_as_it_went(self, case: Case) -> None:
        out, err = case.run("show", LEFT)
        (record,) = map(parse_record, records_in(out))
        assert len(record.replay().history) == 21
        assert err == ""

    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (("show", 77), "session 77: there is no such session"),
            (("show", TWO_GAMES, "--game", 3), "has no game 3; it has 2"),
            (("show", SPOILT), "session 4: "),
            (("show", "one"), "give a whole number from 0 to 2147483647, not 'one'"),
            (("show",), "required: N"),
            (("dance",), "invalid choice"),
            (("export",), "give the number of a session, or --all DIR"),
            (("export", 1, "--all", "x"), "give the number of a session, or --all DIR"),
            (("delete",), "give numbers of sessions, or --ended-before"),
            (("delete", 1, "--ended-before", "2026-01-01"), "give numbers of sessions, or"),
            (("delete", "--ended-before", "soon"), "give a day as 2026-01-31, not 'soon'"),
        ],
    )
    def test_mistakes_are_told_in_a_line(
        self, case: Case, arguments: Sequence[object], why: str
    ) -> None:
        out, err = case.run(*arguments, status=2)
        assert out == ""
        assert err.startswith("hearts-server records: ")
        assert err.count("\n") == 1
        assert why in err


class TestReplay:
    def test_it_tells_what_the_game_says(self, case: Case) -> None:
        out, _ = case.run("replay", TWO_GAMES, "--game", 1)
        record = parse_record(records_in(case.run("show", TWO_GAMES, "--game", 1)[0])[0])
        game = record.replay()
        hands = game.hand_number + 1
        lines = out.splitlines()
        assert lines[0] == "Session 1 at Table 1, game 1: rules jack, to 20 points"
        assert lines[1] == "Seats: Ann (client), Bob (client), Cleo (client), Dan (computer)"
        assert sum(line.startswith("  Trick ") for line in lines) == 13 * hands
        assert len(re.findall(r"^Hand \d+, deal [0-9A-Z-]{34}, pass ", out, re.M)) == hands
        scores = ", ".join(
            f"{name} {score}" for name, score in zip(NAMES, game.scores, strict=True)
        )
        assert [line for line in lines if "Scores" in line][-1] == f"  Scores: {scores}"
        assert lines[-1] == f"{NAMES[game.winners[0]]} wins the game."

    def test_every_hand_pass_and_trick_of_a_deal(self, case: Case) -> None:
        out, _ = case.run("replay", LEFT)
        lines = out.splitlines()
        start = lines.index(next(line for line in lines if line.startswith("Hand 1, ")))
        cards = [set(line.split()[1:]) for line in lines[start + 1 : start + 5]]
        assert [len(hand) for hand in cards] == [13] * 4
        assert len(set().union(*cards)) == 52
        passes = sorted(lines[start + 5 : start + 9])
        assert [re.sub(r"( \w\w){3} to", " ... to", line) for line in passes] == [
            f"  {name} passes ... to {target}"
            for name, target in zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True)
        ]
        assert re.fullmatch(r"  Trick  1: (\w+ \w\w(, )?){4}; \w+ takes it, \+\d", lines[start + 9])
        assert lines[-1] == "The game is not over here."

    def test_who_else_chose_for_a_player_is_marked(self, case: Case) -> None:
        out, _ = case.run("replay", LEFT)
        assert len(re.findall(r"Ann \w\w \(stand-in\)", out)) == 1
        # Dan is a computer, and Bob is none.
        assert re.findall(r"(\w+) \w\w \(computer\)", out) == ["Bob"]


class TestExport:
    def test_a_file_is_its_owners_alone(self, case: Case, tmp_path: Path) -> None:
        file = tmp_path / "game.record"
        file.write_text("something longer than nothing")
        file.chmod(0o666)
        out, _ = case.run("export", TWO_GAMES, "--game", 2, "-o", file)
        assert out == f"{file}\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert parse_record(file.read_text()).replay().winners

    def test_a_session_is_one_file_with_its_games(
        self, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        out, _ = case.run("export", TWO_GAMES)
        assert out == "session-1.record\n"
        assert Path(out.strip()).read_text() == case.run("show", TWO_GAMES)[0]

    def test_everything_at_once(self, case: Case, tmp_path: Path) -> None:
        folder = tmp_path / "out" / "games"
        out, err = case.run("export", "--all", folder, status=1)
        assert sorted(file.name for file in folder.iterdir()) == [
            f"session-{number}.record" for number in (TWO_GAMES, PLAYING, LEFT)
        ]
        assert out == f"3 files in {folder}\n"
        assert "session 4: " in err
        hidden = (folder / f"session-{PLAYING}.record").read_text()
        assert hidden.count("\ndeal ") == 1

    def test_a_place_that_cannot_be_written(self, case: Case, tmp_path: Path) -> None:
        _, err = case.run("export", TWO_GAMES, "-o", tmp_path / "no" / "file", status=2)
        assert "cannot write " in err
        assert "No such file" in err


class TestDelete:
    def test_what_has_ended_is_gone_and_the_file_smaller(self, case: Case) -> None:
        with contextlib.closing(open_existing(case.journal, write=True)) as connection:
            insert_finished(connection, 6, 40, 1)
        size = case.journal.stat().st_size
        out, _ = case.run("delete", TWO_GAMES, LEFT, 6, "--yes")
        assert re.fullmatch(r"deleted 3 sessions, \d{4} lines, \d\d KiB\n", out)
        assert case.sql("SELECT game_number FROM sessions ORDER BY 1") == [(2,), (4,), (5,)]
        hands = case.sql("SELECT DISTINCT game_number FROM hands ORDER BY 1")
        assert hands == [(PLAYING,), (SPOILT,)]
        assert case.journal.stat().st_size < size
        assert case.sql("PRAGMA freelist_count") == [(0,)]

    def test_what_goes_on_stays_and_all_else_with_it(self, case: Case) -> None:
        before = case.journal.read_bytes()
        _, err = case.run("delete", TWO_GAMES, PLAYING, "--yes", status=2)
        assert "session 2 has not ended; nothing was deleted" in err
        _, err = case.run("delete", TWO_GAMES, 66, "--yes", status=2)
        assert "there is no session 66; nothing was deleted" in err
        assert case.journal.read_bytes() == before

    def test_by_day(self, case: Case) -> None:
        out, _ = case.run("delete", "--ended-before", "2023-11-17", "--yes")
        assert out.startswith("deleted 1 session,")
        out, _ = case.run("delete", "--ended-before", "2023-11-17", "--yes")
        assert out == "there is nothing to delete\n"
        assert (PLAYING,) in case.sql("SELECT game_number FROM sessions")

    def test_it_asks_at_a_terminal_and_nowhere_else(
        self, case: Case, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, err = case.run("delete", TWO_GAMES, status=2)
        assert "say --yes if there is no terminal" in err
        for answer, status in (("no\n", 1), ("", 1), ("yes\n", 0)):
            monkeypatch.setattr("sys.stdin", Terminal(answer))
            out, err = case.run("delete", TWO_GAMES, status=status)
            assert out.startswith("Delete 1 session for ever? Type yes: ")
            assert ("nothing was deleted" in err) == bool(status)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class TestAlongsideAServer:
    async def test_reading_and_deleting_while_it_writes(self, case: Case) -> None:
        done = trio.Event()
        journal = SqliteJournal(case.journal, Durability.NORMAL)
        playing = next(
            found for found in journal.read(2**40) if found.session.game_number == PLAYING
        )
        async with trio.open_nursery() as nursery:
            await nursery.start(journal.run)
            store = journal.take_up(playing)
            store.append("play 0 AS", lambda: None)
            out, _ = await trio.to_thread.run_sync(_command, case.data_dir, "delete", "1", "--yes")
            assert out.startswith("deleted 1 session,")
            store.append("play 1 KS", done.set)
            await done.wait()
            out, _ = await trio.to_thread.run_sync(_command, case.data_dir, "list")
            assert [line.split()[0] for line in out.splitlines()[1:]] == ["2", "3", "4", "5"]
            nursery.cancel_scope.cancel()
        with contextlib.closing(open_existing(case.journal)) as connection:
            lines = SessionReader(connection).session(PLAYING).lines
        assert lines == [*playing.lines, "play 0 AS", "play 1 KS"]

    def test_the_log_of_a_killed_server_is_read(self, case: Case, tmp_path: Path) -> None:
        copy = tmp_path / "killed"
        copy.mkdir()
        connection = sqlite3.connect(case.journal, isolation_level=None)
        with contextlib.closing(connection):
            connection.execute("DELETE FROM sessions WHERE game_number = 4")
            for file in case.data_dir.iterdir():
                shutil.copy(file, copy)
        case.data_dir = copy
        before = {name: (copy / name).read_bytes() for name in ("journal.db", "journal.db-wal")}
        assert len(case.run("list")[0].splitlines()) == 5
        assert {name: (copy / name).read_bytes() for name in before} == before

    def test_no_journal(self, case: Case, tmp_path: Path) -> None:
        case.data_dir = tmp_path / "nowhere"
        _, err = case.run("list", status=2)
        assert f"there is no journal {case.data_dir / 'journal.db'}; --data-dir DIR" in err

    @pytest.mark.parametrize(
        ("pragma", "why"),
        [
            ("user_version=99", "of a newer hearts-server"),
            ("user_version=0", "of an older hearts-server; start this one on it once"),
            ("application_id=1", "not the journal of a hearts-server"),
        ],
    )
    def test_another_journal(self, case: Case, pragma: str, why: str) -> None:
        case.sql(f"PRAGMA {pragma}")
        for command in (("list",), ("delete", 1, "--yes")):
            _, err = case.run(*command, status=2)
            assert why in err

    def test_a_reader_that_has_seen_enough(self, case: Case) -> None:
        with subprocess.Popen(
            [sys.executable, "-c", COMMAND, "show", "1", "--data-dir", str(case.data_dir)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(30) == 1

    def test_help(self, capsys: pytest.CaptureFixture[str]) -> None:
        for command in ([], ["list"], ["show"], ["replay"], ["export"], ["delete"]):
            with pytest.raises(SystemExit) as ended:
                main([*command, "--help"])
            assert ended.value.code == 0
            assert "hearts-server records" in capsys.readouterr().out


COMMAND = (
    "import sys; from hearts_server.commands.records import main; sys.exit(main(sys.argv[1:]))"
)


def _command(data_dir: Path, *arguments: str) -> tuple[str, str]:
    """The command in a process of its own, as a host calls it."""
    result = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments, "--data-dir", str(data_dir)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    if result.returncode:
        raise HeartsError(result.stderr)
    return result.stdout, result.stderr


def test_a_session_in_which_a_game_was_broken_off() -> None:
    """It has two games: one up to the hand that counts for nothing, and the next one."""
    desk = Desk("standard", KINDS)
    for player in range(3):
        desk.give(Able(player, votes=True, wants_to_cut=False))
    play(desk, lambda it: it.table.game.hand_number == 1 and len(it.table.game.history) == 21)
    desk.give(ProposeAbort(0, Abort.GAME))
    for player in (1, 2):
        desk.give(Vote(player, agreed=True))
    seats = tuple(StoredSeat(name, kind, 9) for name, kind in zip(NAMES, KINDS, strict=True))
    a, b, c, d = seats
    session = Session(7, "Table 1", False, desk.table.setting, (a, b, c, d), 0)
    stored = StoredSession(session, lines_of(desk), None, "")
    (broken_off,) = games_of(stored)
    play(desk, lambda it: it.table.game.hand_number == 1)
    first, second = games_of(StoredSession(session, lines_of(desk), None, ""))
    assert first == broken_off
    assert len(first.replay().history) == 0
    assert second.replay().hand_number == 0
    told = list(tell(first))
    assert "  The players break the hand off; it counts for nothing." in told
    assert told[-1] == "The game is not over here."
    (report,) = verify_records(str(first))
    *_, line, _, _, _, _, outcome, verdict = report_lines(report)
    assert line.endswith("21 plays, 5 tricks: all right, broken off by the players")
    assert outcome.endswith("the record stops after deal 2, before the end of the game")
    assert verdict == "all right"


class TestInPostgres:
    def test_it_says_the_same_of_the_same_sessions(
        self, case: Case, postgres: PostgresServer, tmp_path: Path
    ) -> None:
        place = Schema(postgres)
        store = ("--store", place.url)
        assert server_main(["import", "--data-dir", str(case.data_dir), *store]) == 0
        case.run("list")
        done: list[tuple[object, ...]] = [
            *(("list",), ("list", "--last", 2)),
            *(("show", TWO_GAMES), ("show", PLAYING), ("replay", LEFT)),
        ]
        refused: list[tuple[object, ...]] = [
            *(("show", 77), ("show", SPOILT), ("export", JUST_BEGUN)),
            *(("delete", TWO_GAMES, PLAYING, "--yes"), ("delete", 77, "--yes")),
        ]
        for status, commands in ((0, done), (2, refused)):
            for command in commands:
                there = case.run(*command, *store, status=status)
                assert there == case.run(*command, status=status)
        folders = [tmp_path / "file", tmp_path / "store"]
        case.run("export", "--all", folders[0], status=1)
        case.run("export", "--all", folders[1], *store, status=1)
        files = [{each.name: each.read_text() for each in dir.iterdir()} for dir in folders]
        assert files[0] == files[1]
        assert len(files[0]) == 3
        gone, _ = case.run("delete", "--ended-before", "2030-01-01", "--yes", *store)
        assert gone.startswith("deleted 3 sessions, ")
        left, _ = case.run("list", *store)
        numbers = [line.split()[0] for line in left.splitlines()[1:]]
        assert numbers == [str(PLAYING), str(JUST_BEGUN)]
        assert place.sql("SELECT DISTINCT game_number FROM hands WHERE game_number = 1") == []

    def test_what_is_no_store_is_said(self, case: Case) -> None:
        _, err = case.run("list", "--store", "sqlite:x", status=2)
        assert "give postgresql://USER@HOST/DATABASE" in err
