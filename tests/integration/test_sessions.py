"""Whole sessions of four clients that share no code with the project, judged by a referee."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio

from hearts.game.deal import deal_code
from hearts.game.rules import PRESETS
from tests.independent.client import Session, Settings, play
from tests.independent.referee import Report

from .house import HOST, house, judge, listening, options

CLIENT = Path(__file__).parents[1] / "independent" / "client.py"
RULES = [
    *PRESETS,
    "moon=choice,notrick",
    "rotate,pass=never,queen-keeps",
    "bleed,dump,notrick,pass=cycle3",
    "exact=zero,rotate,bleed,jack",
]


@pytest.mark.parametrize(
    "ways",
    [
        # Single bytes, and what is written joined until something is read.
        ((1, False), (0, True)),
        *(
            pytest.param((way,), marks=pytest.mark.heavy)
            for way in ((1, False), (3, False), (0, False), (0, True))
        ),
    ],
)
async def test_sessions_of_four_clients_under_all_rules(
    ways: Sequence[tuple[int, bool]], tmp_path: Path
) -> None:
    """The tables take turns at the ways in which their clients cut what they say."""
    reports: dict[str, Report] = {}

    async def table(port: int, rules: str, piece: int, joined: bool) -> None:
        sessions: list[Session] = []

        async def client(seed: int) -> None:
            settings = Settings(
                name=f"Client {seed}",
                process_id=seed,
                table=rules,
                options=options(rules, 20),
                wrong=0.1,
                again=1,
                seed=seed,
            )
            run = partial(play, HOST, port, settings, piece=piece, joined=joined)
            sessions.append(await trio.to_thread.run_sync(run))

        async with trio.open_nursery() as nursery:
            for seed in range(4):
                nursery.start_soon(client, seed)
        assert {session.me for session in sessions} == {0, 1, 2, 3}
        reports[rules] = judge(sessions)

    async with listening(tmp_path) as running:
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                for rules, (piece, joined) in zip(RULES, itertools.cycle(ways), strict=False):
                    nursery.start_soon(table, running.port, rules, piece, joined)
    for rules, report in reports.items():
        assert report.games == 2, rules
    assert sum(report.refusals.total() for report in reports.values()) > 50
    # Deals and seats fall by chance, about a dozen bad passes: none would be one run in 100,000.
    assert sum(report.bad_passes for report in reports.values()) > 0


async def test_the_moon_by_choice_and_every_reason(tmp_path: Path) -> None:
    deals = [part for k in range(60) for part in ("--deal", deal_code(bytes([k] * 16)))]
    sessions = [
        Session(
            Settings(
                options=options("moon=choice,dump", 300), wrong=0.3, again=0, shooter=2, seed=seed
            )
        )
        for seed in range(4)
    ]
    async with house(tmp_path, *deals) as made:
        with trio.fail_after(60):
            await made.play(sessions)
    report = judge(sessions)
    assert report.shooters.count(2) > 3
    assert set(report.decisions) == {0, 1}
    assert any(fact.kind == "deciding" and fact.numbers[1] < 0 for fact in sessions[2].facts)
    assert set(report.refusals) >= {-1, -2, -4, -6, -7}


async def test_the_client_plays_from_the_command_line(tmp_path: Path) -> None:
    async with listening(tmp_path) as running:
        command = [sys.executable, CLIENT, "--host", HOST, "--port", str(running.port)]
        run = partial(trio.run_process, capture_stdout=True)
        with trio.fail_after(30):
            done = await run([*command, "--computers", "3", "--end-score", "10", "--again", "1"])
    assert isinstance(done, subprocess.CompletedProcess)
    lines = done.stdout.decode().splitlines()
    assert sum('"new game"' in line for line in lines) == 2
    assert lines[-1] == '["end", [], []]'
