"""Tells in words what everybody sees at a table. It reads events and prints nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from hearts.dealer.client_events import DealerEvent
from hearts.dealer.messages import AbortGame, PlayerChange, RegisterOpponents
from hearts.game.cards import QUEEN_OF_SPADES, Card, Suit
from hearts.game.events import CardPlayed, HandBegun, MoonChosen, TrickBegun, TricksDone, TrickTaken
from hearts.game.rules import Direction, Moon, Rules
from hearts.game.scoring import Four
from hearts.session.client_events import AnotherGame, ScoresSoFar, SessionEnded
from hearts.session.messages import Scores, TableInfo
from hearts.table import RulesAgreed, RulesProposed, RulesRefused

from .company import Company, in_a_row
from .rule_words import in_words
from .scoreboard import Scoreboard
from .style import Style, table

_NOBODY: Four = (0, 0, 0, 0)
_NO_TRICK = "No trick has been played in this hand yet."


class Story:
    """The story of one session as it is told to anybody."""

    def __init__(self, style: Style) -> None:
        self.company = Company()
        self.trick_number = 0
        """That of the trick under way in its hand, from 1; 0 before the first."""
        self._style = style
        self._table: TableInfo | None = None
        self._trick: list[tuple[int, Card]] = []
        self._last_trick = [_NO_TRICK]
        self._points: Four = _NOBODY
        self.broken = False
        """Whether hearts are broken."""
        self.board = Scoreboard()
        self.is_over = False
        """Whether the players are done."""

    def name(self, player: int) -> str:
        """How a player is called: "you", or a name that is only his."""
        return self.company.name(player)

    def tell(self, event: DealerEvent) -> list[str]:
        """The lines for an event; none for one that is told of otherwise."""
        match event:
            case RegisterOpponents(players):
                return self.company.meet(players)
            case PlayerChange():
                return self.company.change(event)
            case TableInfo():
                return self._tell_table(event)
            case ScoresSoFar(totals):
                self.board.stand(totals)
                return []
            case HandBegun(number, direction):
                return self._tell_hand(number, _where_to(direction))
            case TrickBegun(leader):
                self.trick_number += 1
                self._trick = []
                line = f"Trick {self.trick_number}. {self.company.does(leader, 'lead')}."
                return ["", line]
            case CardPlayed():
                return self._tell_card(event)
            case TrickTaken(winner, points):
                return self._tell_trick(winner, points)
            case TricksDone(shooter, _):
                return self._tell_moon(shooter)
            case MoonChosen():
                return self._tell_moon_choice(event)
            case Scores():
                return self._tell_scores(event)
            case AnotherGame(follows):
                self.is_over = not follows
                return ["", "Another game begins." if follows else "The session is over."]
            case RulesProposed() | RulesAgreed() | RulesRefused():
                return self._tell_new_rules(event)
            case AbortGame(_, why):
                return [f"The server ends the game: {why}."]
            case SessionEnded(False, True):
                return ["Your seat was taken on another connection, so this program stops."]
            case SessionEnded(False):
                return ["The server has ended the connection."]
            case _:
                return []

    # The table

    def _tell_new_rules(self, event: RulesProposed | RulesAgreed | RulesRefused) -> list[str]:
        match event:
            case RulesProposed(rules, end_score, _):
                game = game_in_words(rules, end_score)
                return [f"Shall the next game be {game}? Type /agree or /refuse."]
            case RulesAgreed(rules, end_score):
                return [f"The next game is {game_in_words(rules, end_score)}."]
            case RulesRefused(player, why):
                who = f" ({self.name(player)})" if player >= 0 else ""
                return [f"The rules stay as they are{who}: {why}."]
            case _:
                assert_never(event)

    def _tell_table(self, info: TableInfo) -> list[str]:
        self._table = info
        self.board.begin()
        return self.rules()

    def rules(self) -> list[str]:
        """What is played at this table."""
        info = self._table
        if info is None:
            return ["The game has not begun yet."]
        limit = f"{info.turn_limit} seconds for each choice" if info.turn_limit else "no clock"
        game = game_in_words(info.rules, info.end_score)
        lines = [f"{game[0].upper()}{game[1:]}, {limit}."]
        lines += [f"  {text}" for text in in_words(info.rules)]
        computers = self.company.computers(info.computers)
        if computers:
            names = [self.name(player) for player in computers]
            lines.append(f"Played by a computer: {', '.join(names)}.")
        return lines

    # A hand

    def _tell_hand(self, number: int, where_to: str) -> list[str]:
        self.trick_number = 0
        self._trick = []
        self._points = _NOBODY
        self.broken = False
        self._last_trick = [_NO_TRICK]
        self.board.deal(number)
        return ["", f"--- Hand {number + 1}: {where_to}. ---"]

    def _tell_card(self, played: CardPlayed) -> list[str]:
        card = played.card
        self._trick.append((played.player, card))
        lines = [self._card_line(played)]
        if self._breaks(card) and not self.broken:
            self.broken = True
            lines.append("Hearts are broken.")
        return lines

    def _card_line(self, played: CardPlayed) -> str:
        return f"{self.company.title(played.player)}: {self._style.card(played.card)}"

    def _breaks(self, card: Card) -> bool:
        if card.suit is Suit.HEARTS:
            return True
        keeps = self._table is not None and self._table.rules.queen_keeps_hearts
        return card == QUEEN_OF_SPADES and not keeps

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
        takes = self.company.does(winner, "take")
        line = f"{takes} trick {self.trick_number}"
        if gained:
            each = ", ".join(f"{self.name(player)} {points[player]}" for player in range(4))
            line += f" with {_points(gained)}. In this hand so far: {each}"
        self._last_trick = [
            f"Trick {self.trick_number}: {self._in_words(self._trick)}.",
            f"{takes} it with {_points(gained)}.",
        ]
        self._trick = []
        return [line + "."]

    def last_trick(self) -> list[str]:
        """The last complete trick of this hand."""
        return self._last_trick

    def _tell_moon(self, shooter: int | None) -> list[str]:
        if shooter is None:
            return []
        who = self.company.title(shooter)
        is_me = shooter == self.company.me
        lines = [f"{who} {'have' if is_me else 'has'} shot the moon!"]
        rules = Rules() if self._table is None else self._table.rules
        if rules.moon is Moon.CHOICE and not is_me:
            lines.append(f"{who} chooses how it counts.")
        return lines

    def _tell_moon_choice(self, chosen: MoonChosen) -> list[str]:
        what = "26 points to each of the others" if chosen.on_others else "26 points off their own"
        return [f"{self.company.does(chosen.player, 'choose')}: {what}."]

    # Scores

    def _tell_scores(self, scores: Scores) -> list[str]:
        lines = ["", *table(self._head, self.board.add(scores))]
        if scores.winners:
            lines.append(self._winners_line())
        return lines

    def _winners_line(self) -> str:
        winners = self.board.winners
        others = [self.company.name(player) for player in winners[1:]]
        names = in_a_row([self.company.title(winners[0]), *others])
        verb = "win" if len(winners) > 1 or self.company.me in winners else "wins"
        points = _points(self.board.totals[winners[0]])
        return f"The game is over. {names} {verb} with {points}."

    def scores(self) -> list[str]:
        """The scores of the game, hand by hand."""
        return self.board.lines(self._head)

    @property
    def _head(self) -> list[str]:
        return [self.company.title(player) for player in range(4)]


def _where_to(direction: Direction) -> str:
    match direction:
        case Direction.HOLD:
            return "no cards are passed"
        case Direction.ACROSS:
            return "three cards go across"
        case _:
            return f"three cards go to the {direction.name.lower()}"


def game_in_words(rules: Rules, end_score: int) -> str:
    """What is played, in short."""
    return f"a game to {end_score} points, rules: {rules}"


def _points(number: int) -> str:
    return f"{number} point" if number in (1, -1) else f"{number or 'no'} points"
