"""Tables of both dialects over sockets, under all kinds of rules: every client sees one game."""

from __future__ import annotations

from pathlib import Path

import trio

from tests.independent.client import Session
from tests.independent.dealer import DealerSession

from .dealers import play, player, settings
from .house import judge, listening, options

TABLES = [
    ("dd", "standard", "whole"),
    ("dp", "mac2000,moon=choice", "pieces"),
    ("ddpp", "windows93,jack,exact=zero", "joined"),
    ("dddd", "mactech98,pass=never", "whole"),
    ("pd", "rotate,dump,bleed,notrick,queen-keeps,exact=wins", "joined"),
    ("d", "moon=minus,pass=left", "pieces"),
]
"""Who sits there (dealer or plain; the rest are computers), the rules, and how bytes are sent."""
END, GAMES = 30, 2


async def test_many_tables_of_both_dialects(tmp_path: Path) -> None:
    tables: list[list[Session]] = []
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
        for session in sessions:
            if isinstance(session, DealerSession):
                assert not session.errors
                assert len(session.records) == report.hands
                assert all(record.promise for record in session.records.values())
