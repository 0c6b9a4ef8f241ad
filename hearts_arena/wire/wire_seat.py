"""A seat of a match that a program plays over a connection, in the dialect that it chooses.

A program registers for the seat, and again if it comes back. All else between its connection and
the table is :mod:`hearts.hosting`. A fault of the program ends its connection and reaches nobody
but itself.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import trio
from msgspec import Struct

from hearts.game.events import ChosenBy
from hearts.hosting.hosted_client import HostedClient
from hearts.hosting.registrar import RegisteredClient, register
from hearts.hosting.rejoin import Rejoin, Return
from hearts.net import BACKLOG_LIMIT, Link, SocketLink
from hearts.session.messages import ListedTable, LookReply, Refusal
from hearts.session.registration import ComeBack, Item, Registration, RegistrationEnded
from hearts.wire.codec import encode_int
from hearts.wire.credentials import SeatCredentials
from hearts_arena.plan.results import SeatCounts

from .programs import LOOPBACK, Entrance

if TYPE_CHECKING:
    from .wire_table import WireTable

WORK_A_HAND = 250_000.0
"""The work, in microseconds, that a program may send for each hand and nobody waits for."""
MOST_RETURNS = 5
"""Times that a program can come back in one match."""


class Patience(Struct, frozen=True, gc=False):
    """The times that a table waits for programs, in seconds."""

    start: float = 20.0
    """From its start until it has registered."""
    grace: float = 3.0
    """From the loss of its connection until it is back."""
    exit: float = 5.0
    """From the end of the match until it has ended by itself; then it is killed."""


class Account(SeatCounts):
    """One player of one match. The time is that of any clock that only goes forward."""

    def __init__(self, move_limit: float, hand_limit: float) -> None:
        """The limits are seconds for a choice, and for all choices of a hand; 0 for no limit.

        When the seconds of a hand are used up, the clock makes the rest of its choices at once.
        """
        super().__init__()
        self._move_limit = move_limit or inf
        self._hand_limit = hand_limit or inf
        self._since: float | None = None
        self._spent = 0.0
        self._did_something, self._latest = True, ChosenBy.PLAYER

    def begin_hand(self) -> None:
        self._spent = 0.0
        self._did_something = False

    @property
    def responds(self) -> bool:
        """True if the player made the latest choice itself."""
        return self._latest is ChosenBy.PLAYER

    @property
    def hangs(self) -> bool:
        """True if the player did nothing since the hand began, not even try something illegal."""
        return not self._did_something

    def ask(self, now: float) -> float:
        """Begin the time of a choice; return the seconds for it."""
        self.choices += 1
        self._since = now
        return min(self._move_limit, self._hand_limit - self._spent)

    def refuse(self) -> None:
        self.illegal += 1
        self._did_something = True

    def settle(self, by: ChosenBy, now: float) -> None:
        self._latest = by
        since, self._since = self._since, None
        if since is not None and by is not ChosenBy.STAND_IN:
            self._spent += now - since
            self.take_time(now - since)
        match by:
            case ChosenBy.CLOCK:
                self.timeouts += 1
            case ChosenBy.STAND_IN:
                self.stood_in += 1
            case _:
                self._did_something = True


class WireSeat:
    def __init__(self, player: int, host: WireTable, account: Account, patience: Patience) -> None:
        self.player = player
        self.names = None
        self.counts = self.account = account
        self.settled = trio.Event()
        """Set when the program has registered, or is lost: there is nothing to wait for."""
        self.is_lost = False
        """The program plays no more."""
        self.why_lost = ""
        self.credentials: SeatCredentials | None = None
        """The proof that the program has the seat, once it has registered."""
        self._host = host
        self._patience = patience
        self._client: HostedClient | None = None
        self._link: SocketLink | None = None
        self._claimed: Return | None = None
        self._over = False
        self._work_left = WORK_A_HAND
        self._scope = trio.CancelScope()

    @property
    def client(self) -> HostedClient | None:
        return self._client if self._is_there else None

    @property
    def _is_there(self) -> bool:
        return self._link is not None and not self._link.ending

    # The connection

    async def attend(self, entrance: Entrance) -> None:
        """Let the program in, again and again, until the match is over or the program is lost."""
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._notice_end, entrance)
                await self._let_in(entrance, nursery)
                nursery.cancel_scope.cancel()
        if entrance.is_ours and self.account.responds and not self.is_lost:
            with trio.move_on_after(self._patience.exit):
                await entrance.gone.wait()

    async def _notice_end(self, entrance: Entrance) -> None:
        await entrance.gone.wait()
        if not self._is_there:
            self.lose("the program has ended")

    async def _let_in(self, entrance: Entrance, nursery: trio.Nursery) -> None:
        wait, why = self._patience.start, "it did not register in time"
        if entrance.has_patience:
            wait = inf
        for _ in range(1 + MOST_RETURNS):
            with trio.move_on_after(wait):
                while not self._is_there:
                    await self._meet(SocketLink(await entrance.accept(), nursery))
            link, client = self._link, self._client
            if link is None or client is None:
                self.lose(why)
                return
            self.settled.set()
            await link.run(client.receive)
            client.left()
            self._link = self._client = None
            if self._over:
                return
            wait, why = self._patience.grace, "its connection was lost"
            if entrance.gone.is_set():
                wait = 0
        self.lose("it hung up again and again")

    async def _meet(self, link: SocketLink) -> None:
        """Give the seat to a program that registers for it as it should."""
        self._claimed = None
        try:
            registered = await self._register(link)
            if registered is None or not self._seat(registered, link):
                self._link = self._client = None
                link.end()
                await link.run(lambda data: None)
        finally:
            if link is not self._link:
                link.close()

    async def _register(self, link: Link) -> RegisteredClient | None:
        """Lead a program to its Process ID; None if it left or was refused."""
        registration = Registration()

        def send(data: bytes) -> None:
            link.write(data)
            link.flush()

        send(encode_int(self.player))
        try:
            return await register(registration, self, link.read, send)
        except RegistrationEnded as refused:
            send(registration.refuse(refused))
            return None

    def _seat(self, registered: RegisteredClient, link: SocketLink) -> bool:
        """Give the seat to a program and tell it all that it has missed; False if it is refused."""
        client = HostedClient(link, LOOPBACK, self._host.log, self._charge)
        self._client, self._link = client, link
        client.take_seat(self.player, dealer=registered.dealer)
        client.receive(registered.rest)
        rejoin = self._host.rejoin
        try:
            if rejoin is None:
                self.credentials = self._host.issue(self.player, registered.process_id)
            else:
                self._bring_back(rejoin, registered, client)
        except RegistrationEnded as refused:
            client.refuse(refused)
        link.flush()
        return not link.ending

    def _bring_back(
        self, rejoin: Rejoin, registered: RegisteredClient, client: HostedClient
    ) -> None:
        claimed = self._claimed
        if claimed is None:
            # A new program may try again later: there will be other matches.
            raise RegistrationEnded(Refusal.SERVER_FULL)
        if registered.process_id != claimed.credentials.process_id:
            raise RegistrationEnded(Refusal.NO_SUCH_GAME)
        recall = rejoin.come_back(claimed, client)
        while not recall.is_over:
            client.link.allow(BACKLOG_LIMIT)
            recall.send_some()
        rejoin.sit_again(recall)

    def _charge(self, work: float) -> None:
        self._work_left -= work
        if self._work_left < 0 and self._client is not None:
            self._client.drop("too much for one hand that nobody waits for")
            self.hang_up()

    def hang_up(self) -> None:
        """End the connection at once: the program has left, or a fault of its own ends it."""
        if self._link is not None:
            self._link.abort("the program has left")

    # What a program that registers is offered: this seat, and no table

    def receive(self, item: Item) -> None:
        """Accept everything: a program may send what it likes."""

    def set_options(self, ints: tuple[int, ...]) -> None:
        """Ignore the rules that are wanted: they are those of the tournament."""

    def set_levels(self, levels: tuple[int, ...]) -> int:
        return 0

    async def check_password(self, password: bytes) -> None:
        """Accept every password: none is asked for."""

    def look(self, name: str) -> LookReply:
        return LookReply.UNKNOWN

    async def greeting(self, visitor: bytes) -> tuple[str, ...]:
        return ()

    def list_tables(self) -> tuple[ListedTable, ...]:
        return ()

    async def join(self, name: str) -> int:
        return self.player

    async def come_back(self, asked: ComeBack) -> int:
        rejoin = self._host.rejoin
        if rejoin is None or asked.shown != self.credentials:
            raise RegistrationEnded(Refusal.NO_SUCH_GAME)
        self._claimed = rejoin.claim(asked.shown, asked.hands)
        return self._claimed.decided

    async def watch(self, game_number: int) -> None:
        raise RegistrationEnded(Refusal.TABLE_TAKEN)

    # The match

    def end_hand(self) -> None:
        self._work_left = WORK_A_HAND
        if self.account.hangs:
            self.lose("it did nothing for a whole hand")

    def finish(self) -> None:
        """End a match whose program was told that it is over; one that hangs gets no more time."""
        self._over = True
        if self._link is not None and self.account.responds:
            self._link.end()
        else:
            self._scope.cancel()

    def lose(self, why: str) -> None:
        if self._over or self.is_lost:
            return
        self.is_lost = True
        self.why_lost = why
        self.account.crashes += 1
        self.settled.set()
        if self._client is not None:
            self._client.left()
        self.hang_up()
        self._scope.cancel()
        self._host.lost(self.player)
