"""A hand at a whole server twice, with cards exchanged that a player may not know.

The other seats are a computer, a player whose clock runs out, and one who leaves, so that stand-ins
come in. Until the rules show the difference, the player gets the same bytes at the same moments,
and the log and the announcements say the same. What is shown and when, the journal knows.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from hearts.cards import Card, mask_of
from hearts.deal import Hands, deal_hands
from hearts.events import By, Deal, Pass, Play
from hearts.logline import LineFormatter
from hearts.record import parse_action
from hearts.rules import parse_rules
from hearts_server.chat import Chat
from hearts_server.store import Done, Session, StoredSession
from tests.independent import client

from .house import NAMES, Caller, House, house, options

ARGUMENTS = (
    *("--bot-pause", "0.1", "--turn-limit", "2", "--grace", "5", "--pause-limit", "600"),
    *("--taunt-port", "1"),
)
LEAVES_AT, GOES_AT, AWAY = 2, 4, 1.5
"""Cards of the hand after which one leaves for good, and the player for so many seconds."""
TIMES = 3
FIRST, SECOND, THIRD = (deal_hands(bytes([number] * 16)) for number in (1, 2, 3))


@dataclass(frozen=True)
class Roles:
    """Who has which seat, and how the player comes back, if he does."""

    player: int
    computer: int
    slow: int
    leaver: int
    back: int | None = None
    """The hands that he says he knows; None where he stays."""
    rules: str = "pass=never"


@dataclass
class Tape:
    """What one run left behind; each thing with its moment."""

    lines: list[tuple[float, str]] = field(default_factory=list)
    """What the journal was given."""
    heard: list[tuple[float, int]] = field(default_factory=list)
    """Every byte that the player got."""
    facts: list[tuple[int, client.Fact]] = field(default_factory=list)
    """What he made of it, each with the number of bytes that he had read then."""
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


class Notebook:
    """A journal that is always durable, and knows when the second hand is over."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.over = trio.Event()

    def begin(self, session: Session, durable: Done) -> Notebook:
        durable()
        return self

    def take_up(self, stored: StoredSession) -> Notebook:
        return self

    def append(self, line: str, durable: Done) -> None:
        self._tape.lines.append((trio.current_time(), line))
        if sum(line.startswith("hands") for _, line in self._tape.lines) == 3:
            self.over.set()
        durable()

    def end(self, why: str) -> None:
        self.over.set()


class Notices(Chat):
    """The server's voice, which is heard by the tape too."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(bytes(32), 1)
        self._tape = tape

    def announce(self, game_number: int, text: str) -> None:
        if not self._tape.ended:
            self._tape.said.append((trio.current_time(), text))
        super().announce(game_number, text)


class Lines(logging.Handler):
    def __init__(self, tape: Tape) -> None:
        super().__init__(logging.DEBUG)
        self._tape = tape
        self.setFormatter(LineFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        _, _, line = self.format(record).partition(" ")
        if not self._tape.ended:
            self._tape.log.append((trio.current_time(), line))


class Wiretap(Caller):
    """A caller of whom every byte is noted when it arrives."""

    def __init__(self, stream: trio.abc.HalfCloseableStream, tape: Tape) -> None:
        super().__init__(stream)
        self._tape = tape

    async def take(self, count: int, piece: int = 65536) -> bytes:
        data = await super().take(count, piece)
        moment = trio.current_time()
        self._tape.heard += [(moment, byte) for byte in data]
        return data


def noted(session: client.Session, tape: Tape) -> client.Talk:
    """A conversation whose facts are noted with the bytes that led to them."""
    talk = session.talk()
    request = next(talk)
    while True:
        known = len(session.facts)
        try:
            answer = yield request
            request = talk.send(answer)
        except StopIteration:
            return
        finally:
            tape.facts += [(len(tape.heard), fact) for fact in session.facts[known:]]


def until(talk: client.Talk, session: client.Session, cards: int) -> client.Talk:
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


async def follow(made: House, talk: client.Talk, tape: Tape) -> None:
    """A connection of the player, to the end of what he has to say."""
    caller = Wiretap((await made.call()).stream, tape)
    async with caller.stream:
        await caller.converse(talk)


async def run(data_dir: Path, roles: Roles, second: Hands) -> Tape:
    """One session with this deal as its second."""
    tape = Tape()
    notebook = Notebook(tape)
    handler = Lines(tape)
    root = logging.getLogger()

    def deals() -> Iterator[Deal]:
        yield from (Deal(hands) for hands in (FIRST, second, THIRD))

    settings = client.Settings(process_id=77, plodding=True, think_chance=1.0, think_seconds=0.3)
    settings = replace(settings, options=options(roles.rules, 1000, 1 << roles.computer))
    wants = {
        roles.player: replace(settings, wrong=0.2),
        roles.slow: replace(settings, think_seconds=4.0),
        roles.leaver: settings,
    }
    sessions = {
        player: client.Session(
            replace(
                want,
                name=NAMES[player],
                options=settings.options if player == 0 else None,
                seed=player,
            )
        )
        for player, want in sorted(wants.items())
    }

    async def play(player: int) -> None:
        session = sessions[player]
        if player == roles.player:
            await play_and_come_back(session)
            return
        caller = await made.call()
        async with caller.stream:
            talk = session.talk()
            await caller.converse(
                until(talk, session, LEAVES_AT) if player == roles.leaver else talk
            )

    async def play_and_come_back(session: client.Session) -> None:
        talk = noted(session, tape)
        if roles.back is None:
            await follow(made, talk, tape)
            return
        await follow(made, until(talk, session, GOES_AT), tape)
        await trio.sleep(AWAY)
        ticket = session.ticket
        assert ticket is not None
        assert roles.back in (-1, ticket.hands)
        settings = replace(session.settings, options=None, seed=9)
        again = client.Session(settings, replace(ticket, hands=roles.back))
        await follow(made, noted(again, tape), tape)

    root.addHandler(handler)
    level = root.level
    root.setLevel(logging.DEBUG)
    try:
        with trio.fail_after(2000):
            async with (
                house(data_dir, *ARGUMENTS, journal=notebook, deals=deals) as made,
                trio.open_nursery() as clients,
            ):
                made.server.chat = Notices(tape)
                for player in sessions:
                    clients.start_soon(play, player)
                    await trio.testing.wait_all_tasks_blocked()
                await notebook.over.wait()
                await trio.testing.wait_all_tasks_blocked()
                tape.ended = True
                clients.cancel_scope.cancel()
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
    return tape


def tape_of(data_dir: Path, roles: Roles, second: Hands) -> Tape:
    """The tape of a session; the secret of its server, and so the Game IDs, are always the same."""
    data_dir.mkdir(mode=0o700)
    secret = data_dir / "secret"
    secret.touch(mode=0o600)
    secret.write_bytes(bytes(range(32)))
    return trio.run(run, data_dir, roles, second, clock=MockClock(autojump_threshold=0))


# What is exchanged, and what is shown of it


def owner(card: Card, hands: Hands) -> int:
    return next(player for player in range(4) if hands[player] >> card & 1)


def exchanged(one: Card, other: Card) -> Hands:
    """The second deal with two cards of different players exchanged."""
    swap = mask_of((one, other))
    a, b, c, d = (hand ^ swap if hand & swap else hand for hand in SECOND)
    return (a, b, c, d)


def hard_to_tell(tape: Tape, player: int) -> list[Hands]:
    """Deals that exchange two cards of others that were played late, and make little difference."""
    order = [play.card for _, play in tape.plays]
    late = [card for card in order[20:] if owner(card, SECOND) != player]
    pairs = [
        (one.suit != other.suit, abs(one - other), one, other)
        for one in late
        for other in late
        if one < other and owner(one, SECOND) != owner(other, SECOND)
    ]
    return [exchanged(one, other) for *_, one, other in sorted(pairs)[:TIMES]]


def received(tape: Tape, roles: Roles) -> set[Card]:
    """The cards that the player was passed."""
    direction = parse_rules(roles.rules).direction(1)
    return {
        card
        for _, action in tape.hand
        if isinstance(action, Pass) and direction.target(action.player) == roles.player
        for card in action.cards
    }


@dataclass(frozen=True)
class Shown:
    """The first thing that the rules show of an exchange."""

    moment: float
    """Infinity where nothing is shown."""
    plays: int
    """Cards played before."""
    facts: tuple[client.Fact, ...] = ()
    """What the player makes of it in the two runs."""
    size: int = 0
    """Bytes that tell it."""


def what_shows(one: Tape, other: Tape, roles: Roles) -> Shown:
    """What the first difference is, by the journal. Asserts that choices are made at one time."""
    passes = [[(at, act.player, act.by) for at, act in tape.passes] for tape in (one, other)]
    assert passes[0] == passes[1]
    cards = [received(tape, roles) for tape in (one, other)]
    if cards[0] != cards[1]:
        facts = [client.Fact("received", tuple(sorted(card.wire for card in c))) for c in cards]
        return Shown(passes[0][-1][0], 0, tuple(facts), 12)
    for index, ((at, play), (then, instead)) in enumerate(zip(one.plays, other.plays, strict=True)):
        assert (then, instead.player, instead.by) == (at, play.player, play.by)
        if instead.card != play.card:
            facts = [client.Fact("saw", (play.player, p.card.wire)) for p in (play, instead)]
            return Shown(at, index, tuple(facts), 4)
    return Shown(inf, 52)


def check_same(one: Tape, other: Tape, roles: Roles) -> Shown:
    """Assert that two runs are the same until a difference is shown, which is given."""
    shown = what_shows(one, other, roles)
    if shown.facts:
        read, facts = first_difference(one, other)
        assert facts == shown.facts
        assert one.heard[: read - shown.size] == other.heard[: read - shown.size]
        assert [at for at, _ in one.heard[:read]] == [at for at, _ in other.heard[:read]]
    else:
        assert one.heard == other.heard
    for said, also in ((one.log, other.log), (one.said, other.said)):
        assert up_to(shown.moment, said) == up_to(shown.moment, also)
    return shown


def first_difference(one: Tape, other: Tape) -> tuple[int, tuple[client.Fact, ...]]:
    """The first facts that differ, and how many bytes the player had read then."""
    for (read, fact), (also, instead) in zip(one.facts, other.facts, strict=False):
        assert read == also
        if fact != instead:
            return read, (fact, instead)
    raise AssertionError("the player was told the same")


def up_to(moment: float, said: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    return [(at, what) for at, what in said if at <= moment]


@pytest.mark.parametrize(
    "roles",
    [
        Roles(0, 1, 2, 3),
        Roles(1, 2, 3, 0, back=-1),
        Roles(2, 3, 0, 1, back=1),
        Roles(3, 2, 0, 1, back=-1, rules="standard"),
        Roles(0, 2, 3, 1, back=1, rules="pass=left,bleed"),
    ],
    ids=str,
)
def test_nothing_tells_a_player_what_he_may_not_know(roles: Roles, tmp_path: Path) -> None:
    before = tape_of(tmp_path / "before", roles, SECOND)
    plays = []
    for number, hands in enumerate(hard_to_tell(before, roles.player)):
        assert hands != SECOND
        after = tape_of(tmp_path / f"after-{number}", roles, hands)
        plays.append(check_same(before, after, roles).plays)
    assert max(plays) >= 26
    by = {play.by for _, play in before.plays[:26]}
    assert by == set(By)
    kinds = [fact.kind for _, fact in before.facts]
    assert kinds.count("back") == (roles.back is not None)
    assert any(line.startswith("level=info") for _, line in before.log)
    assert any("has left" in text for _, text in before.said)


def test_a_run_is_the_same_again(tmp_path: Path) -> None:
    roles = Roles(0, 1, 2, 3, back=1)
    one, other = (tape_of(tmp_path / name, roles, SECOND) for name in ("one", "other"))
    assert check_same(one, other, roles) == Shown(inf, 52)
    assert one == other
