"""Other rules for the next game: who is asked, and when they hold."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.errors import Fault
from hearts.game.rules import Rules, parse_rules
from hearts.table.effects import (
    Decline,
    GameBegun,
    GamePlayed,
    RulesAgreed,
    RulesProposed,
    RulesRefused,
    Tell,
    TellAll,
)
from hearts.table.inputs import AnswerAgain, Chosen, ProposeRules, Question, Vote
from tests.table.desk import CLIENT, COMPUTER, HOLD, JACK, Desk, game_over


class TestRules:
    def proposed(self, desk: Desk) -> None:
        desk.able(0, 1, 2, 3)
        desk.give(ProposeRules(0, JACK, 50))

    def test_all_others_are_asked(self) -> None:
        desk = Desk(HOLD)
        self.proposed(desk)
        asked = [effect for effect in desk.all_of(Tell) if isinstance(effect.event, RulesProposed)]
        assert asked == [Tell(player, RulesProposed(JACK, 50, 60.0)) for player in (1, 2, 3)]

    def test_they_hold_from_the_next_game_on(self) -> None:
        desk = game_over()
        self.proposed(desk)
        desk.agree(3, 1, 2)
        assert desk.lines[-1] == "rules jack end 50"
        assert desk.told_to_all(RulesAgreed) == [RulesAgreed(JACK, 50)]
        assert desk.table.game.rules == parse_rules(HOLD)
        desk.give(Chosen(0, AnswerAgain(0, True)))
        begun = desk.told_to_all(GameBegun)[-1]
        assert isinstance(begun, GameBegun)
        assert (begun.setting.rules, begun.setting.end_score) == (JACK, 50)
        assert (desk.table.game.rules, desk.table.game.end_score) == (JACK, 50)

    def test_they_hold_after_a_restart_at_any_line(self) -> None:
        desk = game_over()
        self.proposed(desk)
        desk.agree(1, 2, 3)
        agreed_at = len(desk.lines)
        desk.give(Chosen(0, AnswerAgain(0, True)))
        for at in range(agreed_at, len(desk.lines) + 1):
            again = Desk(HOLD, end=1, pause=600, stored=desk.lines[:at])
            if at == agreed_at:
                again.come_back(0)
                again.give(Chosen(0, AnswerAgain(0, True)))
            assert (again.table.game.rules, again.table.game.end_score) == (JACK, 50)

    def test_a_server_that_dies_when_they_are_agreed_on_asks_the_same_player_again(self) -> None:
        desk = Desk(HOLD, pause=600)
        self.proposed(desk)
        desk.play(5)
        desk.agree(1, 2, 3)
        assert desk.lines[-1].startswith("rules ")
        again = Desk(HOLD, pause=600, stored=desk.lines)
        assert again.asked() == desk.asked() != []

    def test_the_record_of_a_game_has_its_own_rules(self) -> None:
        desk = Desk(HOLD, end=1)
        self.proposed(desk)
        desk.agree(1, 2, 3)
        desk.play(52)
        first = desk.table.record()
        desk.give(Chosen(0, AnswerAgain(0, True)))
        for player in range(4):
            desk.choose(player, Question.PASS)
        while len(desk.all_of(GamePlayed)) < 2:
            if desk.table.game.waiting_for() == (0, 1, 2, 3):
                for player in range(4):
                    desk.choose(player, Question.PASS)
            else:
                desk.play(1)
        second = desk.table.record()
        assert (first.rules, first.end_score) == (parse_rules(HOLD), 1)
        assert (second.rules, second.end_score) == (JACK, 50)
        assert second.replay().winners

    def test_one_who_does_not_agree_keeps_the_old_ones(self) -> None:
        desk = Desk(HOLD)
        self.proposed(desk)
        desk.agree(1)
        desk.give(Vote(2, agreed=False))
        assert [refused.player for refused in self.refused(desk)] == [2]
        assert desk.agree(3) == []

    def refused(self, desk: Desk) -> Sequence[RulesRefused]:
        return [e.event for e in desk.all_of(TellAll) if isinstance(e.event, RulesRefused)]

    def test_time_runs_out(self) -> None:
        desk = Desk(HOLD, limit=0)
        self.proposed(desk)
        assert desk.table.wake_at == 60
        desk.wait_until(60)
        assert [refused.player for refused in self.refused(desk)] == [-1]
        assert desk.table.wake_at > 60

    def test_who_leaves_does_not_agree(self) -> None:
        desk = Desk(HOLD)
        self.proposed(desk)
        desk.leave(1)
        assert [refused.player for refused in self.refused(desk)] == [1]

    def test_a_plain_client_cannot_agree(self) -> None:
        desk = Desk(HOLD)
        desk.able(0, 1, 3)
        desk.give(ProposeRules(0, JACK, 50))
        assert [refused.player for refused in self.refused(desk)] == [2]
        assert not any(isinstance(effect.event, RulesProposed) for effect in desk.all_of(Tell))

    def test_computers_agree(self) -> None:
        desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER))
        desk.able(0)
        desk.give(ProposeRules(0, JACK, 50))
        assert desk.lines[-1] == "rules jack end 50"

    def test_only_player_0_and_one_at_a_time(self) -> None:
        desk = Desk(HOLD)
        desk.able(0, 1, 2, 3)
        wish = ProposeRules(1, JACK, 50)
        assert desk.give(wish) == [Decline(1, wish, Fault.NOT_PLAYER_0)]
        desk.give(ProposeRules(0, JACK, 50))
        second = ProposeRules(0, Rules(), 50)
        assert desk.give(second) == [Decline(0, second, Fault.NOT_NOW)]

    def test_a_game_has_room_for_ten_proposals(self) -> None:
        desk = Desk(HOLD, (CLIENT, COMPUTER, COMPUTER, COMPUTER), end=1)
        desk.able(0)
        for _ in range(10):
            assert not any(isinstance(e, Decline) for e in desk.give(ProposeRules(0, JACK, 50)))
        eleventh = ProposeRules(0, JACK, 50)
        assert desk.give(eleventh) == [Decline(0, eleventh, Fault.NOT_NOW)]
        assert desk.lines.count("rules jack end 50") == 10

    def test_an_agreement_on_its_way_when_the_session_ends_can_be_read_back(self) -> None:
        desk = game_over()
        self.proposed(desk)
        desk.slow_store = True
        desk.give(Chosen(0, AnswerAgain(0, False)))
        desk.agree(1, 2, 3)
        stored = [*desk.lines, *desk.pending]
        assert [line.split()[0] for line in stored[-2:]] == ["again", "rules"]
        assert Desk(HOLD, end=1, stored=stored).table.is_complete
