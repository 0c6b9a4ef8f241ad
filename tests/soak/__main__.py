"""``python -m tests.soak``: many tables for a long time, with kills and lost connections.

Exit status: 0 if all was as it should be, 1 if a client got out of step, a session was lost, the
server logged an error, or memory, descriptors or tasks grew; 2 for options that make no sense.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from hearts.net.system import allow_many_files
from hearts_server.config import JOURNAL_FILE
from tests.zoo.keeper import ATTACKERS

from . import report
from .course import Course, Locked, Soak
from .plan import TablePlan
from .siege import AT_THE_PASSWORD, EVERYBODY, Siege, told
from .soak_server import ROOT, ServerFault, ServerProcess, free_port
from .soak_server import server as running

_PASSWORD = "fish and chips"
_LOCKED_TABLES = 4
_STRANGERS_EVERY = 5.0
"""Seconds, for each process of clients."""
_THINK = 0.8
_DROPS_PER_MINUTE = 60.0

_NUMBERS: tuple[tuple[str, type, float, str, str], ...] = (
    ("tables", int, 200, "N", "tables at once"),
    ("minutes", float, 60.0, "M", "how long"),
    ("kills-per-minute", float, 0.0, "N", "SIGKILL and a new start"),
    ("kills", int, 0, "N", "kill so many times, as fast as it goes, and end then"),
    ("life", float, 0.5, "S", "with --kills: mean seconds of a life once it listens"),
    (
        "reconnects-per-minute",
        float,
        0.0,
        "N",
        "closed, reset, torn, half-open, silent; with --attacks 60 unless given",
    ),
    ("end-score", int, 20, "N", "of each game"),
    ("grace", float, 20.0, "S", "until a stand-in plays for a client that is away"),
    ("turn", float, 60.0, "S", "with --attacks: seconds of each turn, if the time allows"),
    ("think", float, 0.0, "S", "that a choice takes at most; with --attacks 0.8 unless given"),
    ("sample-every", float, 10.0, "S", "seconds between two samples"),
    ("seed", int, 0, "N", "of what is chosen by chance"),
)
"""Options: name, kind, default, what stands for the value, and what it does."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description="Let many tables of independent clients play for a long time at a "
        "server of its own, and see that nobody loses anything and nothing grows.",
    )
    for name, kind, default, metavar, text in _NUMBERS:
        parser.add_argument(
            f"--{name}", type=kind, default=default, metavar=metavar, help=f"{text} ({default})"
        )
    add = parser.add_argument
    add(
        "--attacks",
        nargs="?",
        const=",".join(ATTACKERS),
        metavar="A,B",
        help="let attackers of the zoo take turns: all of them, or those named; 'everybody' is the "
        "whole zoo at once",
    )
    add(
        "--beside",
        action="store_true",
        help="with --attacks: each has a turn at another server first, which shows what the "
        "attack takes of the machine",
    )
    add("--journal", choices=("normal", "full", "off"), default="normal", help="(normal)")
    add("--warm-up", type=float, metavar="M", help="minutes not judged (a fifth of the time)")
    add("--data-dir", type=Path, metavar="DIR", help="of the server, and left as it is in the end")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a soak; the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    kills = given.kills or given.kills_per_minute
    if given.kills and given.kills_per_minute:
        parser.error("give --kills or --kills-per-minute")
    if kills and given.journal == "off":
        parser.error("without a journal nothing survives a kill: leave --journal off out")
    if given.attacks and kills:
        parser.error("attacks are for a server that is not killed")
    if given.attacks and (unknown := {*given.attacks.split(",")} - {*ATTACKERS, EVERYBODY}):
        parser.error(f"there is no attacker {', '.join(sorted(unknown))}")
    if given.tables < 1 or given.minutes <= 0 or given.life <= 0:
        parser.error("there have to be tables, and time")
    allow_many_files()
    data_dir = given.data_dir or Path(tempfile.mkdtemp(prefix="hearts-soak-"))
    given.metrics_port = free_port()
    status = _run(given, data_dir)
    if status:
        print(f"what was left is in {data_dir}")
    elif given.data_dir is None:
        shutil.rmtree(data_dir)
    return status


def _course(given: argparse.Namespace) -> Course:
    drops = given.reconnects_per_minute or (_DROPS_PER_MINUTE if given.attacks else 0.0)
    return Course(
        tables=given.tables,
        seconds=60 * given.minutes,
        seed=given.seed,
        drops_per_minute=drops,
        kills_per_minute=given.kills_per_minute,
        kills=given.kills,
        life=given.life,
        sample_every=given.sample_every,
        metrics_port=given.metrics_port,
    )


def _run(given: argparse.Namespace, data_dir: Path) -> int:
    """Run a server with the limits of a host who sets none, and judge it."""
    journal = None if given.journal == "off" else data_dir / JOURNAL_FILE
    plan = TablePlan(end_score=given.end_score, journal=journal, think=given.think)
    with ExitStack() as stack:
        settings = ["--journal", given.journal, "--metrics-port", str(given.metrics_port)]
        if given.attacks:
            plan = replace(plan, think=given.think or _THINK, strangers_every=_STRANGERS_EVERY)
        else:
            settings += ["--grace", f"{given.grace:g}", "--pause-limit", "60", "--turn-limit", "0"]
            settings += ["--log-level", "warning", "--fill-after", "never"]
            settings += ["--max-tables", str(2 * given.tables + 100)]
        chats = bool(given.attacks)
        server = stack.enter_context(running(data_dir, *settings, chats=chats, limited=True))
        siege, locked = None, None
        others: list[ServerProcess] = []
        if given.attacks:
            siege, locked, others = _besieged(given, plan, server, stack)
        soak = Soak(
            _course(given),
            server,
            plan,
            data_dir / "faults",
            siege=siege,
            locked=locked,
        )
        print(
            f"{given.tables} tables at port {server.port}, seed {given.seed}, "
            f"at most {given.minutes:g} min",
            flush=True,
        )
        soak.run(lambda line: print(line, flush=True))
        _end(soak, server, *others)
        for line in told(siege.notes) if siege else ():
            print(line)
        stored = None if journal is None else report.JournalContents.read(journal)
        status = _judge(soak, given, stored)
        if stored is not None and siege is None:
            _prune(data_dir)
        return status


def _besieged(
    given: argparse.Namespace, plan: TablePlan, server: ServerProcess, stack: ExitStack
) -> tuple[Siege, Locked | None, list[ServerProcess]]:
    """Attackers of a server, one with a password if that is to be guessed, and all more servers."""
    names = given.attacks.split(",")
    journal = ("--journal", given.journal)
    others = []
    locked = beside = None
    folder = server.log.parent
    if AT_THE_PASSWORD in names:
        its_plan = replace(plan, password=_PASSWORD, prefix="locked")
        if plan.journal is not None:
            its_plan = replace(its_plan, journal=folder / "locked" / JOURNAL_FILE)
        settings = (*journal, "--password", _PASSWORD)
        other = stack.enter_context(running(folder / "locked", *settings, limited=True))
        locked = Locked(other, its_plan, _LOCKED_TABLES)
        others.append(other)
    if given.beside:
        other = stack.enter_context(running(folder / "beside", *journal, chats=True, limited=True))
        other.begin()
        other.wait_ready()
        beside = other.port, other.taunt_port
        others.append(other)
    siege = Siege(
        names,
        min(given.turn, 60 * given.minutes / (len(names) * (1 + given.beside) + 1)),
        (server.port, server.taunt_port),
        locked.server.port if locked else 0,
        beside,
    )
    return siege, locked, others


def _end(soak: Soak, *servers: ServerProcess) -> None:
    """End servers in order, and see what they complain of."""
    for server in servers:
        try:
            server.terminate()
            server.wait_ended()
        except ServerFault as fault:
            soak.faults.append(str(fault))
        soak.faults += server.errors()


def _judge(soak: Soak, given: argparse.Namespace, stored: report.JournalContents | None) -> int:
    warm_up = given.minutes / 5 if given.warm_up is None else given.warm_up
    if soak.lives:
        print("Before each kill:")
        found = report.trends(report.lives(soak.lives), "life")
    else:
        settled = report.settled(soak.samples, 60 * warm_up)
        since = settled[0]["seconds"] / 60 if settled else warm_up
        print(f"Since {since:.1f} min:")
        found = report.trends(settled, "seconds", report.ATTACKED if soak.siege else None)
    for line in (*report.table(found), *report.figures(soak, stored)):
        print(line)
    wrong = [f"{name} grows" for name in report.growing(found)]
    if soak.siege is not None:
        # Sessions of attackers and strangers need no proper end.
        wrong += report.attacked(soak, stored)
    elif lost := report.lost_sessions(soak, stored):
        wrong.append(lost)
    wrong += soak.faults
    for line in wrong:
        print(f"WRONG: {line}")
    print("all was as it should be" if not wrong else f"{len(wrong)} things are wrong")
    return int(bool(wrong))


def _prune(data_dir: Path) -> None:
    """Delete the finished sessions, as a host would, and say what that gives back."""
    command = [
        *(sys.executable, "-m", "hearts_server", "records", "delete", "--yes"),
        *("--ended-before", str(date.today() + timedelta(days=1)), "--data-dir", str(data_dir)),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(f"hearts-server records delete: {(done.stdout or done.stderr).strip()}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("python -m tests.soak: interrupted; nothing was judged")
