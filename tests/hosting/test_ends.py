"""However a session ends, nobody hears of it before that is durable."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hearts.session import table_words as w
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import AbortLater
from hearts.table.effects import AgainSettled
from hearts.table.inputs import OpenSeat
from tests.dealer.room import decoded

from .desk import COMPUTER, DEALER, HOME, PLAIN, DeskLink, DeskLog, TableDesk
from .test_hosted_table import desk_of_two, follower, lead, play

PAUSE = 100.0
HOST_WHY = "the host has ended this table"


def ended_by_host(desk: TableDesk) -> None:
    desk.host.end(HOST_WHY, aloud=True)


def everybody_removed(desk: TableDesk) -> None:
    for player in (0, 1):
        assert desk.host.seats.remove(player)
    # Of lines, until nothing but the end waits.
    while desk.store.waiting[0][0]:
        desk.let_through()


def left_for_too_long(desk: TableDesk) -> None:
    for player in (0, 1):
        desk.leave(player)
    desk.wait(PAUSE)


ENDS = [ended_by_host, everybody_removed, left_for_too_long]


def waiting_desk() -> TableDesk:
    """A table at which Ann is to lead, with a store that waits for the test."""
    desk = desk_of_two(pause=PAUSE, slow=True)
    while desk.store.waiting:
        desk.let_through()
    for link in desk.links[:2]:
        link.take()
    return desk


def aborts(link: DeskLink) -> list[w.AbortGame]:
    told = [each for _, each in decoded(link.take())]
    return [each for each in told if isinstance(each, w.AbortGame)]


@pytest.mark.parametrize("end", ENDS)
def test_nobody_hears_of_an_end_before_it_is_durable(end: Callable[[TableDesk], None]) -> None:
    desk = waiting_desk()
    log = desk.log
    assert isinstance(log, DeskLog)
    watcher = desk.watch()
    end(desk)
    assert not aborts(watcher)
    assert not watcher.ending
    assert "table-ended" not in log.events
    assert (desk.host.is_closed, desk.host.has_ended, desk.host.is_over) == (True, False, False)
    desk.let_through()
    why = desk.store.end_told
    assert aborts(watcher) == [w.AbortGame(AbortLater.NOTHING, why)]
    assert log.events[-1] == "table-ended"
    assert (desk.host.is_closed, desk.host.has_ended, desk.host.is_over) == (True, True, True)


def test_the_host_s_end_is_told_on_every_way_at_once() -> None:
    desk = waiting_desk()
    ended_by_host(desk)
    assert not desk.links[0].ending
    assert not desk.links[1].take()
    assert HOST_WHY not in desk.said
    desk.let_through()
    assert desk.links[0].ending
    assert aborts(desk.links[1]) == [w.AbortGame(AbortLater.NOTHING, HOST_WHY)]
    assert desk.said.count(HOST_WHY) == 1


def test_players_who_are_done_are_let_go_when_that_is_durable() -> None:
    desk = TableDesk("pass=never", (DEALER, COMPUTER, COMPUTER, COMPUTER), end=1)
    desk.begin()
    ann = follower(0, DEALER)
    play(desk, [ann], hands=1)
    desk.store.slow = True
    desk.send(0, ann.receive(desk.links[0].take()))
    desk.let_through()
    assert isinstance(decoded(desk.links[0].take())[-1][1], AgainSettled)
    assert not desk.links[0].ending
    desk.let_through()
    assert desk.links[0].ending
    assert desk.store.end_told == "the players are done"


def test_nothing_goes_on_while_an_end_waits() -> None:
    desk = waiting_desk()
    lead(desk)
    assert len(desk.store.waiting) == 1
    ended_by_host(desk)
    desk.let_through()
    desk.leave(0)
    desk.wait(10_000)
    assert not desk.host.seats.remove(1)
    assert not desk.host.seats.mute(1, muted=True)
    desk.host.end("once more")
    assert [line for line, _ in desk.store.waiting] == [""]
    assert not desk.links[1].take()
    desk.let_through()
    assert desk.store.end_told == HOST_WHY


def test_who_comes_back_meanwhile_is_told_with_the_others() -> None:
    desk = waiting_desk()
    ended_by_host(desk)
    desk.home = "192.0.2.7"
    for player, dialect in ((0, PLAIN), (1, DEALER)):
        desk.come_back(player, 0, dialect)
    assert not any(link.ending for link in desk.links[:2])
    assert not aborts(desk.links[1])
    desk.let_through()
    assert desk.links[0].ending
    assert aborts(desk.links[1]) == [w.AbortGame(AbortLater.NOTHING, HOST_WHY)]
    # The store has been told that nothing follows.
    assert desk.store.networks == [(0, HOME), (1, HOME)]


def test_a_seat_of_a_table_that_ends_is_given_to_nobody() -> None:
    desk = waiting_desk()
    desk.give(OpenSeat(0, 2))
    assert desk.host.rejoin.open_seats == [2]
    ended_by_host(desk)
    with pytest.raises(RegistrationEnded) as refused:
        desk.host.rejoin.hold(desk.clients[0])
    assert refused.value.refusal is Refusal.TABLE_TAKEN


def test_a_server_that_stops_meanwhile_says_that_all_may_come_back() -> None:
    desk = waiting_desk()
    ended_by_host(desk)
    desk.host.stop("the server shuts down")
    assert aborts(desk.links[1]) == [w.AbortGame(AbortLater.COME_BACK, "the server shuts down")]
    assert not desk.host.has_ended
    # It may be stored all the same, and the next server says so.
    desk.let_through()
    assert not desk.host.has_ended
    assert HOST_WHY not in desk.said


@pytest.mark.parametrize("end", ENDS)
def test_what_ended_is_stored_once(end: Callable[[TableDesk], None]) -> None:
    desk = waiting_desk()
    end(desk)
    desk.host.end("once more")
    desk.let_through()
    desk.host.end("once more")
    assert not desk.store.waiting
