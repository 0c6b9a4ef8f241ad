"""``hearts-server records`` on a journal that real play has written."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from hearts.errors import CorruptRecord
from hearts.game.record import PlayedHand, Record, hands_of, parse_record
from hearts.game.verify import verify_records
from hearts.hosting.store import Session, StoredSeat
from hearts.table.inputs import Able, Abort, ProposeAbort, Question, TakeBack, Vote
from hearts.table.seat import Kind
from hearts_server.commands import session_list
from hearts_server.commands.verify import report_lines
from hearts_server.journal.replay import games_of, narrate
from hearts_server.journal.store import StoredSession
from tests.journal.finished import insert_finished, tables_in
from tests.table.desk import NAMES, Desk

from .conftest import (
    JUST_BEGUN,
    KINDS,
    LEFT,
    PLAYING,
    SPOILT,
    TWO_GAMES,
    CommandCase,
    lines_of,
    play,
)


def records_in(text: str) -> list[str]:
    return [f"hearts-record 1\n{part}".rstrip("\n") for part in text.split("hearts-record 1\n")[1:]]


class TestList:
    def test_sessions_stand_in_a_table(self, case: CommandCase) -> None:
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

    def test_columns_are_straight_with_wide_characters_too(self, case: CommandCase) -> None:
        out, _ = case.run("list")
        lines = out.replace("台所", "wwww").splitlines()
        assert len({line.index("Ann, Bob") for line in lines[1:]}) == 1

    def test_the_newest_on_request(self, case: CommandCase) -> None:
        out, err = case.run("list", "--last", 2)
        assert [line.split()[0] for line in out.splitlines()[1:]] == ["4", "5"]
        assert "2 of 5 sessions" in err
        assert len(case.run("list", "--last", 0)[0].splitlines()) == 6

    def test_a_long_list_comes_in_parts_whose_columns_never_get_narrower(
        self, case: CommandCase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole, _ = case.run("list")
        monkeypatch.setattr(session_list, "_ROWS_AT_ONCE", 2)
        parts, _ = case.run("list")
        assert [line.split() for line in parts.splitlines()] == [
            line.split() for line in whole.splitlines()
        ]
        assert parts.splitlines()[4:] == whole.splitlines()[4:]

    def test_rows_without_a_sense_are_named(self, case: CommandCase) -> None:
        case.sql("UPDATE sessions SET rules = 'chess', table_name = 'x' || char(27) || 'x'")
        out, _ = case.run("list", status=1)
        assert out.count("unreadable: ") == 5
        assert "\x1b" not in out


class TestShow:
    def test_each_game_is_a_record_that_replays(self, case: CommandCase) -> None:
        out, err = case.run("show", TWO_GAMES)
        first, second = map(parse_record, records_in(out))
        for record in (first, second):
            assert record.replay().winners
            assert record.names == NAMES
            assert str(record.rules) == "jack"
        assert " computer\n" in out
        assert err == ""
        assert records_in(case.run("show", TWO_GAMES, "--game", 2)[0]) == [str(second).rstrip()]

    def test_of_a_hand_that_goes_on_nothing_is_shown(self, case: CommandCase) -> None:
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

    def test_of_a_first_hand_that_goes_on_there_is_nothing(self, case: CommandCase) -> None:
        for command in ("show", "replay", "export"):
            out, err = case.run(command, JUST_BEGUN, status=2)
            assert out == ""
            assert "no finished hand" in err

    def test_a_session_that_ended_in_mid_hand_is_shown_as_far_as_it_went(
        self, case: CommandCase
    ) -> None:
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
        self, case: CommandCase, arguments: Sequence[object], why: str
    ) -> None:
        out, err = case.run(*arguments, status=2)
        assert out == ""
        assert err.startswith("hearts-server records: ")
        assert err.count("\n") == 1
        assert why in err


class TestReplay:
    def test_it_tells_what_the_game_says(self, case: CommandCase) -> None:
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

    def test_every_hand_pass_and_trick_of_a_deal(self, case: CommandCase) -> None:
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

    def test_who_else_chose_for_a_player_is_marked(self, case: CommandCase) -> None:
        out, _ = case.run("replay", LEFT)
        assert len(re.findall(r"Ann \w\w \(stand-in\)", out)) == 1
        # Dan is a computer, and Bob is none.
        assert re.findall(r"(\w+) \w\w \(computer\)", out) == ["Bob"]


class TestExport:
    def test_a_file_is_its_owners_alone(self, case: CommandCase, tmp_path: Path) -> None:
        file = tmp_path / "game.record"
        file.write_text("something longer than nothing")
        file.chmod(0o666)
        out, _ = case.run("export", TWO_GAMES, "--game", 2, "-o", file)
        assert out == f"{file}\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert parse_record(file.read_text()).replay().winners

    def test_a_session_is_one_file_with_its_games(
        self, case: CommandCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        out, _ = case.run("export", TWO_GAMES)
        assert out == "session-1.record\n"
        lines = Path(out.strip()).read_text().splitlines(keepends=True)
        told = "".join(line for line in lines if not line.startswith("# "))
        assert told == case.run("show", TWO_GAMES)[0]

    def test_everything_at_once(self, case: CommandCase, tmp_path: Path) -> None:
        folder = tmp_path / "out" / "games"
        out, err = case.run("export", "--all", folder, status=1)
        assert sorted(file.name for file in folder.iterdir()) == [
            f"session-{number}.record" for number in (TWO_GAMES, PLAYING, LEFT)
        ]
        assert out == f"3 files in {folder}\n"
        assert "session 4: " in err
        hidden = (folder / f"session-{PLAYING}.record").read_text()
        assert hidden.count("\ndeal ") == 1

    def test_a_place_that_cannot_be_written(self, case: CommandCase, tmp_path: Path) -> None:
        _, err = case.run("export", TWO_GAMES, "-o", tmp_path / "no" / "file", status=2)
        assert "cannot write " in err
        assert "No such file" in err


class TestDelete:
    def test_what_has_ended_is_gone_and_the_file_smaller(self, case: CommandCase) -> None:
        with contextlib.closing(tables_in(case.journal)) as tables:
            insert_finished(tables, 6, 40, 1)
        size = case.journal.stat().st_size
        out, _ = case.run("delete", TWO_GAMES, LEFT, 6, "--yes")
        assert re.fullmatch(r"deleted 3 sessions, \d{4} lines, \d\d KiB\n", out)
        assert case.sql("SELECT game_number FROM sessions ORDER BY 1") == [(2,), (4,), (5,)]
        hands = case.sql("SELECT DISTINCT game_number FROM hands ORDER BY 1")
        assert hands == [(PLAYING,), (SPOILT,)]
        assert case.journal.stat().st_size < size
        assert case.sql("PRAGMA freelist_count") == [(0,)]

    def test_what_goes_on_stays_and_all_else_with_it(self, case: CommandCase) -> None:
        before = case.journal.read_bytes()
        _, err = case.run("delete", TWO_GAMES, PLAYING, "--yes", status=2)
        assert "session 2 has not ended; nothing was deleted" in err
        _, err = case.run("delete", TWO_GAMES, 66, "--yes", status=2)
        assert "there is no session 66; nothing was deleted" in err
        assert case.journal.read_bytes() == before

    def test_by_day(self, case: CommandCase) -> None:
        out, _ = case.run("delete", "--ended-before", "2023-11-17", "--yes")
        assert out.startswith("deleted 1 session,")
        out, _ = case.run("delete", "--ended-before", "2023-11-17", "--yes")
        assert out == "there is nothing to delete\n"
        assert (PLAYING,) in case.sql("SELECT game_number FROM sessions")

    def test_it_asks_at_a_terminal_and_nowhere_else(
        self, case: CommandCase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, err = case.run("delete", TWO_GAMES, status=2)
        assert "say --yes if there is no terminal" in err
        for answer, status in (("no\n", 1), ("", 1), ("yes\n", 0)):
            monkeypatch.setattr("sys.stdin", FakeTty(answer))
            out, err = case.run("delete", TWO_GAMES, status=status)
            assert out.startswith("Delete 1 session for ever? Type yes: ")
            assert ("nothing was deleted" in err) == bool(status)


class FakeTty(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_session_in_which_a_game_was_broken_off() -> None:
    """It has two games: one up to the hand that counts for nothing, and the next one."""
    desk = Desk("standard", KINDS)
    for player in range(3):
        desk.give(Able(player, votes=True, next_hash=b""))
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
    told = list(narrate(first))
    assert "  The players break the hand off; it counts for nothing." in told
    assert told[-1] == "The game is not over here."
    (report,) = verify_records(str(first))
    *_, line, _, _, _, _, outcome, _, verdict = report_lines(report)
    assert line.endswith("21 plays, 5 tricks: all right, broken off by the players")
    assert outcome.endswith("the record stops after deal 2, before the end of the game")
    assert verdict == "all right"


def test_a_session_in_which_choices_were_taken_back() -> None:
    """The game has what was played in the end, and says that it does not count."""
    alone = (Kind.CLIENT, *[Kind.COMPUTER] * 3)
    desk = Desk("standard", alone, limit=0)
    play(desk, lambda it: it.table.game.hand_number == 1 and len(it.table.game.history) > 3)
    for _ in range(3):
        desk.give(TakeBack(0))
        desk.answer_bots()
    play(desk, lambda it: it.table.game.hand_number == 1 and it.asked()[0][1] is Question.CARD)
    seats = [StoredSeat(name, kind, 9) for name, kind in zip(NAMES, alone, strict=True)]
    a, b, c, d = seats
    session = Session(7, "Table 1", False, desk.table.setting, (a, b, c, d), 0)
    lines = lines_of(desk)
    assert lines.count("take-back 0") == 3
    (goes_on,) = games_of(StoredSession(session, lines, None, ""))
    (game,) = games_of(StoredSession(session, lines, 1, "ended"))
    assert game == desk.table.record()
    assert goes_on.is_taken_back
    assert len(hands_of_record(goes_on)) == 1
    assert len(hands_of_record(game)) == 2
    assert next(narrate(game)).startswith("Choices were taken back in this game")
    (report,) = verify_records(str(game))
    assert report.problem is None
    assert "choices were taken back: no statistics count this game" in report_lines(report)
    for spoilt in (["take-back 0"], ["take-back 0", *lines], [lines[0], "take-back 0"]):
        with pytest.raises(CorruptRecord, match=r"to take back|none was made"):
            games_of(StoredSession(session, spoilt, None, ""))


def hands_of_record(record: Record) -> list[PlayedHand]:
    return list(hands_of(record.new_game(), record.actions))
