"""Moderators: owners of names who do to people what the host does, within limits; and guests."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from hearts.dealer.messages import AnswerError
from hearts.errors import Fault
from hearts.hosting.table_chat import SeatMuted
from hearts.session import table_words as w
from hearts.session.messages import Refusal
from hearts.session.wishes import AskHost
from hearts.table.effects import Change
from hearts.table.inputs import OpenSeat
from hearts_server.console import protocol as p
from hearts_server.console.acts import Acts
from hearts_server.console.desk import CANNOT, HelpDesk
from hearts_server.console.moderating import ACTS_AN_HOUR, USAGE, Moderating, read_request
from hearts_server.moderation.book import ActDone, Measure, MeasureKind
from tests.integration.friends import DEALER, Friend
from tests.integration.house import Caller, House, options, text
from tests.integration.people import Keyholder
from tests.integration.ports import ListeningChat

from .console_desk import one

MOD, ANN, BOB = "203.0.113.7", "203.0.113.1", "203.0.113.2"
ABOVE = "nothing is done against the host and moderators"
Enter = Callable[[House], Awaitable[Caller]]
pytestmark = pytest.mark.house("--names", "--pause-limit", "never")


async def owner(made: House, name: str, address: str, *blocks: int | bytes) -> Friend:
    """Claim a name, or prove it, and sit down."""
    friend = Friend(await made.call(address))
    friend.player = await friend.caller.number()
    await friend.caller.send(text(name))
    await Keyholder(name).claims(friend.caller)
    await friend.caller.send(*DEALER)
    assert await friend.caller.number() == 1
    await friend.caller.send(*blocks, 1000 + friend.player)
    await wait_all_tasks_blocked()
    return friend


async def guest(made: House, name: str, address: str, *blocks: int | bytes) -> Caller:
    caller = await made.greet(name, *blocks, 1000, address=address)
    await wait_all_tasks_blocked()
    return caller


async def ask(friend: Friend, asked: str) -> str:
    # As often as it may be asked.
    await trio.sleep(6)
    await friend.say(AskHost(friend.player, asked))
    return (await friend.receive(w.ServerNotice)).text


@pytest.fixture
async def mod(made: House, chat: ListeningChat) -> Friend:
    """Mia, a moderator, who plays alone."""
    desk = HelpDesk(made.server, Moderating(Acts(made.server)), made.nursery)
    made.server.lobby.ask_host = desk.ask
    mia = await owner(made, "Mia", MOD, -2, *options(computers=0b1110))
    assert await one(made, p.AppointModerator("Mia")) == p.Done("Mia is a moderator")
    return mia


class TestActs:
    async def test_an_evening(self, made: House, mod: Friend, chat: ListeningChat) -> None:
        await guest(made, "Ann", ANN, -2, *options(computers=0b1100))
        await owner(made, "Bob", BOB)
        await guest(made, "Eve", ANN, -2, *options(computers=0b1110))
        asked = [
            "warn ~Ann be kind",
            "mute ~Ann --hours 2 --why too loud",
            "mute 2/1 --why spam",
            "remove 2 0",
            "ban Bob --why cards thrown",
            "end 3",
        ]
        for line in asked:
            assert (await ask(mod, line)).removeprefix("done: ") == line
        muted = [said for said in chat.said if isinstance(said, SeatMuted)]
        assert [said.player for said in muted if said.muted][:2] == [0, 1]
        acts = made.server.book.acts[1:]
        assert [(act.by, act.asked) for act in acts] == [("Mia", line) for line in asked]
        (ban,) = made.server.book.standing(MeasureKind.BAN)
        assert (ban.network, ban.name, ban.until, ban.why) == ("", "Bob", None, "cards thrown")

    async def test_a_guest_is_banned_by_address_for_a_day(self, made: House, mod: Friend) -> None:
        ann = await guest(made, "Ann", ANN, -2, *options(computers=0b1110))
        assert await ask(mod, "ban ~Ann --hours 25") == (
            "a moderator bans an address for 24 hours at most"
        )
        assert await ask(mod, "ban ~Ann --why spam") == "done: ban ~Ann --hours 24 --why spam"
        (ban,) = made.server.book.standing(MeasureKind.BAN)
        assert (ban.network, ban.name) == (ANN, "")
        assert ban.until is not None
        assert time.time() + 86_300 < ban.until <= time.time() + 86_400
        while not await ann.ended():
            pass

    async def test_nothing_else_and_no_address_is_told(self, made: House, mod: Friend) -> None:
        await guest(made, "Ann", ANN, -2, *options(computers=0b1110))
        for line in ("unban Bob", "mute", "mute --off ~Ann", "say hello", "moderator Bob", "'", ""):
            assert await ask(mod, line) == USAGE
        for line in ("tables", "mute ~Ann", "ban ~Ann", "reports"):
            assert ANN not in await ask(mod, line)

    async def test_so_many_an_hour(
        self, made: House, mod: Friend, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert ACTS_AN_HOUR == 20, "docs/hosting/server.md names it"
        monkeypatch.setattr("hearts_server.console.moderating.ACTS_AN_HOUR", 2)
        await guest(made, "Ann", ANN, -2, *options(computers=0b1110))
        for _ in range(2):
            assert await ask(mod, "warn ~Ann be kind") == "done: warn ~Ann be kind"
        assert await ask(mod, "mute ~Ann") == "a moderator acts 2 times an hour at most"
        assert not made.server.book.standing(MeasureKind.MUTE)
        later = made.server.book.now() + 3601
        monkeypatch.setattr(made.server.book, "now", lambda: later)
        assert await ask(mod, "mute ~Ann") == "done: mute ~Ann"

    async def test_nothing_against_the_host_and_moderators(self, made: House, mod: Friend) -> None:
        await owner(made, "Bob", BOB, -2, *options(computers=0b1110))
        await one(made, p.AppointModerator("Bob"))
        await guest(made, "Host", "127.0.0.1", -2, *options(computers=0b1110))
        for line in (
            "ban Bob", "mute Bob", "warn Bob x", "remove 2 0", f"ban {BOB}", "ban Mia",
        ):  # fmt: skip
            assert await ask(mod, line) == ABOVE
        # So it is for everybody behind a proxy that does not say who they are.
        for line in ("ban ~Host", "remove 3 0"):
            assert "the host sets --forwarded-from" in await ask(mod, line)
        assert [act.by for act in made.server.book.acts] == ["the host"] * 2


class TestWhoIsOne:
    async def test_others_are_none(self, made: House, mod: Friend) -> None:
        bob = await owner(made, "Bob", BOB, -2, *options(computers=0b1110))
        assert await ask(bob, "mute Mia") == CANNOT
        assert await one(made, p.AppointModerator("Moe")) == p.NotDone(
            "Moe is nobody's name here (--names)"
        )
        assert await one(made, p.AppointModerator()) == p.Done("Mia")

    async def test_until_the_host_ends_it(self, made: House, mod: Friend) -> None:
        await one(made, p.AppointModerator("Mia", True))
        assert await ask(mod, "mute Mia") == CANNOT
        told = await one(made, p.AppointModerator("Mia", True))
        assert told == p.NotDone("Mia is no moderator")

    async def test_the_next_owner_of_the_name_is_none(self, made: House, mod: Friend) -> None:
        names = made.server.names
        assert names is not None
        await names.claims.free("Mia")
        assert await ask(mod, "tables") == CANNOT
        other = Friend(await made.call(BOB))
        await other.caller.number()
        await other.caller.send(text("Mia"))
        assert await Keyholder("Mia", b"another").claims(other.caller) > 0
        await other.caller.send(*DEALER, -2, *options(computers=0b1110), 1000)
        assert await other.caller.number() == 1
        assert await ask(other, "tables") == CANNOT

    def test_what_is_no_request(self) -> None:
        assert read_request("mute 'Ann Lee' --hours 3 --why a b") == p.MutePlayer(
            "Ann Lee", hours=3, why="a b"
        )
        for line in ("ban", "ban a --hours x", "ban a --hours", "remove 1", "end x", "end 1 2"):
            assert read_request(line) is None


class TestEvading:
    """A ban costs as much to evade as the host has chosen."""

    async def enter(self, made: House, name: str, *, owns: bool, master: bytes = b"") -> int:
        caller = await made.call(BOB)
        await caller.number()
        await caller.send(text(name), -10, 0)
        assert await caller.number() == 1
        if owns:
            await Keyholder(name, master or name.encode()).claims(caller)
        await caller.send(-2, *options(computers=0b1110), 1000)
        return await caller.number()

    async def ban(self, made: House) -> None:
        act = ActDone(0.0, "the host", "ban Bob", "")
        await made.server.book.put(act, Measure(MeasureKind.BAN, name="Bob"))

    async def test_with_guests_nothing(self, made: House) -> None:
        await self.ban(made)
        assert await self.enter(made, "Bob", owns=True) == Refusal.BANNED
        assert await self.enter(made, "Bob", owns=False) > 0

    @pytest.mark.house("--names", "--guests", "no")
    async def test_without_guests_another_name(self, made: House) -> None:
        await self.ban(made)
        assert await self.enter(made, "Bob", owns=True) == Refusal.BANNED
        assert await self.enter(made, "Bob", owns=False) == Refusal.BANNED
        assert await self.enter(made, "Rob", owns=True, master=b"new") > 0

    async def test_an_address_keeps_out_every_name_there(self, made: House) -> None:
        act = ActDone(0.0, "the host", "ban", "")
        await made.server.book.put(act, Measure(MeasureKind.BAN, BOB))
        assert await self.enter(made, "Bob", owns=False) == Refusal.BANNED


class TestHowGuestsPlay:
    @pytest.mark.house("--names", "--guests", "alone", "--fill-after", "never")
    async def test_alone(self, made: House) -> None:
        caller = await made.greet("Ann", -2, *options(computers=0b1110), 1000)
        await caller.seated()
        bob = await owner(made, "Bob", BOB)
        assert bob.player == 0
        for blocks in ((), (-2, *options(computers=0b0110)), (-4, text("den"))):
            refused = await made.greet("Cleo", -10, 0, *blocks, 1000)
            numbers = [await refused.number() for _ in range(2)]
            while numbers[-1] >= 0:
                numbers.append(await refused.number())
            assert numbers[-1] == Refusal.BANNED
            assert "guests play alone" in await refused.string()

    @pytest.mark.house("--names", "--guests", "alone")
    async def test_alone_a_seat_cannot_be_opened_to_others(self, made: House) -> None:
        ann = await Friend.come(made, "Ann", -2, *options(computers=0b1110))
        await ann.say(OpenSeat(0, 1))
        assert (await ann.receive(AnswerError)).reason == Fault.NOT_NOW
        bob = await owner(made, "Bob", BOB, -2, *options(computers=0b1110))
        await bob.say(OpenSeat(0, 1))
        change = await bob.receive(w.PlayerChange)
        assert (change.info.player, change.change) == (1, Change.OPENED)

    @pytest.mark.house("--names", "--guests", "no")
    async def test_not_at_all(self, made: House) -> None:
        refused = await made.greet("Ann", -10, 0, -2, *options(computers=0b1110), 1000)
        assert await refused.numbers(2) == (1, Refusal.BANNED)
        assert "claim a name" in await refused.string()
        await (await owner(made, "Bob", BOB, -2, *options(computers=0b1110))).caller.leave()
