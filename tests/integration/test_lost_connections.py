"""A connection that is lost for a moment costs its player no seat, and the others no time."""

from __future__ import annotations

import pytest
import trio

from hearts.dealer import messages as m
from hearts.dealer.frames import MessageType
from hearts.dealer.messages import MESSAGES
from hearts.game.events import Play
from hearts.session import table_words as w
from hearts.session.client_events import DoneHand
from hearts.session.table_words import Refused
from hearts.table.effects import Change
from hearts.table.inputs import ReplacePlayer
from hearts.table.seat import BANK_LIMITS, FREE_PART, REPLAY_LIMIT, RETURN_TIME
from tests.dealer.payloads import frame, type_of

from .friends import Friend, Reachable, play_until
from .house import House, options

CardQuery = m.LeadCard | m.PlayCard
AMONG_PEOPLE = options("rotate,bleed,pass=never", 0, 0b1100)
"""Two people at a table; player 0 is asked for a card first."""
NO_SUCH_GAME = -103


async def asked(friend: Friend) -> tuple[int, CardQuery]:
    """The next query for a card, with its sequence."""
    while True:
        type, number, payload = await friend.caller.frame()
        message = MESSAGES[MessageType(type)].decode(payload)
        if isinstance(message, CardQuery):
            return number, message


async def choose(friend: Friend, number: int, query: CardQuery) -> None:
    card = next(each.card for each in query.cards if each.legal)
    await friend.caller.send(frame(Play(0, card), number, type_of(type(query))))


async def drop_and_return(made: Reachable, friend: Friend, seated: m.SeatedMessage) -> Friend:
    await friend.caller.stream.aclose()
    friend = await Friend.back(made, seated)
    assert await friend.caller.number() >= 0
    await friend.caller.send(1000 + seated.player)
    return friend


# The seat


@pytest.mark.house("--turn-limit", "0")
async def test_two_of_those_who_are_there_give_a_seat_away(made: House) -> None:
    """Its owner, who has registered for it half, hears why it is not theirs any more."""
    people = [await Friend.come(made, "Ann", -2, *options("pass=never"), table="")]
    people += [await Friend.come(made, name, table="") for name in ("Bob", "Cleo", "Dan")]
    ann, bob, cleo, dan = people
    seated = await cleo.receive(m.SeatedMessage)
    await cleo.caller.stream.aclose()
    await trio.sleep(60)
    await ann.say(ReplacePlayer(0, 2))
    for friend in (ann, bob):
        notice = await friend.receive(w.ServerNotice)
        assert notice.text.startswith("Ann wants a computer in place of Cleo")
    late = await Friend.back(made, seated)
    await bob.say(ReplacePlayer(0, 2))
    async with trio.open_nursery() as nursery:
        for friend in (bob, dan):
            nursery.start_soon(play_until, friend, DoneHand)
        await play_until(ann, w.PlayerChange, change=Change.COMPUTER)
    await late.caller.number()
    await late.caller.send(1002)
    refused = Refused(NO_SUCH_GAME, "your seat was given away")
    assert await late.receive(Refused) == refused
    later = await Friend.back(made, seated, reasons=True)
    assert await later.caller.number() == NO_SUCH_GAME
    assert await later.caller.take(await later.caller.number()) == b"your seat was given away\0"


# The clock


@pytest.mark.house("--turn-limit", "60")
async def test_dropping_in_each_choice_costs_the_others_no_more_than_the_account(
    made: House, nursery: trio.Nursery
) -> None:
    limit, hand = 60, 13
    ann = await Friend.come(made, "Ann", -2, *AMONG_PEOPLE, table="")
    bob = await Friend.come(made, "Bob", table="")
    seated = await ann.receive(m.SeatedMessage)
    nursery.start_soon(play_until, bob, DoneHand)
    begin = trio.current_time()
    for _ in range(hand):
        number, query = await asked(ann)
        for _ in range(3):
            assert query.left is not None
            await trio.sleep(query.left / 1000 - 0.1)
            ann = await drop_and_return(made, ann, seated)
            number, query = await asked(ann)
        await choose(ann, number, query)
    await ann.receive(DoneHand)
    account = limit * (BANK_LIMITS + hand / FREE_PART) + hand * RETURN_TIME + REPLAY_LIMIT
    assert trio.current_time() - begin < account


@pytest.mark.parametrize("table", ["", "friends"])
async def test_friends_have_no_bank(table: str, made: House) -> None:
    ann = await Friend.come(made, "Ann", -2, *AMONG_PEOPLE, table=table)
    await Friend.come(made, "Bob", table=table)
    _, query = await asked(ann)
    assert query.bank == (None if table else (20_000, 240_000))
