"""A game whose four players sit behind both halves of the plain dialect."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hearts.bots import RandomBot
from hearts.game.events import ChooseMoon, Deal, HandScored, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.rules import Rules
from hearts.game.view import seen_by
from hearts.plain.client import PlainSession
from hearts.plain.seat import PlainSeat
from hearts.session.client_events import ChoiceRefused, DealerEvent, WaitingForPlayers, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.table_words import PlayerInfo, PlayerKind
from hearts.table.effects import AgainSettled, GameBegun, GameScored, TableEvent
from hearts.table.inputs import AnswerAgain, Chosen, Question, Setting
from hearts.wire.codec import encode_int
from hearts.wire.credentials import issue

NAMES = ("Ann", "Bob", "Cleo", "Dan")
PLAYERS = [PlayerInfo(p, PlayerKind.NOT_SAID, name=name) for p, name in enumerate(NAMES)]
SECRET = bytes(32)


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """The data in pieces of one size; 0 for the whole."""
    step = size or max(len(data), 1)
    for start in range(0, len(data), step):
        yield data[start : start + step]


class PlainPlayer:
    """One seat: the server's half, the client's half, and a bot that chooses."""

    def __init__(self, player: int, seed: int, piece: int) -> None:
        self.player = player
        self.seat = PlainSeat(player)
        self.session = PlainSession(RegistrationRequest(NAMES[player], process_id=player))
        self.picture = self.session.picture
        self.bot = RandomBot(random.Random(seed + player).random)
        self.events: list[DealerEvent] = []
        self.to_server = b""
        self._piece = piece
        self.receive(encode_int(player))
        self.receive(encode_int(1))
        assert self.events == [WaitingForPlayers(player)]
        self.to_server = b""

    def receive(self, data: bytes) -> None:
        """Bytes for the client; the bot chooses whenever it is asked."""
        for piece in pieces(data, self._piece):
            self.session.feed(piece)
            while (event := self.session.next_event()) is not None:
                self.events.append(event)
                if isinstance(event, YourChoice | ChoiceRefused):
                    self._choose(event.question)
            self.to_server += self.session.bytes_to_send()

    def _choose(self, question: Question) -> None:
        match question:
            case Question.PASS:
                self.session.pass_cards(self.bot.choose_pass(self.picture.view()))
            case Question.CARD:
                card = self.bot.choose_card(self.picture.view())
                self.picture.check(card)
                self.session.play(card)
            case Question.MOON:
                self.session.choose_moon(self.bot.choose_moon(self.picture.view()))
            case Question.AGAIN:
                self.session.play_again(False)


class PlainLoop:
    """One game, and the bytes of its four players in both directions."""

    def __init__(self, rules: Rules, end_score: int, seed: int, piece: int = 0) -> None:
        self.game = Game(rules, end_score)
        self.players = [PlainPlayer(player, seed, piece) for player in range(4)]
        self._draw = random.Random(seed)
        for player in self.players:
            credentials = issue(SECRET, 7, player.player, player.player)
            player.receive(player.seat.welcome(credentials, "Table 1", PLAYERS))
        self._tell(GameBegun(Setting(rules, end_score, 60, 60.0)))

    def _tell(self, event: TableEvent) -> None:
        for player in self.players:
            player.receive(player.seat.encode_event(event))

    def _apply(self, action: Deal | Pass | Play | ChooseMoon) -> None:
        self.game.check(action)
        for event in self.game.apply(action):
            if isinstance(event, HandScored) and event.winners:
                self._tell(GameScored(event.points, event.scores, event.winners, 0))
                continue
            for player in self.players:
                seen = seen_by(event, player.player)
                if seen is not None:
                    player.receive(player.seat.encode_event(seen))

    def steps(self) -> Iterator[None]:
        """Play the game to its end, with a stop after each action."""
        while self.game.phase is not Phase.OVER:
            if self.game.phase is Phase.DEAL:
                self._apply(Deal.from_secret(self._draw.randbytes(16)))
            else:
                self._apply(self._next_choice())
            yield

    def _next_choice(self) -> Pass | Play | ChooseMoon:
        player = self.players[self.game.waiting_for()[0]]
        question = {
            Phase.PASS: Question.PASS,
            Phase.PLAY: Question.CARD,
            Phase.MOON: Question.MOON,
        }[self.game.phase]
        choice = self._answer(player, question)
        assert isinstance(choice, Pass | Play | ChooseMoon)
        return choice

    def _answer(self, player: PlainPlayer, question: Question) -> object:
        player.seat.owe_choice(question)
        inputs = player.seat.receive(player.to_server)
        player.to_server = b""
        (chosen,) = (given for given in inputs if isinstance(given, Chosen))
        return chosen.choice

    def end(self) -> None:
        """After the last step: player 0 answers, and the session is over."""
        answer = self._answer(self.players[0], Question.AGAIN)
        assert answer == AnswerAgain(0, False)
        self._tell(AgainSettled(0, False, AnswerAgain(0, False).by))
        for player in self.players:
            assert player.seat.receive(player.to_server) == []
            assert not player.seat.owes
            player.receive(b"")
            player.session.feed(b"")
