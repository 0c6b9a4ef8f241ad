"""The clients in other languages as programs: found, built, run, and their lines read as facts."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from tests.independent.joined import Joined
from tests.independent.plain_client import Fact

HERE = Path(__file__).parent
HOST = "127.0.0.1"


class Missing(Exception):
    """What it takes to run a client is not there; the text says what."""


@dataclass(frozen=True, slots=True)
class Language:
    """A client's source, the tools it needs, and how a folder gets a command out of them."""

    source: Path
    tools: tuple[str, ...]
    build: Callable[[Path, Path], Sequence[str]]
    """Takes the source and an empty folder; gives the command. Raises CalledProcessError."""

    def made(self, folder: Path) -> Sequence[str]:
        """The command of the client, built in this folder. Raises Missing."""
        if not self.source.exists():
            raise Missing(f"there is no {self.source.name}")
        for tool in self.tools:
            if shutil.which(tool) is None:
                raise Missing(f"there is no {tool}")
        return self.build(self.source, folder)


STRICT_C = ("-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
SANITIZED = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SANITIZER = {"ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=99"}
"""Environment in which a program that a sanitizer stops has a status of its own."""


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def build_c(source: Path, folder: Path, *options: str) -> Sequence[str]:
    program = str(folder / "hearts")
    _run("cc", *STRICT_C, *(options or ("-O1",)), "-o", program, str(source))
    return [program]


def _build_java(source: Path, folder: Path) -> Sequence[str]:
    _run("javac", "-Xlint:all", "-Werror", "-d", str(folder), str(source))
    # Options that let short programs start sooner.
    quick = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
    return ["java", *quick, "-cp", str(folder), source.stem]


LANGUAGES: Mapping[str, Language] = {
    "c": Language(HERE / "c" / "hearts.c", ("cc",), build_c),
    "perl": Language(
        HERE / "perl" / "hearts.pl", ("perl",), lambda source, folder: ["perl", str(source)]
    ),
    "javascript": Language(
        HERE / "javascript" / "hearts.mjs", ("node",), lambda source, folder: ["node", str(source)]
    ),
    "java": Language(HERE / "java" / "Hearts.java", ("javac", "java"), _build_java),
}
MAIN_LANGUAGES = ("c", "javascript")
"""Those of the main run: one that is compiled, and the one that has both dialects."""


def sanitized_c(folder: Path) -> Sequence[str]:
    """The client in C, built so that it stops at its first wrong step. Raises Missing."""
    language = LANGUAGES["c"]
    for tool in language.tools:
        if shutil.which(tool) is None:
            raise Missing(f"there is no {tool}")
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    try:
        build_c(probe, folder, *SANITIZED)
        _run(str(folder / "hearts"))
    except subprocess.CalledProcessError:
        raise Missing("cc has no sanitizers") from None
    return build_c(language.source, folder, *SANITIZED)


OWN_NAME = HERE / "c" / "own_name.c"
WITH_NAMES = ("-DNAMES", str(OWN_NAME), "-lcrypto")
"""Options of cc for a client in C that can have a name of its own."""


def check_libcrypto(folder: Path) -> None:
    """See that cc can link OpenSSL's libcrypto. Raises Missing."""
    if shutil.which("cc") is None:
        raise Missing("there is no cc")
    probe = folder / "probe.c"
    probe.write_text("#include <openssl/evp.h>\nint main(void) { return EVP_MD_CTX_new() == 0; }\n")
    try:
        build_c(probe, folder, "-O0", "-Wl,--no-as-needed", "-lcrypto")
    except subprocess.CalledProcessError:
        raise Missing("cc finds no headers of OpenSSL") from None


def fact_of(line: str) -> Fact:
    """A line of README.md: a name, a colon and numbers, and texts behind tabs."""
    said, *texts = line.split("\t")
    kind, colon, numbers = said.partition(":")
    assert colon, line
    return Fact(kind, tuple(map(int, numbers.split())), tuple(texts))


@dataclass(slots=True)
class RunningProgram:
    """A client that runs; ``facts`` grow with the lines that it prints."""

    process: trio.Process
    facts: list[Fact] = field(default_factory=list)
    errors: str = ""
    _news: trio.Condition = field(default_factory=trio.Condition)

    async def listen(self) -> None:
        assert self.process.stdout is not None
        unread = b""
        async for data in self.process.stdout:
            *lines, unread = (unread + data).split(b"\n")
            async with self._news:
                self.facts += [fact_of(line.decode()) for line in lines]
                self._news.notify_all()
        assert not unread, "the last line has no end"

    async def listen_to_errors(self) -> None:
        assert self.process.stderr is not None
        said = b""
        async for data in self.process.stderr:
            said += data
            self.errors = said.decode(errors="replace")

    async def until(self, seen: Callable[[Sequence[Fact]], bool]) -> None:
        """Wait until what it has printed is as one wants to have it."""
        async with self._news:
            while not seen(self.facts):
                await self._news.wait()

    async def until_said(self, kind: str, times: int = 1) -> None:
        await self.until(lambda facts: sum(fact.kind == kind for fact in facts) >= times)

    async def ended(self) -> int:
        """Wait for its end; its exit status."""
        return await self.process.wait()

    @property
    def parts(self) -> list[list[Fact]]:
        """What each of its connections to the game server told it; not the chat, nor the proofs."""
        parts: list[list[Fact]] = [[]]
        for fact in self.facts:
            if fact.kind in ("taunt", "deal"):
                continue
            parts[-1].append(fact)
            if fact.kind == "end":
                parts.append([])
        return parts[:-1]

    @property
    def transcript(self) -> list[Fact]:
        """What it saw, as over one connection. Raises Foul where two of them contradict."""
        joined = Joined()
        for part in self.parts:
            joined.add(part)
        return joined.facts

    @property
    def player(self) -> int:
        return next(fact.numbers[0] for fact in self.facts if fact.kind == "seated")

    @property
    def statuses(self) -> set[int]:
        """Of all its passes, cards and decisions."""
        kinds = ("passing", "play", "deciding")
        return {fact.numbers[-1] for fact in self.facts if fact.kind in kinds}

    @property
    def deals(self) -> list[tuple[int, ...]]:
        return [fact.numbers for fact in self.facts if fact.kind == "deal"]

    @property
    def taunts(self) -> list[tuple[int, str]]:
        return [(fact.numbers[0], fact.texts[0]) for fact in self.facts if fact.kind == "taunt"]


@asynccontextmanager
async def running(
    command: Sequence[str], *options: str, port: int, taunt_port: int = 0
) -> AsyncIterator[RunningProgram]:
    """A client that is gone at the end of the block, and has been heard to its last line."""
    ports = ("--port", str(port), "--taunt-port", str(taunt_port))
    process = await trio.lowlevel.open_process(
        [*command, "--host", HOST, *ports, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **SANITIZER},
    )
    program = RunningProgram(process)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.listen)
            nursery.start_soon(program.listen_to_errors)
            yield program
            process.kill()
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


async def played(
    command: Sequence[str], *options: str, port: int, taunt_port: int = 0
) -> tuple[RunningProgram, int]:
    async with running(command, *options, port=port, taunt_port=taunt_port) as program:
        status = await program.ended()
    return program, status
