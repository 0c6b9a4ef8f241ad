"""The host's console: what they see and do there."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from hearts.dealer.frames import MessageType, encode_frame
from hearts.hosting.table_chat import GameNotice
from hearts.names.proof import NameState, NameWish
from hearts.session import table_words as w
from hearts.session.wishes import AnswerInvitation, BeInvitable
from hearts.taunt.messages import TAUNT_LIMIT
from hearts_server.console import protocol as p
from hearts_server.console.acts import END_LIMIT, ENDED, LONGEST_SAID, SAID
from tests.dealer.payloads import payload
from tests.integration.friends import Friend, numbered
from tests.integration.house import House, four, house, options, text
from tests.integration.people import Keyholder
from tests.integration.ports import ListeningChat
from tests.journal.desk import running as journal_running
from tests.journal.memory import MemoryJournal

from .console_desk import alone, ask, one, tables
from .test_logs import CARD


class TestTables:
    async def test_none(self, made: House) -> None:
        assert await ask(made, p.LookAround()) == [p.Done("0 tables")]

    @pytest.mark.house("--fill-after", "never")
    async def test_one_that_forms_and_one_that_plays(self, made: House) -> None:
        callers = await four(made)
        number, _ = await callers[0].seated()
        await callers[3].stream.aclose()
        await made.greet("Eve", -4, text("den"), 1000, address="192.0.2.9")
        # So long it takes at most until it is noticed that somebody is gone.
        await trio.sleep(2)
        forming, playing = await tables(made)
        assert (forming.name, forming.private, forming.game) == ("den", True, 0)
        assert forming.state is p.TableStage.FORMING
        assert [seat.kind for seat in forming.seats[:2]] == [p.SeatKind.PERSON, p.SeatKind.NOBODY]
        assert forming.seats[0].address == "192.0.2.9"
        assert (playing.name, playing.private, playing.game) == ("Table 1", False, number)
        assert playing.state is p.TableStage.PLAYING
        assert [seat.name for seat in playing.seats] == ["Ann", "Bob", "Cleo", "Dan"]
        assert [seat.connected for seat in playing.seats] == [True, True, True, False]
        assert [seat.address for seat in playing.seats] == ["192.0.2.1"] * 3 + [""]
        assert (playing.hand, playing.trick, playing.watchers) == (1, 0, 0)

    @pytest.mark.house("--turn-limit", "1", "--bot-pause", "1", "--rules", "pass=never")
    async def test_hand_and_trick_go_on_and_no_card_is_told(self, made: House) -> None:
        seen = set()
        await alone(made)
        for _ in range(160):
            table, *_ = await tables(made)
            assert not CARD.search(p.encode(table).decode())
            seen.add((table.hand, table.trick))
            await trio.sleep(0.5)
        assert {trick for hand, trick in seen if hand == 1} >= set(range(1, 14))
        assert (2, 1) in seen
        assert {trick for _, trick in seen} <= set(range(14))

    @pytest.mark.house("--pause-limit", "never")
    async def test_a_table_that_nobody_is_at(self, made: House) -> None:
        caller = await made.guest(-2, *options(computers=0b1110))
        await caller.seated()
        await caller.leave()
        table, *_ = await tables(made)
        assert table.state is p.TableStage.PAUSED
        assert [seat.kind for seat in table.seats[1:]] == [p.SeatKind.COMPUTER] * 3


class TestSay:
    async def test_to_all_or_one(self, made: House, chat: ListeningChat) -> None:
        first, _ = await alone(made)
        second, _ = await alone(made, "Bob")
        chat.said.clear()
        assert await one(made, p.SayToTables(" back in five ")) == p.Done("2 tables were told")
        assert await one(made, p.SayToTables("hello", second)) == p.Done("1 table was told")
        assert chat.said[:3] == [
            GameNotice(first, SAID + "back in five"),
            GameNotice(second, SAID + "back in five"),
            GameNotice(second, SAID + "hello"),
        ]

    @pytest.mark.house("--fill-after", "never")
    async def test_who_forms_hears_nothing(self, made: House) -> None:
        await made.guest()
        await wait_all_tasks_blocked()
        answer = await one(made, p.SayToTables("hello"))
        assert answer == p.Done("0 tables were told; who waits for players hears nothing")

    @pytest.mark.parametrize("said", ["", "  ", "a\nb", "a\x1b[2J", "\u202e", "x" * 113])
    async def test_what_cannot_be_said(self, said: str, made: House) -> None:
        assert isinstance(await one(made, p.SayToTables(said)), p.NotDone)

    def test_there_is_room_for_it_in_the_chat(self) -> None:
        assert len(SAID.encode()) + LONGEST_SAID == TAUNT_LIMIT
        assert LONGEST_SAID == 112, "hearts-server say --help names it"

    async def test_no_such_table(self, made: House) -> None:
        answer = await one(made, p.SayToTables("hello", 5))
        assert isinstance(answer, p.NotDone)
        assert "game 5" in answer.text


class TestEndingTables:
    async def test_it_is_over_for_everybody_and_nobody_comes_back(
        self, made: House, chat: ListeningChat
    ) -> None:
        caller = await made.guest(-2, *options(computers=0b1110))
        number, game_id = await caller.numbers(2)
        assert await one(made, p.EndTable(number)) == p.Done(f"game {number} has ended")
        while not await caller.ended():
            pass
        back = await made.greet("Ann", -5, number, game_id, 0, 1000, 0)
        assert await back.number() == -104
        assert await ask(made, p.LookAround()) == [p.Done("0 tables")]
        assert chat.said[-1] == GameNotice(number, ENDED)

    async def test_the_answer_waits_until_it_is_durable(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        journal, chat = MemoryJournal(), ListeningChat()
        async with house(tmp_path, journal=journal, chat=chat) as made, journal_running(journal):
            number, _ = await alone(made)
            with journal.broken():
                began = trio.current_time()
                told = await one(made, p.EndTable(number))
                assert told == p.NotDone(
                    f"nobody plays game {number} any more; it ends as soon as that can be stored"
                )
                assert trio.current_time() == began + END_LIMIT
                assert isinstance(await one(made, p.SayToTables("hello", number)), p.NotDone)
                assert len(await tables(made)) == 1
                assert ENDED not in str(chat.said)
            assert await one(made, p.EndTable(number)) == p.Done(f"game {number} has ended")
            assert chat.said[-1] == GameNotice(number, ENDED)
        assert journal.kept[number].why == ENDED

    async def test_once(self, made: House) -> None:
        number, _ = await alone(made)
        await one(made, p.EndTable(number))
        assert isinstance(await one(made, p.EndTable(number)), p.NotDone)


class TestRemove:
    @pytest.mark.house("--grace", "60")
    async def test_he_is_gone_and_the_others_play_on(self, made: House) -> None:
        callers = await four(made)
        number, game_id = await callers[1].numbers(2)
        told = p.Done(f"Bob is removed from seat 1 of game {number}")
        assert await one(made, p.RemoveFromSeat(number, 1)) == told
        while not await callers[1].ended():
            pass
        back = await made.greet("Bob", -5, number, game_id, 1, 1000, 0)
        assert await back.number() == -103
        table, *_ = await tables(made)
        assert (table.seats[1].connected, table.seats[1].played_for) == (False, True)
        assert table.state is p.TableStage.PLAYING

    async def test_the_answer_waits_until_it_is_durable(
        self, tmp_path: Path, autojump_clock: MockClock
    ) -> None:
        journal = MemoryJournal()
        async with house(tmp_path, journal=journal) as made, journal_running(journal):
            number, _ = await (await four(made))[1].numbers(2)
            with journal.broken():
                began = trio.current_time()
                assert await one(made, p.RemoveFromSeat(number, 1)) == p.NotDone(
                    f"Bob is removed from seat 1 of game {number} when that can be stored"
                )
                assert trio.current_time() == began + END_LIMIT
            await trio.sleep(1)
            assert "removed 1" in journal.kept[number].lines

    async def test_a_computer_stays(self, made: House) -> None:
        number, _ = await alone(made)
        for request in (p.RemoveFromSeat(number, 1), p.RemoveFromSeat(number + 1, 1)):
            assert isinstance(await one(made, request), p.NotDone)


class TestNames:
    @pytest.mark.house("--names")
    async def test_the_host_gives_a_name_free(self, made: House) -> None:
        assert await one(made, p.LookAtNames()) == p.Done("no name is claimed")
        ann = Keyholder("Ann")
        assert await ann.comes(await made.call(), NameWish.CLAIM) is NameState.CLAIMED
        listed = await one(made, p.LookAtNames())
        assert isinstance(listed, p.Done)
        assert listed.text.startswith("Ann has not played a game with people yet, free from 2")
        assert isinstance(await one(made, p.LookAtNames("free", "ann")), p.NotDone)
        freed = await one(made, p.LookAtNames("free", "Ann"))
        assert freed == p.Done("the name Ann is free; its owner is told for a week when they come")
        assert await one(made, p.LookAtNames()) == p.Done("no name is claimed")
        assert await ann.comes(await made.call()) is NameState.FREE
        assert ann.notes == ["The host has given the name Ann free, which was yours."]
        other = Keyholder("Ann", b"other")
        assert await other.comes(await made.call(), NameWish.CLAIM) is NameState.CLAIMED
        invited = await one(made, p.LookAtNames("invite", "Ann"))
        assert isinstance(invited, p.Done)
        assert "claims Ann within a week" in invited.text
        stored = await one(made, p.LookAtNames("export", "Ann"))
        assert isinstance(stored, p.Done)
        assert stored.text.startswith("name: Ann\nclaimed: 2")
        for act in ("give-up", "export"):
            assert isinstance(await one(made, p.LookAtNames(act, "Bob")), p.NotDone)
        assert isinstance(await one(made, p.LookAtNames("give-up", "Ann")), p.Done)
        assert await other.comes(await made.call()) is NameState.FREE
        assert not other.notes

    async def test_a_server_without_names(self, made: House) -> None:
        told = await one(made, p.LookAtNames())
        assert isinstance(told, p.NotDone)
        assert "--names" in told.text

    @pytest.mark.house("--names")
    async def test_what_cannot_be_stored(self, made: House) -> None:
        ann = Keyholder("Ann")
        assert await ann.comes(await made.call(), NameWish.CLAIM) is NameState.CLAIMED
        (made.data_dir.path / "names").unlink()
        (made.data_dir.path / "names").mkdir()
        for act in ("free", "give-up", "invite"):
            told = await one(made, p.LookAtNames(act, "Ann"))
            assert isinstance(told, p.NotDone)
            assert "cannot be stored" in told.text
        assert await ann.comes(await made.call()) is NameState.OWN


class TestInvite:
    """Somebody waits to be invited, and the host sends them to a table that forms."""

    @staticmethod
    async def wait(made: House, name: str) -> Friend:
        friend = await Friend.come(made, name, table=f"{name} waits")
        await friend.say(BeInvitable(0, True))
        await friend.receive(w.Taken)
        return friend

    async def test_he_comes(self, made: House) -> None:
        async with trio.open_nursery() as nursery:
            await made.greet("Ann", -4, text("den"), 1000)
            eve = await self.wait(made, "Eve")
            den, waiting = await tables(made)
            assert [den.seats[0].invitable, waiting.seats[0].invitable] == [0, 1]
            answers: list[p.Answer] = []

            async def invite() -> None:
                answers.append(await one(made, p.InviteToTable("Eve", "den")))

            nursery.start_soon(invite)
            number, query = await numbered(eve, w.InvitationMessage)
            assert (query.table, query.names[query.inviter]) == ("den", "Ann")
            assert await one(made, p.InviteToTable("1", "den")) == p.NotDone(
                "the player is asked by somebody else at the moment"
            )
            assert not answers
            await eve.caller.send(encode_frame(166, number, payload(AnswerInvitation(0, True))))
            assert (await eve.receive(w.SeatMoved)).player == 1
            await wait_all_tasks_blocked()
            assert answers == [p.Done("Eve comes to den")]

    async def test_he_does_not_come(self, made: House) -> None:
        ann = await Friend.come(made, "Ann", table="den")
        await self.wait(made, "Eve")
        why = "the player has not answered in time"
        assert await one(made, p.InviteToTable("Eve", "den")) == p.NotDone(f"Eve was asked: {why}")
        assert await one(made, p.InviteToTable("Eve", "den")) == p.NotDone(
            "the player was asked before, and did not come"
        )
        assert MessageType.INVITATION_OVER not in await ann.types_up_to_pong(), "she asked nobody"

    async def test_nobody_can_be_asked(self, made: House) -> None:
        for name in ("Eve", "Ann"):
            await self.wait(made, name)
        other = await Friend.come(made, "Eve", table="elsewhere")
        await other.say(BeInvitable(0, True))
        await other.receive(w.Taken)
        for who, table, why in (
            ("Bob", "elsewhere", "Bob does not wait to be invited"),
            ("9", "elsewhere", "9 does not wait to be invited"),
            ("Eve", "elsewhere", "several who wait are called Eve; say which: 1, 3"),
            ("Ann", "den", "no table that forms is called den"),
            ("3", "elsewhere", "the player is there already"),
        ):
            assert await one(made, p.InviteToTable(who, table)) == p.NotDone(why)
