"""Players who leave a table for good, or give up their seats, in the dealer dialect."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from hearts.dealer import messages as m
from hearts.dealer.frames import encode_frame
from hearts.errors import Fault
from hearts.session import table_words as w
from hearts.session.table_words import PlayerKind
from hearts.table.effects import Change, SeatKept, SeatWanted
from hearts.table.inputs import GiveSeat, OpenSeat, ReplacePlayer, Resign
from tests.dealer.payloads import payload

from .friends import CLUB, DEALER, Friend, numbered, play_until
from .house import House, options


@pytest.mark.parametrize("table", ["", CLUB])
async def test_leaving_a_table_that_forms(table: str, made: House) -> None:
    ann = await Friend.come(made, "Ann", table=table)
    bob = await Friend.come(made, "Bob", table=table)
    await bob.say(Resign(0))
    assert (await bob.receive(w.Taken)).wish is Resign
    assert await bob.caller.ended()
    cleo = await Friend.come(made, "Cleo", table=table)
    assert cleo.player == 1
    await ann.caller.stream.aclose()


@pytest.mark.house("--turn-limit", "0", "--grace", "3600", "--fill-after", "20")
async def test_leaving_a_game_for_good(made: House) -> None:
    """A computer plays at once, whatever the grace, and has the seat from the next hand on."""
    ann = await Friend.come(made, "Ann", -2, *options("pass=never", 0, 0b1100))
    bob = await Friend.come(made, "Bob")
    seated = await bob.receive(m.SeatedMessage)
    await bob.receive(m.NewHand)
    await bob.say(Resign(0))
    assert (await bob.receive(w.Taken)).wish is Resign
    assert await bob.caller.ended()
    before = trio.current_time()
    taken = await play_until(ann, w.PlayerChange, change=Change.COMPUTER)
    assert trio.current_time() - before < 60
    assert (taken.info.player, taken.info.kind) == (1, PlayerKind.COMPUTER)
    back = await Friend.back(made, seated)
    assert await back.caller.number() == -103


@pytest.mark.house("--pause-limit", "3600")
async def test_the_last_one_to_leave_for_good_ends_the_session(made: House) -> None:
    ann = await Friend.come(made, "Ann", -2, *options("standard", 0, 0b1110))
    await ann.receive(m.NewHand)
    assert len(made.server.sessions.running) == 1
    await ann.say(Resign(0))
    assert (await ann.receive(w.Taken)).wish is Resign
    assert await ann.caller.ended()
    await trio.testing.wait_all_tasks_blocked()
    assert not made.server.sessions.running


async def test_a_player_who_is_there_gives_up_his_seat(made: House) -> None:
    """They are asked, keep it at first, and in another hand somebody else has it."""
    ann = await Friend.come(made, "Ann", -2, *options("pass=never", 1, 0b1100))
    bob = await Friend.come(made, "Bob")
    seated = await bob.receive(m.SeatedMessage)
    await ann.ask()
    await ann.say(OpenSeat(0, 1))
    assert (await ann.receive(w.Taken)).wish is OpenSeat
    number, query = await numbered(bob, SeatWanted)
    assert query == SeatWanted(0, True, 60.0)
    await bob.caller.send(encode_frame(161, number, b""))
    assert (await bob.receive(m.AnswerError)).reason == Fault.MEANINGLESS
    await bob.caller.send(encode_frame(161, number, payload(GiveSeat(0, False))))
    stays = SeatKept(1, "the player does not agree")
    assert await bob.receive(SeatKept) == stays
    assert await ann.receive(SeatKept) == stays
    await bob.caller.send(encode_frame(161, number, payload(GiveSeat(0, True))))
    assert (await bob.receive(m.AnswerError)).reason == Fault.ANSWERED
    await ann.say(ReplacePlayer(0, 1))
    assert (await ann.receive(m.AnswerError)).reason == Fault.NOT_NOW
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_until, bob, m.NewGame)
        await play_until(ann, m.NewGame)
    await ann.say(OpenSeat(0, 1))
    number, _ = await numbered(bob, SeatWanted)
    await bob.caller.send(encode_frame(161, number, payload(GiveSeat(0, True))))
    assert (await bob.receive(w.Taken)).wish is Resign
    assert await bob.caller.ended()
    for change in (Change.COMPUTER, Change.OPENED):
        told = await play_until(ann, w.PlayerChange, change=change)
        assert told.info.player == 1
    back = await Friend.back(made, seated)
    assert await back.caller.number() == -103
    cleo = await Friend.come(made, "Cleo")
    assert cleo.player == 1


@pytest.mark.house("--turn-limit", "60")
async def test_newcomers_and_watchers_hear_for_whom_the_table_waits(made: House) -> None:
    """If they have asked for it; a watcher of an older day is told nothing new."""
    ann = await Friend.come(made, "Ann", -2, *options("standard", 0, 0b1100), table="")
    bob = await Friend.come(made, "Bob", table="")
    game = (await bob.receive(m.SeatedMessage)).game_number
    await ann.say(OpenSeat(0, 3))
    newcomer = await Friend.come(made, "Cleo", table="Table 1")
    told = await newcomer.ask()
    assert (told.table, told.game_number, told.open_seats) == ("Table 1", game, 0)
    watchers = []
    for _ in range(2):
        watcher = Friend(await made.greet("Eve", *DEALER, -9, game))
        assert await watcher.caller.numbers(2) == (1, 1)
        await watcher.caller.send(0)
        watchers.append(watcher)
    follows, old = watchers
    assert (await follows.ask()).names == ("Ann", "Bob", "Moe", "Larry")
    for friend in (newcomer, follows):
        assert (await friend.receive(w.Waiting)).players == (0, 1)
    await old.receive(w.Replay)
    assert 132 not in await old.types_up_to_pong()
