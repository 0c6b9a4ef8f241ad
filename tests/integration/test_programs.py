"""A name that is claimed for a program is shown as that of one, whatever the program says."""

from __future__ import annotations

import pytest
from trio.testing import wait_all_tasks_blocked

from hearts.dealer import messages as m
from hearts.names.proof import NameKind, NameState, NameWish
from hearts.session import table_words as w
from hearts_server.commands.console import holder_text
from tests.server.console_desk import tables

from .friends import DEALER, Friend
from .house import House, options, text
from .people import Keyholder

PERSON = w.Introduction(w.PlayerKind.PERSON)


async def told(friend: Friend) -> list[w.PlayerKind]:
    """The kinds of the players at a table."""
    return [info.kind for info in (await friend.receive(w.RegisterOpponents)).players]


@pytest.mark.house("--names", "--pause-limit", "never")
async def test_a_program_is_one_to_everybody(made: House) -> None:
    deep = Friend(await made.call())
    caller, deep.player = deep.caller, await deep.caller.number()
    await caller.send(text("Deep"))
    state = await Keyholder("Deep").proves(caller, NameWish.CLAIM, kind=NameKind.PROGRAM)
    assert state == NameState.CLAIMED
    await caller.send(*DEALER, -2, *options(computers=0b1100), 1000)
    assert await caller.number() == 1
    await deep.say(PERSON)
    await wait_all_tasks_blocked()
    (forming,) = await tables(made)
    assert holder_text(forming.seats[0]).endswith(", a program")

    ann = await Friend.come(made, "Ann", table="")
    assert (await told(ann))[0] is w.PlayerKind.PROGRAM
    seated = await deep.receive(m.SeatedMessage)
    await caller.leave()
    await wait_all_tasks_blocked()

    back = await Friend.back(made, seated)
    assert await back.caller.number() > 0
    await back.caller.send(1000)
    await back.say(PERSON)
    await back.receive(m.SeatedMessage)
    watcher = Friend(await made.call())
    await watcher.caller.number()
    await watcher.caller.send(text("Eve"), *DEALER, -9, seated.game_number, 1000)
    assert await watcher.caller.numbers(2) == (1, 1)
    assert (await told(watcher))[:2] == [w.PlayerKind.PROGRAM, w.PlayerKind.NOT_SAID]
    (playing,) = await tables(made)
    assert [holder_text(seat).endswith("a program") for seat in playing.seats] == [
        True,
        *[False] * 3,
    ]
