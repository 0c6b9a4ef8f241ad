"""Games that were played: what each seat heard, and the secrets of their deals."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.game.deal import deal_code
from hearts.game.events import YourHand
from hearts.game.rules import STANDARD, Rules
from hearts.session.client_events import DealerEvent, Seated
from hearts.session.messages import TableInfo
from hearts.session.picture import Picture
from hearts.wire.credentials import issue
from hearts_client.session.own_record import OwnRecord
from tests.plain.loopback import NAMES, PlainLoop


class PlayedGame:
    """A game that was played: what each seat heard, and the secrets of its deals."""

    def __init__(self, rules: Rules = STANDARD, end_score: int = 30, seed: int = 1) -> None:
        loop = PlainLoop(rules, end_score, seed)
        self.secrets: list[bytes] = []
        for _ in loop.steps():
            secret = loop.game.secret
            assert secret is not None
            if secret not in self.secrets:
                self.secrets.append(secret)
        self.events = [player.events for player in loop.players]
        self.scores = loop.game.scores

    def hands(self, seat: int) -> list[list[DealerEvent]]:
        """The events of a seat: those before the first hand, and those of each hand."""
        parts: list[list[DealerEvent]] = [[]]
        for event in self.events[seat]:
            if isinstance(event, YourHand):
                parts.append([])
            parts[-1].append(event)
        return parts


PLAYED = PlayedGame(end_score=60)
assert len(PLAYED.secrets) >= 4


def own_record(hands_before: int | None = None, missed: int = 0) -> OwnRecord:
    """A record with a picture of its own; both are told by :func:`receive`."""
    return OwnRecord(Picture(), hands_before, missed)


def receive(record: OwnRecord, event: DealerEvent) -> str | None:
    record.picture.update(event)
    return record.update(event)


OTHER = bytes(16)
SEATED = Seated(issue(bytes(32), 7, 0, 0), NAMES)
TABLE = next(event for event in PLAYED.events[0] if isinstance(event, TableInfo))


def tell_events(record: OwnRecord, events: Sequence[DealerEvent]) -> list[str]:
    return [said for event in events if (said := receive(record, event)) is not None]


def right_notice(number: int, secret: bytes) -> str:
    return f"deal {number} ({deal_code(secret)}) checked: it is the one that was promised"


def text_of(record: OwnRecord) -> str:
    """The record of the last game that has a hand; empty while there is none."""
    return next(reversed(record.texts().values()), "")
