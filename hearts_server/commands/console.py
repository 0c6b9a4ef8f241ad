"""Commands of a host to their running server: ``hearts-server tables``, ``say``, ``end``,
``remove``, ``warn``, ``mute``, ``ban``, ``unban``, ``bans``, ``acts``, ``reports``, ``names``,
``invite`` and ``invitation``."""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from msgspec import convert, json

from hearts.settings.readers import whole
from hearts.settings.table import CommandParser, ConfigError
from hearts.wire.codec import INT_MAX
from hearts.wire.widths import text_width
from hearts_server.config import CONSOLE_FILE, default_data_dir
from hearts_server.console import protocol
from hearts_server.console.protocol import SeatKind, SeatLine, TableLine
from hearts_server.given_settings import add_data_dir

_PATIENCE = 60.0
"""Seconds to wait for the server's next words."""


def _parser() -> argparse.ArgumentParser:
    common = CommandParser(add_help=False)
    add_data_dir(common)
    parser = CommandParser(prog="hearts-server", add_help=False)
    commands = parser.add_subparsers(dest="do", required=True)

    def command(name: str, description: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            description=f"{description} It asks the server that runs with the same data dir, as "
            "the user who runs it; the server's log tells who did what.",
            epilog="Exit status: 0 done, 1 refused, 2 no server answers.",
            parents=[common],
        )

    tables = command("tables", "List the tables that form and play, and who is there.")
    tables.add_argument(
        "--json",
        action="store_true",
        help="a line of JSON for each table, with the keys of hearts_server/console/protocol.py",
    )
    command("invitation", "Print what friends have to type or to open, and the password.")
    say = command("say", "Tell the players and watchers of all tables that play something.")
    say.add_argument(
        "text", metavar="TEXT", help="one line; in the chat there is room for 112 bytes"
    )
    say.add_argument(
        "--table", dest="game", type=_game, metavar="N", help="only the table of this game number"
    )
    end = command("end", "End a table for good, in the middle of its hand.")
    remove = command(
        "remove",
        "Take a player from a table for good. A stand-in plays for them until the hand is over, "
        "then the seat is a computer's. With no other person at the table it ends.",
    )
    for one in (end, remove):
        one.add_argument("game", type=_game, metavar="N", help="game number of the table")
    remove.add_argument("seat", type=whole(0, 3), metavar="SEAT", help="0 to 3, as tables shows it")
    mute = command(
        "mute",
        "Let nobody hear what a player says in the chat, at this and at later tables. They are "
        "told so. It holds after a restart, for this name at their address, or for all at one.",
    )
    mute.add_argument("--off", dest="muted", action="store_false", help="let them speak again")
    warn = command("warn", "Tell one player something, which nobody else at the table hears.")
    warn.add_argument("who", metavar="WHO", help="their name, or GAME/SEAT, such as 17/1")
    warn.add_argument("why", metavar="TEXT", help="one line of at most 96 characters")
    ban = command(
        "ban",
        "Let a person in no more, nor anybody else at their address, and tell them so. They lose "
        "their seats. It holds after a restart. They can come back from another address.",
    )
    for one in (mute, ban):
        one.add_argument(
            "who", metavar="WHO", help="their name, GAME/SEAT, such as 17/1, or address"
        )
        one.add_argument("--hours", type=whole(1, 87_600), metavar="N", help="default: for good")
        one.add_argument(
            "--why", default="", metavar="TEXT", help="the reason, which they are told"
        )
    command("bans", "List the addresses that are banned, and who is muted.")
    moderator = command(
        "moderator",
        "Let the owner of a name warn, mute, ban, remove and end from page and terminal, as the "
        "host does here, within limits; without NAME, list those who may.",
    )
    moderator.add_argument("name", nargs="?", default="", metavar="NAME", help="as it is claimed")
    moderator.add_argument("--remove", action="store_true", help="they may no more")
    command("acts", "List what the host and moderators have done against people.")
    command(
        "reports",
        "List what players have reported of others in the last 30 days, with the last lines that "
        "the chat had of their table.",
    )
    names = command(
        "names",
        "List the names that players have claimed. names free NAME gives one free whose owner has "
        "lost the key; they are told so when they come, for a week. names give-up NAME takes it "
        "out of stored games as well, for good, and names export NAME prints what is stored. names "
        "invite [NAME] gives a code by which a newcomer claims a name once within a week.",
    )
    acts = ["free", "give-up", "export", "invite"]
    names.add_argument("act", nargs="?", choices=acts, help="do this with a name")
    names.add_argument("name", metavar="NAME", nargs="?", default="", help="the name, as listed")
    unban = command("unban", "Let the people of an address in again.")
    unban.add_argument("network", metavar="ADDRESS", help="as bans shows it")
    invite = command(
        "invite",
        "Invite a player who waits for that to a table that forms, and say if they come. They "
        "have half a minute; a player who does not come is not asked to the same table again.",
    )
    invite.add_argument("who", metavar="NAME", help="their name or number, as tables shows it")
    invite.add_argument("--table", metavar="TABLE", required=True, help="the table, by its name")
    return parser


_game = whole(1, INT_MAX)


def main(arguments: Sequence[str]) -> int:
    # Options and fields of a request have the same names.
    given = vars(_parser().parse_args(arguments))
    folder, as_json = given.pop("data_dir", default_data_dir()), given.pop("json", False)
    for answer in _ask(folder, convert(given, protocol.Request)):
        match answer:
            case TableLine():
                print(json.encode(answer).decode() if as_json else _shown(answer))
            case protocol.Done(text):
                if not as_json:
                    print(text)
                return 0
            case protocol.NotDone(text):
                print(f"hearts-server {arguments[0]}: {text}", file=sys.stderr)
                return 1
    raise ConfigError("the server ended before it had answered")


def _ask(data_dir: Path, request: protocol.Request) -> Iterator[protocol.Answer]:
    """Return the answers of the server that runs with a data dir. Raises ConfigError if there is
    none.
    """
    path = data_dir / CONSOLE_FILE
    try:
        with closing(socket.socket(socket.AF_UNIX)) as line:
            line.settimeout(_PATIENCE)
            line.connect(str(path))
            line.sendall(protocol.encode(request))
            with line.makefile("rb") as answers:
                for answer in answers:
                    yield protocol.decode(protocol.ANSWERS, answer)
    except (FileNotFoundError, ConnectionRefusedError):
        raise ConfigError(
            f"no server runs with the data dir {data_dir}; --data-dir names another"
        ) from None
    except PermissionError:
        raise ConfigError(
            f"{path} is for the user who runs the server; try it as that user"
        ) from None
    except OSError as error:
        why = error.strerror or error
        raise ConfigError(f"the server does not answer at {path}: {why}") from None
    except protocol.BadLine:
        raise ConfigError("the server is of another version: its answer makes no sense") from None


def _shown(table: TableLine) -> str:
    since = datetime.fromtimestamp(table.since).strftime("%Y-%m-%d %H:%M")
    number = f"game {table.game}" if table.game else "no game yet"
    parts = (
        (True, table.state.value),
        (table.private, "private"),
        (
            table.state is not protocol.TableStage.FORMING,
            f"hand {table.hand}, trick {table.trick}",
        ),
        (True, f"since {since}"),
        (table.watchers, f"{table.watchers} watching"),
    )
    width = max(text_width(seat.name) for seat in table.seats)
    lines = [f"{number}: {table.name}, {_those(parts)}"]
    for seat in table.seats:
        gap = " " * (width - text_width(seat.name))
        lines.append(f"  {seat.seat} {seat.name}{gap}  {holder_text(seat)}")
    return "\n".join(lines)


def holder_text(seat: SeatLine) -> str:
    """Say who has a seat."""
    if seat.kind is not SeatKind.PERSON:
        return "computer" if seat.kind is SeatKind.COMPUTER else "free"
    marks = (
        (True, seat.address if seat.connected else "away"),
        (seat.played_for, "a stand-in plays"),
        (seat.is_program, "a program"),
        (seat.muted, "muted"),
        (seat.invitable, f"waits to be invited, number {seat.invitable}"),
    )
    return _those(marks)


def _those(marks: Sequence[tuple[object, str]]) -> str:
    """Return the words whose condition is true."""
    return ", ".join(word for is_so, word in marks if is_so)
