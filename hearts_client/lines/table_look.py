"""What the table of a name is, before it is joined: in words, and whether to ask the person."""

from __future__ import annotations

from hearts.session.client_events import TableLooked
from hearts.session.messages import LookedTable
from hearts_client.library.client import Client
from hearts_client.words.others import shown_name
from hearts_client.words.roster import in_a_row
from hearts_client.words.story import game_in_words

_UNKNOWN = TableLooked(False, None)


async def look_of(client: Client) -> TableLooked:
    """What a client gets that asks for nothing else. Raises RegistrationRefused."""
    found = _UNKNOWN
    async for event in client:
        if isinstance(event, TableLooked):
            found = event
    return found


def new_table_line(name: str) -> str:
    """There is no table of a name, so that one is opened."""
    return f"There is no table {shown_name(name)}: you open it, as a private one."


def table_there_line(name: str, table: LookedTable) -> str:
    """Such as "There is a table club already, opened by Bob: a game to 100 points, ..."."""
    opener = f", opened by {shown_name(table.opener)}" if table.opener else ""
    limit = f"{table.turn_limit} seconds for each choice" if table.turn_limit else "no clock"
    game = game_in_words(table.rules, table.end_score)
    names = [shown_name(player) for player in table.players if player]
    state = "It plays already" if table.game_number else "It forms"
    there = f" with {in_a_row(names)}" if names else ""
    return f"There is a table {shown_name(name)} already{opener}: {game}, {limit}. {state}{there}."
