"""The rows of a node in memory, for a node without a database."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_server.journal.store import StoreTrouble
from hearts_server.standby.membership import Beaten, Fence, Peer


class MemoryRows:
    """One life, and the others that the test has put beside it."""

    def __init__(self, life: int = 1, others: Sequence[Peer] = ()) -> None:
        self.life = life
        self.others = list(others)
        self.active = others[0].life if others else 0
        self.is_away = False
        self.waits_for = ""

    def beat(self, sent: float) -> Beaten:
        self._look()
        return Beaten(sent, list(self.others), self.active)

    def fence(self, act: Fence) -> bool:
        self._look()
        if not self.waits_for:
            self.others = [peer for peer in self.others if peer.life != act.life]
        return not self.waits_for

    def take_over(self) -> bool:
        self._look()
        if self.active not in {peer.life for peer in self.others}:
            self.active = self.life
        return self.active == self.life

    def end(self) -> None:
        self._look()

    def _look(self) -> None:
        if self.is_away:
            raise StoreTrouble("no connection")
