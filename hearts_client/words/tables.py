"""Tables in words: those that form, that are listed, that one is invited to."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import HeartsError
from hearts.session.messages import ListedTable, LookedTable
from hearts.session.table_words import (
    InvitableCount,
    InvitableMessage,
    InvitationMessage,
    InvitationOver,
    PlayerKind,
    TableMessage,
)
from hearts.wire.day_chain import day_of
from hearts.wire.text import count_of

from .others import shown_name
from .roster import in_a_row
from .rule_words import clock_in_words, in_words
from .story import game_in_words

_KINDS = {PlayerKind.PERSON: ", a person", PlayerKind.PROGRAM: ", a program"}


def invited_to(told: InvitationMessage) -> tuple[str, str]:
    """Give two lines on an invitation: the inviter and the table; and the players there."""
    who = shown_name(told.names[told.inviter])
    there = ", ".join(shown_name(name) for name in told.names if name)
    game = game_in_words(told.rules, told.end_score)
    clock = clock_in_words(told.turn_limit)
    return (
        f"{who} invites you to the table {shown_name(told.table)}: {game}, {clock}.",
        f"At that table: {there}.",
    )


def invitation_question(told: InvitationMessage) -> str:
    """Return an invitation in short, as what is answered with yes or no."""
    who = shown_name(told.names[told.inviter])
    return f"{who} invites you to the table {shown_name(told.table)}. Do you accept?"


def invitable_line(told: InvitableMessage) -> str:
    """Return a line on somebody who waits to be invited: their name, and their words about
    themselves.
    """
    info = told.info
    level = f" of level {info.level}" if info.level else ""
    comment = f": {shown_name(info.comment)}" if info.comment else ""
    return f"{shown_name(info.name)}{_KINDS.get(info.kind, '')}{level}{comment}"


def invitation_lines(
    told: InvitableMessage | InvitableCount | InvitationMessage | InvitationOver,
) -> list[str]:
    """Return the lines about somebody who waits, or about an invitation."""
    match told:
        case InvitableMessage(number):
            return [f"  {number}  {invitable_line(told)}"]
        case InvitableCount(count):
            if not count:
                return ["Nobody is waiting to be invited."]
            return ["To invite one of these players type /invite and the number."]
        case InvitationMessage():
            game, there = invited_to(told)
            return [game, f"{there} Type /come or /decline; you have half a minute."]
        case InvitationOver(_, agreed, why):
            return [f"The invitation is over: {why}." if not agreed else f"Done: {why}."]


def title(table: TableMessage) -> str:
    """Return words such as "Table club, a private one"."""
    name = shown_name(table.table)
    what = "a private one" if table.private else "a public one"
    return f"{name}, {what}" if name.startswith("Table ") else f"Table {name}, {what}"


def what_is_played(table: TableMessage) -> list[str]:
    game = game_in_words(table.rules, 0 if day_of(table.table) else table.end_score)
    clock = clock_in_words(table.turn_limit)
    return [f"{game[0].upper()}{game[1:]}, {clock}.", *in_words(table.rules)]


def who_starts(table: TableMessage, me: int, how: str) -> str:
    """Say who may let computers take the free seats; ``how`` is what the person does for it."""
    if table.opener == me:
        return f"{how} starts with computers at the free seats."
    if table.opener is None:
        return ""
    return f"{shown_name(table.names[table.opener])} can start with computers at the free seats."


def new_table_line(name: str) -> str:
    """Return the line that there is no table of this name yet, so that one is opened."""
    return f"There is no table {shown_name(name)} yet: you open it as a private table."


def table_there_line(name: str, table: LookedTable) -> str:
    """Return words such as "There is a table club already, opened by Bob: a game to ..."."""
    opener = f", opened by {shown_name(table.opener)}" if table.opener else ""
    limit = clock_in_words(table.turn_limit)
    game = game_in_words(table.rules, table.end_score)
    names = [shown_name(player) for player in table.players if player]
    state = "It is already playing" if table.game_number else "It is waiting for players"
    there = f" with {in_a_row(names)}" if names else ""
    return f"There is a table {shown_name(name)} already{opener}: {game}, {limit}. {state}{there}."


class CannotWatch(HeartsError):
    """There is no such table to watch, or not just one; the text says what there is."""


def table_lines(tables: Sequence[ListedTable], server: str) -> list[str]:
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
        state += f", {count_of(table.open_seats, 'open seat')}"
    return f"{shown_name(table.name)}: {state}: {names}"


def to_watch(tables: Sequence[ListedTable], wanted: str, server: str) -> int:
    """Return the game number of the table that is meant; empty for the only one that plays.

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
