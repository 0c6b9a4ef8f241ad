"""Every target by its name, and inputs for a fuzzer to begin with.

A target takes any bytes and returns; what it raises is a finding.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from hearts.dealer.beside import ANSWERS
from hearts.dealer.frames import MessageType, encode_frame
from hearts.dealer.messages import MESSAGES
from hearts.game.deal import DealPromised, commitment_notice, disclosure_notice
from hearts.game.rules import PRESETS, Rules
from hearts.session.messages import Scores
from hearts.session.own_cuts import OwnCuts, OwnPromise
from hearts.wire.proxy_header import proxy_header
from hearts_server.lobby.passwords import KnownNetworks
from tests.dealer.payloads import Said, payload, type_of
from tests.vectors.dealer_examples import ANSWERS as ANSWER_EXAMPLES
from tests.vectors.dealer_examples import MESSAGES as MESSAGE_EXAMPLES
from tests.vectors.transcript import TranscriptKind

from . import (
    clients,
    connections,
    dealer_clients,
    dealer_tables,
    decoders,
    frames,
    journal,
    texts,
    web,
)
from . import (
    fuzz_server as server,
)
from . import (
    fuzz_tables as tables,
)
from .desk import RULES

Target = Callable[[bytes], None]

TAUNTS = Path(__file__).parent.parent / "vectors" / "taunt"
SECRET = bytes(range(16))
HEX = bytes(range(32)).hex().encode()
_WHOLE = b"\0"
"""The head of an input whose bytes are fed in one piece."""


def _proxy_headers() -> Iterator[bytes]:
    yield b"PROXY TCP4 192.0.2.1 198.51.100.7 50000 7626\r\n"
    yield b"PROXY TCP6 2001:db8::1 ::1 1 65535\r\n"
    yield b"PROXY UNKNOWN ffff::1\r\n"
    for address in ("192.0.2.1", "2001:db8::1", "nobody"):
        yield proxy_header(address) + b"\0\0\0\1"


def _registration() -> Iterator[bytes]:
    for lines in clients.visits():
        sent = b"".join(line.data for line in lines if line.kind is TranscriptKind.SENT)
        yield _WHOLE + sent[:200]
    yield b"\x01\x00\0\0\0\x04Ann\0" + struct.pack(">7i", -5, 7, 1, 0, 1000, -1, 1000)


def _messages() -> Iterator[bytes]:
    for kind in range(5):
        yield bytes([kind]) + bytes(range(20, 40))
        yield bytes([kind]) + b"\x14\xff\0\0\0\x64"
    flagged = Scores((1, 2, 3, 4), (0,)).encode()
    yield b"\x02" + b"".join(b"\xff" + flagged[4 * n :][:4] for n in range(5))


def _records() -> Iterator[bytes]:
    for rules in RULES[:3]:
        for record in tables.records(rules):
            yield str(record).encode()
            yield "".join(str(record).splitlines(keepends=True)[:20]).encode()


def _many_records() -> Iterator[bytes]:
    short = [record for record in _records() if len(record) < 600]
    yield b"\n".join(short[:2])
    yield from short[:1]


def _lines() -> Iterator[bytes]:
    for rules in RULES:
        lines = tables.lines(rules)
        yield from {line.split(" ")[0]: line.encode() for line in lines}.values()
    yield b"moon 0 others clock"
    yield b"again 1 no stand-in"
    yield b"ask-again -1"
    yield b"promise 0004-1061-050R-3GG2-8A1C-60T3-GFQG - %b - -" % HEX
    yield b"deal 0004-1061-050R-3GG2-8A1C-60T3-GFQG shown - %b !%b -" % (HEX, HEX)
    yield b"rules mac2000,dump end 50"
    yield "seat 2 client 1000 Zoë".encode()
    yield b"seat 0 computer 0 Moe"
    yield b"deal 0004-1061-050R-3GG2-8A1C-60T3-GFQG cuts " + bytes(range(32)).hex().encode()
    yield b"hands " + b" ".join(
        b"".join(rank + suit for rank in (bytes([c]) for c in b"A23456789TJQK"))
        for suit in (b"H", b"C", b"D", b"S")
    )


def _rules() -> Iterator[bytes]:
    yield from (name.encode() for name in PRESETS)
    yield from (str(rules).encode() for rules in (*PRESETS.values(), *RULES, Rules()))


def _notices() -> Iterator[bytes]:
    yield commitment_notice(3, SECRET).encode()
    yield disclosure_notice(3, SECRET).encode()
    yield disclosure_notice(3, SECRET, bytes(range(32))).encode()


def _progress() -> Iterator[bytes]:
    for request in clients.REQUESTS:
        if request.come_back is not None:
            promise = DealPromised(3, bytes(range(32)), (bytes(range(32)), b"", b"", b""))
            for held in ((), (OwnPromise(promise, 0),)):
                kept = replace(request.come_back, cuts=OwnCuts(bytes(range(32)), 1, held))
                yield json.dumps(kept.to_dict(), ensure_ascii=False).encode()


def _known_networks() -> Iterator[bytes]:
    known = KnownNetworks(bytes(32), b"sesame")
    for number in range(3):
        known.add(f"192.0.2.{number}", 1_700_000_000.0 + number)
    yield known.to_bytes()
    yield known.to_bytes().replace(b"\n", b"\r\n") + b"0" * 32 + b" 9\n0 1\n"


def _clients() -> Iterator[bytes]:
    for lines in clients.visits():
        said = b"".join(line.data for line in lines if line.kind is TranscriptKind.RECEIVED)
        yield b"\0\0" + _WHOLE + said[:1500]
        yield b"\0\x01\x00\x01\x13" + said[:1500]
    for request in (4, 5):
        for lines in clients.visits()[:12]:
            said = b"".join(line.data for line in lines if line.kind is TranscriptKind.RECEIVED)
            back = struct.pack(">3i", 0, 1, 3) + said[8:1500]
            yield bytes([request, 0]) + _WHOLE + back


def _transcripts() -> Iterator[bytes]:
    for number in range(len(clients.visits())):
        yield struct.pack(">H", number) + bytes(8)


def _taunts(arrow: str) -> Iterator[bytes]:
    for path in sorted(TAUNTS.glob("*.txt")):
        said: dict[str, bytes] = {}
        for line in path.read_text("utf-8").splitlines():
            words = line.partition("#")[0].split()
            if len(words) > 2 and words[1] == arrow:
                said[words[0]] = said.get(words[0], b"") + bytes.fromhex("".join(words[2:]))
        yield from (_WHOLE + data[:1500] for data in said.values())


def _taunts_sent() -> Iterator[bytes]:
    for data in _taunts("->"):
        yield b"\x02" + data
        yield b"\x01\x01\x07" + data[1:]


def _stored() -> Iterator[bytes]:
    for rules in range(len(RULES)):
        for edit in range(6):
            yield bytes([rules, 0, 90, 2, 40, edit, 30, 20, edit, 10])
        yield bytes([rules, 255, 255, 0])


def _seats() -> Iterator[bytes]:
    for rules in range(len(RULES)):
        head = bytes([rules & 1, rules, rules, rules, rules, rules])
        yield head + b"\xf0\xfd" * 8
        yield head + b"\x30\xf0\x09\xfd\x30\x19\x29\x08\xf0\xfd" * 2
        yield head + b"\x70\x0b\x39\x0c\x70\xfd\x0b\x1c\x70" * 2
        yield head + b"\x15\x05\x25\x33\x10\x15\x15\x55\xf0\x42\x01\x02\x03\x04\x05"
        pending = b"\x05\x03\x0c\x00\x05\x07\xfd\x00\xfd\x08"
        yield b"\x01" + head[1:] + b"\xfd\x00\xfd\x00\xfd" + pending * 4
        yield head + b"\x10\x0e\x49\x1e\xf0\xf0\xf0\xf0\x1e\xf0\xfd"


def _frames() -> Iterator[bytes]:
    for visit in dealer_clients.visits()[:3]:
        said = [encode_frame(*frame) for frame in visit.frames[:12]]
        yield b"\1" + _WHOLE + b"".join(said)
        yield b"\1\2\3\14" + b"".join(said)


def _payloads(types: Iterable[int], examples: Sequence[Said]) -> Iterator[bytes]:
    for example in examples:
        yield bytes([sorted(types).index(type_of(type(example))), 0]) + payload(example)


def _dealer_clients() -> Iterator[bytes]:
    for number in range(len(dealer_clients.visits())):
        yield struct.pack(">H", number) + b"\2\1\4\0\0\0"
        yield struct.pack(">H", number) + b"\2\1\4\2\7\x14\2\0\50\5\11\20\30\0\0"
        yield struct.pack(">H", number) + b"\0\0\1\0\30\11\7\x97\1\4\3\x96"


def _dealer_seats() -> Iterator[bytes]:
    for manner, rules in product(range(len(dealer_tables.MANNERS)), range(3)):
        head = bytes([manner, 0, 1, rules, 0, 1, 1])
        yield head + b"\x2e" + b"\xf0\xfd" * 8
        yield head + b"\xff\x40\x01\x0f\x02\x40\x30\x4f\x8f\x3e\xf0\x11\xf0"
        yield head + b"\x30\xf0\x09\xfd\x30\x19\x29\x08\xf0\xfd" * 2
        yield head + b"\x70\x0b\x39\x0c\x70\xfd\x0b\x1c\x70\x2e" * 2
        yield head + b"\x15\x05\x33" + bytes([4, 70, 30, 20, 5, 0, 9, 200, 22]) * 2 + b"\xf0\xf7"
        yield head + b"\x10\x0e\x49\x1e\xf0\xf0\xf0\xf0\x1e\xf0\xfd"


def _watchers() -> Iterator[bytes]:
    ping = encode_frame(MessageType.PING, 0, b"now")
    yield b"\0" + _WHOLE + ping + encode_frame(999, 1, b"") + ping
    yield b"\1\1\5" + ping * 3 + encode_frame(MessageType.PING, 0, bytes(65)) + ping
    yield b"\0" + _WHOLE + struct.pack(">3i", 206, 0, 1025)


def _journals() -> Iterator[bytes]:
    line, many, write, check = b"\0", b"\4", b"\x0e", b"\x0a"
    torn, kill, reopen = b"\x0b", b"\x0c", b"\x0d"
    deals = bytes([1, 0, 0, 0, 0, 0, 0]) * 6
    yield (many + deals[:20] + write) * 6 + check + kill + line + b"\1" + check
    yield b"".join(bytes([16 * slot, 1]) + write for slot in range(6)) + torn + b"\x80\0" + reopen
    yield (many + deals[:20] + b"\x06" + write) * 4 + b"\x08" + write * 6 + check
    yield (b"\x15" + deals[:40] + write + line + b"\0") * 4 + b"\x09" + torn + b"\xff\0" + check
    yield b"\0\1" + write + (b"\x14" + deals[:20] + write + b"\x17\5") * 8 + check + kill + check


def _servers() -> Iterator[bytes]:
    behave = b"\x11" * 6
    yield b"\x04\0" + b"\x10\x0e" + behave + b"\xf1" + b"\x0d\x11\xf1" + b"\x1b\x9a"
    yield b"\x0c\0" + b"\x20\x0e" + behave + b"\x71\xde\x1d\xf1\xee\x2d\xf1"
    yield b"\x05\x02" + b"\x10\x00" + behave + b"\xff\x9a\xf1"
    yield b"\x06\x01" + b"\0\0\0\0" + b"\x01\x11\x21\x31" * 5 + b"\x49\x0b\x1b\x2a"
    messages = b"".join(bytes([3, number, 0]) for number in (0, 1, 2, 3, 4, 6, 7, 10))
    yield b"\0\0" + b"\x00" + messages + b"\x1f\x0a\x2c"
    for header in (b"\x60", b"\x64", b"\xe0", b"\xc4"):
        yield header + b"\0" + b"\x00\x10\x0e\x81" + behave + b"\x1e\x00\x2e\x3e" + b"\xf1\x0d\xf1"
        yield header + b"\0" + b"\x10\x0e\x10\x0e\x70" + behave * 2 + b"\x29\xde\x2d\xf1\x3d\xf1"
        yield header + b"\1" + b"\x30\x0e" * 4 + b"\x03\x0a\x02\x40\x13\x0a\x05\x50" + behave
    yield b"\x10\0" + b"\x40\x50" + b"\x01\x11" * 6 + b"\x0c\x1b\x39\x3a"


def _connections() -> Iterator[bytes]:
    # Open, send a few slices, settle; then what a link or its peer may do, and what follows.
    yield b"\0\0\4\0\7\4\1\3\1\1" * 2
    for action in range(10):
        yield b"\0\4\0\3\1\x08\0\0" + bytes([action, 2, 1]) + b"\4\0\7\1\2\4\4\0\2\1"
        yield b"\0\0\4\0\7\4\1\2\1\x09\0\1" + bytes([action, 1, 0]) + b"\4\1\1\1\2\3"
    for left in range(3):
        yield b"\0\x09\0\0\0\4\0\7" + bytes([7, 0, left]) + b"\1\0\4\0\1\1"


def _browsers() -> Iterator[bytes]:
    yield _WHOLE + b"GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n" * 2
    yield _WHOLE + b"HEAD /app.js HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n"
    yield _WHOLE + b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
    handshake = (
        b"GET /game HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Origin: http://a\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    for sent in _web_frames():
        yield _WHOLE + handshake + sent[1:]


def _web_frames() -> Iterator[bytes]:
    mask = bytes(4)
    yield _WHOLE + b"\x82\x84" + mask + b"\0\0\0\1" + b"\x89\x82" + mask + b"hi"
    yield _WHOLE + b"\x02\x81" + mask + b"a" + b"\x80\xfe\1\0" + mask + bytes(256)
    yield _WHOLE + b"\x82\xff" + bytes(5) + b"\1\0\0" + mask + b"x" * 40
    yield _WHOLE + b"\x81\x81" + mask + b"a"
    yield _WHOLE + b"\x88\x82" + mask + b"\x03\xe8"


class TargetRow(NamedTuple):
    """A target, and how it is tried."""

    target: Target
    seeds: Callable[[], Iterable[bytes]] | tuple[bytes, ...] = (b"",)
    """Inputs that reach some depth at once, out of the test vectors and of what is valid."""
    weight: int = 1
    """The share of the time of a run."""
    examples: int = 0
    """Examples in the suite, if each takes a tenth of a second; 0 for as many as usual."""


ROWS = (
    TargetRow(
        decoders.wire,
        (
            b"\x02\x03\x00\x04\x00\x01\x02\x43" + b"\0\0\0\x04Ann\0" * 3,
            b"\x01\x00\x01\x01" + b"\0\0\0\x05Zo\xc3\xab\0" * 2,
        ),
    ),
    TargetRow(decoders.proxy_header, _proxy_headers),
    TargetRow(decoders.text, (b"Zo\xc3\xab\0", b"\xe2\x80\xae\0")),
    TargetRow(decoders.registration, _registration),
    TargetRow(decoders.messages, _messages),
    TargetRow(frames.frames, _frames),
    TargetRow(frames.answers, lambda: _payloads(ANSWERS, ANSWER_EXAMPLES)),
    TargetRow(frames.dealer_messages, lambda: _payloads(MESSAGES, MESSAGE_EXAMPLES)),
    TargetRow(texts.record, _records),
    TargetRow(texts.records, _many_records),
    TargetRow(texts.action, _lines),
    TargetRow(texts.step, _lines),
    TargetRow(texts.rules, _rules),
    TargetRow(
        texts.deal, (b"0004-1061-050R-3GG2-8A1C-60T3-GFQG", b"7zzz zzzz zzzz zzzz zzzz zzzz zzn3")
    ),
    TargetRow(texts.notice, _notices),
    TargetRow(texts.progress, _progress),
    TargetRow(
        texts.config,
        (
            b'port = 7626\nrules = "mac2000"\nturn-limit = 30\nfill-after = "never"\n',
            b'deal = ["0004-1061-050R-3GG2-8A1C-60T3-GFQG"]\ngrace = 1.5\nno-taunt-server = true\n',
        ),
    ),
    TargetRow(texts.known_networks, _known_networks),
    TargetRow(texts.logline),
    TargetRow(clients.client, _clients, 2),
    TargetRow(clients.transcript, _transcripts, 2),
    TargetRow(dealer_clients.dealer_client, _dealer_clients, 4),
    TargetRow(clients.taunt_server, _taunts_sent),
    TargetRow(clients.taunt_client, lambda: _taunts("<-")),
    TargetRow(
        clients.announcer,
        (
            b"\x1b\x15" + _WHOLE + b"\x05hello\x00" + struct.pack(">i", 1),
            b"\x1b\x15\x01\x03" + "\x06ë♥\x20".encode() + struct.pack(">i", 1),
        ),
    ),
    TargetRow(tables.stored, _stored, 2),
    TargetRow(tables.seat, _seats, 4),
    TargetRow(dealer_tables.dealer_seat, _dealer_seats, 4),
    TargetRow(dealer_tables.watcher, _watchers),
    TargetRow(journal.journal, _journals, 4),
    TargetRow(connections.connections, _connections, 4),
    TargetRow(web.web, _browsers),
    TargetRow(web.web_frames, _web_frames),
    TargetRow(server.server, _servers, 8, 8),
)
TARGETS = {row.target.__name__: row.target for row in ROWS}
BY_NAME = {row.target.__name__: row for row in ROWS}


def seeds(name: str) -> list[bytes]:
    """Inputs for a fuzzer to begin with."""
    given = BY_NAME[name].seeds
    return list(given if isinstance(given, tuple) else given())
