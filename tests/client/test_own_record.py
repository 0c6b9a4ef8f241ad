"""A player's own copy of a game: whole and true, or a warning."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.dealer.deal_verifier import (
    NO_PROMISE,
    NOT_PROVED,
)
from hearts.errors import RemoteProtocolError
from hearts.game.deal import (
    NO_CUTS,
    DealDisclosed,
    DealPromised,
    commitment,
    commitment_notice,
    deal_code,
    disclosure_notice,
)
from hearts.game.events import CardPlayed, ChosenBy, Deal, Pass, PassMade, TrickTaken
from hearts.game.record import parse_record
from hearts.game.rules import ExactEnd, Moon, Passing, Rules, parse_rules
from hearts.game.verify import Proof, verify_record
from hearts.session.client_events import AnotherGame, DealChecked, DealerEvent, Fairness, Seated
from hearts.session.messages import Scores, TableInfo
from hearts_client.session.own_record import OwnRecord
from tests.plain.loopback import NAMES

from .played import (
    OTHER,
    PLAYED,
    SEATED,
    TABLE,
    PlayedGame,
    own_record,
    right_notice,
    tell_events,
    text_of,
)

RULES = st.builds(
    Rules,
    jack=st.booleans(),
    moon=st.sampled_from(Moon),
    exact_end=st.sampled_from(ExactEnd),
    passing=st.sampled_from(Passing),
)


def _unpromised(number: int, secret: bytes) -> str:
    what = "it gives the cards that were played, but nobody promised it"
    return f"deal {number} ({deal_code(secret)}) checked: {what}"


@given(RULES, st.integers(0, 1000), st.integers(0, 3), st.booleans())
def test_every_game_is_copied_whole(rules: Rules, seed: int, seat: int, early: bool) -> None:
    played = PlayedGame(rules, 30, seed)
    record = own_record()
    begin, *hands = played.hands(seat)
    assert tell_events(record, begin) == []
    for number, (events, secret) in enumerate(zip(hands, played.secrets, strict=True), 1):
        assert record.notice(commitment_notice(number, secret)) is None
        told = disclosure_notice(number, secret)
        if early:
            assert tell_events(record, events[:-20]) == []
            assert record.notice(told) is None
            assert tell_events(record, events[-20:]) == [right_notice(number, secret)]
        else:
            assert tell_events(record, events) == []
            assert record.notice(told) == right_notice(number, secret)
        assert record.last_deal == (secret, NO_CUTS)
        assert record.notice(told) is None
    report = verify_record(text_of(record))
    assert report.problem is None
    assert report.scores == played.scores
    assert report.winners
    assert report.names == NAMES
    assert {deal.proof for deal in report.deals} == {Proof.COMMITMENT}
    copied = parse_record(text_of(record)).actions
    assert [a.secret for a in copied if isinstance(a, Deal)] == played.secrets


def test_our_own_choices_keep_their_order_and_mark() -> None:
    record = own_record()
    begin, events, *_ = PLAYED.hands(2)
    made = next(event for event in events if isinstance(event, PassMade))
    forced = replace(made, cards=made.cards[::-1], by=ChosenBy.CLOCK)
    tell_events(record, [*begin, *(forced if event is made else event for event in events)])
    record.notice(disclosure_notice(1, PLAYED.secrets[0]))
    passes = [a for a in parse_record(text_of(record)).actions if isinstance(a, Pass)]
    assert [p for p in passes if p.player == 2] == [Pass(2, made.cards[::-1], ChosenBy.CLOCK)]
    assert {p.by for p in passes if p.player != 2} == {ChosenBy.PLAYER}


def test_a_promise_is_open_until_the_disclosure() -> None:
    record, _ = _first_hand(PROMISE)
    assert record.undisclosed
    record.notice(TOLD)
    assert not record.undisclosed
    unpromised, _ = _first_hand()
    assert not unpromised.undisclosed


def test_other_notices_say_nothing() -> None:
    record = own_record()
    for text in ("Ann has left", "deal 1 was nonsense", ""):
        assert record.notice(text) is None
    assert (text_of(record), record.texts(), record.last_deal) == ("", {}, None)


# What was not promised, and what is wrong


def _first_hand(
    *notices: str,
    change: Callable[[DealerEvent], DealerEvent] | None = None,
) -> tuple[OwnRecord, list[str]]:
    """The record after the first hand; the notices come before it."""
    record = own_record()
    begin, events, *_ = PLAYED.hands(0)
    said = tell_events(record, begin)
    said += [text for notice in notices if (text := record.notice(notice)) is not None]
    return record, said + tell_events(record, [change(e) if change else e for e in events])


PROMISE = commitment_notice(1, PLAYED.secrets[0])
TOLD = disclosure_notice(1, PLAYED.secrets[0])


@pytest.mark.parametrize(
    ("before", "after"),
    [((), (TOLD,)), ((TOLD,), ()), ((TOLD, PROMISE), ()), ((), (PROMISE, TOLD))],
)
def test_a_deal_that_nobody_promised_in_time(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """A promise after the disclosure or after the scores is none."""
    record, said = _first_hand(*before)
    said += [told for notice in after if (told := record.notice(notice)) is not None]
    assert said == [_unpromised(1, PLAYED.secrets[0])]
    (deal,) = verify_record(text_of(record)).deals
    assert deal.proof is Proof.CODE


def _exchanged() -> dict[DealerEvent, DealerEvent]:
    """Two of the others exchange what they play to a trick that neither takes."""
    cards: list[CardPlayed] = []
    for event in PLAYED.hands(0)[1]:
        if isinstance(event, CardPlayed):
            cards.append(event)
        elif isinstance(event, TrickTaken) and event.winner in (0, 3):
            one, two = (played for played in cards[-4:] if played.player in (1, 2))
            if one.card.suit is two.card.suit:
                return {one: replace(one, card=two.card), two: replace(two, card=one.card)}
    raise AssertionError("no such trick")


def _other_scores(event: DealerEvent) -> DealerEvent:
    return replace(event, scores=(1, 2, 3, 4)) if isinstance(event, Scores) else event


def _other(others: dict[DealerEvent, DealerEvent], event: DealerEvent) -> DealerEvent:
    """The event in its place. mypy takes half a minute for get(), with so many kinds of event."""
    if event in others:
        return others[event]
    return event


def _other_cards(event: DealerEvent) -> DealerEvent:
    return _other(_exchanged(), event)


CODE, OTHER_CODE = deal_code(PLAYED.secrets[0]), deal_code(OTHER)
OTHER_PROMISE, OTHER_TOLD = commitment_notice(1, OTHER), disclosure_notice(1, OTHER)


@pytest.mark.parametrize(
    ("notices", "change", "warning"),
    [
        ((OTHER_PROMISE, TOLD), None, f"deal 1 ({CODE}) is not the one that was promised"),
        (
            (OTHER_PROMISE, OTHER_TOLD),
            None,
            f"deal 1 ({OTHER_CODE}) does not give the cards that you had",
        ),
        (
            (PROMISE, TOLD),
            _other_cards,
            f"deal 1 ({CODE}) does not give the cards that were played",
        ),
        (
            (PROMISE, TOLD),
            _other_scores,
            "deal 1: the scores are not those of the cards that were played",
        ),
    ],
)
def test_what_is_wrong_is_told_and_stands_in_the_record(
    notices: tuple[str, ...], change: Callable[[DealerEvent], DealerEvent] | None, warning: str
) -> None:
    record, said = _first_hand(*notices, change=change)
    assert said == [f"WARNING: {warning}"]
    assert verify_record(text_of(record)).problem is not None
    assert record.last_deal is None


def test_plays_against_the_rules() -> None:
    """Another does not follow suit; nobody knows that before the deal is disclosed."""
    begin, events, *_ = PLAYED.hands(0)
    cards = [event for event in events if isinstance(event, CardPlayed) and event.player == 1]
    said = []
    for early, late in combinations(cards, 2):
        other: dict[DealerEvent, DealerEvent] = {
            early: replace(early, card=late.card),
            late: replace(late, card=early.card),
        }
        record = own_record()
        with suppress(RemoteProtocolError):
            tell_events(record, [*begin, *(_other(other, event) for event in events)])
            said.append(record.notice(TOLD))
            is_right = verify_record(text_of(record)).problem is None
            assert is_right == (said[-1] == _unpromised(1, PLAYED.secrets[0]))
    wrong = "WARNING: deal 1: the rules do not allow what was played ("
    assert any(told is not None and told.startswith(wrong) for told in said)


def test_two_promises_and_two_disclosures() -> None:
    twice = "WARNING: deal 1 was promised twice, and the promises differ"
    assert _first_hand(PROMISE, PROMISE)[1] == []
    record, said = _first_hand(PROMISE, commitment_notice(1, OTHER))
    assert said == [twice]
    assert record.notice(commitment_notice(1, OTHER)) == twice
    assert record.notice(TOLD) == right_notice(1, PLAYED.secrets[0])
    assert record.notice(disclosure_notice(1, OTHER)) == (
        "WARNING: deal 1 was disclosed twice, and the disclosures differ"
    )
    _, said = _first_hand(PROMISE, TOLD, disclosure_notice(1, OTHER))
    assert said == [
        "WARNING: deal 1 was disclosed twice, and the disclosures differ",
        right_notice(1, PLAYED.secrets[0]),
    ]


def test_nothing_follows_a_hand_that_is_wrong() -> None:
    record, _ = _first_hand(PROMISE, disclosure_notice(1, OTHER))
    before = text_of(record)
    tell_events(record, PLAYED.hands(0)[2])
    told = record.notice(disclosure_notice(2, PLAYED.secrets[1]))
    assert told == _unpromised(2, PLAYED.secrets[1])
    assert text_of(record) == before


def test_a_disclosure_that_comes_late_closes_the_gap() -> None:
    record = own_record()
    for events in PLAYED.hands(1):
        tell_events(record, events)
    said = [
        record.notice(disclosure_notice(number, PLAYED.secrets[number - 1])) for number in (3, 2)
    ]
    assert all(text is not None and "checked" in text for text in said)
    assert text_of(record) == ""
    record.notice(TOLD)
    report = verify_record(text_of(record))
    assert report.problem is None
    assert len(report.deals) >= 3


def test_notices_far_ahead_are_not_kept() -> None:
    record = own_record(hands_before=0)
    for number in range(5, 2000):
        assert record.notice(commitment_notice(number, OTHER)) is None
        assert record.notice(DealDisclosed(number, OTHER).format()) is None
    assert (record._digests, record._disclosures) == ({}, {})


# Coming back, and several games


def test_a_hand_that_is_heard_once_more() -> None:
    begin, first, second, *rest = PLAYED.hands(3)
    record = own_record()
    tell_events(record, [*begin, *first, *second[:30]])
    again = [
        replace(event, by=ChosenBy.CLOCK)
        if isinstance(event, PassMade | CardPlayed) and event.player == 3
        else event
        for event in second[:30]
    ]
    seated = next(event for event in begin if isinstance(event, Seated))
    tell_events(record, [seated, TABLE, *again, *second[30:]])
    for events in rest:
        tell_events(record, events)
    for number, secret in enumerate(PLAYED.secrets, 1):
        record.notice(disclosure_notice(number, secret))
    report = verify_record(text_of(record))
    assert report.problem is None
    assert report.winners
    assert [choices[ChosenBy.CLOCK] for choices in report.choices] == [0, 0, 0, 0]


def test_two_games_and_the_way_between_them() -> None:
    other = PlayedGame(parse_rules("jack"), 20, seed=5)
    one, two = PLAYED.hands(0), other.hands(0)
    table = next(event for event in two[0] if isinstance(event, TableInfo))
    begun: list[DealerEvent] = [AnotherGame(True), table]
    record = own_record()
    for events in one:
        tell_events(record, events)
    # The connection is lost after New game, and again in the first hand of the new game.
    tell_events(record, [AnotherGame(True), SEATED, table, *begun])
    tell_events(record, [*two[1][:10], SEATED, table, *begun])
    secrets = [*PLAYED.secrets, *other.secrets]
    for number, secret in enumerate(secrets, 1):
        if number > len(PLAYED.secrets):
            record.notice(commitment_notice(number, secret))
            tell_events(record, two[number - len(PLAYED.secrets)])
        record.notice(disclosure_notice(number, secret))
    texts = record.texts()
    assert list(texts) == [1, 2]
    assert texts[2] == text_of(record)
    reports = [verify_record(text) for text in texts.values()]
    assert [report.problem for report in reports] == [None, None]
    assert [str(report.rules) for report in reports] == ["standard", "jack"]
    assert [report.scores for report in reports] == [PLAYED.scores, other.scores]


def test_only_two_games_are_kept() -> None:
    record = own_record()
    number = 0
    for _ in range(4):
        begin, *hands = PLAYED.hands(0)
        tell_events(record, [AnotherGame(True), TABLE] if number else begin)
        for events, secret in zip(hands, PLAYED.secrets, strict=True):
            number += 1
            tell_events(record, events)
            record.notice(disclosure_notice(number, secret))
    assert list(record.texts()) == [3, 4]


def test_who_comes_back_without_the_beginning_checks_deals_and_writes_none() -> None:
    _, _, *hands = PLAYED.hands(0)
    record = own_record(hands_before=1)
    tell_events(record, [SEATED, TABLE])
    for number, (events, secret) in enumerate(zip(hands, PLAYED.secrets[1:], strict=True), 2):
        record.notice(commitment_notice(number, secret))
        tell_events(record, events)
        assert record.notice(disclosure_notice(number, secret)) == right_notice(number, secret)
    assert record.texts() == {}
    tell_events(record, [AnotherGame(True), TABLE])
    done = len(PLAYED.secrets)
    tell_events(record, PLAYED.hands(0)[1])
    assert record.notice(disclosure_notice(done + 1, PLAYED.secrets[0])) is not None
    assert verify_record(text_of(record)).problem is None


def test_who_comes_back_between_two_games_has_the_next_one_whole() -> None:
    _, hand, *_ = PLAYED.hands(0)
    record = own_record(hands_before=9)
    tell_events(record, [SEATED, TABLE, AnotherGame(True), TABLE, *hand])
    assert record.notice(disclosure_notice(10, PLAYED.secrets[0])) is not None
    assert len(verify_record(text_of(record)).deals) == 1


# What the client itself has found wrong


@pytest.mark.parametrize("promised", [True, False])
def test_a_bad_deal_is_told_of_once(promised: bool) -> None:
    secret = PLAYED.secrets[0]
    begin, (*events, scores), *_ = PLAYED.hands(0)
    record = own_record()
    said = tell_events(
        record,
        [
            *begin,
            DealPromised(1, commitment(secret if promised else OTHER)),
            *events,
            DealDisclosed(1, secret, NO_CUTS),
            DealChecked(1, "our cut is not in it"),
            scores,
        ],
    )
    why = ": our cut is not in it" if promised else " is not the one that was promised"
    assert said == [f"WARNING: deal 1 ({deal_code(secret)}){why}"]
    assert record.last_deal is None
    assert record.notice(disclosure_notice(1, secret)) is None


def test_the_chat_alone_proves_no_deal_that_was_promised_over_the_game() -> None:
    secret = PLAYED.secrets[0]
    begin, (*events, scores), *_ = PLAYED.hands(0)
    record = own_record()
    unproved = DealChecked(1, NOT_PROVED, Fairness.ANYBODY)
    told = [*begin, DealPromised(1, commitment(secret)), *events, unproved, scores]
    assert tell_events(record, told) == []
    said = record.notice(disclosure_notice(1, secret))
    code = deal_code(secret)
    assert said == f"WARNING: deal 1 ({code}): its proof did not come over the game"


def test_a_deal_that_nobody_promised_over_the_game() -> None:
    begin, (*events, scores), *_ = PLAYED.hands(0)
    unpromised = DealChecked(1, NO_PROMISE, Fairness.ANYBODY)
    said = tell_events(own_record(), [*begin, *events, unpromised, scores])
    assert said == ["WARNING: deal 1: nobody promised it over the game"]
