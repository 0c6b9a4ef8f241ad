"""What may be asked of tables in the dealer dialect: to start one, to talk, to leave, and more."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TypeVar

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.dealer import answers as a
from hearts.dealer import messages as m
from hearts.dealer.answers import Answer
from hearts.dealer.frames import HEADER, encode_frame
from hearts.dealer.messages import MESSAGES, Message
from hearts.dealer.numbers import DealerState, PlayerKind
from hearts.dealer.structures import RulesInfo
from hearts.errors import Fault
from hearts.game.rules import parse_rules

from .house import Caller, House, house, options, text

MessageT = TypeVar("MessageT", bound=Message)
CLUB = "club"
DEALER = (-6, 1)


class Friend:
    """Somebody who speaks the dealer dialect and knows nothing but its frames."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.player = -1

    @classmethod
    async def come(cls, made: House, name: str, *blocks: int | bytes, table: str = CLUB) -> Friend:
        """Register for a table by its name, or for the next free seat if it has none."""
        friend = cls(await made.call())
        caller = friend.caller
        friend.player = await caller.number()
        await caller.send(text(name), *DEALER)
        assert await caller.number() == 1
        if table:
            await caller.send(-4, text(table))
            friend.player = await caller.number()
        await caller.send(*blocks, 1000 + friend.player)
        await trio.testing.wait_all_tasks_blocked()
        return friend

    async def say(self, request: Answer) -> None:
        await self.caller.send(encode_frame(request.TYPE, 0, request.encode()))

    async def hear(self, kind: type[MessageT]) -> MessageT:
        """The next message of a kind; what comes before it is passed over."""
        while True:
            type, _, length = HEADER.unpack(await self.caller.take(HEADER.size))
            payload = await self.caller.take(length)
            if type == kind.TYPE:
                return kind.decode(payload)

    async def types_up_to_pong(self) -> list[int]:
        """The types of all that was said so far."""
        await self.say(a.Ping(b"now"))
        types: list[int] = []
        while True:
            type, _, length = HEADER.unpack(await self.caller.take(HEADER.size))
            await self.caller.take(length)
            if type == m.Pong.TYPE:
                return types
            types.append(int(type))

    async def ask(self, name: str = "") -> m.TableMessage:
        await self.say(a.AskTableRequest(name))
        return await self.hear(m.TableMessage)


async def test_two_friends_start_a_private_table(tmp_path: Path, autojump_clock: MockClock) -> None:
    """It waits for ever, until the one who has opened it lets computers play."""
    rules = options("jack", 50)
    async with house(tmp_path, "--fill-after", "20") as made:
        ann = await Friend.come(made, "Ann", -2, *rules)
        bob = await Friend.come(made, "Bob")
        await trio.sleep(600)
        told = await ann.ask()
        assert told == m.TableMessage(
            CLUB, 0, True, 0, 2, None, RulesInfo(parse_rules("jack"), 50), 60_000,
            ("Ann", "Bob", "", ""),
        )  # fmt: skip
        await ann.say(a.StartTableRequest())
        for friend in (ann, bob):
            assert (await friend.hear(m.SeatedMessage)).player == friend.player
            infos = (await friend.hear(m.RegisterOpponents)).players
            assert [info.name for info in infos] == ["Ann", "Bob", "Moe", "Larry"]
            assert infos[2].kind is infos[3].kind is PlayerKind.CPU


async def test_alone_at_a_public_table_nobody_has_to_wait(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, "--fill-after", "20") as made:
        ann = await Friend.come(made, "Ann", table="")
        before = trio.current_time()
        await ann.say(a.StartTableRequest())
        await ann.hear(m.SeatedMessage)
        assert trio.current_time() == before


async def test_who_may_start_it(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Who opened it; then the one who has been there the longest and has a word for it."""
    async with house(tmp_path) as made:
        plain = await made.call()
        await plain.number()
        await plain.send(text("Ann"), -4, text(CLUB))
        await plain.number()
        await plain.send(100)
        await trio.testing.wait_all_tasks_blocked()
        bob = await Friend.come(made, "Bob")
        cleo = await Friend.come(made, "Cleo")
        assert (await cleo.ask()).opener == bob.player == 1
        await cleo.say(a.StartTableRequest())
        refused = await cleo.hear(m.AnswerError)
        assert (refused.type, refused.reason) == (223, Fault.NOT_PLAYER_0)
        await bob.caller.stream.aclose()
        # Whoever has asked for it is told again.
        assert (await cleo.hear(m.TableMessage)).opener == 2
        dan = await Friend.come(made, "Dan")
        assert dan.player == 1
        assert (await cleo.hear(m.TableMessage)).opener == 2
        await cleo.say(a.StartTableRequest())
        assert (await dan.hear(m.SeatedMessage)).player == 1
        # There is no forming table any more.
        await cleo.say(a.StartTableRequest())
        assert (await cleo.hear(m.AnswerError)).reason == Fault.NOT_NOW


async def test_who_still_registers_when_it_starts_has_come_too_late(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann")
        late = await made.call()
        await late.number()
        await late.send(text("Bob"), -4, text(CLUB))
        assert await late.number() == 1
        await ann.say(a.StartTableRequest())
        await ann.hear(m.SeatedMessage)
        await late.send(100)
        assert await late.number() == -104


async def test_talk_while_the_table_forms(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Those who follow the table hear it, the one who talks too, and nobody at another."""
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann")
        bob = await Friend.come(made, "Bob")
        eve = await Friend.come(made, "Eve", table="other")
        for friend in (ann, bob, eve):
            await friend.ask()
        await bob.say(a.CommentRequest("two more?"))
        for friend in (ann, bob):
            assert await friend.hear(m.PlayerCommentMessage) == m.PlayerCommentMessage(
                1, "two more?"
            )
        assert await eve.caller.silent(10)
        for _ in range(16):
            await bob.say(a.CommentRequest("hurry"))
        assert (await bob.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await ann.say(a.StartTableRequest())
        await ann.hear(m.SeatedMessage)
        await ann.say(a.CommentRequest("hello"))
        refused = await ann.hear(m.AnswerError)
        assert (refused.type, refused.reason) == (121, Fault.NOT_NOW)


async def test_another_seat_of_the_table(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Everybody who waits hears of it, and the game has the players where they sat last."""
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann")
        bob = await Friend.come(made, "Bob")
        cleo = await Friend.come(made, "Cleo")
        await bob.say(a.Introduction(PlayerKind.EXTERNAL_HUMAN, comment="left of Ann"))
        await cleo.ask()
        await ann.types_up_to_pong()
        await bob.say(a.MoveSeatRequest(3))
        assert (await bob.hear(m.SeatMoved)).player == 3
        for friend in (ann, bob, cleo):
            infos = (await friend.hear(m.RegisterOpponents)).players
            assert [info.name for info in infos] == ["Ann", "", "Cleo", "Bob"]
            assert (await friend.hear(m.Waiting)).players == (1,)
        assert (await cleo.hear(m.TableMessage)).names == ("Ann", "", "Cleo", "Bob")
        # A taken seat, his own, another one of player 0, and one that there is not.
        for friend, seat, fault in [
            (cleo, 3, Fault.NOT_NOW),
            (cleo, 2, Fault.NOT_NOW),
            (ann, 1, Fault.NOT_NOW),
            (cleo, 4, Fault.MEANINGLESS),
        ]:
            await friend.caller.send(encode_frame(160, 0, struct.pack(">i", seat)))
            refused = await friend.hear(m.AnswerError)
            assert (refused.type, refused.reason) == (160, fault)
        plain = await made.call()
        await plain.number()
        await plain.send(text("Dan"), -4, text(CLUB))
        assert await plain.number() == 1
        # While he registers his seat is not free.
        await cleo.say(a.MoveSeatRequest(1))
        assert (await cleo.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await plain.send(100)
        seated = await bob.hear(m.SeatedMessage)
        assert seated.player == 3
        infos = (await bob.hear(m.RegisterOpponents)).players
        assert [info.name for info in infos] == ["Ann", "Dan", "Cleo", "Bob"]
        assert infos[3].comment == "left of Ann"
        await bob.say(a.Introduction(PlayerKind.EXTERNAL_CPU))
        info = (await ann.hear(m.PlayerChange)).info
        assert (info.player, info.kind) == (3, PlayerKind.EXTERNAL_CPU)
        await bob.say(a.MoveSeatRequest(1))
        assert (await bob.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await bob.caller.stream.aclose()
        back = Friend(await made.call())
        await back.caller.number()
        numbers = (seated.game_number, seated.game_id, 3, 1001)
        await back.caller.send(text("Bob"), *DEALER, -5, *numbers, -1)
        assert await back.caller.number() == 1
        assert await back.caller.number() > 0


async def test_nobody_moves_to_and_fro_for_long(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann")
        bob = await Friend.come(made, "Bob")
        for seat in (2, 3, 1, 2, 3):
            await bob.say(a.MoveSeatRequest(seat))
            assert (await bob.hear(m.SeatMoved)).player == seat
        await bob.say(a.MoveSeatRequest(1))
        assert (await bob.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await trio.sleep(6)
        await bob.say(a.MoveSeatRequest(1))
        assert (await bob.hear(m.SeatMoved)).player == 1
        # The seat that he left is free for whoever comes.
        assert (await Friend.come(made, "Cleo")).player == 2
        assert ann.player == 0


async def test_somebody_is_invited_and_comes(tmp_path: Path, autojump_clock: MockClock) -> None:
    """He leaves a table of his own, which is gone, and has a free seat of the other one."""
    rules = options("jack", 50, 0b1000)
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann", -2, *rules)
        bob = await Friend.come(made, "Bob")
        eve = await Friend.come(made, "Eve", table="eve waits")
        await eve.say(a.Introduction(PlayerKind.EXTERNAL_HUMAN, 300, comment="any game"))
        await eve.ask()
        await eve.say(a.InvitableRequest(True))
        assert (await eve.hear(m.Taken)).type == 163
        await ann.say(a.AskInvitableRequest())
        told = await ann.hear(m.InvitableMessage)
        assert (told.info.name, told.info.level, told.info.comment) == ("Eve", 300, "any game")
        assert (await ann.hear(m.InvitableCount)).count == 1
        await bob.say(a.InviteRequest(told.number))
        assert (await bob.hear(m.AnswerError)).reason == Fault.NOT_PLAYER_0
        await ann.say(a.InviteRequest(told.number + 1))
        assert (await ann.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await ann.say(a.InviteRequest(told.number))
        assert (await ann.hear(m.Taken)).type == 165
        number, query = await numbered(eve, m.InvitationMessage)
        assert query == m.InvitationMessage(
            30_000, DealerState.INIT, 0, CLUB, True, RulesInfo(parse_rules("jack"), 50), 60_000,
            ("Ann", "Bob", "", "Moe"),
        )  # fmt: skip
        await eve.caller.send(encode_frame(166, number, a.InvitationAnswer(True).encode()))
        over = m.InvitationOver(told.number, True, "the player comes")
        assert await eve.hear(m.InvitationOver) == over
        assert await ann.hear(m.InvitationOver) == over
        assert (await eve.hear(m.SeatMoved)).player == 2
        for friend in (ann, bob, eve):
            assert (await friend.hear(m.SeatedMessage)).table == CLUB
            infos = (await friend.hear(m.RegisterOpponents)).players
            assert [info.name for info in infos] == ["Ann", "Bob", "Eve", "Moe"]
            assert infos[2].comment == "any game"
        await eve.hear(m.NewGame)
        await eve.say(a.AskTableRequest("eve waits"))
        assert (await eve.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await eve.say(a.InvitableRequest(True))
        assert (await eve.hear(m.AnswerError)).reason == Fault.NOT_NOW


async def test_invitations_that_come_to_nothing(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann")
        cleo = await Friend.come(made, "Cleo", table="cleo's")
        eve = await Friend.come(made, "Eve", table="eve waits")
        await eve.ask()
        await eve.say(a.InvitableRequest(True))

        async def invite(friend: Friend) -> int:
            await friend.say(a.AskInvitableRequest())
            number = (await friend.hear(m.InvitableMessage)).number
            await friend.say(a.InviteRequest(number))
            await friend.hear(m.Taken)
            return number

        async def over(why: str, *friends: Friend) -> None:
            for friend in friends:
                assert await friend.hear(m.InvitationOver) == m.InvitationOver(number, False, why)

        number = await invite(ann)
        asked, _ = await numbered(eve, m.InvitationMessage)
        # One at a time; and who does not come is not asked to that table again.
        await cleo.say(a.InviteRequest(number))
        assert (await cleo.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await eve.caller.send(encode_frame(166, asked, a.InvitationAnswer(False).encode()))
        await over("the player does not come", eve, ann)
        await ann.say(a.InviteRequest(number))
        assert (await ann.hear(m.AnswerError)).reason == Fault.NOT_NOW
        await eve.caller.send(encode_frame(166, asked, a.InvitationAnswer(True).encode()))
        assert (await eve.hear(m.AnswerError)).reason == Fault.ANSWERED
        # No answer, which comes too late then.
        assert await invite(cleo) == number
        asked, _ = await numbered(eve, m.InvitationMessage)
        before = trio.current_time()
        await over("the player has not answered in time", eve, cleo)
        assert trio.current_time() - before == 30
        await eve.caller.send(encode_frame(166, asked, a.InvitationAnswer(True).encode()))
        assert (await eve.hear(m.AnswerError)).reason == Fault.TOO_LATE
        # The table begins meanwhile.
        dan = await Friend.come(made, "Dan", table="dan's")
        await invite(dan)
        await dan.say(a.StartTableRequest())
        await over("the table is not forming any more", eve)
        # He takes it back, or leaves.
        fay = await Friend.come(made, "Fay", table="fay's")
        await invite(fay)
        await eve.say(a.InvitableRequest(False))
        await over("the player cannot be invited any more", eve, fay)
        await fay.say(a.AskInvitableRequest())
        assert (await fay.hear(m.InvitableCount)).count == 0
        await eve.say(a.InvitableRequest(True))
        number = await invite(fay)
        await eve.caller.stream.aclose()
        await over("the player has left", fay)


async def test_how_many_can_be_invited(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Few of one network, so that a crowd leaves room in the list for others."""
    async with house(tmp_path) as made:
        crowd = [await Friend.come(made, f"Bob {n}", table=f"bob {n}") for n in range(5)]
        for friend in crowd:
            await friend.say(a.InvitableRequest(True))
        assert 208 in await crowd[-1].types_up_to_pong()
        await crowd[0].say(a.InvitableRequest(False))
        await crowd[-1].say(a.InvitableRequest(True))
        await crowd[-1].say(a.AskInvitableRequest())
        assert (await crowd[-1].hear(m.InvitableCount)).count == 4


async def test_who_asks_for_nothing_hears_nothing_new(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann")
        bob = await Friend.come(made, "Bob")
        await bob.ask()
        await bob.say(a.CommentRequest("hello"))
        cleo = await Friend.come(made, "Cleo")
        await cleo.caller.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        assert set(await ann.types_up_to_pong()) == {125, 126, 132}


async def test_the_public_tables_without_another_connection(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, "--fill-after", "20") as made:
        ann = await Friend.come(made, "Ann", -2, *options("jack", 50, 0b1110), table="")
        await ann.hear(m.SeatedMessage)
        bob = await Friend.come(made, "Bob", table="")
        await Friend.come(made, "Cleo", table="secret")
        await trio.sleep(5)
        await bob.say(a.AskTablesRequest())
        forming, playing = [await bob.hear(m.TableMessage) for _ in range(2)]
        assert (await bob.hear(m.TablesMessage)).count == 2
        assert (forming.table, forming.game_number, forming.open_seats) == ("Table 2", 0, 3)
        assert forming.names == ("Bob", "", "", "")
        assert forming.left == 15_000
        assert (playing.table, playing.open_seats, playing.opener) == ("Table 1", 0, None)
        assert playing.game_number > 0
        assert playing.rules == RulesInfo(parse_rules("jack"), 50)
        assert playing.names == ("Ann", "Moe", "Larry", "Curly")
        # Whoever knows the name of a private table may ask about it, as he may join it.
        assert (await bob.ask("secret")).names == ("Cleo", "", "", "")
        await bob.say(a.AskTableRequest("sekret"))
        refused = await bob.hear(m.AnswerError)
        assert (refused.type, refused.reason) == (226, Fault.NOT_NOW)
        assert (await ann.ask()).table == "Table 1"


async def test_whoever_guesses_names_of_tables_has_to_wait(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """A name costs what block -12 does: without that, so many frames would cost no wait at all."""
    async with house(tmp_path, "--work-per-connection", "1") as made:
        bob = await Friend.come(made, "Bob", table="")
        guess = a.AskTableRequest("guess")
        before = trio.current_time()
        await bob.caller.send(90 * encode_frame(guess.TYPE, 0, guess.encode()))
        for _ in range(90):
            await bob.hear(m.AnswerError)
        await bob.types_up_to_pong()
        assert trio.current_time() - before > 0.5


async def test_who_one_is_may_be_said_again(tmp_path: Path, autojump_clock: MockClock) -> None:
    """While the table forms, and at any time later; the next deal is cut then."""
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann", -2, *options("pass=never", 0, 0b1100), table="")
        await ann.say(a.Introduction(PlayerKind.EXTERNAL_HUMAN, comment="first"))
        await ann.say(a.Introduction(PlayerKind.EXTERNAL_HUMAN, comment="second"))
        bob = await Friend.come(made, "Bob", table="")
        await bob.hear(m.SeatedMessage)
        assert (await bob.hear(m.RegisterOpponents)).players[0].comment == "second"
        await bob.hear(m.NewHand)
        await ann.say(a.Introduction(PlayerKind.EXTERNAL_CPU, 7, cuts=True, comment="third"))
        info = (await bob.hear(m.PlayerChange)).info
        assert (info.kind, info.level, info.comment) == (PlayerKind.EXTERNAL_CPU, 7, "third")
        await ann.caller.send(encode_frame(126, 0, struct.pack(">i", 9)))
        refused = await ann.hear(m.AnswerError)
        assert (refused.in_reply_to, refused.type, refused.reason) == (0, 126, Fault.MEANINGLESS)


@pytest.mark.parametrize("table", ["", CLUB])
async def test_leaving_a_table_that_forms(
    table: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann", table=table)
        bob = await Friend.come(made, "Bob", table=table)
        await bob.say(a.LeaveTableRequest())
        assert (await bob.hear(m.Taken)).type == 224
        assert await bob.caller.ended()
        cleo = await Friend.come(made, "Cleo", table=table)
        assert cleo.player == 1
        await ann.caller.stream.aclose()


async def test_leaving_a_game_for_good(tmp_path: Path, autojump_clock: MockClock) -> None:
    """A computer plays at once, whatever the grace, and has the seat from the next hand on."""
    arguments = ("--turn-limit", "0", "--grace", "3600", "--fill-after", "20")
    async with house(tmp_path, *arguments) as made:
        ann = await Friend.come(made, "Ann", -2, *options("pass=never", 0, 0b1100))
        bob = await Friend.come(made, "Bob")
        seated = await bob.hear(m.SeatedMessage)
        await bob.hear(m.NewHand)
        await bob.say(a.LeaveTableRequest())
        assert (await bob.hear(m.Taken)).type == 224
        assert await bob.caller.ended()
        before = trio.current_time()
        taken = await play_until(ann, m.PlayerChange, change=4)
        assert trio.current_time() - before < 60
        assert (taken.info.player, taken.info.kind) == (1, PlayerKind.CPU)
        back = await made.call()
        await back.number()
        numbers = (seated.game_number, seated.game_id, 1, 1001)
        await back.send(text("Bob"), *DEALER, -5, *numbers, -1)
        assert await back.numbers(2) == (1, -103)


async def test_who_comes_back_before_the_next_hand_has_changed_his_mind(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann", -2, *options("pass=never", 0, 0b1100))
        bob = await Friend.come(made, "Bob")
        seated = await bob.hear(m.SeatedMessage)
        await bob.hear(m.NewHand)
        await bob.say(a.LeaveTableRequest())
        await bob.hear(m.Taken)
        again = Friend(await made.call())
        await again.caller.number()
        numbers = (seated.game_number, seated.game_id, 1, 1001)
        await again.caller.send(text("Bob"), *DEALER, -5, *numbers, -1)
        assert await again.caller.number() == 1
        assert await again.caller.number() > 0
        await again.caller.send(1001)
        back = await ann.hear(m.PlayerChange)
        while back.change != 2:
            back = await ann.hear(m.PlayerChange)
        assert back.info.player == 1


async def test_the_last_one_to_leave_for_good_ends_the_session(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, "--pause-limit", "3600") as made:
        ann = await Friend.come(made, "Ann", -2, *options("standard", 0, 0b1110))
        await ann.hear(m.NewHand)
        assert len(made.server.sessions.running) == 1
        await ann.say(a.LeaveTableRequest())
        assert (await ann.hear(m.Taken)).type == 224
        assert await ann.caller.ended()
        await trio.testing.wait_all_tasks_blocked()
        assert not made.server.sessions.running


async def test_a_proposal_and_a_replacement_are_answered(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann", -2, *options("pass=never", 0, 0b1000))
        bob = await Friend.come(made, "Bob")
        cleo = await Friend.come(made, "Cleo")
        await ann.hear(m.NewHand)
        await ann.ask()
        await ann.say(a.ProposeRulesRequest(RulesInfo(parse_rules("jack"), 50)))
        assert (await ann.hear(m.Taken)).type == 220
        await cleo.caller.stream.aclose()
        await ann.say(a.ReplacePlayerRequest(2))
        assert (await ann.hear(m.Taken)).type == 221
        assert bob.player == 1


async def test_a_player_who_is_there_gives_up_his_seat(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """He is asked, keeps it at first, and in another hand somebody else has it."""
    async with house(tmp_path) as made:
        ann = await Friend.come(made, "Ann", -2, *options("pass=never", 1, 0b1100))
        bob = await Friend.come(made, "Bob")
        seated = await bob.hear(m.SeatedMessage)
        await ann.ask()
        await ann.say(a.OpenSeatRequest(1))
        assert (await ann.hear(m.Taken)).type == 222
        number, query = await numbered(bob, m.GiveSeatQuery)
        assert query == m.GiveSeatQuery(60_000, DealerState.NEW_HAND, 0, True)
        await bob.caller.send(encode_frame(161, number, b""))
        assert (await bob.hear(m.AnswerError)).reason == Fault.MEANINGLESS
        await bob.caller.send(encode_frame(161, number, a.GiveSeatAnswer(False).encode()))
        stays = m.SeatStays(1, "the player does not agree")
        assert await bob.hear(m.SeatStays) == stays
        assert await ann.hear(m.SeatStays) == stays
        await bob.caller.send(encode_frame(161, number, a.GiveSeatAnswer(True).encode()))
        assert (await bob.hear(m.AnswerError)).reason == Fault.ANSWERED
        await ann.say(a.ReplacePlayerRequest(1))
        assert (await ann.hear(m.AnswerError)).reason == Fault.NOT_NOW
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_until, bob, m.NewGame)
            await play_until(ann, m.NewGame)
        await ann.say(a.OpenSeatRequest(1))
        number, _ = await numbered(bob, m.GiveSeatQuery)
        await bob.caller.send(encode_frame(161, number, a.GiveSeatAnswer(True).encode()))
        assert (await bob.hear(m.Taken)).type == 224
        assert await bob.caller.ended()
        for change in (4, 5):
            told = await play_until(ann, m.PlayerChange, change=change)
            assert told.info.player == 1
        back = await made.call()
        await back.number()
        numbers = (seated.game_number, seated.game_id, 1, 1001)
        await back.send(text("Bob"), *DEALER, -5, *numbers, -1)
        assert await back.numbers(2) == (1, -103)
        cleo = await Friend.come(made, "Cleo")
        assert cleo.player == 1


async def numbered(friend: Friend, kind: type[MessageT]) -> tuple[int, MessageT]:
    """The next message of a kind, with its sequence."""
    while True:
        type, number, length = HEADER.unpack(await friend.caller.take(HEADER.size))
        payload = await friend.caller.take(length)
        if type == kind.TYPE:
            return int(number), kind.decode(payload)


async def test_newcomers_and_watchers_hear_for_whom_the_table_waits(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """If they have asked for it; a watcher of an older day is told nothing new."""
    async with house(tmp_path, "--turn-limit", "60") as made:
        ann = await Friend.come(made, "Ann", -2, *options("standard", 0, 0b1100), table="")
        bob = await Friend.come(made, "Bob", table="")
        game = (await bob.hear(m.SeatedMessage)).game_number
        await ann.say(a.OpenSeatRequest(3))
        newcomer = await Friend.come(made, "Cleo", table="Table 1")
        told = await newcomer.ask()
        assert (told.table, told.game_number, told.open_seats) == ("Table 1", game, 0)
        watchers = []
        for _ in range(2):
            watcher = Friend(await made.call())
            await watcher.caller.number()
            await watcher.caller.send(text("Eve"), *DEALER, -9, game)
            assert await watcher.caller.numbers(2) == (1, 1)
            await watcher.caller.send(0)
            watchers.append(watcher)
        follows, old = watchers
        assert (await follows.ask()).names == ("Ann", "Bob", "Moe", "Larry")
        for friend in (newcomer, follows):
            assert (await friend.hear(m.Waiting)).players == (0, 1)
        await old.hear(m.Replay)
        assert 132 not in await old.types_up_to_pong()


async def play_until(friend: Friend, kind: type[MessageT], **wanted: object) -> MessageT:
    """Play the first legal card each time, and another game, until something is heard."""
    while True:
        type, number, length = HEADER.unpack(await friend.caller.take(HEADER.size))
        message = MESSAGES[type].decode(await friend.caller.take(length))
        if isinstance(message, m.LeadCard | m.PlayCard):
            card = next(each.card for each in message.cards if each.legal)
            answer = a.PlayAnswer(card).encode()
            await friend.caller.send(encode_frame(message.TYPE, number, answer))
        if isinstance(message, m.PlayAgainMessage):
            again = a.AgainAnswer(True).encode()
            await friend.caller.send(encode_frame(message.TYPE, number, again))
        if isinstance(message, kind) and all(
            getattr(message, name) == value for name, value in wanted.items()
        ):
            return message


async def look(made: House, name: str, *before: int | bytes) -> Caller:
    """Ask about a table by its name, behind some blocks that have no reply."""
    caller = await made.call()
    await caller.number()
    await caller.send(text("Eve"), *before, -12, len(name.encode()), name.encode())
    return caller


async def test_what_a_table_is_can_be_asked_before_it_is_joined(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made:
        asker = await look(made, CLUB)
        assert await asker.number() == 1  # there is none
        ann = await Friend.come(made, "Ann", -2, *options("jack", 50))
        await Friend.come(made, "Bob")
        rules = parse_rules("jack").bits
        asker = await look(made, CLUB)
        assert await asker.number() == 2
        assert await asker.numbers(6) == (0, 1, 2, rules, 50, 60)
        assert [await asker.string() for _ in range(5)] == ["Ann", "Ann", "Bob", "", ""]
        # Nobody has come by that, and the same connection may join it.
        assert (await ann.ask()).names == ("Ann", "Bob", "", "")
        await asker.send(-4, text(CLUB))
        assert await asker.number() == 2
        await ann.say(a.StartTableRequest())
        game = (await ann.hear(m.SeatedMessage)).game_number
        asker = await look(made, CLUB)
        assert await asker.number() == 2
        assert await asker.numbers(6) == (game, 1, 0, rules, 50, 60)
        assert [await asker.string() for _ in range(5)] == ["", "Ann", "Bob", "Moe", "Larry"]


async def test_nobody_is_told_of_tables_without_the_password(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path, "--password", "fish") as made:
        assert await (await look(made, CLUB)).number() == 0
        asker = await made.call()
        await asker.number()
        await asker.send(text("Eve"), -7, text("fish"))
        assert await asker.number() == 1
        await asker.send(-12, len(CLUB), CLUB.encode())
        assert await asker.number() == 1


@pytest.mark.parametrize("name", [b"", b" ", b"x" * 31, b"\x00", b"\xff"])
async def test_what_is_no_name_is_skipped(
    name: bytes, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with house(tmp_path) as made:
        asker = await made.call()
        await asker.number()
        await asker.send(text("Eve"), -12, len(name), name)
        assert await asker.number() == 0
