"""A journal that cannot write: play stands still, all are told, nothing acknowledged is lost."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from trio.testing import MockClock

from hearts.hosting.store import Done
from tests.independent.joined import told, up_to_scores
from tests.independent.plain_client import ClientHabits, Driver
from tests.independent.plain_client import OwnSession as Client
from tests.server.process import TIMEOUT, Process, port_of, running, until

from .house import HEARTS, HOST, house, options
from .ports import DyingJournal, ListeningChat

STILL = 0.7
"""Seconds without a byte after which a server that plays at once stands still."""


class StuckJournal(DyingJournal):
    """Stores nothing while it is stuck, as on a full disk."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck = False
        self._waiting: list[tuple[str, Done]] = []

    def append(self, line: str, durable: Done) -> None:
        self._waiting.append((line, durable))
        self.work()

    def work(self) -> None:
        while self._waiting and not self.stuck:
            super().append(*self._waiting.pop(0))


async def test_play_stands_still_while_nothing_can_be_stored(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = StuckJournal()
    chat = ListeningChat()
    async with house(tmp_path, "--turn-limit", "5", journal=journal, chat=chat) as made:
        caller = await made.guest(-2, *options("pass=never", computers=0b1110))
        await caller.seated()
        await caller.send(0, 0)
        await caller.numbers(5)
        hand = await caller.numbers(13)
        await caller.send(0, 0)
        assert await caller.number() == 0
        journal.stuck = True
        made.server.journal_trouble("disk full")
        stored = len(journal.lines)
        while await caller.silent(0.1) is False:
            pass
        assert await caller.silent(1000), "no clock runs out, and nobody hears of a choice"
        assert len(journal.lines) == stored
        assert len(hand) == 13
        journal.stuck = False
        journal.work()
        made.server.journal_trouble(None)
        assert not await caller.silent(10)
        assert len(journal.lines) > stored
        assert [text for text in chat.texts if text.startswith("the server")] == [
            "the server cannot save what is played: play pauses until it can",
            "the server can save again: play goes on",
        ]


JOURNALS = [
    ("full", "0"),
    # What is played is written two seconds later, so a game has to last longer than that.
    pytest.param("normal", "0.06", marks=pytest.mark.heavy),
]
"""Values of ``--journal`` and of ``--bot-pause``."""


@contextmanager
def playing(said: dict[str, str], client: Client) -> Iterator[Driver]:
    address = (HOST, port_of(said))
    with socket.create_connection(address, timeout=TIMEOUT) as connection:
        driver = Driver(client.talk(), connection)
        while len(client.facts) < 20:
            driver.run(1)
        connection.settimeout(STILL)
        yield driver


def fill_disk(process: Process) -> None:
    """Let no file of the process grow."""
    _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, most))


def free_disk(process: Process) -> None:
    _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))


SETTINGS = ClientHabits(options=(HEARTS | 0b1110, 30, 0), process_id=5)


def play_until_full(process: Process, driver: Driver) -> None:
    fill_disk(process)
    with pytest.raises(TimeoutError):
        driver.run()
    until(process, "journal-failing")


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits another process on Linux")
@pytest.mark.parametrize(("journal", "pause"), JOURNALS)
def test_a_real_server_keeps_what_it_acknowledged_and_goes_on_when_the_disk_has_room_again(
    tmp_path: Path, journal: str, pause: str
) -> None:
    before = Client(SETTINGS)
    words = ("--bot-pause", pause, "--log-level", "warning", "--journal", journal)
    with running(tmp_path, *words) as (process, said), playing(said, before) as driver:
        play_until_full(process, driver)
        process.kill()
    after = Client(SETTINGS, before.ticket)
    with running(tmp_path, *words) as (process, said), playing(said, after) as driver:
        play_until_full(process, driver)
        free_disk(process)
        until(process, "journal-works-again")
        assert driver.run() is False
    known, again = told(before.facts), told(after.facts)
    unscored = known[len(up_to_scores(known)) :]
    assert len(unscored) > 5
    assert again[: len(unscored)] == unscored
    assert after.facts[-2].kind == "new game"
