"""Who holds seats and says nothing does not keep strangers apart: SocketSpec.md section 3.10."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from hearts.session.messages import Refusal
from hearts_server.lobby.seating import FRIENDS, SECOND_YIELDS_AFTER, WAIT_LIMIT, YIELDS_AFTER

from .house import NAMES, Caller, House, text

SILENT = "198.51.100.66"
HOME = "192.0.2.1"
ROUND_TRIP = 0.05


def stranger(number: int) -> str:
    return f"203.0.{number}.7"


async def silent(made: House, count: int, address: str = SILENT) -> list[Caller]:
    return [await made.call(address) for _ in range(count)]


async def sit(made: House, name: str, address: str, seated: dict[str, list[str]]) -> None:
    """Play by the book, over a road that takes its time."""
    caller = await made.call(address)
    await caller.number()
    await trio.sleep(ROUND_TRIP)
    await caller.send(text(name), 1000)
    _, seated[name] = await caller.seated()


async def people(made: House, addresses: list[str], apart: float) -> dict[str, list[str]]:
    """Who sits with whom, of people who come one after the other."""
    seated: dict[str, list[str]] = {}
    async with trio.open_nursery() as nursery:
        for name, address in zip(NAMES, addresses, strict=True):
            nursery.start_soon(sit, made, name, address, seated)
            await trio.sleep(apart)
    return seated


@pytest.mark.parametrize("before", [0, 10])
async def test_silent_ones_who_were_there_before_do_not_keep_strangers_apart(
    before: float, made: House
) -> None:
    await silent(made, 12)
    await trio.sleep(before)
    seated = await people(made, [stranger(number) for number in range(4)], 1)
    assert {frozenset(names) for names in seated.values()} == {frozenset(NAMES)}


async def test_silent_ones_who_come_between_them_do_not_either(made: House) -> None:
    seated: dict[str, list[str]] = {}
    async with trio.open_nursery() as nursery:
        for number, name in enumerate(NAMES):
            nursery.start_soon(sit, made, name, stranger(number), seated)
            await trio.sleep(2)
            await silent(made, 12)
            await trio.sleep(2)
    assert {frozenset(names) for names in seated.values()} == {frozenset(NAMES)}


async def test_a_crowd_from_one_network_holds_nobody_up(made: House) -> None:
    await silent(made, FRIENDS + 1)
    begin = trio.current_time()
    caller = await made.player(0, stranger(1))
    assert trio.current_time() == begin
    await caller.send(text("Ann"), 1000)
    await made.player(1, stranger(2))
    assert trio.current_time() == begin


@pytest.mark.parametrize("others", [0, 12])
async def test_four_friends_who_come_at_once_from_one_home_sit_together(
    others: int, made: House
) -> None:
    await silent(made, others)
    await trio.sleep(YIELDS_AFTER * (others > 0))
    seated = await people(made, [HOME] * 4, 0)
    assert {frozenset(names) for names in seated.values()} == {frozenset(NAMES)}


async def slow_one(made: House) -> Caller:
    """Who holds the last seat of a table, and has been silent until it yields."""
    await made.guest(-2, 1 << 4 | 0b1100, 0, 0, address=HOME)
    (slow,) = await silent(made, 1)
    await trio.sleep(YIELDS_AFTER)
    return slow


@pytest.mark.house("--fill-after", "never")
class TestASeatThatIsShared:
    async def test_the_first_to_register_has_it(self, made: House) -> None:
        slow = await slow_one(made)
        assert await slow.number() == 1
        quick, late = await made.call(stranger(1)), await made.call(stranger(2))
        assert await quick.number() == 1
        await quick.send(text("Bob"), 1000)
        assert (await quick.seated())[1][:2] == ["Ann", "Bob"]
        await slow.send(text("Cleo"), 1000)
        assert await slow.number() == Refusal.TABLE_TAKEN
        assert await slow.ended()
        assert await late.number() == 0, "a table of their own, for two hold that seat"

    async def test_who_has_lost_it_may_still_come_back_elsewhere(self, made: House) -> None:
        slow = await slow_one(made)
        await (await made.greet("Bob", 1000, address=stranger(1))).seated()
        await slow.send(text("Cleo"), -7, text("anything"), -6, 1, -5, 1, 1, 0, 1000, -1)
        assert (await slow.number(), *await slow.numbers(2)) == (1, 1, 1)
        assert await slow.number() == Refusal.NO_SUCH_GAME, "TABLE_TAKEN would end that seat too"

    async def test_whoever_held_it_may_still_be_the_first(self, made: House) -> None:
        slow = await slow_one(made)
        late = await made.call(stranger(1))
        assert [await slow.number(), await late.number()] == [1, 1]
        await slow.send(text("Cleo"), 1000)
        assert (await slow.seated())[1][:2] == ["Ann", "Cleo"]
        await late.send(text("Bob"), -10, 0, 1000)
        assert await late.numbers(2) == (1, Refusal.TABLE_TAKEN)
        assert "connect again" in await late.string()

    async def test_who_leaves_it_leaves_it_to_the_other(self, made: House) -> None:
        slow = await slow_one(made)
        first = await made.player(1, stranger(1))
        await slow.stream.aclose()
        await trio.sleep(YIELDS_AFTER)
        second = await made.player(1, stranger(2))
        await first.leave()
        await second.send(text("Dan"), 1000)
        assert (await second.seated())[1][:2] == ["Ann", "Dan"]

    async def test_it_is_not_shared_sooner(self, made: House) -> None:
        await made.guest(-2, 1 << 4 | 0b1100, 0, 0, address=HOME)
        await silent(made, 1)
        await trio.sleep(YIELDS_AFTER - WAIT_LIMIT - 0.5)
        begin = trio.current_time()
        newcomer = await made.call(stranger(1))
        assert await newcomer.number() == 0, "a table of their own, for it yields too late"
        assert trio.current_time() == begin
        await trio.sleep(1)
        begin = trio.current_time()
        await made.player(1, stranger(2))
        assert trio.current_time() - begin == pytest.approx(WAIT_LIMIT - 0.5)

    async def test_the_second_seat_of_a_network_yields_to_others_at_once(self, made: House) -> None:
        await made.guest(-2, 1 << 4 | 0b1000, 0, 0, address=HOME)
        begin = trio.current_time()
        await silent(made, 2)
        await made.player(2, stranger(1))
        assert trio.current_time() - begin == SECOND_YIELDS_AFTER
