"""The clients in other languages against a real server, judged by what they print."""

from __future__ import annotations

import itertools
import random
import struct
from collections import Counter
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
import trio

from tests.independent.plain_client import Fact
from tests.integration.house import Caller, text
from tests.soak.soak_server import ServerProcess

from . import tables
from .fake import FakeServer, broken_line, read_nonsense
from .programs import HOST, LANGUAGES, Missing, played, running, sanitized_c
from .script import ME, NONSENSE, PASSED, PLAYED, ints, session, str_of, whole_session
from .tables import says

RULES = (
    ("windows93,rotate,bleed,queen-keeps,moon=minus,pass=cycle3", 27),
    pytest.param("mac2000,dump,notrick", 27, marks=pytest.mark.heavy),
    pytest.param("spot-hearts,bleed", 130, marks=pytest.mark.heavy),
)


@pytest.mark.parametrize(("rules", "end"), RULES)
async def test_four_play_by_any_rules(
    client: tables.Command, rules: str, end: int, data_dir: Path
) -> None:
    async with (
        tables.house(data_dir, "--rules", rules, "--end-score", str(end)) as port,
        tables.table([client] * 4, port) as programs,
    ):
        await tables.done(programs)
    report = tables.judge(programs)
    assert report.games == 1
    assert report.hands > 1
    for program in programs:
        assert program.statuses == {0}
        assert program.errors == ""
        seated = next(fact for fact in program.facts if fact.kind == "seated")
        assert set(seated.texts) == set(tables.NAMES)


async def test_another_game_with_three_computers_over_a_line_that_breaks(
    client: tables.Command, data_dir: Path
) -> None:
    wishes = ("--computers", "3", "--end-score", "23", "--again", "1")
    async with tables.house(data_dir) as port, broken_line(port, lives=(151, 702)) as line:
        # Nobody listens at the port of the chat.
        program, status = await played(client, *wishes, port=line, taunt_port=1)
    assert status == 0, program.errors
    assert len(program.parts) == 3
    assert sum(fact.kind == "back" for fact in program.facts) == 2
    report = tables.judge([program], came_back=True)
    assert report.games == 2
    assert next(fact.numbers for fact in program.facts if fact.kind == "table") == (1, 0, 23, 0, 14)


async def test_losing_the_connection_in_mid_hand(client: tables.Command, data_dir: Path) -> None:
    drops = [("--drop", "1"), ("--drop", "20"), ("--drop", "20"), ()]
    async with (
        tables.house(data_dir, "--rules", "mac2000", "--end-score", "27") as port,
        tables.table([client] * 4, port, drops) as programs,
    ):
        await tables.done(programs)
    assert [len(program.parts) for program in programs] == [2, 2, 2, 1]
    back = [fact.numbers for program in programs for fact in program.facts if fact.kind == "back"]
    assert back == [(2,), (8,), (8,)]
    report = tables.judge(programs, came_back=True)
    assert report.hands > 1
    for program in programs:
        assert min(program.statuses) == 0


@pytest.mark.parametrize(
    "client",
    ["c", *(pytest.param(each, marks=pytest.mark.heavy) for each in LANGUAGES if each != "c")],
    indirect=True,
)
async def test_server_killed_and_started_again(
    client: tables.Command, process: ServerProcess
) -> None:
    await tables.play_through_a_kill(client, process)


async def test_chat_until_the_taunt_server_dies(client: tables.Command, data_dir: Path) -> None:
    async with AsyncExitStack() as stack:
        taunt_port, taunt_server = await stack.enter_async_context(tables.chat(data_dir))
        announce = ("--taunt-port", str(taunt_port), "--grace", "0", "--end-score", "20")
        port = await stack.enter_async_context(tables.house(data_dir, *announce))
        start = partial(running, client, port=port, taunt_port=taunt_port)
        ann = await stack.enter_async_context(start("--computers", "1", "--say", "¡hola! ♥"))
        await ann.until_said("player")
        bob = await stack.enter_async_context(start())
        await bob.until_said("player")
        async with tables.guest(port) as ticket:
            await ann.until(says(0, "¡hola! ♥"))
            # The commitment of the deal is what everybody hears who has registered.
            await bob.until_said("taunt")
            async with await trio.open_tcp_stream(HOST, taunt_port) as chat_stream:
                voice = Caller(chat_stream)
                await voice.send(*ticket)
                assert await voice.number() == 1
                await voice.send(*ticket, text("good luck"))
                for program in (ann, bob):
                    await program.until(says(ticket[2], "good luck"))
            taunt_server.cancel()
        # A stand-in plays for the guest, and nobody speaks any more.
        await tables.done([ann, bob])
    assert tables.judge([ann, bob], came_back=True).games == 1
    assert sum(taunt == (0, "¡hola! ♥") for taunt in ann.taunts) == 1
    assert all(len(program.parts) == 1 for program in (ann, bob))


@pytest.mark.heavy
async def test_all_languages_at_one_table(workshop: tables.Workshop, data_dir: Path) -> None:
    commands = []
    for name in LANGUAGES:
        try:
            commands.append(workshop(name))
        except Missing:
            continue
    if not commands:
        pytest.skip("there is no compiler and no interpreter")
    drops = [("--drop", str(card)) for card in (7, 15, 22, 26)]
    async with (
        tables.house(data_dir, "--rules", "windows93", "--end-score", "27") as port,
        tables.table(list(itertools.islice(itertools.cycle(commands), 4)), port, drops) as programs,
    ):
        await tables.done(programs)
    report = tables.judge(programs, came_back=True)
    assert report.hands > 1
    assert all(len(program.parts) == 2 for program in programs)


async def test_refused(client: tables.Command, data_dir: Path) -> None:
    async with tables.house(data_dir, "--password", "sesame") as port:
        program, status = await played(client, port=port)
    assert status == 1
    refused, end = program.facts[-2:]
    assert (refused.kind, refused.numbers, end) == ("refused", (-105,), Fact("end"))
    assert "password" in refused.texts[0]


async def test_nobody_there(client: tables.Command) -> None:
    with trio.fail_after(tables.LIMIT):
        program, status = await played(client, port=1)
    assert status == 1
    assert program.facts == []
    assert program.errors


async def test_all_is_decided_by_the_server(client: tables.Command) -> None:
    fake = FakeServer(whole_session(), hangs_up=True)
    with trio.fail_after(tables.LIMIT):
        program, status = await fake.meet(client, "--name", "Cee")
    assert status == 0, program.errors
    assert fake.heard.startswith(str_of("Cee") + ints(-10, 0))
    answers = fake.heard[len(str_of("Cee") + ints(-10, 0, 1000)) :]
    numbers = iter(struct.unpack(f">{len(answers) // 4}i", answers))
    for message in session():
        assert all(0 <= next(numbers) < 13 for _ in range(message.chosen)), message
        assert all(next(numbers) == ME for _ in range(message.acks)), message
    assert list(numbers) == []
    assert Fact("passed for me", PASSED) in program.facts
    played_for_it = [fact.numbers[1] - 1 for fact in program.facts if fact.kind == "play"]
    assert tuple(played_for_it) == PLAYED
    assert [fact.numbers[1] for fact in program.facts if fact.kind == "deciding"] == [0]


async def test_nonsense_from_the_server(client: tables.Command) -> None:
    await read_nonsense(client, NONSENSE)


async def test_c_takes_no_wrong_step(tmp_path: Path) -> None:
    try:
        command = sanitized_c(tmp_path)
    except Missing as missing:
        pytest.skip(str(missing))
    good = whole_session()
    chance = random.Random(1)
    says = [good, *NONSENSE.values()]
    for _ in range(30):
        changed = bytearray(good)
        place = chance.randrange(len(good))
        changed[place : place + chance.randrange(5)] = chance.randbytes(chance.randrange(5))
        says.append(bytes(changed))

    async def receive(said: bytes) -> None:
        program, status = await FakeServer(said, hangs_up=True).meet(command)
        assert status in (0, 1, 2), program.errors
        statuses[status] += 1

    statuses: Counter[int] = Counter()
    with trio.fail_after(tables.LIMIT):
        async with trio.open_nursery() as nursery:
            for said in says:
                nursery.start_soon(receive, said)
    assert all(statuses[status] for status in (0, 1, 2)), statuses
