"""The host's console: what he sees and does there, and that a bad peer costs only itself."""

from __future__ import annotations

import logging
import os
import signal
import socket
import stat
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.dealer import answers as a
from hearts.dealer import messages as m
from hearts.dealer.frames import encode_frame
from hearts.hosting.table_chat import GameNotice, Said
from hearts.net import peer_user
from hearts.net.logline import LineFormatter
from hearts.taunt import TAUNT_LIMIT
from hearts_server.chat import Chat
from hearts_server.commands.main import main
from hearts_server.console.acts import END_LIMIT, ENDED, LONGEST_SAID, SAID, Acts
from hearts_server.console.connections import MOST_HOSTS, REQUEST_LIMIT, Console
from hearts_server.console_protocol import (
    CONSOLE_FILE,
    LONGEST_LINE,
    Answer,
    BadLine,
    Done,
    EndTable,
    InviteToTable,
    LookAround,
    MutePlayer,
    NotDone,
    RemoveFromSeat,
    Request,
    SayToTables,
    SeatKind,
    TableLine,
    TableStage,
    decode_answer,
    decode_request,
    encode,
    in_words,
)
from tests.independent.client import Settings
from tests.integration.house import House, four, house, options, register, text
from tests.integration.test_dealer_forming import Friend, numbered
from tests.journal.desk import running as journal_running
from tests.journal.memory import Memory

from .test_commands import ALONE, TIMEOUT, ending, port_of, running, seated
from .test_logs import CARD


class ListeningChat(Chat):
    """Keeps what the tables say."""

    def __init__(self, *, in_use: bool = True) -> None:
        super().__init__(bytes(32), 1, in_use=in_use)
        self.said: list[Said] = []

    def announce(self, game_number: int, text: str) -> None:
        self.said.append(GameNotice(game_number, text))

    def mute(self, said: Said) -> None:
        self.said.append(said)


async def ask(made: House, request: Request) -> list[Answer]:
    """All that the server answers."""
    answers: list[Answer] = []

    async def send(answer: Answer) -> None:
        answers.append(answer)

    answers.append(await Acts(made.server).answer(request, send))
    return answers


async def one(made: House, request: Request) -> Answer:
    (answer,) = await ask(made, request)
    return answer


async def alone(made: House, name: str = "Ann") -> tuple[int, int]:
    """Somebody plays with three computers; the game number and the Game ID."""
    caller = await made.call()
    await register(caller, -2, *options(computers=0b1110), name=name)
    number, game_id = await caller.numbers(2)
    await wait_all_tasks_blocked()
    return number, game_id


class TestTables:
    async def test_none(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made:
            assert await ask(made, LookAround()) == [Done("0 tables")]

    async def test_one_that_forms_and_one_that_plays(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path, "--fill-after", "never") as made:
            callers = await four(made)
            number, _ = await callers[0].seated()
            await callers[3].stream.aclose()
            private = await made.call("192.0.2.9")
            await private.number()
            await private.send(text("Eve"), -4, text("den"))
            await private.number()
            await private.send(1000)
            # So long it takes at most until it is noticed that somebody is gone.
            await trio.sleep(2)
            forming, playing, done = await ask(made, LookAround())
            assert isinstance(forming, TableLine)
            assert isinstance(playing, TableLine)
            assert (forming.name, forming.private, forming.game) == ("den", True, 0)
            assert forming.state is TableStage.FORMING
            assert [seat.kind for seat in forming.seats[:2]] == [SeatKind.PERSON, SeatKind.NOBODY]
            assert forming.seats[0].address == "192.0.2.9"
            assert (playing.name, playing.private, playing.game) == ("Table 1", False, number)
            assert playing.state is TableStage.PLAYING
            assert [seat.name for seat in playing.seats] == ["Ann", "Bob", "Cleo", "Dan"]
            assert [seat.connected for seat in playing.seats] == [True, True, True, False]
            assert [seat.address for seat in playing.seats] == ["192.0.2.1"] * 3 + [""]
            assert (playing.hand, playing.trick, playing.watchers) == (1, 0, 0)
            assert done == Done("2 tables")

    async def test_hand_and_trick_go_on_and_no_card_is_told(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        seen = set()
        slowly = ("--turn-limit", "1", "--bot-pause", "1", "--rules", "pass=never")
        async with house(tmp_path, *slowly) as made:
            await alone(made)
            for _ in range(160):
                table, _ = await ask(made, LookAround())
                assert isinstance(table, TableLine)
                assert not CARD.search(encode(table).decode())
                seen.add((table.hand, table.trick))
                await trio.sleep(0.5)
        assert {trick for hand, trick in seen if hand == 1} >= set(range(1, 14))
        assert (2, 1) in seen
        assert {trick for _, trick in seen} <= set(range(14))

    async def test_a_table_that_nobody_is_at(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path, "--pause-limit", "never") as made:
            caller = await made.call()
            await register(caller, -2, *options(computers=0b1110))
            await caller.seated()
            await caller.stream.aclose()
            await wait_all_tasks_blocked()
            table, _ = await ask(made, LookAround())
            assert isinstance(table, TableLine)
            assert table.state is TableStage.PAUSED
            assert [seat.kind for seat in table.seats[1:]] == [SeatKind.COMPUTER] * 3


class TestSay:
    async def test_to_all_or_one(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        chat = ListeningChat()
        async with house(tmp_path, chat=chat) as made:
            first, _ = await alone(made)
            second, _ = await alone(made, "Bob")
            chat.said.clear()
            assert await one(made, SayToTables(" back in five ")) == Done("2 tables were told")
            assert await one(made, SayToTables("hello", second)) == Done("1 table was told")
        assert chat.said[:3] == [
            GameNotice(first, SAID + "back in five"),
            GameNotice(second, SAID + "back in five"),
            GameNotice(second, SAID + "hello"),
        ]

    async def test_who_forms_hears_nothing(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path, "--fill-after", "never") as made:
            await register(await made.call())
            await wait_all_tasks_blocked()
            answer = await one(made, SayToTables("hello"))
        assert answer == Done("0 tables were told; who waits for players hears nothing")

    @pytest.mark.parametrize("said", ["", "  ", "a\nb", "a\x1b[2J", "\u202e", "x" * 113])
    async def test_what_cannot_be_said(
        self, said: str, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path) as made:
            assert isinstance(await one(made, SayToTables(said)), NotDone)

    def test_there_is_room_for_it_in_the_chat(self) -> None:
        assert len(SAID.encode()) + LONGEST_SAID == TAUNT_LIMIT
        assert LONGEST_SAID == 112, "hearts-server say --help names it"

    async def test_no_such_table(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made:
            answer = await one(made, SayToTables("hello", 5))
        assert isinstance(answer, NotDone)
        assert "game 5" in answer.text


class TestEnd:
    async def test_it_is_over_for_everybody_and_nobody_comes_back(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        chat = ListeningChat()
        async with house(tmp_path, chat=chat) as made:
            caller = await made.call()
            await register(caller, -2, *options(computers=0b1110))
            number, game_id = await caller.numbers(2)
            assert await one(made, EndTable(number)) == Done(f"game {number} has ended")
            while not await caller.ended():
                pass
            back = await made.call()
            await back.number()
            await back.send(text("Ann"), -5, number, game_id, 0, 1000, 0)
            assert await back.number() == -104
            assert await ask(made, LookAround()) == [Done("0 tables")]
        assert chat.said[-1] == GameNotice(number, ENDED)

    async def test_the_answer_waits_until_it_is_durable(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        memory, chat = Memory(), ListeningChat()
        journal = memory.open()
        async with house(tmp_path, journal=journal, chat=chat) as made, journal_running(journal):
            number, _ = await alone(made)
            with memory.broken():
                began = trio.current_time()
                told = await one(made, EndTable(number))
                assert told == NotDone(
                    f"nobody plays game {number} any more; it ends as soon as that can be stored"
                )
                assert trio.current_time() == began + END_LIMIT
                assert isinstance(await one(made, SayToTables("hello", number)), NotDone)
                table, _ = await ask(made, LookAround())
                assert isinstance(table, TableLine)
                assert ENDED not in str(chat.said)
            assert await one(made, EndTable(number)) == Done(f"game {number} has ended")
            assert chat.said[-1] == GameNotice(number, ENDED)
        assert memory.sessions[number].why == ENDED

    async def test_once(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made:
            number, _ = await alone(made)
            await one(made, EndTable(number))
            assert isinstance(await one(made, EndTable(number)), NotDone)


class TestRemove:
    async def test_he_is_gone_and_the_others_play_on(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with house(tmp_path, "--grace", "60") as made:
            callers = await four(made)
            number, game_id = await callers[1].numbers(2)
            told = Done(f"Bob is removed from seat 1 of game {number}")
            assert await one(made, RemoveFromSeat(number, 1)) == told
            while not await callers[1].ended():
                pass
            back = await made.call()
            await back.number()
            await back.send(text("Bob"), -5, number, game_id, 1, 1000, 0)
            assert await back.number() == -103
            table, _ = await ask(made, LookAround())
            assert isinstance(table, TableLine)
            assert (table.seats[1].connected, table.seats[1].played_for) == (False, True)
            assert table.state is TableStage.PLAYING

    async def test_a_computer_stays(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made:
            number, _ = await alone(made)
            for request in (RemoveFromSeat(number, 1), RemoveFromSeat(number + 1, 1)):
                assert isinstance(await one(made, request), NotDone)


class TestMute:
    @pytest.fixture
    async def playing(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> AsyncIterator[tuple[House, int, int]]:
        """Ann and Bob play, and another Bob elsewhere."""
        async with house(tmp_path, chat=ListeningChat()) as made:
            callers = [await made.call() for _ in range(2)]
            await register(callers[0], -2, *options(computers=0b1100))
            await register(callers[1], name="Bob")
            first, _ = await callers[0].numbers(2)
            second, _ = await alone(made, "Bob")
            yield made, first, second

    async def test_by_name(self, playing: tuple[House, int, int]) -> None:
        made, first, _ = playing
        later = ", as soon as the chat is back"
        assert await one(made, MutePlayer("Ann")) == Done(f"Ann ({first}/0) is muted{later}")
        table, *_ = await ask(made, LookAround())
        assert isinstance(table, TableLine)
        assert [seat.muted for seat in table.seats] == [True, False, False, False]
        assert await one(made, MutePlayer("Ann", False)) == Done(
            f"Ann ({first}/0) may speak again{later}"
        )

    async def test_by_seat_where_a_name_is_not_enough(
        self, playing: tuple[House, int, int]
    ) -> None:
        made, first, second = playing
        assert await one(made, MutePlayer("Bob")) == NotDone(
            f"several people are called Bob; say which: {first}/1, {second}/0"
        )
        assert isinstance(await one(made, MutePlayer(f"{second}/0")), Done)

    @pytest.mark.parametrize("who", ["Eve", "Moe", "1/2", "99/0", "", "1/4"])
    async def test_nobody(self, who: str, playing: tuple[House, int, int]) -> None:
        assert isinstance(await one(playing[0], MutePlayer(who)), NotDone)

    async def test_without_a_chat(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made:
            await alone(made)
            assert await one(made, MutePlayer("Ann")) == NotDone("this server has no chat")


class TestInvite:
    """Somebody waits to be invited, and the host sends him to a table that forms."""

    @staticmethod
    async def wait(made: House, name: str) -> Friend:
        friend = await Friend.come(made, name, table=f"{name} waits")
        await friend.say(a.InvitableRequest(True))
        await friend.hear(m.Taken)
        return friend

    async def test_he_comes(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made, trio.open_nursery() as nursery:
            plain = await made.call()
            await plain.number()
            await plain.send(text("Ann"), -4, text("den"))
            await plain.number()
            await plain.send(1000)
            eve = await self.wait(made, "Eve")
            den, waiting, _ = await ask(made, LookAround())
            assert isinstance(den, TableLine)
            assert isinstance(waiting, TableLine)
            assert [den.seats[0].invitable, waiting.seats[0].invitable] == [0, 1]
            answers: list[Answer] = []

            async def invite() -> None:
                answers.append(await one(made, InviteToTable("Eve", "den")))

            nursery.start_soon(invite)
            number, query = await numbered(eve, m.InvitationMessage)
            assert (query.table, query.names[query.inviter]) == ("den", "Ann")
            assert await one(made, InviteToTable("1", "den")) == NotDone(
                "the player is asked by somebody else at the moment"
            )
            assert not answers
            await eve.caller.send(encode_frame(166, number, a.InvitationAnswer(True).encode()))
            assert (await eve.hear(m.SeatMoved)).player == 1
            await wait_all_tasks_blocked()
            assert answers == [Done("Eve comes to den")]

    async def test_he_does_not_come(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made:
            ann = await Friend.come(made, "Ann", table="den")
            await self.wait(made, "Eve")
            why = "the player has not answered in time"
            assert await one(made, InviteToTable("Eve", "den")) == NotDone(f"Eve was asked: {why}")
            assert await one(made, InviteToTable("Eve", "den")) == NotDone(
                "the player was asked before, and did not come"
            )
            assert m.InvitationOver.TYPE not in await ann.types_up_to_pong(), "she asked nobody"

    async def test_nobody_can_be_asked(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with house(tmp_path) as made:
            for name in ("Eve", "Ann"):
                await self.wait(made, name)
            other = await Friend.come(made, "Eve", table="elsewhere")
            await other.say(a.InvitableRequest(True))
            await other.hear(m.Taken)
            for who, table, why in (
                ("Bob", "elsewhere", "Bob does not wait to be invited"),
                ("9", "elsewhere", "9 does not wait to be invited"),
                ("Eve", "elsewhere", "several who wait are called Eve; say which: 1, 3"),
                ("Ann", "den", "no table that forms is called den"),
                ("3", "elsewhere", "the player is there already"),
            ):
                assert await one(made, InviteToTable(who, table)) == NotDone(why)


class TestLines:
    @pytest.mark.parametrize(
        ("request_", "words"),
        [
            (LookAround(), "tables"),
            (SayToTables("hi"), "say hi"),
            (SayToTables("hi", 3), "say --table 3 hi"),
            (EndTable(3), "end 3"),
            (RemoveFromSeat(3, 1), "remove 3 1"),
            (MutePlayer("Ann"), "mute Ann"),
            (MutePlayer("Ann", False), "mute --off Ann"),
            (InviteToTable("Ann", "den"), "invite Ann --table den"),
        ],
    )
    def test_a_request_reads_back(self, request_: Request, words: str) -> None:
        assert decode_request(encode(request_)) == request_
        assert in_words(request_) == words

    @given(st.binary(max_size=200))
    def test_any_bytes_are_a_request_or_none(self, line: bytes) -> None:
        with suppress(BadLine):
            decode_request(line)

    @pytest.mark.parametrize(
        "line",
        [
            b'{"do":"end"}',
            b'{"do":"end","game":0}',
            b'{"do":"remove","game":1,"seat":4}',
            b'{"do":"end","game":1,"now":true}',
            b'{"do":"stop"}',
            b"[" * 4000,
            b"\xff",
            b"",
        ],
    )
    def test_what_is_none(self, line: bytes) -> None:
        with pytest.raises(BadLine):
            decode_request(line)


class Line:
    """Our end of a connection to a console."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream

    async def answers(self) -> list[Answer]:
        """All that comes until the server closes."""
        data = b""
        async with self.stream:
            while more := await self.stream.receive_some():
                data += more
        return [decode_answer(line) for line in data.splitlines()]


@asynccontextmanager
async def console(data_dir: Path) -> AsyncIterator[Callable[[], Line]]:
    """A console that is not at any path, and the way to connect to it."""
    async with house(data_dir) as made, trio.open_nursery() as nursery:
        served = Console(Acts(made.server))
        lines: list[Line] = []

        def connect() -> Line:
            ours, theirs = socket.socketpair()
            stream = trio.SocketStream(trio.socket.from_stdlib_socket(theirs))
            nursery.start_soon(served.serve, stream)
            lines.append(Line(trio.SocketStream(trio.socket.from_stdlib_socket(ours))))
            return lines[-1]

        yield connect
        for line in lines:
            await line.stream.aclose()
        nursery.cancel_scope.cancel()


class TestConnections:
    async def test_a_request_in_pieces(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with console(tmp_path) as connect:
            line = connect()
            for byte in encode(LookAround()):
                await line.stream.send_all(bytes([byte]))
            assert await line.answers() == [Done("0 tables")]

    @pytest.mark.parametrize("sent", [b"x" * LONGEST_LINE, b"\n", b"{}\n", b"\xff\n"])
    async def test_nonsense_is_refused_and_the_next_one_served(
        self, sent: bytes, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with console(tmp_path) as connect:
            bad, good = connect(), connect()
            await bad.stream.send_all(sent)
            (answer,) = await bad.answers()
            assert isinstance(answer, NotDone)
            await good.stream.send_all(encode(LookAround()))
            assert await good.answers() == [Done("0 tables")]

    async def test_who_says_nothing_is_let_go(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        async with console(tmp_path) as connect:
            line = connect()
            began = trio.current_time()
            assert await line.answers() == [NotDone("no request within 10 s")]
            assert trio.current_time() - began == pytest.approx(REQUEST_LIMIT)

    async def test_who_leaves_at_once(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with console(tmp_path) as connect:
            for sent in (b"", encode(LookAround())):
                line = connect()
                await line.stream.send_all(sent)
                await line.stream.aclose()
            await wait_all_tasks_blocked()

    async def test_one_too_many(self, tmp_path: Path, autojump_clock: MockClock) -> None:
        async with console(tmp_path) as connect:
            silent = [connect() for _ in range(MOST_HOSTS)]
            await wait_all_tasks_blocked()
            (answer,) = await connect().answers()
            assert answer == NotDone("too many ask at the same time; try again")
            await silent[0].stream.aclose()
            await wait_all_tasks_blocked()
            line = connect()
            await line.stream.send_all(encode(LookAround()))
            assert await line.answers() == [Done("0 tables")]

    @pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="it does not tell here")
    async def test_every_act_is_logged_with_its_user(
        self, tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        caplog.handler.setFormatter(LineFormatter())
        async with console(tmp_path) as connect:
            line = connect()
            assert peer_user(line.stream) == os.geteuid()
            await line.stream.send_all(encode(EndTable(5)))
            await line.answers()
        (logged,) = [line for line in caplog.text.splitlines() if "event=console" in line]
        assert f'event=console uid={os.geteuid()} asked="end 5" done=no told=' in logged


class TestSocket:
    async def test_it_is_its_owners_and_gone_at_the_end(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        path = tmp_path / CONSOLE_FILE
        async with house(tmp_path / "data") as made, trio.open_nursery() as nursery:
            await nursery.start(Console(Acts(made.server)).run, path)
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            line = Line(await trio.open_unix_socket(str(path)))
            await line.stream.send_all(encode(LookAround()))
            assert await line.answers() == [Done("0 tables")]
            nursery.cancel_scope.cancel()
        assert not path.exists()

    async def test_without_it_the_server_runs(
        self, tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = tmp_path / CONSOLE_FILE
        path.touch()
        async with house(tmp_path / "data") as made, trio.open_nursery() as nursery:
            await nursery.start(Console(Acts(made.server)).run, path)
        assert "console-not-open" in caplog.text
        assert path.exists(), "it is somebody's file"


@contextmanager
def waiting(port: int, name: str) -> Iterator[None]:
    """Somebody waits to be invited, at a table of his own."""
    words = text(name) + struct.pack(">ii", -6, 1) + struct.pack(">i", -4) + text(f"{name} waits")
    wish = a.InvitableRequest(True)
    frame = encode_frame(wish.TYPE, 0, wish.encode())
    taken = struct.pack(">i", m.Taken.TYPE)
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as line:
        line.sendall(words + struct.pack(">i", 1000) + frame)
        said = b""
        while taken not in said:
            said += line.recv(1024)
        yield


class TestCommands:
    """The commands, against a server that is a process of its own."""

    def test_they_reach_the_server(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        where = ("--data-dir", str(tmp_path))
        with running(tmp_path) as (process, said):
            settings = Settings(options=ALONE, seed=1, process_id=4000)
            with seated(port_of(said), settings) as (_, driver):
                assert main(["tables", *where]) == 0
                shown = capsys.readouterr().out
                assert "game 1: Table 1, playing, hand 1, trick 0, since 20" in shown
                assert "  1 Moe" in shown
                assert "127.0.0.1\n" in shown
                assert main(["tables", "--json", *where]) == 0
                (line,) = capsys.readouterr().out.splitlines()
                assert isinstance(decode_answer(line.encode()), TableLine)
                assert main(["say", "hello", "--table", "1", *where]) == 0
                assert main(["mute", "1/0", *where]) == 0
                assert main(["mute", "--off", "1/0", *where]) == 0
                assert main(["invite", "Eve", "--table", "den", *where]) == 1
                refused = capsys.readouterr().err
                assert refused == "hearts-server invite: Eve does not wait to be invited\n"
                with waiting(port_of(said), "Eve"):
                    assert main(["tables", *where]) == 0
                    shown = capsys.readouterr().out
                    assert "  0 Eve  127.0.0.1, waits to be invited, number 1\n" in shown
                    assert main(["invite", "Eve", "--table", "den", *where]) == 1
                    refused = capsys.readouterr().err
                    assert refused == "hearts-server invite: no table that forms is called den\n"
                assert main(["remove", "1", "2", *where]) == 1
                assert capsys.readouterr().err.startswith("hearts-server remove: seat 2 of game 1")
                assert main(["end", "1", *where]) == 0
                assert capsys.readouterr().out.endswith("game 1 has ended\n")
                driver.run()
            process.send_signal(signal.SIGTERM)
            log = ending(process)
        assert log.count("event=console ") == 10

    def test_a_killed_server_is_no_hindrance(self, tmp_path: Path) -> None:
        where = ("--data-dir", str(tmp_path))
        alone = ("--no-taunt-server", "--no-web", "--taunt-port", "0", "--journal", "off")
        with running(tmp_path, *alone) as (process, _):
            process.kill()
            process.wait()
            assert (tmp_path / CONSOLE_FILE).is_socket()
            assert main(["tables", *where]) == 2
        with running(tmp_path, *alone):
            assert main(["tables", *where]) == 0

    def test_no_server(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["tables", "--data-dir", str(tmp_path)]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == (
            f"hearts-server tables: no server runs with the data dir {tmp_path}; "
            "--data-dir names another\n"
        )

    @pytest.mark.parametrize(
        "words",
        [
            ["end"],
            ["end", "0"],
            ["remove", "1", "4"],
            ["say"],
            ["tables", "now"],
            ["invite", "Ann"],
        ],
    )
    def test_bad_words(self, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"hearts-server {words[0]}: ")
        assert "--help)" in said
