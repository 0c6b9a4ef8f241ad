"""Clients at a real table whose players break a hand or a game off."""

from __future__ import annotations

import pytest

from hearts.errors import LocalProtocolError
from hearts.game.rules import parse_rules
from hearts.game.verify import verify_records
from hearts.session.client_events import DealChecked, Fairness, SessionEnded
from hearts.session.messages import Scores, TableInfo
from hearts.session.table_words import ServerNotice
from hearts.table.effects import AbortRefused, GameAborted, HandAborted
from hearts.table.inputs import Abort, ProposeAbort, Vote
from tests.client.played import own_record, receive, text_of
from tests.dealer.loopback import Loopback


@pytest.mark.parametrize("what", Abort)
@pytest.mark.parametrize("steps", [6, 12, 40, 77])
def test_a_hand_that_all_break_off(what: Abort, steps: int) -> None:
    table = Loopback(parse_rules("moon=choice"), end_score=20, cuts=[1, 2])
    table.run(steps)
    hands = [len(player.scores) for player in table.players]
    table.players[0].session.wish(ProposeAbort(0, what))
    table.run()
    for player, before in zip(table.players, hands, strict=True):
        (aborted,) = [e for e in player.events if isinstance(e, HandAborted)]
        place = player.events.index(aborted)
        found = player.events[place - 1]
        assert isinstance(found, DealChecked)
        assert (found.deal, found.problem) == (aborted.deal, None)
        cuts = player.player in (1, 2)
        assert found.fairness is (Fairness.NOBODY if cuts else Fairness.NOT_CUT)
        assert sum(isinstance(e, Scores) for e in player.events[:place]) == before
        assert (GameAborted() in player.events) == (what is Abort.GAME)
        checked = [e for e in player.events if isinstance(e, DealChecked)]
        assert [e.deal for e in checked] == list(range(1, len(checked) + 1))
        assert not any(e.problem for e in checked)
        assert player.scores[-1].winners
        assert player.events[-1] == SessionEnded(complete=True)
        assert len([e for e in player.events if isinstance(e, TableInfo)]) == 1 + (
            what is Abort.GAME
        )
    # Who watches may come again.
    assert isinstance(table.watched[-2], ServerNotice)
    assert table.watched[-1] == SessionEnded(complete=False)


def test_a_hand_that_one_does_not_break_off() -> None:
    table = Loopback(end_score=20)
    table.players[3].agrees = False
    table.run(12)
    table.players[0].session.wish(ProposeAbort(0, Abort.HAND))
    table.run()
    for player in table.players:
        assert AbortRefused(3, "a player does not agree") in player.events
    with pytest.raises(LocalProtocolError):
        table.players[1].session.answer_beside(Vote(1, True))


@pytest.mark.parametrize("what", Abort)
def test_who_comes_back_after_it_was_broken_off(what: Abort) -> None:
    table = Loopback(end_score=20)
    table.run(40)
    table.players[0].session.wish(ProposeAbort(0, what))
    while not any(isinstance(e, HandAborted) for e in table.players[1].events):
        table.run(1)
    table.run(30)
    table.cut(1)
    table.return_to(1)
    table.run()
    player = table.players[1]
    assert player.events[-1] == SessionEnded(complete=True)
    assert len([e for e in player.events if isinstance(e, HandAborted)]) == 2
    record = own_record()
    sentences = [receive(record, event) or "" for event in player.events]
    assert sum("which was abandoned, is the one that was promised" in s for s in sentences) == 1
    assert not any("WARNING" in sentence for sentence in sentences)
    assert record.overdue(at_end=True) == []
    (report,) = verify_records(text_of(record))
    assert report.problem is None
    assert report.winners == player.scores[-1].winners
