"""A table that forms, in words: what it is, and who may start it."""

from __future__ import annotations

from hearts.session.table_words import TableMessage

from .others import shown_name
from .rule_words import clock_in_words, in_words
from .story import game_in_words


def title(table: TableMessage) -> str:
    """Such as "Table club, a private one"."""
    name = shown_name(table.table)
    what = "a private one" if table.private else "a public one"
    return f"{name}, {what}" if name.startswith("Table ") else f"Table {name}, {what}"


def what_is_played(table: TableMessage) -> list[str]:
    """The rules in words."""
    game = game_in_words(table.rules.rules, table.rules.end_score)
    clock = clock_in_words(table.turn_limit)
    return [f"{game[0].upper()}{game[1:]}, {clock}.", *in_words(table.rules.rules)]


def who_starts(table: TableMessage, me: int, how: str) -> str:
    """Who may let computers take the free seats; ``how`` is what the person does for it."""
    if table.opener == me:
        return f"{how} starts with computers at the free seats."
    if table.opener is None:
        return ""
    return f"{shown_name(table.names[table.opener])} can start with computers at the free seats."
