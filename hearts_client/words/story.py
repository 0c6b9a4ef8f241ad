"""Tells in words what everybody sees at a table. It reads events and prints nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.game.events import CardPlayed, HandBegun, MoonChosen, TrickBegun, TricksDone, TrickTaken
from hearts.game.rules import Direction, Moon, Rules
from hearts.game.scoring import points_by
from hearts.session.client_events import AnotherGame, ConnectionLost, DealerEvent, SessionEnded
from hearts.session.hand import ShownTrick
from hearts.session.messages import Scores, TableInfo
from hearts.session.picture import Picture, Scoreboard, ScoreRow
from hearts.session.table_words import AbortGame, PlayerChange, RegisterOpponents
from hearts.table import effects
from hearts.table.inputs import Abort

from .roster import Roster, in_a_row
from .rule_words import clock_in_words, in_words, points_in_words
from .style import Style, table

ABORT_QUESTIONS = {
    Abort.HAND: "Abandon this hand and deal again?",
    Abort.GAME: "Abandon this game and begin another one?",
}

PASS_WORDS = {
    Direction.HOLD: "no cards are passed",
    Direction.LEFT: "three cards go to the left",
    Direction.ACROSS: "three cards go across",
    Direction.RIGHT: "three cards go to the right",
}


class Story:
    """The story of one session as it is told to anybody."""

    LOST = "Connection lost ({why}); trying again."

    def __init__(self, style: Style, picture: Picture) -> None:
        """``picture`` knows each event before we are told it."""
        self.roster = Roster()
        self.name = self.roster.name
        self.is_of_day = False
        """True at a table of the deal of the day."""
        self._is_lost = False
        self._style = style
        self._picture = picture

    def narrate(self, event: DealerEvent) -> list[str]:
        """Return the lines for an event; none for one that is told of otherwise."""
        match event:
            case ConnectionLost(why):
                was_lost, self._is_lost = self._is_lost, True
                # The tries that follow tell the person nothing new.
                return [] if was_lost else [self.LOST.format(why=why)]
            case RegisterOpponents(players):
                return self.roster.meet(players)
            case PlayerChange():
                return self.roster.change(event)
            case TableInfo():
                return self.rules()
            case HandBegun(number, direction):
                return ["", hand_line(number, PASS_WORDS[direction])]
            case TrickBegun(leader):
                line = f"Trick {self._picture.hand.begun}. {self.roster.does(leader, 'lead')}."
                return ["", line]
            case CardPlayed():
                return [self.card_line(event), *self.broken_lines(event)]
            case TrickTaken():
                return self._narrate_trick(event)
            case effects.RestClaimed(player, cards):
                shown = self._style.hand(cards)
                return [f"{self.roster.does(player, 'claim')} the rest: {shown}"]
            case TricksDone(shooter, _):
                return self._narrate_moon(shooter)
            case MoonChosen():
                return self._narrate_moon_choice(event)
            case Scores():
                board = self._picture.board
                lines = score_lines(board, self._head, board.rows[-1:])
                return ["", *lines, *self.winners_lines()]
            case AnotherGame(follows):
                return ["", "Another game begins." if follows else "The session is over."]
            case effects.RulesProposed(rules, end_score, _):
                game = game_in_words(rules, end_score)
                return [f"Shall the next game be {game}? Type /agree or /refuse."]
            case effects.RulesAgreed(rules, end_score):
                return [f"The next game is {game_in_words(rules, end_score)}."]
            case effects.RulesRefused(player, why):
                return [f"The rules stay as they are{self._who(player)}: {why}."]
            case effects.SeatWanted(asker, opens, _):
                who = "somebody else" if opens else "a computer"
                line = f"{self.roster.does(asker, 'ask')} you to give up your seat to {who}"
                return [f"{line}, for good. Type /yield or /stay."]
            case effects.SeatKept(player, why):
                return [f"{self.roster.does(player, 'keep')} the seat: {why}."]
            case effects.AbortProposed(what):
                return [f"{ABORT_QUESTIONS[what]} Type /agree or /refuse."]
            case effects.AbortRefused(player, why):
                return [f"Play goes on{self._who(player)}: {why}."]
            case effects.HandAborted():
                return ["", "All agree: this hand is abandoned and does not count."]
            case effects.GameAborted():
                return ["All agree: this game is abandoned. Another one begins."]
            case AbortGame(_, why):
                return [f"The server ends the game: {why}."]
            case SessionEnded(False, True):
                return ["You have taken your seat with another program, so this one stops."]
            case SessionEnded(False):
                return ["The server has ended the connection."]
            case _:
                return []

    # The table

    def _who(self, player: int) -> str:
        return f" ({self.name(player)})" if player >= 0 else ""

    def rules(self) -> list[str]:
        info = self._picture.table
        if info is None:
            return ["The game has not begun yet."]
        game = game_in_words(info.rules, 0 if self.is_of_day else info.end_score)
        lines = [f"{game[0].upper()}{game[1:]}, {clock_in_words(info.turn_limit)}."]
        lines += [f"  {text}" for text in in_words(info.rules)]
        computers = self.roster.computers(info.computers)
        if computers:
            names = [self.name(player) for player in computers]
            lines.append(f"Played by a computer: {', '.join(names)}.")
        return lines

    # A hand

    def card_line(self, played: CardPlayed) -> str:
        return f"{self.roster.title(played.player)}: {self._style.card(played.card)}"

    def broken_lines(self, played: CardPlayed) -> list[str]:
        """Say so if this card has broken hearts."""
        return ["Hearts are broken."] if self._picture.hand.broken_by == played.card else []

    def trick_lines(self) -> list[str]:
        trick = self._picture.hand.trick
        if trick is None or not trick.cards or trick.winner is not None:
            return ["There is no card on the table."]
        return ["On the table: " + self._in_words(trick) + "."]

    def _in_words(self, trick: ShownTrick) -> str:
        return ", ".join(
            f"{self.name(player)} {self._style.card(card)}" for player, card in trick.cards
        )

    def _narrate_trick(self, taken: TrickTaken) -> list[str]:
        trick = self._picture.hand.last_trick
        assert trick is not None
        line = f"{self.roster.does(taken.winner, 'take')} trick {trick.number}"
        if trick.points:
            each = ", ".join(f"{self.name(player)} {taken.points[player]}" for player in range(4))
            line += f" with {points_in_words(trick.points)}. In this hand so far: {each}"
        return [line + "."]

    def last_trick(self) -> list[str]:
        trick = self._picture.hand.last_trick
        if trick is None or trick.winner is None:
            return ["No trick has been played in this hand yet."]
        return [
            f"Trick {trick.number}: {self._in_words(trick)}.",
            f"{self.roster.does(trick.winner, 'take')} it with {points_in_words(trick.points)}.",
        ]

    def _narrate_moon(self, shooter: int | None) -> list[str]:
        if shooter is None:
            return []
        who = self.roster.title(shooter)
        is_me = shooter == self.roster.me
        lines = [f"{who} {'have' if is_me else 'has'} shot the moon!"]
        if self._picture.rules.moon is Moon.CHOICE and not is_me:
            lines.append(f"{who} chooses how it counts.")
        return lines

    def _narrate_moon_choice(self, chosen: MoonChosen) -> list[str]:
        what = self._moon_in_words(chosen, "their")
        return [f"{self.roster.does(chosen.player, 'choose')}: {what}."]

    def _moon_in_words(self, chosen: MoonChosen, whose: str) -> str:
        points = points_in_words(points_by(self._picture.rules).moon)
        return (
            f"{points} to each of the others" if chosen.on_others else f"{points} off {whose} own"
        )

    # Scores

    def winners_lines(self) -> list[str]:
        board = self._picture.board
        if not board.winners:
            return []
        others = [self.name(player) for player in board.winners[1:]]
        names = in_a_row([self.roster.title(board.winners[0]), *others])
        verb = "win" if len(board.winners) > 1 or self.roster.me in board.winners else "wins"
        points = points_in_words(board.totals[board.winners[0]])
        return [f"The game is over. {names} {verb} with {points}."]

    def scores(self) -> list[str]:
        board = self._picture.board
        return score_lines(board, self._head, board.rows)

    @property
    def _head(self) -> list[str]:
        return [self.roster.title(player) for player in range(4)]


def hand_line(number: int, where_to: str) -> str:
    """Return the first line of a hand; ``number`` is from 0."""
    return f"--- Hand {number + 1}: {where_to}. ---"


def game_in_words(rules: Rules, end_score: int) -> str:
    """Name a game in short; the end is 0 for the deal of the day."""
    length = f"a game to {points_in_words(end_score)}" if end_score else "four hands"
    return f"{length}, rules: {rules}"


def row_title(row: ScoreRow) -> str:
    if not row.first:
        return "so far"
    return f"hand {row.first}" if row.first == row.last else f"hands {row.first}-{row.last}"


def score_lines(board: Scoreboard, head: Sequence[str], rows: Sequence[ScoreRow]) -> list[str]:
    """Return some rows of the board and the totals; ``head`` is what the four players are
    called.
    """
    if not rows:
        return ["No hand is scored yet."]
    shown = [(row_title(row), row.points) for row in rows]
    return table(head, [*shown, ("total", board.totals)])
