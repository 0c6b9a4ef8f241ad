"""The table as it is shown agrees with the game, from every seat and from beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle

import pytest

from hearts.dealer.client_connection import WatcherSession
from hearts.game.cards import QUEEN_OF_SPADES, Card, Suit
from hearts.game.events import CardPlayed, CardsReceived, MoonChosen, TrickTaken, YourHand
from hearts.game.rules import PRESETS, Rules, parse_rules
from hearts.session.client_events import CaughtUp, DealerEvent
from hearts.session.hand import ShownTrick
from hearts.session.messages import Scores
from hearts.session.table_words import Waiting
from hearts.table.inputs import Question
from hearts.wire.codec import encode_ints
from hearts_client.screen.pictures.sights import Flash, Stage
from hearts_client.screen.table.shown_table import ShownTable
from hearts_client.words.style import Style
from tests.dealer.loopback import Loopback
from tests.hosting.desk import GAME
from tests.plain.loopback import PlainLoop

from .facts import shown_by, told_by

ASCII = Style(ascii=True)
VARIANTS = [*PRESETS, "rotate,pass=never,queen-keeps", "bleed,dump,notrick,moon=choice"]


def heard(events: Sequence[DealerEvent], *, watching: bool = False) -> ShownTable:
    table = ShownTable(ASCII, watching=watching)
    for event in events:
        table.receive(event)
    return table


@pytest.mark.parametrize(("text", "dialect"), [*zip(VARIANTS, cycle(["plain", "dealer"]))])
def test_after_every_event_the_table_is_that_of_the_game(text: str, dialect: str) -> None:
    rules = parse_rules(text)
    seats = plain(rules) if dialect == "plain" else dealer(rules)
    kinds = set()
    for number, (events, watching) in enumerate(seats):
        table = ShownTable(ASCII, watching=watching)
        for count, event in enumerate(events, 1):
            table.receive(event)
            # Four seats hear the same kinds of events, each at other places.
            if (count + number) % 4 == 0 or count == len(events):
                assert shown_by(table) == told_by(events[:count]), (number, count, event)
        kinds |= {type(event) for event in events}
    assert {YourHand, TrickTaken, Scores} <= kinds


def dealer(rules: Rules) -> Iterator[tuple[Sequence[DealerEvent], bool]]:
    """What each of the four seats and a watcher hear in two games."""
    loop = Loopback(rules, end_score=12, seed=len(str(rules)))
    for player in loop.players:
        player.games = 2
    loop.run()
    assert loop.is_over
    yield from ((player.events, False) for player in loop.players)
    yield loop.watched, True


def plain(rules: Rules) -> Iterator[tuple[Sequence[DealerEvent], bool]]:
    loop = PlainLoop(rules, end_score=20, seed=len(str(rules)))
    for _ in loop.steps():
        pass
    loop.end()
    yield from ((player.events, False) for player in loop.players)


def test_the_two_of_hearts_is_a_card_like_others() -> None:
    """As a number it is 0."""
    deuce = Card.parse("2H")
    assert not deuce
    trick = ShownTrick(5, 3, ((3, deuce), (0, Card.parse("AS"))))
    assert (trick.of(3), trick.of(1)) == (deuce, None)
    assert (trick.best, trick.turn) == (3, 1)
    assert ShownTrick(5, 3).best is None


def test_a_person_is_at_the_bottom_and_the_others_sit_clockwise() -> None:
    loop = Loopback(end_score=5)
    loop.run()
    names = ["Ann", "Bob", "Cleo", "Dan"]
    for player in loop.players:
        seats = heard(player.events).seats(None)
        assert [seat.player for seat in seats] == [(player.player + n) % 4 for n in range(4)]
        assert seats[0].name == "You"
        assert [seat.name for seat in seats[1:]] == [names[seat.player] for seat in seats[1:]]
    seats = heard(loop.watched, watching=True).seats(None)
    assert [seat.name for seat in seats] == names


# Coming back


@pytest.mark.parametrize("text", ["standard", "moon=choice,rotate,bleed"])
def test_who_comes_back_sees_what_he_would_have_seen(text: str) -> None:
    stages = set()
    for steps in range(3, 240, 79):
        loop = Loopback(parse_rules(text), end_score=30, seed=5)
        loop.run(steps)
        player, neighbour = loop.players[steps % 4], loop.players[(steps + 1) % 4]
        loop.cut(player.player)
        loop.run(steps % 7)
        loop.return_to(player.player)
        back = ShownTable(ASCII)
        for event in player.events:
            lines = back.receive(event)
            if back.picture.is_past:
                assert not lines
                assert back.flash is None
            if isinstance(event, CaughtUp):
                break
        assert back.picture.is_past is False
        stages.add(back.stage)
        loop.run()
        assert shown_by(heard(player.events)) == shown_by(heard(neighbour.events))
        assert shown_by(heard(player.events)) == told_by(neighbour.events)
    assert Stage.TRICK in stages


def test_another_program_comes_back_to_what_is_so() -> None:
    """It is told the hand under way, and of a game that is over nothing but the scores."""
    stages = set()
    for steps in (60, 113, 114, 115):
        loop = Loopback(parse_rules("moon=choice"), end_score=12, seed=5)
        loop.players[0].games = 2
        loop.run(steps)
        player, neighbour = loop.players[steps % 4], loop.players[(steps + 1) % 4]
        player.is_silent = True
        loop.cut(player.player)
        missed = len(player.events)
        loop.return_to(player.player)
        ours = shown_by(heard(player.events[missed:]))
        theirs = shown_by(heard(neighbour.events))
        assert (ours.stage, ours.winners, ours.totals, ours.lies) == (
            (theirs.stage, theirs.winners, theirs.totals, theirs.lies)
        )
        stages.add(ours.stage)
    assert stages == {Stage.TRICK, Stage.GAME_OVER}


@pytest.mark.parametrize("text", ["standard", "moon=choice,jack,pass=left"])
def test_a_watcher_who_comes_later_sees_the_same(text: str) -> None:
    seen = 0
    loop = Loopback(parse_rules(text), end_score=30, seed=9)
    while not loop.is_over and len(loop.watched) < 250:
        first = heard(loop.watched, watching=True)
        late = heard(come_to_watch(loop), watching=True)
        ours, theirs = shown_by(late), shown_by(first)
        assert not late.picture.is_past
        assert ours.totals == theirs.totals
        assert sum(sum(row) for _, row in ours.rows) == sum(sum(row) for _, row in theirs.rows)
        if theirs.stage in (Stage.PASSING, Stage.TRICK):
            assert ours == replace(theirs, rows=ours.rows)
            seen += 1
        loop.run(19)
    assert seen > 5


def come_to_watch(loop: Loopback) -> list[DealerEvent]:
    session = WatcherSession(GAME)
    session.feed(encode_ints(0, 1, 1, 1))
    session.feed(loop.watch().take())
    return list(iter(session.next_event, None))


# What is felt, and who is waited for


def test_what_is_felt() -> None:
    broken, queen, won, lost = set(), set(), set(), set()
    loop = Loopback(end_score=5, seed=4)
    loop.run()
    for player in loop.players:
        table = ShownTable(ASCII)
        for event in player.events:
            table.receive(event)
            match table.flash, event:
                case Flash.HEARTS_BROKEN, CardPlayed(_, card):
                    broken.add(card.suit is Suit.HEARTS or card == QUEEN_OF_SPADES)
                case Flash.QUEEN, TrickTaken(_, points):
                    queen.add(max(points) >= 13)
                case Flash.GAME_WON, Scores(winners=winners):
                    won.add(player.player in winners)
                case Flash.GAME_LOST, Scores(winners=winners):
                    lost.add(player.player in winners)
                case None, _:
                    pass
                case _:
                    raise AssertionError((table.flash, event))
    assert (broken, queen, won, lost) == ({True}, {True}, {True}, {False})


def test_who_is_waited_for() -> None:
    loop = Loopback(seed=3, end_score=1)
    slow = loop.players[2]
    slow.is_silent = True
    loop.run()
    table = heard(loop.players[0].events)
    table.receive(Waiting(Question.PASS, (2,), 1000, None))
    assert on_turn(table) == {2}
    slow.is_silent = False
    slow.choose(Question.PASS)
    loop.run()
    for event in loop.players[0].events[heard_before(table, loop) :]:
        table.receive(event)
        # Whoever was waited for a long time is not waited for any more when they have chosen.
        if isinstance(event, CardPlayed | Scores | MoonChosen):
            assert not table.waited_for
        if table.picture.turn is not None:
            table.receive(Waiting(Question.CARD, (table.picture.turn,), 1000, None))
        assert on_turn(table) == ({table.picture.turn} if table.picture.turn is not None else set())
    table.receive(Waiting(Question.AGAIN, (0, 3), 1000, None))
    assert on_turn(table) == {0, 3}


def heard_before(table: ShownTable, loop: Loopback) -> int:
    """How many events there were when the last player was waited for."""
    events = loop.players[0].events
    assert table.stage is Stage.PASSING
    return next(n for n, event in enumerate(events) if isinstance(event, CardsReceived))


def on_turn(table: ShownTable) -> set[int]:
    return {seat.player for seat in table.seats(table.trick) if seat.on_turn}
