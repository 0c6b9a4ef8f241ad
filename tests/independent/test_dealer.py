"""The independent client of the dealer dialect sees every fault in what a dealer says.

The dealer is a script: the hand of section 4.10 of SocketSpec.md as frames for Ann, player 0, who
sits with Ben and two computers. The game ends with it.
"""

from __future__ import annotations

import contextlib
import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import pytest

from .client import Closed, Fact, Nonsense, Read, Request, Settings, Talk, Ticket, Write, string
from .dealer import DealerSession, DealerSettings, Watcher, Wish
from .dealer_proof import dealt
from .joined import Joined
from .referee import Referee
from .rules import Rules, verdicts

SECRET = bytes(range(16))
CUTS = bytes(32)
PASSED = {0: "KC QC JD", 1: "QS JC TH", 2: "AH AC AS", 3: "AD KH KD"}
TRICKS = """
0 2C 7C 6C AC | 3 | 0 0 0 0
3 2D 3D 5D 4D | 1 | 0 0 0 0
1 5S 4S 3S 6S | 0 | 0 0 0 0
0 3C 8C 5C AH | 1 | 0 1 0 0
1 5H 2H 4H 7H | 0 | 4 1 0 0
0 4C 9C TC JH | 2 | 4 1 1 0
2 TH 8H KH 9H | 0 | 8 1 1 0
0 6D 7D TD 8D | 2 | 8 1 1 0
2 TS 7S 9S 8S | 2 | 8 1 1 0
2 JC 3H AD QC | 1 | 8 2 1 0
1 6H QH AS KD | 2 | 8 2 3 0
2 QD KS 9D JD | 2 | 8 2 3 0
2 QS 2S JS KC | 2 | 8 2 16 0
"""
SCORE = (8, 0, 0, 0, 2, 0, 0, 0, 16, 1, 1, 0, 0, 0, 0, 1)
STANDARD = (0, 16, 0, 0, 0, 1, 0, 0, 0, 1)
Part = int | str | bytes


def card(text: str) -> int:
    return "HCDS".index(text[1]) * 13 + "A23456789TJQK".index(text[0]) + 1


def cards(text: str) -> list[int]:
    return [card(word) for word in text.split()]


def join(*parts: Part) -> bytes:
    data = b""
    for part in parts:
        if isinstance(part, int):
            data += struct.pack(">i", part)
        else:
            data += string(part) if isinstance(part, str) else part
    return data


@dataclass(frozen=True, slots=True)
class Step:
    """A frame of the dealer, to the one or to all."""

    type: int
    parts: tuple[Part, ...]
    everybody: bool = True
    right: bytes = b""
    """What Ann answers."""
    statuses: dict[int, int] = field(default_factory=dict)
    """The reason for each card that she may answer instead."""

    @property
    def query(self) -> bool:
        return self.type in (104, 108, 118, 126, 200, 201, 202)


def step(kind: int, *parts: Part) -> Step:
    return Step(kind, parts)


def alone(kind: int, *parts: Part) -> Step:
    return Step(kind, parts, everybody=False)


def person(player: int, kind: int, name: str, comment: str = "") -> tuple[Part, ...]:
    return player, kind, 0, 1, name, comment


def people() -> tuple[Part, ...]:
    ann, ben = person(0, 3, "Ann", "I am not here"), person(1, 5, "Ben")
    return ann + ben + person(2, 1, "Moe") + person(3, 1, "Larry")


def forming() -> list[Step]:
    nobody = sum(((p, 0, 0, 0, "", "") for p in (1, 2, 3)), ())
    return [
        alone(126, -1, 401, 0),
        step(125, *person(0, 3, "Ann", "I am not here"), *nobody),
        alone(132, 401, 0b1110, 0, 20000),
        step(209, 0, 7, 1282901695, "Table 1"),
        step(125, *people()),
    ]


def play_out(held: set[int], tricks: str, rules: int) -> Iterator[Step]:
    """13 tricks. Players 2 and 3 are computers."""
    broken = False
    for number, line in enumerate(tricks.strip().splitlines(), 1):
        row, winner, points = line.split("|")
        leader = int(row.split()[0])
        lying: list[int] = []
        told = [0, 0, 0, 0]
        for place, played in enumerate(cards(row[2:])):
            player = (leader + place) % 4
            trick = lay(told, lying, leader, number, broken)
            if player == 0:
                statuses = verdicts(Rules.read(rules), held, lying, number == 1, broken)
                mine = [part for c in sorted(held) for part in (c, int(statuses[c] == 0))]
                query = alone(118 if lying else 108, 60000, 410, *trick, len(held), *mine)
                yield replace(query, right=join(played), statuses=statuses)
                yield alone(110, played, 0)
                held = held - {played}
            breaks = not broken and played <= 13
            broken = broken or breaks
            lying.append(played)
            told[player] = played
            trick = lay(told, lying, leader, number, broken)
            yield step(133, *trick, player, played, 3 if player >= 2 else 0)
            if breaks:
                yield step(107)
        done = lay(told, lying, leader, number, broken, int(winner)), map(int, points.split())
        parts = [*done[0], *done[1]]
        if int(winner) == 0:
            yield alone(129, *parts)
        yield step(130, *parts)


def lay(
    told: list[int], lying: list[int], leader: int, number: int, broken: bool, winner: int = -1
) -> tuple[int, ...]:
    suit = 1 + "SDCH".index("HCDS"[(lying[0] - 1) // 13]) if lying else 0
    return (*told, suit, leader, number, int(broken), winner, int(37 in lying), int(51 in lying))


def hand() -> Iterator[Step]:
    """All that Ann is told from P_NEW_GAME on."""
    hands = dealt(SECRET, CUTS)
    passed = {player: cards(text) for player, text in PASSED.items()}
    yield step(113, *STANDARD, 60000)
    yield step(203, 1, hashlib.sha256(SECRET).digest())
    yield step(114, 1, 1)
    for number in hands[0]:
        yield alone(127, number)
    yield replace(alone(104, 60000, 406, 0, 1, 13, *hands[0]), right=join(*passed[0]))
    yield alone(111, 0, 1, *passed[0], 0)
    yield alone(132, 407, 0b0010, 1000, 59000)
    yield alone(128, 3, 1, *sorted(passed[3]))
    held = {*hands[0], *passed[3]} - {*passed[0]}
    yield step(212, 0)
    yield from play_out(held, TRICKS, 0)
    yield step(204, 1, SECRET, CUTS)
    yield step(105, 2, 2, -1, *SCORE, 3, 8, 2, 16, 0, 0b1000)
    yield step(106, *SCORE, 0b1000, 0)
    yield replace(alone(201, 60000, 416), right=join(0))
    yield step(214, 0, 0, 0)


HAND = list(hand())
SCRIPT = [*forming(), *HAND]


class Ann(DealerSession):
    """Chooses what the script says that she chose."""

    def __init__(self, settings: DealerSettings, ticket: Ticket | None = None) -> None:
        super().__init__(settings, ticket)
        self.plays = [step.right for step in SCRIPT if step.type in (108, 118)]

    def _three(self) -> list[int]:
        return [self._memory.cards.index(number) for number in cards(PASSED[0])]

    def _card_index(self) -> int:
        gone = sum(not held for held in self._memory.held)
        return self._memory.cards.index(struct.unpack(">i", self.plays[gone])[0])


SETTINGS = DealerSettings(name="Ann", kind=3, comment="I am not here", process_id=1000)
Frames = list[tuple[int, int, bytes]]
Judge = Callable[[Step, int, tuple[int, int, bytes]], list[Step]]


class Wire:
    """The script as a stream of bytes, and what the client has written.

    before: what comes up to the Process ID. A watcher's frames are not counted.
    """

    def __init__(
        self,
        before: bytes,
        steps: Sequence[Step],
        judge: Judge | None = None,
        *,
        counted: bool = True,
    ) -> None:
        self.said: Frames = []
        self._unread = before
        self._registration = len(before) // 4 + 1
        self._steps = list(steps)
        self._judge = judge
        self._counted = counted
        self._sequence = 0
        self._query = steps[0], 0

    def _say(self, step: Step) -> None:
        self._sequence += self._counted
        data = join(*step.parts)
        self._unread += struct.pack(">3i", step.type, self._sequence, len(data)) + data
        if step.query:
            self._query = step, self._sequence

    def run(self, talk: Talk) -> None:
        try:
            request = next(talk)
            while True:
                request = talk.send(self._meet(request))
        except Closed:
            with contextlib.suppress(StopIteration):
                talk.throw(Closed())
        except StopIteration:
            pass

    def _meet(self, request: Request) -> bytes:
        match request:
            case Read(count):
                while len(self._unread) < count and self._steps:
                    self._say(self._steps.pop(0))
                if len(self._unread) < count:
                    raise Closed
                data, self._unread = self._unread[:count], self._unread[count:]
                return data
            case Write(data) if self._registration:
                self._registration -= 1
            case Write(data):
                kind, in_reply_to, length = struct.unpack(">3i", data[:12])
                assert length == len(data) - 12
                self.said.append((kind, in_reply_to, data[12:]))
                for step in self._judge(*self._query, self.said[-1]) if self._judge else ():
                    self._say(step)
            case _:
                pass
        return b""


def play(
    steps: Sequence[Step] = SCRIPT, settings: DealerSettings = SETTINGS, judge: Judge | None = None
) -> tuple[Ann, Wire]:
    session = Ann(settings)
    wire = Wire(join(0, 1, 1), steps, judge)
    wire.run(session.talk())
    return session, wire


@pytest.fixture(scope="module")
def whole() -> Ann:
    return play()[0]


def test_the_script_is_played_to_its_end(whole: Ann) -> None:
    assert [frame.type for frame in whole.frames] == [step.type for step in SCRIPT]
    assert [frame.sequence for frame in whole.frames] == [*range(1, len(SCRIPT) + 1)]
    assert [fact.kind for fact in whole.facts[-3:]] == ["again", "new game", "end"]


def test_the_answers_are_frames_with_the_sequence_of_their_query() -> None:
    _, wire = play()
    queries = [(s.type, n, s.right) for n, s in enumerate(SCRIPT, 1) if s.query and s.right]
    introduction = (126, 1, join(3, 0, 0, "I am not here"))
    assert wire.said == [introduction, *queries]


def test_the_facts_are_those_of_a_plain_client(whole: Ann) -> None:
    report = Referee({0: whole.facts}).judge()
    assert (report.games, report.hands) == (1, 1)
    assert report.scores == [(8, 2, 16, 0)]
    assert Fact("passing", (5, 4, 9, 0)) in whole.facts
    assert Fact("received", tuple(sorted(cards(PASSED[3])))) in whole.facts
    assert Fact("table", (1, 0, 16, 60, 0b1100)) in whole.facts
    assert Fact("scores", (8, 2, 16, 0, 0b100011)) in whole.facts
    assert Fact("play", (1, 0)) in whole.facts


def fails(steps: Sequence[Step], run: Callable[[Sequence[Step]], object] = play) -> bool:
    try:
        run(steps)
    except Nonsense:
        return True
    return False


def free(step: Step, part: int) -> bool:
    """Whether nobody can know what this part has to be."""
    if step.type == 125:
        return step.parts[part - part % 6] != 0 and part % 6 in (1, 2, 3)
    if step.type == 133:
        return step.parts[-3] == 1 and part == len(step.parts) - 1
    # Several rules make no difference to this hand.
    places = {113: {1, 2, 4, 5, 7, 8, 9}, 126: {0}, 209: {1, 2}, 132: {2, 3}, 214: {2}}
    places |= {104: {0}, 108: {0}, 118: {0}, 201: {0}}
    return part in places.get(step.type, set())


@pytest.mark.parametrize("more", [1, -1])
def test_no_changed_number_passes(more: int) -> None:
    for at, step in enumerate(SCRIPT):
        for place, part in enumerate(step.parts):
            if isinstance(part, str) or free(step, place):
                continue
            changed = bytes([part[0] ^ 1]) + part[1:] if isinstance(part, bytes) else part + more
            parts = (*step.parts[:place], changed, *step.parts[place + 1 :])
            lie = [*SCRIPT[:at], replace(step, parts=parts), *SCRIPT[at + 1 :]]
            assert fails(lie), f"step {at}, type {step.type}: {changed!r} for {part!r} at {place}"


def test_more_time_than_the_turn_limit_does_not_pass() -> None:
    for at, step in enumerate(SCRIPT):
        if step.query and step.right:
            for left in (60001, -1):
                parts = (left, *step.parts[1:])
                assert fails([*SCRIPT[:at], replace(step, parts=parts), *SCRIPT[at + 1 :]])


def test_no_missing_frame_passes() -> None:
    for at, step in enumerate(SCRIPT[:-1]):
        may_be_missing = step.type == 132 and at > 2
        assert fails([*SCRIPT[:at], *SCRIPT[at + 1 :]]) != may_be_missing, f"{at}: {step}"


def test_no_doubled_frame_passes() -> None:
    for at, step in enumerate(SCRIPT):
        may_come_twice = step.type == 132 and at == 2
        assert fails([*SCRIPT[: at + 1], *SCRIPT[at:]]) != may_come_twice, f"{at}: {step}"


def test_no_swapped_frames_pass() -> None:
    for at, (first, second) in enumerate(pairwise(SCRIPT)):
        meant = first == second or {first.type, second.type} <= {127, 132, 125}
        meant = meant or 132 in (first.type, second.type)
        if not meant:
            lie = [*SCRIPT[:at], second, first, *SCRIPT[at + 2 :]]
            assert fails(lie), f"{at}: {first}, {second}"


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(step(107, 0), id="too long"),
        pytest.param(step(112), id="unknown"),
        pytest.param(step(105), id="too short"),
        pytest.param(step(205, b"\0\0\0\3a\0\0"), id="two NULs"),
        pytest.param(step(205, b"\0\0\0\3ab\xff"), id="no NUL"),
        pytest.param(step(205, b"\0\0\0\2\xff\0"), id="no UTF-8"),
        pytest.param(step(205, "a\u202eb"), id="hidden character"),
        pytest.param(step(205, b"\0" * 4100), id="too many bytes"),
        pytest.param(step(205, "a" * 1024), id="too long a text"),
        pytest.param(step(207), id="pong without ping"),
        pytest.param(step(208, 1, 126, -21, -1, ""), id="error for nothing"),
        pytest.param(step(211, 0), id="past ends"),
        pytest.param(step(124, 60000, 417, *STANDARD), id="rules for player 0"),
        pytest.param(step(135, 1, *person(1, 5, "Bob")), id="another name"),
        pytest.param(step(135, 3, *person(1, 5, "Ben")), id="stand-in that is there"),
        pytest.param(step(202, 5000, 404, 1), id="cut that nobody wants"),
    ],
)
def test_a_wrong_frame_does_not_pass(wrong: Step) -> None:
    for at in (8, 30, 60):
        assert fails([*SCRIPT[:at], wrong, *SCRIPT[at:]])


def test_what_may_come_at_any_place_does() -> None:
    asides = [
        step(205, "the disk is full"),
        step(135, 1, 1, 5, 0, 0, "Ben", ""),
        step(135, 3, 1, 5, 0, 2, "Ben", ""),
        step(135, 2, 1, 5, 0, 1, "Ben", ""),
        step(116, *STANDARD[:-1], 0),
        alone(215, 1, "no"),
    ]
    for at in range(len(forming()), len(SCRIPT)):
        session, _ = play([*SCRIPT[:at], *asides, *SCRIPT[at:]])
        assert session.facts[-2].kind == "new game"


def test_a_gap_in_the_sequence_does_not_pass() -> None:
    wire = Wire(join(0, 1, 1), SCRIPT)
    wire._sequence = 1
    with pytest.raises(Nonsense, match="sequence 1 is due"):
        wire.run(Ann(SETTINGS).talk())


def test_nothing_comes_after_the_session_or_its_abort() -> None:
    assert fails([*SCRIPT, step(113, *STANDARD, 60000)])
    assert fails([*SCRIPT[:40], step(101, 1, "shutting down"), *SCRIPT[40:]])
    session, _ = play([*SCRIPT[:40], step(101, 1, "shutting down")])
    assert session.facts[-1].kind == "end"


def test_a_refusal() -> None:
    session, _ = play([SCRIPT[0], step(210, -106, "too slow")])
    assert session.facts[-2] == Fact("refused", (-106,), ("too slow",))
    assert fails([SCRIPT[0], step(210, -3, "never")])
    assert fails([SCRIPT[0], step(210, -106, "too slow"), *SCRIPT[1:]])


# -- bad answers --


class Strict:
    """Judges answers as 14.5 says."""

    def __init__(self, spoil: Callable[[Step], list[Step]] = lambda error: [error]) -> None:
        self._spoil = spoil
        self._tries: dict[int, int] = {}
        self._answered: set[int] = set()

    def __call__(self, query: Step, sequence: int, frame: tuple[int, int, bytes]) -> list[Step]:
        kind, _, payload = frame
        if kind == 206:
            return [alone(207, payload)]
        if kind > 215:
            return [] if kind != 221 else self._error(frame, -26, -1)
        reason, left = self._reason(query, sequence, frame), -1
        if reason == 0:
            self._answered.add(sequence)
            return []
        if reason > -20 or reason == -23:
            self._tries[sequence] = self._tries.get(sequence, 0) + 1
            left = 10 - self._tries[sequence]
            if left <= 0:
                raise AssertionError("the script cannot decide for her")
        return self._error(frame, reason, left)

    def _reason(self, query: Step, sequence: int, frame: tuple[int, int, bytes]) -> int:
        kind, in_reply_to, payload = frame
        if kind == 126:
            return 0
        if in_reply_to != sequence:
            return -21
        if kind != query.type:
            return -22
        if len(payload) < len(query.right):
            return -23
        if sequence in self._answered:
            return -24
        if payload == query.right:
            return 0
        if query.type == 104:
            return -1
        return query.statuses.get(struct.unpack(">i", payload)[0], -23)

    def _error(self, frame: tuple[int, int, bytes], reason: int, left: int) -> list[Step]:
        kind = {104: 117, 108: 119, 118: 119}.get(frame[0], 208)
        return self._spoil(alone(kind, frame[1], frame[0], reason, left, "why"))


BAD = replace(
    SETTINGS, wrong=0.3, doubled=0.5, unasked=0.5, mistyped=0.5, short=0.2, unknown=0.3, pings=0.5
)


def test_bad_answers_get_their_errors_and_change_nothing(whole: Ann) -> None:
    reasons = set()
    for seed in range(30):
        session, _ = play(SCRIPT, replace(BAD, seed=seed), Strict())
        reasons.update(session.errors)
        tries = ("play", "passing")
        told = [f for f in session.facts if f.kind not in tries or f.numbers[-1] >= 0]
        assert told == whole.facts
        assert Referee({0: session.facts}).judge().games == 1
    assert reasons == {-1, -2, -6, -7, -21, -22, -23, -24}


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("missing", lambda error: []),
        ("twice", lambda error: [error, error]),
        ("another query", lambda error: [changed(error, 0, 5000)]),
        ("another type", lambda error: [changed(error, 1, 126)]),
        ("another reason", lambda error: [changed(error, 2, -26)]),
        ("more tries", lambda error: [changed(error, 3, error.parts[3] + 1)]),
        ("another error", lambda error: [replace(error, type=118 + 208 - error.type)]),
        ("a word too much", lambda error: [changed(error, 4, "why\n")]),
    ],
)
def test_a_wrong_error_does_not_pass(name: str, spoil: Callable[[Step], list[Step]]) -> None:
    del name
    for seed in range(5):
        with pytest.raises(Nonsense):
            play(SCRIPT, replace(BAD, seed=seed), Strict(spoil))


def changed(step: Step, place: int, part: Part) -> Step:
    return replace(step, parts=(*step.parts[:place], part, *step.parts[place + 1 :]))


def test_a_wish_is_refused() -> None:
    wishes = (Wish(1, 221, join(1), -26),)
    session, _ = play(SCRIPT, replace(SETTINGS, wishes=wishes), Strict())
    assert session.errors == [-26]
    with pytest.raises(Nonsense):
        play(SCRIPT, replace(SETTINGS, wishes=(replace(wishes[0], reason=-25),)), Strict())


def forced() -> list[Step]:
    """The same, where the clock decides each choice of Ann in the hand."""
    steps = []
    for step in SCRIPT:
        if step.type in (110, 111) or (step.type == 133 and step.parts[-3] == 0):
            step = changed(step, len(step.parts) - 1, 1)
        steps.append(step)
    return steps


def test_late_answers_are_too_late() -> None:
    """The last is not: the game is decided by her."""

    def judge(query: Step, sequence: int, frame: tuple[int, int, bytes]) -> list[Step]:
        if frame[0] == 126 or query.type == 201:
            return []
        kind = {104: 117, 108: 119, 118: 119}[frame[0]]
        return [alone(kind, sequence, frame[0], -20, -1, "too late")]

    class Late(Ann):
        def _chance(self, part: float) -> bool:
            return part > 0 and self._open is not None and self._open.type != 201

    session = Late(replace(SETTINGS, late=1.0))
    Wire(join(0, 1, 1), forced(), judge).run(session.talk())
    assert session.errors == [-20] * 14
    report = Referee({0: session.facts}).judge()
    assert report.forced[0] == 14
    silent = Late(replace(SETTINGS, late=1.0))
    with pytest.raises(Nonsense, match="no error came"):
        Wire(join(0, 1, 1), forced()).run(silent.talk())


# -- cuts, the moon, other rules --


def with_a_cut() -> list[Step]:
    at = next(n for n, step in enumerate(SCRIPT) if step.type == 203) + 1
    return [*SCRIPT[:at], replace(alone(202, 5000, 404, 1), right=bytes(8)), *SCRIPT[at:]]


def test_a_cut_that_came_in_time_is_in_the_proof() -> None:
    def too_late(query: Step, sequence: int, frame: tuple[int, int, bytes]) -> list[Step]:
        return [alone(208, frame[1], 202, -20, -1, "too late")] if frame[0] == 202 else []

    settings = replace(SETTINGS, cuts=True)
    session, _ = play(with_a_cut(), settings, too_late)
    assert session.errors == [-20]
    with pytest.raises(Nonsense, match="cut 0000000000000000, not"):
        play(with_a_cut(), settings)
    with pytest.raises(Nonsense, match="we do not cut"):
        play(with_a_cut(), SETTINGS, too_late)


MOON_RULES = (0, 26, 2, 0, 0, 1, 0, 3, 0, 1)
OTHER_RULES = (1, 50, 0, 1, 1, 0, 1, 0, 1, 0)
LONG = "23456789TJQKA"


def moon() -> Iterator[Step]:
    """Ann holds the clubs and takes all; then they play by other rules. Not dealt from a secret."""
    yield step(113, *MOON_RULES, 60000)
    yield step(114, 1, 0)
    held = {*range(14, 27)}
    for number in sorted(held):
        yield alone(127, number)
    yield step(212, 0)
    rows, points = [], 0
    for r in LONG:
        points += 1 + 13 * (r == "Q")
        rows.append(f"0 {r}C {r}H {r}D {r}S | 0 | {points} 0 0 0")
    yield from play_out(held, "\n".join(rows), MOON_BITS)
    yield step(122, 0, 1)
    yield replace(alone(200, 60000, 415), right=join(1))
    yield step(213, 0, 1, 0)
    score = (0, 1, 1, 1, 26, 0, 0, 0, 26, 0, 0, 0, 26, 0, 0, 0)
    yield step(105, 0, 0, 0, *score, 0, 0, 26, 26, 26, 0b0001)
    yield step(106, *score, 0b0001, 0)
    yield step(116, *OTHER_RULES)
    yield replace(alone(201, 60000, 416), right=join(1))
    yield step(214, 0, 1, 0)
    yield step(113, *OTHER_RULES, 0)


MOON_BITS = 2 << 9 | 3 << 16
MOON = [*forming(), *moon()]


def shoot(steps: Sequence[Step]) -> Ann:
    session = Ann(replace(SETTINGS, plodding=True, committed=False, again=1))
    session.plays = [join(number) for number in cards(" ".join(f"{r}C" for r in LONG))]
    Wire(join(0, 1, 1), steps).run(session.talk())
    return session


def test_the_moon_and_the_next_game() -> None:
    session = shoot(MOON)
    report = Referee({0: session.facts}).judge()
    assert (report.shooters, report.decisions, report.winners) == ([0], [1], [(0,)])
    # Jack, exact=zero, dump, bleed, rotate, notrick and queen-keeps.
    bits = 1 << 8 | 1 << 11 | 1 << 13 | 1 << 14 | 1 << 15 | 1 << 18 | 1 << 19
    assert session.facts[-2] == Fact("table", (1, bits, 50, 0, 0b1100))


@pytest.mark.parametrize("more", [1, -1])
def test_no_changed_number_of_the_moon_passes(more: int) -> None:
    start = next(n for n, step in enumerate(MOON) if step.type == 122)
    undecided = {(200, 0), (201, 0), (213, 2), (214, 2)}
    for at, step in enumerate(MOON[start:], start):
        for place, part in enumerate(step.parts):
            assert isinstance(part, int)
            turn_limit = step.type == 113 and place == 10
            if (step.type, place) in undecided or turn_limit:
                continue
            lie = [*MOON[:at], changed(step, place, part + more), *MOON[at + 1 :]]
            assert fails(lie, shoot), f"type {step.type}: {part + more} for {part} at {place}"


# -- coming back --


def back_at(at: int, ticket: Ticket) -> tuple[bytes, list[Step]]:
    """What the server says to who comes back after so many steps of the hand."""
    start = next((n + 1 for n, step in enumerate(HAND) if step.type == 106 and n < at), 1)
    past = [s for s in HAND[start:at] if not s.query and s.type != 132]
    open_query = [HAND[at - 1]] if HAND[at - 1].query else []
    decided = sum(step.type in (110, 111) for step in past) + sum(step.type == 214 for step in past)
    register, _, _, seated, persons = forming()
    begin = [register, seated, persons, step(211, 1), HAND[0], standing(start > 1), *past]
    begin += [step(211, 0), *open_query]
    assert ticket.hands == int(start > 1)
    return join(0, 1, 1, 1 + decided), [*begin, *HAND[at:]]


def standing(at_the_end: bool) -> Step:
    return step(216, *(SCORE if at_the_end else [0] * 16))


def test_coming_back_at_any_place_tells_the_same_story(whole: Ann) -> None:
    for at in range(2, len(HAND)):
        first, _ = play([*forming(), *HAND[:at]])
        assert first.ticket is not None
        second = Ann(SETTINGS, first.ticket)
        second.records = first.records
        wire = Wire(*back_at(at, first.ticket))
        wire.run(second.talk())
        joined = Joined()
        joined.add(first.facts)
        joined.add(second.facts)
        told = [f for f in whole.facts if f.kind != "end"]
        assert joined.facts == told
        assert Referee({0: joined.facts}, came_back=True).judge().games == 1


def test_a_past_that_was_another_does_not_pass() -> None:
    first, _ = play([*forming(), *HAND[:40]])
    assert first.ticket is not None
    before, steps = back_at(40, first.ticket)
    lies: list[tuple[bytes, list[Step]]] = [
        (join(0, 1, 1, 9), steps),
        (before, [s for s in steps if s.type != 211 or s.parts == (0,)]),
        (before, [s for s in steps if s.type != 211 or s.parts == (1,)]),
        (before, [*steps[:5], alone(132, 404, 1, 1000, 1000), *steps[5:]]),
        (before, [*steps[:8], HAND[16], *steps[8:]]),
        (before, [changed(s, 0, 8) if s.type == 209 else s for s in steps]),
        (before, [changed(s, 1, bytes(32)) if s.type == 203 else s for s in steps]),
        (before, [s for s in steps if s.type != 216]),
        (before, [changed(s, 0, 1) if s.type == 216 else s for s in steps]),
    ]
    for lie in lies:
        second = Ann(SETTINGS, first.ticket)
        second.records = first.records
        with pytest.raises(Nonsense):
            Wire(*lie).run(second.talk())


# -- watching --

SEEN = [step for step in HAND if step.everybody][1:]
WATCHED = [step(209, 4, 7, 0, "Table 1"), step(125, *people()), step(211, 1), HAND[0]]
WATCHED += [standing(at_the_end=False)]


def watch(steps: Sequence[Step], *, bothers: bool = False) -> Watcher:
    def answer(query: Step, sequence: int, frame: tuple[int, int, bytes]) -> list[Step]:
        return [alone(207, frame[2])] if frame[0] == 206 else []

    watcher = Watcher(Settings(name="Eve"), 7, bothers=bothers)
    Wire(join(2, 1, 1, 1), steps, answer, counted=False).run(watcher.talk())
    return watcher


@pytest.mark.parametrize("bothers", [False, True])
def test_a_watcher_sees_what_is_open(bothers: bool, whole: Ann) -> None:
    seen = {"table", "pass", "leads", "tallies", "moon", "new game", "end"}
    for at in (1, 20, 40):
        watcher = watch([*WATCHED, *SEEN[:at], step(211, 0), *SEEN[at:]], bothers=bothers)
        told = [fact for fact in watcher.facts if fact.kind in seen]
        assert told == [fact for fact in whole.facts if fact.kind in seen]
        assert sum(fact.kind == "saw" for fact in watcher.facts) == 52
        assert Fact("scores", (8, 2, 16, 0, 0b100001)) in watcher.facts


def test_a_watcher_must_not_see_more() -> None:
    good = [*WATCHED, *SEEN[:20], step(211, 0), *SEEN[20:]]
    hidden = [s for s in HAND if not s.everybody] + [alone(132, 410, 1, 1000, -1)]
    for secret in hidden:
        for at in (7, 30):
            with pytest.raises(Nonsense):
                watch([*good[:at], secret, *good[at:]])
    with pytest.raises(Nonsense, match="another game"):
        watch([changed(good[0], 2, 5), *good[1:]])
    with pytest.raises(Nonsense):
        watch([changed(good[0], 0, 0), *good[1:]])


def test_the_cards_of_the_test_vectors() -> None:
    """Section 7.5; the last throws a word away."""
    last = dealt(bytes.fromhex("00000000000000000000000000020ba5"), CUTS)
    assert last[0] == [3, 4, 6, 12, 16, 26, 30, 33, 37, 39, 40, 45, 52]
    assert dealt(SECRET, CUTS)[3] == [3, 4, 8, 11, 13, 27, 28, 34, 39, 41, 42, 46, 52]
    assert dealt(SECRET, bytes(31) + b"\1") != dealt(SECRET, CUTS)
