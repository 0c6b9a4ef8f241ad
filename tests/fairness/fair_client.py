"""A client of the dealer dialect as its author meant it, and what it has seen of deals."""

from __future__ import annotations

import random

from hearts.dealer.client import DealerSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.game.deal import DealPromised
from hearts.session.client_events import ChoiceRefused, DealChecked, DealerEvent, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.own_cuts import KEY_BYTES, OwnCuts
from hearts.session.picture import Picture
from hearts.session.resume_token import UNKNOWN_HANDS
from hearts.session.table_words import Introduction
from hearts.wire.codec import encode_ints
from tests.fuzz.follower import choose
from tests.table.desk import NAMES, lowest


class CuttingClient:
    """One player, who cuts each deal and comes back to the seat whenever that is possible."""

    def __init__(self, player: int, seed: int) -> None:
        self.player = player
        self.key = random.Random(f"{player} of {seed}").randbytes(KEY_BYTES)
        self._deals = DealVerifier(OwnCuts(self.key))
        self._picture = Picture()
        self.hands: dict[int, int] = {}
        """The cards of each deal that was checked."""
        self.checked: dict[int, DealChecked] = {}
        """What was found out about each deal."""
        self.owes_cut = False
        """True if its value is asked for."""
        self.is_connected = False
        self.is_refused = False
        """True if a count of hands is refused with -103: then it comes back with -1."""
        self._call(RegistrationRequest(NAMES[player], process_id=player))
        self._receive(encode_ints(player, 1, 1))
        self.session.bytes_to_send()

    def _call(self, request: RegistrationRequest) -> None:
        who = Introduction(comment="in a test")
        self.session = DealerSession(request, who, self._deals, self._picture)
        self.is_connected = True
        self.owes_cut = False

    @property
    def hands_over(self) -> int:
        """How many hands it has had the scores of, as it says when it comes back."""
        progress = self.session.progress
        assert progress is not None
        return UNKNOWN_HANDS if self.is_refused else progress.hands

    @property
    def _own(self) -> OwnCuts:
        own = self._deals.own
        assert own is not None
        return own

    @property
    def value(self) -> bytes:
        return self._deals.value

    @property
    def next_value(self) -> bytes:
        promise = DealPromised(1, bytes(32), (self._own.next_hash, b"", b"", b""))
        return self._own.after(promise, 0).value_for(promise)

    def come_back(self, decided: int) -> None:
        """Be connected again; so many choices of the past are decided."""
        progress = self.session.progress
        assert progress is not None
        known = progress.without_count() if self.is_refused else progress
        self._call(RegistrationRequest.to_come_back(known))
        self._receive(encode_ints(0, 1, 1, decided + 1))
        self.session.bytes_to_send()

    def lose(self) -> None:
        self.is_connected = False
        self.session.close()

    def receive(self, data: bytes) -> bytes:
        self._receive(data)
        return self.session.bytes_to_send()

    def show(self) -> bytes:
        """Show the value."""
        self.owes_cut = False
        self.session.show_cut()
        return self.session.bytes_to_send()

    def _receive(self, data: bytes) -> None:
        self.session.feed(data)
        while (event := self.session.next_event()) is not None:
            self._take(event)
        if self.session.owes_cut:
            self.session.owes_cut = False
            self.owes_cut = True

    def _take(self, event: DealerEvent) -> None:
        match event:
            case DealChecked(deal):
                told = self.checked.get(deal, event)
                assert told.fairness is event.fairness, "what comes again is no other deal"
                self.checked[deal] = event
                self.hands[deal] = self._picture.hand.dealt
            case YourChoice() | ChoiceRefused():
                choose(self.session, event.question, lowest, True)
            case _:
                pass
