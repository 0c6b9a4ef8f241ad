"""Every message of the dealer dialect comes in a session, and is checked field by field there."""

from __future__ import annotations

from pathlib import Path

import trio
from trio.testing import MockClock

from hearts.dealer.frames import MessageType
from hearts.dealer.messages import MESSAGES
from hearts.game.rules import parse_rules
from tests.independent.dealer import PlayerConnection, Wish
from tests.independent.dealer_frames import PROPOSE_RULES, RULES_STAY, ints
from tests.independent.plain_client import OwnSession

from .dealers import Life, eventually, settings, sit
from .house import house, judge, options
from .test_dealer_coming_back import DEALS

PROPOSAL = Wish(1, PROPOSE_RULES, ints(1, 20, 1, 1, 1, 0, 1, 2, 1, 0))
BITS = parse_rules(
    "jack,moon=minus,exact=zero,dump,bleed,rotate,pass=left,notrick,queen-keeps"
).bits
ANSWERS = {
    MessageType.TABLE,
    MessageType.TABLES,
    MessageType.TAKEN,
    MessageType.PLAYER_COMMENT,
    MessageType.CLAIM_REST,
    MessageType.TAKE_BACK,
    MessageType.ABORT_HAND,
    MessageType.QUERY_ABORT,
    MessageType.PLAY_GOES_ON,
    MessageType.MOVE_SEAT,
    MessageType.GIVE_SEAT,
    MessageType.SEAT_STAYS,
    MessageType.INVITABLE,
    MessageType.ASK_INVITABLE,
    MessageType.INVITATION,
    MessageType.INVITATION_OVER,
}
"""Come only where somebody asks for what is new; `test_dealer_forming.py` and `test_claims.py` have
them."""
CARELESS = {"wrong": 0.4, "doubled": 0.3, "unasked": 0.2, "mistyped": 0.2, "pings": 0.2}


def kinds(*sessions: OwnSession) -> set[MessageType]:
    """The types of all frames that clients had; these have checked their fields."""
    dealers = [session for session in sessions if isinstance(session, PlayerConnection)]
    return {MessageType(frame.type) for session in dealers for frame in session.frames}


def in_hand_2(session: OwnSession) -> bool:
    return sum(fact.kind == "hand" for fact in session.facts) == 2


async def played(folder: Path) -> set[MessageType]:
    """Four who help player 0 to a moon; one answers carelessly; another game by other rules."""
    helpers = {"plodding": True, "shooter": 0, "again": 1}
    first = settings(0, options=options("moon=choice", 26), wishes=(PROPOSAL,), **helpers)
    careless = settings(3, **helpers, **CARELESS)
    sessions = [
        PlayerConnection(first),
        *(PlayerConnection(settings(seat, **helpers)) for seat in (1, 2)),
        PlayerConnection(careless),
    ]
    async with house(folder, *DEALS) as made, trio.open_nursery() as nursery:
        await sit(nursery, made, *sessions)
    assert judge(sessions).games == 2
    for session in sessions:
        tables = [fact.numbers[1:3] for fact in session.facts if fact.kind == "table"]
        assert tables[1] == (BITS, 20)
    return kinds(*sessions)


async def left_and_sent_away(folder: Path) -> set[MessageType]:
    """Rules that are refused, deals that are cut, a player who comes back, a server that ends."""
    given = options("standard", 100, 0b1100)
    thinks = {"think_chance": 1.0, "think_seconds": 4.0, "cuts": True}
    first = PlayerConnection(settings(0, options=given, wishes=(PROPOSAL,), **thinks))
    second = Life(PlayerConnection(settings(1, agrees=False)))
    waiting = PlayerConnection(settings(2, table="alone"))
    async with house(folder) as made, trio.open_nursery() as nursery:
        await sit(nursery, made, first)
        leaves = await made.call()
        nursery.start_soon(second.run, leaves, in_hand_2)
        await eventually(lambda: bool(second.parts))
        await trio.sleep(3)
        second.come_back("dealer")
        nursery.start_soon(second.run, await made.call())
        await sit(nursery, made, waiting)
        await made.server.drain()
    stayed = [frame["player"] for frame in first.frames if frame.type == RULES_STAY]
    assert stayed == [1]
    return kinds(first, *second.parts, waiting)


async def test_every_message_comes(tmp_path: Path, autojump_clock: MockClock) -> None:
    # Somebody who waits for ever fails soon: the clock is virtual.
    with trio.fail_after(3600):
        seen = await played(tmp_path / "played")
        seen |= await left_and_sent_away(tmp_path / "left")
    assert set(MESSAGES) - seen == ANSWERS
