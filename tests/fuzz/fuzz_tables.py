"""Targets: a client's bytes at a real table, and the stored lines of a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from hearts.errors import CorruptRecord
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal
from hearts.game.record import Record
from hearts.game.rules import Rules
from hearts.table.inputs import ClientCameBack, Setting
from hearts.table.table import Table
from hearts.wire.codec import encode_ints
from tests.game.games import faults_of

from .desk import KINDS, NAMES, RULES, FuzzDesk, FuzzPeer
from .source import Source

LONGEST = 300
"""Bytes of an input of :func:`seat` that count, so that none takes many seconds."""


def seat(data: bytes) -> None:
    """A client may say anything: its table plays by the rules, and the other client plays on."""
    source = Source(data[:LONGEST])
    lead(FuzzDesk(source), source, _any_int, _come_and_go, _acknowledge)


def lead(
    desk: FuzzDesk,
    source: Source,
    anything: Callable[[Source, FuzzPeer], bytes],
    beside: Callable[[FuzzDesk, int], None],
    more: Callable[[FuzzDesk, Source, int], None],
) -> None:
    """Lead the first client by the input, while the second behaves; then everybody leaves.

    Of the three functions the first gives what a client may say, the others do something.
    """
    led, good = desk.peers
    while source and not desk.ended:
        op = source.byte()
        many = 1 + (op >> 4)
        match op % 16:
            case 0 | 1:
                for _ in range(many):
                    led.read(card=op & 1)
                    desk.say(led, led.take_unsent())
                    behave(desk, good)
            case 2:
                led.client.behaves = False
                desk.say(led, source.take(many))
            case 3:
                led.client.behaves = False
                desk.say(led, b"".join([anything(source, led) for _ in range(many)]))
            case 4:
                desk.say(led, led.unsent[:many])
                led.unsent = led.unsent[many:]
            case 5:
                led.read(source.byte())
                desk.say(led, led.take_unsent())
            case 6 if led.unsent:
                led.client.behaves = False
                at = many % len(led.unsent)
                wrong = bytes([led.unsent[at] ^ (source.byte() or 1)])
                led.unsent = led.unsent[:at] + wrong + led.unsent[at + 1 :]
            case 7:
                led.client.behaves = led.client.behaves and led.dealer
                desk.say(led, led.last)
            case 8:
                led.read()
            case 9 | 10:
                desk.wait((0.5, 3, 11, 25, 61, 130)[many % 6])
            case 11:
                desk.lose(led)
            case 12:
                desk.return_to(led, source.byte())
            case 13:
                desk.durable(many)
            case 14:
                beside(desk, many)
            case _:
                more(desk, source, many)
        behave(desk, good)
    finish(desk)


def _any_int(source: Source, led: FuzzPeer) -> bytes:
    return encode_ints(source.int32())


def _come_and_go(desk: FuzzDesk, many: int) -> None:
    good = desk.peers[1]
    if many & 1:
        desk.lose(good)
    else:
        desk.return_to(good, many)


def _acknowledge(desk: FuzzDesk, source: Source, many: int) -> None:
    """Say acknowledgements that nobody asked for."""
    led = desk.peers[0]
    led.client.behaves = False
    desk.say(led, bytes(4 * many))


def behave(desk: FuzzDesk, peer: FuzzPeer) -> None:
    # Where the other's seat is a computer's by now, there is always more to read.
    for _ in range(20):
        if not peer.here or not peer.unread or desk.ended:
            return
        peer.read()
        desk.say(peer, peer.take_unsent())


def finish(desk: FuzzDesk) -> None:
    """Everybody leaves: the table ends, and what was stored leads to the same game."""
    if not desk.ended:
        again = desk.new_table()
        again.restore(desk.lines, desk.now)
        assert again.record() == desk.table.record()
        assert again.past.hands_scored() == desk.table.past.hands_scored()
    for peer in desk.peers:
        desk.lose(peer)
    desk.wait(1000)
    # Nobody is told that it has ended before that is durable.
    desk.durable(len(desk.store.waiting))
    assert desk.ended


@cache
def _played(rules: Rules) -> tuple[Setting, tuple[str, ...], tuple[Record, ...]]:
    """A table that plays two hands and perhaps another game: its lines, and its records."""
    desk = FuzzDesk(Source(bytes([0, 1, RULES.index(rules), 1, 1])))
    records = {}
    for turn in range(40):
        for peer in desk.peers:
            peer.read(card=int(turn % 3 == 0))
            desk.say(peer, peer.take_unsent())
        record = desk.table.record()
        records[desk.table.past.hands_scored()] = record
    return desk.setting, tuple(desk.lines), tuple(records.values())


def lines(rules: Rules) -> tuple[str, ...]:
    return _played(rules)[1]


def records(rules: Rules) -> tuple[Record, ...]:
    return _played(rules)[2]


def stored(data: bytes) -> None:
    """Lines that were not stored like this are refused, or lead to a game by the rules."""
    source = Source(data)
    setting, played, _ = _played(source.pick(RULES))
    lines = list(played[: 1 + source.below(len(played))])
    for _ in range(source.below(4)):
        at = source.below(len(lines))
        match source.below(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[source.below(len(lines))])
            case 2:
                lines.insert(at, played[source.below(len(played))])
            case 3:
                lines[at] = source.chunk().decode("utf-8", "replace")
            case 4:
                line, cut = lines[at], source.below(len(lines[at]) + 1)
                lines[at] = line[:cut] + source.chunk().decode("utf-8", "replace") + line[cut:]
            case _:
                lines[at] += source.pick((" clock", " stand-in", " computer", " ", "1"))
        if not lines:
            break
    deal = Deal.from_secret(bytes(SECRET_BYTES))
    table = Table(setting, list(zip(NAMES, KINDS, strict=True)), lambda: deal)
    try:
        table.restore(lines, 0.0)
    except CorruptRecord:
        assert tuple(lines) != played[: len(lines)]
        return
    assert not faults_of(table.game)
    if not table.ended:
        table.step(ClientCameBack(0), 1.0)
        assert table.seats[0].connected
