"""The command ``hearts-client conformance``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import trio

from hearts.errors import HeartsError, leaves
from hearts.net import address_text, open_listeners
from hearts.settings.option_rows import FAILED, INTERRUPTED, OptionGroup, OptionRow, add_options
from hearts.settings.readers import place_text, seconds
from hearts_client.commands.arguments import address, complain, tool_parser

from .checks import Played
from .clients import ClientCommand, OneClient, started_by_somebody
from .dealer import ROOM as DEALER
from .kit import Kit, Room
from .line import WaitTimes
from .plain import ROOM as PLAIN
from .report import report_lines, write_json
from .session.chat import WATCHED_GAME
from .session.script import Script

_ROOMS: dict[str, Room] = {room.name: room for room in (PLAIN, DEALER)}
_TRIES = 20
"""Tries to find a free port whose next one is free too."""
_LAST_PORT = 65534
"""The one behind it is for the chat."""
_ABOUT = """\
Test a Hearts client of your own, in any language, against SocketSpec.md
and DealerSpec.md.

The kit is the server. It leads your client through every exchange of its
dialect, in about 70 scenarios of one session each, with bots on the other
seats. It splits and joins what it says, deals hands in which a rule bites, lets
time run out, loses connections and refuses; and it says of each requirement
whether your client keeps it, with the file and the section that ask for it.
"""
_MORE = """\
how your client is started, once for each scenario:
  by the kit:   hearts-client conformance --run 'python3 my.py --port {port}'
  by yourself:  hearts-client conformance --listen 7626
                while true; do python3 my.py --port 7626; done

{host}, {port} and {taunt-port} are filled in, and {game} for a client that
watches (--only watch). The client plays one session with
any options, and needs no block -2; it may say yes or no to another game.
The taunt server is at the next port.

a check is
  ok         it was seen to go right, and never wrong
  FAILED     what came, and what to do, is below the table
  not shown  the client had no occasion, or does not do this at all
MAY marks what a client need not do, such as coming back; wrong is wrong there too.
SHOULD marks what a client conforms without, though it costs it something.
The exit status is 0 if nothing failed but a SHOULD, and every MUST was shown (with
--only: nothing failed), 1 if not, 2 if the kit could not run.
"""


class CannotListen(HeartsError):
    """A port cannot be had; the text says what to do."""


def main(arguments: Sequence[str]) -> int:
    given = parse(arguments)
    if given.list:
        for scenario in given.room.scenarios:
            print(f"{scenario.id.ljust(34)} {scenario.title}")
        return 0
    status = FAILED
    try:
        status = trio.run(_run, given)
    except* (HeartsError, OSError) as errors:
        for error in leaves(errors):
            complain("conformance", str(error))
    except* KeyboardInterrupt:
        status = INTERRUPTED
    return status


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options; ends the process as argparse does if they are wrong."""
    parser = tool_parser("conformance", _ABOUT, _MORE)
    add_options(parser, [_OPTIONS])
    given = parser.parse_args(arguments)
    given.room = _ROOMS[given.dialect]
    given.scenarios = _chosen(given.room, given.only)
    if not given.scenarios:
        parser.error("--only names no scenario; --list prints them")
    return given


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > _LAST_PORT:
        raise argparse.ArgumentTypeError(
            f"give PORT or HOST:PORT, with a port up to {_LAST_PORT}, not {text!r}"
        )
    if int(port) == 0:
        return (host or "127.0.0.1", 0)
    return address(f"{host or '127.0.0.1'}:{port}")


_OPTIONS = OptionGroup(
    "",
    {
        "--listen": OptionRow(
            "where your client connects to; port 0 for any that is free, which --run fills in "
            "(default: 127.0.0.1:7626)",
            "[HOST:]PORT",
            _place,
            ("127.0.0.1", 7626),
        ),
        "--dialect": OptionRow(
            "what your client speaks (default: %(default)s)",
            choices=list(_ROOMS),
            default=PLAIN.name,
        ),
        "--run": OptionRow("start your client with this command for each scenario", "CMD"),
        "--output": OptionRow(
            "with --run: append what your client prints to this file (default: thrown away)",
            "FILE",
            Path,
        ),
        "--only": OptionRow(
            "play only this scenario, or those whose names begin so (rules, drop, chat); "
            "may be repeated",
            "SCENARIO",
            action="append",
        ),
        "--list": OptionRow("print the scenarios and end", action="store_true"),
        "--patience": OptionRow(
            "wait so long for what is due (default: %(default)g)", "SECONDS", seconds(3600), 5.0
        ),
        "--hush": OptionRow(
            "listen so long where nothing is due; what comes later is found later, or not at all "
            "(default: %(default)g)",
            "SECONDS",
            seconds(60),
            0.15,
        ),
        "--wait": OptionRow(
            "wait so long for your client to connect (default: %(default)g)",
            "SECONDS",
            seconds(86400),
            60.0,
        ),
        "--trace": OptionRow(
            "print the bytes: < what your client receives, > what it sends, with the connection",
            action="store_true",
        ),
        "--json": OptionRow("write the report to this file too, as JSON", "FILE", Path),
    },
)


def _chosen(room: Room, only: Sequence[str] | None) -> list[Script]:
    if only is None:
        return list(room.scenarios)
    return [
        scenario
        for scenario in room.scenarios
        if any(
            scenario.id == wish or scenario.id.startswith((f"{wish}.", f"{wish}-")) for wish in only
        )
    ]


async def _run(given: argparse.Namespace) -> int:
    async with AsyncExitStack() as stack:
        game, chat = await _listen(*given.listen)
        for listener in (*game, *chat):
            await stack.enter_async_context(listener)
        trace = print if given.trace else None
        kit = Kit(given.room, WaitTimes(given.patience, given.hush), given.wait, trace)
        kit.marks.is_partial = given.only is not None
        one_client: OneClient = started_by_somebody
        if given.run is not None:
            ports = (_port(game), _port(chat))
            command = given.run.replace("{game}", str(WATCHED_GAME))
            one_client = ClientCommand(command, given.listen[0], ports, given.output)
        print(f"game at {address_text(game[0])}, chat at {address_text(chat[0])}", flush=True)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(trio.serve_listeners, kit.answer, game))
            nursery.start_soon(partial(trio.serve_listeners, kit.answer_chat, chat))
            await kit.run(given.scenarios, one_client, _report)
            nursery.cancel_scope.cancel()
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print()
    for line in report_lines(kit.marks, color=color):
        print(line)
    if given.json is not None:
        write_json(kit.marks, given.json)
    return 0 if kit.marks.good else 1


async def _listen(
    host: str, port: int
) -> tuple[list[trio.SocketListener], list[trio.SocketListener]]:
    """Listeners of the game and, on the next port, of the chat. Raises CannotListen."""
    tries = 1 if port else _TRIES
    while True:
        tries -= 1
        game = await _open(host, port)
        try:
            return game, await _open(host, _port(game) + 1)
        except CannotListen:
            for listener in game:
                await listener.aclose()
            if not tries:
                raise


async def _open(host: str, port: int) -> list[trio.SocketListener]:
    try:
        return await open_listeners(host, port)
    except OSError as error:
        raise CannotListen(
            f"cannot listen at {place_text((host, port))} ({error.strerror or error}); --listen "
            "PORT chooses another; the one behind it has to be free too, for the chat"
        ) from None


def _port(listeners: Sequence[trio.SocketListener]) -> int:
    return int(listeners[0].socket.getsockname()[1])


def _report(played: Played) -> None:
    faults = f", faults: {played.faults or 'none'}"
    print(f"{played.id}: {played.title}: {played.ending}{faults}", flush=True)
