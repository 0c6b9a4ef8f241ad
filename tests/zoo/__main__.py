"""The zoo as a command: ``python -m tests.zoo --port P``, against any server.

It prints what became of each kind of animal. `python -m tests.soak --attacks` measures how long
good tables wait meanwhile.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

import trio

from tests.bench.report import print_table

from .animals import Animal
from .cage import CageTally, Grounds
from .keeper import ANIMALS, ATTACKERS, HEADER, let_loose, rows


def _animals(names: str) -> list[Animal]:
    chosen = names.replace("attackers", ",".join(ATTACKERS)).split(",")
    for name in chosen:
        if name not in ANIMALS:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(ANIMALS)}")
    return [ANIMALS[name] for name in chosen]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.zoo", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the server (%(default)s)")
    parser.add_argument("--port", type=int, default=7626, help="its game port (%(default)s)")
    parser.add_argument(
        "--taunt-port", type=int, default=0, help="its taunt port; 0 leaves those animals out"
    )
    parser.add_argument(
        "--web-port", type=int, default=0, help="its page's port; 0 leaves those animals out"
    )
    parser.add_argument("--seconds", type=float, default=60, help="how long (%(default)s)")
    parser.add_argument(
        "--animals",
        type=_animals,
        default=list(ANIMALS.values()),
        help="names with commas, 'attackers' for all of these (all)",
    )
    parser.add_argument("--each", type=int, default=1, help="so many of each (%(default)s)")
    parser.add_argument(
        "--turn-limit",
        type=int,
        default=15,
        help="seconds that their tables ask for; 0 for the host's own (%(default)s)",
    )
    parser.add_argument(
        "--flood-rate", type=float, default=1e6, help="bytes a second of a flood (%(default)g)"
    )
    parser.add_argument(
        "--pace", type=float, default=1, help="of the attackers, times their rates (%(default)g)"
    )
    parser.add_argument("--nice", type=int, default=10, help="priority below others (%(default)s)")
    parser.add_argument("--list", action="store_true", help="tell what each animal does, and end")
    parser.add_argument("--wait", action="store_true", help=argparse.SUPPRESS)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    if given.list:
        for animal in given.animals:
            print(f"{animal.name}: {animal.does}")
        return 0
    os.nice(given.nice)
    grounds = Grounds(
        given.host,
        given.port,
        given.taunt_port,
        given.turn_limit,
        given.flood_rate,
        given.pace,
        given.web_port,
    )
    tallies: dict[str, CageTally] = {}
    begin = time.monotonic()
    trio.run(_run, grounds, given.animals, given.each, given.seconds, tallies, given.wait)
    seconds = time.monotonic() - begin
    print_table(f"The zoo, {given.each} of each for {seconds:.0f} s", HEADER, rows(tallies))
    print(f"\nThe zoo itself took {100 * time.process_time() / seconds:.0f} % of a core.")
    return 0


async def _run(
    grounds: Grounds,
    animals: Sequence[Animal],
    each: int,
    seconds: float,
    tallies: dict[str, CageTally],
    wait: bool,
) -> None:
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            if wait:
                nursery.start_soon(_end_with_input, nursery.cancel_scope)
                print("loose", flush=True)
            await let_loose(grounds, animals, each, tallies)


async def _end_with_input(scope: trio.CancelScope) -> None:
    # A thread, because standard input may be anything; it ends with the process.
    await trio.to_thread.run_sync(os.read, 0, 1, abandon_on_cancel=True)
    scope.cancel()


if __name__ == "__main__":
    sys.exit(main())
