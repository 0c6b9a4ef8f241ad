"""Clients of the dealer dialect at a real table: whole games, cuts, lost connections, wishes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from hearts.bots import SimpleBot
from hearts.errors import Fault, Reason
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    HandBegun,
    MoonChosen,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import STANDARD, Rules, parse_rules
from hearts.game.verify import Proof, verify_record
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    DealChecked,
    DealerEvent,
    Fairness,
    Seated,
    SessionEnded,
    Watching,
    YourChoice,
)
from hearts.session.messages import Scores, TableInfo
from hearts.session.table_words import Declined, RegisterOpponents
from hearts.table.effects import DealDisclosed, RulesAgreed, RulesRefused
from hearts.table.inputs import ProposeRules, Question, ReplacePlayer
from tests.client.played import own_record, receive, text_of
from tests.dealer.loopback import LIMIT, Loopback
from tests.plain.loopback import NAMES, PlainLoop

RULES = ["standard", "jack,moon=choice,rotate", "mac2000", "windows93,pass=never"]
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.heavy) for seed in (1, 2))]
GAME_EVENTS = (
    *(YourHand, PassMade, CardsReceived, TrickBegun, CardPlayed, TrickTaken, TricksDone),
    *(MoonChosen, Scores, AnotherGame),
)


def played(rules: Rules = STANDARD, end_score: int = 30, seed: int = 1, **more: object) -> Loopback:
    """A session that was played to its end."""
    table = Loopback(rules, end_score, seed, **more)  # type: ignore[arg-type]
    table.run()
    assert table.is_over
    return table


@pytest.mark.parametrize("rules", RULES)
def test_what_both_dialects_tell_is_the_same(rules: str) -> None:
    """The order of the events of a game is that of the plain dialect."""
    table = played(parse_rules(rules), end_score=30, seed=3)
    plain = PlainLoop(parse_rules(rules), 30, 3)
    for _ in plain.steps():
        pass
    plain.end()
    shared = (Seated, TableInfo, YourChoice, ChoiceRefused, AgainAnswered, *GAME_EVENTS)

    def shapes(events: Sequence[object]) -> set[tuple[str, str]]:
        names = [type(event).__name__ for event in events if isinstance(event, shared)]
        return set(pairwise(names))

    for ours, theirs in zip(table.players, plain.players, strict=True):
        # A moon that another player chooses about is told here, and is not in the plain dialect.
        skip = {("TricksDone", "MoonChosen"), ("MoonChosen", "Scores")}
        skip |= {("TricksDone", "YourChoice"), ("YourChoice", "MoonChosen")}
        assert shapes(ours.events) - skip == shapes(theirs.events) - skip


def test_choices_come_with_their_terms() -> None:
    table = played()
    for player in table.players:
        terms = [event for event in player.events if isinstance(event, ChoiceTerms)]
        asked = [event.question for event in player.events if isinstance(event, YourChoice)]
        assert [each.question for each in terms] == asked
        assert all(each.left == LIMIT * 1000 for each in terms)
        assert all(bool(each.legal) == (each.question is Question.CARD) for each in terms)


def test_who_the_players_are() -> None:
    table = played()
    (seated,) = [event for event in table.players[2].events if isinstance(event, Seated)]
    assert (seated.player, seated.names) == (2, NAMES)
    (known,) = [event for event in table.players[2].events if isinstance(event, RegisterOpponents)]
    assert [info.name for info in known.players] == list(NAMES)


@pytest.mark.parametrize("cuts", [(), (0,), (0, 1, 2, 3)])
def test_every_deal_is_checked(cuts: tuple[int, ...]) -> None:
    table = played(end_score=60, cuts=cuts)
    for player in table.players:
        checked = [event for event in player.events if isinstance(event, DealChecked)]
        found = Fairness.NOBODY if player.player in cuts else Fairness.NOT_CUT
        assert checked == [
            DealChecked(number, None, found, (), tuple((0, number * (p in cuts)) for p in range(4)))
            for number in range(1, len(checked) + 1)
        ]
        disclosed = [event for event in player.events if isinstance(event, DealDisclosed)]
        assert len(checked) == len(disclosed) > 2
        for event in disclosed:
            given = [player for player in range(4) if any(event.cuts[8 * player :][:8])]
            assert given == list(cuts)


@pytest.mark.parametrize("cuts", [(), (1, 3)])
def test_an_own_record_needs_no_chat(cuts: tuple[int, ...]) -> None:
    table = played(parse_rules("moon=choice"), end_score=60, cuts=cuts)
    record = own_record()
    said = [receive(record, event) for event in table.players[0].events]
    told = [sentence for sentence in said if sentence is not None]
    what = "it is the one that was promised" + ("; you added no number to it" if cuts else "")
    assert all(sentence.endswith(what) for sentence in told)
    report = verify_record(text_of(record))
    assert report.problem is None
    assert report.winners
    assert {deal.proof for deal in report.deals} == {Proof.COMMITMENT}
    assert {deal.shown is not None for deal in report.deals} == {bool(cuts)}
    assert len(told) == len(report.deals)


def test_a_watcher_sees_what_everybody_may() -> None:
    table = played(parse_rules("moon=choice"), cuts=(2,))
    watched = table.watched
    assert isinstance(watched[0], Watching)
    assert watched[-1] == SessionEnded(complete=True)
    seen = [event for event in watched if isinstance(event, CardPlayed | TrickTaken)]
    assert seen == [
        event for event in table.players[1].events if isinstance(event, CardPlayed | TrickTaken)
    ]
    hands = [event for event in watched if isinstance(event, HandBegun)]
    assert len(hands) == sum(isinstance(event, Scores) for event in watched)
    assert not any(isinstance(event, YourHand | PassMade | YourChoice) for event in watched)


# The clock and answers that are not taken


def test_the_clock_and_a_late_answer() -> None:
    table = Loopback()
    late = table.players[1]
    late.is_silent = True
    table.run()
    assert late.session.asked is Question.PASS
    cards = late.picture.view().cards[:3]
    late.session.pass_cards(cards)
    frame = late.session.bytes_to_send()
    table.wait(LIMIT + 1.0)
    table.run()
    forced = next(event for event in late.events if isinstance(event, PassMade))
    assert forced.by is ChosenBy.CLOCK
    late.events.clear()
    late.interrupt(frame)
    table.run()
    (declined,) = [event for event in late.events if isinstance(event, Declined)]
    assert (declined.wish, declined.fault) == (None, Fault.TOO_LATE)
    assert not any(isinstance(event, ChoiceRefused) for event in late.events)


def test_an_illegal_card_is_asked_for_again() -> None:
    table = Loopback(parse_rules("pass=never"))
    for player in table.players:
        player.is_silent = True
    table.run()
    leader = next(player for player in table.players if player.session.asked is Question.CARD)
    legal = leader.picture.view().legal_cards
    wrong = next(card for card in leader.picture.view().cards if card not in legal)
    leader.session.play(wrong)
    table.run()
    assert leader.events[-1] == ChoiceRefused(Question.CARD, Reason.TWO_OF_CLUBS_LEADS)
    assert leader.session.asked is Question.CARD
    leader.session.play(legal[0])
    table.run()
    assert CardPlayed(leader.player, legal[0], ChosenBy.PLAYER) in leader.events


# Lost connections


def steps_of(table: Loopback) -> int:
    count = 0
    while not table.is_over:
        table.run(1)
        count += 1
    return count


def simple(table: Loopback) -> Loopback:
    for player in table.players:
        player.bot = SimpleBot()
        player.games = 2
    return table


def without_what_came_twice(events: Sequence[DealerEvent]) -> list[list[DealerEvent]]:
    """Each hand that was scored, as it was last told."""
    found = []
    hand: list[DealerEvent] = []
    for event in events:
        if isinstance(event, YourHand):
            hand = []
        if isinstance(event, Scores):
            # Who decides about another game is who is connected then.
            found.append([*hand, replace(event, you_decide=False)])
        elif isinstance(event, GAME_EVENTS) and not isinstance(event, AnotherGame):
            hand.append(event)
    return found


@pytest.mark.parametrize("rules", ["standard", "jack,moon=choice,pass=left"])
def test_a_connection_lost_after_any_step(rules: str) -> None:
    def table() -> Loopback:
        return simple(Loopback(parse_rules(rules), 5))

    whole = table()
    steps = steps_of(whole)
    expected = without_what_came_twice(whole.players[0].events)
    assert len(expected) > 1
    for step in range(0, steps, 31):
        cut = table()
        cut.run(step)
        player = cut.players[0]
        if player.session.progress is None:
            break
        cut.cut(0)
        cut.run()
        cut.return_to(0)
        cut.run()
        assert cut.is_over
        assert player.events[-1] == SessionEnded(complete=True), step
        assert without_what_came_twice(player.events) == expected, step
        checked = [event for event in player.events if isinstance(event, DealChecked)]
        assert all(event.problem is None for event in checked)
        assert {event.deal for event in checked} == set(range(1, len(expected) + 1))
        begins = next(i for i, event in enumerate(player.events) if isinstance(event, CameBack))
        ends = player.events.index(CaughtUp())
        assert begins < ends
        past = player.events[begins:ends]
        assert not any(isinstance(event, YourChoice | ChoiceTerms) for event in past)


@pytest.mark.parametrize("seed", SEEDS)
def test_deals_that_are_cut_over_connections_that_are_lost(seed: int) -> None:
    draw = random.Random(seed)
    table = simple(Loopback(end_score=20, cuts=(0, 2)))
    for _ in range(10_000):
        table.run(draw.randrange(1, 9))
        if table.is_over:
            break
        table.cut(0)
        table.run(draw.randrange(9))
        # Its end may have been waiting for the store, or is known to this client already.
        if table.players[0].session.progress is None or table.is_over:
            break
        table.return_to(0)
    for player in (table.players[0], table.players[2]):
        checked = [event for event in player.events if isinstance(event, DealChecked)]
        assert {event.deal for event in checked} == set(range(1, len(player.scores) + 1))
        assert all(event.problem is None for event in checked)


def test_a_value_that_nobody_heard_leaves_the_deal_to_anybody() -> None:
    table = Loopback(cuts=(0,))
    player = table.players[0]
    # The first cut is sent and not heard.
    player.sent()
    table.cut(0)
    table.run()
    table.wait(LIMIT + 1.0)
    table.run()
    table.return_to(0)
    table.run()
    checked = next(event for event in player.events if isinstance(event, DealChecked))
    left_out = ((1, 1), (0, 0), (0, 0), (0, 0))
    assert checked == DealChecked(1, None, Fairness.ANYBODY, (0,), left_out)


# Wishes


OTHER = parse_rules("jack,moon=minus")


def test_rules_that_all_agree_to() -> None:
    table = Loopback(end_score=20)
    first = table.players[0]
    first.games = 2
    first.session.wish(ProposeRules(0, OTHER, 15))
    table.run()
    for player in table.players:
        assert RulesAgreed(OTHER, 15) in player.events
        first_game, second_game = [e for e in player.events if isinstance(e, TableInfo)]
        assert (first_game.rules, first_game.end_score) == (STANDARD, 20)
        assert (second_game.rules, second_game.end_score) == (OTHER, 15)


def test_rules_that_one_does_not_agree_to() -> None:
    table = Loopback(end_score=20)
    table.players[2].agrees = False
    table.players[0].session.wish(ProposeRules(0, OTHER, 15))
    table.run()
    for player in table.players:
        (refused,) = [event for event in player.events if isinstance(event, RulesRefused)]
        assert refused.player == 2


def test_who_may_not_propose() -> None:
    table = Loopback()
    table.players[1].session.wish(ProposeRules(1, OTHER, 15))
    table.players[0].session.wish(ReplacePlayer(0, 0))
    table.run()
    for number, what, fault in (
        (1, ProposeRules, Fault.NOT_PLAYER_0),
        (0, ReplacePlayer, Fault.NOT_NOW),
    ):
        declined = [e for e in table.players[number].events if isinstance(e, Declined)]
        assert [(event.wish, event.fault) for event in declined] == [(what, fault)]
