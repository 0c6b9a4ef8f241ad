"""A client whose table begins elsewhere than where it formed: what has to be known of it there."""

from __future__ import annotations

from msgspec import Struct

from hearts.dealer.seat import DealerSeat
from hearts.session.table_words import Introduction

from .client import HostedClient


class BeforeTable(Struct, frozen=True):
    """The state of a client that has registered, while its table forms."""

    unread: bytes
    """Bytes that it has sent and nobody has looked at."""
    frames: int | None = None
    """The number of frames that it was told; None for one that speaks the plain dialect."""
    follows: bool = False
    """Whether it wants to be told of its table."""
    is_introduced: bool = False
    """Whether it was asked who its player is, and has answered that."""
    introduced: Introduction | None = None
    """The player's own words of himself, if there are any."""


def hand_on(client: HostedClient) -> BeforeTable:
    """The state of a client for whoever goes on with it; here it is heard no more."""
    seat = client.seat
    if not isinstance(seat, DealerSeat):
        return BeforeTable(client.take_unread())
    return BeforeTable(
        seat.take_unread(),
        seat.frames_said,
        seat.follows,
        seat.is_introduced,
        client.introduced,
    )


def go_on(client: HostedClient, player: int, before: BeforeTable) -> None:
    """A client has its seat, as if it had registered here."""
    if before.frames is None:
        client.take_seat(player, dealer=False)
    else:
        seat = client.seat = DealerSeat(player)
        seat.go_on(before.frames, is_introduced=before.is_introduced)
        seat.follows = before.follows
        client.introduced = before.introduced
    client.receive(before.unread)
