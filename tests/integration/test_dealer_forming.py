"""Tables that form in the dealer dialect: to start one, to talk there, and another seat."""

from __future__ import annotations

import re
import struct

import pytest
import trio
import trio.testing

from hearts.dealer import messages as m
from hearts.dealer.frames import encode_frame
from hearts.errors import Fault
from hearts.game.rules import parse_rules
from hearts.session import table_words as w
from hearts.session import wishes
from hearts.session.messages import LookReply, Refusal
from hearts.session.table_words import PlayerKind, Refused
from hearts.wire.codec import NAME_LIMIT
from hearts_server.lobby.lobby import secret_name
from tests.dealer.payloads import frame

from .friends import CLUB, Friend, look
from .house import House, options, text


@pytest.mark.house("--fill-after", "20")
async def test_two_friends_start_a_private_table(made: House) -> None:
    """It waits for ever, until the one who has opened it lets computers play."""
    rules = options("jack", 50)
    ann = await Friend.come(made, "Ann", -2, *rules)
    bob = await Friend.come(made, "Bob")
    await trio.sleep(600)
    told = await ann.ask()
    assert told == w.TableMessage(
        CLUB, 0, True, 0, 2, None, parse_rules("jack"), 50, 60,
        ("Ann", "Bob", "", ""),
    )  # fmt: skip
    await ann.say(wishes.StartTable(0))
    for friend in (ann, bob):
        assert (await friend.receive(m.SeatedMessage)).player == friend.player
        infos = (await friend.receive(w.RegisterOpponents)).players
        assert [info.name for info in infos] == ["Ann", "Bob", "Moe", "Larry"]
        assert infos[2].kind is infos[3].kind is PlayerKind.COMPUTER


@pytest.mark.house("--fill-after", "20")
async def test_alone_at_a_public_table_nobody_has_to_wait(made: House) -> None:
    ann = await Friend.come(made, "Ann", table="")
    before = trio.current_time()
    await ann.say(wishes.StartTable(0))
    await ann.receive(m.SeatedMessage)
    assert trio.current_time() == before


async def test_who_may_start_it(made: House) -> None:
    """Who opened it; then the one who has been there the longest and has a word for it."""
    plain = await made.greet("Ann", -4, text(CLUB))
    await plain.number()
    await plain.send(100)
    await trio.testing.wait_all_tasks_blocked()
    bob = await Friend.come(made, "Bob")
    cleo = await Friend.come(made, "Cleo")
    assert (await cleo.ask()).opener == bob.player == 1
    await cleo.say(wishes.StartTable(0))
    refused = await cleo.receive(m.AnswerError)
    assert (refused.type, refused.reason) == (223, Fault.NOT_PLAYER_0)
    await bob.caller.stream.aclose()
    # Whoever has asked for it is told again.
    assert (await cleo.receive(w.TableMessage)).opener == 2
    dan = await Friend.come(made, "Dan")
    assert dan.player == 1
    assert (await cleo.receive(w.TableMessage)).opener == 2
    await cleo.say(wishes.StartTable(0))
    assert (await dan.receive(m.SeatedMessage)).player == 1
    # There is no forming table any more.
    await cleo.say(wishes.StartTable(0))
    assert (await cleo.receive(m.AnswerError)).reason == Fault.NOT_NOW


async def test_who_still_registers_when_it_starts_has_come_too_late(made: House) -> None:
    ann = await Friend.come(made, "Ann")
    late = await made.greet("Bob", -4, text(CLUB))
    assert await late.number() == 1
    await ann.say(wishes.StartTable(0))
    await ann.receive(m.SeatedMessage)
    await late.send(100)
    assert await late.number() == -104


async def test_talk_while_the_table_forms(made: House) -> None:
    """Those who follow the table hear it, the one who talks too, and nobody at another."""
    ann = await Friend.come(made, "Ann")
    bob = await Friend.come(made, "Bob")
    eve = await Friend.come(made, "Eve", table="other")
    for friend in (ann, bob, eve):
        await friend.ask()
    await bob.say(wishes.ChatWhileForming(0, "two more?"))
    for friend in (ann, bob):
        assert await friend.receive(w.PlayerCommentMessage) == w.PlayerCommentMessage(
            1, "two more?"
        )
    assert await eve.caller.silent(10)
    for _ in range(16):
        await bob.say(wishes.ChatWhileForming(0, "hurry"))
    assert (await bob.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await ann.say(wishes.StartTable(0))
    await ann.receive(m.SeatedMessage)
    await ann.say(wishes.ChatWhileForming(0, "hello"))
    refused = await ann.receive(m.AnswerError)
    assert (refused.type, refused.reason) == (121, Fault.NOT_NOW)


async def test_another_seat_of_the_table(made: House) -> None:
    """Everybody who waits hears of it, and the game has the players where they sat last."""
    ann = await Friend.come(made, "Ann")
    bob = await Friend.come(made, "Bob")
    cleo = await Friend.come(made, "Cleo")
    await bob.say(w.Introduction(PlayerKind.PERSON, comment="left of Ann"))
    await cleo.ask()
    await ann.types_up_to_pong()
    await bob.say(wishes.MoveSeat(0, 3))
    assert (await bob.receive(w.SeatMoved)).player == 3
    for friend in (ann, bob, cleo):
        infos = (await friend.receive(w.RegisterOpponents)).players
        assert [info.name for info in infos] == ["Ann", "", "Cleo", "Bob"]
        assert (await friend.receive(w.Waiting)).players == (1,)
    assert (await cleo.receive(w.TableMessage)).names == ("Ann", "", "Cleo", "Bob")
    # A taken seat, their own, another one of player 0, and one that there is not.
    for friend, seat, fault in [
        (cleo, 3, Fault.NOT_NOW),
        (cleo, 2, Fault.NOT_NOW),
        (ann, 1, Fault.NOT_NOW),
        (cleo, 4, Fault.MEANINGLESS),
    ]:
        await friend.caller.send(encode_frame(160, 0, struct.pack(">i", seat)))
        refused = await friend.receive(m.AnswerError)
        assert (refused.type, refused.reason) == (160, fault)
    plain = await made.greet("Dan", -4, text(CLUB))
    assert await plain.number() == 1
    # While they register their seat is not free.
    await cleo.say(wishes.MoveSeat(0, 1))
    assert (await cleo.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await plain.send(100)
    seated = await bob.receive(m.SeatedMessage)
    assert seated.player == 3
    infos = (await bob.receive(w.RegisterOpponents)).players
    assert [info.name for info in infos] == ["Ann", "Dan", "Cleo", "Bob"]
    assert infos[3].comment == "left of Ann"
    await bob.say(w.Introduction(PlayerKind.PROGRAM))
    info = (await ann.receive(w.PlayerChange)).info
    assert (info.player, info.kind) == (3, PlayerKind.PROGRAM)
    await bob.say(wishes.MoveSeat(0, 1))
    assert (await bob.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await bob.caller.stream.aclose()
    numbers = (seated.game_number, seated.game_id, 3, 1001)
    back = await made.greet("Bob", -5, *numbers, -1)
    assert await back.number() > 0


async def test_nobody_moves_to_and_fro_for_long(made: House) -> None:
    ann = await Friend.come(made, "Ann")
    bob = await Friend.come(made, "Bob")
    for seat in (2, 3, 1, 2, 3):
        await bob.say(wishes.MoveSeat(0, seat))
        assert (await bob.receive(w.SeatMoved)).player == seat
    await bob.say(wishes.MoveSeat(0, 1))
    assert (await bob.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await trio.sleep(6)
    await bob.say(wishes.MoveSeat(0, 1))
    assert (await bob.receive(w.SeatMoved)).player == 1
    # The seat that they left is free for whoever comes.
    assert (await Friend.come(made, "Cleo")).player == 2
    assert ann.player == 0


async def test_who_asks_for_nothing_hears_nothing_new(made: House) -> None:
    ann = await Friend.come(made, "Ann")
    bob = await Friend.come(made, "Bob")
    await bob.ask()
    await bob.say(wishes.ChatWhileForming(0, "hello"))
    cleo = await Friend.come(made, "Cleo")
    await cleo.caller.leave()
    assert set(await ann.types_up_to_pong()) == {125, 126, 132}


@pytest.mark.house("--fill-after", "20")
async def test_the_public_tables_without_another_connection(made: House) -> None:
    ann = await Friend.come(made, "Ann", -2, *options("jack", 50, 0b1110), table="")
    await ann.receive(m.SeatedMessage)
    bob = await Friend.come(made, "Bob", table="")
    await Friend.come(made, "Cleo", table="secret")
    await trio.sleep(5)
    await bob.say(wishes.AskForTables(0))
    forming, playing = [await bob.receive(w.TableMessage) for _ in range(2)]
    assert (await bob.receive(w.TablesMessage)).count == 2
    assert (forming.table, forming.game_number, forming.open_seats) == ("Table 2", 0, 3)
    assert forming.names == ("Bob", "", "", "")
    assert forming.left == 15_000
    assert (playing.table, playing.open_seats, playing.opener) == ("Table 1", 0, None)
    assert playing.game_number > 0
    assert (playing.rules, playing.end_score) == (parse_rules("jack"), 50)
    assert playing.names == ("Ann", "Moe", "Larry", "Curly")
    # Whoever knows the name of a private table may ask about it, as they may join it.
    assert (await bob.ask("secret")).names == ("Cleo", "", "", "")
    await bob.say(wishes.AskForTable(0, "sekret"))
    refused = await bob.receive(m.AnswerError)
    assert (refused.type, refused.reason) == (226, Fault.NOT_NOW)
    assert (await ann.ask()).table == "Table 1"


@pytest.mark.house("--work-per-connection", "1")
async def test_whoever_guesses_names_of_tables_has_to_wait(made: House) -> None:
    """A name costs what block -12 does: without that, so many frames would cost no wait at all."""
    bob = await Friend.come(made, "Bob", table="")
    guess = wishes.AskForTable(0, "guess")
    before = trio.current_time()
    await bob.caller.send(90 * frame(guess))
    for _ in range(90):
        await bob.receive(m.AnswerError)
    await bob.types_up_to_pong()
    assert trio.current_time() - before > 0.5


async def test_who_one_is_may_be_said_again(made: House) -> None:
    """While the table forms, and at any time later; the next deal is cut then."""
    ann = await Friend.come(made, "Ann", -2, *options("pass=never", 0, 0b1100), table="")
    await ann.say(w.Introduction(PlayerKind.PERSON, comment="first"))
    await ann.say(w.Introduction(PlayerKind.PERSON, comment="second"))
    bob = await Friend.come(made, "Bob", table="")
    await bob.receive(m.SeatedMessage)
    assert (await bob.receive(w.RegisterOpponents)).players[0].comment == "second"
    await bob.receive(m.NewHand)
    await ann.say(w.Introduction(PlayerKind.PROGRAM, 7, cuts=True, comment="third"))
    info = (await bob.receive(w.PlayerChange)).info
    assert (info.kind, info.level, info.comment) == (PlayerKind.PROGRAM, 7, "third")
    await ann.caller.send(encode_frame(126, 0, struct.pack(">i", 9)))
    refused = await ann.receive(m.AnswerError)
    assert (refused.in_reply_to, refused.type, refused.reason) == (0, 126, Fault.MEANINGLESS)


async def test_what_a_table_is_can_be_asked_before_it_is_joined(made: House) -> None:
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
    await ann.say(wishes.StartTable(0))
    game = (await ann.receive(m.SeatedMessage)).game_number
    asker = await look(made, CLUB)
    assert await asker.number() == 2
    assert await asker.numbers(6) == (game, 1, 0, rules, 50, 60)
    assert [await asker.string() for _ in range(5)] == ["", "Ann", "Bob", "Moe", "Larry"]


@pytest.mark.house("--password", "fish")
async def test_nobody_is_told_of_tables_without_the_password(made: House) -> None:
    assert await (await look(made, CLUB)).number() == 0
    asker = await made.greet("Eve", -7, text("fish"))
    assert await asker.number() == 1
    await asker.send(-12, len(CLUB), CLUB.encode())
    assert await asker.number() == 1


@pytest.mark.parametrize("name", [b"", b" ", b"x" * 31, b"\x00", b"\xff"])
async def test_what_is_no_name_is_skipped(name: bytes, made: House) -> None:
    asker = await made.greet("Eve", -12, len(name), name)
    assert await asker.number() == 0


async def refused(friend: Friend) -> int:
    return (await friend.receive(m.AnswerError)).reason


@pytest.mark.house("--computers", "strong", "--computer-levels", "novice")
async def test_how_well_computers_play(made: House) -> None:
    """Block -15 asks, and says it for a table that is opened; the opener changes it later."""
    wanted = bytes((0, 2, 0, 1)), bytes((0, 0, 0, 1))
    blocks = [part for data in (b"", b"?", *wanted) for part in (-15, len(data), data)]
    plain = await made.greet("Ann", *blocks, -4, text(CLUB))
    assert await plain.numbers(5) == (0b1011, 0, 0, 1, 0)
    await plain.leave()
    ann = await Friend.come(made, "Ann", -15, 4, wanted[1], -2, *options())
    assert await ann.caller.number() == 1
    bob = await Friend.come(made, "Bob")
    for friend, seat, level, fault in (
        (bob, 2, 1, Fault.NOT_PLAYER_0),
        (ann, 2, 2, Fault.NOT_NOW),
        (ann, 1, 1, Fault.NOT_NOW),
    ):
        await friend.say(wishes.SetLevel(0, seat, level))
        assert await refused(friend) == fault
    await ann.say(wishes.SetLevel(0, 2, 3))
    assert (await ann.receive(w.Taken)).wish is wishes.SetLevel
    await ann.say(wishes.StartTable(0))
    await bob.receive(m.SeatedMessage)
    infos = (await bob.receive(w.RegisterOpponents)).players
    assert [info.level for info in infos] == [0, 0, 3, 1]


async def test_whoever_opened_a_private_table_sends_a_guest_away(made: House) -> None:
    """Those who stay hear the new name of the table; with the old one nobody comes."""
    ann = await Friend.come(made, "Ann")
    await ann.ask()
    bob, eve = [await Friend.come(made, name) for name in ("Bob", "Eve")]
    for friend, seat, fault in (
        (bob, 2, Fault.NOT_PLAYER_0),
        (ann, 0, Fault.NOT_NOW),
        (ann, 3, Fault.NOT_NOW),
    ):
        await friend.say(wishes.SendAway(0, seat))
        assert await refused(friend) == fault
    registering = await made.greet("Eve", -4, text(CLUB))
    assert await registering.number() == 3
    await ann.say(wishes.SendAway(0, 2))
    gone = await eve.receive(Refused)
    assert (gone.code, "sent you away" in gone.reason) == (Refusal.TABLE_TAKEN, True)
    assert await eve.caller.ended()
    told = await ann.receive(w.TableMessage)
    while told.table == CLUB:
        told = await ann.receive(w.TableMessage)
    assert told.names == ("Ann", "Bob", "", "")
    assert (await ann.receive(w.Taken)).wish is wishes.SendAway
    new = told.table
    assert re.fullmatch(f"{CLUB}-[a-z0-9]{{13}}", new)
    assert new in (await bob.receive(w.ServerNotice)).text
    await registering.send(1003)
    assert await registering.number() == Refusal.TABLE_TAKEN
    late = await made.greet("Eve", -10, 0, -4, text(CLUB))
    assert await late.numbers(2) == (1, Refusal.TABLE_TAKEN)
    assert "another name now" in await late.string()
    looking = await look(made, CLUB)
    assert await looking.number() == LookReply.UNKNOWN
    cleo = await Friend.come(made, "Cleo", table=new)
    assert cleo.player == 2
    # Again, and then it plays: who has any of the earlier names hears the same.
    await ann.say(wishes.SendAway(0, 2))
    newest = (await bob.receive(w.ServerNotice)).text.split()[-2]
    await ann.say(wishes.StartTable(0))
    await ann.receive(m.SeatedMessage)
    await ann.say(wishes.SendAway(0, 1))
    assert await refused(ann) == Fault.NOT_NOW
    for name in (CLUB, new):
        late = await made.greet("Eve", -4, text(name))
        assert await late.number() == Refusal.TABLE_TAKEN
    assert len({CLUB, new, newest}) == 3


@pytest.mark.house("--fill-after", "20")
async def test_nobody_inherits_that_guests_are_sent_away(made: House) -> None:
    ann = await Friend.come(made, "Ann")
    bob = await Friend.come(made, "Bob")
    cleo = await Friend.come(made, "Cleo")
    await ann.caller.leave()
    ann = await Friend.come(made, "Ann")
    for friend in (bob, cleo, ann):
        await friend.say(wishes.SendAway(0, 3 - friend.player))
        assert await refused(friend) == Fault.NOT_PLAYER_0
    public = await Friend.come(made, "Dan", table="")
    await Friend.come(made, "Eve", table="")
    await public.say(wishes.SendAway(0, 1))
    assert await refused(public) == Fault.NOT_PLAYER_0


def test_a_secret_name_begins_as_the_one_before() -> None:
    for name in ("club", "club-" + 13 * "a", "é" * 15, "x" * 30):
        secret = secret_name(name)
        assert len(secret.encode()) <= NAME_LIMIT
        assert secret[0] == name[0]
        assert secret != secret_name(name)
    assert re.fullmatch("club-[a-z0-9]{13}", secret_name("club-" + 13 * "a"))
