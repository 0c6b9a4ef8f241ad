"""Tells a person in words what happens at the table. It reads events and prints nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.cards import Card
from hearts.dealer.client_events import DealerEvent, Declined
from hearts.dealer.messages import AbortGame, PlayerChange
from hearts.errors import Fault
from hearts.events import (
    By,
    CardPlayed,
    CardsReceived,
    MoonChosen,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
    YourHand,
)
from hearts.plain.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ConnectionLost,
    ScoresSoFar,
    Seated,
    SessionEnded,
    WaitingForPlayers,
)
from hearts.plain.messages import Scores, TableInfo
from hearts.plain.progress import Progress
from hearts.plain.tracker import Tracker
from hearts.rules import Direction, Moon, Rules
from hearts.scoring import Four
from hearts.table import RulesAgreed, RulesProposed, RulesRefused

from .others import shown_names
from .rule_words import in_words
from .style import Style, table

_NOBODY: Four = (0, 0, 0, 0)


class Narrator:
    """The story of one session, for the person in one seat."""

    def __init__(self, style: Style, tracker: Tracker) -> None:
        """``tracker`` is that of the client; it knows each event before we are told it."""
        self._style = style
        self._tracker = tracker
        self._me = -1
        self._names: tuple[str, ...] = ("player 0", "player 1", "player 2", "player 3")
        self._own_names: Sequence[str] = self._names
        self._table: TableInfo | None = None
        self._tricks = 0
        self._trick: list[tuple[int, Card]] = []
        self._last_trick: list[str] = ["No trick has been played in this hand yet."]
        self._points: Four = _NOBODY
        self._broken = False
        self._totals: Four = _NOBODY
        self._rows: list[tuple[str, Sequence[int]]] = []
        self._winners: tuple[int, ...] = ()
        self._hands = 0
        self._game_hands = 0
        self._left_off: Progress | None = None
        self._past = False
        self._is_over = False

    def name(self, player: int) -> str:
        """How a player is called: "you", or a name that is only his."""
        return "you" if player == self._me else self._names[player]

    def _does(self, player: int, verb: str) -> str:
        """Such as "You lead" or "Moe leads"."""
        return f"You {verb}" if player == self._me else f"{self._names[player]} {verb}s"

    def tell(self, event: DealerEvent) -> list[str]:
        """The lines for an event; none for one that the person is told of otherwise.

        What is past when a player comes back is told in short, when all of it is there.
        """
        newcomer = self._me < 0
        lines = self._tell(event)
        if isinstance(event, CaughtUp):
            self._past = False
            return self._tell_where_we_are()
        if self._past and not (newcomer and isinstance(event, Seated)):
            return []
        return lines

    def _tell(self, event: DealerEvent) -> list[str]:
        match event:
            case ConnectionLost(why, retry_in):
                self._past = False
                return [f"Connection lost ({why}); trying again in {_seconds(retry_in)}."]
            case CameBack(_, progress):
                self._past = True
                self._left_off = progress
                return []
            case WaitingForPlayers(player):
                return [f"You are player {player}. Waiting for the other players."]
            case Seated():
                return self._tell_seats(event)
            case TableInfo():
                return self._tell_table(event)
            case YourHand(number, direction, cards):
                return self._tell_hand(number, direction, cards)
            case PassMade(_, cards, by):
                target = self.name(self._tracker.view().direction.target(self._me))
                who = "You pass" if by is By.PLAYER else "Time is up. The server passes for you"
                return [f"{who}: {self._style.cards(cards)}, to {target}."]
            case CardsReceived(cards):
                return self._tell_received(cards)
            case TrickBegun(leader):
                self._tricks += 1
                self._trick = []
                return ["", f"Trick {self._tricks}. {self._does(leader, 'lead')}."]
            case CardPlayed(player, card, by):
                return self._tell_card(player, card, by)
            case TrickTaken(winner, points):
                return self._tell_trick(winner, points)
            case TricksDone(shooter, _):
                return self._tell_moon(shooter)
            case MoonChosen():
                return self._tell_moon_choice(event)
            case Scores():
                return self._tell_scores(event)
            case ScoresSoFar(totals) if totals != self._totals:
                self._totals = totals
                self._rows = [("so far", totals)]
                return []
            case ChoiceRefused(_, reason):
                return [f"The server refuses that: {reason.text}."]
            case AgainAnswered(yes, By.CLOCK):
                answer = "yes" if yes else "no"
                return [f"Time is up. The server answers for you: {answer}."]
            case AnotherGame(follows):
                self._is_over = not follows
                return ["", "Another game begins." if follows else "The session is over."]
            case PlayerChange(_, info):
                self._rename(info.player, info.name)
                return []
            case RulesProposed() | RulesAgreed() | RulesRefused():
                return self._tell_new_rules(event)
            case Declined(_, Fault.NOT_PLAYER_0 | Fault.NOT_NOW, why):
                return [f"That is not done: {why}."]
            case AbortGame(_, why):
                return [f"The server ends the game: {why}."]
            case SessionEnded(False):
                return ["The server has ended the connection."]
            case _:
                return []

    # Coming back

    def _tell_where_we_are(self) -> list[str]:
        lines = ["", "You are back."]
        tracker = self._tracker
        if self._rows:
            lines += self.scores()
        if self._winners:
            lines.append(self._tell_winners(self._winners, self._totals))
        if self._is_over:
            lines.append("The session is over.")
        elif tracker.dealt:
            trick = f", trick {self._tricks}" if tracker.turn is not None else ""
            lines += [f"--- Hand {tracker.view().hand_number + 1}{trick} ---", *self.hand()]
            if tracker.turn is not None:
                lines += self.trick_lines()
        return lines

    # The table

    def _tell_seats(self, seated: Seated) -> list[str]:
        self._me = seated.player
        self._call(seated.names)
        left, across, right = (self.name((self._me + step) % 4) for step in (1, 2, 3))
        return ["", f"On your left sits {left}, across {across}, on your right {right}."]

    def _call(self, names: Sequence[str]) -> None:
        self._own_names = names
        self._names = shown_names(names)

    def _rename(self, player: int, name: str) -> None:
        if self._me >= 0 and self._own_names[player] != name:
            self._call([*self._own_names[:player], name, *self._own_names[player + 1 :]])

    def _tell_new_rules(self, event: RulesProposed | RulesAgreed | RulesRefused) -> list[str]:
        match event:
            case RulesProposed(rules, end_score, _):
                game = _game(rules, end_score)
                return [f"Shall the next game be {game}? Type /agree or /refuse."]
            case RulesAgreed(rules, end_score):
                return [f"The next game is {_game(rules, end_score)}."]
            case RulesRefused(player, why):
                who = f" ({self.name(player)})" if player >= 0 else ""
                return [f"The rules stay as they are{who}: {why}."]

    def _tell_table(self, info: TableInfo) -> list[str]:
        self._table = info
        left_off, self._left_off = self._left_off, None
        if left_off is None:
            self._begin_scores()
        elif left_off.hands != self._hands:
            self._begin_scores()
            self._hands = left_off.hands
            self._go_on_from(left_off)
        return [*self.rules(), "Type /help to see what you can type."]

    def _begin_scores(self) -> None:
        self._totals = _NOBODY
        self._rows = []
        self._game_hands = 0
        self._winners = ()

    def _go_on_from(self, left_off: Progress) -> None:
        """Take over scores whose hands we were not there to see."""
        count = self._game_hands = left_off.game_hands
        if count:
            self._totals = left_off.scores
            self._rows = [("hand 1" if count == 1 else f"hands 1-{count}", self._totals)]
        if left_off.latest is not None:
            self._winners = left_off.latest.winners

    def rules(self) -> list[str]:
        """What is played at this table."""
        info = self._table
        if info is None:
            return ["The game has not begun yet."]
        limit = f"{info.turn_limit} seconds for each choice" if info.turn_limit else "no clock"
        lines = [f"A game to {info.end_score} points, rules: {info.rules}, {limit}."]
        lines += [f"  {text}" for text in in_words(info.rules)]
        if info.computers:
            names = [self._names[player] for player in sorted(info.computers)]
            lines.append(f"Played by a computer: {', '.join(names)}.")
        return lines

    # A hand

    def _tell_hand(self, number: int, direction: Direction, cards: Sequence[Card]) -> list[str]:
        self._tricks = 0
        self._points = _NOBODY
        self._broken = False
        self._last_trick = ["No trick has been played in this hand yet."]
        title = f"--- Hand {number + 1}"
        if direction is Direction.HOLD:
            return ["", f"{title}: no cards are passed. ---", f"Hand: {self._style.hand(cards)}"]
        target = self.name(direction.target(self._me))
        if direction is Direction.ACROSS:
            return ["", f"{title}: three cards go across, to {target}. ---"]
        return ["", f"{title}: three cards go to the {direction.name.lower()}, to {target}. ---"]

    def _tell_received(self, cards: Sequence[Card]) -> list[str]:
        view = self._tracker.view()
        source = next(p for p in range(4) if view.direction.target(p) == self._me)
        return [
            f"From {self.name(source)} you receive: {self._style.cards(cards)}.",
            *self.hand(),
        ]

    def hand(self) -> list[str]:
        """The person's hand in one line."""
        return [f"Hand: {self._style.hand(self._tracker.view().cards)}"]

    def _tell_card(self, player: int, card: Card, by: By) -> list[str]:
        self._trick.append((player, card))
        text = self._style.card(card)
        if by is By.CLOCK and player == self._me:
            lines = [f"Time is up. The server plays {text} for you."]
        else:
            lines = [f"{self._title(player)}: {text}"]
        play = self._tracker.play
        if play is not None and play.broken and not self._broken:
            self._broken = True
            lines.append("Hearts are broken.")
        return lines

    def _title(self, player: int) -> str:
        return "You" if player == self._me else self._names[player]

    def trick_lines(self) -> list[str]:
        """The cards that lie in the trick under way."""
        if not self._trick:
            return ["No card lies on the table."]
        return ["On the table: " + self._in_words(self._trick) + "."]

    def _in_words(self, trick: Sequence[tuple[int, Card]]) -> str:
        return ", ".join(f"{self.name(player)} {self._style.card(card)}" for player, card in trick)

    def _tell_trick(self, winner: int, points: Four) -> list[str]:
        gained = points[winner] - self._points[winner]
        self._points = points
        line = f"{self._does(winner, 'take')} trick {self._tricks}"
        if gained:
            each = ", ".join(f"{self.name(player)} {points[player]}" for player in range(4))
            line += f" with {_points(gained)}. In this hand so far: {each}"
        self._last_trick = [
            f"Trick {self._tricks}: {self._in_words(self._trick)}.",
            f"{self._does(winner, 'take')} it with {_points(gained)}.",
        ]
        self._trick = []
        return [line + "."]

    def last_trick(self) -> list[str]:
        """The last complete trick of this hand."""
        return self._last_trick

    def _tell_moon(self, shooter: int | None) -> list[str]:
        if shooter is None:
            return []
        who = "You have" if shooter == self._me else f"{self._names[shooter]} has"
        lines = [f"{who} shot the moon!"]
        if self._tracker.rules.moon is Moon.CHOICE and shooter != self._me:
            lines.append(f"{self._names[shooter]} chooses how it counts.")
        return lines

    def _tell_moon_choice(self, chosen: MoonChosen) -> list[str]:
        owner = "your own"
        who = "You choose" if chosen.by is By.PLAYER else "Time is up. The server chooses for you"
        if chosen.player != self._me:
            owner, who = "their own", f"{self._names[chosen.player]} chooses"
        what = "26 points to each of the others" if chosen.on_others else f"26 points off {owner}"
        return [f"{who}: {what}."]

    # Scores

    def _tell_scores(self, scores: Scores) -> list[str]:
        totals = scores.scores
        self._hands += 1
        self._game_hands += 1
        number = self._game_hands
        row = [after - before for after, before in zip(totals, self._totals, strict=True)]
        self._rows.append((f"hand {number}", row))
        self._totals = totals
        self._winners = scores.winners
        lines = ["", *self._table_of([(f"hand {number}", row), ("total", totals)])]
        if scores.winners:
            lines.append(self._tell_winners(scores.winners, totals))
        return lines

    def _tell_winners(self, winners: Sequence[int], totals: Four) -> str:
        names = " and ".join(self._title(player) for player in winners)
        verb = "win" if len(winners) > 1 or self._me in winners else "wins"
        return f"The game is over. {names} {verb} with {_points(totals[winners[0]])}."

    def scores(self) -> list[str]:
        """The scores of the game, hand by hand."""
        if not self._rows:
            return ["No hand is scored yet."]
        return self._table_of([*self._rows, ("total", self._totals)])

    def _table_of(self, rows: Sequence[tuple[str, Sequence[int]]]) -> list[str]:
        return table([self._title(player) for player in range(4)], rows)


def _game(rules: Rules, end_score: int) -> str:
    return f"a game to {end_score} points, rules: {rules}"


def _points(number: int) -> str:
    return f"{number} point" if number in (1, -1) else f"{number or 'no'} points"


def _seconds(number: float) -> str:
    return f"{number:.0f} s" if number >= 2 else f"{number:.1f} s"
