"""What is to be seen of a table, event by event: of the person's own, or of one that is watched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hearts.dealer.client_events import DealerEvent
from hearts.dealer.messages import RegisterOpponents, Waiting
from hearts.dealer.numbers import DealerState, PlayerKind, Presence
from hearts.dealer.structures import PlayerInfo
from hearts.game.cards import QUEEN_OF_SPADES, Card
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    HandBegun,
    MoonChosen,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import DEFAULT_END_SCORE, Direction
from hearts.game.scoring import Four
from hearts.session.client_events import AnotherGame, CameBack, CaughtUp, ConnectionLost, Seated
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts_client.lines.onlooker import Onlooker
from hearts_client.words.company import Company
from hearts_client.words.narrator import Narrator
from hearts_client.words.others import shown_name, shown_names
from hearts_client.words.style import Style

from .canvas import Ink
from .news import news
from .sight import Flash, SeatSight, Stage

_NOBODY: Four = (0, 0, 0, 0)
_HAND_SIZE = 13
_ENDS_A_WAIT = (CardsReceived, TrickBegun, CardPlayed, MoonChosen, Scores, AnotherGame)
"""Whoever was waited for has chosen."""


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick as it lies: who leads it, what was played, and who has taken it."""

    number: int
    leader: int
    cards: tuple[tuple[int, Card], ...] = ()
    winner: int | None = None
    """None until it is over."""

    @property
    def best(self) -> int | None:
        """Who takes it, as far as it has come; None before the lead."""
        if not self.cards:
            return None
        led = self.cards[0][1].suit
        return max((card, player) for player, card in self.cards if card.suit is led)[1]

    @property
    def turn(self) -> int | None:
        """Who plays to it next; None when it is full."""
        return None if len(self.cards) == 4 else (self.leader + len(self.cards)) % 4

    def of(self, player: int) -> Card | None:
        """What a player has played to it."""
        return next((card for who, card in self.cards if who == player), None)


class Table:
    """The table as it is shown. It may be behind the client, which hears of everything at once."""

    def __init__(self, style: Style, *, watching: bool = False) -> None:
        self.picture = Picture()
        """What the person knows at this point; a watcher has none."""
        self.is_watching = watching
        self.stage = Stage.WAITING
        self.hand_number = 0
        """From 1; 0 before the first."""
        self.direction = Direction.HOLD
        self.trick: ShownTrick | None = None
        """The trick under way; when it is over it lies until the next one begins."""
        self.last_trick: ShownTrick | None = None
        """The last complete trick of the hand."""
        self.is_past = watching
        """Whether what is told is past; a watcher is told that first."""
        self.flash: Flash | None = None
        """What the last event makes felt."""
        self.waited_for: tuple[int, ...] = ()
        """Who is waited for beside the play of a trick."""
        self.joined: list[str] = []
        """Where the table forms: what is known of it, in lines."""
        self.story = Onlooker(style) if watching else Narrator(style, self.picture)
        """The same in words."""
        self._info: TableInfo | None = None
        self._points: Four = _NOBODY
        self._tricks = [0, 0, 0, 0]

    @property
    def company(self) -> Company:
        """Who is there."""
        return self.story.company

    @property
    def base(self) -> int:
        """The player at the bottom of the picture."""
        return max(self.company.me, 0)

    @property
    def order(self) -> tuple[int, int, int, int]:
        """The players from the bottom, clockwise."""
        base = self.base
        return (base, (base + 1) % 4, (base + 2) % 4, (base + 3) % 4)

    @property
    def turn(self) -> int | None:
        """Who plays next to the trick under way."""
        return self.trick.turn if self.trick is not None and self.trick.winner is None else None

    @property
    def rules_text(self) -> str:
        """The rules in force; empty before a game."""
        return str(self._info.rules) if self._info is not None else ""

    @property
    def info(self) -> TableInfo | None:
        """What is played, once that is known."""
        return self._info

    @property
    def end_score(self) -> int:
        """The score that ends the game."""
        return self._info.end_score if self._info is not None else DEFAULT_END_SCORE

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts are broken."""
        return self.story.broken

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won the game; empty while it goes on."""
        return self.story.board.winners

    @property
    def totals(self) -> Four:
        """The scores of the game, of players 0-3."""
        return self.story.board.totals

    @property
    def rows(self) -> list[tuple[str, Sequence[int]]]:
        """What each hand of the game added, of players 0-3."""
        return self.story.board.rows

    def name(self, player: int) -> str:
        """How a player is called: "you", or a name that is only his."""
        return self.company.name(player)

    def hear(self, event: DealerEvent) -> list[tuple[str, Ink]]:
        """Take in an event; what there is to say about it."""
        self.flash = None
        if not self.is_watching:
            self.picture.update(event)
        were_broken = self.story.broken
        lines = self.story.tell(event)
        if self.story.broken and not were_broken:
            self.flash = Flash.HEARTS_BROKEN
        self._note(event)
        if self.is_past:
            self.flash = None
            return []
        return news(event, lines, self.story.company)

    def _note(self, event: DealerEvent) -> None:
        if isinstance(event, _ENDS_A_WAIT):
            self.waited_for = ()
        match event:
            case CameBack():
                self.is_past = True
            case CaughtUp():
                self.is_past = False
                if self.stage is Stage.WAITING and self.winners:
                    # Who comes back with another program is not told the hands again.
                    self.stage = Stage.GAME_OVER
            case ConnectionLost():
                self.is_past = False
            case Waiting(DealerState.INIT):
                self._form()
            case Waiting(_, players):
                self.waited_for = players
            case RegisterOpponents() | Seated() if self.stage is Stage.WAITING:
                self._form()
            case TableInfo():
                self._info = event
            case YourHand(number, direction) | HandBegun(number, direction):
                self._begin_hand(number, direction)
            case TrickBegun(leader):
                self.stage = Stage.TRICK
                self.trick = ShownTrick(self.story.trick_number, leader)
            case CardPlayed(player, card):
                self._lay(player, card)
            case TrickTaken(winner, points):
                self._take(winner, points)
            case TricksDone(shooter):
                if shooter is not None:
                    self.flash = Flash.MOON
            case Scores(winners=winners):
                self._score(winners)

    def _form(self) -> None:
        self.joined = []
        for info in self.company.infos:
            name = shown_name(info.name)
            if info.kind is PlayerKind.FREE:
                name = "(free)"
            elif info.player == self.company.me:
                name += " (you)"
            self.joined.append(name)

    def _begin_hand(self, number: int, direction: Direction) -> None:
        self.stage = Stage.PASSING
        self.hand_number = number + 1
        self.direction = direction
        self.trick = self.last_trick = None
        self._points = _NOBODY
        self._tricks = [0, 0, 0, 0]
        self.waited_for = ()

    def _lay(self, player: int, card: Card) -> None:
        assert self.trick is not None
        trick = self.trick
        self.trick = ShownTrick(trick.number, trick.leader, (*trick.cards, (player, card)))

    def _take(self, winner: int, points: Four) -> None:
        assert self.trick is not None
        trick = self.trick
        self.trick = self.last_trick = ShownTrick(trick.number, trick.leader, trick.cards, winner)
        self._tricks[winner] += 1
        self._points = points
        if any(card == QUEEN_OF_SPADES for _, card in trick.cards):
            self.flash = Flash.QUEEN

    def _score(self, winners: tuple[int, ...]) -> None:
        self.stage = Stage.GAME_OVER if winners else Stage.HAND_OVER
        self.trick = None
        if winners and not self.is_watching:
            won = self.company.me in winners
            self.flash = Flash.GAME_WON if won else Flash.GAME_LOST

    def seats(self, trick: ShownTrick | None) -> tuple[SeatSight, SeatSight, SeatSight, SeatSight]:
        """The four players from the bottom, clockwise, with the cards of a trick."""
        a, b, c, d = (self._seat(player, trick) for player in self.order)
        return a, b, c, d

    def _seat(self, player: int, trick: ShownTrick | None) -> SeatSight:
        info = self._info_of(player)
        waits = self.turn == player or (self.trick is None and player in self.waited_for)
        held = 0 if not self.hand_number else _HAND_SIZE - sum(self._tricks)
        under_way = self.trick
        if under_way is not None and under_way.winner is None and under_way.of(player) is not None:
            held -= 1
        return SeatSight(
            player=player,
            name=self._name_of(player),
            kind=info.kind,
            presence=Presence.THERE if info.kind is PlayerKind.FREE else info.presence,
            comment=shown_name(info.comment) if info.comment else "",
            leads=trick is not None and trick.leader == player,
            on_turn=waits,
            points=self._points[player],
            total=self.totals[player],
            tricks=self._tricks[player],
            cards=held,
            played=None if trick is None else trick.of(player),
            wins=trick is not None and trick.best == player,
        )

    def _info_of(self, player: int) -> PlayerInfo:
        infos = self.company.infos
        return infos[player] if infos else PlayerInfo(player, PlayerKind.EXTERNAL_NETWORK)

    def _name_of(self, player: int) -> str:
        infos = self.company.infos
        if self.stage is Stage.WAITING and infos and player != self.company.me:
            return shown_names([info.name for info in infos])[player]
        return self.company.title(player)
