"""A hand played twice at a whole server, the second time with hidden cards exchanged.

What the tests beside this file have in common: what a run leaves behind, the deals, and what the
journal says was shown, and when.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import NamedTuple, TypeVar

import trio
import trio._core._run
import trio.testing
from trio.testing import MockClock

from hearts.game.cards import Card, mask_of
from hearts.game.deal import Hands, deal_hands
from hearts.game.events import Deal, Pass, Play
from hearts.game.record import parse_action
from hearts.game.rules import parse_rules
from hearts.hosting.store import Done
from hearts.hosting.table_chat import GameNotice, Said
from hearts.net.logline import LineFormatter
from hearts_server.children.chat import Chat
from tests.independent import plain_client as client

from .house import Caller, House, house
from .ports import DyingJournal

T = TypeVar("T")

_LOST = re.compile(r"(event=lost .*) why=.*")

ARGUMENTS = (
    *("--bot-pause", "0.1", "--turn-limit", "2", "--grace", "5", "--pause-limit", "600"),
    *("--taunt-port", "1"),
)
LEAVES_AT, GOES_AT, AWAY = 2, 4, 1.5
"""Cards of the hand after which one leaves for good, and the player for so many seconds."""
TIMES = 2
"""Exchanges that are tried for each way to sit."""
FIRST, SECOND, THIRD = (deal_hands(bytes([number] * 16)) for number in (1, 2, 3))


@dataclass(frozen=True)
class Roles:
    """Who has which seat, in which dialect the slow one plays, and how the player comes back."""

    player: int
    computer: int
    slow: int
    leaver: int
    dialect: str = "plain"
    speaks: str = "dealer"
    """The dialect of the player."""
    back: int | None = None
    """The hands that they say they know; None where they stay."""
    rules: str = "pass=never"
    delay: float = 0.0
    """That of watchers."""
    by_page: bool = False
    """Whether the listeners come over WebSockets, through the gateway for browsers."""


@dataclass
class Tape:
    """What one run left behind; each thing with its moment."""

    lines: list[tuple[float, str]] = field(default_factory=list)
    """What the journal was given."""
    log: list[tuple[float, str]] = field(default_factory=list)
    said: list[tuple[float, str]] = field(default_factory=list)

    ended: bool = False
    """Whether nothing is noted any more."""

    @property
    def hand(self) -> list[tuple[float, Pass | Play]]:
        """What was chosen in the second hand."""
        chosen: list[tuple[float, Pass | Play]] = []
        deals = 0
        for moment, line in self.lines:
            action = parse_action(line)
            match action:
                case Deal():
                    deals += 1
                case Pass() | Play() if deals == 2:
                    chosen.append((moment, action))
        return chosen

    @property
    def passes(self) -> list[tuple[float, Pass]]:
        return [(moment, act) for moment, act in self.hand if isinstance(act, Pass)]

    @property
    def plays(self) -> list[tuple[float, Play]]:
        return [(moment, act) for moment, act in self.hand if isinstance(act, Play)]


def moment_now() -> float:
    return round(trio.current_time(), 6)


class HandCounter(DyingJournal):
    """A journal that is always durable, and knows when the second hand is over."""

    def __init__(self, tape: Tape) -> None:
        super().__init__()
        self._tape = tape
        self.over = trio.Event()

    def append(self, line: str, durable: Done) -> None:
        self._tape.lines.append((moment_now(), line))
        if sum(line.startswith("hands") for _, line in self._tape.lines) == 3:
            self.over.set()
        super().append(line, durable)

    def end(self, why: str, durable: Done) -> None:
        self.over.set()
        super().end(why, durable)


class Wiretap(Caller):
    """A caller of whom every byte is noted with its moment."""

    def __init__(self, caller: Caller, heard: list[tuple[float, int]], tape: Tape) -> None:
        super().__init__(caller.stream)
        self._heard = heard
        self._tape = tape

    async def take(self, count: int, piece: int = 65536) -> bytes:
        data = await super().take(count, piece)
        if not self._tape.ended:
            moment = moment_now()
            self._heard += [(moment, byte) for byte in data]
        return data


class TapedNotices(Chat):
    """The server's voice, which is heard by the tape too."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(bytes(32), 1)
        self._tape = tape

    def send(self, said: Said) -> None:
        if isinstance(said, GameNotice) and not self._tape.ended:
            self._tape.said.append((moment_now(), said.text))
        super().send(said)


class Lines(logging.Handler):
    def __init__(self, tape: Tape) -> None:
        super().__init__(logging.DEBUG)
        self._tape = tape
        self.setFormatter(LineFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        _, _, line = self.format(record).partition(" ")
        if not self._tape.ended:
            self._tape.log.append((moment_now(), line))


@contextmanager
def logged(tape: Tape) -> Iterator[None]:
    """Note on the tape whatever is logged."""
    handler = Lines(tape)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def run_alike(session: Callable[..., Awaitable[T]], data_dir: Path, *arguments: object) -> T:
    """Run a session in virtual time; tasks that are due together take turns in the same order.

    The directory is made with a secret that is always the same, and with it the Game IDs.
    """
    data_dir.mkdir(mode=0o700)
    secret = data_dir / "secret"
    secret.touch(mode=0o600)
    secret.write_bytes(bytes(range(32)))
    setattr(trio._core._run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)  # noqa: B010
    trio._core._run._r.seed(0)
    return trio.run(session, data_dir, *arguments, clock=MockClock(autojump_threshold=0))


@asynccontextmanager
async def playing(
    tape: Tape, data_dir: Path, second: Hands, *arguments: str, delay: float = 0.0
) -> AsyncIterator[tuple[House, trio.Nursery]]:
    """A house with this deal as its second, and a nursery for clients; until that hand is over.

    Watchers see the last cards after the ``delay``.
    """
    notebook = HandCounter(tape)
    with logged(tape), trio.fail_after(2000):
        async with (
            house(
                data_dir,
                *ARGUMENTS,
                *arguments,
                journal=notebook,
                deals=lambda: deals(second),
                chat=TapedNotices(tape),
            ) as made,
            trio.open_nursery() as clients,
        ):
            yield made, clients
            await notebook.over.wait()
            await trio.sleep(delay)
            await trio.testing.wait_all_tasks_blocked()
            tape.ended = True
            clients.cancel_scope.cancel()


def until_choice(talk: client.Talk, session: client.OwnSession, cards: int) -> client.Talk:
    """A conversation that breaks off in the second hand, at a choice after so many cards."""
    request = next(talk)
    while True:
        kinds = [kind for kind, numbers, _ in session.facts if kind != "play" or numbers[1] >= 0]
        if kinds.count("hand") == 2 and isinstance(request, client.Think):
            played = kinds[len(kinds) - kinds[::-1].index("hand") :].count("play")
            if played == cards:
                return
        try:
            request = talk.send((yield request))
        except StopIteration:
            return


def deals(second: Hands) -> Iterator[Deal]:
    yield from (Deal(FIRST), Deal(second))
    while True:
        yield Deal(THIRD)


# What is exchanged, and what is shown of it


def owner(card: Card, hands: Hands) -> int:
    return next(player for player in range(4) if hands[player] >> card & 1)


def exchanged(one: Card, other: Card) -> Hands:
    """The second deal with two cards of different players exchanged."""
    swap = mask_of((one, other))
    a, b, c, d = (hand ^ swap if hand & swap else hand for hand in SECOND)
    return (a, b, c, d)


def hard_to_tell(tape: Tape, player: int | None) -> list[Hands]:
    """Deals that exchange two cards that were played late, and make little difference.

    They are cards of others where there is a player.
    """
    order = [play.card for _, play in tape.plays]
    late = [card for card in order[20:] if owner(card, SECOND) != player]
    pairs = [
        (one.suit != other.suit, abs(one - other), one, other)
        for one in late
        for other in late
        if one < other and owner(one, SECOND) != owner(other, SECOND)
    ]
    return [exchanged(one, other) for *_, one, other in sorted(pairs)[:TIMES]]


class Difference(NamedTuple):
    """The first thing that the rules show of an exchange."""

    moment: float
    """Infinity where nothing is shown."""
    plays: int
    """Cards played before."""


def received(tape: Tape, player: int | None, rules: str) -> frozenset[Card]:
    """The cards that a player was passed; a watcher sees none."""
    direction = parse_rules(rules).direction(1)
    return frozenset(
        card
        for _, action in tape.passes
        if player is not None and direction.target(action.player) == player
        for card in action.cards
    )


def difference(one: Tape, other: Tape, player: int | None, rules: str) -> Difference:
    """What a player or watcher is shown first, by the journal.

    Asserts that choices are made at the same time.
    """
    passes = [[(at, act.player, act.by) for at, act in tape.passes] for tape in (one, other)]
    assert passes[0] == passes[1]
    if received(one, player, rules) != received(other, player, rules):
        return Difference(passes[0][-1][0], 0)
    for index, ((at, play), (then, instead)) in enumerate(zip(one.plays, other.plays, strict=True)):
        assert (then, instead.player, instead.by) == (at, play.player, play.by)
        if instead.card != play.card:
            return Difference(at, index)
    return Difference(inf, 52)


def check_said(one: Tape, other: Tape, moment: float) -> None:
    """Assert that the log and the announcements are the same up to a moment.

    How far a client had read that breaks off is left to chance, and with it what is logged of it.
    """
    for said, also in ((one.log, other.log), (one.said, other.said)):
        whole, instead = (
            [(at, _LOST.sub(r"\1", what)) for at, what in each if at <= moment]
            for each in (said, also)
        )
        assert whole == instead


def before(moment: float, noted: Sequence[tuple[float, T]]) -> list[tuple[float, T]]:
    return [(at, what) for at, what in noted if at < moment]
