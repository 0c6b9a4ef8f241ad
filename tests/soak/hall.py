"""Many tables of independent clients in one process, on one thread."""

from __future__ import annotations

import heapq
import itertools
import json
import random
import selectors
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .player import Drop, Player, Standing
from .table import Plan, TablePlace

MOST_FAULTS = 20
"""Faults that are told in words; the rest are counted."""
_PROGRESS_CHECK = 5.0
_LONGEST_WAIT = 0.1


class Hall:
    """Runs tables until they are told to end."""

    def __init__(
        self,
        address: tuple[str, int],
        plan: Plan,
        tables: range,
        *,
        seed: int = 0,
        drops_per_minute: float = 0.0,
        faults: Path | None = None,
    ) -> None:
        """``tables`` are the numbers of its tables; ``faults`` is a dir for what went wrong."""
        self.selector: selectors.BaseSelector = selectors.DefaultSelector()
        self.address = address
        self.plan = plan
        self.is_closing = False
        self.counts: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.faults: list[str] = []
        self._faults_dir = faults
        self._chance = random.Random(f"{seed} {tables}")
        self._drops_per_second = drops_per_minute / 60
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self.places = [
            TablePlace(self, number, random.Random(f"{seed} {number}")) for number in tables
        ]
        for n, place in enumerate(self.places):
            self.later(n * 0.005, place.begin)
        self.later(_PROGRESS_CHECK, self._check_progress)
        if drops_per_minute:
            self._plan_drop()

    @property
    def is_over(self) -> bool:
        """Whether every session has ended and none is to begin."""
        return self.is_closing and all(place.is_idle for place in self.places)

    @property
    def players(self) -> list[Player]:
        """Those of the sessions under way."""
        return [player for place in self.places for player in place.players]

    @property
    def has_newcomers(self) -> bool:
        """Whether a client is registering at a table that has not begun."""
        return any(player.standing is Standing.COMING for player in self.players)

    def close_doors(self) -> None:
        """Let no new session begin."""
        self.is_closing = True

    def close(self) -> None:
        """Let go of every connection."""
        for player in self.players:
            player.give_up()
        self.selector.close()

    def step(self) -> None:
        """Do what is due, or wait a moment for it."""
        now = time.monotonic()
        wait = min(_LONGEST_WAIT, max(0.0, self._timers[0][0] - now)) if self._timers else 0.1
        for key, _ in self.selector.select(wait):
            # Whatever an earlier one of them did may have closed this one.
            if self.selector.get_map().get(key.fd) is key:
                key.data()
        now = time.monotonic()
        while self._timers and self._timers[0][0] <= now:
            heapq.heappop(self._timers)[2]()

    # For the tables and their players

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something after a while."""
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._order), call))

    def count(self, what: str, more: float = 1) -> None:
        """Count something that happened."""
        self.counts[what] += more  # type: ignore[assignment]

    def fault(self, what: str, table: TablePlace) -> None:
        """Note something that must not happen, and keep what the clients saw."""
        if len(self.faults) >= MOST_FAULTS:
            return
        self.faults.append(what)
        if self._faults_dir is not None:
            self._faults_dir.mkdir(parents=True, exist_ok=True)
            seen = [
                {
                    "standing": player.standing.name,
                    "ticket": player.ticket,
                    "parts": [(part.hands, part.facts) for part in player.parts],
                }
                for player in table.players
            ]
            file = self._faults_dir / f"{table.name}.json"
            file.write_text(json.dumps({"what": what, "players": seen}, default=str))

    # On its own

    def _check_progress(self) -> None:
        for place in self.places:
            place.check_progress()
        self.later(_PROGRESS_CHECK, self._check_progress)

    def _plan_drop(self) -> None:
        self.later(self._chance.expovariate(self._drops_per_second), self._drop)

    def _drop(self) -> None:
        playing = [player for player in self.players if player.is_playing]
        if playing and not self.is_closing:
            self._chance.choice(playing).drop(self._chance.choice(list(Drop)))
        self._plan_drop()
