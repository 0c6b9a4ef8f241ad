"""A bad peer costs itself its seat, and nobody else anything: SocketSpec.md section 10."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing

from hearts.game.deal import SECRET_BYTES, deal_code
from tests.independent.dealer import PlayerConnection
from tests.independent.dealer_frames import PLAY_CARD
from tests.independent.plain_client import ClientHabits, OwnSession
from tests.independent.referee import Referee

from .dealers import player, settings, sit
from .house import Caller, House, judge, options

# With any deals a game could be so short that one kind of error does not come up.
CODES = [deal_code(bytes([number] * SECRET_BYTES)) for number in range(12)]
DEALS = [part for code in CODES for part in ("--deal", code)]


async def garbage(caller: Caller) -> None:
    await caller.send(bytes(range(256)) * 8)


async def wrong_ack(caller: Caller) -> None:
    await caller.send(*[77] * 20)


async def too_much_too_early(caller: Caller) -> None:
    for _ in range(200):
        await caller.send(*[3] * 20)


async def vanishes(caller: Caller) -> None:
    await caller.stream.aclose()


async def stops_sending(caller: Caller) -> None:
    await caller.stream.send_eof()


async def falls_silent(caller: Caller) -> None:
    """Neither reads nor writes any more, and keeps the connection."""


FAULTS = [garbage, wrong_ack, too_much_too_early, vanishes, stops_sending, falls_silent]


def table_of_four(name: str, end: int, again: int = 0) -> list[OwnSession]:
    return [
        OwnSession(
            ClientHabits(
                name=f"{name} {seed}",
                table=name,
                options=options("jack", end),
                again=again,
                seed=seed,
            )
        )
        for seed in range(4)
    ]


async def misbehave(
    made: House, session: OwnSession, fault: Callable[[Caller], Awaitable[None]], steps: int
) -> None:
    """Play by the book for so many messages, then commit the fault."""
    # In lockstep nothing that the server says is taken unless the client reads.
    caller = await made.call(lockstep=True)
    await caller.converse(session.talk(), steps=steps)
    await fault(caller)


@pytest.mark.parametrize(
    "steps",
    [*(pytest.param(steps, marks=pytest.mark.heavy) for steps in (11, 14, 40)), 133],
    ids=lambda steps: f"after-{steps}",
)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.house("--turn-limit", "10", "--grace", "20")
async def test_the_others_finish_in_step_and_another_table_notices_nothing(
    fault: Callable[[Caller], Awaitable[None]], steps: int, made: House
) -> None:
    hurt, well = table_of_four("hurt", 20, again=1), table_of_four("well", 20)
    async with trio.open_nursery() as nursery:
        start = trio.current_time()
        nursery.start_soon(made.play, hurt[:3])
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(misbehave, made, hurt[3], fault, steps)
        await made.play(well)
        # Nobody thinks at this table, so no virtual time passes while it plays.
        assert trio.current_time() == start
        assert judge(well).games == 1
    assert all(session.facts[-1].kind == "end" for session in hurt[:3])
    report = Referee({session.me: session.facts for session in hurt}).judge()
    assert report.games == 2
    assert {session.me for session in hurt} == {0, 1, 2, 3}


@pytest.mark.house("--turn-limit", "0", *DEALS)
async def test_bad_answers_in_the_dealer_dialect_get_their_errors(made: House) -> None:
    bad: dict[str, object] = {"wrong": 0.2, "doubled": 0.3, "unasked": 0.3, "mistyped": 0.3}
    bad |= {"short": 0.2, "unknown": 0.3, "pings": 0.3}
    sessions = [
        player(
            "plain" if seat == 1 else "dealer",
            settings(
                seat,
                options=options("moon=choice", 60, 0b1000),
                cuts=seat != 2,
                **({} if seat == 1 else bad),
            ),
        )
        for seat in range(3)
    ]
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, *sessions)
    report = judge(sessions)
    assert report.games == 1
    assert not report.forced.total()
    reasons = set().union(*(s.errors for s in sessions if isinstance(s, PlayerConnection)))
    assert reasons >= {-1, -21, -22, -23, -24}
    assert -20 not in reasons


@pytest.mark.house("--turn-limit", "4", "--grace", "5")
async def test_who_is_always_late_has_short_limits_and_loses_his_connection(made: House) -> None:
    """A late answer is worth a short limit now and then; a hundred in a row are to nothing."""
    late = PlayerConnection(settings(0, late=1.0, options=options("standard", 200, 0b1110)))
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, late)
    assert late.errors == [-20] * 100
    # Which of their first choices is a lead depends on the deal.
    limits = {f["left"] for f in late.frames if f.type == PLAY_CARD}
    assert {0, 3000} <= limits <= {0, 3000, 4000}
    assert [frame.type for frame in late.frames[-2:]] == [119, 205]
