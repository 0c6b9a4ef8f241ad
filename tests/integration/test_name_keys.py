"""Several keys of one name: let in by a code, told, revoked; and who attacks with them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from hearts.errors import InvalidName
from hearts.names.codes import code_of, code_typed, shown_code
from hearts.names.proof import NameKind, NameProof, NameState, NameWish, Said
from hearts.session.messages import Refusal
from hearts_server.datadir import KeptBytes
from hearts_server.names.claims import MOST_KEYS, NOTICE, SEASON, ClaimedNames
from hearts_server.names.stored import DAY
from hearts_server.names.waiting import (
    MOST_OF_NAME,
    MOST_WAITING,
    TRIES,
    WAITS,
    WaitingKeys,
)

from .house import Caller, House
from .people import Keyholder, challenged, shown

with_names = pytest.mark.house("--names")
FAR = "203.0.113.9"
A, B, C, D = (each * 32 for each in (b"a", b"b", b"c", b"d"))


@asynccontextmanager
async def named(made: House, who: Keyholder, address: str = "192.0.2.1") -> AsyncIterator[Caller]:
    """A connection that has said its name, and hears reasons."""
    caller = await made.greet(who.name, -10, 0, address=address)
    assert await caller.number() == 1
    yield caller
    await caller.leave()


async def wish(
    made: House,
    who: Keyholder,
    wish: NameWish,
    details: bytes = b"",
    *,
    address: str = "192.0.2.1",
    kind: int = 0,
) -> str:
    """The first line of the answer, or the reason of a refusal."""
    async with named(made, who, address) as caller:
        state = await who.proves(caller, wish, details, kind)
        if state == Refusal.NO_CLAIM:
            return await caller.string()
        assert state > 0
        return who.notes[0]


async def waiting(made: House, who: Keyholder, *, kind: int = 0, address: str = FAR) -> bytes:
    """Ask to be let in; the code."""
    said = await wish(made, who, NameWish.ASK_IN, address=address, kind=kind)
    word, code = said.split()
    assert word == "code"
    assert code == code_typed(code)
    return code.encode()


async def claimed(made: House, name: str = "Ann", secret: bytes = b"first") -> Keyholder:
    who = Keyholder(name, secret)
    assert "kept for you" in await wish(made, who, NameWish.CLAIM)
    return who


async def keys(made: House, who: Keyholder) -> list[str]:
    """The public keys of a name and their kinds, the oldest first."""
    await wish(made, who, NameWish.KEYS)
    found = [note.split() for note in who.notes if note.startswith("key ")]
    return [f"{key[:8]} {kind}" for _, key, since, used, kind in found if int(since) <= int(used)]


async def let_in(made: House, first: Keyholder, second: Keyholder) -> None:
    code = await waiting(made, second)
    said = (await wish(made, first, NameWish.LET_IN, code)).split()
    await wish(made, first, NameWish.LET_IN, code + bytes.fromhex(said[1]))


@with_names
async def test_a_second_device_is_let_in_by_a_code_that_it_shows(made: House) -> None:
    first, second = await claimed(made), Keyholder("Ann", b"second")
    code = await waiting(made, second, kind=NameKind.PROGRAM)
    word, key, _, *about = (await wish(made, first, NameWish.LET_IN, code)).split()
    assert (word, about) == ("waits", ["program", "far"])
    # It is only shown by then.
    assert len(await keys(made, first)) == 1
    confirmed = code + bytes.fromhex(key)
    assert "let in to the name Ann" in await wish(made, first, NameWish.LET_IN, confirmed)
    both = await keys(made, first)
    assert [each.split()[1] for each in both] == ["person", "program"]
    assert both[1].startswith(key[:8])
    async with named(made, second) as caller:
        assert await second.proves(caller) == NameState.OWN
        assert not any("let in" in note for note in second.notes)
        await caller.send(-2, 1 << 4 | 0b1110, 0, 0, 1000)
        assert (await caller.seated())[1][0] == "Ann"


@with_names
async def test_the_device_that_waits_may_be_near(made: House) -> None:
    first = await claimed(made)
    code = await waiting(made, Keyholder("Ann", b"second"), address="192.0.2.1")
    assert (await wish(made, first, NameWish.LET_IN, code)).endswith(" person near")


@with_names
async def test_a_key_is_revoked_and_told_so(made: House) -> None:
    first, second = await claimed(made), Keyholder("Ann", b"second")
    await let_in(made, first, second)
    await wish(made, first, NameWish.KEYS)
    both = [bytes.fromhex(note.split()[1]) for note in first.notes[:2]]
    # A stolen key in its first seven days cannot lock the owner out.
    assert "no say about older" in await wish(made, second, NameWish.REVOKE, both[0])
    assert "no key of the name" in await wish(made, first, NameWish.REVOKE, bytes(32))
    await wish(made, first, NameWish.REVOKE, both[1])
    said = "The key of this device for the name Ann was revoked."
    assert await wish(made, second, NameWish.PROVE) == said
    assert "keeps its last key" in await wish(made, first, NameWish.REVOKE, both[0])
    assert len(await keys(made, first)) == 1
    # Nobody is told of keys who has none.
    async with named(made, second) as caller:
        assert await second.proves(caller, NameWish.KEYS) == NameState.TAKEN
        assert await second.proves(caller, NameWish.LET_IN, bytes(8)) == NameState.UNTOLD


@with_names
@pytest.mark.parametrize(
    ("wish", "size"),
    [(NameWish.LET_IN, 0), (NameWish.LET_IN, 39), (NameWish.REVOKE, 31), (NameWish.KEYS, 1)],
)
async def test_details_of_another_size_mean_nothing(made: House, wish: NameWish, size: int) -> None:
    first = await claimed(made)
    async with named(made, first) as caller:
        assert await first.proves(caller, wish, bytes(size)) == NameState.UNTOLD


@with_names
async def test_a_name_that_is_nobodys_has_no_key_that_waits(made: House) -> None:
    ann = Keyholder("Ann")
    async with named(made, ann) as caller:
        assert await ann.proves(caller, NameWish.ASK_IN) == NameState.FREE
    await claimed(made)
    bob = await claimed(made, "Bob", b"bob")
    other = Keyholder("Ann", b"bob")
    assert await wish(made, other, NameWish.ASK_IN) == "you have a name here: Bob"
    assert len(await keys(made, bob)) == 1


class TestAttacksByKeys:
    @with_names
    async def test_five_wrong_codes(self, made: House) -> None:
        first = await claimed(made)
        code = await waiting(made, Keyholder("Ann", b"second"))
        for left in reversed(range(TRIES)):
            said = await wish(made, first, NameWish.LET_IN, b"\xff0000000")
            assert said.endswith(f"tries that are left: {left}")
        # The right one is none any more.
        assert "too many wrong codes" in await wish(made, first, NameWish.LET_IN, code)

    @with_names
    async def test_a_code_for_another_name(self, made: House) -> None:
        await claimed(made)
        bob = await claimed(made, "Bob", b"bob")
        code = await waiting(made, Keyholder("Ann", b"second"))
        assert "no device waits" in await wish(made, bob, NameWish.LET_IN, code)

    @with_names
    async def test_a_stranger_lets_nobody_in(self, made: House) -> None:
        await claimed(made)
        thief = Keyholder("Ann", b"thief")
        code = await waiting(made, thief)
        async with named(made, thief) as caller:
            assert await thief.proves(caller, NameWish.LET_IN, code) == NameState.UNTOLD

    @with_names
    async def test_what_lets_a_key_in_is_worth_nothing_again(self, made: House) -> None:
        first, second = await claimed(made), Keyholder("Ann", b"second")
        code = await waiting(made, second)
        key = bytes.fromhex((await wish(made, first, NameWish.LET_IN, code)).split()[1])
        async with named(made, first) as caller:
            meeting = await challenged(caller)
            said = Said("Ann", 0, NameWish.LET_IN, details=code + key)
            proof = NameProof.of(said, meeting, first.key(meeting))
            assert await shown(caller, proof) == NameState.OWN
            for _ in range(await caller.number()):
                await caller.string()
            assert await shown(caller, proof) == NameState.UNTOLD
        await wish(made, first, NameWish.REVOKE, key)
        async with named(made, first) as caller:
            await challenged(caller)
            assert await shown(caller, proof) == Refusal.BAD_PROOF
        # With a proof of its own, too: the code is spent.
        assert "no device waits" in await wish(made, first, NameWish.LET_IN, code + key)
        # A key that nobody saw is not let in with the code of another.
        code = await waiting(made, second)
        assert "another key" in await wish(made, first, NameWish.LET_IN, code + bytes(32))

    async def test_a_stolen_key_waits_seven_days_for_a_say(self) -> None:
        now, names = await names_of(A)
        now[0] += 30 * DAY
        await names.was_proved(names.all()[0], A)
        await names.let_in("Ann", A, B, 0)
        await names.let_in("Ann", B, C, 0)
        now[0] += SEASON - 1
        for by, gone in ((B, A), (C, A), (C, B)):
            with pytest.raises(InvalidName, match="newer keys have no say"):
                await names.revoke("Ann", by, gone)
        # Who has a copy of the oldest key cannot leave the name to newer ones either.
        with pytest.raises(InvalidName, match="newer keys have no say"):
            await names.revoke("Ann", A, A)
        await names.revoke("Ann", A, B)
        now[0] += 1
        await names.revoke("Ann", C, A)
        (claim,) = names.all()
        assert [own.key for own in claim.keys] == [C.hex()]
        assert names.of_key(A) is None

    async def test_a_newer_key_gives_itself_up_at_once(self) -> None:
        _, names = await names_of(A, B)
        await names.revoke("Ann", B, B)
        assert names.of_key(B) is None

    async def test_keys_are_bounded_however_many_are_let_in(self) -> None:
        now, names = await names_of(A)
        for number in range(MOST_KEYS - 1):
            await names.let_in("Ann", A, bytes([number]) * 32, 0)
            await names.revoke("Ann", A, bytes([number]) * 32)
        with pytest.raises(InvalidName, match="no room for another key"):
            await names.let_in("Ann", A, B, 0)
        now[0] += NOTICE
        await names.let_in("Ann", A, B, 0)
        assert [news.name for news in names.news(A)] == ["Ann"]


async def names_of(first: bytes, *others: bytes) -> tuple[list[float], ClaimedNames]:
    """Ann's name, which has been played with, and its keys; and the time, which can be moved."""
    now = [1e9]
    names = ClaimedNames(KeptBytes(b"", lambda data: None), b"s" * 32, clock=lambda: now[0])
    await names.claim("Ann", first, 0, "192.0.2.1")
    await names.keep_after_game(["Ann"])
    for key in others:
        await names.let_in("Ann", first, key, 0)
    return now, names


async def test_all_keys_are_told_for_seven_days_and_the_host_frees_all() -> None:
    now, names = await names_of(A, B)
    kinds = {key: [news.kind for news in names.news(key)] for key in (A, B)}
    assert kinds == {A: [1], B: []}
    now[0] += NOTICE
    assert not [*names.news(A)]
    assert await names.free("Ann")
    assert [news.kind for key in (A, B) for news in names.news(key)] == [0, 0]


async def test_one_who_is_back_does_not_hear_that_they_were_gone() -> None:
    _, names = await names_of(A, B)
    await names.revoke("Ann", A, B)
    assert [news.kind for news in names.news(B)] == [2]
    await names.let_in("Ann", A, B, 0)
    assert not [*names.news(B)]
    with pytest.raises(InvalidName, match="has a name here"):
        await names.let_in("Ann", A, B, 0)
    with pytest.raises(InvalidName, match="not yours"):
        await names.let_in("Ann", C, D, 0)


class TestWaiting:
    def test_a_key_waits_ten_minutes(self) -> None:
        waits = WaitingKeys()
        code = waits.ask("Ann", B, 0, FAR, 0.0).encode()
        assert waits.find("Ann", code, WAITS - 1).key == B
        with pytest.raises(InvalidName):
            waits.find("Ann", code, WAITS)

    def test_tries_come_back_after_ten_minutes(self) -> None:
        waits = WaitingKeys()
        for _ in range(TRIES + 1):
            with pytest.raises(InvalidName):
                waits.find("Ann", bytes(8), 0.0)
        code = waits.ask("Ann", B, 0, FAR, WAITS).encode()
        assert waits.find("Ann", code, WAITS).key == B

    def test_a_stranger_does_not_keep_the_owners_device_out(self) -> None:
        waits = WaitingKeys()
        own = waits.ask("Ann", B, 0, FAR, 0.0).encode()
        for number in range(9):
            waits.ask("Ann", bytes([number]) * 32, 0, "192.0.2.1", 1.0)
        assert waits.find("Ann", own, 2.0).key == B
        assert waits.find("Ann", waits.ask("Ann", C, 0, FAR, 3.0).encode(), 3.0).key == C

    def test_what_waits_is_bounded_by_network_by_name_and_in_all(self) -> None:
        waits = WaitingKeys()
        for number in range(3):
            waits.ask(f"Name {number}", B, 0, FAR, 0.0)
        with pytest.raises(InvalidName, match="of your network"):
            waits.ask("Ann", B, 0, FAR, 0.0)
        codes = [
            waits.ask(name, B, 0, f"198.{number // 250}.{number % 250}.1", 1.0).encode()
            for number, name in enumerate(["Ann"] * (MOST_OF_NAME + 1) + ["Bob"])
        ]
        with pytest.raises(InvalidName):
            waits.find("Ann", codes[0], 1.0)
        assert [waits.find("Ann", code, 1.0).code for code in codes[1:-1]]
        assert waits.find("Bob", codes[-1], 1.0).name == "Bob"
        for number in range(MOST_WAITING):
            waits.ask(f"Name {number}", B, 0, f"199.{number // 250}.{number % 250}.1", 2.0)
        with pytest.raises(InvalidName):
            waits.find("Bob", codes[-1], 2.0)


def test_a_code_is_typed_as_people_type() -> None:
    assert code_of(bytes(5)) == "00000000"
    assert code_of(b"\xff" * 5) == "ZZZZZZZZ"
    code = code_of(bytes([0x08, 0x86, 0x42, 0x98, 0xE8]))
    assert code_typed(f" {shown_code(code).lower()} ") == code
    assert code_typed("oil0-oil1") == "01100111"
    for bad in ("", "1234567", "123456789", "1234567U", "1234 567é"):
        assert code_typed(bad) == ""
