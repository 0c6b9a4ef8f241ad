"""What players say of themselves is stored: when it is new, and not too often."""

from __future__ import annotations

import pytest

from hearts.limits.news import NEWS_AT_ONCE, NEWS_EVERY
from hearts.session import table_words as w
from hearts.session.table_words import UNSAID, Description, PlayerKind
from tests.dealer.room import decoded, said

from .desk import COMPUTER, DEALER, PLAIN, TableDesk


@pytest.fixture
def desk() -> TableDesk:
    """Ann and Bob speak the dealer dialect, Cid the plain one."""
    desk = TableDesk("pass=never", (DEALER, DEALER, PLAIN, COMPUTER))
    desk.begin()
    return desk


def introduce(desk: TableDesk, level: int, comment: str = "") -> Description:
    """Bob says who they are; what is to be stored of it."""
    desk.send(1, said(w.Introduction(PlayerKind.PERSON, level, comment=comment)))
    return Description(PlayerKind.PERSON, level, comment)


def test_what_is_said_before_the_table_begins_is_stored_with_it() -> None:
    desk = TableDesk("pass=never", (DEALER, DEALER, PLAIN, COMPUTER))
    first = introduce(desk, 7, "♥")
    assert desk.store.descriptions == []
    desk.begin()
    assert desk.store.descriptions == [(1, first)]


def test_what_was_said_before_is_not_stored_again(desk: TableDesk) -> None:
    assert desk.store.descriptions == []
    first = introduce(desk, 7)
    assert introduce(desk, 7) == first
    assert desk.store.descriptions == [(1, first)]
    desk.leave(1)
    desk.come_back(1, 0, DEALER)
    introduce(desk, 7)
    assert desk.store.descriptions == [(1, first)]
    second = introduce(desk, 8)
    assert desk.store.descriptions == [(1, first), (1, second)]


def test_a_flood_is_stored_as_often_as_the_others_hear_of_it(desk: TableDesk) -> None:
    latest = UNSAID
    for level in range(100):
        latest = introduce(desk, level)
    assert len(desk.store.descriptions) == NEWS_AT_ONCE
    desk.wait(NEWS_EVERY)
    assert desk.store.descriptions[NEWS_AT_ONCE:] == [(1, latest)]
    desk.wait(10 * NEWS_EVERY)
    assert len(desk.store.descriptions) == NEWS_AT_ONCE + 1


def test_what_waits_is_stored_when_the_server_stops(desk: TableDesk) -> None:
    latest = UNSAID
    for level in range(NEWS_AT_ONCE + 1):
        latest = introduce(desk, level)
    assert desk.store.descriptions[-1] != (1, latest)
    desk.host.stop("the server stops")
    assert desk.store.descriptions[-1] == (1, latest)


def test_whoever_has_the_seat_next_has_not_said_it(desk: TableDesk) -> None:
    introduce(desk, 7, "Bob's own")
    desk.host.seats.remove(1)
    desk.wait(1000)
    assert desk.host.clients.computers == {1, 3}
    assert desk.store.descriptions[-1] == (1, UNSAID)


def test_what_was_stored_is_shown_to_who_comes_back(desk: TableDesk) -> None:
    stored = introduce(desk, 7, "♠")
    desk.leave(0)
    desk.links[0].take()
    desk.come_back(0, 0, DEALER)
    seen = [each for _, each in decoded(desk.links[0].take())]
    (players,) = [each.players for each in seen if isinstance(each, w.RegisterOpponents)]
    assert (players[1].level, players[1].comment) == (stored.level, stored.comment)
