"""Who has how long, and what happens to whoever is late: SocketSpec.md sections 5 and 4.8."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.game.events import YourHand
from hearts.game.rules import parse_rules
from hearts.session.client_events import YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options
from hearts_client.library.client import Client
from hearts_client.library.dialects import Dialect, sessions
from tests.independent.client import Session, Settings, Talk, Think

from .house import Caller, House, house, judge, options, text

LIMIT = ("--turn-limit", "10")
pytestmark = pytest.mark.house(*LIMIT)
LEADER_PLAYS_ANYTHING = "rotate,bleed,pass=never"
"""Under these rules player 0 leads the first trick, so its first message is already a choice."""


class PlayerScript:
    """Player 0 of a table with three computers, one message at a time."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.cards: Sequence[int] = ()
        self._after = 3
        """How many players play after this one in the trick."""

    @classmethod
    async def begin(cls, made: House) -> PlayerScript:
        """Sit down and read up to the first choice; five acks are owed then."""
        script = cls(await made.call())
        caller = script.caller
        await caller.number()
        await caller.send(text("Ann"), -2, *options(LEADER_PLAYS_ANYTHING, computers=0b1110), 1)
        await caller.seated()
        await caller.numbers(5)
        script.cards = await caller.numbers(13)
        assert await caller.numbers(2) == (0, 0)
        return script

    @property
    def harmless(self) -> list[int]:
        """Indexes of cards that are no hearts: legal to lead."""
        return [index for index, card in enumerate(self.cards) if card > 13]

    async def ack(self, count: int) -> None:
        await self.caller.send(*[0] * count)

    async def to_next_choice(self) -> int:
        """Read the rest of the trick and the next one up to one's own turn; the acks owed."""
        played = await self.caller.numbers(self._after)
        await self.caller.numbers(5)
        leader = await self.caller.number()
        before = await self.caller.numbers(-leader % 4)
        acks = len(played) + 2 + len(before)
        self._after = 3 - len(before)
        return acks

    async def status_after(self, start: float) -> tuple[int, float]:
        """The next status, and seconds from `start` until it came."""
        status = await self.caller.number()
        return status, trio.current_time() - start


@pytest.fixture
async def script(made: House) -> PlayerScript:
    return await PlayerScript.begin(made)


@pytest.mark.parametrize(
    ("acks_at", "decided_at"), [(0, 10), (4, 14), (9, 19), (15, 20), (None, 20)]
)
async def test_the_clock_begins_when_nothing_is_owed_but_one_limit_after_the_question(
    acks_at: float | None, decided_at: float, script: PlayerScript
) -> None:
    start = trio.current_time()
    if acks_at is not None:
        await trio.sleep(acks_at)
        await script.ack(5)
    status, seconds = await script.status_after(start)
    assert 1 <= status <= 13
    assert seconds == pytest.approx(decided_at)


async def test_an_illegal_try_does_not_begin_the_clock_anew(script: PlayerScript) -> None:
    start = trio.current_time()
    await script.ack(5)
    await trio.sleep(8)
    await script.caller.send(13)
    assert await script.caller.number() == -1
    status, seconds = await script.status_after(start)
    assert status > 0
    assert seconds == pytest.approx(10)


@pytest.mark.house(*LIMIT, "--bot-pause", "7")
async def test_a_decision_comes_at_once_however_long_computers_wait(script: PlayerScript) -> None:
    start = trio.current_time()
    await script.ack(5)
    _, seconds = await script.status_after(start)
    assert seconds == pytest.approx(10)
    await script.caller.numbers(3)
    assert trio.current_time() - start == pytest.approx(10 + 3 * 7)


@pytest.mark.house(*LIMIT, "--bot-pause", "1")
async def test_two_limits_are_lost_in_a_hand_and_then_3_s_if_a_late_choice_arrives(
    script: PlayerScript,
) -> None:
    # A stand-in plays at once, that is at the pace of a computer.
    await script.ack(5)
    for limit in (10, 10, 1, 1, 1):
        start = trio.current_time()
        status, seconds = await script.status_after(start)
        assert status > 0
        assert seconds == pytest.approx(limit)
        await script.to_next_choice()
    # One late choice of five arrives, so that he has a turn again, if a short one.
    await script.caller.send(0)
    await script.status_after(trio.current_time())
    await script.to_next_choice()
    for limit in (3, 1):
        start = trio.current_time()
        _, seconds = await script.status_after(start)
        assert seconds == pytest.approx(limit)
        await script.to_next_choice()


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


@pytest.mark.parametrize("late", [0, 12, 13, -1, 2**31 - 1])
async def test_a_late_choice_is_thrown_away_and_the_client_stays_in_step(
    late: int, script: PlayerScript
) -> None:
    await script.ack(5)
    first = await script.caller.number()
    assert first > 0
    acks = await script.to_next_choice()
    await script.caller.send(late)
    await script.ack(acks)
    # Whatever the late choice was, it has no status; the next choice has one.
    assert await script.caller.silent(5)
    await script.caller.send(first - 1)
    assert await script.caller.number() == -1


async def test_a_choice_that_crosses_the_decision_is_not_taken_for_the_next(
    script: PlayerScript,
) -> None:
    await script.ack(5)
    await trio.sleep(10.001)
    # The status is on its way; the client has not read it, and chooses.
    await script.caller.send(script.harmless[0])
    assert await script.caller.number() > 0
    acks = await script.to_next_choice()
    await script.ack(acks)
    assert await script.caller.silent(9)


async def test_the_tenth_illegal_try_is_decided(script: PlayerScript) -> None:
    await script.ack(5)
    for _ in range(9):
        await script.caller.send(99)
        assert await script.caller.number() == -1
    await script.caller.send(99)
    assert 1 <= await script.caller.number() <= 13
    acks = await script.to_next_choice()
    await script.ack(acks)
    assert await script.caller.silent(9)


@pytest.mark.house("--turn-limit", "0")
async def test_without_a_limit_there_is_no_clock(script: PlayerScript) -> None:
    await script.ack(5)
    assert await script.caller.silent(1000)
    await script.caller.send(script.harmless[0])
    assert await script.caller.number() == 0


@pytest.mark.parametrize(
    ("table", "own", "wish", "limit"),
    [("", 20, 15, 15), ("", 20, 3600, 20), ("", 0, 300, 300), ("friends", 20, 300, 300)],
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
        assert await caller.number() > 0
        assert trio.current_time() - start == pytest.approx(limit)


@pytest.mark.house(*LIMIT, "--grace", "60")
async def test_a_lost_player_costs_two_limits_and_from_then_on_nothing(made: House) -> None:
    left = await made.greet("Ann", -2, *options(LEADER_PLAYS_ANYTHING, 30, 0b1100), 1)
    stays = Session(Settings(again=1, seed=5))
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(made.play, [stays])
        await left.seated()
        await left.stream.aclose()
    # Two misses of 10 s; then a stand-in plays, before the grace period is over.
    assert 20 <= trio.current_time() - start <= 21
    report = judge([stays])
    assert report.games == 2


class Dreamer(Session):
    """Thinks too long about a pass and about another game, and never about a card."""

    def _choose_late(self, *numbers: int) -> Talk:
        yield Think(15)
        yield from super()._choose(*numbers)

    def _choose(self, *numbers: int) -> Talk:
        if len(numbers) == 3 or self.facts[-1].kind == "scores":
            yield from self._choose_late(*numbers)
        else:
            yield from super()._choose(*numbers)


async def test_a_pass_and_another_game_are_decided_too(made: House) -> None:
    sessions = [Dreamer(Settings(options=options(end=1, computers=0b1110), seed=1))]
    await made.play(sessions)
    assert judge(sessions).forced[0] == 1
    facts = sessions[0].facts
    assert [fact.numbers for fact in facts if fact.kind in ("again", "new game")] == [(0, 1), (0,)]


async def test_another_game_is_played_where_somebody_else_is_there(made: House) -> None:
    sessions = [
        Dreamer(Settings(options=options("pass=never", 1, 0b1100), seed=1)),
        Session(Settings(seed=2)),
    ]
    with trio.move_on_after(40):
        # Each game waits ten seconds for the answer of who dreams.
        await made.play(sessions)
    seen = [[f.numbers for f in session.facts if f.kind == "new game"] for session in sessions]
    assert seen[1][:2] == [(1,), (1,)]
