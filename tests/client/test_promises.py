"""What a person is told of deals that were promised and never shown, or not yet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hearts.game.deal import commitment, commitment_notice, disclosure_notice
from hearts.session.client_events import CameBack, CaughtUp, DealerEvent, Seated
from hearts.session.messages import TableInfo
from hearts.table.effects import DealDisclosed, DealPromised
from hearts_client.session.promises import Promises
from tests.plain.script import NEW

from .played import PLAYED, own_record

SECRETS = PLAYED.secrets
BEGIN, *HANDS = PLAYED.hands(0)


def never(number: int) -> str:
    what = "nobody can check that it was the promised one"
    return f"* Deal {number} was promised and never shown: {what}."


def cut_short(number: int) -> str:
    what = "the table ended before its hand did, and nobody can check it"
    return f"* Deal {number} was promised and never shown: {what}."


def not_yet(number: int) -> str:
    return f"* Deal {number} was promised and is not shown yet: it is checked if the table goes on."


class Told:
    """A person who hears of deals over one of the two connections."""

    def __init__(self, over_chat: bool, *, joins: bool = False) -> None:
        self.said: list[str] = []
        self.record = own_record()
        self.promises = Promises(self.record, self.said.append, deal="", can_repeat=False)
        self._over_chat = over_chat
        if not joins:
            self.hear(*BEGIN)

    def hear(self, *events: DealerEvent) -> None:
        for event in events:
            self.record.picture.update(event)
            self.promises.hear(event)

    def promise(self, number: int) -> None:
        secret = SECRETS[number - 1]
        if self._over_chat:
            self.promises.notice(commitment_notice(number, secret))
        else:
            self.hear(DealPromised(number, commitment(secret)))

    def disclose(self, number: int) -> None:
        secret = SECRETS[number - 1]
        if self._over_chat:
            self.promises.notice(disclosure_notice(number, secret))
        else:
            self.hear(DealDisclosed(number, secret, bytes(32)))

    def play(self, number: int) -> None:
        self.hear(*HANDS[number - 1])

    @property
    def missing(self) -> list[str]:
        return [line for line in self.said if "checked: " not in line]


@pytest.fixture(params=[True, False], ids=["chat", "dealer"])
def told(request: pytest.FixtureRequest) -> Told:
    return Told(request.param)


async def test_what_is_disclosed_is_not_missing(told: Told, autojump_clock: object) -> None:
    for number in (1, 2, 3):
        told.promise(number)
        told.play(number)
        told.disclose(number)
    await told.promises.hear_last(is_over=True)
    assert told.missing == []
    assert len(told.said) == 3


def test_the_next_promise_without_the_last_disclosure(told: Told) -> None:
    told.promise(1)
    told.play(1)
    told.promise(2)
    assert told.said == []
    told.hear(*HANDS[1][:5])
    assert told.said == [never(1)]
    told.hear(*HANDS[1][5:])
    told.disclose(2)
    told.promise(3)
    told.play(3)
    assert told.missing == [never(1)]


def test_no_promises_any_more_after_one_that_was_not_kept(told: Told) -> None:
    told.promise(1)
    told.play(1)
    told.hear(*HANDS[1][:-1])
    assert told.said == []
    told.hear(HANDS[1][-1])
    told.play(3)
    assert told.said == [never(1)]


async def test_a_chat_that_is_late_or_ahead_is_no_reason(autojump_clock: object) -> None:
    told = Told(True)
    told.promise(1)
    told.hear(*HANDS[0])
    told.hear(*HANDS[1][:10])
    told.disclose(1)
    told.promise(2)
    told.hear(*HANDS[1][10:-1])
    told.disclose(2)
    told.promise(3)
    told.hear(*HANDS[1][-1:])
    told.play(3)
    told.disclose(3)
    await told.promises.hear_last(is_over=True)
    assert told.missing == []


async def test_the_last_deal_of_a_session(told: Told, autojump_clock: object) -> None:
    told.promise(1)
    told.play(1)
    await told.promises.hear_last(is_over=True)
    assert told.said == [never(1)]


async def test_a_promise_whose_hand_was_not_dealt(told: Told, autojump_clock: object) -> None:
    told.promise(1)
    told.play(1)
    told.disclose(1)
    told.promise(2)
    await told.promises.hear_last(is_over=True)
    assert told.missing == [cut_short(2)]


@pytest.mark.parametrize(("is_over", "words"), [(True, cut_short), (False, not_yet)])
async def test_a_session_that_stops_in_a_hand(
    is_over: bool, words: Callable[[int], str], told: Told, autojump_clock: object
) -> None:
    told.promise(1)
    told.hear(*HANDS[0][:-10])
    await told.promises.hear_last(is_over=is_over)
    assert told.said == [words(1)]


async def test_a_server_that_stops_after_the_scores(told: Told, autojump_clock: object) -> None:
    told.promise(1)
    told.play(1)
    await told.promises.hear_last(is_over=False)
    assert told.said == [not_yet(1)]


async def test_who_comes_back_in_a_hand_hears_of_it_when_it_is_over(
    told: Told, autojump_clock: object
) -> None:
    told.promise(1)
    told.hear(*HANDS[0][:20])
    seated = next(event for event in BEGIN if isinstance(event, Seated))
    table = next(event for event in BEGIN if isinstance(event, TableInfo))
    told.hear(CameBack(1, NEW), seated, table)
    told.promise(1)
    told.hear(*HANDS[0][:20], CaughtUp(), *HANDS[0][20:])
    told.disclose(1)
    await told.promises.hear_last(is_over=True)
    assert told.missing == []


async def test_a_newcomer_does_not_miss_what_was_before_him(autojump_clock: object) -> None:
    told = Told(True)
    for number in (1, 2, 3):
        told.promise(number)
    told.play(3)
    told.disclose(3)
    await told.promises.hear_last(is_over=True)
    assert told.missing == []


async def test_who_goes_on_in_another_program_misses_nothing(autojump_clock: object) -> None:
    """He has heard no promise of the hand that was over when he came."""
    said: list[str] = []
    record = own_record(1)
    promises = Promises(record, said.append, deal="", can_repeat=False)
    for event in [*BEGIN, *HANDS[1]]:
        record.picture.update(event)
        promises.hear(event)
    await promises.hear_last(is_over=True)
    assert said == []
