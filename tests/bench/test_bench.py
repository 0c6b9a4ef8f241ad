"""The benchmark's own parts work; no time is judged."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from hearts.dealer.frames import HEADER, MessageType
from tests.bench import par
from tests.bench import processes as p
from tests.bench.__main__ import main
from tests.bench.machine import build_of, head
from tests.bench.measures import BenchPlan, checked_out, measure_against
from tests.bench.report import percentile
from tests.bench.scale import ScalePlan, ScaleRow, measure_scale
from tests.bench.scale_plot import plot
from tests.bench.script import SessionScript, save_script
from tests.bench.session import in_dealer_dialect, record_session, replay
from tests.bench.socketless import table_sizes
from tests.bench.thinking import measure_thinking
from tests.screen.replays import record

HANDS = 4
TABLES = 2
OPTIONS = ((), ("--pause", "0", "0.001"), ("--limit", "0.3"))


@pytest.fixture(scope="module")
def script() -> SessionScript:
    return record_session(HANDS)


@pytest.fixture
def script_path(script: SessionScript, tmp_path: Path) -> Path:
    path = tmp_path / "script"
    save_script(script, path)
    return path


def test_a_seed_gives_one_session() -> None:
    assert record_session(1, seed=5) == record_session(1, seed=5)
    assert record_session(1, seed=5) != record_session(1, seed=6)


def test_every_play_is_heard_by_three_and_answered(script: SessionScript) -> None:
    messages = [message for seat in script.seats for message in seat.messages]
    for play in range(52):
        assert sum(message.played == play for message in messages) == HANDS
        assert sum(message.heard == play for message in messages) == 3 * HANDS
    for seat in script.seats:
        assert seat.messages[-1].end == len(seat.stream)
        assert sum(len(m.acks) + len(m.choice) for m in seat.messages) == seat.sends
    # A choice for each card and each pass; the last of four hands has none.
    assert len(script.steps) == HANDS * 52 + (HANDS - 1) * 4


def test_steps_say_the_whole_stream(script: SessionScript) -> None:
    for player, seat in enumerate(script.seats):
        said = script.begin[player] + b"".join(step.writes[player] for step in script.steps)
        assert said == seat.stream


def test_a_replay_says_the_same(script: SessionScript) -> None:
    # The spare hand is one more for each.
    assert replay(script) == sum(len(seat.messages) for seat in script.seats) + 4


def test_the_dealer_dialect_has_the_same_hands(script: SessionScript) -> None:
    inputs = in_dealer_dialect(script)
    types = Counter(HEADER.unpack_from(data)[0] for _, data in inputs)
    assert types == {
        MessageType.DO_PASS: 4 * (HANDS - 1),
        MessageType.LEAD_CARD: 13 * HANDS,
        MessageType.PLAY_CARD: 39 * HANDS,
    }
    assert replay(script, inputs) > 0


@pytest.mark.parametrize("is_dealer", [False, True])
def test_a_hand_that_is_played_takes_little_memory(is_dealer: bool, script: SessionScript) -> None:
    inputs = in_dealer_dialect(script) if is_dealer else None
    begun, one, last = table_sizes(script, [0, 1, HANDS], inputs)
    assert 0 < begun < 60_000
    assert one - begun < 10_000
    assert last - begun < 15_000


def test_dealer_clients_play_the_script(script: SessionScript, script_path: Path) -> None:
    with (
        p.listening(p.SERVER, script, script_path) as server,
        p.clients(server, script_path, TABLES, ["--watchers", "3"], dealer=True) as players,
    ):
        load, cpu = players.play()
    assert cpu["loop"] > 0
    assert load.plays == HANDS * 52 * TABLES


@pytest.mark.parametrize(
    "subject",
    [
        *(p.SERVER, p.BARE),
        *(
            pytest.param(subject, marks=pytest.mark.heavy)
            for subject in (p.WITHOUT, p.POWER_CUT, p.POSTGRES)
        ),
    ],
    ids=lambda subject: subject.name,
)
def test_clients_play_the_script(
    subject: p.Subject, script: SessionScript, script_path: Path, request: pytest.FixtureRequest
) -> None:
    if subject is p.POSTGRES:
        # There is one, or this is skipped.
        request.getfixturevalue("postgres")
    with p.listening(subject, script, script_path) as server:
        assert server.memory() > 0
        # The options are the load's, whatever it plays against.
        for options in OPTIONS if subject is p.SERVER else OPTIONS[:1]:
            with p.clients(server, script_path, TABLES, options) as players:
                load, cpu = players.play()
            assert cpu["loop"] > 0
            # That of the server with a spool may have had nothing to do yet.
            if subject is not p.SERVER:
                assert (cpu["journal"] > 0) == (subject in (p.POWER_CUT, p.POSTGRES))
            assert (cpu["database"] > 0) == (subject is p.POSTGRES)
            assert load.plays > 0
            assert 0 < len(load.latencies) <= load.plays
            if "--limit" not in options:
                assert load.plays == len(load.latencies) == HANDS * 52 * TABLES
                assert script.hands_of(load.received) == HANDS * TABLES


@pytest.mark.parametrize("people", [1, 4])
@pytest.mark.heavy
def test_people_come_and_go_and_come_back_after_a_kill(people: int, tmp_path: Path) -> None:
    kept = tmp_path / "rows"
    plan = ScalePlan([ScaleRow(people, 12)], 0.3, kept=kept, settles=0.1, pause=(0, 0.01), probes=2)
    titles = [table.title for table in measure_scale(replace(plan, churn=1.0))]
    assert len(titles) == 4
    found = json.loads(kept.read_text())
    assert all(found[key] > 0 for key in ("timed", "pause", "choices a second", "came back"))
    assert found["wrong"] == found["refused"] == 0
    assert plot([found | {"does count": True}]).count("<circle") == 2


def test_the_code_of_another_commit_is_run(script: SessionScript, script_path: Path) -> None:
    with checked_out("HEAD") as tree:
        program = (
            'import sys; print("listening on 127.0.0.1:9", flush=True)\n'
            '"--help" in sys.argv or input()\n'
        )
        (tree / "hearts_server" / "__main__.py").write_text(program, encoding="utf-8")
        with p.listening(replace(p.SERVER, root=tree), script, script_path) as server:
            assert server.port == 9
    assert not tree.exists()


@pytest.mark.heavy
def test_experts_get_more_and_more_tables() -> None:
    (found,) = measure_thinking((1, 2), 0.5)
    assert [row[0] for row in found.rows] == ["1", "2"]


@pytest.mark.heavy
def test_two_commits_in_turn() -> None:
    plan = BenchPlan(
        tables=(1,), rounds=1, hands=HANDS, pace_seconds=0.1, memory_tables=1,
        memory_hands=(0,),
    )  # fmt: skip
    tables = list(measure_against(plan, "HEAD"))
    cpu = [table for table in tables if table.title.startswith("CPU of the server per hand")]
    assert len(cpu) == 3
    assert all(
        table.header[-3:] == [name, "HEAD", "/ HEAD"]
        for table, name in zip(cpu, ("hearts-server", "dealer", "hearts-server"), strict=True)
    )
    # At a human pace a slow machine may get to no play in a short time.
    for table in cpu[:2]:
        assert all(float(cell) > 0 for cell in table.rows[0][-3:])


def test_a_run_begins_with_its_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bench", "--quick", "--only", "socketless"])
    main()
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == [*head()]
    plain, dealer = (line.split() for line in said[-2:])
    assert (plain[0], dealer[0]) == ("plain", "dealer")
    assert float(plain[1]) > 0


def test_how_an_interpreter_was_built() -> None:
    fast = "'--prefix=/usr' '--enable-optimizations' '--with-lto' 'CFLAGS=-g -O2'"
    assert build_of(fast).startswith("--enable-optimizations --with-lto, ")
    assert build_of("'--enable-shared'").startswith("a plain build, ")
    assert build_of("").startswith("a plain build, ")


def test_percentile() -> None:
    assert [percentile(range(100), percent) for percent in (0, 50, 99, 100)] == [0, 50, 99, 99]


def test_pars_are_reckoned_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = list(par.reckon(record(hands=2)))
    assert [sum(hand.taken) in (26, 78) for hand in hands] == [True] * 2
    file = tmp_path / "pars"
    file.write_bytes(b"\n".join(map(msgspec.json.encode, hands)))
    assert par.main(["figures", str(file)]) == 0
    assert capsys.readouterr().out.count("among three others | 2 |") == 4
    assert par.main(["plot", str(file)]) == 0
    assert capsys.readouterr().out.startswith("<svg")
