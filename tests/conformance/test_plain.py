"""The conformance kit passes clients that keep SocketSpec.md, and finds what others break."""

from __future__ import annotations

import struct
from collections.abc import Generator
from dataclasses import replace

import pytest

from hearts_conformance.checks import CheckOutcome, Level
from hearts_conformance.plain import ROOM
from tests.conformance import broken
from tests.conformance.clients import ClientProgram
from tests.conformance.examine import examine
from tests.independent.plain_client import (
    ClientHabits,
    Nonsense,
    OwnSession,
    Request,
    Talk,
    Ticket,
    Write,
    string,
)

pytestmark = pytest.mark.usefixtures("autojump_clock")


def speaks(session: type[OwnSession]) -> type[ClientProgram]:
    return type(session.__name__, (ClientProgram,), {"session": session})


@pytest.mark.heavy
async def test_the_independent_client_conforms() -> None:
    marks = await examine(ROOM, ClientProgram)
    assert marks.good
    not_shown = {mark.check.id for mark in marks.values() if mark.outcome is CheckOutcome.NOT_SHOWN}
    assert not_shown == {
        *("register.wishes", "register.table", "refused.reply", "list.read", "seat.open"),
        *("levels.allowed", "levels.refused", "day.read", "day.once"),
        *(f"name.{each}" for each in ("challenge", "proof", "reply", "unasked", "stranger")),
    }


class NamesNoneThenTooMany(ClientProgram):
    has_returned = False

    def remembered(self, ticket: Ticket) -> Ticket:
        hands = ticket.hands + 1 if self.has_returned else 0
        self.has_returned = True
        return replace(ticket, hands=hands, flag=0)


LISTING = ["hand", "open-seat", "refused-reply", "list", "list-empty"]


class Lists(ClientProgram):
    settings = ClientHabits(name="Zoë", table="friends", listing=True)


class AsksForTheDay(ClientProgram):
    settings = ClientHabits(name="Zoë", visitor=bytes(range(16)))


class PlaysTheDay(ClientProgram):
    settings = ClientHabits(visitor=bytes(16), table="day AAAAAAAAAAAAAAAAAAAAAA")
    comes_back = False


class Thinks(ClientProgram):
    settings = ClientHabits(name="Zoë", think_chance=1.0, think_seconds=5.0)


class Named(ClientProgram):
    settings = ClientHabits(name="Zoë", table="friends", options=(0b10000, 0, 60))


def lists(session: type[OwnSession]) -> type[ClientProgram]:
    return type(session.__name__, (Lists,), {"session": session})


BROKEN: dict[type[OwnSession] | type[ClientProgram], tuple[list[str], set[str]]] = {
    broken.AcksWrongly: (["game"], {"ack.seated"}),
    broken.AcksStatus: (
        ["game"],
        {"step.status"},
    ),
    broken.SkipsAckOfHand: (["forced"], {"ack.hand"}),
    broken.SkipsAckOfScores: (["game"], {"ack.scores"}),
    broken.SendsCard: (["game"], {"play.index"}),
    broken.ShiftsIndexes: (["hand"], {"play.held"}),
    broken.IgnoresNegative: (
        ["refused-pass", "refused-card", "refused-moon"],
        {"retry.pass", "retry.card", "retry.moon"},
    ),
    broken.RepeatsTheCard: (["refused-card"], {"retry.card"}),
    broken.AcksSomeStatuses: (["again", "moon"], {"step.ack", "step.status"}),
    broken.LeavesAtTallies: (["drop-unknown"], {"stream.stays"}),
    broken.SaysNothingForForced: (["forced"], {"forced.owed"}),
    broken.SendsTwice: (["game"], {"step.choice"}),
    broken.PlainOneRecv: (["game", "split", "joined"], {"stream.split", "stream.joined"}),
    broken.IgnoresReceived: (["rules.windows93"], {"pass.places"}),
    broken.ActsOnItsOwnChoice: (["crossing"], {"forced.card"}),
    broken.LittleEndian: (["hand"], {"ack.seated", "chat.register"}),
    broken.BadLength: (["game"], {"str.length"}),
    broken.LongLength: (["game"], {"str.length"}),
    broken.LatinName: (["hand"], {"register.name"}),
    broken.PlainSameProcessId: (["game", "drop"], {"register.random"}),
    broken.CountsProcessIds: (["hand", "game", "again", "moon"], {"register.random"}),
    broken.HoldsAcks: (["hand"], {"ack.at-once"}),
    broken.BareTaunts: (["chat"], {"chat.send"}),
    broken.LongTaunts: (["chat"], {"str.length"}),
    broken.LeadsHearts: (
        ["rules.pass=never", "rules.dump+bleed+queen-keeps+pass=never"],
        {"rule.broken", "rule.queen-keeps"},
    ),
    broken.LeadsAnything: (["rules.queen-keeps+pass=never"], {"rule.two-of-clubs"}),
    broken.KnowsNoQueen: (
        ["rules.dump+bleed+pass=never", "rules.rotate+pass=never"],
        {"rule.dump", "rule.rotate"},
    ),
    broken.PlainOwnCycle: (["rules.pass=cycle3"], {"pass.direction"}),
    broken.AcksRefusals: (["bad-option"], {"refused.game"}),
    broken.PlainAsksForeverForItsSeat: (["drop-over"], {"back.over"}),
    broken.ForgetsItsSeat: (["drop-unknown"], {"back.power-cut"}),
    broken.WrongTaunts: (["chat"], {"chat.register"}),
    broken.DiesWithChat: (
        ["chat", "chat-refused", "chat-dies", "chat-away"],
        {"chat.refused", "chat.dies", "chat.away"},
    ),
    broken.PlainCountsHandsWrongly: (["drop-scores"], {"back.hands"}),
    broken.NewProcessId: (["drop-moon"], {"back.numbers"}),
    NamesNoneThenTooMany: (["drop-scores"], {"back.hands"}),
    lists(broken.KnowsOneTable): (LISTING, {"list.read"}),
    type("OneLine", (AsksForTheDay,), {"session": broken.KnowsOneLine}): (
        ["hand", "day"],
        {"day.read"},
    ),
    PlaysTheDay: (["day"], {"day.once"}),
    lists(broken.TakesRefusalsForReplies): (LISTING, {"refused.reply"}),
    lists(broken.BeginsAtZero): (LISTING, {"seat.open"}),
    broken.WantsTheBestAnyway: (["levels"], {"levels.allowed"}),
    broken.LeavesWithoutItsLevel: (["hand"], {"levels.refused"}),
    broken.KnowsAllLevels: (["hand", "levels"], {"levels.allowed"}),
    broken.Mute: ([], {"register.name", "refused.player"}),
    broken.Flood: (["hand", "full"], {"start.silent", "register.name", "refused.player"}),
}
"""Each broken client, the scenarios that find it out (none for all), and what fails of it."""


@pytest.mark.parametrize("client", BROKEN, ids=lambda client: str(client.__name__))
async def test_a_mistake_fails_what_it_breaks(
    client: type[OwnSession] | type[ClientProgram],
) -> None:
    program = client if issubclass(client, ClientProgram) else speaks(client)
    only, expected = BROKEN[client]
    marks = await examine(ROOM, program, only, fails=expected)
    assert not marks.good or all(
        mark.check.level is Level.SHOULD for mark in marks.values() if mark.failed
    )


CONFORMS = {
    Lists: (LISTING, {"refused.reply", "list.read", "register.table", "seat.open"}),
    AsksForTheDay: (["day"], {"day.read", "day.once"}),
    Thinks: (["hand"], {"ack.at-once"}),
    Named: (
        ["hand", "game", "joined"],
        {"register.table", "register.wishes", "register.blocks"},
    ),
}
"""Clients that do what they may, the scenarios for it, and what these show."""


@pytest.mark.parametrize("client", CONFORMS)
async def test_a_client_that_does_what_it_may_conforms(client: type[ClientProgram]) -> None:
    only, shows = CONFORMS[client]
    await examine(ROOM, client, only, shows=shows)


@pytest.mark.heavy
async def test_a_client_that_finds_legal_cards_by_trying_conforms() -> None:
    rules = {check.id for check in ROOM.checks if check.id.startswith("rule.")}
    only = [each.id for each in ROOM.scenarios if each.id.startswith("rules.")]
    marks = await examine(ROOM, speaks(broken.PlainTriesCards), ["game", *only], fails=rules)
    marks.is_partial = True
    assert marks.good
    assert "broken off" not in {played.ending for played in marks.played}


@pytest.mark.heavy
async def test_a_client_that_does_not_come_back_or_chat_conforms() -> None:
    class Conforms(ClientProgram):
        comes_back = False
        chats = False

    marks = await examine(ROOM, Conforms)
    assert marks.good
    left = {m.check.id for m in marks.values() if m.outcome is CheckOutcome.NOT_SHOWN}
    assert {"back.numbers", "back.goes-on", "chat.register", "chat.dies"} <= left
    assert "left out: the client does not come back" in {p.ending for p in marks.played}


@pytest.mark.parametrize("hands", [0, -1])
async def test_who_names_fewer_hands_or_none_conforms(hands: int) -> None:
    class Forgets(ClientProgram):
        def remembered(self, ticket: Ticket) -> Ticket:
            return replace(ticket, hands=hands, flag=0)

    await examine(ROOM, Forgets, ["drop", "drop-scores", "drop-again", "drop-unknown"])


async def test_who_wants_levels_that_are_allowed_conforms() -> None:
    class Asks(broken.WantsLevels):
        def _look_at_reply(self, reply: int) -> None:
            assert reply == 1

    class WantsWithoutAsking(broken.WantsTheBestAnyway):
        def _look_at_reply(self, reply: int) -> None:
            assert reply == 0

    marks = await examine(ROOM, speaks(Asks), ["hand", "levels"], shows={"levels.allowed"})
    assert {played.ending for played in marks.played} == {"played to its end"}
    fails = {"levels.allowed"}
    await examine(ROOM, speaks(WantsWithoutAsking), ["hand"], fails=fails, shows={"levels.refused"})


async def test_a_must_that_was_not_shown_is_no_pass() -> None:
    marks = await examine(ROOM, ClientProgram, ["hand"])
    assert not marks.good
    assert any(
        mark.outcome is CheckOutcome.NOT_SHOWN and mark.check.level is Level.MUST
        for mark in marks.values()
    )


async def test_who_only_lists_may_go_behind_the_list() -> None:
    class LooksAtTables(OwnSession):
        def _listed_table(self) -> Talk:
            yield from super()._listed_table()
            if sum(fact.kind == "listed" for fact in self.facts) == 99:
                raise Nonsense("that was all it wanted to know")

    class Looker(Lists):
        session = LooksAtTables
        comes_back = False

    marks = await examine(ROOM, Looker, ["list"])
    assert marks.played[0].ending == "the client has read what it asked for, and went"


async def test_a_missing_ack_is_not_put_down_to_the_table_by_name() -> None:
    class Skips(Named):
        session = broken.SkipsAckOfScores

    await examine(ROOM, Skips, ["hand", "game", "again"], fails={"ack.scores"})


async def test_a_registration_in_one_write_conforms() -> None:
    class InOneWrite(OwnSession):
        def _register(self) -> Generator[Request, bytes, bool]:
            self.me = yield from self._int()
            name, settings = string(self.settings.name), self.settings
            yield Write(name + struct.pack(">3i", -10, 0, settings.process_id))
            yield from self._ints(3)
            names = yield from self._names()
            self._note("seated", self.me, 0, 0, texts=names)
            yield from self._ack()
            return True

    class Quick(ClientProgram):
        session = InOneWrite
        comes_back = chats = False

    marks = await examine(ROOM, Quick, ["hand", "game"], fails={"register.replies"})
    (reply,) = [mark for mark in marks.values() if mark.failed]
    assert reply.check.level is Level.SHOULD
    marks.is_partial = True
    assert marks.good
