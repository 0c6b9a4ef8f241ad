"""The conformance kit passes clients that prove a name, and finds what others do wrongly."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hearts_conformance import dealer, plain
from hearts_conformance.kit import Room
from hearts_conformance.session.scenario_run import NO_NAMES
from tests.independent.plain_client import OwnSession

from .clients import ClientProgram
from .dealer_clients import DealerProgram, Dealing
from .examine import examine
from .name_clients import (
    WRONG,
    LeavesAStranger,
    ProvesItsName,
    SignsAnotherDialect,
    proving,
)

pytestmark = pytest.mark.usefixtures("autojump_clock")

Made = Callable[[type[OwnSession]], type[ClientProgram]]
SCENARIOS = [each.id for each in plain.ROOM.scenarios if each.names is not None]
CHECKS = {check.id for check in plain.ROOM.checks if check.id.startswith("name.")}


def in_plain(part: type[OwnSession]) -> type[ClientProgram]:
    return proving(part, OwnSession, ClientProgram, 0)


def in_dealer(part: type[OwnSession]) -> type[ClientProgram]:
    return proving(part, Dealing, DealerProgram, 1)


each_dialect = pytest.mark.parametrize(
    ("room", "made"), [(plain.ROOM, in_plain), (dealer.ROOM, in_dealer)], ids=["plain", "dealer"]
)


@each_dialect
@pytest.mark.heavy
async def test_a_client_that_proves_its_name_conforms(room: Room, made: Made) -> None:
    marks = await examine(room, made(ProvesItsName), ["hand", *SCENARIOS], shows=CHECKS)
    assert {played.ending for played in marks.played} == {"played to its end"}
    assert marks["refused.reply"].shown


@each_dialect
async def test_a_client_that_leaves_a_stranger_conforms(room: Room, made: Made) -> None:
    only = ["name-own", "name-not-asked", "name-other-key"]
    shows = {"name.proof", "name.unasked", "name.stranger"}
    marks = await examine(room, made(LeavesAStranger), only, shows=shows)
    endings = [played.ending for played in marks.played]
    assert endings == ["played to its end", *["the client proves nothing, and went"] * 2]


@pytest.mark.parametrize("part", WRONG, ids=lambda part: str(part.__name__))
async def test_a_mistake_fails_what_it_breaks(part: type[OwnSession]) -> None:
    only, fails = WRONG[part]
    await examine(plain.ROOM, in_plain(part), only, fails={fails})


@pytest.mark.parametrize(
    "part",
    [
        each if each is SignsAnotherDialect else pytest.param(each, marks=pytest.mark.heavy)
        for each in WRONG
    ],
    ids=lambda part: str(part.__name__),
)
async def test_the_same_in_the_dealer_dialect(part: type[OwnSession]) -> None:
    only, fails = WRONG[part]
    await examine(dealer.ROOM, in_dealer(part), only, fails={fails})


async def test_a_client_that_proves_nothing_is_a_guest() -> None:
    marks = await examine(plain.ROOM, ClientProgram, SCENARIOS, shows={"name.guest"})
    guest, first, *others = [played.ending for played in marks.played]
    assert guest == "played to its end"
    assert first == NO_NAMES
    assert set(others) == {f"left out: {NO_NAMES}"}
