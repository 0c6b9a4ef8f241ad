"""Programs on the wire in matches of the arena: good ones in both dialects, and bad ones."""

from __future__ import annotations

import shlex
import socket
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from hearts.game.deal import deal_code
from hearts.game.rules import parse_rules
from hearts_arena.kept.moves import actions_of
from hearts_arena.plan.plan import Plan, PlayerLimits
from hearts_arena.plan.results import Match, MatchResult
from hearts_arena.play.match_runner import MatchRunner
from hearts_arena.play.players import BadPlayer
from hearts_arena.wire.matches import wire_matches
from hearts_arena.wire.programs import StartedProgram
from hearts_arena.wire.wire_seat import Patience
from tests.clients.programs import LANGUAGES, Missing
from tests.independent.plain_client import ClientHabits, Driver, OwnSession
from tests.soak.soak_server import free_port

from .command_runs import is_alive
from .sittings import conduct_of, plan_for

MATCH = Match(0, 0, (0, 1, 2, 3))
SHORT = Patience(start=10.0, grace=0.1, exit=2.0)
LONE = 14
"""Choices of a hand with a pass."""


def bad(what: str) -> str:
    program = Path(__file__).with_name("bad_program.py")
    return f"cmd:{sys.executable} -S -E {program} {{host}} {{port}} {shlex.quote(what)}"


def bot(dialect: str) -> str:
    code = "import sys; from hearts_client.commands.bot import main; sys.exit(main())"
    return (
        f"cmd:{sys.executable} -c {shlex.quote(code)} simple --quiet --dialect {dialect} "
        "--host {host} --port {port} --name {name}"
    )


def plan_of(*specs: str, hands: int | None = 1, move: float = 5.0, hand: float = 20.0) -> Plan:
    return plan_for(*specs, hands=hands, end_score=40, move_limit=move, hand_limit=hand)


def no_complaint(entrant: int, text: str, is_crash: bool) -> None:
    raise AssertionError(f"entrant {entrant}: {text}")


async def played(
    plan: Plan,
    folder: Path,
    matches: Iterable[Match] = (MATCH,),
    patience: Patience = SHORT,
    memory: int = 1 << 29,
) -> list[MatchResult]:
    results: list[MatchResult] = []
    async with wire_matches(plan, no_complaint, folder, patience=patience, memory=memory) as made:
        await made.play_all(matches, 2, results.append)
    for result in results:
        match = next(match for match in matches if match.number == result.number)
        check_record(plan, match, result)
    return results


def check_record(plan: Plan, match: Match, result: MatchResult) -> None:
    """The record is one of this match, and replays; the scores are the sum of the points."""
    assert actions_of(plan, match, result.moves)
    assert result.scores == tuple(map(sum, zip(*result.points, strict=True)))
    assert all(result.scores[seat] == min(result.scores) for seat in result.winners)


def command(language: str, folder: Path) -> str:
    try:
        words = LANGUAGES[language].made(folder)
    except Missing as missing:
        pytest.skip(str(missing))
    return "cmd:" + shlex.join(
        [*words, "--host", "{host}", "--port", "{port}", "--name", "{name}", "--taunt-port", "0"]
    )


# Good programs


@pytest.mark.parametrize(
    ("first_hand", "specs"),
    [
        (0, (bot("plain"), bot("dealer"), "simple", "random")),
        (3, ("random", "simple", "simple", bot("plain"))),
    ],
)
async def test_a_program_plays_the_game_that_it_would_play_in_process(
    tmp_path: Path, first_hand: int, specs: tuple[str, ...]
) -> None:
    match = Match(5, 2, (0, 1, 2, 3), first_hand)
    (result,) = await played(plan_of(*specs), tmp_path, [match])
    in_process = plan_of(*(spec if spec == "random" else "simple" for spec in specs))
    same = MatchRunner(in_process, no_complaint).play(match)
    assert (result.points, result.scores) == (same.points, same.scores)
    assert (result.winners, result.moves) == (same.winners, same.moves)
    assert result.conduct == (conduct_of(13 if first_hand == 3 else LONE),) * 4
    assert all(pace.whole >= pace.slowest > 0 for pace in result.pace)


@pytest.mark.parametrize(
    ("rules", "hands", "first_hand"),
    [
        ("mac2000,rotate,notrick", 30, 0),
        ("jack,moon=choice,rotate,notrick,pass=cycle3", None, 0),
        *(("standard", 1, first_hand) for first_hand in (1, 3)),
    ],
)
async def test_a_match_has_the_same_record_in_process_and_here(
    tmp_path: Path, rules: str, hands: int | None, first_hand: int
) -> None:
    specs = ("simple", "random", "simple,blunder=0.3", "tests.arena.own_bots:Moody")
    plan = replace(plan_of(*specs, hands=hands), rules=parse_rules(rules))
    match = replace(MATCH, first_hand=first_hand)
    async with wire_matches(plan, lambda entrant, text, is_crash: None, tmp_path) as made:
        result = await made.play(match)
    same = MatchRunner(plan, lambda entrant, text, is_crash: None).play(match)
    assert replace(result, pace=same.pace) == same
    assert result.moves
    assert result.conduct[3].crashes == (hands == 30)


async def test_an_error_of_ours_ends_the_tournament(tmp_path: Path) -> None:
    codes = tuple(deal_code(bytes([number] * 16)) for number in range(3))
    plan = replace(plan_of(*["random"] * 4, hands=2), deals=1, codes=codes)
    without_a_second_deal = replace(MATCH, block=1)
    with pytest.raises(ExceptionGroup) as raised:
        async with wire_matches(plan, no_complaint, tmp_path) as made:
            await made.play(without_a_second_deal)
    assert raised.group_contains(IndexError)


async def test_who_comes_back_is_told_the_pass_of_this_hand(tmp_path: Path) -> None:
    plan = plan_of("simple", bad("back"), "random", "random")
    (result,) = await played(plan, tmp_path, [Match(0, 0, (0, 1, 2, 3), first_hand=2)])
    assert result.conduct == (conduct_of(LONE),) * 4
    assert not (tmp_path / "1-P1.log").read_text().count("Error")


async def test_a_game_to_its_end(tmp_path: Path) -> None:
    (result,) = await played(
        plan_of("simple", bad("back"), "random", "random", hands=None), tmp_path
    )
    assert max(result.scores) >= 40
    assert result.conduct[1] == result.conduct[0]
    assert not (tmp_path / "1-P1.log").read_text().count("Error")


@pytest.mark.parametrize(("language", "more"), [("c", ""), ("javascript", " --dialect dealer")])
async def test_clients_in_other_languages(tmp_path: Path, language: str, more: str) -> None:
    line = command(language, tmp_path)
    plan = plan_of(line + more, "simple", line + " --drop 4" + more, "random", hands=2)
    (result,) = await played(plan, tmp_path, patience=Patience(10.0, 5.0, 5.0))
    assert result.conduct == (conduct_of(2 * LONE),) * 4
    assert "new game: 0" in (tmp_path / "0-P0.log").read_text()


async def test_several_matches_at_once(tmp_path: Path) -> None:
    plan = plan_of(command("c", tmp_path), "random", "random", "random")
    matches = [Match(number, number, (0, 1, 0, 2)) for number in range(6)]
    results = await played(plan, tmp_path, matches)
    assert sorted(result.number for result in results) == list(range(6))
    assert {conduct for result in results for conduct in result.conduct} == {conduct_of(LONE)}


async def test_a_program_that_connects_plays_as_many_matches_at_once_as_it_can(
    tmp_path: Path,
) -> None:
    port = free_port()
    plan = plan_of(f"wire:{port}", "random", "random", "random")
    matches = [Match(number, number, (1, 0, 2, 0)) for number in range(2)]
    all_seated = threading.Barrier(4)

    def play_when_all_are_seated(seed: int) -> None:
        session = OwnSession(ClientHabits(seed=seed))
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            driver = Driver(session.talk(), connection)
            while session.ticket is None:
                driver.run(1)
            all_seated.wait(60)
            driver.run()

    results: list[MatchResult] = []
    async with trio.open_nursery() as nursery:
        made = wire_matches(plan, no_complaint, tmp_path, patience=SHORT, at_once=2)
        async with made as table:
            for seed in range(4):
                nursery.start_soon(trio.to_thread.run_sync, play_when_all_are_seated, seed)
            await table.play_all(matches, 2, results.append)
    assert sorted(result.number for result in results) == [0, 1]
    assert {conduct for result in results for conduct in result.conduct} == {conduct_of(LONE)}


# Bad ones


WHOLE = range(LONE, LONE + 1)
SOME = range(5, 13)
NONE = range(1)


@pytest.mark.parametrize(
    ("what", "stood_in", "clock", "said"),
    [
        ("exit", WHOLE, NONE, ""),
        ("nonsense", WHOLE, NONE, ""),
        ("hang up", SOME, NONE, ""),
        ("die", SOME, NONE, ""),
        ("late nonsense", SOME, NONE, ""),
        ("flood", SOME, NONE, ""),
        ("useless frames", WHOLE, NONE, ""),
        pytest.param(
            *("hog", SOME, NONE, "MemoryError"),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory"),
        ),
        ("fork", NONE, SOME, ""),
        ("hang", NONE, SOME, ""),
        ("print", NONE, SOME, "the rest is left out"),
    ],
)
async def test_a_bad_program_costs_itself(
    tmp_path: Path, what: str, stood_in: range, clock: range, said: str
) -> None:
    # A program that ends its part in the match has all the time that it takes for that.
    move, hand = (0, 0) if clock is NONE else (0.5, 1.5)
    plan = plan_of("simple", bad(what), "random", "simple", move=move, hand=hand)
    with trio.fail_after(60):
        (result,) = await played(plan, tmp_path, memory=1 << 28)
    conduct = result.conduct[1]
    assert conduct.stood_in in stood_in, conduct
    assert conduct.timeouts in clock, conduct
    crashes = 1 if clock is NONE else 0
    assert (conduct.choices, conduct.illegal, conduct.crashes) == (LONE, 0, crashes)
    assert {other for seat, other in enumerate(result.conduct) if seat != 1} == {conduct_of(LONE)}
    printed = (tmp_path / "1-P1.log").read_text()
    assert said in printed
    assert len(printed) < 100_000
    assert not [line for line in printed.splitlines() if line.isdigit() and is_alive(int(line))]


async def test_no_program_is_left_when_a_tournament_is_stopped() -> None:
    printed, said = b"", trio.Event()

    def take(data: bytes) -> None:
        nonlocal printed
        printed += data
        if b"\n" in printed:
            # It may wait for a disk, so it is called in a thread.
            trio.from_thread.run_sync(said.set)

    async def start_and_wait() -> None:
        async with StartedProgram(bad("never").removeprefix("cmd:")).come("Ann", take):
            await trio.sleep_forever()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(start_and_wait)
        await said.wait()
        assert is_alive(int(printed))
        nursery.cancel_scope.cancel()
    assert not is_alive(int(printed))


@pytest.mark.parametrize("what", ["never", "silent"])
async def test_a_program_that_does_not_register(tmp_path: Path, what: str) -> None:
    plan = plan_of("simple", bad(what), "random", "simple")
    (result,) = await played(plan, tmp_path, patience=Patience(0.3, 0.3, 0.3))
    assert result.conduct[1] == conduct_of(LONE, crashes=1, stood_in=LONE)


async def test_illegal_tries_are_counted(tmp_path: Path) -> None:
    plan = plan_of("simple", bad("illegal"), "random", "simple")
    (result,) = await played(plan, tmp_path)
    conduct = result.conduct[1]
    # Ten for each choice that leaves one, and then the clock makes it.
    assert conduct.illegal == 10 * conduct.timeouts > 0
    assert (conduct.choices, conduct.crashes, conduct.stood_in) == (LONE, 0, 0)


async def test_who_does_nothing_for_a_whole_hand_is_lost(tmp_path: Path) -> None:
    plan = plan_of("simple", bad("hang"), "random", "simple", hands=4, move=0.5, hand=0.6)
    (result,) = await played(plan, tmp_path)
    conduct = result.conduct[1]
    # The rest of the first hand, and all of the second.
    assert LONE < conduct.timeouts < 2 * LONE
    assert (conduct.stood_in, conduct.crashes) == (LONE + 13, 1)


async def test_a_player_has_limits_of_his_own(tmp_path: Path) -> None:
    plan = plan_of("simple", bad("hang"), "random", bot("plain"), move=0, hand=0)
    plan = replace(plan, limits=(PlayerLimits("P1", 0.1, 0.2),))
    (result,) = await played(plan, tmp_path)
    assert result.conduct[1].timeouts + result.conduct[1].stood_in > 0
    assert result.conduct[3] == conduct_of(LONE)


async def test_a_match_of_nothing_but_bad_programs_has_an_end(tmp_path: Path) -> None:
    plan = plan_of(*map(bad, ("exit", "exit", "die", "nonsense")), move=0, hand=0)
    (result,) = await played(plan, tmp_path)
    assert [conduct.crashes for conduct in result.conduct] == [1, 1, 1, 1]


async def test_a_command_that_is_none(tmp_path: Path) -> None:
    plan = plan_of("simple", "cmd:./no-such-program --port {port}", "random", "simple")
    (result,) = await played(plan, tmp_path)
    assert result.conduct[1] == conduct_of(LONE, crashes=1, stood_in=LONE)
    assert "no-such-program" in (tmp_path / "1-P1.log").read_text()
    with pytest.raises(BadPlayer, match="cannot read the command"):
        await played(plan_of("simple", "cmd:'", "random", "simple"), tmp_path)
