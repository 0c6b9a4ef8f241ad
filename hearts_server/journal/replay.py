"""The games of a stored session, as records and told trick by trick."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec import Struct, field

from hearts.errors import CorruptRecord
from hearts.game.cards import by_wire, four
from hearts.game.deal import deal_code
from hearts.game.events import (
    Action,
    CardPlayed,
    ChosenBy,
    Deal,
    Event,
    HandDealt,
    HandScored,
    MoonChosen,
    PassesExchanged,
    PassMade,
    TrickBegun,
    TricksDone,
    TrickTaken,
)
from hearts.game.game import Game
from hearts.game.record import PlayedHand, Record, hands_of
from hearts.game.rules import Direction, Rules
from hearts.game.scoring import points_by
from hearts.hosting.store import Session
from hearts.session.table_words import PlayerKind
from hearts.table.inputs import AnswerAgain, TakeBack
from hearts.table.replay import without_latest_choice
from hearts.table.seat import Kind
from hearts.table.steps import (
    AbandonGame,
    AskAgain,
    NewRules,
    Promise,
    Removal,
    SeatChange,
    Step,
    parse_step,
)

from .store import StoredSession

_PASSES = {
    Direction.HOLD: "no pass",
    Direction.LEFT: "pass to the left",
    Direction.RIGHT: "pass to the right",
    Direction.ACROSS: "pass across",
}


def games_of(stored: StoredSession) -> list[Record]:
    """Return the games of a session, as far as they may be looked at.

    Of a session that goes on, a hand that is not over yet is left out: its cards are hidden. Those
    of a hand that was broken off are not. Raises CorruptRecord for lines that are no games.
    """
    return [game.record() for game in stored_games(stored)]


def stored_games(stored: StoredSession) -> list[StoredGame]:
    """Return the same games, with the players who had their seats. Raises CorruptRecord."""
    setting = stored.session.setting
    steps = list(_steps(stored.lines))
    players = _first_players(stored.session, steps)
    rules, end_score = setting.rules, setting.end_score
    agreed: NewRules | None = None
    games: list[StoredGame] = []
    between = True
    for number, step in enumerate(steps, 1):
        match step:
            case AskAgain():
                between = True
            case AnswerAgain() | AbandonGame():
                between = True
                if agreed is not None:
                    rules, end_score, agreed = agreed.rules, agreed.end_score, None
            case NewRules():
                agreed = step
            case SeatChange(seat, kind, _, name):
                is_computer = kind is Kind.COMPUTER
                players[seat] = SeatedPlayer(
                    name, PlayerKind.COMPUTER if is_computer else PlayerKind.PERSON
                )
            case Removal(seat) if not between:
                games[-1].removed |= {seat}
            case Promise() | Removal():
                pass
            case TakeBack(player) if not between:
                games[-1].take_back(player)
            case TakeBack():
                raise CorruptRecord(f"step {number} takes back a choice, and none was made")
            case _:
                if between:
                    games.append(StoredGame(rules, end_score))
                    between = False
                if isinstance(step, Deal) or not games[-1].actions:
                    games[-1].players.append(list(players))
                games[-1].actions.append(step)
    for game in games:
        game.record().replay()
    if stored.ended is None and games:
        last = games[-1]
        hands = list(hands_of(Game(last.rules, last.end_score), last.actions))
        if hands and hands[-1].scored is None and not hands[-1].is_aborted:
            del last.actions[-len(hands[-1].actions) :]
    return [game for game in games if game.actions]


def _steps(lines: Sequence[str]) -> Iterator[Step]:
    for number, line in enumerate(lines, 1):
        try:
            yield parse_step(line)
        except CorruptRecord:
            # Its text may be of cards that are still hidden.
            raise CorruptRecord(f"step {number} cannot be read") from None


class SeatedPlayer(Struct, frozen=True):
    """The player who has a seat in a hand."""

    name: str
    kind: PlayerKind
    """COMPUTER, PROGRAM, or PERSON for a client that has not said to be a program."""


def _first_players(session: Session, steps: Sequence[Step]) -> list[SeatedPlayer]:
    # The description that is kept with a seat is that of the last player there.
    changed = {step.seat for step in steps if isinstance(step, SeatChange)}
    found = []
    for number, seat in enumerate(session.seats):
        kind = PlayerKind.PERSON
        if seat.kind is Kind.COMPUTER:
            kind = PlayerKind.COMPUTER
        elif number not in changed and seat.said.kind in (PlayerKind.PROGRAM, PlayerKind.COMPUTER):
            kind = PlayerKind.PROGRAM
        found.append(SeatedPlayer(seat.name, kind))
    return found


class StoredGame(Struct):
    """A game as it is read, line by line."""

    rules: Rules
    end_score: int
    players: list[list[SeatedPlayer]] = field(default_factory=list)
    """Those in seats 0-3, for each deal: a seat can change hands between two."""
    actions: list[Action] = field(default_factory=list)
    is_taken_back: bool = False
    removed: frozenset[int] = frozenset()
    """The seats whose players the host has removed during the game."""

    def take_back(self, player: int) -> None:
        """Leave out the latest choice of a player and what followed it. Raises CorruptRecord."""
        split = without_latest_choice(self.actions, player)
        if split is None:
            raise CorruptRecord("there is no choice to take back")
        kept, _ = split
        self.actions[:] = [step for step in kept if isinstance(step, Action)]
        del self.players[max(1, sum(isinstance(step, Deal) for step in self.actions)) :]
        self.is_taken_back = True

    def record(self) -> Record:
        """Return it with the names of its latest hand."""
        names, actions = four(one.name for one in self.players[-1]), tuple(self.actions)
        return Record(self.rules, self.end_score, names, actions, self.is_taken_back)


def narrate(record: Record) -> Iterator[str]:
    """Return a game in lines for a reader, with every card."""
    game = Game(record.rules, record.end_score)
    if record.is_taken_back:
        yield "Choices were taken back in this game; what was undone is not told."
    for hand in hands_of(game, record.actions):
        yield from _Narrator(record, hand).narrate()
    winners = [record.names[player] for player in game.winners]
    yield ""
    if winners:
        yield f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'} the game."
    else:
        yield "The game is not over here."


class _Narrator:
    """The telling of one hand."""

    def __init__(self, record: Record, hand: PlayedHand) -> None:
        self._record = record
        self._hand = hand
        self._direction = Direction.HOLD
        self._trick: list[str] = []
        self._tricks = 0
        self._points: Sequence[int] = (0, 0, 0, 0)
        self._people: set[int] = set()
        """Players of this hand who are no computers; theirs chose if the rest was claimed."""

    def narrate(self) -> Iterator[str]:
        for event in self._hand.events:
            yield from self._narrate(event)
        if self._hand.is_aborted:
            yield "  The players break the hand off; it counts for nothing."

    def _narrate(self, event: Event) -> Iterator[str]:
        names = self._record.names
        match event:
            case HandDealt(number, direction, hands):
                self._direction = direction
                if number:
                    yield ""
                yield f"Hand {number + 1}, {self._deal()}, {_PASSES[direction]}"
                width = max(map(len, names))
                for name, hand in zip(names, hands, strict=True):
                    yield f"  {name:{width}}  {' '.join(map(str, by_wire(hand)))}"
            case PassMade(player, cards, by):
                target = names[self._direction.target(player)]
                mark = self._mark(player, by)
                yield f"  {names[player]} passes {' '.join(map(str, cards))} to {target}{mark}"
            case PassesExchanged():
                pass
            case TrickBegun():
                self._trick = []
                self._tricks += 1
            case CardPlayed(player, card, by):
                self._trick.append(f"{names[player]} {card}{self._mark(player, by)}")
            case TrickTaken(winner, points):
                gain = points[winner] - self._points[winner]
                self._points = points
                trick = ", ".join(self._trick)
                yield f"  Trick {self._tricks:2}: {trick}; {names[winner]} takes it, {gain:+d}"
            case TricksDone(shooter, _):
                if shooter is not None:
                    yield f"  {names[shooter]} shot the moon."
            case MoonChosen(player, on_others, by):
                moon = points_by(self._record.rules).moon
                choice = f"{moon} on the others" if on_others else f"{moon} off their own score"
                yield f"  {names[player]} chooses {choice}{self._mark(player, by)}"
            case HandScored(hand_points, scores, _):
                yield f"  Points: {self._each(hand_points)}"
                yield f"  Scores: {self._each(scores)}"
            case _:
                assert_never(event)

    def _mark(self, player: int, by: ChosenBy) -> str:
        """Say who chose, if it was not the player who has the seat."""
        if by is not ChosenBy.COMPUTER:
            self._people.add(player)
        is_own = by is ChosenBy.PLAYER or player not in self._people
        return "" if is_own else f" ({by.value})"

    def _deal(self) -> str:
        secret = self._hand.deal.secret
        return "dealt by hand" if secret is None else f"deal {deal_code(secret)}"

    def _each(self, values: Sequence[int]) -> str:
        each = zip(self._record.names, values, strict=True)
        return ", ".join(f"{name} {value}" for name, value in each)
