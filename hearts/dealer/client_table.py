"""The game as everybody at a table sees it, out of the dealer's messages.

DealerSpec.md section 14.2 has their order. It is kept to strictly: a game that cannot be ends
the connection, so it surprises no code that shows it or plays in it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from hearts.errors import RemoteProtocolError
from hearts.game.cards import four
from hearts.game.cuts import ShownCuts
from hearts.game.events import CardPlayed, HandBegun, MoonChosen, TrickBegun, TricksDone, TrickTaken
from hearts.game.rules import Direction
from hearts.game.scoring import Four
from hearts.session.client_events import AnotherGame, DealerEvent, DoneHand, Score, ScoresSoFar
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts.session.table_words import (
    AbortGame,
    AbortLater,
    PlayerChange,
    PlayerInfo,
    PlayerKind,
    RegisterOpponents,
    ServerNotice,
)
from hearts.table import effects

from . import messages as said
from .messages import Said
from .structures import HAND_SIZE, WATCHER, Trick


class TablePhase(Enum):
    """A phase of the game; each names what leads on from it."""

    GAME = auto()
    """P_NEW_GAME."""
    HAND = auto()
    """P_NEW_HAND."""
    CARDS = auto()
    """Thirteen P_TAKE_CARD."""
    PASS = auto()
    """P_LOSE_PASS."""
    RECEIVE = auto()
    """P_TAKE_PASS."""
    LEAD = auto()
    """P_FIRST_LEAD."""
    TRICK = auto()
    """P_CARD_PLAYED, and P_TRICK_DONE when four lie."""
    PLAYED = auto()
    """P_PLAYER_SHOT_MOON or P_DONE_HAND."""
    MOON = auto()
    """P_MOON_CHOSEN."""
    COUNTED = auto()
    """P_DONE_HAND."""
    BROKEN_OFF = auto()
    """P_ABORT_HAND."""
    END = auto()
    """P_END_GAME."""
    AGAIN = auto()
    """P_AGAIN_DECIDED."""
    OVER = auto()
    """The end of the connection."""


_HAND_PHASES = (
    TablePhase.CARDS,
    TablePhase.PASS,
    TablePhase.RECEIVE,
    TablePhase.LEAD,
    TablePhase.TRICK,
    TablePhase.MOON,
)
"""The phases in which a hand can be broken off."""


_COMES_AT: dict[type[Said], tuple[TablePhase, ...]] = {
    said.NewGame: (TablePhase.GAME,),
    said.ScoreCard: (TablePhase.HAND, TablePhase.AGAIN),
    effects.DealPromised: (TablePhase.HAND,),
    said.NewHand: (TablePhase.HAND,),
    said.TakeCard: (TablePhase.CARDS,),
    said.DoPass: (TablePhase.PASS,),
    said.LosePass: (TablePhase.PASS,),
    said.TakePass: (TablePhase.RECEIVE,),
    TrickBegun: (TablePhase.LEAD,),
    said.CardPlayedMessage: (TablePhase.TRICK,),
    said.HeartsBroken: (TablePhase.TRICK,),
    said.TrickDone: (TablePhase.TRICK,),
    said.TakeTrick: (TablePhase.TRICK,),
    effects.RestClaimed: (TablePhase.TRICK,),
    said.PlayerShotMoon: (TablePhase.PLAYED,),
    said.MoonChoice: (TablePhase.MOON,),
    MoonChosen: (TablePhase.MOON,),
    DoneHand: (TablePhase.PLAYED, TablePhase.COUNTED),
    # A replay tells of hands of which it brings nothing else.
    effects.HandAborted: (TablePhase.HAND, *_HAND_PHASES, TablePhase.BROKEN_OFF),
    said.EndGame: (TablePhase.END,),
    said.PlayAgainMessage: (TablePhase.AGAIN,),
    effects.AgainSettled: (TablePhase.AGAIN,),
}
"""The phases in which a message can come; one that is not here can come in any."""


class TableFollower:
    """The game as everybody sees it; its owner handles the messages for one seat alone."""

    def __init__(self, emit: Callable[[DealerEvent], None], picture: Picture) -> None:
        """``emit`` takes each event; the picture has it before the next message is read."""
        self._emit = emit
        self._picture = picture
        self.phase = TablePhase.GAME
        self.player = WATCHER
        """Our seat, or that of no player."""
        self.infos: tuple[PlayerInfo, ...] = ()
        """The players in the seats; empty until we are told."""
        self.hand_number = -1
        self.direction = Direction.HOLD
        self.shooter: int | None = None
        self.decider: int | None = None
        self._scored: Four = (0, 0, 0, 0)
        """The scores of the hand that has ended the game, until P_END_GAME comes."""
        self._promised: effects.DealPromised | None = None
        """The latest promise of a deal."""

    def go(self, phase: TablePhase) -> None:
        self.phase = phase

    def take_up(self, latest: Scores | None) -> None:
        """Go on behind scores that we had before our connection was lost."""
        if latest is not None and latest.winners:
            self.decider = self.player if latest.you_decide else None
            self.go(TablePhase.AGAIN)

    def check(self, message: Said) -> None:
        """Raise RemoteProtocolError for a message that cannot come now."""
        self.expect(*_COMES_AT.get(type(message), (self.phase,)))

    def expect(self, *phases: TablePhase) -> None:
        """Raise RemoteProtocolError in another phase."""
        if self.phase not in phases:
            raise RemoteProtocolError(f"that cannot come now: the game is at {self.phase.name}")

    def receive(self, message: Said) -> bool:
        """Take a message in; True if it is one for everybody. Raises RemoteProtocolError."""
        match message:
            case said.CardPlayedMessage():
                self.check_trick(message.trick)
                self._emit(CardPlayed(message.player, message.card, message.by))
            case said.TrickDone() if not isinstance(message, said.TakeTrick):
                self._on_trick(message)
            case said.HeartsBroken():
                pass
            case RegisterOpponents(players):
                if [info.player for info in players] != [0, 1, 2, 3]:
                    raise RemoteProtocolError("the players are not players 0-3 in this order")
                self.infos = players
                self._emit(message)
            case PlayerChange(_, info):
                self._on_change(info)
                self._emit(message)
            case said.NewGame():
                self._on_game(message)
            case said.ScoreCard(scores):
                self._emit(ScoresSoFar(_points(scores)))
            case said.NewHand(hand, direction):
                self._on_hand(hand, direction)
            case TrickBegun(leader):
                self._begin_trick(leader)
            case said.PlayerShotMoon(player, decides):
                self.shooter = player
                self._emit(TricksDone(player, decides and self.player in (player, WATCHER)))
                self.go(TablePhase.MOON if decides else TablePhase.COUNTED)
            case MoonChosen(player):
                if player != self.shooter:
                    raise RemoteProtocolError(f"player {player} chooses about another's moon")
                self._emit(message)
                self.go(TablePhase.COUNTED)
            case DoneHand():
                self._on_done(message)
            case said.EndGame():
                self._on_end(message)
            case effects.AgainSettled(_, yes):
                self._emit(AnotherGame(yes))
                self.go(TablePhase.GAME if yes else TablePhase.OVER)
            case effects.DealPromised():
                self._promised = message
                self._emit(message)
            case said.DealProof():
                self._on_proof(message)
            case effects.HandAborted():
                self._emit(message)
                self.go(TablePhase.HAND)
            case AbortGame(AbortLater.ANOTHER_GAME):
                self.expect(TablePhase.HAND)
                self._emit(effects.GameAborted())
                self.go(TablePhase.GAME)
            case effects.RulesAgreed() | effects.RestClaimed() | ServerNotice() | AbortGame():
                self._emit(message)
            case _:
                return False
        return True

    # Who plays

    def _on_change(self, info: PlayerInfo) -> None:
        if not self.infos:
            raise RemoteProtocolError("a player changes before it is known who plays")
        infos = list(self.infos)
        infos[info.player] = info
        self.infos = tuple(infos)

    # A game

    def _on_game(self, message: said.NewGame) -> None:
        if not self.infos:
            raise RemoteProtocolError("a game begins before it is known who plays")
        computers = frozenset(
            info.player for info in self.infos if info.kind is PlayerKind.COMPUTER
        )
        seconds = -(-message.turn_limit // 1000)
        self._emit(TableInfo(message.rules, message.end_score, seconds, computers))
        self.go(TablePhase.HAND)

    def _on_proof(self, message: said.DealProof) -> None:
        # The deal shows all hands, so its proof comes when the hand is over.
        if self.phase not in (TablePhase.PLAYED, TablePhase.COUNTED):
            self.expect(*_HAND_PHASES)
            self.go(TablePhase.BROKEN_OFF)
        promised, shown = self._promised, None
        if promised is not None and promised.deal == message.deal:
            shown = ShownCuts(promised.hashes, message.values)
            # A proof that names others as missing than those who showed no value proves nothing.
            if not any(promised.hashes) or shown.missing != message.missing:
                shown = None
        self._emit(effects.DealDisclosed(message.deal, message.secret, message.cuts, shown))

    def _on_hand(self, hand: int, direction: Direction) -> None:
        self.hand_number = hand - 1
        self.direction = direction
        self.shooter = None
        if self.player == WATCHER:
            self._emit(HandBegun(self.hand_number, direction))
            self.go(TablePhase.LEAD)
        else:
            self.go(TablePhase.CARDS)

    def _begin_trick(self, leader: int) -> None:
        self._emit(TrickBegun(leader))
        self.go(TablePhase.TRICK)

    def check_trick(self, trick: Trick) -> None:
        """Raise RemoteProtocolError if that is not the trick under way."""
        now = self._picture.hand.trick
        if now is None or (trick.leader, trick.round) != (now.leader, now.number):
            raise RemoteProtocolError("that is not the trick that is played")

    @property
    def is_turn(self) -> bool:
        return self.phase is TablePhase.TRICK and self._picture.turn == self.player

    def _on_trick(self, message: said.TrickDone) -> None:
        self.check_trick(message.trick)
        winner = message.trick.winner
        if self._picture.turn is not None or winner is None:
            raise RemoteProtocolError("a trick is said to be done and is not")
        self._emit(TrickTaken(winner, four(message.points)))
        if self._picture.hand.begun == HAND_SIZE:
            self.go(TablePhase.PLAYED)
        else:
            self._begin_trick(winner)

    # The end of a hand

    def _on_done(self, message: DoneHand) -> None:
        if self.phase is TablePhase.PLAYED:
            self._emit(TricksDone(None, False))
        self._emit(message)
        if message.winners:
            # The message that ends this game says who decides about another one.
            self._scored = _points(message.scores)
            self.go(TablePhase.END)
        else:
            self._emit(Scores(_points(message.scores)))
            self.go(TablePhase.HAND)

    def _on_end(self, message: said.EndGame) -> None:
        if not message.winners:
            raise RemoteProtocolError("a game ends that nobody has won")
        self.decider = message.decider
        self._emit(Scores(self._scored, message.winners, message.decider == self.player))
        self.go(TablePhase.AGAIN)


def _points(scores: tuple[Score, ...]) -> Four:
    return four(score.points for score in scores)
