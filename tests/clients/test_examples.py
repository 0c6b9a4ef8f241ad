"""The clients in Ruby and Lua, which print for people: at a real server, and before the kit."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
import trio

from .fake import broken_line
from .programs import HERE, Language, Missing
from .tables import Command, chat, house
from .test_conformance_of_clients import examine

pytestmark = pytest.mark.heavy


def _lua(source: Path, _: Path) -> Sequence[str]:
    found = subprocess.run(["lua5.4", "-e", 'require "socket"'], capture_output=True, check=False)
    if found.returncode:
        raise Missing("there is no LuaSocket for lua5.4")
    return ["lua5.4", str(source)]


EXAMPLES: Mapping[str, Language] = {
    "ruby": Language(
        HERE / "ruby" / "hearts.rb", ("ruby",), lambda source, _: ["ruby", "-w", str(source)]
    ),
    "lua": Language(HERE / "lua" / "hearts.lua", ("lua5.4",), _lua),
}


def example(language: str, folder: Path) -> Command:
    try:
        return EXAMPLES[language].made(folder)
    except Missing as missing:
        pytest.skip(str(missing))


async def told(client: Command, *options: str, port: int, taunt_port: int = 0) -> list[str]:
    """The lines of a client that plays to the end of its session."""
    ports = ("--port", str(port), "--taunt-port", str(taunt_port))
    run = partial(trio.run_process, [*client, *ports, *options], check=False)
    done = await run(capture_stdout=True, capture_stderr=True)
    assert (done.returncode, done.stderr) == (0, b""), (done.stdout, done.stderr)
    return done.stdout.decode().splitlines()


def fairness(lines: Sequence[str]) -> set[str]:
    return {found[1] for line in lines if (found := re.match(r"deal \d+: (.*)", line))}


def scores(lines: Sequence[str]) -> list[str]:
    return [found[0] for line in lines if (found := re.match(r"scores( -?\d+){4}", line))]


async def test_ruby_and_lua_at_one_table(tmp_path: Path, data_dir: Path) -> None:
    ruby, lua = example("ruby", tmp_path), example("lua", tmp_path)
    heard: list[list[str]] = []

    async def play(client: Command, *options: str) -> None:
        heard.append(await told(client, *options, port=port, taunt_port=taunt_port))

    async with (
        chat(data_dir) as (taunt_port, _),
        house(data_dir, "--end-score", "40", "--taunt-port", str(taunt_port)) as port,
        trio.open_nursery() as nursery,
    ):
        for client in (ruby, lua, ruby, lua):
            nursery.start_soon(play, client, "--table", "friends", "--say", "hello")
    first, *others = map(scores, heard)
    assert len(first) > 1
    assert others == [first] * 3
    for lines in heard:
        if "frames" in lines[-1]:
            assert f"{len(first)} deals checked, 0 faults" in lines[-1]
            assert fairness(lines) == {"nobody chose it"}
        else:
            assert "Ruby says: hello" in lines


LIVES = {"ruby": (300, 500, 1000), "lua": (2000, 5000, 9000)}
"""Bytes of the server after which each connection breaks."""


@pytest.mark.parametrize("language", EXAMPLES)
async def test_a_line_that_breaks(language: str, tmp_path: Path, data_dir: Path) -> None:
    client = example(language, tmp_path)
    wishes = ("--computers", "3", "--end-score", "1", "--again", "1")
    async with house(data_dir) as port, broken_line(port, LIVES[language]) as line:
        lines = await told(client, *wishes, port=line)
    assert {"ruby": "back 3 times", "lua": "4 connections"}[language] in lines[-1]
    assert not [line for line in lines if "FAULT" in line]
    assert fairness(lines) == ({"nobody chose it"} if language == "lua" else set())


CHECKS = {
    "ruby": ("plain", ("forced-moon", "drop-decided"), {"forced.moon", "back.decided"}),
    "lua": ("dealer", ("unknown", "drop-decided"), {"frame.unknown", "cut.answer", "back.past"}),
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_before_the_kit(language: str, tmp_path: Path) -> None:
    dialect, scenarios, expected = CHECKS[language]
    shown = examine(example(language, tmp_path), dialect, scenarios, tmp_path)
    assert expected <= shown
