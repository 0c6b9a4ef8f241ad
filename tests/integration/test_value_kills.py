"""A real server killed between the promise of a deal and the end of its hand.

Each client stores the promise before it shows its value, and the test says when it may go on.
Kills at the writes of a promise and of a deal are in test_dealer_every_write.py.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.game.events import YourHand
from hearts.session.client_events import DealChecked, DealerEvent, Fairness
from hearts.session.messages import Options, Scores
from hearts.session.own_cuts import OwnCuts
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction, Waiting
from hearts.table.effects import DealDisclosed
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import play_out
from hearts_server.config import JOURNAL_FILE
from hearts_server.journal.sqlite import file_archive
from tests.soak.soak_server import server

from .house import HOST, NAMES

CUTTERS = 3
LIMIT = 120
WHO = Introduction(cuts=True)


class ValueCutter:
    """A client that shows its value when it may."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.kept: list[OwnCuts] = []
        """What was to be stored each time before the value was shown."""
        self.events: list[DealerEvent] = []
        self._may_show = trio.Event()

    async def play(self, port: int) -> None:
        options = Options(frozenset([3])) if self.player == 0 else None
        async with connect(
            *(HOST, port),
            name=NAMES[self.player],
            table="the killed",
            options=options,
            dialect=Dialect.DEALER,
            introduction=WHO,
        ) as client:
            client.keep = self._keep
            await play_out(SimpleBot(), client, on_event=self.events.append)

    async def _keep(self, progress: ResumeToken) -> bool:
        assert progress.cuts is not None
        self.kept.append(progress.cuts)
        await self._may_show.wait()
        return True

    def show(self) -> None:
        """Show the value, now and if it is asked for again."""
        self._may_show.set()

    def all_of(self, kind: type) -> list[DealerEvent]:
        return [event for event in self.events if isinstance(event, kind)]


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - nobody tells of it
        await trio.sleep(0.01)


@pytest.mark.parametrize(
    "shown", [1, *(pytest.param(shown, marks=pytest.mark.heavy) for shown in (0, 2))]
)
async def test_values_are_shown_again_and_the_deal_keeps_its_promise(
    shown: int, tmp_path: Path
) -> None:
    """The server dies when so many values have come, and again in the hand."""
    cutters = [ValueCutter(player) for player in range(CUTTERS)]
    arguments = ("--end-score", "1", "--turn-limit", "0", "--pause-limit", "600")
    with server(tmp_path, *arguments) as process, trio.fail_after(LIMIT):
        process.begin()
        process.wait_ready()
        async with trio.open_nursery() as nursery:
            for cutter in cutters:
                nursery.start_soon(cutter.play, process.port)
                await until(partial(any, cutter.events))
            await until(lambda: all(cutter.kept for cutter in cutters))
            for cutter in cutters[:shown]:
                cutter.show()
            if shown:
                rest = tuple(range(shown, CUTTERS))
                await until(lambda: is_waited_for(cutters[0], rest))
            process.kill()
            process.begin()
            process.wait_ready()
            for cutter in cutters:
                cutter.show()
            await until(lambda: all(cutter.all_of(YourHand) for cutter in cutters))
            process.kill()
            process.begin()
            process.wait_ready()
        process.terminate()
        process.wait_ended()
        assert process.errors() == []
    for cutter in cutters:
        assert len(cutter.kept) == 2
        own = cutter.kept[0]
        assert cutter.kept == [own] * len(cutter.kept)
        told = cutter.all_of(DealDisclosed)[-1]
        assert isinstance(told, DealDisclosed)
        assert told.shown is not None
        assert told.shown.values[cutter.player] == own.value_for(own.held[-1].promise)
        assert told.shown.missing == ()
        checked = cutter.all_of(DealChecked)[-1]
        assert isinstance(checked, DealChecked)
        assert (checked.problem, checked.fairness) == (None, Fairness.NOBODY)
    ends = [event for cutter in cutters for event in cutter.all_of(Scores)]
    assert len(ends) == CUTTERS
    assert len({event.scores for event in ends if isinstance(event, Scores)}) == 1
    with contextlib.closing(file_archive(tmp_path / JOURNAL_FILE)) as journal:
        kinds = [line.split(" ")[0] for line in journal.session(1).lines]
    assert kinds.count("promise") == kinds.count("deal") == 1


def is_waited_for(cutter: ValueCutter, players: tuple[int, ...]) -> bool:
    """Tell whether a client was told that exactly these are waited for."""
    last = next(iter(reversed(cutter.all_of(Waiting))), None)
    return isinstance(last, Waiting) and last.players == players
