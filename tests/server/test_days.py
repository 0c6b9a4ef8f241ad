"""The deal of the day: its chain, its hands, and what a visitor is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from hearts.bots import SimpleBot
from hearts.bots.player import choice_of
from hearts.game.deal import deal_hands
from hearts.game.events import ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.rules import STANDARD
from hearts.game.view import view_of
from hearts.hosting.store import Session, StoredSeat
from hearts.session.hand_link import parse_link
from hearts.table.inputs import QUESTIONS
from hearts.table.seat import Kind
from hearts.table.steps import Step
from hearts.wire.day_chain import (
    HANDS,
    OVER_AFTER,
    chain_value,
    day_number,
    hand_secret,
)
from hearts_client.days.told import read_day
from hearts_server.days import Days, day_setting
from hearts_server.lobby.sessions import Sessions
from tests.independent import day_chain

SECRET = bytes(range(32))
ANN, BOB, CLEO = (bytes([number]) * 16 for number in (1, 2, 3))
TODAY = date(2026, 11, 27)
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp()
FAR = "192.0.2.1"


class DayHouse:
    """Days whose clock the test moves."""

    def __init__(self, secret: bytes = SECRET) -> None:
        self.now = NOON
        self.days = Days(secret, Sessions(secret), lambda: self.now)

    def told(self, token: bytes) -> list[str]:
        return list(self.days.texts(token))

    def play(self, token: bytes, name: str, network: str = FAR, hands: int = HANDS) -> list[Step]:
        """Somebody plays today's hands as a bot does."""
        session = a_session(self.days.table_name(token), name, network)
        steps = played(list(self.days.deals(session.table_name))[:hands])
        self.days.add(session, steps)
        return steps


def a_session(table: str, name: str, network: str = FAR) -> Session:
    computers = [StoredSeat(each, Kind.COMPUTER, 0) for each in ("Moe", "Larry", "Curly")]
    seats = (StoredSeat(name, Kind.CLIENT, 7, network), *computers)
    return Session(1, table, True, day_setting(60.0), seats, int(NOON))  # type: ignore[arg-type]


def played(deals: Sequence[Deal]) -> list[Step]:
    game, bot, steps = Game(STANDARD, 10_000), SimpleBot(), list[Step]()
    for deal in deals:
        steps.append(deal)
        game.apply(deal)
        while game.phase in QUESTIONS:
            player = game.waiting_for()[0]
            view = view_of(game, player)
            choice = choice_of(bot, QUESTIONS[game.phase], view, ChosenBy.PLAYER)
            assert isinstance(choice, Pass | Play | ChooseMoon)
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


# What is told


def test_who_has_not_played_is_told_nothing_of_the_hands() -> None:
    one, other = DayHouse(), DayHouse(bytes(32))
    for house in (one, other):
        house.play(ANN, "Ann")
    assert one.told(BOB)[2:] == other.told(BOB)[2:]
    assert one.told(BOB)[0].startswith("day 2026-11-27 open ")
    value = chain_value(SECRET, day_number(TODAY))
    told = "\n".join(one.told(BOB) + one.told(ANN))
    assert value.hex() not in told
    assert not any(hand_secret(value, hand).hex() in told for hand in range(1, 5))
    assert "#hand=" not in told


def test_the_list_of_those_who_have_played() -> None:
    house = DayHouse()
    steps = house.play(ANN, "Ann")
    house.play(BOB, "Bob ☃ 7")
    house.play(CLEO, "Host", "127.0.0.1")
    state, _, title, points, place, *listed = house.told(ANN)
    assert state.startswith("day 2026-11-27 played ")
    assert title == "Hearts, the deal of the day 2026-11-27"
    assert place == "Place 1 of 2"
    total = points.split(" = ")[1].split()[0]
    assert listed == [f"{total:>4} Ann", f'{total:>4} "Bob ☃ 7"']
    host = house.told(CLEO)
    assert host[3:5] == [points, "Played by the host"]
    assert not any("Host" in text for text in (*host, *listed))
    cards = {str(step.card) for step in steps if isinstance(step, Play)}
    assert len(cards) == 52
    assert not any(card in " ".join((title, points, place)).split() for card in cards)


def test_a_day_that_is_over_everywhere_is_told_with_its_value_and_own_hands() -> None:
    house = DayHouse()
    steps = house.play(ANN, "Ann")
    begin = datetime(2026, 11, 27, tzinfo=UTC).timestamp()
    house.now = begin + OVER_AFTER - 1
    assert house.told(ANN)[1] == f"over 2026-11-26 {chain_value(SECRET, 330).hex()}"
    assert not any("#hand=" in text for text in house.told(ANN))
    house.now += 1
    told = read_day(house.told(ANN))
    assert (told.day, told.state, told.over) == ("2026-11-28", "open", "2026-11-27")
    assert told.is_of_chain
    links = [parse_link(line) for line in told.lines if "#hand=" in line]
    assert [link.number for link in links] == [1, 2, 3, 4]
    assert [action for link in links for action in link.actions] == steps
    assert not any("#hand=" in line for line in house.told(BOB))
    told.value = told.anchor
    assert not told.is_of_chain
