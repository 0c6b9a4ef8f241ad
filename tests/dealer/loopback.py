"""A table on a desk whose four players sit behind both halves of the dealer dialect."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hearts.bots import MoonBot, RandomBot
from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.game.events import Deal
from hearts.game.rules import STANDARD, Rules
from hearts.session.client_events import ChoiceRefused, DealerEvent, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.session.own_cuts import OwnCuts
from hearts.session.picture import Picture
from hearts.session.table_words import Introduction, PlayerKind
from hearts.table.effects import AbortProposed, RulesProposed
from hearts.table.inputs import Question, Vote
from hearts.wire.codec import encode_ints
from tests.hosting.desk import DEALER, GAME, DeskLink, TableDesk
from tests.table.desk import NAMES

LIMIT = 60


class DealerPlayer:
    """One client, and a bot that chooses."""

    def __init__(self, player: int, seed: int, *, cuts: bool = False) -> None:
        draw = random.Random(seed + player)
        self.player = player
        self.deals = DealVerifier(OwnCuts(draw.randbytes(32)) if cuts else None)
        self.picture = Picture()
        self.bot: MoonBot = RandomBot(draw.random)
        self.events: list[DealerEvent] = []
        self.games = 1
        """Where it is asked, the player wants to play so many games."""
        self.is_silent = False
        """Whether it chooses nothing."""
        self.agrees = True
        self.is_connected = True
        self._to_server = b""
        self.call(RegistrationRequest(NAMES[player], process_id=player), encode_ints(player, 1, 1))

    def call(self, request: RegistrationRequest, replies: bytes) -> None:
        """A new connection, up to the Process ID."""
        kind = Introduction(PlayerKind.PROGRAM, 10 * self.player, comment="in a test")
        self.session = DealerSession(request, kind, self.deals, self.picture)
        self.receive(replies)
        self._to_server = b""
        self.is_connected = True

    def receive(self, data: bytes) -> None:
        """Bytes for the client; the bot chooses whenever it is asked."""
        self.session.feed(data)
        self._listen()

    def read(self, link: DeskLink) -> None:
        """Take in what was said."""
        if self.is_connected:
            if data := link.take():
                self.receive(data)
            if link.ending:
                self.is_connected = False
                self.session.feed(b"")
                self._listen()

    def _listen(self) -> None:
        while (event := self.session.next_event()) is not None:
            self.events.append(event)
            match event:
                case YourChoice() | ChoiceRefused() if not self.is_silent:
                    self.choose(event.question)
                case RulesProposed() | AbortProposed():
                    self.session.answer_beside(Vote(self.player, self.agrees))
                case _:
                    pass
        if self.session.owes_cut:
            self.session.owes_cut = False
            self.session.show_cut()
        self._to_server += self.session.bytes_to_send()

    def choose(self, question: Question) -> None:
        """Answer, as the bot likes."""
        session = self.session
        match question:
            case Question.PASS:
                session.pass_cards(self.bot.choose_pass(self.picture.view()))
            case Question.CARD:
                session.play(self.bot.choose_card(self.picture.view()))
            case Question.MOON:
                session.choose_moon(self.bot.choose_moon(self.picture.view()))
            case Question.AGAIN:
                games = sum(bool(scores.winners) for scores in self.scores)
                session.play_again(games < self.games)
            case Question.CUT:
                raise AssertionError("a session cuts by itself")

    @property
    def scores(self) -> list[Scores]:
        return [event for event in self.events if isinstance(event, Scores)]

    def interrupt(self, frame: bytes) -> None:
        """Send bytes that were held up."""
        self._to_server += frame

    def sent(self) -> bytes:
        data, self._to_server = self._to_server + self.session.bytes_to_send(), b""
        return data


class Loopback(TableDesk):
    """A table of four clients, and a watcher. A line is durable in a step of its own."""

    player_kind: type[DealerPlayer] = DealerPlayer

    def __init__(
        self,
        rules: Rules = STANDARD,
        end_score: int = 100,
        seed: int = 1,
        *,
        cuts: Sequence[int] = (),
    ) -> None:
        draw = random.Random(seed)
        deals = iter(lambda: Deal.from_secret(draw.randbytes(16)), None)
        super().__init__(rules, [DEALER] * 4, deals, end=end_score, limit=LIMIT, slow=True)
        self.watcher = WatcherSession(GAME)
        self.watched: list[DealerEvent] = []
        self.players = [self.player_kind(n, seed, cuts=n in cuts) for n in range(4)]
        for player, link in zip(self.players, self.links, strict=True):
            player.read(link)
            self.arrive(player.player, player.sent())
        self.begin()
        self.watcher.feed(encode_ints(0, 1, 1, 1))
        self._onlooker = self.watch()
        self._receive()

    @property
    def is_over(self) -> bool:
        return self.host.is_over

    def run(self, steps: int = 100_000) -> None:
        """Take so many steps, or all there are: what a client has sent comes in, or a line is
        durable."""
        for _ in range(steps):
            for player in self.players:
                if player.is_connected and (data := player.sent()):
                    # What comes while nobody asks is read at once here, too.
                    self.links[player.player].rests = False
                    self.send(player.player, data)
                    break
            else:
                if not self.store.waiting:
                    return
                self.let_through()
            self._receive()

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        self._receive()

    def _receive(self) -> None:
        for player, link in zip(self.players, self.links, strict=True):
            player.read(link)
        if self.is_over:
            self.host.watchers.dismiss()
        if data := self._onlooker.take():
            self.watcher.feed(data)
        if self._onlooker.ending:
            self.watcher.feed(b"")
        self.watched += iter(self.watcher.next_event, None)

    # Lost connections

    def cut(self, number: int) -> None:
        """A connection breaks, and with it what the client had sent and nobody has heard."""
        player = self.players[number]
        player.is_connected = False
        player.sent()
        player.session.close()
        self.leave(number)

    def return_to(self, number: int) -> None:
        """The client comes back to its seat over another connection."""
        player = self.players[number]
        progress = player.session.progress
        assert progress is not None
        decided = self.come_back(number, progress.hands, DEALER)
        request = RegistrationRequest.to_come_back(progress)
        player.call(request, encode_ints(0, 1, 1, decided + 1))
        self._receive()
