"""Strangers who play at public tables to the end, with whoever sits there; each table is judged."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from .judge import judge
from .plan import FULL, HEARTS, RULES, PlayerStanding
from .player import SoakSeat

if TYPE_CHECKING:
    from .hall import Hall

_EVERY = 0.1
"""Seconds from the strangers of one table to those of the next."""
_PATIENT = FULL | {-104}
"""A table may begin while one still registers."""


class StrangersTable:
    """The strangers who have met at one table."""

    def __init__(self, game: int) -> None:
        self.name = f"public game {game}"
        self.players: list[SoakSeat] = []
        self.is_judged = False


class PublicTables:
    """Four strangers come for each table, and again when one has ended; who meets is chance."""

    def __init__(self, hall: Hall, numbers: range, chance: random.Random) -> None:
        """``numbers`` are those of the tables, for the addresses of four players each."""
        self._hall = hall
        self._chance = chance
        self._coming: dict[SoakSeat, None] = {}
        """Those who have heard of no table yet."""
        self._tables: dict[int, StrangersTable] = {}
        self._sources = [4 * number + place for number in numbers for place in range(4)]
        self._source_of: dict[SoakSeat, int] = {}
        self._free = 0
        """Places whose stranger has left, and that are nobody's yet."""
        self._count = 0

    @property
    def players(self) -> list[SoakSeat]:
        return [*self._coming, *(each for t in self._tables.values() for each in t.players)]

    @property
    def is_idle(self) -> bool:
        return self._hall.is_closing and not self._coming and not self._tables

    def begin(self) -> None:
        """Let the strangers of all tables come, those of one after those of another."""
        self._free = len(self._sources)
        self._come()

    def _come(self) -> None:
        if self._hall.is_closing:
            return
        # A crowd that comes at once, or with those who come back, is not kept waiting for others:
        # each of it would get a table of their own.
        is_calm = not any(player.is_away for player in self.players)
        if self._free >= 4 and is_calm and not self._hall.holds_strangers:
            self._free -= 4
            for _ in range(4):
                self._begin()
        self._hall.later(_EVERY, self._come)

    def check_progress(self) -> None:
        """Note a fault if nothing happens any more at a table."""
        limit = time.monotonic() - self._hall.plan.stuck_after
        for game, table in list(self._tables.items()):
            if not table.is_judged and max(player.moved for player in table.players) < limit:
                self._fault(game, table, "nothing happens any more")

    def _begin(self) -> None:
        hall, plan, chance = self._hall, self._hall.plan, self._chance
        self._count += 1
        source = self._sources.pop(0)
        settings = replace(
            # Those of whoever opens the table count.
            hall.settings(
                chance,
                f"{plan.prefix} stranger {self._count}",
                (HEARTS | chance.choice(RULES), plan.end_score),
            ),
            again=plan.again if chance.random() < 0.25 else 0,
            wrong=plan.wrong,
        )
        player: SoakSeat = SoakSeat(
            *(hall, settings, chance, lambda: self._changed(player)),
            source=hall.source(source),
            patient=_PATIENT,
        )
        self._source_of[player] = source
        self._coming[player] = None
        player.connect()

    def _changed(self, player: SoakSeat) -> None:
        standing, ticket = player.standing, player.ticket
        if player in self._coming and (ticket is not None or standing is not PlayerStanding.COMING):
            del self._coming[player]
            if ticket is not None:
                table = self._tables.setdefault(ticket.game, StrangersTable(ticket.game))
                player.counts_hands = not table.players
                table.players.append(player)
        if ticket is None:
            if standing is PlayerStanding.UNSEATED:
                # Nobody knows whether their table began.
                self._hall.count("tables not begun")
                self._let_go(player)
            elif standing is not PlayerStanding.COMING:
                self._hall.complain(f"a stranger: {player.trouble}")
                self._let_go(player)
            return
        table = self._tables[ticket.game]
        standings = {each.standing for each in table.players}
        if table.is_judged:
            return
        if PlayerStanding.WRONG in standings or PlayerStanding.LOST in standings:
            why = "; ".join(each.trouble for each in table.players if each.trouble)
            self._fault(ticket.game, table, why)
        elif standings == {PlayerStanding.DONE}:
            table.is_judged = True
            judge(
                self._hall,
                table.players,
                lambda: self._again(ticket.game),
                lambda why: self._fault(ticket.game, table, why),
            )

    def _fault(self, game: int, table: StrangersTable, what: str) -> None:
        table.is_judged = True
        for player in table.players:
            player.give_up()
        self._hall.count("sessions out of step")
        self._hall.fault(f"{table.name}: {what}", table)
        self._again(game)

    def _again(self, game: int) -> None:
        table = self._tables.pop(game)
        self._hall.count(f"public tables with {len(table.players)} people")
        for player in table.players:
            self._let_go(player)

    def _let_go(self, player: SoakSeat) -> None:
        """Their place is another stranger's, when there are four."""
        self._sources.append(self._source_of.pop(player))
        self._free += 1
