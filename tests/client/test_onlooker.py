"""``hearts-client --watch``: a table as somebody sees it who does not play."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.bots import SimpleBot
from hearts.dealer.client_connection import WatcherSession
from hearts.game.events import TrickTaken
from hearts.game.rules import parse_rules
from hearts.session.client_events import DealerEvent, Seated, YourChoice
from hearts.session.messages import Options, Refusal
from hearts.session.table_words import Introduction, PlayerChange, PlayerKind
from hearts.table.effects import Change
from hearts.wire.codec import encode_ints, encode_str
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import play_out
from hearts_client.library.retries import Retries
from hearts_client.library.watching import Watcher, watch
from hearts_client.lines.onlooker import look_on
from hearts_client.session.visit import Guest
from hearts_client.words.style import Style
from hearts_client.words.tables import table_lines

from .client_house import HOST, listening, until
from .programs import CLIENT, LIMIT, run, served, start

BOT = Introduction(PlayerKind.PROGRAM, 500, comment="low cards")


class WatcherLines:
    """The lines that a watcher is shown; it notes when awaited ones have come."""

    def __init__(self, *awaited: str) -> None:
        self.said: list[str] = []
        self.come = trio.Event()
        self.over = trio.Event()
        self.is_done: bool | None = None
        self._awaited = awaited

    def say(self, line: str) -> None:
        self.said.append(line)
        if line.startswith(self._awaited):
            self.come.set()
            self.come = trio.Event()

    async def look(self, watcher: Watcher) -> None:
        self.is_done = await look_on(watcher, Style(ascii=True), self.say)
        self.over.set()

    async def watch(self, port: int, game_number: int) -> None:
        async with watch(HOST, port, game_number=game_number) as watcher:
            await self.look(watcher)


@pytest.mark.parametrize("rules", ["standard", "moon=choice,jack"])
async def test_a_session_as_it_is_watched(rules: str, tmp_path: Path) -> None:
    options = Options(frozenset({1, 2, 3}), parse_rules(rules), end_score=60)
    seen = WatcherLines("")
    async with listening(tmp_path) as running, trio.open_nursery() as nursery:
        ann = connect(
            HOST,
            running.port,
            name="Ann",
            options=options,
            dialect=Dialect.DEALER,
            introduction=BOT,
        )
        async with ann as client:
            await until(client, Seated)
            game_number = client.credentials.game_number
            # The first choice is not made yet, so the watcher comes into the first hand.
            come = seen.come
            nursery.start_soon(seen.watch, running.port, game_number)
            await come.wait()
            result = await play_out(SimpleBot(), client)
    said = seen.said
    assert seen.is_done
    assert said[:3] == [
        f"You watch game {game_number} at Table 1. Ctrl-C leaves.",
        "It is played by Ann, Moe, Larry and Curly.",
        "Ann is a program, of level 500, and says: low cards",
    ]
    assert said[3].startswith(f"A game to 60 points, rules: {parse_rules(rules)}, ")
    assert "--- Hand 1: three cards go to the left. ---" in said
    assert "--- Hand 2: three cards go to the right. ---" in said
    assert sum(line.endswith("leads.") for line in said) >= 13 * (result.hands - 1)
    assert sum(line.startswith("total") for line in said) == result.hands
    assert sum(line.startswith("The game is over.") for line in said) == 1
    assert said[-2:] == ["", "The session is over."]
    text = "\n".join(said[1:])
    assert not re.search(r"\byou\b", text, re.IGNORECASE)
    assert "Hand:" not in text


async def test_who_comes_in_the_middle_is_told_how_things_stand(tmp_path: Path) -> None:
    seen, options = WatcherLines("On the table", "There is no card"), Options(frozenset({1, 2, 3}))
    told = seen.come
    async with listening(tmp_path) as running, trio.open_nursery() as nursery:

        def receive(event: DealerEvent) -> None:
            # The second hand: after so many tricks the bot thinks until somebody has watched.
            tricks.extend([event] if isinstance(event, TrickTaken) else [])
            if len(tricks) == 15 and isinstance(event, YourChoice):
                raise _Enough

        tricks: list[object] = []
        async with connect(HOST, running.port, name="Ann", options=options) as client:
            with pytest.raises(_Enough):
                await play_out(SimpleBot(), client, on_event=receive)
            nursery.start_soon(seen.watch, running.port, client.credentials.game_number)
            with trio.fail_after(LIMIT):
                await told.wait()
            nursery.cancel_scope.cancel()
    said = seen.said
    assert said[1] == "It is played by Ann, Moe, Larry and Curly."
    rules = next(n for n, line in enumerate(said) if line.startswith("A game to 100"))
    names, standing, total, empty, hand, trick, lie = said[rules + 3 :]
    assert names.split() == ["Ann", "Moe", "Larry", "Curly"]
    assert standing.startswith("so far ")
    assert standing.split()[2:] == total.split()[1:]
    assert empty == ""
    assert hand == "--- Hand 2: three cards go to the right. ---"
    assert trick == "Trick 3."
    assert lie.startswith(("On the table: ", "There is no card"))


class _Enough(Exception):
    """A bot stops in the middle of a hand."""


async def test_the_list_of_tables_that_play(tmp_path: Path) -> None:
    """A seat of a table that plays is opened, and the list shows it."""
    options = Options(frozenset({1, 2, 3}))
    async with listening(tmp_path) as running:
        port = running.port
        ann = connect(HOST, port, name="Ann", options=options, dialect=Dialect.DEALER)
        async with ann as client:
            await until(client, YourChoice)
            await client.open_seat(2)
            async for event in client:
                if isinstance(event, PlayerChange) and event.change is Change.OPENED:
                    break
            tables = (await Guest(HOST, port, "Bob").tables()).tables
            game = client.credentials.game_number
    assert table_lines(tables, "here") == [
        f"Table 1: game {game}, 1 open seat: Ann, Moe, Larry, Curly",
        'To take an open seat: --table "NAME"',
        "To watch a game: --watch NUMBER",
    ]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a game server without chat, at which computers are slow."""
    with served(tmp_path / "server", "--bot-pause", "1") as (_, port):
        yield f"{HOST}:{port}"


def test_the_program_watches(server: str) -> None:
    with start([*CLIENT, server, "--name", "Ann", "--computers", "3", "--taunt-port", "0"]) as ann:
        assert ann.stdout is not None
        while "Type the three cards" not in ann.stdout.readline():
            pass
        for wanted in ([], ["table 1"]):
            with start([*CLIENT, server, "--watch", *wanted]) as process:
                assert process.stdout is not None
                assert process.stdout.readline() == "You watch game 1 at Table 1. Ctrl-C leaves.\n"
                process.send_signal(signal.SIGINT)
                out, errors = process.communicate(timeout=LIMIT)
                assert (process.returncode, errors) == (130, "")
                assert out.splitlines()[-1] == "You leave the table."
        ann.communicate(timeout=LIMIT)


def test_nothing_to_watch(server: str) -> None:
    why = f"hearts-client: no public table plays at {server} now\n"
    assert run(*CLIENT, server, "--watch") == (2, "", why)


async def test_a_watcher_comes_back(tmp_path: Path) -> None:
    """The connection breaks twice; the second time the table is gone when they are back."""
    seen = WatcherLines("--- Hand 1")
    streams: list[trio.abc.Stream] = []
    async with listening(tmp_path) as running, trio.open_nursery() as nursery:

        async def dial() -> trio.abc.Stream:
            if len(streams) < 2:
                streams.append(await trio.open_tcp_stream(HOST, running.port))
            else:
                ours, theirs = trio.testing.memory_stream_pair()
                await theirs.send_all(encode_ints(0, 1, 1, Refusal.TABLE_TAKEN) + encode_str("no"))
                streams.append(ours)
            return streams[-1]

        options = Options(frozenset({1, 2, 3}))
        async with connect(HOST, running.port, name="Ann", options=options) as client:
            await until(client, YourChoice)
            number = client.credentials.game_number
            watcher = Watcher(await dial(), lambda: WatcherSession(number), dial, Retries(LIMIT))
            with trio.fail_after(LIMIT):
                begun = seen.come
                nursery.start_soon(seen.look, watcher)
                await begun.wait()
                begun = seen.come
                await trio.aclose_forcefully(streams[0])
                await begun.wait()
                await trio.aclose_forcefully(streams[1])
                await seen.over.wait()
    said = seen.said
    assert seen.is_done is False
    lost = "Connection lost (it broke); trying again."
    table = said[: said.index(lost)]
    assert said == [*table, lost, *table, lost, "The server has ended the connection."]
