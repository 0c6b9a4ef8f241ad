"""The commands of ``hearts-arena``: to play, to go on, to report, and to print."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from hearts.errors import HeartsError
from hearts.net.system import usable_cores
from hearts.settings.option_rows import INTERRUPTED
from hearts.settings.version import program_version

from .given_plan import plan_of
from .kept.kept_records import game_records, record_with
from .kept.merging import merge
from .kept.result_store import ALL, Part, ResultStore, StoreError, read_plan, read_results
from .numbers.estimates import blocks_needed, range_of_blocks
from .numbers.points import points_over_blocks
from .numbers.sequential import SequentialTest, Verdict, moon_in, state_of
from .numbers.standings import leaders_of, standings_of
from .numbers.tally import Tally
from .plan.plan import Plan
from .plan.plan_text import plan_digest
from .plan.schedules import block_size, count
from .play.players import check_players
from .report import export
from .report.figures import grouped
from .report.html_page import html_page
from .report.progress_line import Manner, ProgressLine
from .report.summary import leading, names_shown, ratio_text
from .report.tables import standings_lines
from .running import Run, connect

if TYPE_CHECKING:
    from .elsewhere.dask_workers import DaskWorkers

_DIGEST_SHOWN = 10
"""Digits of a plan's digest in the name of its folder."""
_MEBIBYTE = 1 << 20


def carry_out(given: argparse.Namespace) -> int:
    """Do what a command line says; give the exit status. Raises HeartsError."""
    match given.command:
        case "run" | "test":
            plan = plan_of(given, given.deals)
            folder = given.folder or Path(f"hearts-arena-{plan_digest(plan)[:_DIGEST_SHOWN]}")
            return _play(given, plan, folder)
        case "go-on":
            plan = read_plan(given.folder)
            if given.deals is not None:
                plan = replace(plan, deals=given.deals)
            return _play(given, plan, given.folder)
        case "report":
            plan = read_plan(given.folder)
            _report(given, plan, given.folder, _counted(plan, given.folder))
        case "merge":
            merge(given.folders, given.into)
            plan = read_plan(given.into)
            _report(given, plan, given.into, _counted(plan, given.into))
        case "precision":
            _print_precision(given)
        case "records":
            _print_records(given.folder, given.matches)
        case command:
            raise AssertionError(f"{command} is no command")
    return 0


def _counted(plan: Plan, folder: Path) -> Tally:
    tally = Tally(plan, block_size(plan))
    for match, result in read_results(folder, plan):
        tally.add(match, result)
    return tally


def _check_outputs(given: argparse.Namespace) -> None:
    """Check at the start, not after days, that all outputs can be written."""
    for path in (given.html, given.json):
        if path is not None and not path.parent.is_dir():
            raise StoreError(f"{path} cannot be written: there is no folder {path.parent}")
    if given.csv is not None:
        given.csv.mkdir(parents=True, exist_ok=True)


def _play(given: argparse.Namespace, plan: Plan, folder: Path) -> int:
    _check_outputs(given)
    check_players(plan)
    part = getattr(given, "part", ALL)
    if part != ALL and (plan.bounds or plan.keeps_players):
        raise HeartsError("a test, and players that are kept, need all blocks in one place")
    tally = Tally(plan, block_size(plan))
    with _elsewhere(given, plan) as elsewhere, ResultStore(folder, plan, tally.add) as store:
        left = store.left(part)
        if not given.quiet:
            gone = f", {grouped(len(store.done))} of them played already" if store.done else ""
            most = "At most " if plan.bounds else ""
            matches = f"{most}{grouped(len(store.done) + left)} matches"
            print(f"{matches}{gone}. Everything is kept in {folder}")
            if left:
                print("Before it is over judge by * alone: it holds however often one looks.")
        status = 0
        if left and (plan.bounds is None or state_of(plan.bounds, tally).verdict is Verdict.OPEN):
            status = _play_on(given, store, tally, elsewhere, part)
    if status:
        # What was at hand when it was stopped may be kept and not counted.
        tally = _counted(plan, folder)
        print(f"To go on: hearts-arena go-on {shlex.quote(str(folder))}")
    print()
    _report(given, plan, folder, tally)
    return status


def _elsewhere(given: argparse.Namespace, plan: Plan) -> AbstractContextManager[DaskWorkers | None]:
    return connect(given.on, plan, given.memory * _MEBIBYTE) if given.on else nullcontext()


def _play_on(
    given: argparse.Namespace,
    store: ResultStore,
    tally: Tally,
    elsewhere: DaskWorkers | None,
    part: Part = ALL,
) -> int:
    plan, names = store.plan, names_shown(store.plan)
    bounds = plan.bounds
    test = None if bounds is None else SequentialTest(bounds, moon_in(plan))
    manner = Manner.REDRAWN if sys.stderr.isatty() else Manner.LINES

    def news() -> str:
        if bounds is not None:
            return ratio_text(state_of(bounds, tally)).lower()
        return leading(names, leaders_of(tally))

    progress = ProgressLine(
        total=len(store.done) + store.left(part),
        done=len(store.done),
        manner=Manner.SILENT if given.quiet else manner,
        write=partial(print, end="", file=sys.stderr, flush=True),
        clock=time.monotonic,
        width=lambda: shutil.get_terminal_size().columns,
        news=news,
        open_end=bounds is not None,
    )
    run = Run(
        store,
        tally,
        given.jobs or usable_cores(),
        given.memory * _MEBIBYTE,
        progress.print,
        progress.add,
        lambda: test is not None and test.look(tally) is not Verdict.OPEN,
        given.wire_matches,
        elsewhere,
        part=part,
    )
    try:
        run.play()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        progress.end()
    return 0


def _report(given: argparse.Namespace, plan: Plan, folder: Path, tally: Tally) -> None:
    standings = standings_of(tally)
    today, ours = time.strftime("%Y-%m-%d"), program_version()
    moments = points_over_blocks(tally)
    if given.html is not None:
        page = html_page(standings, moments, date=today, version=ours)
        given.html.write_text(page, encoding="utf-8")
    if given.json is not None:
        text = export.json_text(standings, moments, date=today, version=ours)
        given.json.write_text(text, encoding="utf-8")
    if given.csv is not None:
        export.write_csv(given.csv, standings, tally, read_results(folder, plan))
    encoding = sys.stdout.encoding or "ascii"
    ascii = not encoding.lower().startswith("utf")
    for line in standings_lines(standings, width=shutil.get_terminal_size().columns, ascii=ascii):
        print(line.encode(encoding, "replace").decode(encoding))


def _print_precision(given: argparse.Namespace) -> None:
    plan = plan_of(given, given.pilot)
    check_players(plan)
    with (
        _elsewhere(given, plan) as elsewhere,
        tempfile.TemporaryDirectory(prefix="hearts-arena-") as folder,
    ):
        tally = Tally(plan, block_size(plan))
        with ResultStore(Path(folder) / "pilot", plan) as store:
            if _play_on(given, store, tally, elsewhere):
                raise KeyboardInterrupt
        standings = standings_of(tally)
    names = names_shown(plan)
    most = 0
    for first, row in enumerate(standings.head_to_head):
        for second, pilot in enumerate(row[:first]):
            if pilot is None or pilot.half_width is None:
                continue
            needed = blocks_needed(pilot, given.half_width)
            most = max(most, needed)
            low, high = range_of_blocks(list(tally.differences(first, second)), given.half_width)
            print(
                f"{names[first]} and {names[second]}: {grouped(low)} to {grouped(high)} deals for"
                f" ±{given.half_width:g} points per hand, {grouped(needed)} by Stein's rule"
            )
    if not most:
        raise HeartsError("no two players of this plan meet, so there is no difference to measure")
    print(f"So: --deals {most}, which are {grouped(most * block_size(plan))} matches.")
    print(
        f"The range is what {given.pilot} blocks can know, with 95%: more of them make it smaller."
    )


def _print_records(folder: Path, wanted: Sequence[int]) -> None:
    plan = read_plan(folder)
    if wanted:
        for number in wanted:
            if number >= count(plan):
                raise HeartsError(f"matches are numbered 0 to {count(plan) - 1}, not {number}")
            sys.stdout.write(record_with(folder, plan, number).text)
        return
    for record in game_records(folder, plan):
        sys.stdout.write(record.text)
