"""What becomes of connections when the players break the hand off."""

from __future__ import annotations

from itertools import repeat

from hearts.dealer import messages as m
from hearts.dealer.frames import MessageType, encode_frame
from hearts.errors import Fault
from hearts.game.cards import by_wire
from hearts.game.cuts import NO_HASHES
from hearts.game.events import Deal, Pass, Play
from hearts.session import table_words as w
from hearts.table.effects import AbortProposed, DealPromised, HandAborted
from hearts.table.inputs import Able, Abort, Chosen, ProposeAbort, Vote
from tests.dealer.payloads import Told, payload
from tests.dealer.room import decoded, said
from tests.table.desk import SECRET

from .desk import COMPUTER, DEALER, DeskLink, DeskLog, TableDesk

WHY = "the players have broken the hand off"


def a_table(rules: str = "pass=never", **options: object) -> TableDesk:
    """Ann and Bob, who both can vote, with two computers."""
    deals = repeat(Deal.from_secret(SECRET))
    dialects = (DEALER, DEALER, COMPUTER, COMPUTER)
    desk = TableDesk(rules, dialects, deals, **options)  # type: ignore[arg-type]
    desk.begin()
    for player in (0, 1):
        desk.give(Able(player, votes=True, next_hash=b""))
    return desk


def agree(desk: TableDesk) -> None:
    desk.give(ProposeAbort(0, Abort.HAND))
    desk.give(Vote(1, agreed=True))


def messages(link: DeskLink) -> list[Told]:
    return [message for _, message in decoded(link.take())]


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
    proof = m.DealProof(1, SECRET, bytes(32), NO_HASHES, ())
    assert messages(watcher) == [proof, w.ServerNotice(WHY)]
    assert watcher.ending
    assert late.ending, "they saw the hand, for those who watched before them did"
    assert desk.host.watchers.broadcast is None
    again = desk.watch()
    desk.wait(30)
    told = messages(again)
    assert not again.ending
    assert [each.deal for each in told if isinstance(each, DealPromised)] == [2]
    assert [each.hand for each in told if isinstance(each, m.NewHand)] == [1]


def test_a_watcher_who_comes_before_the_other_game_begins_may_come_again() -> None:
    desk = a_table(slow=True)
    desk.let_through()
    desk.give(ProposeAbort(0, Abort.GAME))
    desk.give(Vote(1, agreed=True))
    desk.let_through()
    watcher = desk.watch()
    assert not watcher.ending
    desk.let_through()
    assert watcher.ending
    assert isinstance(messages(watcher)[-1], w.ServerNotice)
    again = desk.watch()
    desk.let_through()
    assert not again.ending


def test_who_is_told_of_the_hand_as_of_the_past_comes_anew() -> None:
    desk = a_table(slow=True)
    desk.let_through()
    agree(desk)
    desk.leave(1)
    _, recall = desk.call_back(1, 0, DEALER)
    assert isinstance(desk.log, DeskLog)
    assert "dropped" not in desk.log.events, "that connection had ended"
    recall.send_some()
    assert not desk.links[1].ending
    desk.let_through(2)
    assert desk.links[1].ending
    assert not desk.host.rejoin.sit_again(recall)
    assert desk.come_back(1, 0, DEALER) == 0
    told = messages(desk.links[1])
    assert [each.deal for each in told if isinstance(each, HandAborted)] == [1]
    assert [each.deal for each in told if isinstance(each, DealPromised)] == [2]
    assert not desk.links[1].ending


def test_a_choice_and_the_vote_behind_it_in_one_write() -> None:
    """The choice comes first, though the same write says before both that Bob wants to cut."""
    desk = a_table("standard")
    desk.give(ProposeAbort(0, Abort.HAND))
    asked = {type(message): number for number, message in decoded(desk.links[1].take())}
    cards = by_wire(desk.table.game.dealt[1])[:3]
    frames = (
        said(w.Introduction(cuts=True, next_hash=SECRET * 2), asked[m.RegisterPlayer]),
        said(Pass(0, cards), asked[m.DoPass]),
        encode_frame(MessageType.QUERY_ABORT, asked[AbortProposed], payload(Vote(0, True))),
    )
    desk.send(1, b"".join(frames))
    told = messages(desk.links[1])
    passed, aborted, cut = (
        next(place for place, message in enumerate(told) if isinstance(message, kind))
        for kind in (m.LosePass, HandAborted, m.CutMessage)
    )
    assert passed < aborted < cut
    assert not desk.host.is_over


def test_a_card_of_the_hand_is_too_late() -> None:
    desk = a_table("standard")
    for player in (0, 1):
        cards = by_wire(desk.table.game.dealt[player])[:3]
        desk.give(Chosen(player, Pass(player, cards)))
    ((player, _),) = desk.table.waited_for()
    number, query = decoded(desk.links[player].take())[-1]
    agree(desk)
    desk.links[player].take()
    desk.send(player, said(Play(0, query.cards[0].card), number, MessageType.LEAD_CARD))
    (late,) = messages(desk.links[player])
    assert (late.in_reply_to, late.reason) == (number, Fault.TOO_LATE)
