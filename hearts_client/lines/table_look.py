"""What the table of a name is, before it is joined: in words, and whether to ask the person."""

from __future__ import annotations

from hearts.session.messages import LookedTable
from hearts_client.words.others import shown_name
from hearts_client.words.roster import in_a_row
from hearts_client.words.rule_words import clock_in_words
from hearts_client.words.story import game_in_words


def new_table_line(name: str) -> str:
    """There is no table of a name, so that one is opened."""
    return f"There is no table {shown_name(name)}: you open it, as a private one."


def table_there_line(name: str, table: LookedTable) -> str:
    """Such as "There is a table club already, opened by Bob: a game to 100 points, ..."."""
    opener = f", opened by {shown_name(table.opener)}" if table.opener else ""
    limit = clock_in_words(table.turn_limit)
    game = game_in_words(table.rules, table.end_score)
    names = [shown_name(player) for player in table.players if player]
    state = "It plays already" if table.game_number else "It forms"
    there = f" with {in_a_row(names)}" if names else ""
    return f"There is a table {shown_name(name)} already{opener}: {game}, {limit}. {state}{there}."
