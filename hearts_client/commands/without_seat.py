"""What a person does line by line without a seat: see which tables there are, or watch one."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import trio

from hearts.session.client_events import RegistrationRefused
from hearts.session.messages import ListedTable, Refusal
from hearts_client.library.connecting import connect
from hearts_client.library.reach import where
from hearts_client.library.retries import RETRY_LIMIT
from hearts_client.library.watching import watch
from hearts_client.lines.onlooker import look_on
from hearts_client.lines.table_list import listing_of, table_lines, to_watch
from hearts_client.lines.table_look import look_of, new_table_line, table_there_line
from hearts_client.words.style import Style
from hearts_client.words.typed import NotUnderstood, read_yes

from .arguments import tls_of
from .options import table_options


async def list_tables(
    given: argparse.Namespace, name: str, password: str, say: Callable[[str], None]
) -> None:
    """Say which tables the server of the options has. Raises HeartsError."""
    for line in table_lines(await _tables(given, name, password), where(*given.server)):
        say(line)


async def watch_table(
    given: argparse.Namespace, name: str, password: str, style: Style, say: Callable[[str], None]
) -> bool:
    """Watch the table of the options until it ends; whether the players were done.

    Raises HeartsError.
    """
    tables = await _tables(given, name, password)
    watching = watch(
        *given.server,
        game_number=to_watch(tables, given.watch, where(*given.server)),
        name=name,
        password=password,
        tls=tls_of(given),
        retry_limit=RETRY_LIMIT,
    )
    async with watching as watcher:
        return await look_on(watcher, style, say)


async def wants_table(
    given: argparse.Namespace,
    name: str,
    password: str,
    lines: trio.MemoryReceiveChannel[str],
    say: Callable[[str], None],
) -> bool:
    """Say what the table of the options is. Whoever wishes for rules is asked if it has its own.

    Whether he joins it. Raises HeartsError.
    """
    looking = connect(
        *given.server, name=name, password=password, look=given.table, tls=tls_of(given)
    )
    try:
        async with looking as client:
            looked = await look_of(client)
    except RegistrationRefused as error:
        if error.code != Refusal.BAD_PASSWORD:
            raise
        return True  # It is asked for when the seat is.
    if looked.table is None:
        if looked.is_known:
            say(new_table_line(given.table))
        return True
    say(table_there_line(given.table, looked.table))
    if table_options(given) is None:
        return True
    say("Your own wishes do not count there. Join it? Type yes or no.")
    async for line in lines:
        try:
            return read_yes(line)
        except NotUnderstood as error:
            say(f"Please {error}.")
    return False


async def _tables(given: argparse.Namespace, name: str, password: str) -> tuple[ListedTable, ...]:
    asking = connect(*given.server, name=name, password=password, list_only=True, tls=tls_of(given))
    async with asking as client:
        return (await listing_of(client)).tables
