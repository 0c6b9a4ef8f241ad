"""The command ``hearts-server records``: all that a host can do with the games in the journal."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from hearts.errors import CorruptRecord, HeartsError
from hearts.hosting.store import Session
from hearts.net.files import write_whole
from hearts.settings.readers import whole
from hearts.settings.table import CommandParser, ConfigError
from hearts.wire.codec import INT_MAX
from hearts.wire.text import count_of
from hearts_server.given_settings import add_data_dir, add_store
from hearts_server.journal.archive import Archive
from hearts_server.journal.lines import UnreadableSession
from hearts_server.journal.replay import StoredGame, narrate, stored_games
from hearts_server.journal.store import StoredSession
from hearts_server.standings.kept import session_pars
from hearts_server.standings.remarks import remarked

from .opened import opened_archive
from .session_list import list_sessions

_LISTED = 100


def _parser() -> argparse.ArgumentParser:
    common = CommandParser(add_help=False)
    add_data_dir(common)
    add_store(common, "the --store of the server, if it has one", default=argparse.SUPPRESS)
    parser = CommandParser(
        prog="hearts-server records",
        parents=[common],
        description="Look at the games that a server has stored, take them out, or delete them. "
        "All of it works while the server runs.",
        epilog="A session is one table with all its games, and its number is the game number "
        "that players see. Of a session that is still played only finished hands are shown, so "
        "that nobody looks into hidden cards by accident. Exit status: 0 done, 1 not all of it, "
        "2 nothing could be begun.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, summary: str, description: str = "") -> argparse.ArgumentParser:
        text = summary[0].upper() + summary[1:] + ". " + description
        return commands.add_parser(name, help=summary, description=text, parents=[common])

    listing = command("list", "list the sessions", "The newest come last.")
    listing.add_argument(
        "--last",
        type=_count,
        default=_LISTED,
        metavar="N",
        help=f"only the newest N sessions; 0 lists all (default: {_LISTED})",
    )
    show = command("show", "print the records of a session's games", "They can be replayed.")
    replay = command("replay", "tell a session's games trick by trick", "It shows every card.")
    export = command(
        "export",
        "write records into files that their owner alone can read",
        "A session is one file with the records of its games: session-N.record in the current "
        "dir unless -o or --all says where. A file of that name is replaced.",
    )
    for one in (show, replay):
        one.add_argument("session", type=_count, metavar="N", help="number of the session")
    for one in (show, replay, export):
        one.add_argument(
            "--game", type=_count, metavar="K", help="only the K-th game of the session, from 1"
        )
    export.add_argument("session", type=_count, metavar="N", nargs="?", help="number of a session")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="file to write")
    export.add_argument("--all", type=Path, metavar="DIR", help="every session, into this dir")
    delete = command(
        "delete",
        "delete sessions that have ended",
        "Sessions that are still played are never deleted.",
    )
    delete.add_argument("sessions", type=_count, nargs="*", metavar="N", help="their numbers")
    delete.add_argument(
        "--ended-before",
        type=_day,
        metavar="YYYY-MM-DD",
        help="those that ended before this day begins",
    )
    delete.add_argument("--yes", action="store_true", help="do not ask")
    return parser


_count = whole(0, INT_MAX)


def _day(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        raise argparse.ArgumentTypeError(f"give a day as 2026-01-31, not {text!r}") from None


def main(arguments: Sequence[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        given = _parser().parse_args(arguments)
        with contextlib.closing(opened_archive(given, write=given.command == "delete")) as archive:
            return _run(given, archive)
    except BrokenPipeError:
        raise  # It is no error of a file.
    except OSError as error:
        raise HeartsError(f"cannot write {error.filename}: {error.strerror}") from None


def _say(text: str, status: int = 0) -> int:
    print(f"hearts-server records: {text}", file=sys.stderr)
    return status


def _run(given: argparse.Namespace, archive: Archive) -> int:
    match given.command:
        case "list":
            return list_sessions(archive, given.last, _say)
        case "show":
            print(_text(game.record() for game in _chosen(archive, given)[1].values()), end="")
        case "replay":
            stored, games = _chosen(archive, given)
            _replay(stored.session, games)
        case "export" if (given.session is None) == (given.all is None):
            raise ConfigError("export: give the number of a session, or --all DIR")
        case "export" if given.all is None:
            file = given.output or Path(f"session-{given.session}.record")
            write_whole(file, _exported(archive, *_chosen(archive, given)))
            print(file)
        case "export" if given.game is not None or given.output is not None:
            raise ConfigError("export: --all goes with neither --game nor -o")
        case "export":
            return _export_all(archive, given.all)
        case _:
            return _delete(archive, given)
    return 0


def _games(archive: Archive, number: int) -> tuple[StoredSession, list[StoredGame]]:
    """Return a session with its games. Tells the host if some hands are not shown."""
    try:
        stored = archive.session(number)
        games = stored_games(stored)
    except CorruptRecord as error:
        raise UnreadableSession(f"session {number}: {error}") from None
    if stored.ended is None:
        _say(f"session {number} has not ended: only its finished hands are shown")
    return stored, games


def _chosen(
    archive: Archive, given: argparse.Namespace
) -> tuple[StoredSession, dict[int, StoredGame]]:
    """Return a session with the games of it that are wanted, numbered from 1."""
    session, games = _games(archive, given.session)
    chosen = {k: game for k, game in enumerate(games, 1) if given.game in (None, k)}
    if not chosen:
        raise HeartsError(
            f"session {given.session} has no game {given.game}; it has {len(games)}"
            if given.game is not None
            else f"session {given.session} has no finished hand"
        )
    return session, chosen


def _text(games: Iterable[object]) -> str:
    return "\n".join(map(str, games))


def _exported(archive: Archive, stored: StoredSession, games: Mapping[int, StoredGame]) -> str:
    pars = archive.do(partial(session_pars, number=stored.session.game_number))
    return _text(remarked(game, k, stored.ended, pars) for k, game in games.items())


# replay and export


def _replay(session: Session, games: Mapping[int, StoredGame]) -> None:
    gap = ""
    for k, game in games.items():
        record = game.record()
        points = "1 point" if record.end_score == 1 else f"{record.end_score} points"
        rules = f"rules {record.rules}, to {points}"
        print(f"{gap}Session {session.game_number} at {session.table_name}, game {k}: {rules}")
        seats = (f"{seat.name} ({seat.kind.value})" for seat in session.seats)
        print(f"Seats: {', '.join(seats)}", "", *narrate(record), sep="\n")
        gap = "\n"


def _export_all(archive: Archive, folder: Path) -> int:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = status = 0
    for number in archive.numbers():
        try:
            stored, games = _games(archive, number)
        except UnreadableSession as error:
            status = _say(str(error), 1)
            continue
        if games:
            text = _exported(archive, stored, dict(enumerate(games, 1)))
            write_whole(folder / f"session-{number}.record", text)
            files += 1
    print(f"{files} files in {folder}")
    return status


# delete


def _delete(archive: Archive, given: argparse.Namespace) -> int:
    if bool(given.sessions) == (given.ended_before is not None):
        raise ConfigError("delete: give numbers of sessions, or --ended-before YYYY-MM-DD")
    if given.ended_before is not None:
        numbers = archive.ended_before(int(given.ended_before.timestamp()))
    else:
        numbers = sorted(set(given.sessions))
        archive.check_deletable(numbers)
    if not numbers:
        print("there is nothing to delete")
        return 0
    if not given.yes and not _agreed(
        f"Delete {count_of(len(numbers), 'session')} for ever? Type yes: "
    ):
        return _say("nothing was deleted", 1)
    gone = archive.delete(numbers)
    sessions = count_of(gone.sessions, "session")
    print(f"deleted {sessions}, {gone.lines} lines, {gone.bytes // 1024} KiB")
    return 0


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise ConfigError("delete: say --yes if there is no terminal to ask at")
    try:
        return input(question).strip().lower() == "yes"
    except EOFError:
        return False
