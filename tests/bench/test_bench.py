"""The benchmark's own parts work; no time is judged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hearts.dealer.frames import HEADER
from hearts.dealer.numbers import MessageType
from tests.bench.memory import table_sizes
from tests.bench.processes import Subject, clients, listening
from tests.bench.report import percentile
from tests.bench.screen import measure_screen
from tests.bench.script import Script, save_script
from tests.bench.session import in_dealer_dialect, record_session, replay

HANDS = 4
TABLES = 2


@pytest.fixture(scope="module")
def script() -> Script:
    return record_session(HANDS)


@pytest.fixture
def script_path(script: Script, tmp_path: Path) -> Path:
    path = tmp_path / "script"
    save_script(script, path)
    return path


def test_a_seed_gives_one_session() -> None:
    assert record_session(1, seed=5) == record_session(1, seed=5)
    assert record_session(1, seed=5) != record_session(1, seed=6)


def test_every_play_is_heard_by_three_and_answered(script: Script) -> None:
    messages = [message for seat in script.seats for message in seat.messages]
    for play in range(52):
        assert sum(message.played == play for message in messages) == HANDS
        assert sum(message.heard == play for message in messages) == 3 * HANDS
    for seat in script.seats:
        assert seat.messages[-1].end == len(seat.stream)
        assert sum(len(m.acks) + len(m.choice) for m in seat.messages) == seat.sends
    # A choice for each card and each pass; the last of four hands has none.
    assert len(script.steps) == HANDS * 52 + (HANDS - 1) * 4


def test_steps_say_the_whole_stream(script: Script) -> None:
    for player, seat in enumerate(script.seats):
        said = script.begin[player] + b"".join(step.writes[player] for step in script.steps)
        assert said == seat.stream


def test_a_replay_says_the_same(script: Script) -> None:
    # The spare hand is one more for each.
    assert replay(script) == sum(len(seat.messages) for seat in script.seats) + 4


def test_the_dealer_dialect_has_the_same_hands(script: Script) -> None:
    inputs = in_dealer_dialect(script)
    types = Counter(HEADER.unpack_from(data)[0] for _, data in inputs)
    assert types == {
        MessageType.DO_PASS: 4 * (HANDS - 1),
        MessageType.LEAD_CARD: 13 * HANDS,
        MessageType.PLAY_CARD: 39 * HANDS,
    }
    assert replay(script, inputs) > 0


@pytest.mark.parametrize("is_dealer", [False, True])
def test_a_hand_that_is_played_takes_little_memory(is_dealer: bool, script: Script) -> None:
    inputs = in_dealer_dialect(script) if is_dealer else None
    begun, one, last = table_sizes(script, [0, 1, HANDS], inputs)
    assert 0 < begun < 60_000
    assert one - begun < 10_000
    assert last - begun < 15_000


@pytest.mark.parametrize("watchers", [0, 3])
def test_dealer_clients_play_the_script(watchers: int, script: Script, script_path: Path) -> None:
    options = ["--watchers", str(watchers)]
    with (
        listening(Subject.SERVER, script, script_path) as server,
        clients(server, script_path, TABLES, options, dealer=True) as players,
    ):
        load, cpu = players.play()
    assert cpu >= 0
    assert load.plays == HANDS * 52 * TABLES


@pytest.mark.parametrize("subject", list(Subject))
def test_clients_play_the_script(subject: Subject, script: Script, script_path: Path) -> None:
    with listening(subject, script, script_path) as server:
        assert server.memory() > 0
        for options in ((), ("--pause", "0", "0.001"), ("--apart", "--nagle", "--limit", "0.3")):
            with clients(server, script_path, TABLES, options) as players:
                load, cpu = players.play()
            assert cpu >= 0
            assert load.plays > 0
            assert 0 < len(load.latencies) <= load.plays
            if "--limit" not in options:
                assert load.plays == len(load.latencies) == HANDS * 52 * TABLES
                assert script.hands_of(load.received) == HANDS * TABLES


@pytest.mark.parametrize(("subject", "kind"), [(Subject.SERVER, "server"), (Subject.TURN, "bare")])
def test_clients_wait(subject: Subject, kind: str, script: Script, script_path: Path) -> None:
    with (
        listening(subject, script, script_path) as server,
        clients(server, script_path, TABLES, ["--idle", kind]),
    ):
        assert server.cpu() >= 0


def test_the_screen_is_timed(capsys: pytest.CaptureFixture[str]) -> None:
    measure_screen(1, keys=3, busy_tables=1)
    out, _ = capsys.readouterr()
    begins = [line.split("  ")[0] for line in out.splitlines()]
    assert {"python and trio", "line by line", "full screen", "quiet"} < set(begins)
    assert "1 tables at full speed" in begins


def test_percentile() -> None:
    assert [percentile(range(100), percent) for percent in (0, 50, 99, 100)] == [0, 50, 99, 99]
