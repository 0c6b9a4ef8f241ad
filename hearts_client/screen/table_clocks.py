"""The clocks of a table on the screen: what is left to choose, to wait, and until it begins."""

from __future__ import annotations

from math import ceil, inf

import trio

from hearts.dealer.client_events import DealerEvent
from hearts.session.client_events import ChoiceTerms, ConnectionLost, YourChoice
from hearts.session.table_words import Waiting
from hearts_client.session.own_limit import OwnLimit

_PATIENCE = 3.0
"""Seconds after which it is shown for how long somebody has been waited for."""


class TableClocks:
    """Hears events as they come, and knows the times that follow from them, in whole seconds."""

    def __init__(self) -> None:
        self._own = OwnLimit()
        self._deadline = inf
        self._forms_by = inf
        self._asked_at = 0.0

    def hear(self, event: DealerEvent, me: int) -> None:
        """Something has happened; ``me`` is the person's seat."""
        now = trio.current_time()
        self._own.hear(event, me)
        match event:
            case ChoiceTerms(left=left):
                self._deadline = inf if left is None else now + left / 1000
            case YourChoice() if self._deadline == inf and self._own.seconds:
                # The plain dialect does not tell what is left.
                self._deadline = now + self._own.seconds
            case ConnectionLost():
                self._deadline = inf
            case Waiting(None, _, _, left):
                self._forms_by = inf if left is None else now + left / 1000

    @property
    def is_short(self) -> bool:
        """Whether the person has been late before, and has less time for that."""
        return self._own.is_short

    def asked(self, ago: float = 0.0) -> None:
        """Somebody else is waited for now; he was asked some seconds ago."""
        self._asked_at = trio.current_time() - ago

    def chosen(self) -> None:
        """The person has chosen."""
        self._deadline = inf

    def ends_within(self, seconds: float) -> bool:
        """Whether the person has less time than that."""
        return self._deadline - trio.current_time() < seconds

    @property
    def left(self) -> int | None:
        """What the person has left to choose; None without a limit."""
        return _until(self._deadline)

    @property
    def bank(self) -> int | None:
        """What is left of the bank of the hand, while the person uses it."""
        bank = self._own.bank
        return None if bank is None else ceil(bank)

    @property
    def waited(self) -> int | None:
        """How long somebody has been waited for; None while it is not worth a word."""
        waited = int(trio.current_time() - self._asked_at)
        return waited if waited >= _PATIENCE else None

    @property
    def until_it_begins(self) -> int | None:
        """What is left until computers take the free seats; None if they do not."""
        return _until(self._forms_by)


def _until(deadline: float) -> int | None:
    return None if deadline == inf else max(ceil(deadline - trio.current_time()), 0)
