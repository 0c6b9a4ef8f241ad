"""Statistics from files: whose games they are, what is left out, and how they are written."""

from __future__ import annotations

import csv
import io
import json
import os
import pwd
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from hearts.game.stats import Numbers, Statistics
from hearts_client.commands.main import main
from hearts_client.session.places import NoHome, Places, at_home, make_profile, places_of
from hearts_client.statistics.counting import count_records
from hearts_client.statistics.table import GROUPS, csv_text, json_text, table_lines

from .statistics_folder import own_file, record

TWINS = ("Ann", "ann", "Ann", "Curly")


def _run(*words: str | Path) -> int:
    return main(["statistics", *map(str, words)])


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Three games of two kinds, one of them unfinished, one from another seat."""
    folder = tmp_path / "mine"
    own_file(folder, 1, record())
    own_file(folder, 2, record(end_score=100, hands=2))
    own_file(folder, 3, record("jack"), seat=1)
    return folder


# Which games, and whose


def test_a_folder_by_rules(mine: Path) -> None:
    counted = count_records([mine])
    assert counted.problems == []
    names = [name for name, _ in counted.columns]
    assert names == ["all", "pass=never", "jack,pass=never"]
    whole, standard, jack = (statistics for _, statistics in counted.columns)
    assert (whole.games, standard.games, jack.games) == (3, 2, 1)
    assert (standard.hands, standard.moons, standard.unfinished) == (3, 3, 1)
    assert (jack.moons, jack.moons_of_others, jack.points) == (0, 1, Numbers.of(26))
    assert whole == standard + jack


def test_another_player_of_the_same_games(mine: Path) -> None:
    moe = count_records([mine], "Moe").columns[0][1]
    assert (moe.games, moe.moons_of_others, moe.moons) == (3, 4, 0)
    assert (moe.choices, moe.by_computer) == (4 * 13, 4 * 13)


def test_a_file_that_does_not_say_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "session-7.record"
    path.write_text(record(), encoding="utf-8")
    (problem,) = count_records([tmp_path]).problems
    assert problem == (
        f"{path}, line 1: whose statistics? Say --player NAME; its players: Ann, Moe, Larry, Curly"
    )
    assert count_records([tmp_path], "Ann").columns[0][1].moons == 1


def test_names_that_fit_none_or_several(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(record(names=TWINS), encoding="utf-8")
    players = "its players: Ann (player 0), ann (player 1), Ann (player 2), Curly"
    assert count_records([path], "Bob").problems == [
        f"{path}, line 1: no player is called so; {players}",
    ]
    assert count_records([path], "Ann").problems == [
        f"{path}, line 1: several players are called so: say which, such as "
        f"--player 'Ann (player 0)'; {players}",
    ]
    assert count_records([path], "Ann (player 0)").columns[0][1].moons == 1
    assert count_records([path], "ann").columns[0][1].moons_of_others == 1
    assert count_records([path], "Curly").columns[0][1].moons_of_others == 1


def test_the_seats_of_a_program_in_a_tournament(tmp_path: Path) -> None:
    text = record(names=("simple", "random", "simple", "random"))
    deal = text.index("hands ")
    path = tmp_path / "records-1.txt"
    path.write_text(f"{text[:deal]}# match 3 block 0\n{text[deal:]}", encoding="utf-8")
    assert count_records([path]).problems == [
        f"{path}, line 1: whose statistics? Say --player NAME; its players: simple, random",
    ]
    simple = count_records([path], "simple").columns[0][1]
    assert (simple.games, simple.hands, simple.won, simple.moons) == (2, 2, 1, 1)
    random = count_records([path], "random").columns[0][1]
    assert (random.games, random.moons, random.moons_of_others) == (2, 0, 2)
    one = count_records([path], "simple (player 2)").columns[0][1]
    assert (one.games, one.moons) == (1, 0)


def test_nobody_takes_the_place_of_another_by_his_name(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(record(names=("Ann", "Ann", "Ann (player 0)", "Curly")), encoding="utf-8")
    assert count_records([path], "Ann (player 0)").columns[0][1].moons == 1


def test_several_records_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "session-7.record"
    wrong = record().replace("scores 0", "scores 1")
    path.write_text(f"{record()}\n{wrong}\n{record('jack')}\n", encoding="utf-8")
    counted = count_records([path], "Ann")
    assert counted.columns[0][1].games == 2
    line = record().count("\n") + 1 + wrong.count("\n")
    assert counted.problems == [f"{path}, line {line}: the scores are not those of the game"]


def test_what_is_no_record_is_told_and_left_out(mine: Path) -> None:
    (mine / "notes.txt").write_text("buy milk\n", encoding="utf-8")
    (mine / "empty.txt").touch()
    (mine / "latin.txt").write_bytes("hearts-record 1\nrules Zoë".encode("latin-1"))
    (mine / "locked.txt").symlink_to(mine / "nowhere")
    (mine / "a folder.txt").mkdir()
    (mine / "other.json").write_text("{}", encoding="utf-8")
    counted = count_records([mine, mine / "gone.txt"])
    assert counted.columns[0][1].games == 3
    told = [problem.partition(": ") for problem in counted.problems]
    assert [(Path(path).name, why.split(",")[0]) for path, _, why in told] == [
        ("empty.txt", "this is no record of a game"),
        (
            "latin.txt",
            "'utf-8' codec can't decode byte 0xeb in position 24: unexpected end of data",
        ),
        ("notes.txt", "this is no record of a game"),
        ("gone.txt", "No such file or directory"),
    ]


def test_the_name_of_a_file_paints_nothing(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[2J.txt").touch()
    (problem,) = count_records([tmp_path]).problems
    assert problem.isprintable()


def test_nothing_to_count(tmp_path: Path) -> None:
    counted = count_records([tmp_path])
    assert counted.columns == []
    assert counted.problems == []


# How it is shown


def _column(name: str) -> tuple[str, Statistics]:
    return name, Statistics()


def _cells(lines: list[str]) -> dict[str, list[str]]:
    cells = (line.split("  ") for line in lines if line and not line.startswith(" "))
    return {title: [word.strip() for word in words if word.strip()] for title, *words in cells}


def test_a_table_of_totals_and_of_averages(mine: Path) -> None:
    columns = count_records([mine]).columns
    totals = _cells(table_lines(columns, average=False, width=None))
    assert totals["games finished"] == ["2", "1", "1"]
    assert totals["moons shot"] == ["3", "3", "0"]
    assert totals["average place"] == ["1.50", "1.00", "2.00"]
    assert totals["best hand"] == ["0", "0", "26"]
    averages = _cells(table_lines(columns, average=True, width=None))
    assert averages["games finished"] == ["2", "1", "1"]
    assert averages["moons shot"] == ["1.00", "1.50", "0.00"]
    assert averages["average place"] == totals["average place"]
    assert averages["best hand"] == totals["best hand"]


def test_nothing_is_divided_by_nothing() -> None:
    for average in (False, True):
        cells = _cells(table_lines([_column("all")], average=average, width=None))
        assert cells["average place"] == ["-"]
        assert cells["moons shot"] == ["-" if average else "0"]


def test_columns_that_do_not_fit_are_told_of() -> None:
    columns = [_column(name) for name in ("all", "mac2000", "jack,moon=choice", "standard")]
    wide = table_lines(columns, average=False, width=None)
    assert [line.split() for line in wide[:2]] == [
        ["jack,"],
        ["all", "mac2000", "moon=choice", "standard"],
    ]
    for width in range(20, len(wide[1]) + 1):
        lines = table_lines(columns, average=False, width=width)
        heads = next(line for line in lines if "all" in line).split()
        assert heads == wide[1].split()[: len(heads)]
        hidden = len(columns) - len(heads)
        note = f"There is no room for {hidden} more; --format csv has all."
        assert (lines[-1] == note) == (hidden > 0)
        body = lines[:-2] if hidden else lines
        assert len(heads) == 1 or max(map(len, body)) <= width
    assert table_lines(columns, average=False, width=len(wide[1])) == wide


def test_the_same_numbers_for_other_programs(mine: Path) -> None:
    columns = count_records([mine]).columns
    rows = list(csv.DictReader(io.StringIO(csv_text(columns, average=False))))
    objects = json.loads(json_text(columns, average=False))
    assert [row["rules"] for row in rows] == ["all", "pass=never", "jack,pass=never"]
    shown = [
        {key: "" if value is None else str(value) for key, value in one.items()} for one in objects
    ]
    assert rows == shown
    keys = ["rules", *(row.key for group in GROUPS for row in group)]
    assert list(rows[0]) == keys
    assert len(set(keys)) == len(keys)
    assert objects[1]["points_per_hand"] == 0
    average = json.loads(json_text(columns, average=True))[0]
    assert average["moons_per_game"] == 1
    assert average["hands_per_game"] == 1.3333
    assert average["best_score"] == 0
    assert "moons" not in average


def test_no_number_is_an_empty_cell() -> None:
    (row,) = csv.DictReader(io.StringIO(csv_text([_column("all")], average=False)))
    assert (row["best_score"], row["moons"]) == ("", "0")
    (one,) = json.loads(json_text([_column("all")], average=False))
    assert one["best_score"] is None


# The command


def test_the_command(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(mine) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert _cells(out.splitlines())["moons shot"] == ["3", "3", "0"]
    assert _run(mine, "--average", "--player", "Moe", "--format", "json") == 0
    whole = json.loads(capsys.readouterr().out)[0]
    assert whole["moons_of_others_per_game"] == 1.3333


def test_the_command_writes_a_file(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.csv"
    assert _run(mine, "--format", "csv", "--output", file) == 0
    assert file.read_text(encoding="utf-8") == csv_text(
        count_records([mine]).columns, average=False
    )
    assert _run(mine, "--output", tmp_path / "no" / "file") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        f"hearts-client statistics: cannot write {tmp_path / 'no' / 'file'}: "
        "No such file or directory\n"
    )


def test_the_status_says_whether_all_was_counted(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(mine, tmp_path / "gone") == 1
    assert "gone: No such file" in capsys.readouterr().err
    assert _run(tmp_path / "gone") == 2
    assert "there is no game to count" in capsys.readouterr().err


def test_the_folder_where_the_client_keeps_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    records = tmp_path / "hearts-client" / "records"
    assert _run() == 2
    assert f"no records are kept in {records}" in capsys.readouterr().err
    own_file(records, 1, record())
    assert _run("--format", "csv") == 0
    assert capsys.readouterr().out.count("\n") == 3
    # A profile has games of its own.
    assert _run("--profile", "Ann") == 2
    assert "there is no profile Ann, nor any other" in capsys.readouterr().err
    of_ann = tmp_path / "hearts-client" / "profiles" / "Ann" / "records"
    own_file(of_ann, 1, record())
    own_file(of_ann, 2, record())
    assert _run("--profile", "ann", "--format", "csv") == 0
    assert capsys.readouterr().out.count("\n") == 3
    assert _run("--profile", "Bob") == 2
    assert "there is no profile Bob: there are Ann" in capsys.readouterr().err


def test_there_may_be_no_home(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(_: int) -> NoReturn:
        raise KeyError

    for variable in ("XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert places_of("Ann") == Places("Ann", None, None, None, None, None)
    with pytest.raises(NoHome):
        at_home(places_of().records)
    with pytest.raises(NoHome):
        make_profile("Ann")
    assert _run() == 2
    assert "there is no home folder" in capsys.readouterr().err


def test_standard_input_and_a_reader_that_leaves(mine: Path) -> None:
    command = [sys.executable, "-m", "hearts_client", "statistics", "-", "--player", "Ann"]
    text = record()
    whole = subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, timeout=60
    )
    assert (whole.returncode, whole.stderr) == (0, "")
    assert _cells(whole.stdout.splitlines())["moons shot"] == ["1", "1"]
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as closed:
        left = subprocess.run(
            command,
            input=text,
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert (left.returncode, left.stderr) == (1, "")
