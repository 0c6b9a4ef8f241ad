"""Many tables of independent clients in one process, on one thread."""

from __future__ import annotations

import heapq
import itertools
import json
import random
import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.independent.plain_client import ClientHabits
from tests.zoo.cage import good_address

from .figures import bucket
from .plan import Drop, PlayerStanding, TablePlan
from .player import SoakSeat
from .public import PublicTables, StrangersTable
from .soak_table import TablePlace
from .strangers import Strangers

MOST_FAULTS = 20
"""Faults that are told in words; the rest are counted."""
_PROGRESS_CHECK = 5.0
_LONGEST_WAIT = 0.1


class Hall:
    """Runs tables until they are told to end."""

    def __init__(
        self,
        address: tuple[str, int],
        plan: TablePlan,
        tables: range,
        *,
        seed: int = 0,
        drops_per_minute: float = 0.0,
        faults: Path | None = None,
        beside: Hall | None = None,
    ) -> None:
        """``tables`` are the numbers of its tables; ``faults`` is a dir for what went wrong.

        ``beside`` is a hall whose steps are those of this one too.
        """
        self.selector: selectors.BaseSelector = selectors.DefaultSelector()
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._has_own_steps = beside is None
        if beside is not None:
            self.selector.close()
            self.selector = beside.selector
            self._timers, self._order = beside._timers, beside._order
        self.address = address
        self.plan = plan
        self.is_closing = False
        self.holds_strangers = False
        self.counts: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
        """How long choices waited for their statuses, since this was looked at last."""
        self.waits: list[tuple[str, float]] = []
        """Who was let in, and the seconds that it took, since this was looked at last."""
        self.faults: list[str] = []
        self.limbo: list[socket.socket] = []
        """Half-open connections."""
        self._faults_dir = faults
        self._chance = random.Random(f"{seed} {tables}")
        self._drops_per_second = drops_per_minute / 60
        public = tables[: round(len(tables) * plan.public)]
        self.places: list[TablePlace | PublicTables] = [
            TablePlace(self, number, random.Random(f"{seed} {number}"))
            for number in tables[len(public) :]
        ]
        if public:
            self.places.append(PublicTables(self, public, random.Random(f"{seed} public")))
        for n, place in enumerate(self.places):
            self.later(n * 0.005, place.begin)
        self.later(_PROGRESS_CHECK, self._check_progress)
        self._strangers: Strangers | None = None
        if plan.strangers_every:
            first = 5000 * (tables.start > 0)
            self._strangers = Strangers(self, plan.strangers_every, first, self._chance)
        if drops_per_minute:
            self._plan_drop()

    @property
    def is_over(self) -> bool:
        return self.is_closing and all(place.is_idle for place in self.places)

    @property
    def players(self) -> list[SoakSeat]:
        return [player for place in self.places for player in place.players]

    @property
    def is_hasty(self) -> bool:
        """At the end nobody thinks any more."""
        return self.is_closing

    @property
    def longest_refused(self) -> float:
        """Seconds for which somebody has been refused who still is."""
        players = self.players + (self._strangers.players if self._strangers else [])
        now = time.monotonic()
        return max((now - one.refused_since for one in players if one.refused_since), default=0.0)

    @property
    def has_newcomers(self) -> bool:
        return any(player.standing is PlayerStanding.COMING for player in self.players)

    def close_doors(self) -> None:
        self.is_closing = True

    def close(self) -> None:
        """Let go of every connection."""
        for player in self.players + (self._strangers.players if self._strangers else []):
            player.give_up()
        for left in self.limbo:
            left.close()
        if self._has_own_steps:
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
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._order), call))

    def count(self, what: str, more: float = 1) -> None:
        self.counts[what] += more  # type: ignore[assignment]

    def answered(self, seconds: float) -> None:
        """Note how long a choice waited for its status."""
        self.answers[bucket(seconds)] += 1

    def let_in(self, kind: str, seconds: float) -> None:
        """Note how long somebody was refused or waited before they had their seat."""
        self.waits.append((kind, seconds))

    def settings(self, chance: random.Random, name: str, options: tuple[int, int]) -> ClientHabits:
        """How a client plays at a table with these bits and this end."""
        plan = self.plan
        return ClientHabits(
            name=name,
            process_id=chance.randrange(2**31),
            password=plan.password,
            options=(*options, 0),
            seed=chance.randrange(2**31),
            think_seconds=plan.think,
            think_chance=float(plan.think > 0),
        )

    def source(self, number: int) -> str:
        """The address of a client, in a network of its own; "" for any."""
        own = self.address[0].startswith("127.") and sys.platform == "linux"
        return good_address(number) if own else ""

    def complain(self, what: str) -> None:
        """Note something that must not happen."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(what)

    def fault(self, what: str, table: TablePlace | StrangersTable) -> None:
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
