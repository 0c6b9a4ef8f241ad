"""Who hears what."""

from __future__ import annotations

from dataclasses import dataclass, field

from hearts.taunt import encode_delivery
from taunt_server.room import CONNECTIONS_PER_SEAT, Rooms


@dataclass(eq=False)
class Listener:
    """A member that keeps what it hears."""

    game_number: int
    player: int
    heard: list[bytes] = field(default_factory=list)

    def send(self, data: bytes) -> None:
        self.heard.append(data)


def test_everybody_of_the_game_hears_and_nobody_else() -> None:
    rooms = Rooms()
    ann, ben, other = Listener(7, 0), Listener(7, 3), Listener(8, 0)
    assert all(rooms.join(member) for member in (ann, ben, other))
    rooms.relay(7, 0, "hello")
    assert ann.heard == ben.heard == [encode_delivery(0, "hello")]
    assert other.heard == []


def test_a_seat_has_a_bounded_number_of_connections() -> None:
    rooms = Rooms()
    connections = [Listener(7, 0) for _ in range(CONNECTIONS_PER_SEAT)]
    assert all(rooms.join(member) for member in connections)
    one_more = Listener(7, 0)
    assert not rooms.join(one_more)
    assert rooms.join(Listener(7, 1))
    rooms.leave(connections[0])
    assert rooms.join(one_more)


def test_who_left_hears_nothing_and_empty_rooms_are_gone() -> None:
    rooms = Rooms()
    ann, ben = Listener(7, 0), Listener(7, 1)
    rooms.join(ann)
    rooms.join(ben)
    rooms.leave(ann)
    rooms.leave(ann)
    rooms.relay(7, -1, "ann has left")
    assert ann.heard == []
    assert len(ben.heard) == 1
    rooms.leave(ben)
    assert len(rooms) == 0
    rooms.relay(7, -1, "to nobody")
