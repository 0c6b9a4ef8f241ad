"""Whatever a client of the dealer dialect sends, the game stays in step for all others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from hearts.game.deal import SECRET_BYTES, deal_code
from tests.independent.client import Session
from tests.independent.dealer import DealerSession, DealerSettings
from tests.independent.dealer_frames import DO_PASS, PING, PLAY_CARD, REGISTER_PLAYER, encode, ints
from tests.independent.referee import Referee, Report

from .dealers import converse, play, player, settings, sit, until
from .house import Caller, House, judge, listening, options

BAD = settings(
    0, wrong=0.2, doubled=0.3, unasked=0.3, mistyped=0.3, short=0.2, unknown=0.3, pings=0.3
)


@pytest.mark.parametrize("how", ["whole", "pieces", "joined"])
async def test_bad_answers_get_their_errors_over_sockets(how: str, tmp_path: Path) -> None:
    # With any deals a game could be so short that one kind of error does not come up.
    codes = [deal_code(bytes([number] * SECRET_BYTES)) for number in range(12)]
    deals = [part for code in codes for part in ("--deal", code)]
    async with listening(tmp_path, "--turn-limit", "0", *deals) as server:
        sessions = [
            player(
                "plain" if seat == 1 else "dealer",
                replace(
                    BAD if seat in (0, 2) else settings(seat),
                    name=f"Client {seat}",
                    table="the bad",
                    options=options("moon=choice", 60, 0b1000),
                    cuts=seat != 2,
                    seed=seat,
                ),
            )
            for seat in range(3)
        ]
        await play(server.port, sessions, how=how)
    report = judge(sessions)
    assert report.games == 1
    assert not report.forced.total()
    reasons = set().union(*(s.errors for s in sessions if isinstance(s, DealerSession)))
    assert reasons >= {-1, -21, -22, -23, -24}
    assert -20 not in reasons


async def table(
    made: House, first: DealerSettings, rules: str = "standard", end: int = 16
) -> tuple[Report, DealerSession, list[Session]]:
    """A game of this client with a strict one, a plain one and a computer."""
    bad = DealerSession(replace(first, options=options(rules, end, 0b1000)))
    others = [DealerSession(settings(1)), Session(settings(2))]
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, bad, *others)
    return judge([bad, *others]), bad, others


@pytest.mark.house("--turn-limit", "2")
async def test_late_answers_are_too_late(made: House) -> None:
    report, late, _ = await table(made, settings(0, late=0.5, cuts=True))
    # Where the clock decides about another game there is one, for the others want more.
    assert report.games
    assert set(late.errors) == {-20}
    assert report.forced[0] > 5
    assert report.forced.total() == report.forced[0]


@pytest.mark.house("--turn-limit", "4", "--grace", "5")
async def test_who_is_always_late_has_short_limits_and_loses_his_connection(made: House) -> None:
    """A late answer is worth a short limit now and then; a hundred in a row are to nothing."""
    late = DealerSession(settings(0, late=1.0, options=options("standard", 200, 0b1110)))
    async with trio.open_nursery() as nursery:
        await sit(nursery, made, late)
    assert late.errors == [-20] * 100
    # Which of his first choices is a lead depends on the deal.
    limits = {f["left"] for f in late.frames if f.type == PLAY_CARD}
    assert {0, 3000} <= limits <= {0, 3000, 4000}
    assert [frame.type for frame in late.frames[-2:]] == [119, 205]


@pytest.mark.house("--turn-limit", "3600")
async def test_the_tenth_try_gets_no_error(made: House) -> None:
    report, wrong, _ = await table(made, settings(0, wrong=1.0))
    assert report.games == 1
    by_query: dict[int, list[int]] = {}
    for frame in wrong.frames:
        if "tries" in frame.fields:
            by_query.setdefault(frame["in reply to"], []).append(frame["tries"])
    counted = [tries for tries in by_query.values() if tries[0] >= 0]
    assert counted
    assert all(tries == list(range(9, 0, -1)) for tries in counted)
    assert report.forced[0] == 14 * report.hands - sum(
        f["direction"] == 0 for f in wrong.frames if f.type == 114
    )


def asked_to_play(session: DealerSession) -> bool:
    return session._open is not None and session._open.type in (108, PLAY_CARD)


async def drop_in(made: House, nursery: trio.Nursery) -> tuple[Caller, DealerSession, Session]:
    """A client whose turn it is, to go on by hand, and a plain one that sits at his table."""
    first = DealerSession(settings(0, options=options("standard", 16, 0b1100)))
    other = Session(settings(1))
    caller = await made.call()
    arrived = trio.Event()

    async def begin() -> None:
        await caller.converse(until(first.talk(), lambda: asked_to_play(first)))
        arrived.set()

    nursery.start_soon(begin)
    await trio.testing.wait_all_tasks_blocked()
    nursery.start_soon(converse, await made.call(), other.talk())
    await arrived.wait()
    return caller, first, other


async def frame(caller: Caller) -> tuple[int, bytes]:
    kind, _, length = await caller.numbers(3)
    return kind, await caller.take(length)


def useless(query: int) -> list[bytes]:
    """Frames that get an error without a count of tries."""
    return [
        encode(PLAY_CARD, 10**6, ints(1)),
        encode(DO_PASS, query, ints(1, 2, 3)),
        encode(REGISTER_PLAYER, 1, ints(3, 0, 0)),
        encode(PING, 0, bytes(65)),
        encode(220, 0, ints(1)),
        encode(221, 0, ints(3)),
        encode(222, 0, ints(1)),
    ]


@pytest.mark.house("--grace", "5")
async def test_a_hundred_useless_answers_end_the_connection(made: House) -> None:
    async with trio.open_nursery() as nursery:
        caller, first, other = await drop_in(made, nursery)
        assert first._open is not None
        wrong = (useless(first._open.sequence) * 15)[:100]
        for data in wrong:
            await caller.send(encode(PING, 0, b"here"), data)
            kind, _ = await frame(caller)
            assert kind == 207
            kind, _ = await frame(caller)
            assert kind in (117, 119, 208)
        kind, _ = await frame(caller)
        assert kind == 205, "P_SERVER_NOTICE"
        assert await caller.ended()
    report = judge_others(first, other)
    assert report.games == 1


async def test_ninety_nine_useless_answers_do_not(made: House) -> None:
    async with trio.open_nursery() as nursery:
        caller, first, _ = await drop_in(made, nursery)
        query = first._open
        assert query is not None
        for data in (useless(query.sequence) * 15)[:99]:
            await caller.send(data)
            kind, _ = await frame(caller)
            assert kind in (117, 119, 208)
        card = next(c for c, legal in query["cards"] if legal)
        await caller.send(encode(query.type, query.sequence, ints(card)))
        kind, data = await frame(caller)
        assert (kind, data[:4]) == (110, ints(card))
        await caller.stream.aclose()


@pytest.mark.parametrize("length", [1025, 2**31 - 1, -1, -(2**31)])
@pytest.mark.house("--grace", "5")
async def test_a_length_that_cannot_be_ends_the_connection(length: int, made: House) -> None:
    async with trio.open_nursery() as nursery:
        caller, first, other = await drop_in(made, nursery)
        await caller.send(PLAY_CARD, 0, length)
        kind, _ = await frame(caller)
        assert kind == 205
        assert await caller.ended()
    assert judge_others(first, other).games == 1


async def test_the_longest_frame_is_skipped_where_its_type_is_unknown(
    made: House, nursery: trio.Nursery
) -> None:
    caller, _, _ = await drop_in(made, nursery)
    await caller.send(encode(999, 5, bytes(1024)), encode(PING, 0, b"x"))
    assert await frame(caller) == (207, b"x")
    await caller.stream.aclose()


def judge_others(first: Session, other: Session) -> Report:
    """The game as the other saw it, beside what the first saw up to his end."""
    report = Referee({1: other.facts}).judge()
    assert other.facts[-1].kind == "end"
    assert first.me == 0
    return report
