"""What a person does line by line without a seat: see which tables there are, or watch one."""

from __future__ import annotations

from collections.abc import Callable

import trio

from hearts.session.client_events import RegistrationRefused
from hearts.session.messages import Options
from hearts_client.library.reach import where
from hearts_client.lines.onlooker import look_on
from hearts_client.lines.table_list import table_lines, to_watch
from hearts_client.lines.table_look import new_table_line, table_there_line
from hearts_client.session.visit import Guest, wants_password
from hearts_client.words.style import Style
from hearts_client.words.typed import NotUnderstood, read_yes


async def list_tables(guest: Guest, say: Callable[[str], None]) -> None:
    """Say which tables the server has. Raises HeartsError."""
    listed = await guest.tables()
    for line in table_lines(listed.tables, where(guest.host, guest.port)):
        say(line)


async def watch_table(guest: Guest, wanted: str, style: Style, say: Callable[[str], None]) -> bool:
    """Watch a table until it ends; give False if the players were not done. Raises HeartsError."""
    listed = await guest.tables()
    number = to_watch(listed.tables, wanted, where(guest.host, guest.port))
    async with guest.watch(number) as watcher:
        return await look_on(watcher, style, say)


async def wants_table(
    guest: Guest,
    table: str,
    options: Options | None,
    lines: trio.MemoryReceiveChannel[str],
    say: Callable[[str], None],
) -> bool:
    """Say what a table is; whoever wishes for rules, ``options``, is asked if it has its own.

    Gives False if the person does not join it. Raises HeartsError.
    """
    try:
        looked = await guest.look(table)
    except RegistrationRefused as error:
        if not wants_password(error):
            raise
        return True  # It is asked for when the seat is.
    if looked.table is None:
        if looked.is_known:
            say(new_table_line(table))
        return True
    say(table_there_line(table, looked.table))
    if options is None:
        return True
    say("Your own wishes do not count there. Join it? Type yes or no.")
    async for line in lines:
        try:
            return read_yes(line)
        except NotUnderstood as error:
            say(f"Please {error}.")
    return False
