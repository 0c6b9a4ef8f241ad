"""Warnings, mutes and bans of the host: whom they meet, what is told, and that they last."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.hosting.table_chat import GameNotice, SeatMuted
from hearts.session.messages import Refusal
from hearts_server.console import protocol as p
from hearts_server.console.measures import LONGEST_WHY, WARNS
from hearts_server.datadir import MODERATION_FILE, KeptBytes
from hearts_server.moderation.book import (
    HOST,
    MOST_ACTS,
    MOST_MEASURES,
    ActDone,
    Book,
    ChatReport,
    Measure,
    MeasureKind,
    Moderator,
)
from tests.integration.house import Caller, House, house, options, take_up, text
from tests.integration.ports import ListeningChat
from tests.journal.desk import running as journal_running
from tests.journal.memory import MemoryJournal

from .console_desk import alone, one, tables
from .process import ROOT

ANN, BOB = "203.0.113.1", "203.0.113.2"


def act(number: int = 0) -> ActDone:
    return ActDone(float(number), HOST, "mute", "done")


def muted(chat: ListeningChat) -> list[SeatMuted]:
    return [said for said in chat.said if isinstance(said, SeatMuted)]


async def pair(made: House) -> tuple[Caller, Caller]:
    """Ann and Bob play with two computers."""
    ann = await made.guest(-2, *options(computers=0b1100), address=ANN)
    return ann, await made.guest(name="Bob", address=BOB)


class TestMute:
    @pytest.fixture
    async def playing(self, made: House, chat: ListeningChat) -> tuple[House, int, int]:
        """Ann and Bob play, and another Bob elsewhere."""
        ann, _ = await pair(made)
        first, _ = await ann.numbers(2)
        bob = await made.guest(-2, *options(computers=0b1110), name="Bob", address="203.0.113.5")
        second, _ = await bob.numbers(2)
        await wait_all_tasks_blocked()
        return made, first, second

    async def test_by_name(self, playing: tuple[House, int, int]) -> None:
        made, _, _ = playing
        later = ", as soon as the chat is back"
        told = await one(made, p.MutePlayer("Ann", why="spam"))
        assert told == p.Done(f"Ann at {ANN} is muted: spam{later}")
        table, *_ = await tables(made)
        assert [seat.muted for seat in table.seats] == [True, False, False, False]
        assert await one(made, p.LookAtBans()) == p.Done(f"Ann at {ANN} is muted: spam")
        told = await one(made, p.MutePlayer("Ann", False))
        assert told == p.Done(f"Ann at {ANN} may speak again")
        table, *_ = await tables(made)
        assert not table.seats[0].muted

    async def test_by_seat_where_a_name_is_not_enough(
        self, playing: tuple[House, int, int]
    ) -> None:
        made, first, second = playing
        assert await one(made, p.MutePlayer("Bob")) == p.NotDone(
            f"several people are called Bob; say which: {first}/1, {second}/0"
        )
        assert isinstance(await one(made, p.MutePlayer(f"{second}/0")), p.Done)
        assert isinstance(await one(made, p.MutePlayer(f"{second}/0", False)), p.Done)

    async def test_it_follows_to_the_next_table_and_others_there_may_speak(
        self, playing: tuple[House, int, int], chat: ListeningChat
    ) -> None:
        made, _, _ = playing
        await one(made, p.MutePlayer("Ann"))
        again = await made.guest(-2, *options(computers=0b1110), address=ANN)
        number, _ = await again.numbers(2)
        other = await made.guest(-2, *options(computers=0b1110), name="Eve", address=ANN)
        await other.numbers(2)
        await wait_all_tasks_blocked()
        assert SeatMuted(number, 0, 1000, True) in chat.said
        assert {said.game_number for said in muted(chat)} == {1, number}
        assert isinstance(await one(made, p.MutePlayer(ANN)), p.Done)
        assert len({said.game_number for said in muted(chat)}) == 3

    async def test_it_ends(
        self, playing: tuple[House, int, int], chat: ListeningChat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made, first, _ = playing
        await one(made, p.MutePlayer("Ann", hours=2))
        monkeypatch.setattr(made.server.book, "now", lambda: time.time() + 7201)
        await trio.sleep(11)
        assert muted(chat)[-1] == SeatMuted(first, 0, 1000, False)
        assert await one(made, p.LookAtBans()) == p.Done("nobody is banned or muted")

    @pytest.mark.parametrize("who", ["Eve", "Moe", "1/2", "99/0", "", "1/4", "127.0.0.1"])
    async def test_nobody(self, who: str, playing: tuple[House, int, int]) -> None:
        assert isinstance(await one(playing[0], p.MutePlayer(who)), p.NotDone)
        assert isinstance(await one(playing[0], p.MutePlayer(who, False)), p.NotDone)

    async def test_without_a_chat(self, made: House) -> None:
        await alone(made)
        assert await one(made, p.MutePlayer("Ann")) == p.NotDone("this server has no chat")


class TestWarn:
    async def test_one_alone_hears_it_and_it_is_written_down(
        self, made: House, chat: ListeningChat
    ) -> None:
        ann, _ = await pair(made)
        number, _ = await ann.numbers(2)
        await wait_all_tasks_blocked()
        told = f"Bob ({number}/1) is warned"
        assert await one(made, p.WarnPlayer("Bob", " be kind ")) == p.Done(told)
        assert chat.said[-1] == GameNotice(number, f"{WARNS}be kind", (1, 1000))
        (done,) = made.server.book.acts
        assert (done.by, done.asked, done.told) == (HOST, "warn Bob  be kind ", told)

    async def test_nobody_and_nothing(self, made: House) -> None:
        await pair(made)
        for who, why in (
            ("Eve", "x"),
            ("Bob", " "),
            ("Bob", "a\nb"),
            ("Bob", "x" * 97),
            (ANN, "x"),
        ):
            assert isinstance(await one(made, p.WarnPlayer(who, why)), p.NotDone)
        assert LONGEST_WHY == 96, "hearts-server warn --help names it"


class TestBan:
    async def test_they_lose_their_seat_and_stay_out(self, made: House) -> None:
        ann, _ = await pair(made)
        await ann.numbers(2)
        told = await one(made, p.BanPerson("Ann", 1, "cards thrown"))
        end = made.server.book.standing(MeasureKind.BAN)[0].end
        assert told == p.Done(f"{ANN} is banned{end}; hearts-server unban {ANN} lifts it")
        while not await ann.ended():
            pass
        refused = await made.greet("Ann", -10, text("")[:0], 0, -8, address=ANN)
        assert await refused.number() == 1
        assert await refused.number() == Refusal.BANNED
        assert (await refused.string()).startswith("the host does not let you in until 2")
        table, *_ = await tables(made)
        assert [seat.connected for seat in table.seats[:2]] == [False, True]
        # Another start with the same data dir, and after the hour.
        kept = made.data_dir.kept_networks().others(MODERATION_FILE)
        again = Book(kept)
        assert again.find(MeasureKind.BAN, ANN) == made.server.book.find(MeasureKind.BAN, ANN)
        assert again.find(MeasureKind.BAN, ANN) is not None
        assert [done.asked for done in again.acts] == ["ban Ann --hours 1 --why cards thrown"]
        later = Book(kept, lambda: time.time() + 3601)
        assert later.find(MeasureKind.BAN, ANN) is None
        assert await one(made, p.LiftBan(ANN)) == p.Done(f"{ANN} may come in again")
        assert await one(made, p.LookAtBans()) == p.Done("nobody is banned or muted")
        await made.player(0, ANN)
        acts = await one(made, p.LookAtActs())
        assert isinstance(acts, p.Done)
        assert [line.split(": ")[1] for line in acts.text.splitlines()] == [
            "ban Ann --hours 1 --why cards thrown",
            f"unban {ANN}",
        ]

    async def test_nobody_comes_back_from_there_to_any_seat(self, made: House) -> None:
        ann, _ = await pair(made)
        number, game_id = await ann.numbers(2)
        await one(made, p.BanPerson(ANN))
        # Their seat is gone; that of Bob is not for them either, even if they know his numbers.
        for player in (0, 1):
            back = await made.greet("Ann", -5, number, game_id, player, 1000, 0, address=ANN)
            assert await back.number() == Refusal.BANNED

    @pytest.mark.house("--fill-after", "never")
    async def test_one_who_has_not_begun_to_play(self, made: House) -> None:
        waiting = await made.greet("Eve", -4, text("den"), 1000, address="2001:db8::7")
        await wait_all_tasks_blocked()
        assert isinstance(await one(made, p.BanPerson("Eve")), p.Done)
        while not await waiting.ended():
            pass
        assert await one(made, p.LookAtBans()) == p.Done("2001:db8::/64")
        assert isinstance(await one(made, p.LiftBan("2001:db8::8")), p.Done)

    async def test_what_is_refused(self, made: House, tmp_path: Path) -> None:
        for address in (ANN, BOB):
            await made.guest(-2, *options(computers=0b1110), address=address)
        await wait_all_tasks_blocked()
        (tmp_path / "moderation").mkdir()
        requests: list[tuple[p.Request, str]] = [
            (p.BanPerson("Moe"), "nobody here is Moe"),
            (p.BanPerson("Ann"), "say which: 1/0, 2/0"),
            (p.BanPerson("127.0.0.1"), "this machine itself"),
            (p.BanPerson(ANN, why="a\nb"), "a reason is one line"),
            (p.BanPerson(ANN), "cannot be kept"),
            (p.LiftBan(ANN), "is not banned"),
        ]
        for request, why in requests:
            told = await one(made, request)
            assert isinstance(told, p.NotDone)
            assert why in told.text
        assert not made.server.book.standing(MeasureKind.BAN)
        assert not made.server.book.acts


class TestAfterARestart:
    @pytest.mark.parametrize("act", ["ban", "mute"])
    async def test_a_stored_session_that_is_taken_up_later(
        self, tmp_path: Path, autojump_clock: MockClock, act: str
    ) -> None:
        journal, chat = MemoryJournal(), ListeningChat()
        own = "--pause-limit", "never"
        async with house(tmp_path, *own, journal=journal) as made, journal_running(journal):
            ann, _ = await pair(made)
            number, game_id = await ann.numbers(2)
            await wait_all_tasks_blocked()
        left = journal.stored(torn=False)
        later = house(tmp_path, *own, journal=journal, chat=chat)
        async with later as made, journal_running(journal):
            made.server.sessions.awaited.expect(each.session for each in left)
            is_ban = act == "ban"
            request = p.BanPerson(ANN) if is_ban else p.MutePlayer(ANN, why="spam")
            assert isinstance(await one(made, request), p.Done)
            await take_up(made.server, left)
            await trio.sleep(1)
            table, *_ = await tables(made)
            back = await made.greet("Bob", -5, number, game_id, 1, 1000, 0, address=BOB)
            assert await back.number() != Refusal.BANNED
            if is_ban:
                assert "removed 0" in journal.kept[number].lines
            else:
                assert [seat.muted for seat in table.seats] == [True, False, False, False]
                assert SeatMuted(number, 0, 1000, True, ": spam") in chat.said


class TestBook:
    async def test_so_many_and_no_more(self) -> None:
        book = Book(KeptBytes(b"", lambda data: None))
        every = [Measure(MeasureKind.BAN, str(number)) for number in range(MOST_MEASURES)]
        await book.put(act(), *every)
        with pytest.raises(ValueError, match="at most"):
            await book.put(act(), Measure(MeasureKind.MUTE, "one more"))
        for number in range(MOST_ACTS + 1):
            await book.note(act(number))
        assert [done.when for done in (book.acts[0], book.acts[-1])] == [1, MOST_ACTS]
        assert len(book.acts) == MOST_ACTS

    def test_what_makes_no_sense_bans_nobody(self, caplog: pytest.LogCaptureFixture) -> None:
        kept = KeptBytes(b'[{"network":1}]', lambda data: None)
        assert not Book(kept).standing(MeasureKind.BAN)
        assert "cannot-read-moderation" in caplog.text
        caplog.clear()

    async def test_at_each_write_a_measure_has_its_act(self) -> None:
        stored: list[bytes] = []
        book = Book(KeptBytes(b"", stored.append), lambda: 5.0)
        one, two = Measure(MeasureKind.BAN, ANN), Measure(MeasureKind.MUTE, BOB, "Bob")
        await book.put(act(1), one)
        await book.put(act(2), two)
        await book.lift(act(3), one)
        assert await book.add(ChatReport(4, 7, "Ann", ANN, "Bob", BOB, ["Bob: x"]))
        await book.appoint(act(5), [Moderator("Mia", "aa")])
        found = [Book(KeptBytes(data, stored.append), lambda: 5.0) for data in stored]
        standing = [[*map(len, map(each.standing, MeasureKind))] for each in found]
        assert standing == [[1, 0], [1, 1], [0, 1], [0, 1], [0, 1]]
        assert [len(each.acts) for each in found] == [1, 2, 3, 3, 4]
        assert [len(each.reports) for each in found] == [0, 0, 0, 1, 1]
        assert [len(each.moderators) for each in found] == [0, 0, 0, 0, 1]

    def test_what_was_acknowledged_outlives_a_kill_in_the_middle_of_a_write(
        self, tmp_path: Path
    ) -> None:
        told = 0
        for life in range(3):
            script = [sys.executable, "-m", "tests.server.many_measures", str(tmp_path), str(life)]
            with subprocess.Popen(script, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
                assert process.stdout is not None
                acknowledged = [process.stdout.readline() for _ in range(5 + 3 * life)]
                process.kill()
                acknowledged += process.stdout.readlines()
            told += len([line for line in acknowledged if line.endswith("\n")])
            data = (tmp_path / "moderation").read_bytes()
            book = Book(KeptBytes(data, lambda data: None))
            measures = book.standing(MeasureKind.MUTE)
            assert len(measures) == len(book.acts)
            assert told <= len(measures) <= told + life + 1
