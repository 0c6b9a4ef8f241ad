"""What a person is told of deals that were promised and never shown, or not yet."""

from __future__ import annotations

import pytest

from hearts.game.deal import commitment, commitment_notice, disclosure_notice
from hearts.session.client_events import CameBack, CaughtUp, DealerEvent, Seated
from hearts.session.messages import TableInfo
from hearts.table.effects import DealDisclosed, DealPromised
from hearts_client.session.promises import Promises
from tests.plain.script import NEW

from .played import PLAYED, own_record

pytestmark = pytest.mark.usefixtures("autojump_clock")

SECRETS = PLAYED.secrets
BEGIN, *HANDS = PLAYED.hands(0)


def never(number: int) -> str:
    what = "nobody can check it"
    return f"* Deal {number} was promised and never shown, so {what}."


def cut_short(number: int) -> str:
    what = "the table ended before its hand did, and nobody can check it"
    return f"* Deal {number} was promised and never shown: {what}."


def not_yet(number: int) -> str:
    return f"* Deal {number} was promised and is not shown yet: it is checked if the table goes on."


class ToldOfDeals:
    """A person who hears of deals over one of the two connections."""

    def __init__(self, over_chat: bool, *, joins: bool = False) -> None:
        self.said: list[str] = []
        self.record = own_record()
        self.promises = Promises(self.record, self.said.append, deal="", can_repeat=False)
        self._over_chat = over_chat
        if not joins:
            self.receive(*BEGIN)

    def receive(self, *events: DealerEvent) -> None:
        for event in events:
            self.record.picture.update(event)
            self.promises.receive(event)

    def promise(self, number: int) -> None:
        secret = SECRETS[number - 1]
        if self._over_chat:
            self.promises.notice(commitment_notice(number, secret))
        else:
            self.receive(DealPromised(number, commitment(secret)))

    def disclose(self, number: int) -> None:
        secret = SECRETS[number - 1]
        if self._over_chat:
            self.promises.notice(disclosure_notice(number, secret))
        else:
            self.receive(DealDisclosed(number, secret, bytes(32)))

    def play(self, number: int, begin: int = 0, end: int | None = None) -> None:
        self.receive(*HANDS[number - 1][begin:end])

    async def follow(self, steps: str, *, is_over: bool) -> list[str]:
        """Take steps and give what is missing at the end.

        Of deal 1 ``p1`` is the promise, ``h1`` the hand, ``d1`` the disclosure; ``h1:10`` is the
        first ten events of the hand, ``h1:10:`` those after them.
        """
        for step in steps.split():
            number, *bounds = step[1:].split(":")
            match step[0]:
                case "p":
                    self.promise(int(number))
                case "d":
                    self.disclose(int(number))
                case _ if len(bounds) < 2:
                    self.play(int(number), 0, int(bounds[0]) if bounds else None)
                case _:
                    self.play(int(number), int(bounds[0]), int(bounds[1] or 1000))
        await self.promises.wait_for_last(is_over=is_over)
        return self.missing

    @property
    def missing(self) -> list[str]:
        return [line for line in self.said if "checked: " not in line]


@pytest.fixture(params=[True, False], ids=["chat", "dealer"])
def told(request: pytest.FixtureRequest) -> ToldOfDeals:
    return ToldOfDeals(request.param)


@pytest.mark.parametrize(
    ("steps", "is_over", "missing"),
    [
        ("p1 h1 d1 p2 h2 d2 p3 h3 d3", True, []),
        ("p1 h1", True, [never(1)]),
        ("p1 h1", False, [not_yet(1)]),
        ("p1 h1 d1 p2", True, [cut_short(2)]),
        ("p1 h1:-10", True, [cut_short(1)]),
        ("p1 h1:-10", False, [not_yet(1)]),
    ],
)
async def test_what_is_missing_at_the_end(
    steps: str, is_over: bool, missing: list[str], told: ToldOfDeals
) -> None:
    assert await told.follow(steps, is_over=is_over) == missing


@pytest.mark.parametrize(
    "steps", ["p1 h1 h2:10 d1 p2 h2:10:-1 d2 p3 h2:-1: h3 d3", "p1 p2 p3 h3 d3"]
)
async def test_a_chat_that_is_late_or_ahead_is_no_reason(steps: str) -> None:
    """Nor does a newcomer miss what was before them."""
    assert await ToldOfDeals(True).follow(steps, is_over=True) == []


def test_the_next_promise_without_the_last_disclosure(told: ToldOfDeals) -> None:
    told.promise(1)
    told.play(1)
    told.promise(2)
    assert told.said == []
    told.receive(*HANDS[1][:5])
    assert told.said == [never(1)]
    told.receive(*HANDS[1][5:])
    told.disclose(2)
    told.promise(3)
    told.play(3)
    assert told.missing == [never(1)]


def test_no_promises_any_more_after_one_that_was_not_kept(told: ToldOfDeals) -> None:
    told.promise(1)
    told.play(1)
    told.receive(*HANDS[1][:-1])
    assert told.said == []
    told.receive(HANDS[1][-1])
    told.play(3)
    assert told.said == [never(1)]


async def test_who_comes_back_in_a_hand_hears_of_it_when_it_is_over(told: ToldOfDeals) -> None:
    told.promise(1)
    told.receive(*HANDS[0][:20])
    seated = next(event for event in BEGIN if isinstance(event, Seated))
    table = next(event for event in BEGIN if isinstance(event, TableInfo))
    told.receive(CameBack(1, NEW), seated, table)
    told.promise(1)
    told.receive(*HANDS[0][:20], CaughtUp(), *HANDS[0][20:])
    told.disclose(1)
    await told.promises.wait_for_last(is_over=True)
    assert told.missing == []


async def test_who_goes_on_in_another_program_misses_nothing() -> None:
    """They have heard no promise of the hand that was over when they came."""
    said: list[str] = []
    record = own_record(1)
    promises = Promises(record, said.append, deal="", can_repeat=False)
    for event in [*BEGIN, *HANDS[1]]:
        record.picture.update(event)
        promises.receive(event)
    await promises.wait_for_last(is_over=True)
    assert said == []
