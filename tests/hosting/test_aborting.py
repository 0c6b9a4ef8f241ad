"""What becomes of connections when the players break the hand off."""

from __future__ import annotations

from itertools import repeat

from hearts.dealer import messages as m
from hearts.dealer.frames import SERVER_PAYLOAD_LIMIT, FrameBuffer
from hearts.dealer.messages import MESSAGES, Message
from hearts.game.events import Deal
from hearts.table import Able, Abort, ProposeAbort, Vote
from tests.table.desk import SECRET

from .desk import COMPUTER, DEALER, DeskLink, TableDesk

WHY = "the players have broken the hand off"


def a_table(**options: object) -> TableDesk:
    """Ann and Bob, who both can vote, with two computers."""
    deals = repeat(Deal.from_secret(SECRET))
    dialects = (DEALER, DEALER, COMPUTER, COMPUTER)
    desk = TableDesk("pass=never", dialects, deals, **options)  # type: ignore[arg-type]
    desk.begin()
    for player in (0, 1):
        desk.give(Able(player, votes=True, wants_to_cut=False))
    return desk


def agree(desk: TableDesk) -> None:
    desk.give(ProposeAbort(0, Abort.HAND))
    desk.give(Vote(1, agreed=True))


def messages(link: DeskLink) -> list[Message]:
    buffer = FrameBuffer(SERVER_PAYLOAD_LIMIT)
    buffer.feed(link.take())
    return [MESSAGES[frame.type].decode(frame.payload) for frame in iter(buffer.take, None)]


def test_watchers_see_the_proof_when_it_is_time_and_may_come_again() -> None:
    desk = a_table(watch_delay=30.0)
    watcher = desk.watch()
    desk.wait(30)
    watcher.take()
    agree(desk)
    desk.wait(20)
    late = desk.watch()
    desk.wait(9.9)
    assert not watcher.take()
    assert not watcher.ending
    desk.wait(0.1)
    assert messages(watcher) == [m.DealProof(1, SECRET, bytes(32)), m.ServerNotice(WHY)]
    assert watcher.ending
    assert late.ending, "he saw the hand, for those who watched before him did"
    assert desk.host.watchers.broadcast is None
    again = desk.watch()
    desk.wait(30)
    told = messages(again)
    assert not again.ending
    assert [each.deal for each in told if isinstance(each, m.DealCommitment)] == [2]
    assert [each.hand for each in told if isinstance(each, m.NewHand)] == [1]


def test_who_is_told_of_the_hand_as_of_the_past_comes_anew() -> None:
    desk = a_table(slow=True)
    desk.let_through()
    agree(desk)
    desk.leave(1)
    _, recall = desk.call_back(1, 0, DEALER)
    recall.tell_some()
    assert not desk.links[1].ending
    desk.let_through(2)
    assert desk.links[1].ending
    assert not desk.host.rejoin.sit_again(recall)
    assert desk.come_back(1, 0, DEALER) == 0
    told = messages(desk.links[1])
    assert [each.deal for each in told if isinstance(each, m.AbortHandMessage)] == [1]
    assert [each.deal for each in told if isinstance(each, m.DealCommitment)] == [2]
    assert not desk.links[1].ending
