"""Matches on workers of dask: the same results, whatever happens to the workers."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import pytest
from msgspec.structs import replace

from hearts_arena.elsewhere.dask_workers import DaskWorkers, NoDask, Waits
from hearts_arena.elsewhere.setups import Setup, setup_of, what_is_wrong
from hearts_arena.elsewhere.shares import IdleCrews, KeptCrew, OtherSetup, Task, play_share
from hearts_arena.plan.plan import Entrant, Plan
from hearts_arena.plan.results import MatchResult
from hearts_arena.plan.schedules import matches
from hearts_arena.play.workers import WorkerDied, play_matches
from tests.soak.soak_server import free_port

from .command_runs import ROOT, arena
from .dask_cluster import DaskCluster, dask_cluster
from .own_bots import HERE
from .sittings import plan_for
from .test_stop_and_go import check_go_on, check_stop
from .test_workers import by_number, here, processes

MEMORY = 1 << 30
PATIENCE = 30.0


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path / "dask") as made:
        yield made


def task_of(plan: Plan) -> Task:
    return Task(plan, MEMORY, setup_of(plan, MEMORY))


def played(cluster: DaskCluster, plan: Plan, said: list[str]) -> dict[int, MatchResult]:
    with DaskWorkers(cluster.place, plan, MEMORY) as workers:
        return by_number(workers.play(matches(plan), said.append))


@pytest.mark.heavy
def test_the_same_results_though_a_worker_is_lost(cluster: DaskCluster, tmp_path: Path) -> None:
    cluster.worker("--nthreads", "2")
    lost = cluster.worker("--nthreads", "1", "--no-nanny")
    plan = plan_for(
        "simple,blunder=0.3",
        f"{HERE}:Gambler",
        f"{HERE}:DiesSometimes,share=0.03",
        f"{HERE}:Raises",
        f"{HERE}:Kills,pid={lost.pid},once={tmp_path / 'killed'}",
        deals=1,
    )
    said: list[str] = []
    results = played(cluster, plan, said)
    assert lost.wait(PATIENCE) == -signal.SIGKILL
    said_here: list[str] = []
    assert results == by_number(play_matches(plan, matches(plan), workers=2, say=said_here.append))
    # Which fault of a kind is the first one depends on who is sooner.
    assert sorted(map(kind_of, said)) == sorted(map(kind_of, said_here))
    assert len(said) > 1


def kind_of(text: str) -> str:
    return text.partition(" (")[0] if "raised" in text else text


@pytest.mark.heavy
def test_what_dask_gives_up_is_played_again_some_times(tmp_path: Path) -> None:
    # Without this dask itself tries it with four workers each time.
    with dask_cluster(tmp_path / "dask", DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=0) as made:
        made.worker("--nthreads", "1")
        plan = plan_for("random", f"{HERE}:Kills,once={tmp_path / 'once'}", deals=1)
        assert played(made, plan, []) == here(plan)
        # Whatever waited at the worker is lost with it, and any of that may be told first.
        with pytest.raises(WorkerDied, match=r"workers of dask are lost again and again in match "):
            played(made, plan_for("random", f"{HERE}:Kills", deals=1), [])


@pytest.mark.heavy
def test_stopped_on_dask_and_gone_on_here_and_there(
    cluster: DaskCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cluster.worker("--nthreads", "2")
    on = ("--on", f"dask://127.0.0.1:{cluster.port}")
    once = tmp_path / "once"
    player = f"I={HERE}:Kills,pid={os.getpid()},once={once},number={signal.SIGINT.value}"
    options = ("simple", player, "--deals", 6, "--quiet")
    stopped = check_stop((*options, *on), tmp_path, capsys)
    there = tmp_path / "there"
    shutil.copytree(stopped, there)
    check_go_on(options, stopped, tmp_path)
    shutil.rmtree(tmp_path / "straight")
    check_go_on(options, there, tmp_path, *on)


@pytest.mark.heavy
def test_players_of_workers_are_those_of_here(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
    source = "from hearts.bots import SimpleBot\nclass Mine(SimpleBot): pass\n"
    (ours / "far_bot.py").write_text(source)
    monkeypatch.chdir(ours)
    cluster.worker("--nthreads", "1", cwd=theirs)
    plan = plan_for("random", "far_bot:Mine", deals=1)
    with pytest.raises(NoDask, match=r"the worker tcp://.* of dask .*: cannot import far_bot: No"):
        played(cluster, plan, [])
    (theirs / "far_bot.py").write_text(source + "# another one\n")
    with pytest.raises(NoDask, match=r"far_bot there is code \w+, and here it is code \w+; inst"):
        played(cluster, plan, [])
    (theirs / "far_bot.py").write_text(source)
    assert len(played(cluster, plan, [])) == 24


@pytest.mark.heavy
def test_code_of_workers_is_that_of_here(cluster: DaskCluster, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for package in ("hearts", "hearts_arena", "hearts_client"):
        shutil.copytree(ROOT / package, other / package)
    with (other / "hearts" / "bots" / "simple.py").open("a") as file:
        file.write("# another one\n")
    worker = cluster.worker("--nthreads", "1", "--no-nanny", cwd=tmp_path, path=other)
    plan = plan_for("random", "simple", deals=1)
    with pytest.raises(NoDask, match=r"hearts-server there is \S+, code \w+, and here it is \S+"):
        played(cluster, plan, [])
    worker.kill()
    worker.wait(PATIENCE)


@pytest.mark.heavy
def test_a_scheduler_that_ends(cluster: DaskCluster, tmp_path: Path) -> None:
    cluster.worker("--nthreads", "1")
    player = f"{HERE}:Kills,pid={cluster.scheduler.pid},once={tmp_path / 'once'}"
    with pytest.raises(NoDask, match="does not answer any more"):
        played(cluster, plan_for("random", player, deals=100), [])


@pytest.mark.heavy
def test_the_last_worker_that_ends(cluster: DaskCluster, tmp_path: Path) -> None:
    lost = cluster.worker("--nthreads", "1", "--no-nanny")
    plan = plan_for("random", f"{HERE}:Kills,pid={lost.pid},once={tmp_path / 'once'}", deals=100)
    with (
        DaskWorkers(cluster.place, plan, MEMORY, Waits(worker=1)) as workers,
        pytest.raises(NoDask, match="has lost all workers"),
    ):
        list(workers.play(matches(plan), print))
    with pytest.raises(NoDask, match=r"has no worker: 'dask worker 127.0.0.1:\d+' starts one"):
        DaskWorkers(cluster.place, plan, MEMORY, Waits(worker=1))


def test_nobody_is_there() -> None:
    place = ("127.0.0.1", free_port())
    with pytest.raises(NoDask, match=r"no scheduler of dask answers at 127\S+ \(.*refused\)"):
        DaskWorkers(place, plan_for("random", "simple"), MEMORY)


def test_somebody_else_is_there() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as there,
        pytest.raises(NoDask, match=r"no scheduler of dask answers at 127\S+ \("),
    ):
        DaskWorkers(there.getsockname(), plan_for("random", "simple"), MEMORY, Waits(answer=0.5))


def test_another_version_is_there() -> None:
    async def answer() -> dict[str, dict[str, str]]:
        return {"packages": {"distributed": "2020.1.0"}}

    async def listen(ready: SimpleQueue[int], end: asyncio.Event) -> None:
        from distributed.core import Server  # every process that collects tests would wait for it

        server = Server({"versions": answer})
        await server.listen("tcp://127.0.0.1:0")
        ready.put(server.port)
        await end.wait()
        await server.close()

    ready, end, loop = SimpleQueue[int](), asyncio.Event(), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(listen(ready, end),))
    thread.start()
    try:
        place = ("127.0.0.1", ready.get(timeout=PATIENCE))
        with pytest.raises(NoDask, match=r"has dask 2020.1.0, and here it is .*: install the same"):
            DaskWorkers(place, plan_for("random", "simple"), MEMORY)
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
        loop.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simple", "cmd:sh x"], "'cmd:sh x' has a connection, which nobody can have to workers"),
        (["simple", "wire:7700"], "'wire:7700' has a connection, which nobody can have to"),
        (["simple", "random", "--keep-players"], "players that are kept play in one process here"),
    ],
)
def test_what_is_not_played_elsewhere(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert arena("run", *arguments, "--on", "dask://127.0.0.1:9") == 2
    assert capsys.readouterr().err.startswith(f"hearts-arena: {words}")
    assert list(tmp_path.iterdir()) == []


def test_one_who_comes_later_is_asked_as_well() -> None:
    plan = plan_for("random", f"{HERE}:Gambler", deals=1)
    task = task_of(plan)
    assert task.setup.players[0][0] == HERE
    for setup, words in [
        (replace(task.setup, python="CPython 2.7"), "there is CPython 3.*2.7; install the same"),
        (replace(task.setup, arena="0.0.1"), r"hearts-server there is \d.*, and here it is 0.0.1"),
        (replace(task.setup, dask="1"), "dask there is .*, and here it is 1; install the same"),
        (replace(task.setup, players=((HERE, "code 0"),)), f"{HERE} there is code .* is code 0;"),
    ]:
        with pytest.raises(OtherSetup, match=words):
            play_share(Task(plan, MEMORY, setup), [0])
    missing = Plan((Entrant("A", "random"), Entrant("B", f"{HERE}:Nobody")), deals=1)
    with pytest.raises(OtherSetup, match="has no class Nobody"):
        play_share(Task(missing, MEMORY, task.setup), [0])
    assert processes() == set()


def test_what_is_wrong_with_a_machine() -> None:
    here_is = Setup("CPython 3.11", "1.0, code a", "2026.1", (("numba", "1"),))
    assert what_is_wrong(here_is, here_is) == ""
    # A scheduler has no players.
    assert what_is_wrong(here_is, replace(here_is, players=())) == ""
    nothing = what_is_wrong(here_is, ModuleNotFoundError("No module named 'hearts_arena'"))
    assert nothing.startswith("it has no hearts-server, or another one than here (No module named")


def test_a_process_is_kept_for_the_next_share() -> None:
    plan = plan_for("random", f"{HERE}:Raises", deals=1)
    expected = here(plan)
    crew = KeptCrew(task_of(plan))
    idle = IdleCrews(PATIENCE)
    found = {}
    for numbers in ([5, 0], [17], []):
        share = crew.play_share(numbers)
        assert [result.number for result in share.results] == numbers
        found.update(by_number(iter(share.results)))
        assert len(share.faults) == (1 if 5 in numbers else 0)
        assert len(processes()) == 1
        idle.keep(crew)
        assert idle.take(task_of(plan_for("random", "simple"))) is None
        assert idle.take(task_of(plan)) is crew
        assert idle.take(task_of(plan)) is None
    assert found == {number: expected[number] for number in (0, 5, 17)}
    IdleCrews(0).keep(crew)
    deadline = time.monotonic() + PATIENCE
    while processes():
        assert time.monotonic() < deadline


@pytest.mark.heavy
def test_one_may_stop_at_any_time(cluster: DaskCluster) -> None:
    cluster.worker("--nthreads", "1")
    plan = plan_for("random", "random", deals=1_000_000)
    with DaskWorkers(cluster.place, plan, MEMORY) as workers:
        with closing(workers.play(matches(plan), print)) as results:
            next(results)
        with closing(workers.play(matches(plan), print)) as results:
            assert next(results).number >= 0
