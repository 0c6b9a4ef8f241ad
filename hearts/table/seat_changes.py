"""Seats that are to change hands before the next hand is dealt (DealerSpec.md section 14.8)."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.wire.text import quoted

from .effects import Change
from .outbox import Outbox
from .seat import Kind, Seat
from .seats import Seats
from .steps import SeatChange


class SeatChanges:
    """The changes that are asked for, at most one a seat."""

    __slots__ = (
        "_changes", "_computer_names", "_opened", "_outbox", "_seats", "_under_way", "_wanted",
    )  # fmt: skip

    def __init__(self, seats: Seats, computer_names: Sequence[str], outbox: Outbox) -> None:
        """``computer_names`` are four or more, to be taken in their order."""
        self._seats = seats
        self._outbox = outbox
        self._computer_names = computer_names
        self._changes: dict[int, SeatChange] = {}
        self._opened: set[int] = set()
        """The seats that are to be open once a computer has them."""
        self._wanted: dict[tuple[int, bool], set[int]] = {}
        """Who wants to give away the seat of a client who is away, by whether it is open then."""
        self._under_way = 0
        """How many changes are stored and not yet durable."""

    def give_away(self, seat: int, asker: int, now: float, *, opens: bool) -> bool:
        """Give the seat of a client who is out of grace to a computer, and open it then, if as
        many want that as have to; whether that is possible, or waits for somebody else."""
        if seat in self._changes or not self._seats.is_out_of_grace(seat, now):
            return False
        asking = self._wanted.setdefault((seat, opens), set())
        is_new = asker not in asking
        asking.add(asker)
        can, needed = self._seats.agreeing(seat)
        name = quoted(self._seats[seat].name)
        if len(asking & can) < needed:
            if is_new:
                wanted = "an open seat" if opens else "a computer"
                self._outbox.notify(
                    f"{quoted(self._seats[asker].name)} wants {wanted} in place of {name}, who has"
                    " been away for long; so it is if somebody else asks for that too"
                )
            return is_new
        self._forget_wishes(seat)
        self._give_to_computer(seat)
        if opens:
            self._opened.add(seat)
        self._outbox.notify(
            f"a computer has the seat of {name} if nobody is back before a new hand"
        )
        return True

    def stay(self, seat: int) -> None:
        """A client is back in time: the seat stays his."""
        self._forget_wishes(seat)
        self._opened.discard(seat)
        self._changes.pop(seat, None)

    def begin_game(self) -> None:
        """A game begins, in which those who are away may be away again."""
        self._wanted.clear()

    def _forget_wishes(self, seat: int) -> None:
        for opens in (False, True):
            self._wanted.pop((seat, opens), None)

    def is_away(self, seat: int) -> bool:
        """Whether a client has the seat, and its connection is lost."""
        if seat not in range(4):
            return False
        return self._seats[seat].kind is Kind.CLIENT and not self._seats[seat].connected

    def _give_to_computer(self, seat: int) -> None:
        others = {self._name(other) for other in range(4) if other != seat}
        name = next(name for name in self._computer_names if name not in others)
        self._changes[seat] = SeatChange(seat, Kind.COMPUTER, 0, name)

    def resign(self, seat: int) -> None:
        """Give the seat of a client who leaves for good to a computer, unless he comes back."""
        self._give_to_computer(seat)

    def open_afterwards(self, seat: int) -> None:
        """Open the seat of a client who leaves for good for a person, once a computer has it."""
        self._opened.add(seat)

    def has_resigned(self, seat: int) -> bool:
        """Whether a client who is away loses the seat before the next hand."""
        return seat in self._changes and self.is_away(seat)

    def _name(self, seat: int) -> str:
        change = self._changes.get(seat)
        return self._seats[seat].name if change is None else change.name

    def open(self, seat: int) -> bool:
        """Open a computer's seat for a person; whether that is possible."""
        if seat not in range(4) or self._seats[seat].kind is not Kind.COMPUTER:
            return False
        if self._seats[seat].open or seat in self._changes:
            return False
        self._seats[seat].open = True
        self._outbox.changed(seat, Change.OPENED)
        return True

    def take(self, seat: int, name: str, process_id: int) -> None:
        """A person has registered for an open seat."""
        self._seats[seat].open = False
        self._changes[seat] = SeatChange(seat, Kind.CLIENT, process_id, name)

    def leave(self, seat: int) -> None:
        """That person is gone before the seat was his."""
        if self._changes.pop(seat, None) is not None:
            self._seats[seat].open = True

    def propose(self, *, only_removed: bool = False) -> bool:
        """Propose the changes that are due between two hands; whether there are any.

        ``only_removed`` leaves it at the seats of players whom the host has removed.
        """
        changes = [
            change
            for change in self._changes.values()
            if change.kind is Kind.CLIENT or self.is_away(change.seat)
            if self._seats[change.seat].is_removed or not only_removed
        ]
        self._changes.clear()
        self._opened &= {change.seat for change in changes}
        self._under_way = len(changes)
        for change in changes:
            self._outbox.propose(change)
        return bool(changes)

    def make(self, change: SeatChange) -> bool:
        """A change is durable; whether it was the last of those that were proposed."""
        self._seats[change.seat] = Seat(change.name, change.kind)
        taken = change.kind is Kind.CLIENT
        self._outbox.changed(change.seat, Change.TAKEN if taken else Change.COMPUTER)
        if change.seat in self._opened:
            self._opened.discard(change.seat)
            self.open(change.seat)
        self._under_way -= 1
        return self._under_way <= 0
