"""Judges how the client cuts deals: its hashes, and the values that it shows for them."""

from __future__ import annotations

from hearts.game.cuts import hash_of
from hearts.game.events import ChosenBy
from hearts.session.table_words import Introduction
from hearts.table import Cut, CutSettled, DealPromised
from hearts_conformance.checks import Marks
from hearts_conformance.session.kept_link import Cause


class CutJudge:
    """Follows the promises that have a hash of the client."""

    def __init__(self, player: int, marks: Marks) -> None:
        self._player = player
        self._marks = marks
        self._latest = DealPromised(0, b"")
        """The promise of the latest deal."""
        self._deals: dict[bytes, int] = {}
        """The deal that each hash was promised for."""
        self._is_again = False
        """The latest promise was told before."""
        self._missed = 0
        """The latest deal without the value that was promised."""

    @property
    def is_promised(self) -> bool:
        """A hash of the client is in the latest promise."""
        return bool(self._own)

    @property
    def _own(self) -> bytes:
        return self._latest.hashes[self._player]

    def note(self, event: Cause | None) -> None:
        """The client is told this."""
        match event:
            case DealPromised():
                self._is_again = event == self._latest
                if event.deal > self._latest.deal:
                    self._latest = event
                    self._see_promise(event.deal)
            case CutSettled(player, by) if player == self._player and by is not ChosenBy.PLAYER:
                # If nothing was promised, the promise has waited for a hash.
                self._missed = self._latest.deal if self.is_promised else 0
            case _:
                pass

    def _see_promise(self, deal: int) -> None:
        if not self._own:
            if self._missed:
                self._marks.fail("cut.next", f"no hash came for deal {deal}")
            return
        before = self._deals.setdefault(self._own, deal)
        if before != deal:
            self._marks.fail("cut.another", f"deal {deal} has the hash of deal {before}")
        elif len(self._deals) > 1:
            self._marks.show("cut.another")

    def introduce(self, introduction: Introduction) -> None:
        """The client says who it is."""
        if not introduction.cuts:
            return
        if introduction.next_hash:
            self._marks.show("cut.hash")
        else:
            self._marks.fail("cut.hash", "P_REGISTER_PLAYER came with cuts 1 and no hash")

    def fits(self, cut: Cut) -> bool:
        """Tell if a value is the one that was promised."""
        is_right = hash_of(cut.value) == self._own
        if is_right:
            self._marks.show("cut.fits")
            if self._missed:
                self._missed = 0
                self._marks.show("cut.next")
        return is_right

    def fault_of(self, cut: Cut) -> tuple[str, str]:
        """Give the check that fails for another value than the promised one, and what came."""
        check = "cut.again" if self._is_again else "cut.fits"
        came = hash_of(cut.value).hex()
        return check, f"a value came whose hash is {came}; {self._own.hex()} is promised"
