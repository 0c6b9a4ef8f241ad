"""Reports: a player asks the host to look at another, and the chat server says what was said."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import trio
from msgspec import Struct
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.dealer import messages as m
from hearts.errors import Fault
from hearts.session import table_words as w
from hearts.session.wishes import AskHost
from hearts_server.children.chat import Chat
from hearts_server.console import protocol as p
from hearts_server.console.acts import Acts
from hearts_server.console.desk import AWAY, CANNOT, NOT_HERE, HelpDesk
from hearts_server.console.moderating import Moderating
from hearts_server.datadir import MODERATION_FILE, KeptBytes
from hearts_server.lobby.wishes import MOVES
from hearts_server.moderation.book import (
    MOST_REPORTS,
    REPORTS_A_DAY,
    REPORTS_KEPT,
    Book,
    ChatReport,
)
from taunt_server.server import TauntServer
from tests.integration.friends import Friend
from tests.integration.house import House, house, options
from tests.taunt.conftest import ChatDesk
from tests.taunt.guests import SECRET

from .console_desk import one


class ReportEvening(Struct):
    """Ann and Bob play with two computers, at a server with a chat."""

    made: House
    talk: ChatDesk
    ann: Friend
    bob: Friend
    game: int = 1

    async def says(self, player: int, text: str) -> None:
        speaker = await self.talk.player(self.game, player, 1000 + player)
        await speaker.taunt(text)
        await wait_all_tasks_blocked()
        await speaker.stream.aclose()

    async def ask(self, friend: Friend, asked: str) -> str:
        """What the host's desk answers."""
        await friend.say(AskHost(friend.player, asked))
        assert (await friend.receive(w.Taken)).wish is AskHost
        return (await friend.receive(w.ServerNotice)).text

    async def reports(self) -> list[str]:
        told = await one(self.made, p.LookAtReports())
        assert isinstance(told, p.Done)
        return told.text.splitlines()


@pytest.fixture
async def evening(tmp_path: Path, autojump_clock: MockClock) -> AsyncIterator[ReportEvening]:
    (tmp_path / "secret").write_bytes(SECRET)
    chat = Chat(SECRET, 900)
    async with trio.open_nursery() as nursery:
        talk = ChatDesk(nursery, TauntServer(SECRET, max_connections=20, max_per_address=8))
        async with house(tmp_path, chat=chat) as made:
            made.server.lobby.ask_host = HelpDesk(
                made.server, Moderating(Acts(made.server)), made.nursery
            ).ask
            made.nursery.start_soon(chat.speak, talk.connect("127.0.0.1"))
            ann = await Friend.come(made, "Ann", -2, *options(computers=0b1100), table="")
            bob = await Friend.come(made, "Bob", table="")
            await wait_all_tasks_blocked()
            yield ReportEvening(made, talk, ann, bob)
        nursery.cancel_scope.cancel()


async def test_the_host_reads_what_the_chat_server_has(evening: ReportEvening) -> None:
    await evening.says(0, "you cheat")
    await evening.says(1, "I do not")
    told = await evening.ask(evening.bob, "report Ann  ")
    assert told == "Ann is reported to the host, with the last 2 lines of the chat"
    head, *lines = await evening.reports()
    assert head[17:] == "game 1: Bob (192.0.2.1) reports Ann (192.0.2.1)"
    assert lines == ["  Ann: you cheat", "  Bob: I do not"]
    again = Book(evening.made.data_dir.kept_networks().others(MODERATION_FILE))
    assert again.reports == evening.made.server.book.reports


async def test_nobody_can_put_words_into_a_report(evening: ReportEvening) -> None:
    await evening.says(0, "hello")
    for asked in ("report Ann: you cheat", "report Ann\u2003said: you cheat"):
        assert (await evening.ask(evening.bob, asked)).startswith("say which player")
    await evening.ask(evening.bob, "report 0")
    assert (await evening.reports())[1:] == ["  Ann: hello"]


@pytest.mark.parametrize("who", ["Bob", "1", "Cleo", "2", "", "4", "-1"])
async def test_who_cannot_be_reported(evening: ReportEvening, who: str) -> None:
    told = await evening.ask(evening.bob, f"report {who}")
    assert told == "say which player, by name or number: 0 Ann"
    assert not evening.made.server.book.reports


async def test_so_many_a_day_from_one_network(evening: ReportEvening) -> None:
    for _ in range(REPORTS_A_DAY):
        assert "is reported" in await evening.ask(evening.bob, "report Ann")
    for friend, who in ((evening.bob, "Ann"), (evening.ann, "Bob")):
        assert "3 reports a day" in await evening.ask(friend, f"report {who}")
    assert len(evening.made.server.book.reports) == REPORTS_A_DAY


async def test_a_crowd_of_questions_is_declined(evening: ReportEvening) -> None:
    for _ in range(MOVES):
        assert await evening.ask(evening.bob, "dance") == CANNOT
    await evening.bob.say(AskHost(1, "dance"))
    assert (await evening.bob.receive(m.AnswerError)).reason == Fault.NOT_NOW


async def test_one_who_has_no_seat_reports_nobody(evening: ReportEvening) -> None:
    watcher = await Friend.come(evening.made, "Eve", -9, evening.game, table="")
    assert await watcher.caller.number() == 1
    told = await evening.ask(watcher, "report Ann")
    assert told == NOT_HERE
    waiting = await Friend.come(evening.made, "Moe", table="den")
    assert await evening.ask(waiting, "report Ann") == told


async def test_a_chat_that_is_away(evening: ReportEvening) -> None:
    evening.made.server.chat._queue = None
    assert await evening.ask(evening.bob, "report Ann") == AWAY
    assert not evening.made.server.book.reports


async def test_a_taunt_server_that_does_not_answer_and_one_that_answers_late(
    evening: ReportEvening,
) -> None:
    chat = evening.made.server.chat
    chat._put = lambda said: None  # type: ignore[method-assign]
    assert await evening.ask(evening.bob, "report Ann") == AWAY
    del chat._put
    await evening.says(0, "hello")
    assert "is reported" in await evening.ask(evening.bob, "report Ann")
    assert (await evening.reports())[1:] == ["  Ann: hello"]


async def test_they_are_kept_for_so_long_and_so_many(autojump_clock: MockClock) -> None:
    now = [time.time()]
    book = Book(KeptBytes(b"", lambda data: None), lambda: now[0])

    def report(number: int) -> ChatReport:
        return ChatReport(now[0], number, "Ann", f"192.0.2.{number}", "Bob", "", [])

    for number in range(MOST_REPORTS + 1):
        assert await book.add(report(number))
    assert [each.game for each in book.reports] == [*range(1, MOST_REPORTS + 1)]
    for _ in range(REPORTS_A_DAY - 1):
        assert await book.add(report(MOST_REPORTS))
    assert not await book.add(report(MOST_REPORTS))
    now[0] += 86_400
    assert await book.add(report(MOST_REPORTS))
    now[0] += REPORTS_KEPT - 1
    assert len(book.reports) == 1
    now[0] += 1
    assert not book.reports
