"""All that everybody may see of a table, kept from open events and rendered as payloads.

Nothing that only one player may see ever comes in here, so what comes out is for every player and
every watcher alike, and the seats of a table can share one public table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from hearts.game.cards import (
    CARDS,
    HEARTS_MASK,
    JACK_OF_DIAMONDS,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    WIRE,
    Card,
    four,
)
from hearts.game.cuts import NO_HASHES
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    HandBegun,
    HandScored,
    MoonChosen,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import Direction
from hearts.game.scoring import Four
from hearts.session.client_events import DoneHand, Score
from hearts.session.table_words import (
    AbortGame,
    AbortLater,
    PlayerInfo,
    RegisterOpponents,
    Replay,
)
from hearts.table import effects
from hearts.table.effects import TableEvent

from . import messages
from .frames import BY_NUMBERS, TRICK_SUITS, MessageType
from .listener import Unnumbered
from .messages import CARD_PLAYED, TRICK_POINTS, as_frame
from .structures import WATCHER

PublicEvent = (
    CardPlayed
    | TrickTaken
    | TrickBegun
    | HandBegun
    | TricksDone
    | MoonChosen
    | HandScored
    | effects.GameBegun
    | effects.GameScored
    | effects.AgainSettled
    | effects.DealPromised
    | effects.DealDisclosed
    | effects.RestClaimed
    | effects.RulesAgreed
    | effects.HandAborted
    | effects.GameAborted
)
"""The events that everybody may see."""
Rendered = tuple[int, bytes]
"""The type and the payload of a frame."""


# The places of a trick's fields among its 11 ints; those of the cards are the players.
SUIT, _LEADER, _ROUND, _BROKEN, _WINNER, _JACK, _QUEEN = range(4, 11)
_NO_TRICK = (0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0)
_SUIT_NUMBERS = tuple(TRICK_SUITS[CARDS[card].suit] for card in range(52))
_ANOTHER = "all have agreed to begin another game"
# To ask the Enum takes a call; see hearts/README.md.
_CARD_PLAYED: Final = MessageType.CARD_PLAYED
_TRICK_DONE: Final = MessageType.TRICK_DONE
_HEARTS_BROKEN: Rendered = (MessageType.HEARTS_BROKEN, b"")


class PublicTable:
    """The open side of a table: the trick, and the cards and points that each player has taken."""

    __slots__ = ("_breaks_hearts", "_hand", "_standing", "latest", "said", "trick")

    def __init__(self, standing: effects.SessionTotals) -> None:
        """``standing`` is that at the first event."""
        self._standing = standing
        self._breaks_hearts = POINTS_MASK
        self._hand = _HandSoFar()
        self.trick = list(_NO_TRICK)
        """The trick under way, as the ints of its structure."""
        self.latest: PublicEvent | None = None
        """The latest event that was shown."""
        self.said: list[Rendered] = []
        """The frames of that for everybody."""

    def show(self, event: PublicEvent) -> list[Rendered]:
        """Give the frames of an event for everybody, in order; the latest can be shown again."""
        if event is not self.latest and event != self.latest:
            self.said = self._render(event)
            self.latest = event
        return self.said

    def _render(self, event: PublicEvent) -> list[Rendered]:
        # These come with each card; see hearts/README.md.
        if type(event) is CardPlayed:
            return self._show_card(event.player, event.card, event.by)
        if type(event) is TrickBegun:
            return self._begin_trick(event.leader)
        if type(event) is TrickTaken:
            return self._show_taken(event.winner, event.points)
        match event:
            case HandBegun(number, direction):
                return self._begin_hand(number, direction)
            case TricksDone(shooter, decides):
                self._hand.shooter = shooter
                return (
                    [] if shooter is None else [as_frame(messages.PlayerShotMoon(shooter, decides))]
                )
            case HandScored(points, scores, winners):
                return self._show_scores(points, scores, winners)
            case effects.GameScored(points, scores, winners, decider):
                done = self._show_scores(points, scores, winners)
                return [*done, as_frame(messages.EndGame(self._scores(), winners, decider))]
            case effects.AgainSettled(_, yes):
                if yes:
                    self._begin_game()
                return [as_frame(event)]
            case (
                MoonChosen()
                | effects.DealPromised()
                | effects.RestClaimed()
                | effects.HandAborted()
                | effects.RulesAgreed()
            ):
                return [as_frame(event)]
            case effects.GameBegun(setting):
                keeps = setting.rules.queen_keeps_hearts
                self._breaks_hearts = HEARTS_MASK if keeps else POINTS_MASK
                game = messages.NewGame(setting.rules, setting.end_score, 1000 * setting.limit)
                return [as_frame(game)]
            case effects.DealDisclosed(deal, secret, cuts, shown):
                values, missing = (shown.values, shown.missing) if shown else (NO_HASHES, ())
                return [as_frame(messages.DealProof(deal, secret, cuts, values, missing))]
            case effects.GameAborted():
                self._begin_game()
                return [as_frame(AbortGame(AbortLater.ANOTHER_GAME, _ANOTHER))]
            case _:
                assert_never(event)

    def standing(self) -> Rendered:
        return as_frame(messages.ScoreCard(self._scores()))

    def _show_card(self, player: int, card: Card, by: ChosenBy) -> list[Rendered]:
        trick = self.trick
        wire = WIRE[card]
        trick[player] = wire
        if not trick[SUIT]:
            trick[SUIT] = _SUIT_NUMBERS[card]
        if card == QUEEN_OF_SPADES:
            trick[_QUEEN] = 1
        elif card == JACK_OF_DIAMONDS:
            trick[_JACK] = 1
        breaks = not trick[_BROKEN] and self._breaks_hearts >> card & 1
        if breaks:
            trick[_BROKEN] = 1
        played = (_CARD_PLAYED, CARD_PLAYED.pack(*trick, player, wire, BY_NUMBERS[by]))
        return [played, _HEARTS_BROKEN] if breaks else [played]

    def _begin_trick(self, leader: int) -> list[Rendered]:
        trick = self.trick
        trick[:] = (0, 0, 0, 0, 0, leader, trick[_ROUND] + 1, trick[_BROKEN], -1, 0, 0)
        return [as_frame(TrickBegun(leader))] if trick[_ROUND] == 1 else []

    def _show_taken(self, winner: int, points: Four) -> list[Rendered]:
        trick = self.trick
        trick[_WINNER] = winner
        if trick[_QUEEN]:
            self._hand.queen_winner = winner
        if trick[_JACK]:
            self._hand.jack_winner = winner
        return [(_TRICK_DONE, TRICK_POINTS.pack(*trick, *points))]

    def _begin_hand(self, number: int, direction: Direction) -> list[Rendered]:
        self.trick[:] = _NO_TRICK
        self._hand = _HandSoFar()
        if not number:
            self._begin_game()
        return [as_frame(messages.NewHand(number + 1, direction))]

    def _begin_game(self) -> None:
        self._standing = effects.SessionTotals(games=self._standing.games)

    def _show_scores(self, points: Four, scores: Four, winners: Sequence[int]) -> list[Rendered]:
        hand, before = self._hand, self._standing
        self._standing = effects.SessionTotals(
            scores,
            _one_more(before.queens, hand.queen_winner),
            _one_more(before.jacks, hand.jack_winner),
            _one_more(before.games, *winners),
        )
        done = DoneHand(
            hand.queen_winner,
            hand.jack_winner,
            hand.shooter,
            self._scores(),
            min(winners, default=None),
            points,
            tuple(winners),
        )
        return [as_frame(done)]

    def _scores(self) -> tuple[Score, ...]:
        now = self._standing
        return tuple(
            Score(*four) for four in zip(now.scores, now.queens, now.jacks, now.games, strict=True)
        )


class _HandSoFar:
    """The winners of queen and jack, and the shooter, in the hand under way."""

    __slots__ = ("jack_winner", "queen_winner", "shooter")

    def __init__(self) -> None:
        self.queen_winner: int | None = None
        self.jack_winner: int | None = None
        self.shooter: int | None = None


def _one_more(counts: Four, *players: int | None) -> Four:
    return four(count + (player in players) for player, count in enumerate(counts))


class Broadcast(Unnumbered):
    """The frames for all watchers of a table: the same bytes, because all have number 0.

    If the host delays watchers, it gives each event when its time has come.
    """

    __slots__ = ("_game", "_hand", "_promised", "_public", "_standing")

    def __init__(self, standing: effects.SessionTotals | None = None) -> None:
        """``standing`` is that at the first event that is told; None at the begin of a session."""
        super().__init__()
        self._public = PublicTable(standing or effects.SessionTotals())
        self._game = b""
        self._standing = b""
        self._hand: list[bytes] = []
        self._promised = False

    def seated(self, game_number: int, table_name: str, infos: Sequence[PlayerInfo]) -> bytes:
        seated = messages.SeatedMessage(WATCHER, game_number, 0, table_name)
        return self._encode(seated) + self.beside(RegisterOpponents(tuple(infos)))

    @property
    def has_begun(self) -> bool:
        return bool(self._game)

    def past(self) -> bytes:
        """Give the frames of the game and of the latest hand, for a watcher who has just come."""
        return b"".join(
            [
                self.beside(Replay(begins=True)),
                self._game,
                self._standing,
                *self._hand,
                self.beside(Replay(begins=False)),
            ]
        )

    def encode_event(self, event: TableEvent) -> bytes:
        match event:
            case (
                YourHand()
                | PassMade()
                | CardsReceived()
                | effects.CutSettled()
                | effects.RulesProposed()
                | effects.RulesRefused()
                | effects.SeatWanted()
                | effects.SeatKept()
                | effects.AbortProposed()
                | effects.AbortRefused()
                | effects.TakenBack()
            ):
                return b""
            case effects.HandAborted() | effects.GameAborted():
                # Nobody watches any more; the next watcher begins with what follows.
                self._public.show(event)
                self._begin_hand()
                self._promised = False
                return b""
            case _:
                data = b"".join(
                    [self._frame(type, payload) for type, payload in self._public.show(event)]
                )
        self._remember(event, data)
        return data

    def _remember(self, event: TableEvent, data: bytes) -> None:
        match event:
            case effects.GameBegun():
                self._game = data
                self._begin_hand()
            case effects.DealPromised():
                self._begin_hand(data)
                self._promised = True
            case HandBegun():
                promised = self._hand if self._promised else []
                self._begin_hand(*promised, data)
                self._promised = False
            case effects.RulesAgreed():
                pass  # they are of the next game
            case _:
                self._hand.append(data)

    def _begin_hand(self, *told: bytes) -> None:
        self._hand = list(told)
        self._standing = self._frame(*self._public.standing())
