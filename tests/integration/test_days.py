"""Visitors of a real server play the deal of the day: the same hands, once, also over a restart."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from hearts.errors import Fault
from hearts.game.deal import Hands
from hearts.game.events import CardPlayed, YourHand
from hearts.game.rules import parse_rules
from hearts.session import wishes
from hearts.session.client_events import (
    DealChecked,
    RegistrationRefused,
    SessionEnded,
    YourChoice,
)
from hearts.session.messages import Options, Scores, TableInfo
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Declined, Introduction, PlayerKind
from hearts.table.effects import AbortProposed, HandAborted
from hearts.table.inputs import Abort, OpenSeat, ProposeAbort, ProposeRules, Question, TakeBack
from hearts_client.days.told import ToldDay, read_day
from hearts_client.library.client import Client
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_server.days import Days

from . import hidden
from .by_page import call_by_page
from .dealers import player, settings
from .hidden import Wiretap
from .house import HOST, House, listening
from .test_hidden_cards import Ear, HeardRun, check_heard


def table_of(token: bytes) -> str:
    return f"day {urlsafe_b64encode(token).rstrip(b'=').decode()}"


async def told(port: int, token: bytes) -> ToldDay:
    texts: tuple[str, ...] = ()
    async with connect(
        HOST, port, name="Ann", list_only=True, greeting=True, visitor=token
    ) as client:
        async for event in client:
            texts = getattr(event, "greeting", texts)
    return read_day(texts)


class DayVisit:
    """A visitor, with all that they have seen; they choose the first cards."""

    def __init__(self) -> None:
        self.seen: list[object] = []
        self.progress: ResumeToken | None = None

    async def play(
        self,
        port: int,
        token: bytes,
        *,
        until: Callable[[object], bool] = lambda event: False,
        come_back: ResumeToken | None = None,
        options: Options | None = None,
        wish: wishes.Wish | None = None,
        cuts: bool = False,
        table: str = "",
    ) -> None:
        async with connect(
            HOST,
            port,
            name="Ann",
            table=table or table_of(token),
            options=options,
            come_back=come_back,
            dialect=Dialect.DEALER,
            introduction=Introduction(PlayerKind.PERSON, cuts=cuts),
        ) as client:
            async for event in client:
                self.seen.append(event)
                self.progress = client.progress
                if until(event):
                    return
                if isinstance(event, YourChoice):
                    if wish is not None and event.question is Question.CARD:
                        await client.wish(wish)
                        wish = None
                    await _choose(client, event.question)

    def of(self, *kinds: type) -> list[Any]:
        return [event for event in self.seen if isinstance(event, kinds)]


async def _choose(client: Client, question: Question) -> None:
    if question is Question.PASS:
        await client.pass_cards(client.view.cards[:3])
    else:
        await client.play(client.view.legal_cards[0])


async def test_two_visitors_with_the_same_choices_get_the_same_hands(tmp_path: Path) -> None:
    ann, bob = bytes(16), bytes([7]) * 16
    async with listening(tmp_path, "--computers", "novice") as house:
        first, second = DayVisit(), DayVisit()
        assert (await told(house.port, ann)).state == "open"
        with trio.fail_after(60):
            await first.play(house.port, ann)
            options = Options(rules=parse_rules("jack,moon=minus"), end_score=1)
            await second.play(house.port, bob, options=options, cuts=True)
        for kind in (CardPlayed, YourHand, Scores, TableInfo):
            assert first.of(kind) == second.of(kind)
        assert len(first.of(YourHand)) == 4
        assert len(first.of(CardPlayed)) == 208
        assert first.of(SessionEnded)
        scores = [event.scores[0] for event in first.seen if isinstance(event, Scores)]
        day = await told(house.port, ann)
        assert day.state == "played"
        # Both are at this machine, where the host may be.
        assert [(sum(each.points), each.place) for each in day.results] == [(scores[-1], 0)]
        with pytest.raises(RegistrationRefused, match="played already: it is one try"):
            await DayVisit().play(house.port, ann)
        assert [event.problem for event in first.seen if isinstance(event, DealChecked)] == [
            None
        ] * 4


async def test_a_restart_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    token, other = bytes(16), bytes([9]) * 16
    whole, broken = DayVisit(), DayVisit()
    plays = 0

    def in_the_second_hand(event: object) -> bool:
        nonlocal plays
        plays += isinstance(event, CardPlayed)
        return plays == 70

    with trio.fail_after(60):
        async with listening(tmp_path) as house:
            await broken.play(house.port, token, until=in_the_second_hand)
            assert (await told(house.port, token)).state == "playing"
            with pytest.raises(RegistrationRefused, match="under way already"):
                await DayVisit().play(house.port, token)
        async with listening(tmp_path) as house:
            assert (await told(house.port, token)).state == "playing"
            back = DayVisit()
            await back.play(house.port, token, come_back=broken.progress)
            await whole.play(house.port, other)
            ends = [visit.of(Scores)[-1] for visit in (back, whole)]
            assert ends[0] == ends[1]
            day = await told(house.port, token)
            assert (day.state, len(day.results)) == ("played", 1)
        async with listening(tmp_path) as house:
            assert await told(house.port, token) == day


async def test_nobody_changes_a_table_of_the_day(tmp_path: Path) -> None:
    rules = parse_rules("jack")
    async with listening(tmp_path) as house:
        every: tuple[wishes.Wish, ...] = (
            ProposeRules(0, rules, 50),
            ProposeAbort(0, Abort.HAND),
            OpenSeat(0, 2),
            TakeBack(0),
        )
        for number, wish in enumerate(every):
            visit = DayVisit()
            with trio.fail_after(60):
                await visit.play(
                    house.port,
                    bytes([number]) * 16,
                    wish=wish,
                    until=lambda event: isinstance(event, YourHand) and event.number == 1,
                )
            (declined,) = visit.of(Declined)
            is_undo = isinstance(wish, TakeBack)
            assert declined.fault is (Fault.SAME_HANDS if is_undo else Fault.NOT_NOW)
            assert not visit.of(AbortProposed, HandAborted)
            assert len(visit.of(TableInfo)) == 1


async def _ask_around(house: House, tokens: Sequence[bytes], tape: HeardRun) -> None:
    """Somebody asks again and again for the tables and the words of the host, and each of these
    visitors for their day.
    """
    asked = [part for token in tokens for part in (-16, 16, token)]
    while True:
        caller = await house.greet("Eve", *asked, -16, 0, -8, 0)
        heard = b""
        with trio.move_on_after(0.2):
            while True:
                heard += await caller.take(1)
        await caller.leave()
        tape.told.append((hidden.moment_now(), heard))
        await trio.sleep(0.3)


async def _with_deals(
    data_dir: Path, second: Hands, token: bytes, patch: pytest.MonkeyPatch
) -> HeardRun:
    """A visitor comes as a page does, and plays a day whose second hand has these cards; others
    ask what there is to be known of it.
    """
    patch.setattr(Days, "deals", lambda days, name: hidden.deals(second))
    tape = HeardRun()
    async with hidden.playing(tape, data_dir, second) as (made, clients):
        ear = Ear(12)
        tape.player.append(ear)
        want = {"plodding": True, "think_chance": 1.0, "think_seconds": 0.3, "committed": False}
        me = player("dealer", settings(0, table=table_of(token), **want))
        called = await call_by_page(made, ear.received)
        clients.start_soon(Wiretap(called, ear.heard, tape).converse, me.talk())
        clients.start_soon(_ask_around, made, (token, bytes([9]) * 16), tape)
    return tape


def test_nobody_is_told_anything_of_hidden_cards_of_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tape_of(name: str, second: Hands) -> HeardRun:
        return hidden.run_alike(_with_deals, tmp_path / name, second, bytes(16), monkeypatch)

    before = tape_of("before", hidden.SECOND)
    plays = []
    for number, hands in enumerate(hidden.hard_to_tell(before, 0)):
        after = tape_of(f"after-{number}", hands)
        shown = hidden.difference(before, after, 0, "standard")
        check_heard(before.player, after.player, shown, 0.0)
        assert before.player[0].heard != after.player[0].heard
        # Those who ask are never told a card.
        assert before.told == after.told
        plays.append(shown.plays)
    assert len(before.told) > 20
    assert {b" playing " in told and b" open " in told for _, told in before.told} == {True}
    assert max(plays) >= 20
