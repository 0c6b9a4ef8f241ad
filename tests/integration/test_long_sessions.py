"""Coming back to a long session: other tables go on, and only who reads is told more."""

from __future__ import annotations

import math
from functools import cache

import pytest
import trio
import trio.testing

from hearts.game.events import Action
from hearts.game.rules import STANDARD
from hearts.hosting import rejoin
from hearts.hosting.store import Session, StoredSeat
from hearts.table.inputs import Setting
from hearts.table.seat import Kind
from hearts.wire.credentials import issue
from hearts_server.journal.store import StoredSession
from hearts_server.lobby import arrival
from tests.independent.plain_client import ClientHabits, Closed, OwnSession, Ticket
from tests.table.desk import NAMES, Desk

from .dealers import joined as joined_talk
from .house import Caller, House, take_up, text

HANDS = 10
GAME = 7
PROCESS_ID = 1000


@cache
def played() -> tuple[str, ...]:
    """The lines of one game of many hands; the next one is dealt."""
    desk = Desk(end=10_000)
    while desk.table.past.hands_scored() < HANDS:
        desk.play_hand()
    return tuple(desk.lines)


@pytest.fixture
async def made(made: House) -> House:
    """A server that was started again; nobody has come back to the session so far."""
    a, b, c, d = (StoredSeat(name, Kind.CLIENT, PROCESS_ID) for name in NAMES)
    setting = Setting(STANDARD, 10_000, 0, math.inf, math.inf)
    session = Session(GAME, "Table 1", False, setting, (a, b, c, d), 0)
    await take_up(made.server, [StoredSession(session, played(), None, "")])
    return made


@pytest.fixture
def small_backlog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrival, "BACKLOG_AT_MOST", 2048)


async def claim(
    made: House, caller: Caller, player: int = 0, hands: int = 0, *, dealer: bool = False
) -> None:
    """Come back, up to the Process ID; nothing of the replay is read."""
    await caller.number()
    shown = issue(made.data_dir.secret, GAME, player, PROCESS_ID)
    await caller.send(text("Ann"))
    if dealer:
        await caller.send(-6, 1)
        assert await caller.number() == 1
    await caller.send(-5, GAME, shown.game_id, player, PROCESS_ID, hands)
    await caller.number()
    await caller.send(PROCESS_ID)


async def test_other_tables_get_their_turn_after_a_few_steps(
    made: House, applied: list[Action]
) -> None:
    """However many replays there are, few steps are done in a pass of the event loop."""
    passes: list[int] = []

    applied.clear()
    callers = [await made.call() for _ in range(4)]
    async with trio.open_nursery() as nursery:
        for player, caller in enumerate(callers):
            nursery.start_soon(claim, made, caller, player)
        while len(applied) < 4 * HANDS * 53:
            before = len(applied)
            await trio.lowlevel.checkpoint()
            passes.append(len(applied) - before)
            assert len(passes) < 10_000
    # Between two turns of this task there are at most two passes.
    assert max(passes) <= 2 * (rejoin.STEPS_AT_ONCE + 5)


@pytest.mark.parametrize("dealer", [False, True])
@pytest.mark.usefixtures("small_backlog")
async def test_who_does_not_read_is_told_no_more_and_dropped(
    made: House, dealer: bool, applied: list[Action]
) -> None:
    caller = await made.call(lockstep=True)
    applied.clear()
    await claim(made, caller, dealer=dealer)
    await trio.sleep(arrival.READING_LIMIT - 1)
    told = len(applied)
    assert 0 < told < HANDS * 30
    await trio.sleep(2)
    assert len(applied) == told
    with pytest.raises(Closed):
        await caller.take(1_000_000)


@pytest.mark.parametrize("dealer", [False, True])
@pytest.mark.usefixtures("small_backlog")
async def test_who_reads_slowly_hears_everything(made: House, dealer: bool) -> None:
    quick, slow = await made.call(), await made.call(lockstep=True)
    await claim(made, quick, dealer=dealer)
    await trio.testing.wait_all_tasks_blocked()
    whole = bytes(await quick.stream.receive_some(1_000_000))
    await claim(made, slow, dealer=dealer)
    heard = b""
    while len(heard) < len(whole):
        await trio.sleep(1)
        heard += bytes(await slow.stream.receive_some(1000))
    assert heard == whole


@pytest.mark.usefixtures("small_backlog")
async def test_a_closed_connection_ends_its_replay(made: House, applied: list[Action]) -> None:
    caller = await made.call(lockstep=True)
    applied.clear()
    await claim(made, caller)
    await trio.sleep(1)
    told = len(applied)
    await caller.stream.aclose()
    await trio.sleep(1)
    assert made.server.sessions.running[0].paused_at is not None
    assert len(applied) == told


@pytest.mark.usefixtures("small_backlog")
async def test_a_newer_claim_ends_the_older_replay(made: House, applied: list[Action]) -> None:
    older, newer = await made.call(lockstep=True), await made.call()
    await claim(made, older)
    await trio.sleep(1)
    applied.clear()
    await claim(made, newer, hands=HANDS)
    await trio.sleep(1)
    assert len(applied) <= 57
    while True:
        with trio.move_on_after(5) as waited:
            if not await older.stream.receive_some(4096):
                break
        assert not waited.cancelled_caught
    assert not await newer.silent(1)


@pytest.mark.parametrize("joined", [False, True])
async def test_who_answers_before_he_reads_on_gets_through(
    made: House, joined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their bytes are read while the server waits for them, or each would wait for the other."""
    monkeypatch.setattr(arrival, "BACKLOG_AT_MOST", 0)
    monkeypatch.setattr(rejoin, "STEPS_AT_ONCE", 1)
    shown = issue(made.data_dir.secret, GAME, 0, PROCESS_ID)
    settings = ClientHabits(name="Ann", process_id=PROCESS_ID)
    session = OwnSession(settings, Ticket(GAME, shown.game_id, 0, PROCESS_ID, 0, 0))
    caller = await made.call(lockstep=True)
    talk = session.talk()
    with trio.move_on_after(2 * arrival.READING_LIMIT):
        await caller.converse(joined_talk(talk) if joined else talk)
    assert session.ticket is not None
    assert session.ticket.hands == HANDS
    assert made.server.sessions.running[0].client_count == 1
