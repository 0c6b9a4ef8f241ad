"""What a table is, and how it says what is to be done."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from hearts.game.events import (
    Deal,
    Event,
    HandBegun,
    HandDealt,
    HandScored,
    OpenEvent,
)
from hearts.game.game import Game
from hearts.game.record import Record
from hearts.game.view import seen_by

from .ballot import Ballot
from .bound import Bound
from .effects import (
    Announce,
    Change,
    Changed,
    Effect,
    Ended,
    Persist,
    Show,
    Stopped,
    Tell,
    TellAll,
)
from .messages import (
    Setting,
)
from .moves import Moves
from .past import Past
from .seat import COMPUTER_NAMES, Kind
from .seats import Seats
from .steps import NewRules, Step, format_step
from .told import (
    DealDisclosed,
    TableEvent,
)


class TableCore:
    """The state of a table, and its effects in the order in which they are to be carried out."""

    def __init__(
        self,
        setting: Setting,
        players: Sequence[tuple[str, Kind]],
        next_deal: Callable[[], Deal],
        computer_names: Sequence[str] = COMPUTER_NAMES,
        most_hands: int = 0,
    ) -> None:
        """``players`` are the names and kinds of seats 0-3; ``next_deal`` gives each deal.

        ``computer_names`` are four or more, for computers that get a seat later. The session ends
        after ``most_hands``; 0 for no bound.
        """
        self.setting = setting
        self.seats = Seats(setting, players)
        self.past = Past(setting)
        self.ended = False
        """Whether it takes no more input."""
        self.game = Game(setting.rules, setting.end_score)
        self.is_complete = False
        """Whether the players were done, and the session ended as it should."""
        self._next_deal = next_deal
        self._bound = Bound(most_hands)
        self._promised: bytes | None = None
        self._cuts: dict[int, bytes] = {}
        self._moves = Moves(self.seats, computer_names)
        self._ballot: Ballot | None = None
        self._proposals = 0
        self._agreed: NewRules | None = None
        self._proposed: deque[str] = deque()
        self._draining = False
        self._effects: list[Effect] = []

    def record(self) -> Record:
        """The game under way as a record, as far as it went."""
        a, b, c, d = (seat.name for seat in self.seats)
        return Record(self.game.rules, self.game.end_score, (a, b, c, d), self.past.game_actions)

    @property
    def wake_at(self) -> float:
        """When the table wants a :class:`Tick` at the latest; it may be early, never late."""
        ballot = self._ballot
        return self.seats.wake_at if ballot is None else min(self.seats.wake_at, ballot.deadline)

    def is_deciding(self, player: int) -> bool:
        """Whether a choice of the player is made, and waits to be durable."""
        request = self.seats[player].request
        return request is not None and request.pending

    def _take_effects(self) -> list[Effect]:
        effects = self._effects
        self._effects = []
        return effects

    def _propose(self, step: Step) -> None:
        line = format_step(step)
        self._proposed.append(line)
        self._effects.append(Persist(line))

    def _tell(self, event: Event) -> None:
        game = self.game
        if isinstance(event, HandScored) and game.secret is not None:
            number = self.past.hands_scored() + 1
            self._tell_all(DealDisclosed(number, game.secret, game.cuts))
        if isinstance(event, HandScored) and event.winners:
            # GameScored says the same once it is stored who decides about another game.
            return
        if isinstance(event, OpenEvent):
            self._tell_all(event)
            return
        if isinstance(event, HandDealt):
            self._effects.append(Show(HandBegun(event.number, event.direction)))
        for player, seat in enumerate(self.seats):
            if seat.kind is Kind.CLIENT:
                seen = seen_by(event, player)
                if seen is not None:
                    self._effects.append(Tell(player, seen))

    def _tell_all(self, event: TableEvent) -> None:
        self._effects.append(TellAll(event))

    def _announce(self, text: str, about: int | None = None) -> None:
        self._effects.append(Announce(text, about))

    def _changed(self, player: int, change: Change) -> None:
        self._effects.append(Changed(player, change))

    def _end(self, why: str) -> None:
        self.ended = True
        self._effects.append(Ended(why))

    def _stop(self) -> None:
        self.ended = True
        self._effects.append(Stopped("the server shuts down"))
