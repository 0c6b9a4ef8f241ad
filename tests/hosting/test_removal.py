"""A player whom the host removes or mutes: what is told, and that it stays so."""

from __future__ import annotations

from functools import partial

import pytest

from hearts.game.game import Phase
from hearts.hosting.hosted_client import ConnectionEnd
from hearts.hosting.rejoin import REMOVED
from hearts.hosting.table_chat import SeatMuted
from hearts.session import table_words as w
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from tests.dealer.payloads import Told
from tests.dealer.room import decoded

from .desk import COMPUTER, DEALER, GAME, PLAIN, TableDesk

NOTICE = "the host has removed Bob; a computer has the seat"


def desk_with(dialect: str) -> TableDesk:
    """Ann speaks the dealer dialect, Bob any; nobody passes."""
    desk = TableDesk("pass=never", (DEALER, dialect, COMPUTER, COMPUTER))
    desk.begin()
    for link in desk.links[:2]:
        link.take()
    return desk


def messages(data: bytes) -> list[Told]:
    return [message for _, message in decoded(data)]


@pytest.mark.parametrize("why", ["", "the host does not let you in: cards thrown"])
@pytest.mark.parametrize("dialect", [DEALER, PLAIN])
def test_his_connection_ends_and_the_others_hear_why(dialect: str, why: str) -> None:
    desk = desk_with(dialect)
    assert desk.host.seats.remove(1, why=why)
    desk.do_due()
    assert desk.links[1].ending
    assert desk.clients[1].outcome is ConnectionEnd.REMOVED
    told = [each.text for each in messages(desk.links[0].take()) if type(each) is w.ServerNotice]
    assert told == [NOTICE]
    assert NOTICE in desk.said
    assert not any("has left" in text for text in desk.said)
    if dialect == DEALER:
        assert messages(desk.links[1].take())[-1] == w.Refused(Refusal.BANNED, why or REMOVED)
    with pytest.raises(RegistrationEnded, match=why or REMOVED) as refused:
        desk.call_back(1, 0)
    assert refused.value.refusal is Refusal.NO_SUCH_GAME


@pytest.mark.parametrize("dialect", [DEALER, PLAIN])
def test_nobody_hears_of_it_before_it_is_durable(dialect: str) -> None:
    desk = TableDesk("pass=never", (DEALER, dialect, COMPUTER, COMPUTER), slow=True)
    desk.begin()
    while desk.store.waiting:
        desk.let_through()
    for link in desk.links[:2]:
        link.take()
    done: list[bool] = []
    assert desk.host.seats.remove(1, lambda: done.append(True))
    desk.do_due()
    assert not desk.links[1].ending
    assert not any(link.take() for link in desk.links[:2])
    assert (desk.said[-1:] == [NOTICE], done) == (False, [])
    # He may come back, as before.
    desk.leave(1)
    desk.call_back(1, 0)
    assert desk.store.waiting[0][0] == "removed 1"
    desk.let_through()
    assert desk.links[1].ending
    assert done == [True]
    assert NOTICE in desk.said
    with pytest.raises(RegistrationEnded, match=REMOVED):
        desk.call_back(1, 0)


def test_it_is_stored_once_however_often_the_host_says_it() -> None:
    desk = TableDesk("pass=never", (DEALER, PLAIN, COMPUTER, COMPUTER), slow=True)
    desk.begin()
    while desk.store.waiting:
        desk.let_through()
    done: list[int] = []
    for number in range(3):
        assert desk.host.seats.remove(1, partial(done.append, number))
    desk.do_due()
    assert [line for line, _ in desk.store.waiting] == ["removed 1"]
    desk.let_through()
    assert done == [0, 1, 2]


def test_not_even_if_he_was_on_his_way_back() -> None:
    desk = desk_with(PLAIN)
    desk.leave(1)
    _, recall = desk.call_back(1, 0)
    assert desk.host.seats.remove(1)
    assert desk.links[1].ending
    assert not desk.host.rejoin.sit_again(recall)
    assert not desk.table.seats[1].connected


def test_nor_if_he_had_claimed_his_seat_only() -> None:
    desk = desk_with(PLAIN)
    desk.leave(1)
    claimed = desk.host.rejoin.claim(desk.credentials(1), 0)
    desk.host.seats.remove(1)
    with pytest.raises(RegistrationEnded, match=REMOVED):
        desk.host.rejoin.come_back(claimed, desk.clients[1])


def test_a_seat_is_removed_once_and_a_computer_never() -> None:
    desk = desk_with(PLAIN)
    assert [desk.host.seats.remove(player) for player in (1, 1, 2)] == [True, False, False]


def test_the_chat_shuts_him_out_at_once_and_when_it_is_back() -> None:
    desk = desk_with(PLAIN)
    desk.host.seats.remove(1)
    holders = [said for said in desk.host.chat.standing() if not hasattr(said, "text")]
    assert [(holder.player, holder.process_id) for holder in holders] == [(1, -1)]


def test_a_table_that_is_over_goes_on_for_nothing() -> None:
    desk = TableDesk("pass=never", (DEALER, PLAIN, COMPUTER, COMPUTER), slow=True)
    desk.begin()
    desk.host.end("the host ends this table")
    # The deal was on its way to the store.
    desk.let_through(2)
    assert desk.table.game.phase is Phase.DEAL
    assert desk.store.end_told == "the host ends this table"
    assert not desk.store.waiting
    assert not desk.host.seats.remove(1)


def test_the_chat_hears_who_is_muted_and_again_when_it_is_back() -> None:
    desk = desk_with(PLAIN)
    muted = SeatMuted(GAME, 1, 1, True)
    assert desk.host.seats.mute(1, muted=True)
    assert next(iter(desk.host.chat.standing())) == muted
    assert desk.host.chat.muted == {1}
    assert desk.host.seats.mute(1, muted=False)
    assert muted not in list(desk.host.chat.standing())
    assert desk.muted == [muted, SeatMuted(GAME, 1, 1, False)]


def test_a_computer_says_nothing_that_could_be_muted() -> None:
    desk = desk_with(PLAIN)
    assert not desk.host.seats.mute(2, muted=True)
    assert not desk.host.chat.muted
