"""Invitations to a table that forms."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from hearts.dealer import messages as m
from hearts.dealer.frames import MessageType, encode_frame
from hearts.errors import Fault
from hearts.game.rules import parse_rules
from hearts.session import table_words as w
from hearts.session import wishes
from hearts.session.table_words import PlayerKind
from tests.dealer.payloads import payload

from .friends import CLUB, DEALER, Friend, numbered
from .house import House, options, text


async def test_somebody_is_invited_and_comes(made: House) -> None:
    """They leave a table of their own, which is gone, and have a free seat of the other one."""
    rules = options("jack", 50, 0b1000)
    ann = await Friend.come(made, "Ann", -2, *rules)
    bob = await Friend.come(made, "Bob")
    eve = await Friend.come(made, "Eve", table="eve waits")
    await eve.say(w.Introduction(PlayerKind.PERSON, 300, comment="any game"))
    await eve.ask()
    await eve.say(wishes.BeInvitable(0, True))
    assert (await eve.receive(w.Taken)).wish is wishes.BeInvitable
    await ann.say(wishes.AskForInvitable(0))
    told = await ann.receive(w.InvitableMessage)
    assert (told.info.name, told.info.level, told.info.comment) == ("Eve", 300, "any game")
    assert (await ann.receive(w.InvitableCount)).count == 1
    await bob.say(wishes.Invite(0, told.number))
    assert (await bob.receive(m.AnswerError)).reason == Fault.NOT_PLAYER_0
    await ann.say(wishes.Invite(0, told.number + 1))
    assert (await ann.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await ann.say(wishes.Invite(0, told.number))
    assert (await ann.receive(w.Taken)).wish is wishes.Invite
    number, query = await numbered(eve, w.InvitationMessage)
    assert query == w.InvitationMessage(
        30_000,
        0,
        CLUB,
        True,
        parse_rules("jack"),
        50,
        60,
        ("Ann", "Bob", "", "Moe"),
    )
    await eve.caller.send(encode_frame(166, number, payload(wishes.AnswerInvitation(0, True))))
    over = w.InvitationOver(told.number, True, "the player comes")
    assert await eve.receive(w.InvitationOver) == over
    assert await ann.receive(w.InvitationOver) == over
    assert (await eve.receive(w.SeatMoved)).player == 2
    for friend in (ann, bob, eve):
        assert (await friend.receive(m.SeatedMessage)).table == CLUB
        infos = (await friend.receive(w.RegisterOpponents)).players
        assert [info.name for info in infos] == ["Ann", "Bob", "Eve", "Moe"]
        assert infos[2].comment == "any game"
    await eve.receive(m.NewGame)
    await eve.say(wishes.AskForTable(0, "eve waits"))
    assert (await eve.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await eve.say(wishes.BeInvitable(0, True))
    assert (await eve.receive(m.AnswerError)).reason == Fault.NOT_NOW


async def test_invitations_that_come_to_nothing(made: House) -> None:
    ann = await Friend.come(made, "Ann")
    cleo = await Friend.come(made, "Cleo", table="cleo's")
    eve = await Friend.come(made, "Eve", table="eve waits")
    await eve.ask()
    await eve.say(wishes.BeInvitable(0, True))

    async def invite(friend: Friend) -> int:
        await friend.say(wishes.AskForInvitable(0))
        number = (await friend.receive(w.InvitableMessage)).number
        await friend.say(wishes.Invite(0, number))
        await friend.receive(w.Taken)
        return number

    async def over(why: str, *friends: Friend) -> None:
        for friend in friends:
            assert await friend.receive(w.InvitationOver) == w.InvitationOver(number, False, why)

    number = await invite(ann)
    asked, _ = await numbered(eve, w.InvitationMessage)
    # One at a time; and who does not come is not asked to that table again.
    await cleo.say(wishes.Invite(0, number))
    assert (await cleo.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await eve.caller.send(encode_frame(166, asked, payload(wishes.AnswerInvitation(0, False))))
    await over("the player does not come", eve, ann)
    await ann.say(wishes.Invite(0, number))
    assert (await ann.receive(m.AnswerError)).reason == Fault.NOT_NOW
    await Friend.come(made, "Bob")
    await ann.say(wishes.SendAway(0, 1))
    await ann.receive(w.Taken)
    await ann.say(wishes.Invite(0, number))
    reason = (await ann.receive(m.AnswerError)).reason
    assert reason == Fault.NOT_NOW, "another name makes no other table"
    await eve.caller.send(encode_frame(166, asked, payload(wishes.AnswerInvitation(0, True))))
    assert (await eve.receive(m.AnswerError)).reason == Fault.ANSWERED
    # No answer, which comes too late then.
    assert await invite(cleo) == number
    asked, _ = await numbered(eve, w.InvitationMessage)
    before = trio.current_time()
    await over("the player has not answered in time", eve, cleo)
    assert trio.current_time() - before == 30
    await eve.caller.send(encode_frame(166, asked, payload(wishes.AnswerInvitation(0, True))))
    assert (await eve.receive(m.AnswerError)).reason == Fault.TOO_LATE
    # The table begins meanwhile.
    dan = await Friend.come(made, "Dan", table="dan's")
    await invite(dan)
    await dan.say(wishes.StartTable(0))
    await over("the table is not forming any more", eve)
    # They take it back, or leave.
    fay = await Friend.come(made, "Fay", table="fay's")
    await invite(fay)
    await eve.say(wishes.BeInvitable(0, False))
    await over("the player cannot be invited any more", eve, fay)
    await fay.say(wishes.AskForInvitable(0))
    assert (await fay.receive(w.InvitableCount)).count == 0
    await eve.say(wishes.BeInvitable(0, True))
    number = await invite(fay)
    await eve.caller.stream.aclose()
    await over("the player has left", fay)
    # The last seat is held by somebody who is registering, or their own table begins.
    gus = await Friend.come(made, "Gus", table="gus waits")
    await gus.say(wishes.BeInvitable(0, True))
    hal = await Friend.come(made, "Hal", -2, *options("jack", 50, 0b1100), table="hal's")
    number = await invite(hal)
    asked, _ = await numbered(gus, w.InvitationMessage)
    await made.greet("Ivy", -4, text("hal's"))
    await gus.caller.send(encode_frame(166, asked, payload(wishes.AnswerInvitation(0, True))))
    await over("no seat is free any more", gus, hal)
    number = await invite(fay)
    await gus.say(wishes.StartTable(0))
    await over("the table of the player has begun", gus, fay)


async def test_how_many_can_be_invited(made: House) -> None:
    """Few of one network, so that a crowd leaves room in the list for others."""
    crowd = [await Friend.come(made, f"Bob {n}", table=f"bob {n}") for n in range(5)]
    for friend in crowd:
        await friend.say(wishes.BeInvitable(0, True))
    assert 208 in await crowd[-1].types_up_to_pong()
    await crowd[0].say(wishes.BeInvitable(0, False))
    await crowd[-1].say(wishes.BeInvitable(0, True))
    await crowd[-1].say(wishes.AskForInvitable(0))
    assert (await crowd[-1].receive(w.InvitableCount)).count == 4


async def _wait_at(made: House, address: str, name: str) -> Friend:
    """Somebody who asks to be invited, at a table of their own."""
    caller = await made.greet(name, *DEALER, -4, text(name), 1000, address=address)
    assert await caller.numbers(2) == (1, 0)
    friend = Friend(caller)
    await friend.say(wishes.BeInvitable(0, True))
    return friend


@pytest.mark.house("--fill-after", "never")
async def test_a_crowd_does_not_fill_the_list_of_those_who_can_be_invited(made: House) -> None:
    crowd = [
        await _wait_at(made, f"127.0.{1 + number % 16}.1", f"crowd {number}")
        for number in range(64)
    ]
    for friend in crowd:
        assert (await friend.receive(w.Taken)).wish is wishes.BeInvitable
    fifth = await _wait_at(made, "127.0.1.2", "fifth")
    told = (await fifth.receive(w.ServerNotice)).text
    assert told.startswith("4 players of your network wait to be invited")
    eve = await _wait_at(made, "127.0.99.1", "Eve")
    assert (await eve.receive(w.Taken)).wish is wishes.BeInvitable
    # All have four, so it is the last of the network that came first; it hears that.
    assert (await crowd[48].receive(w.ServerNotice)).text.startswith("Others wait")
    await eve.say(wishes.AskForInvitable(0))
    names = {(await eve.receive(w.InvitableMessage)).info.name for _ in range(64)}
    assert (await eve.receive(w.InvitableCount)).count == 64
    assert {"Eve", "crowd 0", "crowd 16", "crowd 32"} <= names
    assert "crowd 48" not in names


@pytest.mark.house("--fill-after", "never")
async def test_nobody_who_waits_alone_gives_way(made: House) -> None:
    """As many networks as there are places: one more would gain by throwing out the first."""
    waiting = [await _wait_at(made, f"192.0.{number}.1", f"alone {number}") for number in range(64)]
    for friend in waiting:
        assert (await friend.receive(w.Taken)).wish is wishes.BeInvitable
    last = await _wait_at(made, "198.51.100.1", "last")
    told = await last.receive(w.ServerNotice)
    assert told.text == "64 players wait to be invited; try again later"
    assert (await last.receive(m.AnswerError)).reason == Fault.NOT_NOW
    for friend in waiting:
        assert MessageType.SERVER_NOTICE not in await friend.types_up_to_pong()
