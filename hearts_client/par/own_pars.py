"""The pars of a session, told hand by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hearts.bots.swift.par import Par
from hearts_client.session.own_record import OwnRecord
from hearts_client.session.replay import HandReplay, latest_replay

from .par_words import NO_PAR, against_line, against_par, par_line
from .pars import Reckon


class OwnPars:
    """The hands that a person plays in one session, against their pars."""

    def __init__(
        self, record: OwnRecord, reckon: Reckon, tell: Callable[[int, list[str]], None]
    ) -> None:
        """``tell`` gets the number, from 1, of a hand that is over, and lines about it."""
        self._record = record
        self._reckon = reckon
        self._tell = tell
        self._last = 0
        """The last deal that was asked about."""
        self._against: dict[int, float] = {}
        """Points less the par, by the deal."""

    def look(self, is_past: bool) -> None:
        """Ask for the par of the last hand, if it is over and its deal is known now.

        ``is_past`` says that its end is only told of once more, so nobody waits for it.
        """
        hands = self._record.disclosed_hands()
        if not hands or hands[-1][1].number <= self._last:
            return
        self._last = hands[-1][1].number
        replay = None if is_past else latest_replay(self._record)
        if replay is not None:
            self._reckon(replay, partial(self._receive, replay, self._last))

    def _receive(self, hand: HandReplay, deal: int, par: Par | None) -> None:
        if hand.own is None or hand.points is None:
            return
        if par is None:
            self._tell(hand.number, [NO_PAR])
            return
        taken = hand.points[hand.own]
        self._against[deal] = taken - par.mean(hand.own)
        lines = [par_line(par, hand.own, hand.number, taken)]
        if len(self._against) > 1:
            lines.append(against_line(against_par(list(self._against.values()))))
        self._tell(hand.number, lines)
