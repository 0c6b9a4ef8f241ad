"""A dealer that is a script, for the tests of the independent client of the dealer dialect.

It has the hand of section 4.10 of SocketSpec.md as frames for Ann, player 0, who
sits with Ben and two computers. The game ends with it.
"""

from __future__ import annotations

import contextlib
import hashlib
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from .dealer import DealerSettings, PlayerConnection
from .dealer_proof import NO_VALUE, dealt
from .plain_client import Closed, Nonsense, Read, Request, Talk, Ticket, Write, string
from .rules import SpecRules, verdicts

SECRET = bytes(range(16))
CUTS = bytes(32)
NO_HASHES = (NO_VALUE,) * 4
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


NO_BANK = (-1, -1)


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
class ScriptFrame:
    """A frame of the dealer, to the one or to all."""

    type: int
    parts: tuple[Part, ...]
    everybody: bool = True
    right: bytes = b""
    """What Ann answers."""

    @property
    def query(self) -> bool:
        return self.type in (104, 108, 118, 126, 200, 201, 202)


def tell(kind: int, *parts: Part) -> ScriptFrame:
    return ScriptFrame(kind, parts)


def alone(kind: int, *parts: Part) -> ScriptFrame:
    return ScriptFrame(kind, parts, everybody=False)


def person(player: int, kind: int, name: str, comment: str = "") -> tuple[Part, ...]:
    return player, kind, 0, 1, name, comment


def people() -> tuple[Part, ...]:
    ann, ben = person(0, 3, "Ann", "I am not here"), person(1, 5, "Ben")
    return ann + ben + person(2, 1, "Moe") + person(3, 1, "Larry")


def forming() -> list[ScriptFrame]:
    nobody = sum(((p, 0, 0, 0, "", "") for p in (1, 2, 3)), ())
    return [
        alone(126, -1, 401, 0),
        tell(125, *person(0, 3, "Ann", "I am not here"), *nobody),
        alone(132, 401, 0b1110, 0, 20000),
        tell(209, 0, 7, 1282901695, "Table 1"),
        tell(125, *people()),
    ]


def play_out(held: set[int], tricks: str, rules: int) -> Iterator[ScriptFrame]:
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
                statuses = verdicts(SpecRules.read(rules), held, lying, number == 1, broken)
                mine = [part for c in sorted(held) for part in (c, int(statuses[c] == 0))]
                query = alone(118 if lying else 108, 60000, 410, *trick, len(held), *mine, *NO_BANK)
                yield replace(query, right=join(played))
                yield alone(110, played, 0)
                held = held - {played}
            breaks = not broken and played <= 13
            broken = broken or breaks
            lying.append(played)
            told[player] = played
            trick = lay(told, lying, leader, number, broken)
            yield tell(133, *trick, player, played, 3 if player >= 2 else 0)
            if breaks:
                yield tell(107)
        done = lay(told, lying, leader, number, broken, int(winner)), map(int, points.split())
        parts = [*done[0], *done[1]]
        if int(winner) == 0:
            yield alone(129, *parts)
        yield tell(130, *parts)


def lay(
    told: list[int], lying: list[int], leader: int, number: int, broken: bool, winner: int = -1
) -> tuple[int, ...]:
    suit = 1 + "SDCH".index("HCDS"[(lying[0] - 1) // 13]) if lying else 0
    return (*told, suit, leader, number, int(broken), winner, int(37 in lying), int(51 in lying))


def hand() -> Iterator[ScriptFrame]:
    """All that Ann is told from P_NEW_GAME on."""
    hands = dealt(SECRET, CUTS)
    passed = {player: cards(text) for player, text in PASSED.items()}
    yield tell(113, *STANDARD, 60000, 0)
    yield tell(203, 1, hashlib.sha256(SECRET).digest(), *NO_HASHES)
    yield tell(114, 1, 1)
    for number in hands[0]:
        yield alone(127, number)
    yield replace(alone(104, 60000, 406, 0, 1, 13, *hands[0], *NO_BANK), right=join(*passed[0]))
    yield alone(111, 0, 1, *passed[0], 0)
    yield alone(132, 407, 0b0010, 1000, 59000)
    yield alone(128, 3, 1, *sorted(passed[3]))
    held = {*hands[0], *passed[3]} - {*passed[0]}
    yield tell(212, 0)
    yield from play_out(held, TRICKS, 0)
    yield tell(204, 1, SECRET, CUTS, *NO_HASHES, 0)
    yield tell(105, 2, 2, -1, *SCORE, 3, 8, 2, 16, 0, 0b1000)
    yield tell(106, *SCORE, 0b1000, 0)
    yield replace(alone(201, 60000, 416, *NO_BANK), right=join(0))
    yield tell(214, 0, 0, 0)


HAND = list(hand())
SCRIPT = [*forming(), *HAND]


class Ann(PlayerConnection):
    """Chooses what the script says that she chose."""

    def __init__(
        self,
        settings: DealerSettings,
        ticket: Ticket | None = None,
        earlier: PlayerConnection | None = None,
    ) -> None:
        super().__init__(settings, ticket, earlier)
        self.plays = [step.right for step in SCRIPT if step.type in (108, 118)]

    def _three(self) -> list[int]:
        return [self._memory.cards.index(number) for number in cards(PASSED[0])]

    def _card_index(self) -> int:
        gone = sum(not held for held in self._memory.held)
        return self._memory.cards.index(struct.unpack(">i", self.plays[gone])[0])


SETTINGS = DealerSettings(name="Ann", kind=3, comment="I am not here", process_id=1000)
Frames = list[tuple[int, int, bytes]]
Judge = Callable[[ScriptFrame, int, tuple[int, int, bytes]], list[ScriptFrame]]


class ScriptWire:
    """The script as a stream of bytes, and what the client has written.

    before: what comes up to the Process ID. A watcher's frames are not counted.
    """

    def __init__(
        self,
        before: bytes,
        steps: Sequence[ScriptFrame],
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

    def _say(self, step: ScriptFrame) -> None:
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
    steps: Sequence[ScriptFrame] = SCRIPT,
    settings: DealerSettings = SETTINGS,
    judge: Judge | None = None,
) -> tuple[Ann, ScriptWire]:
    session = Ann(settings)
    wire = ScriptWire(join(0, 1, 1), steps, judge)
    wire.run(session.talk())
    return session, wire


def fails(
    steps: Sequence[ScriptFrame], run: Callable[[Sequence[ScriptFrame]], object] = play
) -> bool:
    try:
        run(steps)
    except Nonsense:
        return True
    return False


def changed(step: ScriptFrame, place: int, part: Part) -> ScriptFrame:
    return replace(step, parts=(*step.parts[:place], part, *step.parts[place + 1 :]))


def put(
    steps: Sequence[ScriptFrame], at: int, *new: ScriptFrame, gone: int = 1
) -> list[ScriptFrame]:
    return [*steps[:at], *new, *steps[at + gone :]]
