"""Hands to be looked at again: whole from a record and from the session, at every position."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.errors import CorruptRecord
from hearts.game.cards import FULL_DECK, Card, mask_of
from hearts.game.deal import deal_text, disclosure_notice, parse_deal_text
from hearts.game.events import ChooseMoon, Deal, HandScored, MoonChosen, Play, TrickTaken
from hearts.game.game import Game, Phase
from hearts.game.record import Record, parse_record
from hearts.game.rules import Direction, Rules, parse_rules
from hearts.game.view import View, seen_by, view_of
from hearts.session.messages import Scores, TableInfo
from hearts_client.session.own_record import OwnRecord
from hearts_client.session.replay import HandReplay, choice_at, disclosed_replays, read_replay
from tests.game.games import ALL_RULES, SEEDS, game_by_chance, play_by_chance, secret_deal_by
from tests.plain.loopback import NAMES

from .played import PLAYED, SEATED, PlayedGame, own_record, receive, tell_events, text_of

NAMES_4 = (NAMES[0], NAMES[1], NAMES[2], NAMES[3])


def _text(rules: Rules, seed: int, hands: int) -> str:
    actions = game_by_chance(rules, seed, hands, deal=secret_deal_by)
    return str(Record(rules, 100, NAMES_4, tuple(actions)))


def _sound(replay: HandReplay) -> None:
    """Every position holds all cards once, and each step moves one."""
    before = None
    for position in range(replay.last + 1):
        moment = replay.at(position)
        if position >= replay.before_play:
            lying = mask_of(play.card for play in moment.cards)
            played = mask_of(play.card for play in replay.plays[: position - replay.before_play])
            assert sum(moment.held) == FULL_DECK & ~played
            assert sum(moment.gone) == played
            assert lying & ~played == 0
            assert (moment.winner is None) == (len(moment.cards) % 4 != 0 or not moment.cards)
            assert sum(moment.tricks) == (position - replay.before_play) // 4
            if before is not None:
                assert sum(moment.gone).bit_count() == sum(before.gone).bit_count() + 1
            before = moment
        else:
            assert moment.held == replay.dealt
            assert [mask.bit_count() for mask in moment.gone] == [3, 3, 3, 3]
    with pytest.raises(ValueError, match=f"0 to {replay.last}, not {replay.last + 1}"):
        replay.at(replay.last + 1)
    with pytest.raises(ValueError, match="not -1"):
        replay.at(-1)


@given(rules=ALL_RULES, seed=SEEDS, own=st.sampled_from([None, 0, 1, 2, 3]))
def test_every_hand_of_a_record(rules: Rules, seed: int, own: int | None) -> None:
    text = _text(rules, seed, 2)
    game = Game(rules)
    taken: list[list[TrickTaken]] = []
    ends = []
    for action, events in play_by_chance(game, random.Random(seed), 2, secret_deal_by):
        if isinstance(action, Deal):
            taken.append([])
        taken[-1] += [event for event in events if isinstance(event, TrickTaken)]
        ends += [(game.points, game.scores)] * (game.phase.value in ("deal", "over"))
    replayed = read_replay(text, own)
    assert (replayed.names, replayed.rules, replayed.problem) == (NAMES_4, rules, None)
    assert (replayed.scores, replayed.winners) == (game.scores, game.winners)
    assert len(replayed.hands) == len(taken)
    for number, (hand, tricks) in enumerate(zip(replayed.hands, taken, strict=True)):
        _sound(hand)
        assert (hand.own, hand.number) == (own, number + 1)
        assert hand.direction is rules.direction(number)
        assert (len(hand.plays), len(hand.passes)) == (52, 4 * (hand.before_play > 0))
        assert (hand.before_play > 0) == (hand.direction is not Direction.HOLD)
        assert (hand.points, hand.scores) == ends[number]
        for trick, event in enumerate(tricks, 1):
            moment = hand.at(hand.before_play + 4 * trick)
            assert (moment.trick, moment.winner, moment.points) == (
                trick,
                event.winner,
                event.points,
            )
        secret, cuts = parse_deal_text(hand.deal)
        assert Deal.from_secret(secret, cuts).hands == hand.dealt


@given(rules=ALL_RULES, seed=SEEDS)
def test_choices_are_seen_as_their_players_saw_them(rules: Rules, seed: int) -> None:
    text = _text(rules, seed, 2)
    record = parse_record(text)
    game = Game(rules, record.end_score)
    expected: list[tuple[View, Card] | None] = []
    for action in record.actions:
        if isinstance(action, Play):
            view = view_of(game, action.player)
            is_choice = len(view.legal_cards) > 1
            expected.append((view, action.card) if is_choice else None)
        game.apply(action)
    hands = read_replay(text).hands
    found = [
        choice_at(hand, position)
        for hand in hands
        for position in range(hand.before_play + 1, hand.last + 1)
    ]
    assert found == expected
    assert [choice_at(hand, hand.before_play) for hand in hands] == [None] * len(hands)


def test_from_trick_to_trick() -> None:
    passed = read_replay(_text(parse_rules("pass=left"), 1, 1)).hands[0]
    held = read_replay(_text(parse_rules("pass=never"), 1, 1)).hands[0]
    forth, back = [0], [passed.last]
    while forth[-1] < passed.last:
        forth.append(passed.next_trick(forth[-1]))
    while back[-1]:
        back.append(passed.previous_trick(back[-1]))
    assert forth == [0, 1, *range(5, 54, 4)]
    assert back == [53, *range(49, 0, -4), 0]
    assert passed.next_trick(6) == 9
    assert passed.previous_trick(7) == 5
    assert (held.next_trick(0), held.next_trick(52), held.previous_trick(4)) == (4, 52, 0)
    assert passed.next_trick(passed.last) == passed.last


def test_a_hand_that_stopped_in_the_middle() -> None:
    lines = _text(parse_rules("pass=left"), 4, 2).splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("scores")) + 1
    dealt = [line.split(" ")[0] for line in lines[begin : begin + 12]]
    assert dealt == ["commitment", "deal", *["pass"] * 4, *["play"] * 6]
    replayed = read_replay("\n".join(lines[: begin + 12]))
    assert [len(hand.plays) for hand in replayed.hands] == [52, 6]
    last = replayed.hands[-1]
    _sound(last)
    assert (last.points, last.scores, last.last) == (None, None, 7)
    assert replayed.scores == replayed.hands[0].scores
    unplayed = read_replay("\n".join(lines[: begin + 5]))
    assert len(unplayed.hands) == 1


def test_a_record_that_is_wrong_from_some_line_on() -> None:
    lines = _text(parse_rules("standard"), 5, 2).splitlines()
    second = next(i for i, line in enumerate(lines) if line.startswith("scores")) + 1
    lines[second + 1] = "nonsense"
    replayed = read_replay("\n".join(lines))
    assert len(replayed.hands) == 1
    assert replayed.problem == f"line {second + 2}: cannot read 'nonsense': not an action"
    unscored = read_replay("\n".join(lines[: second - 1]))
    assert unscored.problem == "the scores of the last hand are missing"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1"),
        (_text(parse_rules("standard"), 1, 1).replace("rules ", "rulez ", 1), "line 2"),
        (_text(parse_rules("standard"), 1, 1).replace("Bob", "B\x1b[1mob", 1), "player 1"),
        (_text(parse_rules("standard"), 1, 1).replace("3 Dan", "3 ", 1), "player 3"),
    ],
)
def test_what_is_no_record(text: str, why: str) -> None:
    with pytest.raises(CorruptRecord, match=why):
        read_replay(text)


# From the session under way


def _without_own_marks(hands: Sequence[HandReplay]) -> list[object]:
    return [(h.dealt, h.leader, h.plays, h.points, h.scores, h.deal) for h in hands]


@settings(max_examples=5)
@given(
    rules=st.sampled_from(["standard", "moon=choice", "pass=never,jack", "exact=zero"]),
    seed=st.integers(0, 1000),
    seat=st.integers(0, 3),
)
def test_a_session_gives_what_its_record_gives(rules: str, seed: int, seat: int) -> None:
    played = PlayedGame(parse_rules(rules), 60, seed)
    record = own_record()
    begin, *hands = played.hands(seat)
    tell_events(record, begin)
    assert disclosed_replays(record) == ()
    for number, (events, secret) in enumerate(zip(hands, played.secrets, strict=True), 1):
        tell_events(record, events)
        assert len(disclosed_replays(record)) == number - 1
        record.notice(disclosure_notice(number, secret))
        latest = disclosed_replays(record)[-1]
        assert (latest.number, latest.own, latest.names) == (number, seat, NAMES)
        assert latest.deal == deal_text(secret)
        _sound(latest)
    from_text = read_replay(text_of(record), seat).hands
    assert _without_own_marks(disclosed_replays(record)) == _without_own_marks(from_text)
    assert disclosed_replays(record)[-1].winners


def test_who_came_later_has_the_hands_that_he_saw() -> None:
    record = own_record(hands_before=1)
    begin, _, second, third, *_ = PLAYED.hands(2)
    tell_events(record, [*begin, *second])
    record.notice(disclosure_notice(2, PLAYED.secrets[1]))
    assert text_of(record) == ""
    (hand,) = disclosed_replays(record)
    _sound(hand)
    assert (hand.number, hand.names) == (2, NAMES)
    assert hand.points is not None
    assert hand.scores is not None
    tell_events(record, third)
    assert len(disclosed_replays(record)) == 1
    record.notice(disclosure_notice(3, PLAYED.secrets[2]))
    second_hand, third_hand = disclosed_replays(record)
    assert second_hand.scores is not None
    assert third_hand.points is not None
    sums = tuple(a + b for a, b in zip(second_hand.scores, third_hand.points, strict=True))
    assert third_hand.scores == sums


def test_another_deal_than_that_of_our_cards_is_not_shown() -> None:
    record = own_record()
    begin, first, *_ = PLAYED.hands(1)
    tell_events(record, [*begin, *first])
    record.notice(disclosure_notice(1, bytes(16)))
    assert disclosed_replays(record) == ()


THEIR_MOON = "0000-0000-0000-0000-0000-0001-8RZY"
"""Player 3 takes all when everybody plays low, without a pass."""


def _heard(choice: bool, *, is_first: bool, is_told: bool) -> OwnRecord:
    """What player 0 has of a hand in which player 3 shoots the moon and chooses."""
    rules = parse_rules("moon=choice,pass=never")
    game = Game(rules)
    game.scores = (10, 20, 30, 40)
    record = own_record(None if is_first else 1)
    tell_events(record, [SEATED, TableInfo(rules, 100, 60, frozenset())])
    if is_first:
        game.scores = (0, 0, 0, 0)
    else:
        game.hand_number = 0
    secret = parse_deal_text(THEIR_MOON)[0]
    actions: list[Deal | Play | ChooseMoon] = [Deal.from_secret(secret)]
    while actions:
        for event in game.apply(actions.pop()):
            seen = seen_by(event, 0)
            if isinstance(seen, HandScored):
                receive(record, Scores(seen.scores, seen.winners))
            elif seen is not None and (is_told or not isinstance(seen, MoonChosen)):
                receive(record, seen)
        if game.phase is Phase.PLAY:
            (player,) = game.waiting_for()
            legal = view_of(game, player).legal_cards
            actions.append(Play(player, min(legal, key=lambda card: (card.rank, card.wire))))
        elif game.phase is Phase.MOON:
            actions.append(ChooseMoon(3, choice))
    record.notice(disclosure_notice(1 if is_first else 2, secret))
    return record


@pytest.mark.parametrize("choice", [True, False])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("is_told", [True, False])
def test_a_moon_and_what_its_shooter_chose(choice: bool, is_first: bool, is_told: bool) -> None:
    (hand,) = disclosed_replays(_heard(choice, is_first=is_first, is_told=is_told))
    assert hand.shooter == 3
    if not is_first and not is_told:
        # Without the scores before nobody can say what the hand added.
        assert hand.points is None
        return
    assert hand.points == ((26, 26, 26, 0) if choice else (0, 0, 0, -26))
