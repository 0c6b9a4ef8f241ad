"""Target: the whole server, led by a little program that the input spells.

Up to four connections at a time say valid messages, changed ones and any bytes, in pieces; they
pause, close, half-close and come back; the server is slow to store, is killed and shuts down. All
the while another table has a good client, which plays to the end of its session.
"""

from __future__ import annotations

import logging
from functools import cache

import trio
import trio._core._run
import trio.testing
from msgspec.structs import replace
from trio.testing import MockClock

from hearts.dealer.deal_verifier import DealVerifier
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Options
from hearts.session.resume_token import ResumeToken
from hearts.wire.codec import encode_int, encode_ints
from hearts.wire.credentials import SeatCredentials
from hearts_server.config import Config
from hearts_server.given_settings import parse_config
from tests.dealer.payloads import frame

from .dealer_tables import any_frame, request
from .follower import Follower, own_cuts
from .fuzz_house import Errors, FuzzedConnection, Hosted
from .source import Source

PASSWORD = "fish"
MOST_OPEN = 4
MOST_LINES = 12
PAUSES = (0.01, 0.6, 3.1, 5.5, 11.0, 16.0)
NAMES = (b"Ann", b"Zo\xc3\xab", b"", b"   ", b"\x1b[2J", b"\xff", b"x" * 30, b"x" * 31, b"a\0b")
TABLES = (b"friends", b"Table 1", b"Table 2", b"", b"x" * 31)
DEALS = (
    "0004-1061-050R-3GG2-8A1C-60T3-GFQG",
    "7ZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZN3",
)
LONGEST = 200
"""Bytes of an input that count, so that none takes many seconds."""
LAST_PAUSE = 20.0
"""Longer than every clock that runs when all connections are closed."""


@cache
def _config(password: bool, few: bool, pause: bool, delay: bool, rules: str) -> Config:
    return parse_config(
        [
            *("--data-dir", "memory", "--no-taunt-server", "--taunt-port", "0"),
            *("--bot-pause", "0", "--turn-limit", "10", "--grace", "5", "--fill-after", "5"),
            *("--pause-limit", "8" if pause else "0", "--rules", rules),
            *("--max-tables", "3" if few else "1000", "--max-per-address", "3" if few else "0"),
            *("--tables-per-ipv4", "2,2" if few else "0"),
            *(("--password", PASSWORD) if password else ("--open",)),
            *("--watch-delay", "3" if delay else "0"),
            *(word for code in DEALS for word in ("--deal", code)),
        ]
    )


def _deals(number: int) -> DealVerifier:
    return DealVerifier(own_cuts(number) if number & 1 else None)


class FuzzProgram:
    """What the input spells, step by step."""

    def __init__(
        self,
        source: Source,
        hosted: Hosted,
        config: Config,
        good: FuzzedConnection | None,
        mixed: bool,
    ) -> None:
        """Where it is ``mixed``, two of three connections speak the dealer dialect."""
        self._mixed = mixed
        self._source = source
        self._hosted = hosted
        self._good = good
        self._password = config.password
        self._pause = config.pause_limit > 0
        self._lines: list[FuzzedConnection] = []
        self._draining = False

    async def run(self, nursery: trio.Nursery) -> None:
        while self._source:
            await self._step(nursery)
            await trio.testing.wait_all_tasks_blocked()
            self._hosted.check()
            await self._play_good()
        await self._finish()

    async def _step(self, nursery: trio.Nursery) -> None:
        source = self._source
        op = source.byte()
        many = 1 + (op >> 4)
        kind = op % 16
        lines = [line for line in self._lines if not line.closed]
        if kind == 0 or not lines:
            if len(lines) < MOST_OPEN and len(self._lines) < MOST_LINES:
                self._open(many)
            return
        line = lines[many % len(lines)]
        match kind:
            case 1 | 2:
                for _ in range(many):
                    await line.behave()
            case 3:
                await line.lie(self._message())
            case 4:
                await line.lie(source.take(many))
            case 5:
                await line.lie(encode_ints(*[source.int32() for _ in range(many)]))
            case 6:
                line.read()
                await line.say(line.unsent[:many])
                line.unsent = line.unsent[many:]
            case 7:
                await line.behave(source.byte())
            case 8:
                line.read()
                line.client.behaves = False
                at = many % (len(line.unsent) or 1)
                line.unsent = line.unsent[:at] + source.take(1) + line.unsent[at + 1 :]
            case 9 | 10:
                await trio.sleep(PAUSES[many % len(PAUSES)])
            case 11:
                await line.close()
            case 12:
                await line.half_close()
            case 13:
                await self._come_back(line, many)
            case 14 if many > 12 and not self._draining:
                await self._kill(many)
            case 14 if many < 13 and line.dealer:
                asked = request(source, many)
                await line.say(frame(asked))
            case 15 if many > 12 and not self._draining:
                self._draining = True
                nursery.start_soon(self._hosted.server.drain)
            case _:
                await line.lie(encode_int(source.below(4)) * many)

    def _open(self, many: int) -> None:
        options = None
        if many & 1:
            computers = frozenset(p for p in (1, 2, 3) if self._source.byte() >> p & 1)
            options = Options(computers, end_score=1 if many & 2 else 30)
        table = "friends" if many & 4 else ""
        request = RegistrationRequest(
            f"P{len(self._lines)}", 1000 + len(self._lines), self._password, table, options
        )
        address = "192.0.2.1" if many & 8 else "192.0.2.2"
        number = len(self._lines)
        if self._mixed and number % 3:
            request = replace(request, dealer=True)
            if number % 3 == 2 and many & 8:
                request = replace(request, watch=self._good_game, table="", options=None)
        self._lines.append(self._hosted.connect(address, request, _deals(number)))

    @property
    def _good_game(self) -> int:
        progress = self._good.client.progress if self._good is not None else []
        return progress[0].credentials.game_number if progress else 1

    def _message(self) -> bytes:
        """A message of the registration, or an ack."""
        source = self._source
        match source.below(12):
            case 0:
                return _text(source.pick(NAMES))
            case 1:
                return encode_ints(-10, 0)
            case 2:
                return encode_int(-7) + _text(source.pick((b"fish", b"cat", b"")))
            case 3:
                return encode_int(-8)
            case 4:
                return encode_int(-4) + _text(source.pick(TABLES))
            case 5:
                bits = source.byte() << 8 | source.byte() << 16 | source.byte() | 1 << 20
                return encode_ints(-2, bits, source.int32(), source.int32())
            case 6:
                computers = source.byte() & 0xE
                return encode_ints(-2, 1 << 4 | 1 << 20 | computers, 1, 0)
            case 7:
                return encode_ints(-5, *[source.int32() for _ in range(5)])
            case 8:
                return encode_ints(source.pick((-9, -6)), source.int32())
            case 9:
                skipped = source.chunk()
                return encode_ints(-11 - source.byte(), len(skipped)) + skipped
            case 10 if self._mixed:
                return any_frame(source, source.byte())
            case _:
                return encode_int(source.int32())

    async def _come_back(self, line: FuzzedConnection, many: int) -> None:
        if not line.client.progress or len(self._lines) >= MOST_LINES:
            return
        progress = line.client.progress[many % len(line.client.progress)]
        wrong = many & 12 == 12
        if wrong:
            shown = progress.credentials
            numbers = [shown.game_number, shown.game_id, shown.player, shown.process_id]
            numbers[self._source.below(4)] ^= self._source.int32() & 0x7FFFFFFF
            progress = replace(progress, credentials=SeatCredentials(*numbers))
            if progress.player not in range(4):
                return
        # A session can be gone on with in the other dialect.
        back = await self._back(line, progress, line.dealer ^ (self._mixed and bool(many & 2)))
        back.client.behaves = not wrong
        self._lines.append(back)

    async def _back(
        self, before: FuzzedConnection, progress: ResumeToken, dealer: bool
    ) -> FuzzedConnection:
        """Come back, and hear of the hand what was heard before, and perhaps more."""
        before.read()
        request = replace(RegistrationRequest.to_come_back(progress), dealer=dealer)
        back = self._hosted.connect("192.0.2.3", request, before.deals)
        for _ in range(4 + dealer):
            await trio.testing.wait_all_tasks_blocked()
            await back.behave()
        if isinstance(back.client, Follower) and isinstance(before.client, Follower):
            back.client.check_same_hand(before.client)
        return back

    async def _kill(self, many: int) -> None:
        await self._hosted.kill(torn=bool(many & 1))
        good, self._good = self._good, None
        if good is None:
            return
        good.read()
        await good.close()
        # Without a pause a table ends at once where nobody is connected.
        if good.client.progress and not good.client.complete and self._pause:
            self._good = await self._back(
                good, good.client.progress[0 if many & 2 else -1], good.dealer
            )
            assert self._good.client.progress, "a player could not come back after a kill"

    async def _play_good(self) -> None:
        if self._good is not None:
            await self._good.behave()

    async def _finish(self) -> None:
        """The good client plays to the end; then everybody leaves, and nothing is left."""
        good = self._good
        for _ in range(100):
            if good is None or good.ended or self._draining:
                break
            await good.behave()
            await trio.sleep(0.1)
        if good is not None:
            await good.behave()
            assert good.client.complete or self._draining, "the good client's table was hurt"
            await good.close()
        for line in self._lines:
            line.read()
            if not line.closed:
                await line.close()
        await trio.sleep(LAST_PAUSE)
        await trio.testing.wait_all_tasks_blocked()
        self._hosted.check_gone()


def _text(data: bytes) -> bytes:
    return encode_int(len(data) + 1) + data + b"\0"


async def _session(data: bytes) -> None:
    source = Source(data[:LONGEST])
    header = source.byte()
    password = bool(header & 1)
    rules = source.pick(("standard", "pass=never", "mac2000", "moon=choice,bleed"))
    config = _config(password, bool(header & 2), bool(header & 4), bool(header & 128), rules)
    async with trio.open_nursery() as nursery:
        hosted = Hosted(nursery, config, slow=bool(header & 8))
        await hosted.start([])
        good = None
        if not header & 16:
            wishes = Options(frozenset({1, 2, 3}), end_score=1)
            request = RegistrationRequest("Good", 7, config.password, "", wishes)
            request = replace(request, dealer=bool(header & 32))
            good = hosted.connect("192.0.2.9", request, _deals(7))
            # It is seated before anybody else comes.
            for _ in range(4 + good.dealer):
                await trio.testing.wait_all_tasks_blocked()
                await good.behave()
            await trio.sleep(0.1)
        await FuzzProgram(source, hosted, config, good, bool(header & 64)).run(nursery)
        hosted.stop()


def server(data: bytes) -> None:
    """Whatever comes over its connections, the server and its other tables are not hurt."""
    errors = Errors()
    root = logging.getLogger()
    level = root.level
    root.addHandler(errors)
    root.setLevel(logging.INFO)
    # The same input takes the same way.
    setattr(trio._core._run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)  # noqa: B010
    trio._core._run._r.seed(0)
    try:
        trio.run(_session, data, clock=MockClock(autojump_threshold=0))
    finally:
        root.removeHandler(errors)
        root.setLevel(level)
    assert not errors.lines, errors.lines
