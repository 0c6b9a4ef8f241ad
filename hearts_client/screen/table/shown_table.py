"""The table as it is shown, event by event: the person's own, or one that is watched."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.game import events
from hearts.game.cards import QUEEN_OF_SPADES, four
from hearts.game.scoring import Four
from hearts.session import client_events, table_words
from hearts.session.client_events import AnotherGame, CaughtUp, DealerEvent, Watching
from hearts.session.hand import ShownTrick
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture
from hearts.session.table_words import PlayerInfo, PlayerKind, Presence
from hearts.settings.readers import LEVELS
from hearts.table.effects import HandAborted
from hearts.wire.day_chain import day_of
from hearts_client.lines.onlooker import Onlooker
from hearts_client.screen.pictures.canvas import Ink, Piece
from hearts_client.screen.pictures.sights import Flash, SeatSight, Stage
from hearts_client.words.narrator import Narrator
from hearts_client.words.others import shown_name, shown_names
from hearts_client.words.roster import Roster
from hearts_client.words.story import Story, row_title
from hearts_client.words.style import Style

_CHOSEN = (
    events.YourHand,
    events.HandBegun,
    HandAborted,
    events.CardsReceived,
    events.TrickBegun,
    events.CardPlayed,
    events.MoonChosen,
    Scores,
    AnotherGame,
)
"""Events after which nobody is waited for who was before."""


def _joined(info: PlayerInfo, is_own: bool) -> str:
    level = next((name for name, number in LEVELS.items() if number == info.level), "")
    match info.kind:
        case PlayerKind.FREE:
            return f"(free; a computer would play as {level})" if level else "(free)"
        case PlayerKind.COMPUTER if level:
            return f"{shown_name(info.name)} ({level})"
    return shown_name(info.name) + (" (you)" if is_own else "")


class ShownTable:
    """The table as it is shown. It may be behind the client, which hears of everything at once."""

    def __init__(self, style: Style, *, watching: bool = False) -> None:
        self.is_watching = watching
        self.par: tuple[int, Sequence[str]] = (0, ())
        """The number of a hand of the person, from 1, and lines about its par."""
        self._is_back = False
        self._style = style
        self._begin()

    def _begin(self) -> None:
        self.picture = Picture(is_watching=self.is_watching)
        self.stage = Stage.WAITING
        self.flash: Flash | None = None
        self.waited_for: tuple[int, ...] = ()
        """The players who are waited for, other than in the play of a trick."""
        self.told: table_words.TableMessage | None = None
        """The table as the server tells of it, without who is there."""
        self.story: Story = (Onlooker if self.is_watching else Narrator)(self._style, self.picture)

    @property
    def roster(self) -> Roster:
        return self.story.roster

    @property
    def may_start(self) -> bool:
        """True if the person may let computers take the free seats."""
        return self.is_forming and self.told is not None and self.told.opener == self.roster.me

    @property
    def may_move(self) -> bool:
        """True if the person may have another seat of the table that forms."""
        return self.is_forming and self.roster.me > 0 and bool(self.roster.free)

    @property
    def is_forming(self) -> bool:
        """True if the server has told of the table, and it has not begun."""
        told = self.told
        return self.stage is Stage.WAITING and told is not None and not told.game_number

    @property
    def joined(self) -> list[str]:
        """The seats of a table that forms, a line each."""
        return [_joined(info, info.player == self.roster.me) for info in self.roster.infos]

    @property
    def end_score(self) -> int:
        """The score that ends the game; 0 for the four hands of a day."""
        if self.told is not None and day_of(self.told.table) is not None:
            return 0
        if self.stage is Stage.WAITING and self.told is not None:
            return self.told.end_score
        return self.picture.end_score

    @property
    def order(self) -> tuple[int, int, int, int]:
        """The players from the bottom, clockwise."""
        return four((max(self.roster.me, 0) + place) % 4 for place in range(4))

    def from_here(self, numbers: Sequence[int]) -> Four:
        """Return numbers of players 0-3 in the order of the picture."""
        return four(numbers[player] for player in self.order)

    @property
    def rows(self) -> tuple[tuple[str, Four], ...]:
        """The hands of the score sheet: a title, and the points in the order of the picture."""
        rows = self.picture.board.rows
        return tuple((row_title(row), self.from_here(row.points)) for row in rows)

    @property
    def trick(self) -> ShownTrick | None:
        return self.picture.hand.trick if self.stage is Stage.TRICK else None

    def receive(self, event: DealerEvent) -> list[Piece]:
        """Take in an event; return the lines to say about it."""
        if isinstance(event, Watching) and self.picture.table is not None:
            # The next connection of who watches is told the table from the beginning.
            self._is_back = True
            self._begin()
        self.flash = None
        self.picture.update(event)
        said = news(event, self.story.narrate(event), self.story)
        self._note(event)
        if self.picture.is_past:
            self.flash = None
            return []
        if isinstance(event, CaughtUp) and self._is_back:
            self._is_back = False
            return [("The connection is back.", Ink.NOTICE)]
        return said

    def _note(self, event: DealerEvent) -> None:
        if isinstance(event, _CHOSEN):
            self.waited_for = ()
        match event:
            case CaughtUp() if self.stage is Stage.WAITING and self.picture.board.winners:
                # A player who comes back with another program is not told the hands again.
                self.stage = Stage.GAME_OVER
            case table_words.TableMessage():
                self.told = event
            case table_words.Waiting(question, players) if question is not None:
                self.waited_for = players
            case events.YourHand() | events.HandBegun() | HandAborted():
                self.stage = Stage.PASSING
            case events.TrickBegun():
                self.stage = Stage.TRICK
            case events.CardPlayed(_, card) if card == self.picture.hand.broken_by:
                self.flash = Flash.HEARTS_BROKEN
            case events.TrickTaken() if self.trick is not None and self.trick.has(QUEEN_OF_SPADES):
                self.flash = Flash.QUEEN
            case events.TricksDone(shooter) if shooter is not None:
                self.flash = Flash.MOON
            case Scores(winners=winners):
                self.stage = Stage.GAME_OVER if winners else Stage.HAND_OVER
                if winners and not self.is_watching:
                    won = self.roster.me in winners
                    self.flash = Flash.GAME_WON if won else Flash.GAME_LOST

    def seats(self, trick: ShownTrick | None) -> tuple[SeatSight, SeatSight, SeatSight, SeatSight]:
        """Return the four players from the bottom, clockwise, with the cards of a trick."""
        return four(self._seat(player, trick) for player in self.order)

    def _seat(self, player: int, trick: ShownTrick | None) -> SeatSight:
        infos = self.roster.infos
        info = infos[player] if infos else PlayerInfo(player, PlayerKind.NOT_SAID)
        waits = self.picture.turn == player or (self.trick is None and player in self.waited_for)
        hand = self.picture.hand
        return SeatSight(
            player=player,
            name=self._name_of(player),
            kind=info.kind,
            presence=Presence.THERE if info.kind is PlayerKind.FREE else info.presence,
            comment=shown_name(info.comment) if info.comment else "",
            leads=trick is not None and trick.leader == player,
            on_turn=waits,
            points=hand.points[player],
            tricks=hand.tricks(player),
            cards=hand.left(player),
            played=None if trick is None else trick.of(player),
            wins=trick is not None and trick.best == player,
        )

    def _name_of(self, player: int) -> str:
        infos = self.roster.infos
        if self.stage is Stage.WAITING and infos and player != self.roster.me:
            return shown_names([info.name for info in infos])[player]
        return self.roster.title(player)


def news(event: DealerEvent, lines: list[str], story: Story) -> list[Piece]:
    """Give the notices about an event; ``lines`` are those of ``story`` in the line client.

    The picture shows cards, scores, seats and the player on turn, so there are none about these.
    """
    roster = story.roster
    match event:
        case (
            events.YourHand()
            | events.HandBegun()
            | events.TrickBegun()
            | TableInfo()
            | client_events.Seated()
            | client_events.ScoresSoFar()
            | table_words.Waiting()
            | table_words.TableMessage()
            | table_words.InvitableMessage()
            | table_words.InvitableCount()
            | table_words.InvitationMessage()
            | client_events.WaitingForPlayers()
            | table_words.ServerNotice()
        ):
            return []
        case events.CardPlayed(player, _, events.ChosenBy.CLOCK) if player == roster.me:
            return _said(lines, Ink.ALARM)
        case events.CardPlayed():
            return _said(story.broken_lines(event), Ink.NOTICE)
        case events.CardsReceived(cards) if isinstance(story, Narrator):
            return _said([story.received_line(cards)], Ink.NOTICE)
        case events.TrickTaken(winner):
            return _said([f"{roster.does(winner, 'take')} the trick."], Ink.DIM)
        case events.TricksDone():
            return _said(lines, Ink.FLASH)
        case Scores():
            return _said(story.winners_lines(), Ink.STRONG)
        case client_events.CaughtUp():
            return [] if roster.me < 0 else _said(lines[1:2], Ink.NOTICE)
        case (
            client_events.ConnectionLost()
            | client_events.ChoiceRefused()
            | client_events.SessionEnded()
        ):
            return _said(lines, Ink.ALARM)
        case _:
            return _said(lines, Ink.NOTICE)


def _said(lines: list[str], ink: Ink) -> list[Piece]:
    return [(line, ink) for line in lines if line.strip()]
