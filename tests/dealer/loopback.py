"""A real table whose four players sit behind both halves of the dealer dialect."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from functools import partial

from hearts.bots import MoonBot, RandomBot
from hearts.dealer.answers import Introduction
from hearts.dealer.client import DealerSession
from hearts.dealer.client_events import DealerEvent
from hearts.dealer.client_watch import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier, cut_of
from hearts.dealer.numbers import PlayerKind
from hearts.dealer.seat import DealerSeat, Introduced
from hearts.dealer.structures import PlayerInfo
from hearts.dealer.watcher import Broadcast
from hearts.game.events import Deal
from hearts.game.rules import STANDARD, Rules
from hearts.session.client_events import ChoiceRefused, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.session.picture import Picture
from hearts.table import (
    Able,
    Answered,
    Ask,
    AskBot,
    CameBack,
    CaughtUp,
    Changed,
    Decline,
    Durable,
    Ended,
    GameBegun,
    Input,
    Kind,
    Left,
    Persist,
    Question,
    Refuse,
    RulesProposed,
    Setting,
    Show,
    Stopped,
    Table,
    TableEvent,
    Tell,
    TellAll,
)
from hearts.wire.codec import encode_ints
from hearts.wire.credentials import issue
from tests.plain.loopback import NAMES, SECRET, pieces
from tests.table.desk import choice_for

LIMIT = 60
GAME = 7


class Player:
    """One seat: the server's half, the client's half, and a bot that chooses."""

    def __init__(self, player: int, seed: int, *, piece: int = 0, cuts: bool = False) -> None:
        draw = random.Random(seed + player)
        self.player = player
        self.seat = DealerSeat(player)
        self.deals = DealVerifier(partial(cut_of, draw.randbytes(16)) if cuts else None)
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
        self._piece = piece
        self.call(RegistrationRequest(NAMES[player], process_id=player), encode_ints(player, 1, 1))

    def call(self, request: RegistrationRequest, replies: bytes) -> None:
        """A new connection, up to the Process ID."""
        kind = Introduction(PlayerKind.EXTERNAL_CPU, 10 * self.player, comment="in a test")
        self.session = DealerSession(request, kind, self.deals, self.picture)
        self.receive(replies)
        self._to_server = b""
        self.is_connected = True

    def receive(self, data: bytes) -> None:
        """Bytes for the client; the bot chooses whenever it is asked."""
        for piece in pieces(data, self._piece):
            self.session.feed(piece)
            self._listen()

    def hang_up(self) -> None:
        """The server ends the connection."""
        self.session.feed(b"")
        self._listen()

    def _listen(self) -> None:
        while (event := self.session.next_event()) is not None:
            self.events.append(event)
            match event:
                case YourChoice() | ChoiceRefused() if not self.is_silent:
                    self.choose(event.question)
                case RulesProposed():
                    self.session.vote(self.agrees)
                case _:
                    pass
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
        """What was told after each hand."""
        return [event for event in self.events if isinstance(event, Scores)]

    def interrupt(self, frame: bytes) -> None:
        """Send bytes that were held up."""
        self._to_server += frame

    def sent(self) -> bytes:
        """What the client has sent since the last call."""
        data, self._to_server = self._to_server + self.session.bytes_to_send(), b""
        return data


class Loopback:
    """A table of four clients, its time and its store, and a watcher."""

    def __init__(
        self,
        rules: Rules = STANDARD,
        end_score: int = 100,
        seed: int = 1,
        *,
        piece: int = 0,
        cuts: Sequence[int] = (),
    ) -> None:
        draw = random.Random(seed)
        setting = Setting(rules, end_score, LIMIT, 1000.0, 1000.0)
        self.table = Table(
            setting,
            [(name, Kind.CLIENT) for name in NAMES],
            lambda: Deal.from_secret(draw.randbytes(16)),
        )
        self.now = 0.0
        self.is_over = False
        self.broadcast = Broadcast()
        self.watcher = WatcherSession(GAME)
        self.watched: list[DealerEvent] = []
        self.players = [
            Player(player, seed, piece=piece, cuts=player in cuts) for player in range(4)
        ]
        self._inputs: deque[Input] = deque()
        self._watch(encode_ints(0, 1, 1, 1))
        self._watch(self.broadcast.seated(GAME, "Table 1", self.infos) + self.broadcast.past())
        for player in self.players:
            credentials = issue(SECRET, GAME, player.player, player.player)
            player.receive(player.seat.register_query())
            player.receive(player.seat.welcome(credentials, "Table 1", self.infos))
            self._hear(player)
        able, self._inputs = self._inputs, deque()
        for given in able:
            self._carry_out(self.table.step(given, self.now))
        self._carry_out(self.table.start())

    @property
    def infos(self) -> list[PlayerInfo]:
        kind = PlayerKind.EXTERNAL_CPU
        return [PlayerInfo(player, kind, name=name) for player, name in enumerate(NAMES)]

    def run(self, steps: int = 100_000) -> None:
        """Let the table take so many inputs, or all there are."""
        for _ in range(steps):
            if not self._inputs or self.is_over:
                return
            self._carry_out(self.table.step(self._inputs.popleft(), self.now))

    @property
    def is_idle(self) -> bool:
        """Whether nothing happens until the clock or a client does something."""
        return self.is_over or not self._inputs

    def give(self, given: Input) -> None:
        self._inputs.append(given)

    def hear_all(self) -> None:
        """Take in what the clients have sent."""
        for player in self.players:
            self._hear(player)

    def _carry_out(self, effects: Sequence[object]) -> None:
        for effect in effects:
            match effect:
                case Persist():
                    self.give(Durable())
                case TellAll(event):
                    for player in self.players:
                        self._tell(player, event)
                    self._watch(self.broadcast.tell(event))
                case Tell(player, event):
                    self._tell(self.players[player], event)
                case Show(event):
                    self._watch(self.broadcast.tell(event))
                case Ask(player):
                    self._say(self.players[player], self.players[player].seat.ask(effect))
                    if self.players[player].is_connected:
                        self.give(CaughtUp(player))
                case AskBot(request, question, view, by):
                    self.give(Answered(request, choice_for(question, view, by)))
                case Refuse(player, reason):
                    self._say(self.players[player], self.players[player].seat.refuse(reason))
                case Decline(player):
                    self._say(self.players[player], self.players[player].seat.decline(effect))
                case Changed(_, change):
                    for each in self.players:
                        self._say(each, each.seat.change(change, self.infos[effect.player]))
                case Ended() | Stopped():
                    self.is_over = True
                    for each in self.players:
                        if each.is_connected:
                            each.hang_up()
                    self.watcher.feed(b"")
                    self._watch(b"")
                case _:
                    pass
        self.hear_all()

    def _tell(self, player: Player, event: TableEvent) -> None:
        if player.is_connected:
            player.receive(player.seat.tell(event))

    def _say(self, player: Player, data: bytes) -> None:
        if player.is_connected:
            player.receive(data)

    def _watch(self, data: bytes) -> None:
        if data:
            self.watcher.feed(data)
        while (event := self.watcher.next_event()) is not None:
            self.watched.append(event)

    def _hear(self, player: Player) -> None:
        if not player.is_connected:
            return
        seat = player.seat
        for given in seat.receive(player.sent()):
            if isinstance(given, Introduced):
                self.give(Able(given.player, votes=True, wants_to_cut=given.wants_to_cut))
            else:
                self.give(given)
        replies = seat.take_replies()
        if replies:
            player.receive(replies)
            self._hear(player)

    # Lost connections

    def cut(self, number: int) -> None:
        """A connection breaks, and with it what the client had sent and nobody has heard."""
        player = self.players[number]
        player.is_connected = False
        player.session.close()
        self.give(Left(number))

    def come_back(self, number: int) -> None:
        """The client comes back to its seat over another connection."""
        player, past = self.players[number], self.table.past
        progress = player.session.progress
        assert progress is not None
        hands = progress.hands
        assert hands <= past.hands_scored(number)
        decided = past.decided(number, hands)
        request = RegistrationRequest.to_come_back(progress)
        player.call(request, encode_ints(0, 1, 1, decided + 1))
        seat = player.seat = DealerSeat(number, past.standing(number, hands))
        credentials = issue(SECRET, GAME, number, number)
        said = seat.register_query() + seat.welcome(credentials, "Table 1", self.infos)
        said += seat.replay(True) + seat.tell(GameBegun(past.setting(number, hands)))
        for missed in past.replay(number, hands):
            said += seat.recall(missed)
        said += seat.replay(False)
        player.receive(said)
        if self.is_over:
            player.hang_up()
            return
        if self.table.is_deciding(number):
            seat.made_before()
        # The table takes up inputs one after the other, and all that came before are taken up.
        self._carry_out(self.table.step(CameBack(number), self.now))
        self._carry_out(self.table.step(CaughtUp(number), self.now))
        asked = self.table.open_question(number, self.now)
        if asked is not None and not self.is_over:
            player.receive(seat.ask(asked))
            self.hear_all()
