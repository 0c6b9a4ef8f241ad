"""The conformance kit passes clients of the dealer dialect, and finds what others break."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import pytest
import trio

from hearts.dealer.frames import MessageType
from hearts.dealer.messages import AnswerError
from hearts.errors import Fault
from hearts.table.inputs import ClaimRest
from hearts_conformance.checks import CheckOutcome, Marks
from hearts_conformance.dealer import ROOM
from hearts_conformance.dealer.kit_seat import DealerKitSeat
from hearts_conformance.session.chat import WATCHED_GAME
from hearts_conformance.session.script import Script
from tests.conformance import bot_clients as bots
from tests.conformance import dealer_broken as broken
from tests.conformance.clients import ClientProgram
from tests.conformance.dealer_clients import DealerProgram, Dealing
from tests.conformance.examine import examine
from tests.dealer.room import decoded, said
from tests.independent.dealer import DealerWatcher
from tests.independent.dealer_frames import PING, PONG, REGISTER_PLAYER, ServerFrame, encode, ints
from tests.independent.plain_client import OwnSession, Request, Ticket

pytestmark = pytest.mark.usefixtures("autojump_clock")


@pytest.mark.heavy
async def test_the_independent_client_conforms() -> None:
    marks = await examine(ROOM, DealerProgram)
    assert marks.good
    not_shown = {mark.check.id for mark in marks.values() if mark.outcome is CheckOutcome.NOT_SHOWN}
    assert not_shown == {
        "register.wishes",
        "levels.allowed",
        "levels.refused",
        *("list.read", "day.read", "day.once"),
        "watch.reads",
        "watch.refused",
        "seat.open",
        "claim.refused",
        "undo.game",
        "undo.refused",
        "abort.vote",
        "abort.hand",
        "abort.game",
        "seat.give",
        "invitation.answer",
        *(f"name.{each}" for each in ("challenge", "proof", "reply", "unasked", "stranger")),
    }
    endings = {played.id: played.ending for played in marks.played}
    assert endings.pop("levels") == "the client does not ask which levels are allowed"
    assert endings.pop("cut-twice") == "the client left at the second promise"
    assert endings.pop("drop-cut-otherwise") == "the client left at the second promise"
    assert endings.pop("proof") == "the client left at the wrong proof"
    assert endings.pop("day") == "the client does not ask for the deal of the day"
    assert endings.pop("list") == "the client asks for no list of tables"
    assert endings.pop("take-back") == "the client takes nothing back"
    assert endings.pop("watch") == "the client does not watch"
    assert endings.pop("watch-over") == "the client does not watch"
    assert endings.pop("open-seat") == "left out: the client goes to no table by its name"
    assert endings.pop("name-own") == "the client proves no name"
    unproved = {endings.pop(each) for each in [*endings] if each.startswith("name-")}
    assert unproved == {"left out: the client proves no name"}
    assert endings.pop("list-empty") == "left out: the client asks for no list of tables"
    assert set(endings.values()) == {"played to its end"}


def dealing(session: type[Dealing]) -> type[DealerProgram]:
    return type(session.__name__, (DealerProgram,), {"session": session})


class Watches(DealerProgram):
    comes_back = chats = False
    watcher: type[DealerWatcher] = DealerWatcher

    def begin(self, ticket: Ticket | None, before: OwnSession | None) -> OwnSession:
        return self.watcher(self.settings, WATCHED_GAME, bothers=True)


def watching(watcher: type[DealerWatcher]) -> type[DealerProgram]:
    return type(watcher.__name__, (Watches,), {"watcher": watcher})


class ComesLate(DealerProgram):
    settings = replace(DealerProgram.settings, table="friends", newcomer=True)


PLAYED_OUT = ["game", "refused-card", "crossing", "rules.standard", "rules.mac2000"]


BROKEN: dict[type[Dealing] | type[ClientProgram], tuple[list[str], set[str]]] = {
    ClientProgram: (["hand"], {"dealer.version"}),
    broken.AnswersTheFrameBefore: (["game"], {"answer.in-reply-to"}),
    broken.LeadsAsItPlays: (["game"], {"answer.type"}),
    broken.AnswersTwice: (["game"], {"answer.once"}),
    broken.Acks: (["game"], {"frame.no-acks"}),
    broken.SendsIndexes: (["game"], {"pass.answer"}),
    broken.PlaysAnything: (["rules.standard"], {"card.legal"}),
    broken.LeavesAtTheThirdTrick: (["drop"], {"stream.stays"}),
    broken.SaysTwo: (["moon"], {"moon.answer"}),
    broken.GivesUp: (
        ["refused-pass", "refused-card", "refused-moon"],
        {"retry.pass", "retry.card", "retry.moon"},
    ),
    broken.AnswersAgainWhateverCame: (["crossing"], {"late.nothing"}),
    broken.LosesAtItsAnswer: (["crossing"], {"card.lost"}),
    broken.KeepsItsPass: (["game"], {"card.lost", "stream.stays"}),
    broken.SaysNoHash: (["game"], {"cut.hash"}),
    broken.ShortCuts: (["game"], {"cut.answer"}),
    broken.ShowsAnotherValue: (["game"], {"cut.fits"}),
    broken.CutsAlwaysTheSame: (["game"], {"cut.another"}),
    broken.ForgetsItsValues: (["drop-cut"], {"cut.again"}),
    broken.ShowsItsValueTwice: (["cut-twice"], {"cut.once"}),
    broken.StopsAtASecondPromise: (["cut-twice"], {"cut.next"}),
    broken.Swapped: (["hand"], {"frame.whole"}),
    broken.CountsTheHeader: (["hand"], {"frame.whole"}),
    broken.DiesOfUnknown: (["hand", "game", "unknown"], {"frame.unknown"}),
    broken.DiesOfLonger: (["hand", "game", "longer"], {"frame.longer"}),
    broken.DiesOfWaiting: (["hand", "game", "asides"], {"aside.any-time"}),
    broken.OneRecv: (["hand", "game", "split", "joined"], {"stream.split", "stream.joined"}),
    broken.Floods: (["taken"], {"notify.silent"}),
    broken.StaysWhenRefused: (["taken"], {"refused.frame"}),
    broken.TakesRefusalsForFrames: (["refused-plainly"], {"refused.plainly"}),
    broken.AnswersThePast: (["drop-decided"], {"back.past"}),
    broken.OwnCycle: (["rules.pass=cycle3"], {"pass.direction"}),
    broken.CountsAtDoneHand: (["drop-end"], {"back.end"}),
    broken.ExpectsOwnChoices: (["claimed"], {"claim.told"}),
    bots.VotesWithNothing: (["abort-hand"], {"abort.vote"}),
    bots.DiesOfAbortedHands: (["abort-hand"], {"abort.hand"}),
    bots.LeavesWithTheGame: (["abort-game"], {"abort.game"}),
    bots.DiesOfTakenBack: (["take-back"], {"undo.game"}),
    broken.TakesBackAndWaits: (["game", "take-back"], {"undo.refused", "undo.game"}),
    bots.ComesWithNothing: (["invited"], {"invitation.answer"}),
    bots.KeepsItsSeatWithNothing: (["give-seat"], {"seat.give"}),
    broken.LongPings: (["hand"], {"request.payload"}),
    broken.ClaimsAndWaits: (["game"], {"claim.refused"}),
    broken.SaysTooHighALevel: (["hand"], {"register.player"}),
    broken.KnowsNoStanding: (["hand", "game", "open-seat"], {"seat.open"}),
    watching(broken.ExpectsWholeHands): (["watch"], {"watch.reads"}),
    watching(broken.WatchesAllTheSame): (["watch-over"], {"watch.refused"}),
}
"""Each broken client, the scenarios that find it out, and what fails of it."""


@pytest.mark.parametrize("client", BROKEN, ids=lambda client: str(client.__name__))
async def test_a_mistake_fails_what_it_breaks(client: type[Dealing] | type[ClientProgram]) -> None:
    only, expected = BROKEN[client]
    marks = await examine(
        ROOM, client if issubclass(client, ClientProgram) else dealing(client), only, fails=expected
    )
    assert not marks.good


TO_ITS_END = "played to its end"
CUTTING = ["game", "cut-late", "cut-twice", "drop-cut", "drop-cut-otherwise", "abort-cut"]
CUTS = {check.id for check in ROOM.checks if check.id.startswith("cut.")}
CONFORMS: list[tuple[type[ClientProgram], list[str], set[str], str]] = [
    (bots.Cutter, CUTTING, CUTS, TO_ITS_END),
    # It goes on behind a second promise.
    (dealing(broken.Patient), ["game", "cut-twice"], {"cut.once", "cut.next"}, TO_ITS_END),
    (dealing(broken.Claims), ["hand", "game"], {"claim.refused"}, TO_ITS_END),
    (bots.TakesBack, ["game", "take-back"], {"undo.game", "undo.refused"}, TO_ITS_END),
    (bots.GivesItsSeatUp, ["hand", "give-seat"], {"seat.give"}, "the client left for good"),
    (ComesLate, ["open-seat"], {"seat.open"}, TO_ITS_END),
    (Watches, ["watch"], {"watch.reads"}, TO_ITS_END),
    (Watches, ["watch-over"], {"watch.refused"}, TO_ITS_END),
]
"""Clients that do what they may, the scenarios for it, what these show, and the last one's end."""


@pytest.mark.parametrize(("client", "only", "shows", "ending"), CONFORMS)
async def test_a_client_that_does_what_it_may_conforms(
    client: type[ClientProgram],
    only: list[str],
    shows: set[str],
    ending: str,
) -> None:
    marks = await examine(ROOM, client, only, shows=shows)
    assert {played.ending for played in marks.played[:-1]} <= {TO_ITS_END}
    assert marks.played[-1].ending == ending


async def test_a_client_that_finds_legal_cards_by_trying_conforms() -> None:
    class Tries(DealerProgram):
        session = broken.TriesCards
        # The independent client counts its tries for each connection anew, and leaves at another.
        comes_back = False

    marks = await examine(ROOM, Tries, PLAYED_OUT, fails={"card.legal"})
    marks.is_partial = True
    assert marks.good
    assert "broken off" not in {played.ending for played in marks.played}


@pytest.mark.parametrize("hands", [0, -1])
async def test_who_names_fewer_hands_or_none_conforms(hands: int) -> None:
    class DealerForgets(DealerProgram):
        def remembered(self, ticket: Ticket) -> Ticket:
            return replace(ticket, hands=hands, flag=0)

    await examine(ROOM, DealerForgets, ["drop", "drop-scores", "drop-again", "drop-unknown"])


ASKED = ["hand", "invited", "claimed", "abort-hand", "abort-game", "give-seat"]


async def test_our_bot_answers_what_is_asked_beside_the_game() -> None:
    bots.BotProgram.settled.clear()
    shows = {"claim.told", "abort.vote", "abort.hand", "abort.game", "seat.give"}
    marks = await examine(ROOM, bots.BotProgram, ASKED, shows=shows | {"invitation.answer"})
    assert set(bots.BotProgram.settled) == {
        *("no seat is free any more", "the player does not come"),
    }
    assert {played.ending for played in marks.played} == {TO_ITS_END}


@pytest.mark.heavy
async def test_a_client_that_does_no_more_than_it_must_conforms() -> None:
    class DealerConforms(DealerProgram):
        comes_back = False
        chats = False
        settings = replace(DealerProgram.settings, cuts=False, agrees=None, registers=-1, pings=0)

    marks = await examine(ROOM, DealerConforms)
    assert marks.good
    left = {mark.check.id for mark in marks.values() if mark.outcome is CheckOutcome.NOT_SHOWN}
    assert {"register.player", "cut.answer", "rules.vote", "back.past", "chat.register"} <= left


async def test_frames_may_come_right_behind_the_process_id() -> None:
    class PingsAtOnce(DealerProgram):
        async def write(self, data: bytes, stream: trio.abc.HalfCloseableStream) -> None:
            if data == ints(self.settings.process_id):
                data += encode(PING, 0, b"early") + encode(
                    REGISTER_PLAYER, 1, ints(4, 9, 0, 1) + b"\0"
                )
            await super().write(data, stream)

        settings = replace(
            DealerProgram.settings, registers=-1, kind=4, level=9, cuts=False, pings=0
        )

    class HearsPong(Dealing):
        def _react(self, frame: ServerFrame) -> Generator[Request, bytes, bool]:
            if frame.type == PONG:
                return True
            return (yield from super()._react(frame))

    PingsAtOnce.session = HearsPong
    shows = {"request.payload", "register.player", "refused.frame"}
    await examine(ROOM, PingsAtOnce, ["hand", "taken", "refused-plainly"], shows=shows)


def test_the_kit_takes_no_claim() -> None:
    """It is told at once, and the query for a card stays open."""
    marks = Marks(ROOM.checks)
    seat = DealerKitSeat(0, Script("hand", "a hand", 0), marks)
    assert seat.receive(said(ClaimRest(0))) == []
    ((_, error),) = decoded(seat.take_replies())
    assert isinstance(error, AnswerError)
    assert (error.type, error.reason) == (MessageType.CLAIM_REST, Fault.NOT_NOW)
    shown = [mark.check.id for mark in marks.values() if mark.outcome is CheckOutcome.PASSED]
    assert shown == ["request.payload"]
