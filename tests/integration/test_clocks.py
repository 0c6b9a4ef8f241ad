"""Who has how long, and what happens to whoever is late: SocketSpec.md sections 5 and 4.8."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from hearts.game.events import ChosenBy, YourHand
from hearts.game.rules import parse_rules
from hearts.session.client_events import YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options
from hearts_client.library.client import Client
from hearts_client.library.dialects import Dialect, sessions
from tests.independent.plain_client import ClientHabits, OwnSession

from .house import Caller, House, four, house, judge, options, text

LIMIT = ("--turn-limit", "10")
pytestmark = pytest.mark.house(*LIMIT)
LEADER_PLAYS_ANYTHING = "rotate,bleed,pass=never"
"""Under these rules player 0 leads the first trick, so its first message is already a choice."""


@pytest.fixture
async def caller(made: House) -> Caller:
    """Player 0 of a table with three computers, up to a first choice; five acks are owed then."""
    caller = await made.guest(-2, *options(LEADER_PLAYS_ANYTHING, computers=0b1110))
    await caller.seated()
    assert (await caller.numbers(20))[-2:] == (0, 0)
    return caller


@pytest.mark.parametrize(("acks_at", "decided_at"), [(4, 14), (None, 20)])
@pytest.mark.house(*LIMIT, "--bot-pause", "7")
async def test_the_clock_begins_when_nothing_is_owed_but_one_limit_after_the_question(
    acks_at: float | None, decided_at: float, caller: Caller
) -> None:
    """Computers take their time behind it."""
    start = trio.current_time()
    if acks_at is not None:
        await trio.sleep(acks_at)
        await caller.send(*[0] * 5)
    assert 1 <= await caller.number() <= 13
    assert trio.current_time() - start == pytest.approx(decided_at)
    await caller.numbers(3)
    assert trio.current_time() - start == pytest.approx(decided_at + 3 * 7)


@pytest.mark.parametrize("dialect", Dialect)
async def test_our_client_without_its_player_costs_3_s_a_hand_until_he_chooses_in_time(
    dialect: Dialect, made: House
) -> None:
    """It sends late choices by itself. He is back in the third hand, and thinks once a hand."""
    thinks = {3: 2.5, 4: 9.5}
    stream = (await made.call()).stream
    wishes = Options(frozenset({1, 2, 3}), parse_rules("pass=never"), 1000)
    request = RegistrationRequest("Ann", 1000, options=wishes)
    client = Client(stream, request, open_session=sessions(dialect))
    dealt: list[float] = []
    async for event in client:
        if isinstance(event, YourHand):
            dealt.append(trio.current_time())
            if len(dealt) == 5:
                break
        if isinstance(event, YourChoice) and len(dealt) >= 3:
            await client.flush()
            await trio.sleep(thinks.pop(len(dealt), 0))
            await client.play(client.view.legal_cards[0])
    seconds = [then - now for now, then in pairwise(dealt)]
    assert seconds == pytest.approx([23, 3, 2.5, 9.5])


@pytest.mark.parametrize(
    ("table", "own", "wish", "limit"),
    [
        *[("", 20, 15, 15), ("", 20, 3600, 20), ("", 0, 300, 300), ("friends", 20, 300, 300)],
        *[("", 20, -1, 20), ("friends", 20, -1, 0), ("friends", 20, -2, 20)],
    ],
)
async def test_who_opens_a_table_may_ask_for_a_limit_and_at_a_public_one_for_no_longer_one(
    table: str, own: int, wish: int, limit: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, "--turn-limit", str(own)) as made:
        caller = await made.call()
        await caller.number()
        bits, end, _ = options(LEADER_PLAYS_ANYTHING, computers=0b1110)
        await caller.send(text("Ann"))
        if table:
            await caller.send(-4, text(table))
            assert await caller.number() == 0
        await caller.send(-2, bits, end, wish, 1, *[0] * 5)
        await caller.seated()
        assert (await caller.numbers(20))[3] == limit
        start = trio.current_time()
        with trio.move_on_after(1000):
            assert await caller.number() > 0
        assert trio.current_time() - start == pytest.approx(limit or 1000)


@pytest.mark.house("--turn-limit", "1")
async def test_clients_that_are_slow_in_all_ways_stay_in_step(made: House) -> None:
    """They ignore clocks, and acknowledge late; the last is too late with everything."""
    sessions = [
        OwnSession(ClientHabits(options=options("moon=choice", 20), again=1, seed=1)),
        OwnSession(ClientHabits(think_seconds=4, think_chance=0.2, wrong=0.1, seed=2)),
        OwnSession(ClientHabits(ack_seconds=0.3, seed=3)),
        OwnSession(
            ClientHabits(ack_seconds=1, think_seconds=15, think_chance=1, wrong=0.3, seed=4)
        ),
    ]
    await made.play(sessions)
    report = judge(sessions)
    assert report.games == 2
    assert report.forced[0] == 0
    assert report.forced[1] > 5
    assert report.forced[3] >= 14 * report.hands - 3 * report.games
    own = [fact for fact in sessions[1].facts if fact.kind == "play" and fact.numbers[1] == 0]
    assert len(own) > 2


@pytest.mark.house("--bot-pause", "0.5", "--end-score", "20")
async def test_a_slow_client_that_knows_no_option_blocks_is_seated_and_plays(made: House) -> None:
    session = OwnSession(ClientHabits(name="Plain", reasons=False, ack_seconds=3, again=1, seed=1))
    await made.play([session])
    assert session.facts[1].texts == ("Plain", "Moe", "Larry", "Curly")
    assert [f.numbers for f in session.facts if f.kind == "table"] == [(1, 0, 20, 60, 14)] * 2
    report = judge([session])
    assert report.games == 2
    assert not report.forced[0]


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.house("--turn-limit", "60", "--grace", "60")
async def test_the_time_for_which_a_server_was_stopped_is_taken_from_nobody(
    leaves: bool, made: House, autojump_clock: MockClock
) -> None:
    """Neither from a clock nor from a grace."""
    choices = made.server.metrics.choices
    by = ChosenBy.STAND_IN if leaves else ChosenBy.CLOCK

    def chosen() -> float:
        return sum(counter.value for (_, who), counter in choices.items() if who is by)

    players = await four(made, -2, *options())
    for caller in players:
        await caller.seated()
    if leaves:
        await players[3].stream.aclose()
    await trio.sleep(30)
    autojump_clock.jump(3600)
    await trio.sleep(28)
    assert not chosen()
    # Those who have read nothing have no clock that began at once (5.4).
    await trio.sleep(10 if leaves else 150)
    assert chosen()


class CountedSteps(trio.abc.Instrument):
    count = 0

    def before_task_step(self, task: object) -> None:
        self.count += 1


async def test_a_server_that_nobody_is_at_hardly_wakes(made: House) -> None:
    trio.lowlevel.add_instrument(steps := CountedSteps())
    await trio.sleep(600)
    trio.lowlevel.remove_instrument(steps)
    assert steps.count < 3 * 600
