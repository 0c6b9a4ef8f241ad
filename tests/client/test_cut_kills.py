"""hearts-client killed around the showing of its number, and what another one shows for it."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hearts.game.deal import deal_code
from hearts.session.own_cuts import OwnCuts
from hearts_client.session.saved import read_all
from hearts_server.config import JOURNAL_FILE
from hearts_server.journal.lines import line_checksum
from hearts_server.journal.sqlite import file_archive

from .programs import CLIENT, LIMIT, free_port, read_until, served, start
from .test_resume import state as state

# Dies between the storing of the promise and the showing of the number.
DIES = """
import os, signal, sys
from hearts.dealer.client import DealerSession
from hearts_client.commands.main import main
DealerSession.show_cut = lambda session: os.kill(os.getpid(), signal.SIGKILL)
sys.exit(main())
"""
PASSES = "Type the three cards"


class Place:
    """A data dir, and the servers that play on it one after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()

    def server(
        self, *arguments: str
    ) -> contextlib.AbstractContextManager[tuple[subprocess.Popen[str], str]]:
        return served(self._folder, "--pause-limit", "600", *arguments, port=self.port)

    @property
    def lines(self) -> list[str]:
        with contextlib.closing(file_archive(self._folder / JOURNAL_FILE)) as journal:
            return list(journal.session(1).lines)

    def promise_another(self) -> None:
        """Change the promise that is stored."""
        _, _, *hashes = self.lines[0].split(" ")
        line = " ".join(["promise", deal_code(bytes(16)), *hashes])
        with contextlib.closing(sqlite3.connect(self._folder / JOURNAL_FILE)) as journal, journal:
            changed = journal.execute(
                "UPDATE lines SET line = ?, checksum = ? WHERE game_number = 1 AND number = 0",
                (line, line_checksum(1, 0, line)),
            )
            assert changed.rowcount == 1


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "server")


def cuts_saved(state: Path) -> OwnCuts:
    """What is saved of our cuts."""
    ((saved,), problems) = read_all(state)
    assert not problems
    assert saved.progress.cuts is not None
    return saved.progress.cuts


def number_of(own: OwnCuts) -> str:
    return own.value_for(own.held[-1].promise).hex()


def die_at_the_showing(place: Place, state: Path) -> OwnCuts:
    """Sit down, hear of a deal, and be killed before the number is shown."""
    game = [f"127.0.0.1:{place.port}", "--name", "Ann", "--taunt-port", "0", "--computers", "3"]
    with start([sys.executable, "-c", DIES, *game]) as process:
        assert process.wait(LIMIT) == -signal.SIGKILL
    own = cuts_saved(state)
    assert own.is_open, "the number counts as shown"
    return own


def read_of_the_deal(process: subprocess.Popen[str]) -> str:
    """Play the first cards that can be played; what is said of the deal when its hand is over."""
    assert process.stdin is not None
    assert process.stdout is not None
    for line in process.stdout:
        if "eal 1 (" in line:
            return line.rstrip()
        typed = "1 2 3" if line.startswith(PASSES) else "1" if "You can" in line else ""
        if typed:
            process.stdin.write(f"{typed}\n")
            process.stdin.flush()
    raise AssertionError("the hand is not over")


def test_the_same_number_is_shown_for_the_same_promise(place: Place, state: Path) -> None:
    with place.server("--turn-limit", "0") as (server, _):
        own = die_at_the_showing(place, state)
        server.kill()
    (promise,) = place.lines
    assert own.next_hash.hex() not in promise
    with place.server("--turn-limit", "0"):
        with start([*CLIENT, "--resume"]) as process:
            read_until(process, PASSES)
            process.kill()
        assert cuts_saved(state) == own
        with start([*CLIENT, "--resume"]) as process:
            assert read_of_the_deal(process).endswith("nobody chose it.")
            process.kill()
    assert place.lines[0] == promise
    deal = place.lines[1].split(" ")
    assert number_of(own) in deal
    assert deal[1] == promise.split(" ")[1]


def test_none_is_shown_for_another_promise(place: Place, state: Path) -> None:
    with place.server("--turn-limit", "2"):
        own = die_at_the_showing(place, state)
    place.promise_another()
    with place.server(), start([*CLIENT, "--resume"]) as process:
        said = read_of_the_deal(process)
        process.kill()
    assert said.endswith("it was promised twice, and the promises differ.")
    assert not any(number_of(own) in line for line in place.lines)
    assert [each.is_spoiled for each in cuts_saved(state).held] == [True]
