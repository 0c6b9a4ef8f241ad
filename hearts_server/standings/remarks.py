"""Remarks in exported records: all that the standings of a game need beside the game itself.

They stand below the header of a record, so other readers pass over them::

    # ended 2026-11-27T20:15:00Z
    # seat 1 2 person Moe
    # seat 3 2 computer Curly
    # removed 2
    # par 1 70 81 60 77

The table ended then. From deal 1 on, counted from 1, seat 2 had a person, Moe, and from deal 3 on
a computer (or ``program``). The host removed the player of seat 2. The 8 games of the par of deal
1 cost the seats so many points in sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from hearts.game.record import REMARK
from hearts_server.journal.replay import StoredGame

from .counting import SessionPars, par_key

_HEADER_LINES = 7


def remarked(game: StoredGame, number: int, ended: int | None, pars: SessionPars) -> str:
    """Return the record of a game, the ``number``-th of its session from 1, with its remarks."""
    lines = str(game.record()).splitlines()
    remarks = [REMARK + remark for remark in _remarks(game, number, ended, pars)]
    return "".join(
        f"{line}\n" for line in (*lines[:_HEADER_LINES], *remarks, *lines[_HEADER_LINES:])
    )


def _remarks(game: StoredGame, number: int, ended: int | None, pars: SessionPars) -> Iterator[str]:
    if ended is not None:
        yield f"ended {datetime.fromtimestamp(ended, UTC):%Y-%m-%dT%H:%M:%SZ}"
    before: list[object] = [None] * 4
    for deal, players in enumerate(game.players, 1):
        for seat, player in enumerate(players):
            if player != before[seat]:
                yield f"seat {deal} {seat} {player.kind.value} {player.name}"
        before = [*players]
    for seat in sorted(game.removed):
        yield f"removed {seat}"
    for deal in range(1, len(game.players) + 1):
        sums = pars.get(par_key(number, deal))
        if sums is not None:
            yield " ".join(map(str, ("par", deal, *sums)))
