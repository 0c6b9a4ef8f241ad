"""Whole sessions over sockets, under all kinds of rules: every client sees one game.

The clients share no code with the project, and a referee judges what they saw.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import trio

from hearts.game.deal import deal_code
from tests.independent.dealer import PlayerConnection
from tests.independent.plain_client import ClientHabits, OwnSession

from .dealers import play, player, settings
from .house import HOST, house, judge, listening, options

CLIENT = Path(__file__).parents[1] / "independent" / "plain_client.py"

TABLES = [
    ("dd", "standard", "whole"),
    ("dp", "mac2000,moon=choice", "pieces"),
    ("ddpp", "windows93,jack,exact=zero", "joined"),
    ("dddd", "mactech98,pass=never", "whole"),
    ("pd", "rotate,dump,bleed,notrick,queen-keeps,exact=wins", "joined"),
    ("d", "moon=minus,pass=left", "pieces"),
    ("pppp", "mactech98", "pieces"),
    ("pppp", "mac2000,notrick", "joined"),
    ("pppp", "rotate,pass=never,queen-keeps", "pieces"),
    ("pppp", "bleed,dump,notrick,pass=cycle3", "joined"),
    ("pppp", "exact=zero,rotate,bleed,jack", "whole"),
]
"""Who sits there (dealer or plain; the rest are computers), the rules, and how bytes are sent."""
END, GAMES = 30, 2


@pytest.mark.heavy
async def test_many_tables_of_both_dialects(tmp_path: Path) -> None:
    tables: list[list[OwnSession]] = []
    refusals, bad_passes = 0, 0
    async with (
        listening(tmp_path, "--turn-limit", "0") as server,
        trio.open_nursery() as nursery,
    ):
        for number, (who, rules, how) in enumerate(TABLES):
            computers = sum(1 << seat for seat in range(len(who), 4))
            sessions = [
                player(
                    "dealer" if dialect == "d" else "plain",
                    settings(
                        seat,
                        table=f"table {number}",
                        options=options(rules, END, computers),
                        again=GAMES - 1,
                        cuts=seat % 2 == 0,
                        comment="plays by chance",
                        level=10 * seat,
                        kind=3 + seat % 3,
                        wrong=0.1 if who == "pppp" else 0.0,
                    ),
                )
                for seat, dialect in enumerate(who)
            ]
            tables.append(sessions)
            nursery.start_soon(lambda s, h: play(server.port, s, how=h), sessions, how)
    for sessions in tables:
        report = judge(sessions)
        assert report.games == GAMES
        assert report.hands >= GAMES
        assert not report.forced.total()
        refusals += report.refusals.total()
        bad_passes += report.bad_passes
        for session in sessions:
            if isinstance(session, PlayerConnection):
                assert not session.errors
                assert len(session.records) == report.hands
                assert all(record.promise for record in session.records.values())
    assert refusals > 30
    # Deals and seats fall by chance, about a dozen bad passes: none would be one run in 100,000.
    assert bad_passes > 0


async def test_the_moon_by_choice_and_every_reason(tmp_path: Path) -> None:
    deals = [part for k in range(60) for part in ("--deal", deal_code(bytes([k] * 16)))]
    sessions = [
        OwnSession(
            ClientHabits(
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
