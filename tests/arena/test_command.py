"""The command ``hearts-arena``, from its options to what it leaves behind."""

from __future__ import annotations

import csv
import shlex
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from hearts.game.verify import verify_records
from hearts_arena.given_plan import plan_of
from hearts_arena.kept.result_store import RESULTS_FILE, ResultStore, read_plan
from hearts_arena.options import parse
from hearts_arena.plan.plan import Plan
from hearts_client.statistics.counting import count_records
from tests.soak.soak_server import free_port

from .command_runs import CLIENT_COMMAND, PROGRAMS, ROOT, arena, read_json, repeatable
from .small_tournaments import played
from .test_wire_table import command as command_of

PATIENCE = 30.0
HEARTS_BOT = Path(sys.executable).with_name("hearts-bot")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that is over, with all that can come out beside it."""
    folder = tmp_path_factory.mktemp("finished")
    outputs = ("--html", folder / "all.html", "--json", folder / "all.json", "--csv", folder)
    options = ("--deals", 3, "--folder", folder / "kept", "--quiet")
    assert arena("run", "random", "Zoë=random", "simple", *options, *outputs) == 0
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_all_that_comes_out_says_the_same(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = read_json(finished / "all.json")
    points: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    for row in rows(finished / "matches.csv"):
        added = [int(number) for number in row["hands"].split()]
        assert sum(added) == int(row["score"])
        points[row["player"]] += sum(added)
        hands[row["player"]] += len(added)
    assert arena("report", finished / "kept") == 0
    shown = capsys.readouterr().out
    page = (finished / "all.html").read_text("utf-8")
    entrants = rows(finished / "entrants.csv")
    assert entrants[0]["player"] == "simple"
    assert len(entrants) == 3
    for row in entrants:
        name = row["player"]
        (entrant,) = (one for one in data["entrants"] if one["entrant"]["name"] == name)
        mean = float(row["points_per_hand"])
        assert mean == entrant["points_per_hand"]["mean"] == pytest.approx(points[name] / 288)
        assert int(row["hands"]) == entrant["hands"] == hands[name] == 288
        line = next(line for line in shown.splitlines() if line.split()[1:2] == [name])
        assert float(line.split()[2]) == pytest.approx(mean, abs=0.06)
        assert name in page
    names = [one["entrant"]["name"] for one in data["entrants"]]
    for row in rows(finished / "head-to-head.csv"):
        duel = data["head_to_head"][names.index(row["player"])][names.index(row["other"])]
        assert float(row["difference"]) == duel["mean"]
    for address in ("http:", "https:", "src=", "url(", "@import"):
        assert address not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_tournament_that_is_over_is_only_reported(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = finished / "kept" / RESULTS_FILE
    before = results.read_bytes()
    output = tmp_path / "again.json"
    assert arena("go-on", finished / "kept", "--json", output) == 0
    assert repeatable(output) == repeatable(finished / "all.json")
    assert results.read_bytes() == before
    captured = capsys.readouterr()
    assert "216 matches, 216 of them played already." in captured.out
    assert captured.err == ""


def test_records_are_true(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("records", finished / "kept") == 0
    reports = verify_records(capsys.readouterr().out)
    assert len(reports) == 54
    assert all(report.problem is None for report in reports)
    assert arena("records", finished / "kept", 5) == 0
    (report,) = verify_records(capsys.readouterr().out)
    assert report.problem is None


def test_records_count_for_all_seats_of_a_program(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert arena("records", finished / "kept") == 0
    path = tmp_path / "records.txt"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    counted = [count_records([path], name) for name in ("random", "Zoë", "simple")]
    assert [one.problems for one in counted] == [[]] * 3
    # Each of the 216 hands has four seats.
    hands = [one.columns[0][1].hands for one in counted]
    assert sum(hands) == 4 * 216
    assert len(set(hands)) == 1


def test_the_report_of_one_that_is_under_way(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = read_plan(finished / "kept")
    folder = tmp_path / "begun"
    with ResultStore(folder, plan) as store:
        store.append(result for _, result in islice(played(plan), 30))
        assert arena("report", folder) == 0
        assert "30 matches" in capsys.readouterr().out
        assert arena("run", "random", "Zoë=random", "simple", "--deals", 3, "--folder", folder) == 2
        assert capsys.readouterr().err == f"hearts-arena: another run writes to {folder}\n"
    assert arena("go-on", folder, "--quiet", "--jobs", 1) == 0
    assert "216 matches" in capsys.readouterr().out


def test_a_folder_is_named_after_its_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("run", "random", "b=random", "--one-direction", "--deals", 1)
    assert arena(*options) == 0
    captured = capsys.readouterr()
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("hearts-arena-")
    assert f"6 matches. Everything is kept in {folder.name}\n" in captured.out
    assert "6 matches, 6 hands in " in captured.err
    assert arena(*options) == 0
    assert arena(*options, "--seed", 2, "--quiet") == 0
    assert len(list(tmp_path.iterdir())) == 2
    assert "Everything" not in capsys.readouterr().out.split("6 of them played already")[1][40:]


def test_every_option_of_a_plan_is_in_the_plan(tmp_path: Path) -> None:
    options = "--schedule gauntlet --deals 2 --seed 9 --rules jack,moon=choice --one-direction"
    limits = "--independent --move-limit 1.5 --hand-limit 0 --no-records --end-score 30 --quiet"
    for length in ("--hands 2", "--games"):
        folder = tmp_path / length
        words = f"{options} {limits} {length} --jobs 1 --memory 512"
        assert arena("run", "A=random", "B=random", *words.split(), "--folder", folder) == 0
        plan = read_plan(folder)
        assert plan == Plan(
            plan.entrants,
            plan.schedule,
            deals=2,
            seed=9,
            rules=plan.rules,
            hands=2 if length == "--hands 2" else None,
            end_score=30,
            directions=False,
            duplicate=False,
            move_limit=1.5,
            hand_limit=0,
            records=False,
        )
        assert [(one.name, one.spec) for one in plan.entrants] == [("A", "random"), ("B", "random")]
        assert (plan.schedule.value, str(plan.rules)) == ("gauntlet", "jack,moon=choice")
        assert arena("records", folder) == 0


def test_players_without_names_are_called_as_what_they_are() -> None:
    alike = [f"cmd:sh {'a' * 40} {number}" for number in range(2)]
    players = ["random", "random", "random,blunder=0.5", "Me=simple", *alike]
    options = parse(["run", *players])
    assert [one.name for one in plan_of(options, 1).entrants] == [
        *("random", "random 2", "random,blunder=0.5", "Me"),
        *("cmd:sh aaaaaaaaaaaaaaaaaaaaaaa", "cmd:sh aaaaaaaaaaaaaaaaaaaaa 2"),
    ]


WRONG = {
    "no player": (
        ["foo", "simple"],
        "there is no player 'foo': give random, novice, simple, strong",
    ),
    "no module": (["random", "nowhere:X"], "cannot import nowhere: No module named 'nowhere'"),
    "no class": (["random", "os:X"], "the module os has no class X"),
    "no program": (["random", "cmd:./nobody --x"], "there is no program './nobody' that can be"),
    "quotes": (["random", "cmd:./a 'b"], 'cannot read the command "./a \'b": No closing'),
    "names": (["A=simple", "a=random"], "two players have names that are read the same: 'A' and"),
    "too few": (["simple"], "round-robin takes 2 to 64 players, not 1"),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("command", ["run", "precision"])
def test_a_wrong_plan_is_one_line_and_leaves_nothing_behind(
    what: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, words = WRONG[what]
    assert arena(command, *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"hearts-arena: {words}")
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_used(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").write_text("x")
    kept = finished / "kept"
    for arguments, words in [
        (["report", tmp_path / "none"], f"there is no tournament in {tmp_path / 'none'}: No such"),
        (["go-on", tmp_path], f"there is no tournament in {tmp_path}: No such"),
        (["records", tmp_path], f"there is no tournament in {tmp_path}: No such"),
        (["records", kept, 216], "matches are numbered 0 to 215, not 216"),
        (["run", "random", "simple", "--folder", tmp_path], f"{tmp_path} holds no tournament and"),
        (["run", "random", "simple", "--folder", kept], f"{kept}/plan.json is of another tournam"),
        (["report", kept, "--html", tmp_path / "no" / "x"], f"{tmp_path}/no/x: No such file"),
        (["report", kept, "--csv", tmp_path / "mine"], f"{tmp_path}/mine: File exists"),
    ]:
        assert arena(*arguments) == 2
        complaint = capsys.readouterr().err
        assert complaint.startswith(f"hearts-arena: {words}")
        assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "hearts-arena: the following arguments are required: COMMAND"),
        (["play"], "hearts-arena: argument COMMAND: invalid choice: 'play'"),
        (["run"], "hearts-arena run: the following arguments are required: PLAYER"),
        (["run", "x", "--deals", "0"], "hearts-arena run: argument --deals: give a"),
        (["run", "x", "--rules", "y"], "hearts-arena run: argument --rules: 'y' is no"),
        (["run", "x", "--games", "--hands", "2"], "hearts-arena run: argument --hands: not"),
        (["run", "x", "--on", "tcp://a:1"], "hearts-arena run: argument --on: give dask://"),
        (["run", "x", "--on", "dask://a"], "hearts-arena run: argument --on: give dask://"),
        (["precision", "x", "--half-width", "0"], "hearts-arena precision: argument --half"),
    ],
)
def test_a_wrong_option(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        arena(*arguments)
    assert end.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(words)


@pytest.mark.parametrize(
    "command", ["run", "precision", "test", "go-on", "merge", "report", "records"]
)
def test_each_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        arena(command, "--help")
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: hearts-arena {command} ")


def test_a_pipe_that_is_closed_is_no_fault(finished: Path) -> None:
    python = shlex.quote(sys.executable)
    folder = shlex.quote(str(finished / "kept"))
    done = subprocess.run(
        f"{python} -m hearts_arena records {folder} | head -n 1",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.startswith("hearts")
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_the_precision_of_a_wish(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--one-direction", "--pilot", 10, "--half-width", 1, "--quiet")
    assert arena("precision", "random", "b=random", *options) == 0
    said, so, why = capsys.readouterr().out.splitlines()
    words = said.removeprefix("b and random: ").split()
    low, high, deals = int(words[0]), int(words[2]), int(words[-4])
    assert said == (
        f"b and random: {low} to {high} deals for ±1 points per hand, {deals} by Stein's rule"
    )
    assert so == f"So: --deals {deals}, which are {6 * deals} matches."
    assert why.startswith("The range is what 10 blocks can know")
    assert 10 < deals < 100
    assert low < deals < high


@pytest.mark.heavy
def test_three_kinds_of_players_in_one_tournament(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = f"cmd:{HEARTS_BOT} simple --host {{host}} --port {{port}} --name {{name}} --quiet"
    other = command_of("javascript", tmp_path)
    folder, output = tmp_path / "folder", tmp_path / "all.json"
    options = ("--schedule", "gauntlet", "--one-direction", "--deals", 1, "--quiet")
    players = ("simple", f"Wired={own}", f"Other={other}")
    assert arena("run", *players, *options, "--folder", folder, "--json", output) == 0
    data = read_json(output)
    assert "No illegal tries, no time-outs, no crashes." in capsys.readouterr().out
    for entrant, hands in zip(data["entrants"], (24, 12, 12), strict=True):
        assert entrant["hands"] == hands
        assert entrant["speed"]["per_hand"] > 0
        assert entrant["conduct"]["crashes"] == entrant["conduct"]["stood_in"] == 0
    # The same bot on either side of a wire plays the same cards, and the luck cancels wholly.
    assert data["head_to_head"][0][1]["mean"] == 0
    assert data["head_to_head"][0][2]["mean"] != 0
    assert arena("records", folder) == 0
    reports = verify_records(capsys.readouterr().out)
    assert len(reports) == 12
    assert all(report.problem is None for report in reports)


@contextmanager
def visiting(port: int, seats: int) -> Iterator[None]:
    """A program that connects to a port by itself, in so many seats at a time."""
    command = [sys.executable, str(PROGRAMS / "visitor.py"), str(port), str(seats)]
    with subprocess.Popen(command) as process:
        try:
            yield
        finally:
            process.kill()


def test_a_program_that_connects_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    options = ("--one-direction", "--deals", 1, "--quiet", "--folder", tmp_path / "folder")
    with visiting(port, seats=2):
        assert arena("run", "simple", f"V=wire:{port}", *options) == 0
    shown = capsys.readouterr().out
    assert "6 matches, 6 hands, 1 whole block of 1" in shown
    assert "No illegal tries, no time-outs, no crashes." in shown


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        players = ("simple", f"wire:{port}", f"cmd:{CLIENT_COMMAND}")
        assert arena("run", *players, "--quiet", "--folder", tmp_path / "folder") == 2
    error = capsys.readouterr().err
    assert error.startswith(f"hearts-arena: cannot listen on port {port}: ")
    assert error.count("\n") == 1
