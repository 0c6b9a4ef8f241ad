"""Who hears what."""

from __future__ import annotations

from dataclasses import dataclass, field

from hearts.taunt import encode_delivery
from taunt_server.room import (
    CONNECTIONS_PER_SEAT,
    GAMES_KEPT,
    NOTICES_KEPT,
    NOTICES_SECONDS,
    Rooms,
)


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


def _delivered(*texts: str) -> bytes:
    return b"".join(encode_delivery(-1, text) for text in texts)


class TestNotices:
    def test_they_are_heard_and_kept_though_nobody_is_there(self) -> None:
        rooms = Rooms()
        rooms.announce(7, "one", 0)
        ann = Listener(7, 0)
        rooms.join(ann)
        rooms.announce(7, "two", 1)
        assert ann.heard == [_delivered("two")]
        assert rooms.notices(7, 2) == _delivered("one", "two")
        assert rooms.notices(8, 2) == b""

    def test_taunts_are_not_kept(self) -> None:
        rooms = Rooms()
        rooms.join(Listener(7, 0))
        rooms.relay(7, 0, "hello")
        assert rooms.notices(7, 0) == b""
        assert rooms.games_remembered == 0

    def test_only_the_last_ones_are_kept(self) -> None:
        rooms = Rooms()
        texts = [f"notice {number}" for number in range(NOTICES_KEPT + 3)]
        for text in texts:
            rooms.announce(7, text, 0)
        assert rooms.notices(7, 0) == _delivered(*texts[3:])

    def test_they_are_forgotten_when_nobody_hears_them(self) -> None:
        rooms = Rooms()
        rooms.announce(7, "one", 0)
        rooms.announce(7, "two", 100)
        assert rooms.notices(7, 99 + NOTICES_SECONDS) == _delivered("one", "two")
        assert rooms.notices(7, 100 + NOTICES_SECONDS) == b""
        assert rooms.games_remembered == 0

    def test_they_stay_while_somebody_hears_them(self) -> None:
        rooms = Rooms()
        ann = Listener(7, 0)
        rooms.join(ann)
        rooms.announce(7, "one", 0)
        for hours in range(1, 5):
            assert rooms.notices(7, hours * 3600) == _delivered("one")
        rooms.leave(ann)
        assert rooms.notices(7, 5 * 3600) == b""

    def test_another_game_lets_old_ones_go(self) -> None:
        rooms = Rooms()
        for number in range(100):
            rooms.announce(number, "one", 0)
        rooms.announce(100, "one", NOTICES_SECONDS)
        assert rooms.games_remembered == 1

    def test_the_number_of_games_is_bounded(self) -> None:
        rooms = Rooms()
        rooms.join(Listener(0, 0))
        for number in range(GAMES_KEPT):
            rooms.announce(number, "one", 0)
        rooms.announce(1, "two", 1)
        for number in range(GAMES_KEPT, GAMES_KEPT + 2):
            rooms.announce(number, "one", 1)
        assert rooms.games_remembered == GAMES_KEPT
        assert rooms.notices(0, 1) == rooms.notices(2, 1) == b""
        assert rooms.notices(1, 1) == _delivered("one", "two")
