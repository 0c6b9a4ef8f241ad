"""One table's place: session after session of independent clients, each judged at its end."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from .judge import judge
from .plan import HEARTS, RULES, PlayerStanding
from .player import SoakSeat

if TYPE_CHECKING:
    from .hall import Hall


class TablePlace:
    """Where one session follows another."""

    def __init__(self, hall: Hall, number: int, chance: random.Random) -> None:
        self.players: list[SoakSeat] = []
        self.is_idle = True
        self.name = ""
        self._hall = hall
        self._number = number
        self._chance = chance
        self._count = 0
        self._judging = False

    def begin(self) -> None:
        """Let the next session begin, unless none is to begin any more."""
        hall, plan, chance = self._hall, self._hall.plan, self._chance
        self.is_idle = hall.is_closing
        if self.is_idle:
            return
        self.players = []
        self._judging = False
        self._count += 1
        self.name = f"{plan.prefix} {self._number} {self._count}"
        people = chance.randint(1, 3) if chance.random() < plan.computers else 4
        bits = HEARTS | chance.choice(RULES) | sum(1 << player for player in range(people, 4))
        shooter = chance.choice([None, None, 0, 1])
        for place in range(people):
            settings = replace(
                hall.settings(chance, f"{self.name} {place}", (bits, plan.end_score)),
                table=self.name,
                again=plan.again if place == 0 else 0,
                wrong=plan.wrong,
                shooter=shooter,
            )
            source = hall.source(4 * self._number + place)
            player = SoakSeat(hall, settings, chance, self._changed, source=source)
            player.counts_hands = place == 0
            self.players.append(player)
        for player in self.players:
            player.connect()

    def check_progress(self) -> None:
        """Note a fault if nothing happens any more."""
        if self.is_idle or not self.players or self._judging:
            return
        latest = max(player.moved for player in self.players)
        if time.monotonic() - latest > self._hall.plan.stuck_after:
            self._fault("nothing happens any more")

    def _changed(self) -> None:
        standings = {player.standing for player in self.players}
        if self._judging:
            return
        if PlayerStanding.WRONG in standings or PlayerStanding.LOST in standings:
            self._fault("; ".join(p.trouble for p in self.players if p.trouble))
        elif standings == {PlayerStanding.UNSEATED}:
            # Nobody has heard of the table, so nobody can know whether it began.
            self._hall.count("tables not begun")
            self._again()
        elif standings <= {PlayerStanding.UNSEATED, PlayerStanding.COMING}:
            for player in self.players:
                player.give_up()
            self._hall.count("tables not begun")
            self._again()
        elif standings <= {PlayerStanding.DONE, PlayerStanding.UNSEATED}:
            self._judging = True
            done = sum(player.standing is PlayerStanding.DONE for player in self.players)
            self._hall.count("seats lost at birth", len(self.players) - done)
            judge(self._hall, self.players, self.begin, self._fault)
        elif PlayerStanding.UNSEATED in standings and PlayerStanding.COMING in standings:
            # The table has begun, so whoever has not heard of it never will.
            for player in self.players:
                if player.standing is PlayerStanding.COMING:
                    player.give_up()

    def _again(self) -> None:
        self._judging = True
        self._hall.later(self._chance.uniform(0.02, 0.1), self.begin)

    def _fault(self, what: str) -> None:
        for player in self.players:
            player.give_up()
        self._hall.count("sessions out of step")
        self._hall.fault(f"{self.name}: {what}", self)
        self._again()
