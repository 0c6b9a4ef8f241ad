"""One table's place: session after session of independent clients, each judged at its end."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from tests.independent.client import Settings
from tests.independent.referee import Referee
from tests.independent.rules import Foul

from . import evidence
from .floor import Floor, PlayerStanding
from .player import Player

HEARTS = 1 << 4
OWN_RULES = 1 << 20
RULES = (
    0,
    OWN_RULES,
    OWN_RULES | 1 << 9 | 1 << 14,
    OWN_RULES | 1 << 8 | 1 << 11 | 1 << 13,
    OWN_RULES | 1 << 8 | 2 << 9 | 2 << 11 | 2 << 16,
    OWN_RULES | 2 << 9 | 1 << 15 | 1 << 18,
)
"""Bits of block -2: the host's rules, standard ones, and some with other moons and passes."""
JOURNAL_TRIES = 100


@dataclass(frozen=True, slots=True)
class TablePlan:
    """How tables are played."""

    end_score: int = 20
    again: int = 1
    computers: float = 0.2
    """The part of the tables that computers play at."""
    wrong: float = 0.01
    think: float = 0.0
    """Seconds that each choice takes at most; 0 for as fast as it goes."""
    password: str | None = None
    prefix: str = "soak"
    journal: Path | str | None = None
    """The server's, to compare with; None where it cannot be read."""
    strangers_every: float = 0.0
    """Seconds from one honest stranger at the public tables to the next; 0 for none."""
    stuck_after: float = 120.0
    """Seconds without a word at a table that waits for nobody, after which it counts as stuck."""


class Hall(Floor, Protocol):
    """Where tables stand."""

    plan: TablePlan
    is_closing: bool
    """Whether no new session is to begin."""

    def source(self, number: int) -> str:
        """The address of a client, in a network of its own; "" for any."""

    def complain(self, what: str) -> None:
        """Note something that must not happen."""

    def fault(self, what: str, table: TablePlace) -> None:
        """Note something that must not happen."""


class TablePlace:
    """Where one session follows another."""

    def __init__(self, hall: Hall, number: int, chance: random.Random) -> None:
        self.players: list[Player] = []
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
            settings = Settings(
                name=f"{self.name} {place}",
                process_id=chance.randrange(2**31),
                password=plan.password,
                table=self.name,
                options=(bits, plan.end_score, 0),
                again=plan.again if place == 0 else 0,
                wrong=plan.wrong,
                shooter=shooter,
                seed=chance.randrange(2**31),
                think_seconds=plan.think,
                think_chance=float(plan.think > 0),
            )
            source = hall.source(4 * self._number + place)
            by_page = hall.pages is not None and place % 2 == 1
            player = Player(hall, settings, chance, self._changed, source=source, by_page=by_page)
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
            self._judge()
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

    # At the end of a session

    def _judge(self) -> None:
        self._judging = True
        done = [player for player in self.players if player.standing is PlayerStanding.DONE]
        self._hall.count("seats lost at birth", len(self.players) - len(done))
        try:
            seats = {player.seat: player.joined.facts for player in done}
            report = Referee(seats, came_back=True).judge()
        except Foul as foul:
            self._fault(str(foul))
            return
        self._hall.count("games", report.games)
        self._compare(done, report.hands, JOURNAL_TRIES)

    def _compare(self, done: list[Player], hands: int, tries: int) -> None:
        journal = self._hall.plan.journal
        if journal is not None:
            ticket = done[0].ticket
            assert ticket is not None
            try:
                stored = evidence.load(journal, ticket.game)
                marks = evidence.check(stored, {p.seat: p.parts for p in done})
                if not evidence.is_complete(stored) or evidence.hands_of(stored) != hands:
                    raise Foul(f"{hands} hands were played, {evidence.hands_of(stored)} are stored")
            except evidence.UnreadableJournal as error:
                if not tries:
                    self._fault(f"the journal: {error}")
                    return
                self._hall.later(0.1, partial(self._compare, done, hands, tries - 1))
                return
            except Foul as foul:
                self._fault(str(foul))
                return
            for mark in evidence.MARKS:
                self._hall.count(f"by {mark}", marks[mark])
        self._hall.count("sessions")
        self.begin()
