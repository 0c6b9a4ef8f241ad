"""Connections that are lost and made anew, in virtual time, against scripted servers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import trio
import trio.testing

from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import Card
from hearts.game.view import View
from hearts.session.client_events import (
    CameBack,
    CaughtUp,
    ConnectionLost,
    DealerEvent,
    RegistrationRefused,
    SessionEnded,
    TablesListed,
    YourChoice,
)
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.table.inputs import Question
from hearts_client.library.client import Client
from hearts_client.library.playing import SessionResult, play_out
from hearts_client.library.reach import CannotConnect
from hearts_client.library.retries import RETRY_LIMIT, RETURN_LIMIT, Retries
from tests.plain.script import BEGUN, HAND, NEW, REQUEST, back, back_said, back_sent, ints, text

from .low_cards import LowCards

DEALT = BEGUN + ints(*HAND, 1)
CLOSED = "the server has closed it"
NOBODY = CannotConnect("nobody there")


class ScriptedConnection:
    """One connection: what the server says, and when it ends."""

    def __init__(self, said: bytes, lasts: float | None = 0.0) -> None:
        """``lasts`` is in seconds; None for ever."""
        self.said = said
        self._lasts = lasts
        self._out = trio.testing.MemorySendStream()
        self._in = trio.testing.MemoryReceiveStream()
        self.closed = False

    def open(self, nursery: trio.Nursery) -> trio.abc.Stream:
        self._in.put_data(self.said)
        nursery.start_soon(self._run)
        self._out.close_hook = self._note_closed
        return trio.StapledStream(self._out, self._in)

    def _note_closed(self) -> None:
        self.closed = True

    async def _run(self) -> None:
        if self._lasts is not None:
            await trio.sleep(self._lasts)
            self._in.put_eof()

    def sent(self) -> bytes:
        return bytes(self._out.get_data_nowait())


class ScriptedServer:
    """Connections in the order in which they are made; the last one is there for all that follow.

    The first one is the client's from the beginning.
    """

    def __init__(
        self,
        nursery: trio.Nursery,
        *lines: ScriptedConnection | CannotConnect,
        request: RegistrationRequest = REQUEST,
        limit: float = RETRY_LIMIT,
        draw: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._nursery = nursery
        self._lines = list(lines)
        first = self._lines.pop(0)
        assert isinstance(first, ScriptedConnection)
        self.dialled: list[float] = []
        stream = first.open(nursery)
        self.client = Client(stream, request, self._dial, Retries(limit, draw))

    async def _dial(self) -> trio.abc.Stream:
        self.dialled.append(trio.current_time())
        line = self._lines.pop(0) if len(self._lines) > 1 else self._lines[0]
        await trio.lowlevel.checkpoint()
        if isinstance(line, CannotConnect):
            raise line
        if line.closed:
            raise AssertionError("more connections than the test has")
        return line.open(self._nursery)

    async def all_events(self) -> list[DealerEvent]:
        return [event async for event in self.client]


Made = Callable[..., ScriptedServer]


@pytest.fixture
def made(nursery: trio.Nursery) -> Made:
    """Makes servers, whose client has the first connection already, in virtual time."""
    return partial(ScriptedServer, nursery)


def losses(events: list[DealerEvent]) -> list[ConnectionLost]:
    return [event for event in events if isinstance(event, ConnectionLost)]


async def test_the_session_goes_on(made: Made) -> None:
    first, second = (
        ScriptedConnection(DEALT, lasts=5),
        ScriptedConnection(back_said(0) + ints(*HAND, 1), lasts=None),
    )
    client = made(first, NOBODY, second).client
    while (event := await anext(client)) != ConnectionLost(CLOSED, 0.2):
        assert not isinstance(event, SessionEnded)
    assert client.is_lost
    assert first.closed
    assert client.asked is None
    with pytest.raises(LocalProtocolError, match="not asked for"):
        await client.pass_cards(client.view.cards[:3])
    assert await anext(client) == ConnectionLost("nobody there", 0.4)
    assert await anext(client) == CameBack(0, NEW)
    assert not client.is_lost
    while await anext(client) != CaughtUp():
        assert client.asked is None
    assert await anext(client) == YourChoice(Question.PASS)
    await client.pass_cards(client.view.cards[:3])
    assert second.sent() == back_sent(NEW) + ints(0, 0, 1, 2)
    assert client.credentials == NEW.credentials
    await client.aclose()
    assert second.closed


async def test_waits_grow_and_come_to_an_end(made: Made) -> None:
    server = made(ScriptedConnection(DEALT), NOBODY)
    began = trio.current_time()
    events = await server.all_events()
    waits = [event.retry_in for event in losses(events)]
    assert waits[:8] == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]
    assert set(waits[8:]) == {10.0}
    assert RETRY_LIMIT - 10 < server.dialled[-1] - began <= RETRY_LIMIT
    assert len(server.dialled) == len(waits)
    assert events[-1] == SessionEnded(complete=False)
    assert server.client.progress == NEW
    with pytest.raises(StopAsyncIteration):
        await anext(server.client)


async def test_chance_shortens_the_waits(made: Made) -> None:
    events = await made(ScriptedConnection(DEALT), NOBODY, draw=lambda: 0.5).all_events()
    assert [event.retry_in for event in losses(events)][:3] == pytest.approx([0.15, 0.3, 0.6])


async def test_no_tries_at_all(made: Made) -> None:
    server = made(ScriptedConnection(DEALT), NOBODY, limit=0)
    events = await server.all_events()
    assert losses(events) == []
    assert server.dialled == []
    assert events[-1] == SessionEnded(complete=False)


@pytest.mark.parametrize("said", [b"", ints(0), ints(0, 1), ints(0, 1, 7, 99) + text("Ann")])
async def test_who_has_no_seat_does_not_come_back(said: bytes, made: Made) -> None:
    server = made(ScriptedConnection(said), NOBODY)
    events = await server.all_events()
    assert server.dialled == []
    assert events[-1] == SessionEnded(complete=False)


@pytest.mark.parametrize("code", [-1, -2, -4, -106])
@pytest.mark.parametrize("place", [b"", ints(0), ints(0, 1), ints(0, 1, 1)])
async def test_a_refusal_that_passes(place: bytes, code: int, made: Made) -> None:
    reason = text("not now") if len(place) > 4 else b""
    refused = ScriptedConnection(place + ints(code) + reason, lasts=None)
    server = made(ScriptedConnection(DEALT), refused, ScriptedConnection(back_said(0)))
    client = server.client
    while not isinstance(await anext(client), ConnectionLost):
        pass
    lost = await anext(client)
    while not isinstance(lost, ConnectionLost):
        lost = await anext(client)
    assert refused.closed
    assert lost.why == "not now" or not reason
    assert await anext(client) == CameBack(0, NEW)


@pytest.mark.parametrize("code", [-103, -104, -105, -101, -102])
async def test_a_refusal_for_good(code: int, made: Made) -> None:
    refused = ScriptedConnection(ints(0, 1, code) + text("no such game"))
    server = made(ScriptedConnection(DEALT), refused)
    with pytest.raises(RegistrationRefused, match="no such game") as caught:
        async for _ in server.client:
            pass
    assert caught.value.code == code
    assert len(server.dialled) == 1


SCORED = NEW.after(Scores((8, 2, 16, 0)))
TOO_MANY = ints(0, 1, -103) + text("0 hands were scored, and 1 counted")


@pytest.mark.parametrize("limit", [0.0, 100.0])
async def test_a_count_that_the_server_does_not_know(limit: float, made: Made) -> None:
    """After a power cut: once more without a count, at once (SocketSpec.md section 5.6)."""
    first, second = ScriptedConnection(TOO_MANY), ScriptedConnection(back_said(0), lasts=None)
    server = made(first, second, request=back(SCORED), limit=limit)
    client = server.client
    lost = await anext(client)
    assert lost == ConnectionLost("0 hands were scored, and 1 counted", 0.0)
    assert await anext(client) == CameBack(0, SCORED.without_count())
    assert client.progress == SCORED.without_count()
    await client.flush()
    assert server.dialled == [0.0]
    assert second.sent().startswith(back_sent(SCORED.without_count())[:-8])


async def test_a_seat_is_forgotten_after_the_second_refusal(made: Made) -> None:
    first, second = ScriptedConnection(TOO_MANY), ScriptedConnection(TOO_MANY)
    server = made(first, NOBODY, second, request=back(SCORED))
    with pytest.raises(RegistrationRefused) as caught:
        async for _ in server.client:
            pass
    assert caught.value.code == -103
    assert len(server.dialled) == 2


@pytest.mark.parametrize("said", [b"", ints(0), ints(0, 1, 1), back_said(0)[:-1]])
async def test_a_server_that_falls_silent(said: bytes, made: Made) -> None:
    silent = ScriptedConnection(said, lasts=None)
    server = made(ScriptedConnection(DEALT), silent, NOBODY, limit=RETURN_LIMIT + 1)
    events = await server.all_events()
    assert silent.closed
    assert [event.why for event in losses(events)] == [CLOSED, "the server does not answer"]
    assert server.dialled == pytest.approx([0.2, RETURN_LIMIT + 0.6])
    assert events[-1] == SessionEnded(complete=False)


async def test_after_the_table_there_is_no_deadline(made: Made) -> None:
    server = made(ScriptedConnection(DEALT), ScriptedConnection(back_said(0), lasts=1000), NOBODY)
    events = await server.all_events()
    assert [event.retry_in for event in losses(events)][:3] == [0.2, 0.2, 0.4]
    assert server.dialled[1] == pytest.approx(1000.4)


async def test_a_server_that_closes_now_and_then_is_come_back_to(made: Made) -> None:
    lines = [ScriptedConnection(back_said(0), lasts=6) for _ in range(100)]
    server = made(ScriptedConnection(DEALT), *lines)
    events = await server.all_events()
    assert events[-1] == SessionEnded(complete=False)
    assert server.dialled[-1] <= RETRY_LIMIT
    assert losses(events)[-1].retry_in == 10


async def test_coming_back_from_the_start(made: Made) -> None:
    """As with --resume: the first connection comes back, and may be refused for the moment."""
    refused = ScriptedConnection(ints(-1), lasts=None)
    server = made(refused, ScriptedConnection(back_said(0)), request=back(NEW))
    assert server.client.progress == NEW
    first, second, *_ = [await anext(server.client) for _ in range(2)]
    assert first == ConnectionLost("the server is full, try again later", 0.2)
    assert second == CameBack(0, NEW)


async def test_a_wait_can_be_cancelled_and_taken_up(made: Made) -> None:
    server = made(ScriptedConnection(DEALT), ScriptedConnection(back_said(0)))
    while not isinstance(await anext(server.client), ConnectionLost):
        pass
    with trio.move_on_after(0.1) as scope:
        await anext(server.client)
    assert scope.cancelled_caught
    assert await anext(server.client) == CameBack(0, NEW)


async def test_a_server_that_breaks_the_rules_is_not_called_again(made: Made) -> None:
    server = made(ScriptedConnection(DEALT), ScriptedConnection(back_said(0) + ints(*HAND, 0, 3)))
    with pytest.raises(RemoteProtocolError, match="cannot lead"):
        async for _ in server.client:
            pass
    assert len(server.dialled) == 1


async def test_a_bot_is_asked_for_nothing_that_is_decided(made: Made) -> None:
    asked: list[str] = []

    class Noting(LowCards):
        def choose_pass(self, view: View) -> list[Card]:
            asked.append("pass")
            return super().choose_pass(view)

    passed = back_said(1) + ints(*HAND, 1, 1, 5, 4, 9, 13, 27, 39)
    server = made(ScriptedConnection(DEALT), ScriptedConnection(passed), NOBODY, limit=1)
    result = await play_out(Noting(), server.client)
    # Once before the connection was lost.
    assert asked == ["pass"]
    assert result == SessionResult(0, NEW.names, (), 0, complete=False)


async def test_a_list_of_tables_is_not_asked_for_twice(made: Made) -> None:
    request = RegistrationRequest("Ann", 1, list_only=True)
    server = made(ScriptedConnection(ints(0, 1, 0)), NOBODY, request=request)
    assert await server.all_events() == [TablesListed(())]
    assert server.dialled == []


def test_a_connection_that_held_is_tried_again_at_once() -> None:
    retries = Retries(100, lambda: 0.0)
    assert [retries.lost(now) for now in (0, 1, 2)] == [0.2, 0.4, 0.8]
    retries.up(10)
    assert retries.lost(20) == 1.6
    retries.up(30)
    retries.up(55)
    assert retries.lost(60) == 0.2
    assert retries.lost(159) == 0.4
    assert retries.lost(160) is None
