"""Whatever bytes come in whatever pieces: nobody but the sender is hurt, and nothing breaks."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path

import trio
import trio.testing
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from hearts.errors import RemoteProtocolError
from hearts.session.registration import GivenProcessId, Registration
from tests.hosting.desk import COMPUTER, DEALER, PLAIN, TableDesk
from tests.independent.client import Session, Settings
from tests.independent.referee import Referee

from .house import house, options, text

ints = st.integers(-130, 60) | st.integers(-(2**31), 2**31 - 1)
words = st.lists(ints, max_size=8).map(lambda numbers: struct.pack(f">{len(numbers)}i", *numbers))
blocks = st.sampled_from([text("Ann"), text("") * 2, struct.pack(">4i", -2, 0x1E, 0, 0), bytes(4)])
pieces = st.lists(st.binary(max_size=40) | words | blocks, max_size=40)


@given(pieces)
@example([bytes([byte]) for byte in text("Ann") + struct.pack(">ii", -10, 0) + bytes(4)])
@settings(max_examples=300)
def test_a_registration_takes_any_bytes(data: list[bytes]) -> None:
    registration = Registration()
    total = 0
    for piece in data:
        registration.feed(piece)
        total += len(piece)
        try:
            while (item := registration.take()) is not None:
                if isinstance(item, GivenProcessId):
                    assert len(registration.take_rest()) < total
                    return
        except RemoteProtocolError:
            return


seated = st.lists(
    st.binary(max_size=9)
    | st.lists(st.sampled_from([0, 0, 0, 1, 2, 5, 12, 13, -1]), max_size=30).map(
        lambda numbers: struct.pack(f">{len(numbers)}i", *numbers)
    ),
    max_size=25,
)


@given(seated, st.sampled_from([PLAIN, DEALER]))
@settings(max_examples=150)
def test_a_seat_and_its_table_take_any_bytes(data: list[bytes], dialect: str) -> None:
    desk = TableDesk(dialects=(dialect, COMPUTER, COMPUTER, COMPUTER), limit=0, pause=0)
    desk.begin()
    for piece in data:
        desk.send(0, piece)
        if desk.links[0].ending:
            assert desk.host.is_over, "nobody is left"
            return
        assert not desk.host.is_over
    desk.leave(0)
    assert desk.host.is_over


@given(seated | pieces, st.booleans())
@settings(max_examples=15)
def test_the_others_at_the_table_play_on(data: list[bytes], register_first: bool) -> None:
    others = [
        Session(Settings(name=f"P{seed}", options=options(end=10), seed=seed)) for seed in range(3)
    ]

    async def session() -> None:
        with tempfile.TemporaryDirectory() as place:
            async with house(Path(place), "--turn-limit", "10", "--grace", "20") as made:
                hostile = await made.call()
                if register_first:
                    await hostile.send(text("Hostile"), -2, *options(end=10), 1)
                    await trio.testing.wait_all_tasks_blocked()
                with trio.fail_after(100_000):
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(made.play, others)
                        await trio.testing.wait_all_tasks_blocked()
                        for piece in data:
                            try:
                                await hostile.send(piece)
                            except trio.BrokenResourceError:
                                break
                        await trio.sleep(100)
                        await hostile.stream.aclose()

    trio.run(session, clock=MockClock(autojump_threshold=0))
    games = {fact.numbers[1] for other in others for fact in other.facts if fact.kind == "seated"}
    for game in games:
        table = [
            o for o in others if any(f.kind == "seated" and f.numbers[1] == game for f in o.facts)
        ]
        assert all(other.facts[-1].kind == "end" for other in table)
        assert Referee({other.me: other.facts for other in table}).judge().games == 1
    assert len(games) >= 1
