"""What a player's own copy of a game is told."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.dealer.client_events import DealerEvent
from hearts.game.deal import deal_code
from hearts.session.client_events import ClientEvent, Seated
from hearts.wire.credentials import issue
from hearts_client.session.own_record import OwnRecord
from tests.plain.loopback import NAMES

from .played import hear

OTHER = bytes(16)
SEATED = Seated(issue(bytes(32), 7, 0, 0), NAMES)


def tell_events(record: OwnRecord, events: Sequence[ClientEvent]) -> list[str]:
    return [said for event in events if (said := hear(record, event)) is not None]


def right_notice(number: int, secret: bytes) -> str:
    return f"deal {number} ({deal_code(secret)}) checked: it is the one that was promised"


def tell_all_events(record: OwnRecord, events: Sequence[DealerEvent]) -> list[str]:
    return [said for event in events if (said := hear(record, event)) is not None]
