"""The client that speaks the dealer dialect against a real server, judged by what it prints."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trio

from tests.independent.plain_client import Fact
from tests.soak.soak_server import ServerProcess

from .dealer_script import HAND, NONSENSE, PASSED, PROMISED_TWICE, SESSION, instead, said
from .fake import FakeServer, broken_line, read_nonsense
from .programs import MAIN_LANGUAGES, Missing, RunningProgram, played
from .script import ints, str_of
from .tables import LIMIT, Command, Workshop, chat, done, house, judge, play_through_a_kill, table

REGISTRATION = str_of("JavaScript") + ints(-10, 0, -6, 1, -15, 0)
NOTHING_CUT = "0" * 16


@pytest.fixture
def client(workshop: Workshop) -> Command:
    return dealer_client(workshop)


def dealer_client(workshop: Workshop) -> Command:
    try:
        return [*workshop("javascript"), "--dialect", "dealer"]
    except Missing as missing:
        pytest.skip(str(missing))


def cuts(program: RunningProgram) -> list[list[str]]:
    told = (re.fullmatch(r"deal \d+ was \S+ cuts (\w+)", text) for _, text in program.taunts)
    return [re.findall(r".{16}", match[1]) for match in told if match]


async def test_four_play_and_cut_each_deal(client: Command, data_dir: Path) -> None:
    rules = "mac2000,dump,rotate,notrick,queen-keeps,pass=cycle"
    async with AsyncExitStack() as stack:
        taunt_port, _ = await stack.enter_async_context(chat(data_dir))
        to_chat = ("--taunt-port", str(taunt_port))
        settings = (*to_chat, "--rules", rules, "--end-score", "40")
        port = await stack.enter_async_context(house(data_dir, *settings))
        four = table([client] * 4, port, [("--cut", *to_chat)] * 4)
        programs = await stack.enter_async_context(four)
        await done(programs)
    report = judge(programs)
    # A hand adds at most 26 to a score.
    assert report.hands >= 2
    assert all(program.statuses == {0} and program.errors == "" for program in programs)
    by_all = [deal for deal in cuts(programs[0]) if NOTHING_CUT not in deal]
    assert len(by_all) == report.hands
    for program in programs:
        assert program.deals == [(deal, 0, 0) for deal in range(1, report.hands + 1)]


async def test_both_dialects_at_one_table(workshop: Workshop, data_dir: Path) -> None:
    dealer = dealer_client(workshop)
    plain = []
    for name in MAIN_LANGUAGES:
        try:
            plain.append(workshop(name))
        except Missing:
            continue
    commands = [plain[0], dealer, plain[1 % len(plain)], [*dealer, "--cut"]]
    drops = [("--drop", str(card)) for card in (7, 1, 14, 26)]
    async with (
        house(data_dir, "--rules", "windows93", "--end-score", "40") as port,
        table(commands, port, drops) as programs,
    ):
        await done(programs)
    assert judge(programs, came_back=True).hands > 1
    assert all(len(program.parts) == 2 for program in programs)
    back = [fact.numbers for program in programs for fact in program.facts if fact.kind == "back"]
    assert back == [(8,), (2,), (2,), (14,)]


async def test_another_game_over_a_line_that_breaks(client: Command, data_dir: Path) -> None:
    wishes = ("--computers", "3", "--end-score", "1", "--again", "1", "--cut")
    # A reset takes what is not read yet with it. So it comes when the client has answered, and
    # knows its seat.
    lives = (1500, 2500, 5000)
    async with house(data_dir) as port, broken_line(port, lives) as line:
        program, status = await played(client, *wishes, port=line)
    assert status == 0, program.errors
    assert sum(fact.kind == "back" for fact in program.facts) == 3
    assert judge([program], came_back=True).games == 2


@pytest.mark.heavy
async def test_server_killed_and_started_again(client: Command, process: ServerProcess) -> None:
    await play_through_a_kill([*client, "--cut"], process)


def answers(heard: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Type, "in reply to" and payload of what a client has sent after its Process ID."""
    frames = heard[len(REGISTRATION) + 4 :]
    while frames:
        type_, in_reply_to, length = struct.unpack(">3i", frames[:12])
        yield type_, in_reply_to, frames[12 : 12 + length]
        frames = frames[12 + length :]


async def test_all_that_a_server_can_say(client: Command) -> None:
    fake = FakeServer(said(SESSION), hangs_up=True)
    with trio.fail_after(LIMIT):
        program, status = await fake.meet(client, "--cut")
    assert status == 0, program.errors
    assert fake.heard.startswith(REGISTRATION)
    register, rules, hash_again, passed, moon, again = answers(fake.heard)
    assert register[:2] == (126, 1)
    assert register[2].startswith(ints(3))
    # Its hash is in no promise: it shows no value, and says the hash again after -20.
    assert hash_again == (126, 0, register[2])
    assert rules == (124, 6, ints(1))
    assert passed[:2] == (104, 24)
    assert set(struct.unpack(">3i", passed[2])) <= set(HAND)
    assert moon == (200, 28, ints(0))
    assert again == (201, 33, ints(0))
    assert program.facts[1:] == [
        Fact("seated", (0, 7, 99), ("P0", "P1", "P2", "P3")),
        Fact("table", (1, 0, 100, 60, 0)),
        Fact("hand", HAND),
        Fact("pass", (1,)),
        Fact("passing", (*PASSED, 1)),
        Fact("passed for me", PASSED),
        Fact("moon", (0, 1)),
        Fact("deciding", (1, 2)),
        Fact("deal", (1, 2, 1 << 2)),
        Fact("scores", (90, 101, 7, 60, 0b10011)),
        Fact("again", (1, 2)),
        Fact("new game", (1,)),
        Fact("table", (1, 0, 100, 0, 0)),
        Fact("new game", (0,)),
        Fact("end"),
    ]


async def test_a_deal_that_is_promised_twice(client: Command) -> None:
    with trio.fail_after(LIMIT):
        fake = FakeServer(PROMISED_TWICE, hangs_up=True)
        program, status = await fake.meet(client, "--cut")
    assert (status, program.deals) == (0, [])
    assert program.errors == "the promise of deal 1 takes the place of another one\n"


@pytest.mark.heavy
async def test_nonsense_from_the_server(client: Command) -> None:
    await read_nonsense([*client, "--cut"], NONSENSE)


async def test_refused_and_sent_away(client: Command) -> None:
    why = str_of("the table is closed")
    refusal = instead("seated", (210, ints(-104) + why))
    over = instead("hand", (101, ints(0) + why))
    later = instead("hand", (101, ints(1) + why))
    with trio.fail_after(LIMIT):
        program, status = await FakeServer(refusal, hangs_up=True).meet(client)
        assert (status, len(program.parts)) == (1, 1)
        assert Fact("refused", (-104,), ("the table is closed",)) in program.facts
        program, status = await FakeServer(over, hangs_up=True).meet(client)
        assert (status, len(program.parts), program.errors) == (1, 1, "the table is closed\n")
        program, status = await FakeServer(later, hangs_up=True).meet(client)
        assert (status, len(program.parts)) == (1, 2)
