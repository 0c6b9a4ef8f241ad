"""The own copy of who takes an open seat in the middle of a session."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from hearts.game.deal import NO_CUTS, commitment, commitment_notice, deal_code, disclosure_notice
from hearts.game.events import YourHand
from hearts.session.client_events import CameBack, DealChecked, DealerEvent
from hearts.table.effects import DealDisclosed, DealPromised
from hearts_client.session.own_record import OwnRecord
from tests.plain.script import NEW

from .played import OTHER, PLAYED, SEATED, TABLE, own_record, right_notice, tell_events

CAME_AT = 3
"""The deal of the newcomer's first hand; the plain dialect does not tell them."""


def _newcomer(seat: int = 2) -> tuple[list[list[DealerEvent]], list[bytes]]:
    """Their events: before their first hand, and of each hand; and the secrets of those."""
    begin, *hands = PLAYED.hands(seat)
    parts = [begin]
    for number, events in enumerate(hands[CAME_AT - 1 :]):
        hand = events[0]
        assert isinstance(hand, YourHand)
        parts.append([replace(hand, number=number), *events[1:]])
    return parts, PLAYED.secrets[CAME_AT - 1 :]


def _before_him() -> list[str]:
    """The notices of the deals before theirs, as the taunt server tells them again."""
    texts: list[str] = []
    for number, secret in enumerate(PLAYED.secrets[: CAME_AT - 1], 1):
        texts += [commitment_notice(number, secret), disclosure_notice(number, secret)]
    return texts


def _receive(record: OwnRecord, notices: Sequence[str]) -> list[str]:
    return [said for text in notices if (said := record.notice(text)) is not None]


@pytest.mark.parametrize("before", [_before_him(), _before_him()[-1:], []])
@pytest.mark.parametrize("late", [0, 1, 20])
def test_a_newcomer_learns_which_deal_is_his_first(before: list[str], late: int) -> None:
    """``late`` is how many of their events come before the notice of their own deal."""
    (begin, *hands), secrets = _newcomer()
    record = own_record()
    assert tell_events(record, begin) == []
    said = [] if late else _receive(record, before)
    for number, (events, secret) in enumerate(zip(hands, secrets, strict=True), CAME_AT):
        said += tell_events(record, events[:late])
        if late and number == CAME_AT:
            said += _receive(record, before)
        said += _receive(record, [commitment_notice(number, secret)])
        said += tell_events(record, events[late:])
        said += _receive(record, [disclosure_notice(number, secret)])
    assert said == [right_notice(number, secret) for number, secret in enumerate(secrets, CAME_AT)]
    assert record.missed == CAME_AT - 1
    assert record.texts() == {}


def test_a_newcomer_is_warned_of_a_broken_promise() -> None:
    (begin, hand, *_), (secret, *_) = _newcomer()
    record = own_record()
    tell_events(record, begin)
    _receive(record, [*_before_him(), commitment_notice(CAME_AT, OTHER)])
    tell_events(record, hand)
    assert _receive(record, [disclosure_notice(CAME_AT, secret)]) == [
        f"WARNING: deal {CAME_AT} ({deal_code(secret)}) is not the one that was promised"
    ]


def test_a_newcomer_whose_chat_comes_late_is_not_warned() -> None:
    (begin, *hands), secrets = _newcomer()
    record = own_record()
    tell_events(record, [*begin, *hands[0]])
    said = _receive(record, _before_him())
    for number, (events, secret) in enumerate(zip(hands[1:], secrets[1:], strict=True), 4):
        said += _receive(record, [commitment_notice(number, secret)])
        said += tell_events(record, events)
        said += _receive(record, [disclosure_notice(number, secret)])
    assert said == []


def test_a_newcomer_who_comes_back() -> None:
    (begin, _, *hands), (_, *secrets) = _newcomer()
    record = own_record(1, CAME_AT - 1)
    said = tell_events(record, begin)
    for number, (events, secret) in enumerate(zip(hands, secrets, strict=True), CAME_AT + 1):
        said += _receive(record, [commitment_notice(number, secret)])
        said += tell_events(record, events)
        said += _receive(record, [disclosure_notice(number, secret)])
    assert said == [
        right_notice(number, secret) for number, secret in enumerate(secrets, CAME_AT + 1)
    ]


@pytest.mark.parametrize("hands_before", [None, 1])
def test_the_dealer_dialect_tells_the_number_of_the_deal(hands_before: int | None) -> None:
    begin, *hands = PLAYED.hands(2)
    hands, secrets = hands[CAME_AT - 1 :], PLAYED.secrets[CAME_AT - 1 :]
    record = own_record(hands_before)
    said = tell_events(record, begin)
    for number, ((*events, scores), secret) in enumerate(zip(hands, secrets, strict=True), CAME_AT):
        said += tell_events(record, [DealPromised(number, commitment(secret)), *events])
        said += tell_events(record, [DealDisclosed(number, secret, NO_CUTS)])
        said += tell_events(record, [DealChecked(number, None), scores])
    assert said == [right_notice(number, secret) for number, secret in enumerate(secrets, CAME_AT)]


def test_a_server_that_lost_a_hand_is_believed() -> None:
    """It promises deal 2 anew after a power cut, as another one."""
    begin, first, lost, *_ = PLAYED.hands(0)
    *_, (again, *events) = PLAYED.hands(0)
    secret = PLAYED.secrets[-1]
    assert isinstance(again, YourHand)
    record = own_record()
    tell_events(record, begin)
    for number, (hand, old) in enumerate(zip((first, lost), PLAYED.secrets, strict=False), 1):
        _receive(record, [commitment_notice(number, old)])
        tell_events(record, hand)
        _receive(record, [disclosure_notice(number, old)])
    unknown = NEW.without_count()
    assert tell_events(record, [CameBack(0, unknown), SEATED, TABLE]) == []
    assert _receive(record, [commitment_notice(2, secret)]) == []
    assert tell_events(record, [replace(again, number=0), *events]) == []
    assert _receive(record, [disclosure_notice(2, secret)]) == [right_notice(2, secret)]
    assert record.texts() == {}
