"""The table that the kit plays at: a real one, hosted as on a server, with bots on the other seats.

What it tells the client under test is right by construction. Time is what the kit says it is.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf

from msgspec.structs import replace

from hearts.errors import IllegalAction, Reason
from hearts.game.cards import CARDS, Card, cards_of, mask_of
from hearts.game.events import CardPlayed, ChooseMoon, Deal, Pass, Play, YourHand
from hearts.game.view import View, view_of
from hearts.hosting.hosted_client import Answers, HostedClient
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.ports import StrictLog
from hearts.hosting.rejoin import Recall, Return
from hearts.hosting.store import NoStore, Session, StoredSeat
from hearts.table import inputs
from hearts.table.effects import TableEvent
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts.wire.credentials import issue

from .deals import arrange
from .kept_link import KeptLink, KeptSeat
from .others import KitBot, OtherPlayer
from .script import MAX_GAMES, MAX_HANDS, Script

_LONG = 1_000_000.0
"""Seconds after which every clock has run out."""
_SECRET = bytes(range(32))
_WHERE = "127.0.0.1"
_BEFORE = "Vera"
"""The computer that has the client's seat before it is opened."""


class Host:
    """One table, and everybody at it but the client under test."""

    def __init__(
        self, session: Session, me: int, script: Script, *, bot_pause: float = 0.0
    ) -> None:
        """``me`` is the seat of the client; ``script`` says what the others do.

        Computers think for ``bot_pause``, in seconds.
        """
        self.me = me
        self.session = session
        self.credentials = issue(_SECRET, session.game_number, me, session.seats[me].process_id)
        self._now = 0.0
        self._random = random.Random(me)
        self._bot = KitBot(self._random.random, me)
        self._script = script
        self._deals = iter([arrange(wish, me) for wish in script.deals])
        self._log = StrictLog()
        self._takes_open_seat = script.takes_open_seat
        if script.takes_open_seat:
            # A computer plays the first hand for the client, and player 0 is another one.
            seats = list(session.seats)
            seats[me] = StoredSeat(_BEFORE, Kind.COMPUTER, 0)
            a, b, c, d = seats
            session = replace(session, seats=(a, b, c, d))
        players = [(seat.name, seat.kind) for seat in session.seats]
        # However often the kit makes it wait, the table never lets a stand-in play at once.
        self.table = Table(session.setting, players, self._next_deal, lost_limits=inf)
        self._hosted = HostedTable(
            self.table,
            session,
            [self._bot] * 4,
            secret=_SECRET,
            store=NoStore(),
            clock=lambda: self._now,
            log=self._log,
            bot_pause=bot_pause,
        )

    def _next_deal(self) -> Deal:
        given = next(self._deals, None)
        if given is not None:
            return given
        dealt = Deal.from_secret(self._random.randbytes(16))
        # A server deals all hands of a session in one way.
        return Deal(dealt.hands) if self._script.deals else dealt

    # The client comes and goes

    def connect(self, seat: KeptSeat) -> None:
        """Connect the client, who has registered on another connection, to this seat."""
        self._client = HostedClient(seat.link, _WHERE, self._log)
        self._client.seat = seat

    def answer_requests(self, requests: Answers | None) -> None:
        """Answer what the client asks beside its play; None to refuse it from now on."""
        if requests is None:
            self._client.answers = None
        else:
            self._client.answer_wishes(requests)

    def start(self) -> None:
        """Begin the first game, because the table has its players."""
        seated = [] if self._takes_open_seat else [(self._client, self.credentials)]
        for player, taken in enumerate(self.session.seats):
            if player != self.me and taken.kind is Kind.CLIENT:
                seat = self._other(player)
                other = HostedClient(seat.link, _WHERE, self._log)
                other.seat = seat
                if player == 0 and self._takes_open_seat:
                    seat.on_event = self._let_in
                seated.append((other, issue(_SECRET, self.session.game_number, player, 0)))
        self._hosted.seat_clients(seated)
        self._hosted.begin(self.table.start(self._now))
        self._go_on()

    def _other(self, player: int) -> OtherPlayer:
        return OtherPlayer(player, self.table, self._bot, self._script, self._hosted.give)

    def _let_in(self, event: TableEvent) -> None:
        """Open the client's seat in the first hand, and give it to the client at the next card."""
        seat, rejoin = self.session.seats[self.me], self._hosted.rejoin
        match event:
            case YourHand() if self._takes_open_seat:
                self._hosted.give(inputs.OpenSeat(0, self.me))
            case CardPlayed() if self._takes_open_seat:
                self._takes_open_seat = False
                rejoin.register(rejoin.hold(self._client), seat.name, seat.process_id)

    def leave(self) -> None:
        self._client.link.ending = True
        self._client.left()
        self._go_on()

    def claim(self, hands: int) -> Return:
        """Prepare for a client that is about to come back and has had the Scores of so many
        hands.
        """
        return self._hosted.rejoin.claim(self.credentials, hands)

    def recall(self, claimed: Return) -> Recall:
        """Tell the client, which is back, what it has missed."""
        recall = self._hosted.rejoin.come_back(claimed, self._client)
        while not recall.is_over:
            recall.send_some()
        return recall

    def sit_again(self, recall: Recall) -> None:
        self._hosted.rejoin.sit_again(recall)
        self._go_on()

    # The client watches

    def start_without_client(self) -> None:
        """Begin the first game, with another player in the client's seat."""
        self.connect(self._other(self.me))
        self.start()

    def watch(self) -> tuple[HostedClient, KeptLink]:
        link = KeptLink()
        watcher = HostedClient(link, _WHERE, self._log)
        self._hosted.watch(watcher)
        return watcher, link

    def step(self) -> bool:
        """Let the next thing happen; False if the session is over."""
        if self._hosted.is_over:
            return False
        self._now = max(self._now, self._hosted.due)
        self._hosted.wake(self._now)
        return True

    # What happens

    def receive(self, data: bytes) -> None:
        self._client.receive(data)
        self._go_on()

    def give(self, given: inputs.Input) -> None:
        self._hosted.give(given)
        self._go_on()

    def force(self, avoid: Sequence[Card] = ()) -> None:
        """End the client's time; if it can, the table plays none of the cards to avoid."""
        self._bot.avoided = mask_of(avoid)
        self._now += _LONG
        self._go_on()
        self._bot.avoided = 0

    def notice_client(self) -> None:
        """Something is heard of the client, so no stand-in plays for it from now on.

        It is called after a missed cut. Else the hand would be over before the kit had read what
        the client answers.
        """
        self._hosted.give(inputs.CameLate(self.me))

    def wish(self, given: inputs.Input) -> None:
        """Player 0 wishes for something, and all others but the client agree."""
        for player, seat in enumerate(self.table.seats):
            if player != self.me and seat.kind is Kind.CLIENT:
                self.give(inputs.Able(player, votes=True, next_hash=b""))
        self.give(given)

    def limit(self, games: int, hands: int) -> None:
        """Let the session end with this game, if the client has had so many that it is enough."""
        decides = self.table.first_client(inf) == self.me
        if hands >= MAX_HANDS or (games >= MAX_GAMES and decides):
            self.give(inputs.Drain())

    def _go_on(self) -> None:
        """Let everybody else do what is due."""
        while not self._hosted.is_over and (self._hosted.due <= self._now or self._waits_for_hash):
            self._now = max(self._now, self._hosted.due)
            self._hosted.wake(self._now)

    @property
    def _waits_for_hash(self) -> bool:
        """Tell whether a promise still waits for the client to say that it cuts."""
        return any(seat.request and seat.request.is_for_hash for seat in self.table.seats)

    # What is the case

    @property
    def view(self) -> View:
        return view_of(self.table.game, self.me)

    def why_not(self, choice: inputs.Choice) -> Reason | None:
        """Return the reason for which the client may not choose so; None if it may."""
        if not isinstance(choice, Pass | Play | ChooseMoon):
            return None
        try:
            self.table.game.check(choice)
        except IllegalAction as error:
            return error.reason
        return None

    def reasons(self) -> set[Reason]:
        """Return the reasons for which the client may not play some of the cards that it holds."""
        held = cards_of(self.view.hand)
        found = {self.why_not(Play(self.me, card)) for card in held}
        return {reason for reason in found if reason is not None}

    def would_be_legal(self, hand: int, card: int) -> bool:
        """Tell if a client that held another hand, a mask, could play a card now."""
        play = self.table.game.play
        assert play is not None
        other = play.copy()
        other.hands[self.me] = hand
        return bool(hand >> card & 1 and other.legal() >> card & 1)


def card_text(cards: int | Sequence[int]) -> str:
    """Return cards, or a mask of them, in words."""
    listed = cards_of(cards) if isinstance(cards, int) else (CARDS[card] for card in cards)
    return " ".join(map(str, listed)) or "none"
