"""Taking back, alone, with a client of the dealer dialect: what it is told, checks and writes."""

from __future__ import annotations

import random

import pytest

from hearts.bots import RandomBot
from hearts.game.events import Deal, Play
from hearts.game.record import TAKEN_BACK, parse_record
from hearts.game.view import view_of
from hearts.session.client_events import CaughtUp, DealChecked, Fairness, YourChoice
from hearts.session.table_words import Taken
from hearts.table.effects import TakenBack
from hearts.table.inputs import QUESTIONS, Chosen, Question, TakeBack
from hearts.table.table import Table
from hearts_client.session.own_record import OwnRecord
from tests.dealer.loopback import DealerPlayer

from .desk import COMPUTER, DEALER, TableDesk


class Alone(TableDesk):
    """A person with a client and three computers that choose by chance; a line is durable later."""

    def __init__(self, rules: str = "standard", *, end: int = 100, **more: object) -> None:
        draw = random.Random(3)
        deals = iter(lambda: Deal.from_secret(draw.randbytes(16)), None)
        bots = [RandomBot(draw.random) for _ in range(4)]
        super().__init__(
            rules,
            (DEALER, *[COMPUTER] * 3),
            deals,
            end=end,
            limit=0,
            bots=bots,
            slow=True,
            **more,  # type: ignore[arg-type]
        )
        self.player = DealerPlayer(0, 1, cuts=True)
        self.player.is_silent = True
        self.record = OwnRecord(self.player.picture)
        self.told: list[str] = []
        self._heard = 0
        self.player.read(self.links[0])
        self.arrive(0, self.player.sent())
        self.begin()
        self.run()

    def run(self) -> None:
        """Everything comes as far as it does without the person."""
        while True:
            self.player.read(self.links[0])
            for event in self.player.events[self._heard :]:
                if said := self.record.update(event):
                    self.told.append(said)
            self._heard = len(self.player.events)
            if self.player.is_connected and (data := self.player.sent()):
                self.links[0].rests = False
                self.send(0, data)
            elif self.store.waiting:
                self.let_through()
            else:
                return

    @property
    def asked(self) -> Question | None:
        return self.player.session.asked

    def choose(self, times: int = 1) -> None:
        for _ in range(times):
            assert self.asked is not None
            self.player.choose(self.asked)
            self.run()

    def undo(self, *, again: bool = False) -> None:
        self.player.session.wish(TakeBack(0, again))
        self.run()

    def check(self) -> None:
        """The client sees what the table has, and its record is that of the table."""
        assert self.player.picture.view() == view_of(self.table.game, 0)
        assert self.player.picture.board.totals == self.table.game.scores
        progress = self.player.session.progress
        assert progress is not None
        assert not progress.knows_count or progress.hands == self.table.past.hands_scored(0)


def test_the_client_sees_the_table_as_it_was() -> None:
    desk = Alone()
    desk.choose(3)
    seen = desk.player.picture.view()
    desk.choose()
    desk.undo()
    desk.check()
    assert desk.player.picture.view() == seen
    assert desk.asked is Question.CARD
    events = desk.player.events
    begin = events.index(TakenBack(0))
    assert Taken(TakeBack) in events[:begin]
    assert isinstance(events[-1], YourChoice)
    assert any(isinstance(event, CaughtUp) for event in events[begin:])
    desk.choose(30)
    desk.check()


@pytest.mark.parametrize("back", [1, 20])
def test_deals_are_checked_again_across_hands(back: int) -> None:
    desk = Alone()
    desk.choose(30)
    for _ in range(back):
        desk.undo()
        desk.check()
    desk.choose(30)
    for _ in range(back):
        desk.undo()
        desk.check()
        desk.undo(again=True)
        desk.check()
        desk.undo()
    desk.choose(30)
    desk.check()
    found = [event for event in desk.player.events if isinstance(event, DealChecked)]
    assert found
    assert all(each.problem is None for each in found)
    first = {each.deal: each.fairness for each in reversed(found)}
    assert set(first.values()) == {Fairness.NOBODY}
    assert not any("WARNING" in told for told in desk.told)
    assert len(desk.told) == len(first), "no deal is told of twice"


def test_the_own_record_and_that_of_the_table_say_so() -> None:
    desk = Alone(end=50)
    desk.choose(27)
    desk.undo()
    while desk.asked is not Question.AGAIN:
        desk.choose()
    (text,) = desk.record.texts().values()
    own, kept = text.splitlines(), str(desk.table.record()).splitlines()
    assert own[7] == TAKEN_BACK
    assert [line for line in own if not line.startswith("pass ")] == [
        line for line in kept if not line.startswith("pass ")
    ]
    assert parse_record(text).is_taken_back
    desk.player.games = 2
    desk.choose(2)
    assert not desk.table.record().is_taken_back


def test_who_lost_the_connection_meanwhile_comes_back_to_the_game_as_it_is() -> None:
    desk = Alone()
    desk.choose(17)
    desk.undo()
    desk.leave(0)
    progress = desk.player.session.progress
    assert progress is not None
    desk.come_back(0, progress.hands, DEALER)
    heard = DealerPlayer(0, 1)
    heard.is_silent = True
    heard.receive(desk.links[0].take())
    assert TakenBack(-1) in heard.events
    assert heard.picture.view() == view_of(desk.table.game, 0)


def test_a_choice_that_is_on_its_way_to_the_disk_is_taken_back() -> None:
    desk = Alone()
    desk.choose(2)
    seen = desk.player.picture.view()
    desk.player.choose(Question.CARD)
    desk.send(0, desk.player.sent())
    desk.player.session.wish(TakeBack(0))
    desk.run()
    assert desk.player.picture.view() == seen
    assert [line.split()[0] for line in desk.store.lines[-2:]] == ["play", "take-back"]


def test_nothing_is_told_before_it_is_durable() -> None:
    desk = Alone()
    desk.choose(2)
    desk.player.session.wish(TakeBack(0))
    desk.send(0, desk.player.sent())
    desk.player.read(desk.links[0])
    assert desk.player.events[-1] == Taken(TakeBack)
    card = desk.player.picture.view().legal_cards[0]
    desk.give(Chosen(0, Play(0, card)))
    assert len(desk.store.waiting) == 1, "no choice comes between"
    desk.run()
    desk.check()


def test_a_kill_behind_any_line_leaves_what_the_client_was_told() -> None:
    """The client's picture is that of the lines that are durable, whatever is taken back."""
    desk = Alone()
    draw = random.Random(5)
    seats = [(seat.name, seat.kind) for seat in desk.table.seats]
    checked = 0

    def compare() -> None:
        nonlocal checked
        table = Table(desk.setting, seats, lambda: Deal.from_secret(bytes(16)))
        table.restore(desk.store.lines, 0.0)
        seen = desk.player.picture
        assert seen.board.totals == table.game.scores
        if not seen.is_past and table.game.phase in QUESTIONS:
            assert seen.view() == view_of(table.game, 0)
            checked += 1

    while checked < 120:
        desk.player.read(desk.links[0])
        compare()
        if data := desk.player.sent():
            desk.links[0].rests = False
            desk.send(0, data)
        elif desk.store.waiting:
            desk.let_through()
        elif draw.random() < 0.4:
            desk.player.session.wish(TakeBack(0, draw.random() < 0.4))
        else:
            assert desk.asked is not None
            desk.player.choose(desk.asked)
    lines = desk.store.lines
    assert lines.count("take-back 0") > 4
    assert desk.table.past.hands_scored() < sum(line.startswith("deal ") for line in lines)
