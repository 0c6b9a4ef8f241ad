"""Numbers of a seat, and players who hear each other."""

from __future__ import annotations

from hearts.taunt.client import Delivery
from hearts.wire.credentials import issue

from .conftest import Player

SECRET = bytes(range(32))
REFUSED = b"\xff\xff\xff\xff"
SEAT = issue(SECRET, 7, 0, 4242)


async def assert_in_touch(*players: Player) -> None:
    """Each of these players of one game hears the other's taunts, and nothing before them."""
    for author in players:
        text = f"from {author.session!r}"[-40:]
        await author.taunt(text)
        for listener in players:
            delivery = await listener.next_event()
            assert isinstance(delivery, Delivery)
            assert delivery.text == text
