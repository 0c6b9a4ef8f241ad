"""Plays matches of players that are asked by a call: no sockets, no clocks, nothing but the rules.

It is the game of a server's table (:mod:`hearts.game.kernel`, :mod:`hearts.game.scoring`), with the
same views, marks and stand-ins, and its records replay into the same game.
"""

from __future__ import annotations

import hashlib
import random
from functools import partial

from hearts.bots import Bot
from hearts.game.deal import deal_code
from hearts.game.scoring import Four
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match, MatchResult, result_of

from .called_seat import CalledSeat, UnderWay
from .faults import Complain, PlayerFault
from .in_process_match import InProcessMatch
from .players import OnWire, OwnClass, maker_of, players_of


def seeds_of(plan: Plan, match: Match) -> Four:
    """Return the seeds of the four players of a match.

    Eight bytes each of the SHA-256 of ``hearts-arena players 1 seed 5 match 7``, so they depend
    neither on the order of the matches nor on who plays what elsewhere.
    """
    text = f"hearts-arena players 1 seed {plan.seed} match {match.number}"
    digest = hashlib.sha256(text.encode()).digest()
    a, b, c, d = (int.from_bytes(digest[i : i + 8], "big") for i in range(0, 32, 8))
    return a, b, c, d


def where_text(plan: Plan, match: Match, number: int, *, told: bool = False) -> str:
    """Return a match and the deal of a hand, from 0 in its game; ``told`` names the hand as
    well.
    """
    hand = f"hand {number + 1}, " if told else ""
    code = deal_code(secret(plan, match, number - match.first_hand))
    return f"{hand}deal {code}, match {match.number}"


class MatchRunner:
    """Plays matches of a tournament, one after the other."""

    def __init__(self, plan: Plan, complain: Complain, under_way: UnderWay | None = None) -> None:
        """Raises BadPlayer for an entrant that cannot be had.

        Those that play over the wire may be in the plan, and in no match that is played here.
        """
        self._plan = plan
        self._complain = complain
        self.now = Match(0, 0, (0, 0, 0, 0)), 0
        """The match that is played, and the number of its hand in the game."""
        self._under_way: UnderWay = [0, 0, 0] if under_way is None else under_way
        players = players_of(plan)
        self._makers = {
            entrant: maker_of(player)
            for entrant, player in enumerate(players)
            if not isinstance(player, OnWire)
        }
        self._has_classes = any(isinstance(player, OwnClass) for player in players)
        self._names = [entrant.name for entrant in plan.entrants]
        self._kept: dict[tuple[int, int], Bot] = {}
        """Players that live on, by the entrant and by which of its seats of a match they have."""

    def play(self, match: Match, dead: frozenset[int] = frozenset()) -> MatchResult:
        """Play a match to its end.

        ``dead`` are seats whose players end the process that they play in: that counts as a crash,
        and a stand-in plays for them.
        """
        plan = self._plan
        under_way = self._under_way
        under_way[0] = match.number
        names = [self._names[entrant] for entrant in match.seats]
        moves: list[str] = []
        seeds = seeds_of(plan, match)
        if self._has_classes:
            # Classes may use the common source, which is to be the same in every process.
            random.seed(sum(seeds))
        seats = []
        for number, entrant in enumerate(match.seats):
            self.now = match, match.first_hand
            seat = CalledSeat(number, moves, under_way, partial(self._receive, entrant))
            seats.append(seat)
            if number in dead:
                seat.count_death()
                continue
            kept = self._kept.pop((entrant, match.seats[:number].count(entrant)), None)
            seat.sit_down(self._makers[entrant], seeds[number], kept)
            if kept is None:
                seat.notify("begin_tournament", len(plan.entrants), plan.game_end)
            seat.notify("begin_game", names, number)
        run = InProcessMatch(plan, seats, moves, under_way)
        number = match.first_hand
        while not run.winners:
            self.now = match, number
            run.play_hand(number, secret(plan, match, number - match.first_hand))
            number += 1
        self._keep_or_close(match, seats)
        record = "".join(moves) if plan.records else ""
        took = " ".join(run.took)
        return result_of(match, run.points, run.scores, run.winners, seats, record, took)

    def _keep_or_close(self, match: Match, seats: list[CalledSeat]) -> None:
        """Keep players that live on and have not raised; end the programs of all others."""
        for number, (entrant, seat) in enumerate(zip(match.seats, seats, strict=True)):
            if seat.bot is not None and self._plan.keeps_players:
                self._kept[entrant, match.seats[:number].count(entrant)] = seat.bot
            else:
                seat.close()

    def _receive(self, entrant: int, fault: PlayerFault) -> None:
        self._complain(entrant, fault.in_words(self.where(told=not fault.when)), fault.is_crash)

    def where(self, *, told: bool = True) -> str:
        """Return the match and the deal that are played now; ``told`` if the hand is to be named
        too.
        """
        match, number = self.now
        return where_text(self._plan, match, number, told=told)
