"""The zoo's attackers take turns at the server of a soak, and what honest people notice of each."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from .figures import percentile
from .hall import Hall
from .soak_server import ROOT

QUIET = "quiet"
"""The turn of nobody."""
AT_THE_PASSWORD = "password-guesser"
"""The attacker that is let loose on the server with a password."""
EVERYBODY = "everybody"
"""All animals of the zoo at once."""
BESIDE = ", beside"
"""How the turn of an attacker of another server is named: what it takes of the machine."""
MOST_REFUSED = 60.0
"""Seconds for which somebody honest may be refused."""
MOST_SLOWED = 2.0
"""How many times as long as beside an attack answers may take in it, at p99."""
FEWEST_ANSWERS = 1000
"""Of fewer ones p99 is chance."""
_NICE = 15
_END_LIMIT = 30.0
_KINDS = ("refused", "come-back", "stranger")


@dataclass(slots=True)
class Notes:
    """What honest people noticed of one kind of attack."""

    turns: int = 0
    seconds: float = 0.0
    answers: Counter[int] = field(default_factory=Counter)
    """How long choices waited for their statuses at the server that was attacked."""
    refusals: float = 0.0
    longest: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_KINDS, 0.0))
    said: str = ""
    """What the attackers said of their last turn."""


class Siege:
    """Lets one kind of attacker loose after the other, again and again."""

    def __init__(
        self,
        names: Sequence[str],
        turn: float,
        ports: tuple[int, int],
        locked: int,
        beside: tuple[int, int] | None = None,
    ) -> None:
        """``ports`` are those of game and chat, ``locked`` that of the game with a password.

        Each kind has a turn at the server with the ports ``beside`` first, if there is one.
        """
        self._names = [QUIET]
        for name in names:
            self._names += [name + BESIDE, name] if beside else [name]
        self.notes = {name: Notes() for name in self._names}
        self.faults: list[str] = []
        self._turn = turn
        self._ports = ports
        self._locked = locked
        self._beside = beside or ports
        self._turns = 0
        self._begun = 0.0
        self._end = 0.0
        self._refusals = 0.0
        self._process: subprocess.Popen[str] | None = None
        self._threads = ThreadPoolExecutor(1)
        self._endings: list[Future[None]] = []

    @property
    def _name(self) -> str:
        return self._names[(self._turns - 1) % len(self._names)]

    @property
    def _kind(self) -> str:
        return self._name.removesuffix(BESIDE)

    def step(self, now: float, refusals: float) -> None:
        """Let the next kind loose if it is time; ``refusals`` are those of all honest people."""
        if now < self._end:
            return
        self.close(now, refusals)
        self._turns += 1
        self._begun, self._end = now, now + self._turn
        self._refusals = refusals
        if self._name != QUIET:
            self._process = subprocess.Popen(
                self._command(),
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )

    def receive(self, hall: Hall, *, is_locked: bool) -> None:
        """Take what clients noticed; ``is_locked`` if they play where the password is asked."""
        answers, waits = hall.answers, hall.waits
        hall.answers, hall.waits = Counter(), []
        if not self._turns:
            return
        notes = self.notes[self._name]
        if is_locked == (self._kind == AT_THE_PASSWORD):
            notes.answers += answers
        for kind, seconds in (*waits, ("refused", hall.longest_refused)):
            notes.longest[kind] = max(notes.longest[kind], seconds)

    def close(self, now: float, refusals: float) -> None:
        if self._turns:
            notes = self.notes[self._name]
            notes.turns += 1
            notes.seconds += now - self._begun
            notes.refusals += refusals - self._refusals
            self._refusals = refusals
        if self._process is not None:
            # The clients do not wait for it.
            self._endings.append(self._threads.submit(self._finish, self._process, self._name))
            self._process = None

    def _finish(self, process: subprocess.Popen[str], name: str) -> None:
        try:
            # This closes its standard input too, and so it ends: on a machine that others use its
            # own clock may begin late.
            said, _ = process.communicate(timeout=_END_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            self.faults.append(f"the zoo did not end: {name}")
        self.notes[name].said = _row(name.removesuffix(BESIDE), said)

    def end(self) -> None:
        """Wait until the last of them is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        for ending in self._endings:
            ending.result()
        self._threads.shutdown()

    def _command(self) -> list[str]:
        game, chat = self._ports if self._kind == self._name else self._beside
        port = self._locked if self._name == AT_THE_PASSWORD else game
        return [
            *(
                sys.executable,
                "-m",
                "tests.zoo",
                "--seconds",
                "inf",
                "--wait",
                "--nice",
                str(_NICE),
            ),
            *("--port", str(port), "--taunt-port", str(chat)),
            *(() if self._kind == EVERYBODY else ("--animals", self._kind)),
        ]


def _row(name: str, said: str) -> str:
    """What the zoo's table has of a kind: connections, bytes, and how they ended."""
    if name == EVERYBODY:
        return said.strip()
    rows = (line.split(maxsplit=4) for line in said.splitlines() if line.startswith(f"{name} "))
    return next(
        (f"{row[1]} connections: {row[4]}" for row in rows if len(row) == 5), "said nothing"
    )


def told(notes: Mapping[str, Notes]) -> Iterator[str]:
    """What was noticed, in lines."""
    head = ("attack", "s", "answers", "p50 ms", "p99 ms", "refusals", *_KINDS)
    yield "{:24}{:>6}{:>9}{:>8}{:>8}{:>10}{:>10}{:>11}{:>10}".format(*head)
    for name, one in notes.items():
        yield (
            f"{name:24}{one.seconds:6.0f}{one.answers.total():9}"
            f"{1000 * percentile(one.answers, 50):8.1f}{1000 * percentile(one.answers, 99):8.1f}"
            f"{one.refusals:10.0f}"
            f"{one.longest['refused']:10.1f}{one.longest['come-back']:11.1f}"
            f"{one.longest['stranger']:10.1f}"
        )
    yield "The last columns are seconds at most: refused, away till back, and without a table."
    for name, one in notes.items():
        if one.said:
            yield f"{name}: {one.said}"


def wrong(notes: Mapping[str, Notes]) -> Iterator[str]:
    """Who was refused for too long, and what slowed good tables down too much."""
    for name, one in notes.items():
        if one.longest["refused"] > MOST_REFUSED:
            yield f"{name}: somebody honest was refused for {one.longest['refused']:.0f} s"
        beside = percentile(notes.get(name + BESIDE, one).answers, 99)
        slowed = percentile(one.answers, 99) / beside if beside else 0.0
        if slowed > MOST_SLOWED and one.answers.total() >= FEWEST_ANSWERS:
            yield f"{name}: answers took {slowed:.1f} times as long as beside it"
