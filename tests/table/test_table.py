"""The table as a machine: inputs, effects and time, with a store that is durable when told."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given

from hearts.errors import Reason
from hearts.game.cards import Card
from hearts.game.deal import commitment_notice, disclosure_notice
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    Pass,
    PassMade,
    Play,
    TrickBegun,
    YourHand,
)
from hearts.game.record import parse_record
from hearts.game.rules import Direction, Rules
from hearts.game.view import view_of
from hearts.table.effects import (
    AgainSettled,
    Announce,
    Ask,
    AskBot,
    Effect,
    Ended,
    GameBegun,
    GamePlayed,
    GameScored,
    Persist,
    Refuse,
    SendTo,
    SendToAll,
    Stopped,
)
from hearts.table.inputs import (
    AnswerAgain,
    CameLate,
    Chosen,
    ClientCaughtUp,
    Drain,
    Input,
    Question,
)
from hearts.table.seat import MAX_TRIES, Kind
from tests.game.games import ALL_RULES, SEEDS, faults_of
from tests.table.desk import CLIENT, COMPUTER, HOLD, NAMES, SECRET, Desk, game_over


def illegal_card(desk: Desk, player: int) -> Card:
    view = view_of(desk.table.game, player)
    return next(card for card in view.cards if card not in view.legal_cards)


# The road of a choice


def test_nothing_is_told_before_it_is_durable() -> None:
    desk = Desk(slow_store=True)
    begun, persist = desk.effects
    assert begun == SendToAll(GameBegun(desk.table.setting))
    assert isinstance(persist, Persist)
    assert persist.line.startswith("deal ")
    effects = desk.durable()
    hands = [effect.event for effect in effects if isinstance(effect, SendTo)]
    assert [type(event) for event in hands] == [YourHand] * 4
    asks = [Ask(player, Question.PASS, 60.0, 0) for player in range(4)]
    assert effects[-4:] == asks


def test_several_choices_wait_for_the_store_in_order() -> None:
    desk = Desk(slow_store=True)
    desk.durable()
    for player in (2, 0, 3, 1):
        (persist,) = desk.choose(player, Question.PASS)
        assert isinstance(persist, Persist)
    assert [line.split()[1] for line in desk.pending] == ["2", "0", "3", "1"]
    assert not desk.all_of(SendTo)[4:]
    for player in (2, 0, 3):
        (told,) = desk.durable()
        assert isinstance(told, SendTo)
        assert told.player == player
        assert isinstance(told.event, PassMade)
    last = desk.durable()
    received = [e.player for e in last if isinstance(e, SendTo) and type(e.event) is CardsReceived]
    assert received == [0, 1, 2, 3]
    assert isinstance(last[-1], Ask)


def test_a_choice_that_waits_for_the_store_is_not_made_again() -> None:
    desk = Desk(HOLD, slow_store=True)
    desk.durable()
    player = desk.on_turn
    desk.choose(player, Question.CARD)
    assert desk.give(Chosen(player, None)) == []
    assert desk.wait_until(1e6) == []
    assert len(desk.pending) == 1


def test_a_choice_that_nobody_was_asked_for_has_no_effect() -> None:
    desk = Desk(HOLD)
    other = (desk.on_turn + 1) % 4
    assert desk.give(Chosen(other, Play(other, Card(0)))) == []


def test_only_the_passer_learns_what_was_passed() -> None:
    desk = Desk()
    effects = desk.choose(1, Question.PASS)
    told = [effect for effect in effects if isinstance(effect, SendTo | SendToAll)]
    assert told == [SendTo(1, PassMade(1, choice_cards(effects), ChosenBy.PLAYER))]


def choice_cards(effects: Sequence[Effect]) -> tuple[Card, ...]:
    (line,) = (effect.line for effect in effects if isinstance(effect, Persist))
    return tuple(Card.parse(word) for word in line.split()[2:])


def test_computers_are_told_nothing() -> None:
    desk = Desk(kinds=(CLIENT, COMPUTER, COMPUTER, COMPUTER))
    assert {tell.player for tell in desk.all_of(SendTo)} == {0}


# Illegal tries


def test_an_illegal_try_is_refused_with_its_reason() -> None:
    desk = Desk(HOLD)
    player = desk.on_turn
    assert desk.give(Chosen(player, Play(player, illegal_card(desk, player)))) == [
        Refuse(player, Reason.TWO_OF_CLUBS_LEADS)
    ]
    assert desk.give(Chosen(player, None)) == [Refuse(player, Reason.NOT_HELD)]
    assert any(isinstance(effect, Persist) for effect in desk.choose(player, Question.CARD))


def test_a_pass_of_a_card_that_is_not_held_is_refused() -> None:
    desk = Desk()
    theirs = view_of(desk.table.game, 1).cards[:3]
    assert desk.give(Chosen(0, Pass(0, theirs))) == [Refuse(0, Reason.NOT_HELD)]


def test_the_tenth_illegal_try_lets_a_bot_choose() -> None:
    desk = Desk(HOLD)
    player = desk.on_turn
    for _ in range(MAX_TRIES - 1):
        assert desk.give(Chosen(player, None)) == [Refuse(player, Reason.NOT_HELD)]
    (asked,) = desk.give(Chosen(player, None))
    assert isinstance(asked, AskBot)
    assert (asked.view.player, asked.by) == (player, ChosenBy.CLOCK)
    events = [effect.event for effect in desk.answer(asked) if isinstance(effect, SendToAll)]
    assert isinstance(events[0], CardPlayed)
    assert events[0].by is ChosenBy.CLOCK


def test_tries_are_counted_anew_for_each_choice() -> None:
    desk = Desk(HOLD)
    for _ in range(8):
        player = desk.on_turn
        for _ in range(MAX_TRIES - 1):
            desk.give(Chosen(player, None))
        desk.choose(player, Question.CARD)
    assert desk.all_of(AskBot) == []


# Hands and games


def test_the_next_hand_is_dealt_when_one_is_scored() -> None:
    desk = Desk()
    desk.play_hand()
    assert desk.all_of(Announce) == [
        Announce(commitment_notice(1, SECRET)),
        Announce(disclosure_notice(1, SECRET)),
        Announce(commitment_notice(2, SECRET)),
    ]
    directions = [event.direction for event in desk.told(3) if isinstance(event, YourHand)]
    assert directions == [Direction.LEFT, Direction.RIGHT]


def test_the_lowest_connected_client_is_asked_about_another_game() -> None:
    desk = game_over(kinds=(COMPUTER, CLIENT, CLIENT, CLIENT))
    assert desk.all_of(Ask)[-1].player == 1
    (scored,) = (event for event in desk.told(1) if isinstance(event, GameScored))
    assert scored.decider == 1


def test_game_scored_comes_when_it_is_durable_who_decides() -> None:
    desk = Desk(HOLD, end=1)
    desk.play(51)
    desk.slow_store = True
    desk.play(1)
    effects = desk.durable()
    assert desk.pending[0] == "ask-again 0"
    assert effects[-2] == GamePlayed(53)
    assert not any(isinstance(event, GameScored) for event in desk.told(0))
    told, disclosed, ask = desk.durable()
    assert isinstance(told, SendToAll)
    assert isinstance(told.event, GameScored)
    assert disclosed == Announce(disclosure_notice(1, SECRET))
    assert ask == Ask(0, Question.AGAIN, 60.0, 0)


def test_yes_begins_another_game() -> None:
    desk = game_over()
    desk.choose(0, Question.AGAIN)
    assert AgainSettled(0, True, ChosenBy.PLAYER) in desk.told(2)
    assert [type(event) for event in desk.told(2)].count(GameBegun) == 2
    assert desk.table.game.hand_number == 0
    assert desk.table.game.scores == (0, 0, 0, 0)


def test_no_ends_the_session() -> None:
    desk = game_over()
    effects = desk.give(Chosen(0, AnswerAgain(0, False)))
    assert effects[1:] == [
        SendToAll(AgainSettled(0, False, ChosenBy.PLAYER)),
        Ended("the players are done"),
    ]


@pytest.mark.parametrize(
    ("kinds", "yes"), [((CLIENT,) * 4, True), ((CLIENT, COMPUTER, COMPUTER, COMPUTER), False)]
)
def test_the_default_answer_is_yes_where_somebody_else_plays(
    kinds: tuple[Kind, ...], yes: bool
) -> None:
    desk = Desk(HOLD, kinds, end=1)
    while (asked := desk.asked()) and asked[0][1] is not Question.AGAIN:
        if kinds[desk.on_turn] is COMPUTER:
            desk.answer(desk.all_of(AskBot)[-1])
        else:
            desk.play(1)
    desk.wait_for_clock()
    assert AgainSettled(0, yes, ChosenBy.CLOCK) in desk.told(0)
    assert desk.table.ended is not yes


def test_the_default_answer_is_no_where_the_others_let_the_clock_choose() -> None:
    desk = Desk(HOLD, end=1, limit=1)
    while (asked := desk.asked()) and asked[0][1] is not Question.AGAIN:
        player = desk.on_turn
        if player == 0:
            desk.choose(player, Question.CARD)
        else:
            desk.miss(player)
    desk.wait_for_clock()
    assert AgainSettled(0, False, ChosenBy.CLOCK) in desk.told(0)


def test_a_decider_who_leaves_is_answered_for() -> None:
    desk = game_over(grace=5)
    desk.leave(0)
    desk.wait_for_clock()
    assert AgainSettled(0, True, ChosenBy.STAND_IN) in desk.told(1)


def test_drain_ends_the_table_after_the_hand() -> None:
    desk = Desk(HOLD)
    assert desk.give(Drain()) == []
    desk.play_hand()
    assert desk.effects[-1] == Stopped("the server shuts down")
    assert desk.table.past.hands_scored() == 1


def test_drain_at_the_end_of_a_game_asks_nobody() -> None:
    desk = Desk(HOLD, end=1)
    desk.give(Drain())
    desk.play_hand()
    assert not any(ask.question is Question.AGAIN for ask in desk.all_of(Ask))
    assert AgainSettled(-1, False, ChosenBy.CLOCK) in desk.told(0)
    assert desk.table.ended


def test_drain_stops_a_table_where_only_another_game_is_open() -> None:
    desk = game_over()
    assert desk.give(Drain()) == [Stopped("the server shuts down")]
    again = Desk(HOLD, end=1, pause=100, stored=desk.lines)
    again.come_back(0)
    assert again.asked() == [(0, Question.AGAIN)]


def test_drain_stops_a_table_before_the_next_deal() -> None:
    desk = game_over()
    desk.slow_store = True
    desk.choose(0, Question.AGAIN)
    desk.table.seats[0].request = None
    desk.give(Drain())
    desk.durable()
    assert AgainSettled(0, True, ChosenBy.PLAYER) in desk.told(0)
    assert desk.effects[-1] == Stopped("the server shuts down")


def test_the_record_of_a_game_reads_back() -> None:
    desk = game_over()
    record = desk.table.record()
    assert desk.all_of(GamePlayed) == [GamePlayed(len(record.actions))]
    assert parse_record(str(record)) == record
    assert record.names == NAMES


# Laws


@given(rules=ALL_RULES, seed=SEEDS)
def test_any_order_of_store_clocks_and_choices_plays_a_sound_game(rules: Rules, seed: int) -> None:
    source = random.Random(seed)
    kinds = [source.choice([CLIENT, CLIENT, COMPUTER]) for _ in range(3)]
    desk = Desk(rules, [CLIENT, *kinds], end=10, slow_store=True, limit=10, grace=20)
    bots: list[AskBot] = []
    seen = 0
    for _ in range(400):
        bots += [effect for effect in desk.effects[seen:] if isinstance(effect, AskBot)]
        seen = len(desk.effects)
        if desk.table.ended:
            break
        what = source.randrange(12)
        asked = desk.asked()
        if desk.pending and what < 5:
            desk.durable()
        elif bots and what < 8:
            desk.answer(bots.pop(source.randrange(len(bots))))
        elif asked and what < 10:
            player, question = source.choice(asked)
            if desk.table.seats[player].kind is CLIENT:
                desk.choose(player, question)
        elif what == 10:
            desk.wait(source.choice([0.5, 5, 40]))
        else:
            player = source.randrange(4)
            signs: list[Input] = [ClientCaughtUp(player), CameLate(player), Chosen(player, None)]
            desk.give(source.choice(signs))
            if source.random() < 0.02:
                desk.leave(player)
        check_time(desk)
    check_story(desk)


def check_time(desk: Desk) -> None:
    for seat in desk.table.seats:
        if seat.request is not None and seat.request.is_unanswered:
            assert desk.table.wake_at <= seat.request.deadline


def check_story(desk: Desk) -> None:
    """Everybody was told the same, in order, and the game that was told is the game."""
    open_events = [effect.event for effect in desk.all_of(SendToAll)]
    plays = [event.card for event in open_events if isinstance(event, CardPlayed)]
    game = desk.table.game
    assert faults_of(game) == []
    assert not game.history or plays[-len(game.history) :] == game.history
    leads = sum(isinstance(event, TrickBegun) for event in open_events)
    assert leads >= len(plays) / 4
    ends = desk.all_of(GamePlayed)
    if ends and desk.table.game.winners:
        record = desk.table.record()
        assert record.replay().winners
        assert ends[-1] == GamePlayed(len(record.actions))
