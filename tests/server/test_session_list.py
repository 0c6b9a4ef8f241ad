"""`hearts-server records list`: a line for each session."""

from __future__ import annotations

import re

import pytest

from hearts_server.commands import session_list

from .conftest import Case


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
