"""The full-screen client, from the command line on."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import termios
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import trio
from msgspec.structs import replace

from hearts.game.rules import DEFAULT_END_SCORE, STANDARD
from hearts_client.commands.arguments import (
    DEFAULT_TAUNT_PORT,
    default_name,
    dialect_of,
    password_of,
    tls_of,
)
from hearts_client.commands.options import table_options
from hearts_client.session.saved import NoHome, choose, default_folder, read_all, records_folder
from hearts_client.words.style import Sort

from .above import help_page
from .evening import Evening
from .kept_json import config_folder
from .palette import palette
from .remembered import Remembered
from .settings import Colors
from .theme import Theme
from .ui import full_screen
from .visits import Customs
from .wish import Guest, Join, PlayAlone, Resume, WatchWish, Wish

_INTERRUPTED = 130


def run(given: argparse.Namespace, *, ascii: bool) -> int:
    """Take the terminal for an evening; gives the exit status. Raises HeartsError."""
    status = _INTERRUPTED
    try:
        status = trio.run(_run, given, ascii)
    except* (OSError, RuntimeError, termios.error):
        # Whose window was closed wants to read nothing any more.
        if not _is_terminal_gone():
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _is_terminal_gone() -> bool:
    try:
        termios.tcgetattr(sys.stdin.fileno())
    except (termios.error, ValueError):
        return True
    return False


async def _run(given: argparse.Namespace, ascii: bool) -> int:
    remembered = await trio.to_thread.run_sync(Remembered, config_folder())
    settings = remembered.settings
    if given.sort is not None:
        settings = replace(settings, sort=Sort(given.sort))
    if given.bot_pause is not None:
        settings = replace(settings, bot_pause=given.bot_pause)
    if given.color == "never":
        settings = replace(settings, colors=Colors.NONE)
    taunt_port = remembered.memory.taunt_port if given.taunt_port is None else given.taunt_port
    customs = Customs(
        dialect=dialect_of(given),
        sessions=_folder(default_folder),
        records=given.record or _folder(records_folder),
        turn_limit=given.turn_limit or 0,
    )
    # What the command line says goes before what is remembered, also at the start screen.
    remembered.memory = replace(
        remembered.memory,
        name=given.name or remembered.memory.name,
        tls=tls_of(given) or remembered.memory.tls,
        taunt_port=taunt_port,
    )
    name = given.name or remembered.memory.name or default_name()
    first = await trio.to_thread.run_sync(_first_wish, given, customs, name)
    colors = palette(settings.colors, environ=os.environ)
    signals = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    with trio.open_signal_receiver(*signals) as received:
        async with full_screen(colors) as ui, trio.open_nursery() as nursery:
            interrupted = trio.Event()
            nursery.start_soon(ui.show_help, lambda: help_page(ascii=ascii))
            nursery.start_soon(_leave_on_signal, received, interrupted, nursery.cancel_scope)
            evening = Evening(ui, Theme(settings, ascii=ascii), remembered, customs, name=name)
            await evening.run(first)
            nursery.cancel_scope.cancel()
    if not interrupted.is_set():
        return 0
    if customs.sessions is not None and any(customs.sessions.glob("*.json")):
        print("To come back to a game that you have left: hearts-client")
    return _INTERRUPTED


def _folder(find: Callable[[], Path]) -> Path | None:
    try:
        return find()
    except NoHome:
        return None


def _first_wish(given: argparse.Namespace, customs: Customs, name: str) -> Wish | None:
    """What the command line asks for; None for the start screen."""
    host, port = given.server
    chat = DEFAULT_TAUNT_PORT if given.taunt_port is None else given.taunt_port
    guest = Guest(host, port, name, tls_of(given), password_of(given), chat)
    if given.solo:
        return PlayAlone(
            name,
            given.rules or STANDARD,
            given.end_score or DEFAULT_END_SCORE,
            given.deal or "",
        )
    if given.resume is not None:
        sessions, _ = read_all(default_folder())
        return Resume(choose(sessions, given.resume))
    if given.watch is not None:
        return WatchWish(guest, given.watch)
    options = table_options(given)
    if given.is_server_named or given.table or options is not None:
        return Join(guest, given.table or "", options)
    return None


async def _leave_on_signal(
    received: AsyncIterator[int], interrupted: trio.Event, scope: trio.CancelScope
) -> None:
    await anext(received)
    interrupted.set()
    scope.cancel()
