"""The metrics: their text as a foreign parser reads it, what a server counts, and the page."""

from __future__ import annotations

import socket
import sys
from math import inf
from pathlib import Path

import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from prometheus_client.parser import text_string_to_metric_families
from trio.testing import MockClock

from hearts.errors import Reason
from hearts.game.cards import by_wire
from hearts.game.events import ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.hosting.hosted_client import ConnectionEnd
from hearts.session.messages import Refusal
from hearts.settings.table import ConfigError
from hearts.table.inputs import AnswerAgain, Question
from hearts.table.steps import AskAgain, Step, format_step
from hearts_server.metrics import figures
from hearts_server.metrics.counting import Registry
from hearts_server.metrics.figures import LAG_INTERVAL, Metrics, TableState
from hearts_server.metrics.page import (
    LINGER,
    MOST_CONNECTIONS,
    REQUEST_LIMIT,
    REQUEST_SECONDS,
    MetricsPage,
    serve_metrics,
    text_of,
)
from hearts_server.running.composition import run_server
from tests.independent.plain_client import ClientHabits, Closed, OwnSession, play
from tests.integration.house import House, config, four, judge


def read(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Every sample by its name and labels, as the parser of the Prometheus client reads them."""
    samples = [
        sample for family in text_string_to_metric_families(text) for sample in family.samples
    ]
    found = {(sample.name, frozenset(sample.labels.items())): sample.value for sample in samples}
    assert len(found) == len(samples), "a series appears twice"
    return found


def shown(metrics: Metrics) -> str:
    return text_of(metrics.families).decode()


def value(metrics: Metrics, name: str, **labels: str) -> float:
    return read(shown(metrics))[name, frozenset(labels.items())]


class TestText:
    def test_a_text_by_hand(self) -> None:
        registry = Registry()
        registry.counter("a_total", "Counts a.").add(2)
        kinds = registry.counters("b_total", "B.", {1: (("k", "one"),), 2: (("k", "two"),)})
        kinds[2].add()
        registry.reading("c", "C.").read = lambda: -1.5
        times = registry.histogram("d_seconds", "D.", (0.5, 1.0))
        for seconds in (0.5, 0.75, 4):
            times.observe(seconds)
        registry.reading("e", "Left out.").read = lambda: None
        assert text_of(registry.families).decode() == (
            "# HELP a_total Counts a.\n# TYPE a_total counter\na_total 2.0\n"
            "# HELP b_total B.\n# TYPE b_total counter\n"
            'b_total{k="one"} 0.0\nb_total{k="two"} 1.0\n'
            "# HELP c C.\n# TYPE c gauge\nc -1.5\n"
            "# HELP d_seconds D.\n# TYPE d_seconds histogram\n"
            'd_seconds_bucket{le="0.5"} 1.0\nd_seconds_bucket{le="1.0"} 2.0\n'
            'd_seconds_bucket{le="+Inf"} 3.0\nd_seconds_count 3.0\nd_seconds_sum 5.25\n'
        )

    @given(st.lists(st.floats(0, 10)))
    def test_a_histogram_is_cumulative(self, numbers: list[float]) -> None:
        registry = Registry()
        histogram = registry.histogram("a", "A.", (1.0, 2.5, 5.0))
        for number in numbers:
            histogram.observe(number)
        found = read(text_of(registry.families).decode())
        for bound in (1.0, 2.5, 5.0, inf):
            le = "+Inf" if bound == inf else repr(bound)
            count = sum(number <= bound for number in numbers)
            assert found["a_bucket", frozenset({("le", le)})] == count
        assert found["a_count", frozenset()] == len(numbers)
        assert found["a_sum", frozenset()] == pytest.approx(sum(numbers))


class TestMetrics:
    def test_everything_is_there_from_the_beginning(self) -> None:
        text = shown(Metrics())
        found = read(text)
        for refusal in Refusal:
            assert f'hearts_refusals_total{{code="{refusal.value}",reason="' in text
        assert ("hearts_tables", frozenset({("state", "paused")})) in found
        names = {name for name, _ in found}
        assert all(name.startswith(("hearts_", "process_")) for name in names)
        for family in text_string_to_metric_families(text):
            assert family.documentation.endswith((".", "1."))
            # The parser takes the ending off a counter's name and puts it back on its samples.
            for sample in family.samples:
                assert (family.type == "counter") == sample.name.endswith("_total"), sample.name

    def test_what_is_counted_is_shown(self) -> None:
        metrics = Metrics()
        metrics.illegal_tries[Reason.FOLLOW_SUIT].add()
        metrics.count_end(ConnectionEnd.LEFT, lost=True)
        metrics.count_end(ConnectionEnd.FINISHED, lost=True)
        metrics.count_end(Refusal.BAD_NAME, lost=False)
        metrics.tables[TableState.PLAYING].read = lambda: 7
        metrics.durable_seconds.observe(0.002)
        assert value(metrics, "hearts_illegal_tries_total", code="-2", reason="follow-suit") == 1
        for how, count in (("lost", 1), ("left", 0), ("finished", 1), ("refused", 1)):
            assert value(metrics, "hearts_connections_ended_total", how=how) == count
        assert value(metrics, "hearts_refusals_total", code="-101", reason="bad-name") == 1
        assert value(metrics, "hearts_tables", state="playing") == 7
        assert value(metrics, "hearts_durable_seconds_bucket", le="0.0025") == 1

    @pytest.mark.parametrize("by", ChosenBy)
    def test_choices_are_counted_as_they_are_stored(self, by: ChosenBy) -> None:
        metrics = Metrics()
        deal = Deal.from_secret(bytes(16))
        cards = by_wire(deal.hands[2])[:3]
        steps: dict[Question, Step] = {
            Question.PASS: Pass(2, cards, by),
            Question.CARD: Play(2, cards[0], by),
            Question.MOON: ChooseMoon(2, True, by),
            Question.AGAIN: AnswerAgain(2, True, by),
        }
        for step in (*steps.values(), deal, AskAgain(None), AskAgain(2)):
            metrics.count_stored(format_step(step), 0.01)
        for question in steps:
            for maker in ChosenBy:
                name, label = "hearts_choices_total", maker.value or "player"
                count = value(metrics, name, kind=question.value, by=label)
                assert count == (maker is by)
        assert value(metrics, "hearts_hands_total") == 1

    def test_a_choice_costs_little(self) -> None:
        # Counted in calls of Python, which repeat exactly where times do not.
        metrics = Metrics()
        calls = []
        sys.setprofile(lambda frame, event, _: calls.append(event) if event == "call" else None)
        try:
            metrics.count_stored("play 2 2C computer", 0.01)
        finally:
            sys.setprofile(None)
        assert len(calls) <= 3

    async def test_the_lag_of_the_loop(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        metrics = Metrics()
        nursery.start_soon(metrics.watch_loop)
        await trio.sleep(2.5 * LAG_INTERVAL)
        assert value(metrics, "hearts_loop_lag_seconds_count") == 2


class TestProcess:
    def test_the_figures_are_plausible(self) -> None:
        found = read(shown(Metrics()))
        figures = {name: number for (name, _), number in found.items() if name.startswith("proc")}
        assert 1e6 < figures["process_resident_memory_bytes"] < 1e11
        assert 3 <= figures["process_open_fds"] <= figures["process_max_fds"]
        assert figures["process_cpu_seconds_total"] > 0
        assert figures["process_start_time_seconds"] > 1.7e9

    def test_descriptors_are_counted(self) -> None:
        before = figures.open_descriptors()
        with open(__file__, encoding="utf-8"):
            during = figures.open_descriptors()
        assert before is not None
        assert during == before + 1

    def test_where_there_is_no_proc(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(figures, "_PROC", Path("/nowhere"))
        assert 1e6 < figures.resident_bytes() < 1e11


async def ask(page: MetricsPage, nursery: trio.Nursery, request: bytes) -> bytes:
    """The answer to a request after which the peer waits."""
    ours, theirs = trio.testing.memory_stream_pair()
    nursery.start_soon(page.serve, theirs)
    await ours.send_all(request)
    return await rest_of(ours)


async def rest_of(stream: trio.abc.ReceiveStream) -> bytes:
    answer = b""
    while data := await stream.receive_some(65536):
        answer += data
    return answer


HEAD = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"


def page() -> MetricsPage:
    return MetricsPage(lambda: b"a 1\n", lambda: True)


class TestPage:
    async def test_the_metrics(self, nursery: trio.Nursery, autojump_clock: MockClock) -> None:
        for request in (HEAD, b"GET /metrics?x=1 HTTP/1.0\r\n\r\n"):
            assert await ask(page(), nursery, request) == (
                b"HTTP/1.1 200 OK\r\nContent-Type: " + CONTENT_TYPE.encode() + b"\r\n"
                b"Content-Length: 4\r\nConnection: close\r\n\r\na 1\n"
            )

    @pytest.mark.parametrize(
        ("is_ready", "path", "status"),
        [(True, b"ready", b"200"), (False, b"ready", b"503"), (False, b"health", b"200")],
    )
    async def test_whether_people_can_play_here(
        self,
        is_ready: bool,
        path: bytes,
        status: bytes,
        nursery: trio.Nursery,
        autojump_clock: MockClock,
    ) -> None:
        made = MetricsPage(lambda: b"", lambda: is_ready)
        answer = await ask(made, nursery, b"GET /" + path + b" HTTP/1.1\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 " + status + b" ")

    @pytest.mark.parametrize(
        ("line", "status"),
        [
            (b"GET / HTTP/1.1", b"404"),
            (b"GET /metrics/ HTTP/1.1", b"404"),
            (b"POST /metrics HTTP/1.1", b"405"),
            (b"HEAD /metrics HTTP/1.1", b"405"),
            (b"GET /metrics HTTP/2", b"400"),
            (b"GET /metrics", b"400"),
            (b"get /metrics HTTP/1.1", b"400"),
            (b"GET  /metrics HTTP/1.1", b"400"),
            (b"GET /metrics\0 HTTP/1.1", b"400"),
            (b"", b"400"),
            (b"\xff\xfe\x00", b"400"),
        ],
    )
    async def test_anything_else(
        self, line: bytes, status: bytes, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        answer = await ask(page(), nursery, line + b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 " + status + b" ")
        assert (b"\r\nAllow: GET\r\n" in answer) == (status == b"405")

    @given(data=st.binary(max_size=50))
    async def test_any_bytes(self, data: bytes) -> None:
        ours, theirs = trio.testing.memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page().serve, theirs)
            await ours.send_all(data)
            await ours.send_eof()
            assert (await rest_of(ours)).startswith(b"HTTP/1.1 400 ")

    async def test_a_request_in_pieces(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        ours, theirs = trio.testing.memory_stream_pair()
        nursery.start_soon(page().serve, theirs)
        for byte in HEAD:
            await ours.send_all(bytes([byte]))
            await trio.sleep(0.01)
        assert (await rest_of(ours)).startswith(b"HTTP/1.1 200 ")

    async def test_a_request_without_end_is_refused(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        request = HEAD[:-2] + b"X: " + bytes(REQUEST_LIMIT)
        assert (await ask(page(), nursery, request)).startswith(b"HTTP/1.1 400 ")

    @pytest.mark.parametrize(
        ("request_", "reads", "seconds"),
        [(b"", True, REQUEST_SECONDS), (HEAD, False, REQUEST_SECONDS), (HEAD, True, LINGER)],
        ids=["silent", "does not read", "stays after the answer"],
    )
    async def test_a_peer_has_its_time(
        self, request_: bytes, reads: bool, seconds: float, autojump_clock: MockClock
    ) -> None:
        pair = trio.testing.memory_stream_pair if reads else trio.testing.lockstep_stream_pair
        ours, theirs = pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page().serve, theirs)
            await ours.send_all(request_)
        assert trio.current_time() == pytest.approx(seconds)
        if not request_:
            assert await rest_of(ours) == b""

    async def test_a_peer_that_leaves_early(self, autojump_clock: MockClock) -> None:
        ours, theirs = trio.testing.memory_stream_pair()
        await ours.send_all(HEAD)
        await ours.aclose()
        with trio.fail_after(1):
            await page().serve(theirs)

    async def test_connections_are_bounded(
        self, nursery: trio.Nursery, autojump_clock: MockClock
    ) -> None:
        crowded = page()
        peers = []
        for _ in range(MOST_CONNECTIONS + 1):
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(crowded.serve, theirs)
            await trio.testing.wait_all_tasks_blocked()
            peers.append(ours)
        with trio.fail_after(1):
            assert await peers[-1].receive_some(1) == b""
        await peers[0].aclose()
        await trio.testing.wait_all_tasks_blocked()
        assert (await ask(crowded, nursery, HEAD)).startswith(b"HTTP/1.1 200 ")

    async def test_an_error_of_ours_is_told(
        self, nursery: trio.Nursery, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fail() -> bytes:
            raise RuntimeError("broken")

        answer = await ask(MetricsPage(fail, lambda: True), nursery, HEAD)
        assert answer.startswith(b"HTTP/1.1 500 ")
        assert b"broken" not in answer
        assert [record.getMessage() for record in caplog.records] == ["metrics-failed"]


@pytest.mark.house("--pause-limit", "600")
async def test_tables_and_connections_by_what_they_do(made: House) -> None:
    metrics = made.server.metrics

    def states(name: str) -> list[int]:
        found = read(shown(metrics))
        return [int(number) for (other, _), number in found.items() if other == name]

    stranger = await made.call()
    assert states("hearts_tables") == [1, 0, 0]
    assert states("hearts_connections") == [1, 0, 0, 0]
    await stranger.leave()
    callers = await four(made)
    for caller in callers:
        await caller.seated()
    assert states("hearts_tables") == [0, 1, 0]
    assert states("hearts_connections") == [0, 4, 0, 0]
    for caller in callers:
        await caller.stream.aclose()
    await trio.sleep(2)
    assert states("hearts_tables") == [0, 0, 1]
    assert states("hearts_connections") == [0, 0, 0, 0]
    assert value(metrics, "hearts_connections_ended_total", how="left") == 5


async def test_a_session_is_counted(made: House) -> None:
    metrics = made.server.metrics
    stranger = await made.guest(-2, 1, 2, 3)
    with pytest.raises(Closed):
        await stranger.take(1000)
    await stranger.stream.aclose()
    sessions = [OwnSession(ClientHabits(wrong=0.1, seed=seed)) for seed in range(4)]
    await made.play(sessions)
    report = judge(sessions)
    assert value(metrics, "hearts_hands_total") == report.hands
    assert value(metrics, "hearts_games_total") == 1
    assert value(metrics, "hearts_registrations_total") == 4
    assert value(metrics, "hearts_choices_total", kind="card", by="player") == 52 * report.hands
    assert value(metrics, "hearts_choices_total", kind="card", by="computer") == 0
    assert value(metrics, "hearts_refusals_total", code="-102", reason="bad-option") == 1
    assert value(metrics, "hearts_connections_opened_total") == 5
    assert value(metrics, "hearts_connections_ended_total", how="finished") == 4
    assert value(metrics, "hearts_connections_ended_total", how="refused") == 1
    lines = value(metrics, "hearts_durable_seconds_count")
    assert lines > 57 * report.hands * 0.9
    tries = [number for (name, _), number in read(shown(metrics)).items() if "illegal" in name]
    assert sum(tries) > 0


async def test_a_server_shows_its_journal(nursery: trio.Nursery, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    said: list[str] = []
    arguments = ("--metrics-port", str(port), "--fill-after", "0", "--end-score", "1")
    configured = config(tmp_path, *arguments, "--journal", "full")
    running = await nursery.start(run_server, configured, said.append)
    assert f"hearts-server shows metrics on http://127.0.0.1:{port}/metrics" in said
    await trio.to_thread.run_sync(play, running.host, running.port, ClientHabits())
    script = (
        "import sys, urllib.request as r\n"
        "answer = r.urlopen(sys.argv[1], timeout=20)\n"
        "print(answer.headers['Content-Type'])\n"
        "print(answer.read().decode(), end='')\n"
    )
    done = await trio.run_process(
        [sys.executable, "-c", script, f"http://127.0.0.1:{port}/metrics"], capture_stdout=True
    )
    kind, _, text = done.stdout.decode().partition("\n")
    assert kind == CONTENT_TYPE
    found = read(text)
    lines = found["hearts_journal_lines_total", frozenset()]
    assert lines == found["hearts_durable_seconds_count", frozenset()]
    assert lines >= 57
    assert 0 < found["hearts_journal_commits_total", frozenset()] <= lines + 2
    assert found["hearts_journal_commit_seconds_total", frozenset()] > 0
    assert found["hearts_journal_failing", frozenset()] == 0


async def test_an_address_that_is_taken() -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        port = listener.socket.getsockname()[1]
        with pytest.raises(ConfigError, match="choose another --metrics-port"):
            await serve_metrics("127.0.0.1", port, [], lambda: True)
