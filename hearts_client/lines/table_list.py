"""The list of a server's public tables: in words, and the one that somebody wants to watch."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import HeartsError
from hearts.session.messages import ListedTable
from hearts_client.words.others import shown_name


class CannotWatch(HeartsError):
    """There is no such table to watch, or not just one; the text says what there is."""


def table_lines(tables: Sequence[ListedTable], server: str) -> list[str]:
    """The public tables of a server, in words."""
    if not tables:
        return [f"There is no public table at {server}. Without --list you open one."]
    lines = [_line(table) for table in tables]
    if any(table.open_seats for table in tables):
        lines.append('To take an open seat: --table "NAME"')
    if any(table.game_number for table in tables):
        lines.append("To watch a game: --watch NUMBER")
    return lines


def _line(table: ListedTable) -> str:
    names = ", ".join(shown_name(name) for name in table.players if name)
    state = f"game {table.game_number}" if table.game_number else "forming"
    if table.open_seats or not table.game_number:
        state += f", {table.open_seats} open seat{'' if table.open_seats == 1 else 's'}"
    return f"{shown_name(table.name)}: {state}: {names}"


def to_watch(tables: Sequence[ListedTable], wanted: str, server: str) -> int:
    """The game number of the table that is meant; empty for the only one that plays.

    Raises CannotWatch.
    """
    playing = [table for table in tables if table.game_number]
    if not playing:
        raise CannotWatch(f"no public table plays at {server} now")
    for table in playing:
        if wanted == str(table.game_number) or wanted.casefold() == table.name.casefold():
            return table.game_number
    if not wanted and len(playing) == 1:
        return playing[0].game_number
    head = f"no public table {wanted!r} plays" if wanted else "several tables play"
    lines = [f"  hearts-client --watch {table.game_number}    {_line(table)}" for table in playing]
    raise CannotWatch("\n".join([f"{head} at {server}; choose one:", *lines]))
