"""The async client: events in, choices out, and every way in which a connection can end."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.bots import SimpleBot
from hearts.dealer import messages as said
from hearts.dealer.client import DealerSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.dealer.frames import DealerState
from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import Card, four
from hearts.game.deal import DealPromised
from hearts.game.events import CardPlayed, CardsReceived, ChosenBy, PassMade
from hearts.game.view import View
from hearts.session.client_events import (
    DealerEvent,
    RegistrationRefused,
    SessionEnded,
    YourChoice,
)
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options
from hearts.session.own_cuts import OwnCuts
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Waiting
from hearts.table.inputs import Question
from hearts_client.library.client import Client
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import OpenSession
from hearts_client.library.playing import BotError, SessionResult, play_out, play_session
from hearts_client.library.reach import CannotConnect, open_stream
from tests.dealer.client_desk import BEGUN as BEGUN_TABLE
from tests.dealer.client_desk import begun, frames
from tests.plain.script import BEGUN, HAND, REQUEST, SENT_BEGUN, ints, text

from .client_house import HOST, house, listening

ACK = ints(0)


class ClientScript:
    """A client and our end of its connection."""

    def __init__(
        self, told: bytes = b"", *, end: bool = False, open_session: OpenSession | None = None
    ) -> None:
        self._out = trio.testing.MemorySendStream()
        self._in = trio.testing.MemoryReceiveStream()
        stream = trio.StapledStream(self._out, self._in)
        self.client = Client(stream, REQUEST, open_session=open_session)
        self.say(told)
        if end:
            self._in.put_eof()

    def say(self, data: bytes) -> None:
        self._in.put_data(data)

    def sent(self) -> bytes:
        """What the client has sent since the last call."""
        try:
            return bytes(self._out.get_data_nowait())
        except trio.WouldBlock:
            return b""

    def vanish(self) -> None:
        """Both directions break."""
        self._out.close()
        self._in.close()


async def all_events(client: Client) -> list[DealerEvent]:
    return [event async for event in client]


async def test_events_and_what_is_known_of_the_table() -> None:
    script = ClientScript(BEGUN + ints(*HAND, 1), end=True)
    client = script.client
    assert client.player == -1
    with pytest.raises(LocalProtocolError, match="does not have its players yet"):
        _ = client.names
    events = await all_events(client)
    assert isinstance(events[-2], YourChoice)
    assert events[-1] == SessionEnded(complete=False)
    assert client.names == ("Ann", "Moe", "Larry", "Curly")
    assert client.credentials.game_number == 7
    assert client.picture.table is not None
    assert client.picture.table.turn_limit == 60
    assert len(client.view.cards) == 13
    assert script.sent() == SENT_BEGUN + ACK


async def test_acknowledgements_leave_with_the_choice_or_before_waiting() -> None:
    script = ClientScript(BEGUN + ints(*HAND, 1))
    client = script.client
    while await anext(client) != YourChoice(Question.PASS):
        assert script.sent() == b""
    await client.pass_cards(client.view.cards[:3])
    assert script.sent() == SENT_BEGUN + ACK + ints(0, 1, 2)
    script.say(ints(0, 13, 27, 39))
    assert isinstance(await anext(client), PassMade)
    assert isinstance(await anext(client), CardsReceived)
    assert script.sent() == b""
    await client.flush()
    assert script.sent() == ACK


@pytest.mark.parametrize("code", [-104, -1])
async def test_a_refusal(code: int) -> None:
    """Also one after which a client that has a seat would come again."""
    with pytest.raises(RegistrationRefused, match=r"^no$"):
        await all_events(ClientScript(ints(0, 1, code) + text("no")).client)


@pytest.mark.parametrize(
    ("told", "why"),
    [(b"HTTP/1.1 400 Bad Request\r\n", "."), (BEGUN + ints(*HAND, 0, 3), "cannot lead")],
)
async def test_a_server_that_breaks_the_rules(told: bytes, why: str) -> None:
    client = ClientScript(told).client
    with pytest.raises(RemoteProtocolError, match=why):
        await all_events(client)
    assert await all_events(client) == []


async def test_a_connection_that_breaks() -> None:
    script = ClientScript(ints(0))
    script.vanish()
    assert await all_events(script.client) == [SessionEnded(complete=False)]
    assert await all_events(script.client) == []


async def test_a_choice_that_is_cancelled_on_its_way_closes_the_connection() -> None:
    ours, theirs = trio.testing.lockstep_stream_pair()
    client = Client(ours, REQUEST)
    scope = trio.CancelScope()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(theirs.send_all, ints(0))
        nursery.start_soon(cancel_when_blocked, scope)
        with scope:
            await anext(client)
    assert scope.cancelled_caught
    with trio.fail_after(10):
        assert await all_events(client) == [SessionEnded(complete=False)]


async def cancel_when_blocked(scope: trio.CancelScope) -> None:
    await trio.testing.wait_all_tasks_blocked()
    scope.cancel()


@pytest.mark.parametrize("host", ["..", "x" * 70 + ".example"])
async def test_what_cannot_be_a_host(host: str) -> None:
    with pytest.raises(CannotConnect, match="cannot be the name of a host"):
        await open_stream(host, 1)


async def test_a_name_that_cannot_be_sent_is_found_before_connecting() -> None:
    with pytest.raises(LocalProtocolError):
        async with connect(HOST, 1, name="x" * 31):
            pass


async def test_a_client_that_never_chooses_stays_in_step(
    tmp_path: Path, autojump_clock: object
) -> None:
    computers = Options(frozenset({1, 2, 3}), end_score=5, turn_limit=15)
    async with house(tmp_path) as made:
        events = await all_events(made.client(RegistrationRequest("Ann", 1, options=computers)))
    assert events[-1] == SessionEnded(complete=True)
    mine = [event for event in events if isinstance(event, CardPlayed) and event.player == 0]
    assert len(mine) % 13 == 0
    assert {event.by for event in mine} == {ChosenBy.CLOCK}


class Wrong(SimpleBot):
    """Plays well until it has to choose a card, and then the worst that there is."""

    def choose_card(self, view: View) -> Card:
        return next(card for card in view.cards if card not in view.legal_cards)


async def test_a_bot_that_breaks_the_rules_is_told(tmp_path: Path) -> None:
    alone = Options(frozenset({1, 2, 3}))
    why = "choose_card gave .., which is not legal: .*. Hand: .*; legal: "
    async with listening(tmp_path) as running:
        with pytest.raises(BotError, match=why):
            await play_session(Wrong(), HOST, running.port, name="Ann", options=alone)


async def test_a_server_that_ends_before_the_table_has_its_players() -> None:
    result = await play_out(SimpleBot(), ClientScript(ints(0, 1), end=True).client)
    assert result == SessionResult(0, ("", "", "", ""), (), 0, complete=False)


async def test_a_value_is_shown_as_soon_as_its_promise_can_be_kept() -> None:
    own = OwnCuts(bytes(range(32)))
    hashes = four((own.next_hash, b"", b"", b""))
    promise = DealPromised(1, bytes(range(32)), hashes)
    query = said.CutMessage(60_000, DealerState.SHUFFLING, 1)
    script = ClientScript(
        begun(*BEGUN_TABLE, promise, query),
        open_session=partial(DealerSession, deals=DealVerifier(own)),
    )
    kept: list[ResumeToken] = []

    async def keep(progress: ResumeToken) -> bool:
        kept.append(progress)
        return len(kept) == 2

    async def follow() -> None:
        async for _ in script.client:
            pass

    script.client.keep = keep
    shown = DealVerifier(own)
    shown.promise(DealPromised(1, bytes(range(32)), hashes), 0, None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(follow)
        await trio.testing.wait_all_tasks_blocked()
        assert len(kept) == 1
        assert shown.value not in script.sent()
        waiting = Waiting(Question.CUT, (0,), 0, 55_000)
        script.say(frames(waiting, first=len(BEGUN_TABLE) + 3))
        await trio.testing.wait_all_tasks_blocked()
        assert [progress.cuts for progress in kept] == [shown.own_shown] * 2
        assert shown.value in script.sent()
        nursery.cancel_scope.cancel()
