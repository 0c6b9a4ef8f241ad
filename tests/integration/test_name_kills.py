"""A server that dies while names are stored: whatever anybody was told of a name holds.

In memory at each write, before it and after it; and a real server, killed in the middle of claims.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import trio

from hearts.names.proof import NameState, NameWish
from hearts_server.datadir import KeptBytes
from hearts_server.names.claims import ClaimedNames
from hearts_server.names.stored import DAY, NewsKind
from tests.independent.plain_client import Closed
from tests.soak.soak_server import ServerProcess, server

from .house import call
from .people import Keyholder

KILLS = 12
LIMIT = 120
ADDRESS = "192.0.2.1"
ANN, BOB, CLEO = b"a" * 32, b"b" * 32, b"c" * 32


class Killed(Exception):
    """The server was killed."""


class DyingDisk:
    """Takes bytes until the server is killed at one write."""

    def __init__(self, dies_at: int, *, after: bool) -> None:
        self.stored = b""
        self.writes = 0
        self._dies_at = dies_at
        self._after = after

    def keep(self, data: bytes) -> None:
        self.writes += 1
        if self.writes < self._dies_at or (self.writes == self._dies_at and self._after):
            self.stored = data
        if self.writes >= self._dies_at:
            raise Killed

    def opened(self, clock: Callable[[], float]) -> ClaimedNames:
        return ClaimedNames(KeptBytes(self.stored, self.keep), b"s" * 32, clock=clock)


async def live(names: ClaimedNames, pass_days: Callable[[float], None], told: list[str]) -> None:
    """Everything that writes names; what was told of it is noted behind it."""

    async def do(what: str, act: Callable[[], Awaitable[object]]) -> None:
        await act()
        told.append(what)

    def proved() -> Awaitable[None]:
        claim = names.of("Ann")
        assert claim is not None
        return names.was_proved(claim, ANN)

    await do("Ann claimed", lambda: names.claim("Ann", ANN, 0, ADDRESS))
    await do("Bob claimed", lambda: names.claim("Bob", BOB, 0, ADDRESS))
    await do("somebody invited", lambda: names.invite("Dora"))
    await do("Ann kept", lambda: names.keep_after_game(["Ann"]))
    pass_days(10)
    await do("Ann proved", proved)
    await do("Cleo let in", lambda: names.let_in("Ann", ANN, CLEO, 0))
    await do("Cleo revoked", lambda: names.revoke("Ann", ANN, CLEO))
    await do("Ann freed", lambda: names.free("Ann"))
    await do("Ann claimed by Bob", lambda: names.claim("Ann", BOB, 0, ADDRESS))
    await do("Ann given up", lambda: names.give_up("Ann", BOB))
    await do("Ann forgotten", lambda: names.forget([1]))


def check(names: ClaimedNames, told: list[str]) -> None:
    ann = names.of("Ann")
    # While it is somebody's, nothing takes its place.
    assert not (ann and names.stored.given_up)
    if "Ann given up" in told:
        assert ann is None
        assert names.stored.numbers == 1
    elif "Ann claimed by Bob" in told and names.stored.given_up:
        assert [it.name for it in names.stored.given_up] == ["Ann"]
    elif "Ann claimed by Bob" in told:
        assert ann is not None
        assert ann.own(BOB)
    elif "Ann freed" in told:
        assert ann is None or ann.own(BOB) is not None
        assert NewsKind.FREED in [news.kind for news in names.news(ANN)]
    elif "Ann claimed" in told:
        # It may have been given free, and nobody heard of it.
        assert ann is None or (ann.own(ANN) is not None and ann.is_kept >= ("Ann kept" in told))
        assert ann is not None or "Ann proved" in told
    if ann is not None and ann.own(ANN) and "Cleo let in" in told:
        # It may be revoked, and nobody heard of it; what was told of that holds.
        assert ann.own(CLEO) is None or "Cleo revoked" not in told
        assert ann.own(CLEO) is not None or [news.name for news in names.news(CLEO)] == ["Ann"]
    if "Bob claimed" in told and "Ann kept" not in told:
        assert names.of("Bob") is names.of_key(BOB) is not None


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("dies_at", range(1, 12))
async def test_a_server_killed_at_each_write_of_names(dies_at: int, after: bool) -> None:
    now = [1e9]
    disk, told = DyingDisk(dies_at, after=after), list[str]()

    def pass_days(days: float) -> None:
        now[0] += days * DAY

    with pytest.raises(Killed):
        await live(disk.opened(lambda: now[0]), pass_days, told)
    assert len(told) == dies_at - 1
    check(disk.opened(lambda: now[0]), told)


async def test_every_write_is_one_of_those() -> None:
    now, disk = [1e9], DyingDisk(100, after=True)

    def pass_days(days: float) -> None:
        now[0] += days * DAY

    told = list[str]()
    await live(disk.opened(lambda: now[0]), pass_days, told)
    assert disk.writes == len(told) == 11


@pytest.mark.heavy
async def test_a_server_killed_in_the_middle_of_claims(tmp_path: Path) -> None:
    chance, claimed = random.Random(3), list[Keyholder]()
    people = iter(range(10_000))
    with server(tmp_path, "--names", "--open") as process, trio.fail_after(LIMIT):
        process.begin()
        process.wait_ready()
        for _ in range(KILLS):
            async with trio.open_nursery() as nursery:
                for _ in range(3):
                    nursery.start_soon(claim_on, process, people, claimed)
                await trio.sleep(chance.uniform(0.02, 0.4))
                process.kill()
                nursery.cancel_scope.cancel()
            process.begin()
            process.wait_ready()
        assert len(claimed) > KILLS
        for person in claimed:
            assert await comes(process, person, NameWish.PROVE) is NameState.OWN
        assert process.errors() == []


async def claim_on(process: ServerProcess, people: Iterator[int], claimed: list[Keyholder]) -> None:
    """Claim one name after the other, each from an address of its own."""
    for number in people:
        person = Keyholder(f"Person {number}")
        try:
            if await comes(process, person, NameWish.CLAIM) is NameState.CLAIMED:
                claimed.append(person)
        except (OSError, Closed):
            return


async def comes(process: ServerProcess, person: Keyholder, wish: NameWish) -> NameState:
    number = int(person.name.split()[1])
    caller = await call(process.port, f"127.{1 + number // 250}.{number % 250}.9")
    async with caller.stream:
        return await person.comes(caller, wish)
