"""``python -m tests.soak``: many tables for a long time, with kills and lost connections.

Exit status: 0 if all was as it should be, 1 if a client got out of step, a session was lost, the
server logged an error, or memory, descriptors or tasks grew; 2 for options that make no sense.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from hearts_server.journal.schema import JOURNAL_FILE
from tests.zoo.animals import ATTACKERS

from . import report
from .course import Course, Locked, Soak
from .gateway import GatewayProcess
from .plan import TablePlan
from .samples import MIB, write_csv
from .server import ROOT, ServerFault, ServerProcess, free_port
from .server import server as running
from .siege import AT_THE_PASSWORD, EVERYBODY, Siege, told
from .worker import allow_many_files

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
    ("processes", int, os.cpu_count() or 1, "N", "of clients"),
    ("sample-every", float, 10.0, "S", "seconds between two samples"),
    ("seed", int, 0, "N", "of what is chosen by chance"),
)
"""Options: name, kind, default, what stands for the value, and what it does."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description="Let many tables of independent clients play for a long time, against a "
        "server of its own or any other, and see that nobody loses anything and nothing grows.",
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
    add(
        "--gateway",
        action="store_true",
        help="let every other client come as a page does, through the gateway for browsers",
    )
    add("--journal", choices=("normal", "full", "off"), default="normal", help="(normal)")
    add("--warm-up", type=float, metavar="M", help="minutes not judged (a fifth of the time)")
    add("--csv", type=Path, metavar="FILE", help="write all samples")
    add("--data-dir", type=Path, metavar="DIR", help="of the server, and left as it is in the end")
    add("--host", metavar="ADDRESS", help="use the server there; it is not killed or looked into")
    add("--port", type=int, default=7626, metavar="PORT", help="with --host (7626)")
    add("--password", metavar="TEXT", help="with --host")
    add("--pid", type=int, metavar="N", help="with --host: its process, if it runs here")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a soak; the exit status."""
    parser = _parser()
    given = parser.parse_args(arguments)
    kills = given.kills or given.kills_per_minute
    if given.kills and given.kills_per_minute:
        parser.error("give --kills or --kills-per-minute")
    if kills and given.host:
        parser.error("a server of somebody else is not killed: leave --host out")
    if kills and given.journal == "off":
        parser.error("without a journal nothing survives a kill: leave --journal off out")
    if given.attacks and (kills or given.host):
        parser.error("attacks are for a server of its own that is not killed")
    if given.attacks and (unknown := {*given.attacks.split(",")} - {*ATTACKERS, EVERYBODY}):
        parser.error(f"there is no attacker {', '.join(sorted(unknown))}")
    if given.gateway and (given.attacks or given.host):
        parser.error("the gateway stands before a server of its own that is not attacked")
    if given.tables < 1 or given.minutes <= 0 or given.life <= 0:
        parser.error("there have to be tables, and time")
    allow_many_files()
    if given.host:
        faults = Path(tempfile.mkdtemp(prefix="hearts-soak-"))
        plan = TablePlan(end_score=given.end_score, password=given.password)
        address = (given.host, given.port)
        return _judge(_run(Soak(_course(given, 0), address, plan, faults, None, given.pid)), given)
    data_dir = given.data_dir or Path(tempfile.mkdtemp(prefix="hearts-soak-"))
    status = (_run_attacked if given.attacks else _run_own)(given, data_dir)
    if status:
        print(f"what was left is in {data_dir}")
    elif given.data_dir is None:
        shutil.rmtree(data_dir)
    return status


def _course(given: argparse.Namespace, metrics_port: int) -> Course:
    return Course(
        tables=given.tables,
        seconds=60 * given.minutes,
        processes=given.processes,
        seed=given.seed,
        drops_per_minute=given.reconnects_per_minute,
        kills_per_minute=given.kills_per_minute,
        kills=given.kills,
        life=given.life,
        sample_every=given.sample_every,
        metrics_port=metrics_port,
    )


def _run_own(given: argparse.Namespace, data_dir: Path) -> int:
    journal = None if given.journal == "off" else data_dir / JOURNAL_FILE
    metrics_port = free_port()
    gateway = GatewayProcess(data_dir, 8 * given.tables + 100) if given.gateway else None
    server = ServerProcess(
        data_dir,
        *(("--proxy-listen", str(gateway.behind)) if gateway is not None else ()),
        *("--journal", given.journal, "--grace", f"{given.grace:g}", "--pause-limit", "60"),
        *("--turn-limit", "0", "--log-level", "warning", "--fill-after", "never"),
        *("--max-tables", str(2 * given.tables + 100)),
        *("--metrics-port", str(metrics_port)),
        limited=True,
    )
    plan = TablePlan(end_score=given.end_score, journal=journal, think=given.think)
    address = ("127.0.0.1", server.port)
    course = _course(given, metrics_port)
    try:
        faults = data_dir / "faults"
        soak = _run(Soak(course, address, plan, faults, server, None, gateway=gateway))
        _end(soak, server)
        if gateway is not None:
            soak.faults += gateway.faults()
        stored = None if journal is None else report.JournalContents.read(journal)
        status = _judge(soak, given, stored)
        if stored is not None:
            _prune(data_dir)
        return status
    finally:
        server.close()
        if gateway is not None:
            gateway.close()


def _run_attacked(given: argparse.Namespace, data_dir: Path) -> int:
    """A server with the limits of a host who sets none, and attackers.

    There is a second one with a password if that is to be guessed.
    """
    names = given.attacks.split(",")
    kept = given.journal != "off"
    plan = TablePlan(
        end_score=given.end_score,
        journal=data_dir / JOURNAL_FILE if kept else None,
        think=given.think or _THINK,
        strangers_every=_STRANGERS_EVERY,
    )
    metrics_port = free_port()
    course = _course(given, metrics_port)
    course = replace(course, drops_per_minute=given.reconnects_per_minute or _DROPS_PER_MINUTE)
    with ExitStack() as servers:
        journal = ("--journal", given.journal)
        metrics = ("--metrics-port", str(metrics_port))
        server = servers.enter_context(
            running(data_dir, *journal, *metrics, chats=True, limited=True)
        )
        locked = None
        if AT_THE_PASSWORD in names:
            folder = data_dir / "locked"
            other = servers.enter_context(
                running(folder, *journal, "--password", _PASSWORD, limited=True)
            )
            its_plan = replace(
                plan,
                journal=folder / JOURNAL_FILE if kept else None,
                password=_PASSWORD,
                prefix="locked",
            )
            locked = Locked(other, its_plan, _LOCKED_TABLES)
        beside = None
        if given.beside:
            beside = servers.enter_context(
                running(data_dir / "beside", *journal, chats=True, limited=True)
            )
            beside.begin()
            beside.wait_ready()
        siege = Siege(
            names,
            min(given.turn, 60 * given.minutes / (len(names) * (1 + given.beside) + 1)),
            (server.port, server.taunt_port),
            locked.server.port if locked else 0,
            (beside.port, beside.taunt_port) if beside else None,
        )
        address = ("127.0.0.1", server.port)
        faults = data_dir / "faults"
        soak = _run(Soak(course, address, plan, faults, server, None, siege=siege, locked=locked))
        _end(soak, server, *((locked.server,) if locked else ()), *((beside,) if beside else ()))
        for line in told(siege.notes):
            print(line)
        print(f"the server's log: {server.log.stat().st_size / MIB:.1f} MiB")
        stored = None
        if isinstance(plan.journal, Path):
            stored = report.JournalContents.read(plan.journal)
        return _judge(soak, given, stored)


def _end(soak: Soak, *servers: ServerProcess) -> None:
    """End servers in order, and see what they complain of."""
    for server in servers:
        try:
            server.terminate()
            server.wait_ended()
        except ServerFault as fault:
            soak.faults.append(str(fault))
        soak.faults += server.errors()


def _run(soak: Soak) -> Soak:
    print(
        f"{soak.course.tables} tables at {soak.address[0]}:{soak.address[1]}, "
        f"seed {soak.course.seed}, at most {soak.course.seconds / 60:g} min",
        flush=True,
    )
    soak.run(lambda line: print(line, flush=True))
    return soak


def _judge(
    soak: Soak, given: argparse.Namespace, stored: report.JournalContents | None = None
) -> int:
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
    if given.csv is not None:
        write_csv(given.csv, soak.samples)
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
