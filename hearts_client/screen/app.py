"""The full-screen client, from the command line on."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from hearts.game.rules import DEFAULT_END_SCORE, STANDARD, named_end
from hearts.net.system import LEAVING, TerminalError, is_terminal_gone
from hearts.settings.option_rows import INTERRUPTED
from hearts_client.commands.arguments import guest_of, profile_of
from hearts_client.commands.options import table_options
from hearts_client.door_link import DoorLink
from hearts_client.par.pars import Reckoner
from hearts_client.screen.input.ui import full_screen
from hearts_client.screen.pictures.canvas import Theme
from hearts_client.screen.sound import Sounds
from hearts_client.screen.table.table_session import help_page
from hearts_client.session.analyst import Analyst
from hearts_client.session.places import at_home
from hearts_client.session.saved import choose, read_all

from .navigation import Navigation
from .shared import Profile, Shared, VisitorProfile, profile_opener
from .wish import Join, PlayAlone, PlayDay, Resume, StartWish, WatchWish, Wish


def run(
    given: argparse.Namespace, *, ascii: bool, link: DoorLink | None = None, greeting: str = ""
) -> int:
    """Take the terminal until the person quits; gives the exit status. Raises HeartsError.

    ``link`` is that of a visitor, who has no folders and no other program, and is told a
    ``greeting``.
    """
    status = INTERRUPTED
    try:
        if link is not None:
            profile = VisitorProfile(given, link, greeting)
            day = PlayDay(guest_of(given, given.name)) if given.day else None
            status = trio.run(_run_for_visitor, profile, ascii, day)
        else:
            status = trio.run(_run, given, ascii)
    except* (OSError, RuntimeError, TerminalError):
        # Whose window was closed wants to read nothing any more.
        if not is_terminal_gone(sys.stdin.fileno()):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


async def _run(given: argparse.Namespace, ascii: bool) -> int:
    open = profile_opener(given)
    profile = await trio.to_thread.run_sync(open, profile_of(given))
    first = await trio.to_thread.run_sync(_first_wish, given, profile)
    analyst = Analyst()
    async with _screen(profile, ascii) as (shared, nursery, interrupted):
        sounds = Sounds(shared.ui.ring, shared.theme, profile.places.sounds)
        nursery.start_soon(sounds.run)
        nursery.start_soon(analyst.run)
        nursery.start_soon(shared.reckoner.run)
        shared.ring, shared.ask = sounds.play, analyst.ask
        await Navigation(shared, open).run(first)
    if not interrupted.cancel_called:
        return 0
    places = shared.profile.places
    if places.sessions is not None and any(places.sessions.glob("*.json")):
        print(f"To come back to a game that you have left: {places.command}")
    return INTERRUPTED


async def _run_for_visitor(profile: VisitorProfile, ascii: bool, day: PlayDay | None) -> int:
    link = profile.link
    latest = next(map(Resume, link.latest_first), None)
    async with _screen(profile, ascii) as (shared, _, interrupted):
        await Navigation(shared, lambda _: profile).run(day or latest)
    print(link.farewell)
    return INTERRUPTED if interrupted.cancel_called else 0


@asynccontextmanager
async def _screen(
    profile: Profile, ascii: bool
) -> AsyncIterator[tuple[Shared, trio.Nursery, trio.CancelScope]]:
    """Take the terminal for as long as the block, which is cancelled if the person is to leave."""
    settings, interrupted = profile.settings, trio.CancelScope()
    with trio.open_signal_receiver(*LEAVING) as received, interrupted:
        async with full_screen(settings.colors) as ui, trio.open_nursery() as nursery:
            nursery.start_soon(ui.show_help, lambda: help_page(ascii=ascii))
            nursery.start_soon(_leave_on_signal, received, interrupted)
            theme = Theme(settings, ascii=ascii, own_cards=profile.own_cards)
            shared = Shared(ui, theme, profile, lambda sound: ui.ring(), None, Reckoner())
            yield shared, nursery, interrupted
            nursery.cancel_scope.cancel()


def _first_wish(given: argparse.Namespace, profile: Profile) -> Wish | None:
    """Give what the command line asks for; None for the start screen."""
    name, places = profile.name, profile.places
    guest = guest_of(given, name)
    if given.lesson:
        return StartWish.LESSON
    if given.solo:
        rules = given.rules or STANDARD
        return PlayAlone(
            name,
            rules,
            given.end_score or named_end(rules) or DEFAULT_END_SCORE,
            given.deal or "",
        )
    if given.resume is not None:
        sessions, _ = read_all(at_home(places.sessions))
        return Resume(choose(sessions, given.resume, places.command))
    if given.day:
        return PlayDay(guest)
    if given.watch is not None:
        return WatchWish(guest, given.watch)
    options = table_options(given)
    if given.is_server_named or given.table or options is not None:
        return Join(guest, given.table or "", options)
    return None


async def _leave_on_signal(received: AsyncIterator[int], scope: trio.CancelScope) -> None:
    await anext(received)
    scope.cancel()
