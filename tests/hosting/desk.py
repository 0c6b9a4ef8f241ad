"""A hosted table in memory: a test sends bytes, reads what is written, and moves the clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from hearts.bots import Bot
from hearts.game.cards import Card
from hearts.game.events import ChosenBy, Deal, Pass, Play
from hearts.game.rules import Rules, parse_rules
from hearts.game.view import View
from hearts.hosting.hosted_client import HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.ports import Log, Thinker
from hearts.hosting.rejoin import Recall
from hearts.hosting.store import Done, Session, StoredSeat
from hearts.hosting.table_chat import GameNotice, Said, SeatMuted
from hearts.session.table_words import Description
from hearts.table.inputs import Input, Question, Setting
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.credentials import SeatCredentials, issue
from tests.table.desk import NAMES, choice_for

GAME = 7
TABLE = "Table 1"
SECRET = bytes(32)
HOME = "127.0.0.1"
DEALER, PLAIN, COMPUTER = "dealer", "plain", ""
"""What plays at a seat: a client of one of the dialects, or a computer."""

MOST_WAKES = 10_000
"""Wakes of a table in one go; its bots alone need one for each choice."""


class DeskLink:
    """A connection in memory: what is written stays until the test takes it."""

    backlog = 0

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        """What was written since the test took it, one piece for each write."""
        self.flushed = 0
        """How many of the pieces were sent."""
        self.ending = False
        self.rests = False
        self.quick_acks = 0
        """How often the peer's next write was hurried."""
        self.unread = b""
        """What the peer has sent while nobody read."""

    def write(self, data: bytes) -> None:
        if not self.ending:
            self.pieces.append(data)

    def flush(self) -> None:
        self.flushed = len(self.pieces)

    def take(self) -> bytes:
        """All that was sent since it was last taken."""
        assert self.flushed == len(self.pieces), "something was written and not sent"
        data = b"".join(self.pieces)
        self.pieces.clear()
        self.flushed = 0
        return data

    def allow(self, size: int) -> None:
        pass

    def rest(self, *, talks: bool) -> None:
        self.rests = True

    def catch_up(self) -> bytes:
        self.rests = False
        data, self.unread = self.unread, b""
        return data

    def quick_ack(self) -> None:
        self.quick_acks += 1

    def end(self) -> None:
        self.flush()
        self.ending = True


class DeskStore:
    """Keeps the lines of a table; they are durable at once, or when the test says so."""

    def __init__(self, *, slow: bool) -> None:
        self.slow = slow
        self.lines: list[str] = []
        """Lines that are durable."""
        self.waiting: deque[tuple[str, Done]] = deque()
        self.networks: list[tuple[int, str]] = []
        self.descriptions: list[tuple[int, Description]] = []
        self._seats: dict[int, StoredSeat] = {}
        self.end_told = ""
        """Why the session ended."""

    def append(self, line: str, durable: Done) -> None:
        if self.slow:
            self.waiting.append((line, durable))
        else:
            self.lines.append(line)
            durable()

    def let_through(self) -> None:
        """The oldest that waits, a line or the end, is durable now."""
        line, durable = self.waiting.popleft()
        if line:
            self.lines.append(line)
        durable()

    def change_seat(self, player: int, seat: StoredSeat) -> None:
        before = self._seats.get(player, StoredSeat("", Kind.CLIENT, 0))
        self._seats[player] = seat
        if seat.network != before.network:
            self.networks.append((player, seat.network))
        if seat.said != before.said:
            self.descriptions.append((player, seat.said))

    def end(self, why: str, durable: Done) -> None:
        def end() -> None:
            self.end_told = why
            durable()

        if self.slow:
            self.waiting.append(("", end))
        else:
            end()


class DeskLog:
    """Keeps what is logged; an error of ours is raised, unless the test keeps it as well."""

    def __init__(self, *, keeps_errors: bool = False) -> None:
        self.events: list[str] = []
        self._keeps_errors = keeps_errors

    def info(self, event: str, /, **values: object) -> None:
        self.events.append(event)

    def exception(self, event: str, /, **values: object) -> None:
        self.events.append(event)
        if not self._keeps_errors:
            raise


class DeskBot:
    """Makes the choices of :func:`choice_for`."""

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        choice = choice_for(Question.PASS, view, ChosenBy.COMPUTER)
        assert isinstance(choice, Pass)
        return choice.cards

    def choose_card(self, view: View) -> Card:
        choice = choice_for(Question.CARD, view, ChosenBy.COMPUTER)
        assert isinstance(choice, Play)
        return choice.card


def numbered_deals() -> Iterator[Deal]:
    """A deal for each hand, without end."""
    number = 0
    while True:
        yield Deal.from_secret(bytes([number % 256] * 16))
        number += 1


class TableDesk:
    """A hosted table, its clients and their links, its store, and the time."""

    def __init__(
        self,
        rules: Rules | str = "standard",
        dialects: Sequence[str] = (PLAIN,) * 4,
        deals: Iterator[Deal] | None = None,
        *,
        end: int = 100,
        limit: int = 60,
        grace: float = 100.0,
        pause: float = 1000.0,
        bots: Sequence[Bot] | None = None,
        computers: Sequence[Bot] | None = None,
        slow: bool = False,
        watch_delay: float = 0.0,
        log: Log | None = None,
        names: Sequence[str] = NAMES,
        thinker: Thinker | None = None,
    ) -> None:
        """``dialects`` are those of seats 0-3. The table begins with :meth:`begin`."""
        rules = parse_rules(rules) if isinstance(rules, str) else rules
        self.setting = Setting(rules, end, limit, grace, pause)
        kinds = [Kind.CLIENT if dialect else Kind.COMPUTER for dialect in dialects]
        self.table = Table(
            self.setting,
            list(zip(names, kinds, strict=True)),
            (deals or numbered_deals()).__next__,
        )
        self.now = 0.0
        self.store = DeskStore(slow=slow)
        self.log = log or DeskLog()
        self.said: list[str] = []
        """What was said in the chat."""
        self.muted: list[SeatMuted] = []
        """Who was muted there, and who may speak again."""
        a, b, c, d = map(StoredSeat, names, kinds, range(4))
        self.host = HostedTable(
            self.table,
            Session(GAME, TABLE, False, self.setting, (a, b, c, d), 0),
            bots or [DeskBot() for _ in range(4)],
            secret=SECRET,
            store=self.store,
            clock=lambda: self.now,
            log=self.log,
            watch_delay=watch_delay,
            voice=self._hear_chat,
            computers=computers,
            thinkers=[thinker] * 4,
        )
        self.home = HOME
        """The address of those who connect."""
        self.links = [DeskLink() for _ in range(4)]
        self.clients: dict[int, HostedClient] = {}
        for player, dialect in enumerate(dialects):
            if dialect:
                self._connect(player, dialect)

    def _connect(self, player: int, dialect: str) -> HostedClient:
        link = self.links[player] = DeskLink()
        client = self.clients[player] = HostedClient(link, self.home, self.log)
        client.take_seat(player, dealer=dialect == DEALER)
        return client

    def _hear_chat(self, said: Said) -> None:
        match said:
            case GameNotice(_, text):
                self.said.append(text)
            case SeatMuted():
                self.muted.append(said)

    # The table and its clients

    def credentials(self, player: int) -> SeatCredentials:
        """The proof that a seat is its player's; their number is their Process ID."""
        return issue(SECRET, GAME, player, player)

    def begin(self) -> None:
        """Seat the clients and play; no deal waits for those who have not said who they are."""
        self.host.seat_clients(
            [(client, self.credentials(player)) for player, client in self.clients.items()]
        )
        for client in self.clients.values():
            if client.ability is not None and client.introduced is None:
                self.host.give(replace(client.ability, next_hash=b""))
        self.host.begin(self.table.start(self.now))
        self.do_due()

    def do_due(self) -> None:
        """Do all that is due."""
        while not self.host.is_over and self.host.due <= self.now:
            self.host.wake(self.now)

    def give(self, given: Input) -> None:
        self.host.give(given)
        self.do_due()

    def send(self, player: int, data: bytes) -> None:
        self.arrive(player, data)
        self.do_due()

    def arrive(self, player: int, data: bytes) -> None:
        """A client sends bytes; nothing is done that is due by the clock or a bot."""
        link = self.links[player]
        if link.rests:
            link.unread += data
        elif not link.ending:
            self.clients[player].receive(data)

    def wait(self, seconds: float) -> None:
        """Time passes; the table is woken whenever it wants to be."""
        until = self.now + seconds
        for _ in range(MOST_WAKES):
            if self.host.is_over or self.host.due > until:
                break
            self.now = max(self.now, self.host.due)
            self.host.wake(self.now)
        else:
            raise AssertionError("the table wants to be woken without end")
        self.now = until

    def let_through(self, lines: int = 1) -> None:
        """So many lines that wait in the store are durable now."""
        for _ in range(lines):
            self.store.let_through()
        self.do_due()

    # Comings and goings

    def leave(self, player: int) -> None:
        """The connection of a client is lost."""
        self.links[player].ending = True
        self.clients[player].left()
        self.do_due()

    def call_back(self, player: int, hands: int, dialect: str = PLAIN) -> tuple[int, Recall]:
        """A client calls for its seat: the choices of its past that are decided, and that past."""
        claimed = self.host.rejoin.claim(self.credentials(player), hands)
        client = self._connect(player, dialect)
        return claimed.decided, self.host.rejoin.come_back(claimed, client)

    def come_back(self, player: int, hands: int, dialect: str = PLAIN) -> int:
        """A client has its seat again, with all that it missed; how much of it is decided."""
        decided, recall = self.call_back(player, hands, dialect)
        while not recall.is_over:
            recall.send_some()
        assert self.host.rejoin.sit_again(recall)
        self.do_due()
        return decided

    def watch(self) -> DeskLink:
        """Somebody watches. Raises RegistrationEnded."""
        link = DeskLink()
        self.host.watch(HostedClient(link, "127.0.0.1", self.log))
        self.do_due()
        return link
