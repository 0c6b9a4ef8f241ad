"""The deal of the day: its chain, its hands, and what a visitor is told of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import trio
from msgspec.structs import replace

from hearts.bots import Bot, SimpleBot
from hearts.bots.player import choice_of
from hearts.bots.swift.bot import SwiftBot, shipped_network
from hearts.errors import HeartsError
from hearts.game.deal import deal_hands
from hearts.game.events import ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.rules import STANDARD
from hearts.game.view import view_of
from hearts.hosting.store import Session, StoredSeat
from hearts.session.hand_link import parse_link
from hearts.table.inputs import QUESTIONS
from hearts.table.seat import Kind
from hearts.table.steps import Step, format_step
from hearts.wire.day_chain import (
    HANDS,
    OVER_AFTER,
    chain_value,
    day_number,
    hand_secret,
    over_since,
)
from hearts_client.days.told import read_day
from hearts_server.days import MOST_NAMES, Days, day_setting
from hearts_server.journal.store import StoredSession
from hearts_server.lobby.sessions import Sessions
from tests.independent import day_chain

SECRET = bytes(range(32))
DAYS = json.loads((Path(__file__).parents[1] / "vectors" / "days.json").read_text())
ANN, BOB, CLEO = (bytes([number]) * 16 for number in (1, 2, 3))
TODAY = date(2026, 11, 27)
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp()
FAR = "192.0.2.1"
SAME_CARDS = "ba1962b5e0bd5239f39cd0974048af7b29471336b7e455fe3cfac2290f2ef617"
"""The digest of the deals and choices of a day whose visitor plays as the computers do."""


class DayHouse:
    """Days whose clock the test moves."""

    def __init__(self, secret: bytes = SECRET) -> None:
        self.now = NOON
        self.stored: dict[int, StoredSession] = {}
        self.days = self.begin(secret)

    def begin(self, secret: bytes = SECRET) -> Days:
        """A server begins, with what another one has stored."""
        self.days = Days(secret, Sessions(secret), lambda: self.now)
        self.days.expect([each.session for each in self.stored.values()], self.read)
        return self.days

    async def told(self, token: bytes) -> list[str]:
        return list(await self.days.texts(token))

    def play(
        self, token: bytes, chance: int = 0, network: str = FAR, hands: int = HANDS, name: str = ""
    ) -> list[Step]:
        """Somebody plays today's hands, by ``chance`` if it is not 0."""
        number = len(self.stored) + 1
        name = name or f"Player {chance}"
        session = a_session(self.days.table_name(token), name, network, number)
        steps = played(list(self.days.deals(session.table_name))[:hands], chance)
        self.days.add(session, steps)
        self.stored[session.game_number] = StoredSession(
            session, list(map(format_step, steps)), int(self.now), "over"
        )
        return steps

    async def read(self, numbers: Sequence[int]) -> Sequence[StoredSession]:
        await trio.lowlevel.checkpoint()
        return [self.stored[number] for number in numbers]


def a_session(table: str, name: str, network: str = FAR, number: int = 1) -> Session:
    computers = [StoredSeat(each, Kind.COMPUTER, 0) for each in ("Moe", "Larry", "Curly")]
    seats = (StoredSeat(name, Kind.CLIENT, 7, network), *computers)
    return Session(number, table, True, day_setting(60.0), seats, int(NOON))  # type: ignore[arg-type]


def played(deals: Sequence[Deal], chance: int = 0, bot: Bot | None = None) -> list[Step]:
    """Player 0 plays by ``chance`` if it is not 0; all others play as a bot does."""
    game, steps, lots = Game(STANDARD, 10_000), list[Step](), Random(chance)
    bot = bot or SimpleBot()
    for deal in deals:
        steps.append(deal)
        game.apply(deal)
        while game.phase in QUESTIONS:
            player = game.waiting_for()[0]
            view = view_of(game, player)
            choice = choice_of(bot, QUESTIONS[game.phase], view, ChosenBy.PLAYER)
            assert isinstance(choice, Pass | Play | ChooseMoon)
            if chance and player == 0 and isinstance(choice, Play):
                choice = Play(0, lots.choice(view.legal_cards))
            steps.append(choice)
            game.apply(choice)
    return steps


# The chain


def test_four_hundred_days_against_an_independent_script() -> None:
    house, chain = DayHouse(), day_chain.Chain(SECRET)
    anchor = chain_value(SECRET, 0)
    assert anchor == chain.values[0]
    secrets = set()
    for count in range(400):
        day = TODAY + timedelta(days=count)
        value = chain_value(SECRET, day_number(day))
        assert day_chain.is_shown(value, day.isoformat(), anchor)
        hands = list(house.days.deals(house.days.table_name(ANN, day)))
        assert [each.secret for each in hands] == chain.secrets_of(day.isoformat())
        assert [each.hands for each in hands] == [deal_hands(each.secret or b"") for each in hands]
        secrets |= {each.secret for each in hands}
    assert len(secrets) == 1600


def test_a_day_is_the_same_on_every_version_of_python() -> None:
    deals = list(DayHouse().days.deals(f"day {TODAY} {'A' * 15}"))
    steps = played(deals, bot=SwiftBot(shipped_network()))
    cards = "\n".join(map(format_step, steps))
    assert sha256(cards.encode()).hexdigest() == SAME_CARDS


# What is told


async def test_who_has_not_played_is_told_nothing_of_the_hands() -> None:
    one, other = DayHouse(), DayHouse(bytes(32))
    for house in (one, other):
        house.play(ANN)
    assert (await one.told(BOB))[2:] == (await other.told(BOB))[2:]
    assert (await one.told(BOB))[0].startswith("day 2026-11-27 open ")
    value = chain_value(SECRET, day_number(TODAY))
    told = "\n".join(await one.told(BOB) + await one.told(ANN))
    assert value.hex() not in told
    assert not any(hand_secret(value, hand).hex() in told for hand in range(1, 5))
    assert "hand " not in told


async def test_a_place_among_all_who_have_played() -> None:
    house = DayHouse()
    tokens = [bytes([number]) * 16 for number in range(1, 10)]
    host = bytes(16)
    for chance, token in enumerate(tokens):
        house.play(token, max(chance, 1))  # The first two play the same.
    house.play(host, 5, "127.0.0.1")
    told = [read_day(await house.told(token)).results[0] for token in tokens]
    totals = sorted(sum(each.points) for each in told)
    assert [each.place for each in told] == [1 + totals.index(sum(each.points)) for each in told]
    assert told[0] == told[1]
    assert len({each.place for each in told}) > 4
    assert {each.count for each in told} == {9}
    hosts = read_day(await house.told(host)).results[0]
    assert (hosts.place, hosts.count, hosts.points) == (0, 9, told[5].points)
    assert "Player" not in str([await house.told(token) for token in tokens])


async def test_a_result_is_told_until_its_day_is_over() -> None:
    house = DayHouse()
    house.play(ANN)
    house.now += 86_400
    house.play(ANN)
    days = [result.day for result in read_day(await house.told(ANN)).results]
    assert days == ["2026-11-28", "2026-11-27"]
    house.now += 86_400
    days = [result.day for result in read_day(await house.told(ANN)).results]
    assert days == ["2026-11-28", "2026-11-27"]
    house.now += 86_400
    days = [result.day for result in read_day(await house.told(ANN)).results]
    assert days == ["2026-11-28"]


async def test_a_try_that_was_left_or_is_late_does_not_count() -> None:
    house = DayHouse()
    house.play(ANN, hands=3)
    house.play(BOB)
    name = house.days.table_name(CLEO)
    steps = played(list(house.days.deals(name)))
    house.now = over_since(TODAY)
    house.days.add(a_session(name, "Cleo", number=9), steps)
    house.now = NOON
    left, counted, late = [read_day(await house.told(each)) for each in (ANN, BOB, CLEO)]
    assert left.state == late.state == "played"
    assert not left.results
    assert not late.results
    assert counted.results[0].count == 1


async def test_a_new_server_knows_all_of_the_journal() -> None:
    house = DayHouse()
    tokens = [bytes([number]) * 16 for number in range(1, 50)]
    for number, token in enumerate(tokens):
        house.play(token, 1 + number)
    before = [await house.told(token) for token in tokens]
    days = house.begin()
    # Who asks before all is read knows their own, and has no second try.
    early = read_day(await house.told(tokens[30]))
    assert (early.state, early.results[0].place, early.results[0].count) == ("played", 1, 1)
    assert days.state(days.table_name(tokens[40])) == "played"
    parts = 0
    while await days.take_in():
        parts += 1
    assert parts == 3
    assert [await house.told(token) for token in tokens] == before


async def test_a_damaged_table_is_a_try_that_does_not_count() -> None:
    house = DayHouse()
    house.play(ANN)
    house.stored[1] = replace(house.stored[1], lines=["nonsense"])
    house.begin()
    told = read_day(await house.told(ANN))
    assert (told.state, list(told.results)) == ("played", [])


async def test_a_day_that_is_over_everywhere_is_told_with_its_value_and_own_hands() -> None:
    house = DayHouse()
    steps = house.play(ANN)
    begin = datetime(2026, 11, 27, tzinfo=UTC).timestamp()
    house.now = begin + OVER_AFTER - 1
    assert (await house.told(ANN))[1] == f"over 2026-11-26 {chain_value(SECRET, 330).hex()}"
    assert not read_day(await house.told(ANN)).links
    house.now += 1
    told = read_day(await house.told(ANN))
    assert (told.day, told.state, told.over) == ("2026-11-28", "open", "2026-11-27")
    assert told.is_of_chain
    links = [parse_link(link) for link in told.links]
    assert [link.number for link in links] == [1, 2, 3, 4]
    assert [action for link in links for action in link.actions] == steps
    assert not read_day(await house.told(BOB)).links
    assert not replace(told, value=told.anchor).is_of_chain


async def test_names_that_want_it_are_listed_when_the_day_is_over() -> None:
    house = DayHouse()
    tries = (
        *(("Ann", FAR, HANDS), ("~Guest", FAR, HANDS), ("Shy", FAR, HANDS), ("Host", "::1", HANDS)),
        *(("Bob", FAR, HANDS), ("Ann", FAR, HANDS), ("Left", FAR, 3), ("Left", FAR, HANDS)),
    )
    for number, (name, network, hands) in enumerate(tries, 1):
        house.play(bytes([number]) * 16, number, network, hands, name)
    claimed = {"Ann": NOON - 1, "Host": NOON - 1, "Bob": NOON, "Left": NOON - 1, "Late": NOON + 1}

    def wants_listed(name: str, begun: int) -> bool:
        return claimed.get(name, begun + 1) <= begun

    async def names() -> list[tuple[int, int, str]]:
        house.days.wants_listed = wants_listed
        told = read_day(await house.told(bytes(16)))
        return [(each.place, each.points, each.name) for each in told.names]

    assert await names() == []
    own = [read_day(await house.told(bytes([n]) * 16)).results for n in (1, 5)]
    wanted = sorted(
        (r.place, sum(r.points), n) for (r,), n in zip(own, ("Ann", "Bob"), strict=True)
    )
    house.now = over_since(TODAY)
    # Ann had two tries, of which the first counts, and one by another who has left theirs.
    assert await names() == wanted
    house.begin()
    assert await names() == []
    while await house.days.take_in():
        pass
    assert await names() == wanted
    many = [f"Name {number}" for number in range(MOST_NAMES + 1)]
    house.now = NOON
    for number, name in enumerate(many, 100):
        claimed[name] = NOON
        house.play(bytes([number]) * 16, number, name=name)
    house.now = over_since(TODAY)
    assert len(await names()) == MOST_NAMES
    assert len(await house.told(bytes([1]) * 16)) <= 21


@pytest.mark.parametrize("vector", DAYS, ids=lambda vector: vector["title"])
def test_what_is_read_of_the_texts_of_days(vector: dict[str, Any]) -> None:
    if vector["read"] is None:
        with pytest.raises(HeartsError, match="no deal of the day"):
            read_day(vector["texts"])
    else:
        assert json.loads(msgspec.json.encode(read_day(vector["texts"]))) == vector["read"]


@pytest.mark.parametrize(
    "line",
    [
        "result 2026-11-27 1 1 1 2 3",
        "result 2026-13-27 1 1 1 2 3 4",
        "hand 2026-11-25 1",
        "listed 2026-11-25 1 Ann",
    ],
)
def test_a_line_that_is_none(line: str) -> None:
    with pytest.raises(HeartsError, match="no deal of the day"):
        read_day(["day 2026-11-27 played 00", "over 2026-11-25 00", line])
