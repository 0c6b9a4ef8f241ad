"""Options of the command lines, and what they become on the wire."""

from __future__ import annotations

import argparse
import getpass
from pathlib import Path

import pytest

from hearts.game.rules import parse_rules
from hearts.session.messages import ListedTable, Options
from hearts_client.commands.arguments import (
    address,
    default_name,
    password_of,
    tls_of,
)
from hearts_client.commands.options import parse, table_options
from hearts_client.library.reach import PASSWORD_VARIABLE, Tls, where
from hearts_client.words.tables import CannotWatch, table_lines, to_watch


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hearts.example", ("hearts.example", 7626)),
        ("hearts.example:80", ("hearts.example", 80)),
        ("192.0.2.1:7000", ("192.0.2.1", 7000)),
        ("::1", ("::1", 7626)),
        ("[::1]", ("::1", 7626)),
        ("[::1]:80", ("::1", 80)),
    ],
)
def test_address(text: str, expected: tuple[str, int]) -> None:
    assert address(text) == expected
    assert address(where(*expected)) == expected


@pytest.mark.parametrize("text", ["", ":80", "host:", "host:x", "host:65536", "[::1]:x"])
def test_no_address(text: str) -> None:
    if text == "host:":
        assert address(text) == ("host", 7626)
        return
    with pytest.raises(argparse.ArgumentTypeError):
        address(text)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", None),
        ("--solo", Options(frozenset({1, 2, 3}))),
        ("--solo --computers 2", Options(frozenset({2, 3}))),
        ("--computers 0", None),
        ("--computers 3", Options(frozenset({1, 2, 3}), turn_limit=-1)),
        ("--computers 1", Options(frozenset({3}))),
        ("--rules jack", Options(rules=parse_rules("jack"))),
        ("--rules standard", Options(rules=parse_rules("standard"))),
        ("--end-score 50 --turn-limit 15", Options(end_score=50, turn_limit=15)),
    ],
)
def test_wishes(arguments: str, expected: Options | None) -> None:
    assert table_options(parse(arguments.split())) == expected


@pytest.mark.parametrize(
    ("login", "name"),
    [("ann", "ann"), ("", "Player"), ("x" * 31, "Player"), ("a\nb", "Player")],
)
def test_default_name(login: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: login)
    assert default_name() == name


FORMING = (
    ListedTable("Table 2", 0, 2, ("Bob", "Moe", "", "")),
    ListedTable("Table 3", 0, 1, ("Ann", "Moe", "Larry", "")),
)
PLAYING = (
    ListedTable("Table 1", 6, 0, ("Cleo", "Moe", "Larry", "Curly")),
    ListedTable("Table 4", 9, 1, ("Dan", "Moe", "Larry", "Curly")),
)


def test_the_list_of_tables_in_words() -> None:
    assert table_lines((*FORMING, *PLAYING), "here:1") == [
        "Table 2: forming, 2 open seats: Bob, Moe",
        "Table 3: forming, 1 open seat: Ann, Moe, Larry",
        "Table 1: game 6: Cleo, Moe, Larry, Curly",
        "Table 4: game 9, 1 open seat: Dan, Moe, Larry, Curly",
        'To take an open seat: --table "NAME"',
        "To watch a game: --watch NUMBER",
    ]
    assert len(table_lines(PLAYING[:1], "here:1")) == 2
    assert table_lines((), "here:1") == [
        "There is no public table at here:1. Without --list you open one."
    ]


@pytest.mark.parametrize(
    ("tables", "wanted", "game"),
    [
        (PLAYING[:1], "", 6),
        (PLAYING, "9", 9),
        (PLAYING, "table 1", 6),
        ((*FORMING, *PLAYING), "Table 4", 9),
    ],
)
def test_the_table_to_watch(tables: tuple[ListedTable, ...], wanted: str, game: int) -> None:
    assert to_watch(tables, wanted, "here:1") == game


def test_no_table_to_watch() -> None:
    with pytest.raises(CannotWatch, match=r"^no public table plays at here:1 now$"):
        to_watch(FORMING, "", "here:1")
    with pytest.raises(CannotWatch) as several:
        to_watch(PLAYING, "", "here:1")
    assert str(several.value).splitlines() == [
        "several tables play at here:1; choose one:",
        "  hearts-client --watch 6    Table 1: game 6: Cleo, Moe, Larry, Curly",
        "  hearts-client --watch 9    Table 4: game 9, 1 open seat: Dan, Moe, Larry, Curly",
    ]
    with pytest.raises(CannotWatch, match="no public table 'Table 2' plays at here:1; choose"):
        to_watch((*FORMING, *PLAYING), "Table 2", "here:1")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", None),
        ("--tls", Tls()),
        ("--tls-ca host.pem", Tls(Path("host.pem"))),
        ("--tls --tls-ca host.pem", Tls(Path("host.pem"))),
        ("--tls-insecure", Tls(insecure=True)),
    ],
)
def test_how_tls_is_wanted(arguments: str, expected: Tls | None) -> None:
    assert tls_of(parse(arguments.split())) == expected


def test_trust_in_a_file_and_in_everybody_is_one_too_many() -> None:
    with pytest.raises(SystemExit):
        parse(["--tls-ca", "host.pem", "--tls-insecure"])


def test_where_a_password_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "password"
    file.write_text("fish & chips\n")
    assert password_of(parse([])) == ""
    monkeypatch.setenv(PASSWORD_VARIABLE, "peas")
    assert password_of(parse([])) == "peas"
    assert password_of(parse(["--password-file", str(file)])) == "fish & chips"
    assert password_of(parse(["--password", "salt"])) == "salt"
    for wrong in (["--password-file", str(tmp_path)], ["--password-file", str(file / "x")]):
        with pytest.raises(SystemExit):
            parse(wrong)
        assert "cannot read" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        parse(["--password", "salt", "--password-file", str(file)])
