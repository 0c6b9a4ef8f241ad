"""The rooms of the chat keep and forget; the server's tests say who hears what is told."""

from __future__ import annotations

from hearts.game.deal import commitment_notice
from hearts.taunt.messages import encode_delivery
from hearts.wire.credentials import SeatCredentials
from taunt_server import room


class ListeningMember:
    """A member that keeps what it hears."""

    def __init__(self, game_number: int, player: int, process_id: int = 1000) -> None:
        self.shown = SeatCredentials(game_number, 0, player, process_id)
        self.heard: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.heard.append(data)

    def send_farewell(self, data: bytes) -> None:
        raise AssertionError("nobody else has its seat")


def test_who_left_hears_nothing_and_empty_rooms_are_gone() -> None:
    rooms = room.Rooms()
    ann, ben = ListeningMember(7, 0), ListeningMember(7, 1)
    rooms.join(ann)
    rooms.join(ben)
    rooms.leave(ann)
    rooms.leave(ann)
    rooms.relay(7, -1, "ann has left", 0.0)
    assert ann.heard == []
    assert len(ben.heard) == 1
    rooms.leave(ben)
    assert not rooms._rooms
    rooms.relay(7, -1, "to nobody", 0.0)


def _delivered(*texts: str) -> bytes:
    return b"".join(encode_delivery(-1, text) for text in texts)


def _deal(number: int) -> str:
    return commitment_notice(number, bytes([number]) * 16)


class TestNotices:
    def test_those_about_deals_are_kept_apart_and_the_order_stays(self) -> None:
        rooms = room.Rooms()
        deals = [_deal(number) for number in range(1, room.DEALS_KEPT + 3)]
        others = [f"Ann has left {number} times" for number in range(1000)]
        for text in ("before", *deals, *others):
            rooms.announce(7, text, 0)
        kept = [*deals[2:], *others[-room.OTHERS_KEPT :]]
        assert rooms.notices(7, 0) == _delivered(*kept)
        assert len(kept) == room.NOTICES_KEPT
        rooms.announce(7, _deal(99), 0)
        last = [*deals[3:], *others[-room.OTHERS_KEPT :], _deal(99)]
        assert rooms.notices(7, 0) == _delivered(*last)

    def test_one_about_a_deal_that_is_kept_is_not_said_again(self) -> None:
        rooms = room.Rooms()
        ann = ListeningMember(7, 0)
        rooms.join(ann)
        for text in (_deal(1), "Bob is back", _deal(1), "Bob is back"):
            rooms.announce(7, text, 0)
        said = [_delivered(text) for text in (_deal(1), "Bob is back", "Bob is back")]
        assert ann.heard == said
        assert rooms.notices(7, 0) == b"".join(said)

    def test_another_game_lets_old_ones_go(self) -> None:
        rooms = room.Rooms()
        for number in range(100):
            rooms.announce(number, "one", 0)
        rooms.announce(100, "one", room.NOTICES_SECONDS)
        assert len(rooms._notices) == 1

    def test_the_number_of_games_is_bounded(self) -> None:
        rooms = room.Rooms()
        rooms.join(ListeningMember(0, 0))
        for number in range(room.GAMES_KEPT):
            rooms.announce(number, "one", 0)
        rooms.announce(1, "two", 1)
        for number in range(room.GAMES_KEPT, room.GAMES_KEPT + 2):
            rooms.announce(number, "one", 1)
        assert len(rooms._notices) == room.GAMES_KEPT
        assert rooms.notices(0, 1) == rooms.notices(2, 1) == b""
        assert rooms.notices(1, 1) == _delivered("one", "two")


class TestHolders:
    def test_the_number_of_games_is_bounded_and_one_that_is_played_stays(self) -> None:
        rooms = room.Rooms()
        for number in range(3):
            rooms.give_seat(number, 0, 5000)
        rooms.announce(0, _deal(1), 0)
        assert not rooms.is_holder(1, 0, 1000)
        for number in range(3, room.GAMES_WITH_HOLDERS + 1):
            rooms.give_seat(number, 0, 5000)
        assert not rooms.is_holder(0, 0, 1000)
        assert not rooms.is_holder(1, 0, 1000)
        assert rooms.is_holder(2, 0, 1000), "the one that was used longest ago"


def test_so_many_can_be_muted_at_once() -> None:
    rooms = room.Rooms()
    for game in range(1, room.MUTED_KEPT + 2):
        rooms.mute(game, 0, 1000, "")
    muted = [rooms.why_muted(ListeningMember(game, 0)) for game in (1, 2, room.MUTED_KEPT + 1)]
    assert muted == [None, "", ""]
    assert rooms.why_muted(ListeningMember(2, 0, process_id=1001)) is None
