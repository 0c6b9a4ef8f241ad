"""A game as text: what was dealt and chosen, line by line, which replays into the same game.

The table itself moves by these lines: a choice is printed, stored, parsed and only then applied,
so every game that is played tests that it can be read back.

A record::

    hearts-record 1
    rules moon=minus
    end 100
    player 0 Ann
    player 1 Moe
    player 2 Larry
    player 3 Curly
    deal 0004-1061-050R-3GG2-8A1C-60T3-GFQG
    pass 0 QS AS KS
    pass 1 2H 3H 4H computer
    ...
    play 2 2C computer
    ...
    moon 0 others
    scores 0 26 26 26

A mark behind a choice says that not the player made it (clock, stand-in, computer). A ``scores``
line follows each finished hand and is checked when the record is replayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from .cards import CARDS, cards_of, mask_of
from .deal import deal_code, parse_deal_code
from .errors import CorruptRecord, HeartsError
from .events import Action, By, ChooseMoon, Deal, Event, HandScored, Pass, Play
from .game import Game
from .rules import END_SCORES, Rules, parse_rules
from .scoring import Four

FORMAT_LINE = "hearts-record 1"

_MARKS = {by: f" {by.value}" if by.value else "" for by in By}
_BY_MARK = {by.value: by for by in By}
_CARD_OF = {str(card): card for card in CARDS}
_PLAY_LINES = tuple(tuple(f"play {player} {card}" for card in CARDS) for player in range(4))
_PLAYS = {
    _PLAY_LINES[player][card] + mark: Play(player, card, by)
    for player in range(4)
    for card in CARDS
    for by, mark in _MARKS.items()
}


def format_action(action: Action) -> str:
    """An action as one line without a line break."""
    match action:
        case Play(player, card, by):
            line = _PLAY_LINES[player][card]
            return line if by is By.PLAYER else line + _MARKS[by]
        case Pass(player, cards, by):
            return f"pass {player} {' '.join(map(str, cards))}{_MARKS[by]}"
        case ChooseMoon(player, on_others, by):
            return f"moon {player} {'others' if on_others else 'minus'}{_MARKS[by]}"
        case Deal(hands, secret):
            if secret is not None:
                return f"deal {deal_code(secret)}"
            return "hands " + " ".join("".join(map(str, cards_of(hand))) for hand in hands)
        case _:
            assert_never(action)


def parse_action(line: str) -> Action:
    """The action of a line. Raises CorruptRecord for any other text."""
    play = _PLAYS.get(line)
    if play is not None:
        return play
    words = line.split(" ")
    try:
        match words:
            case ["pass", player, a, b, c, *mark]:
                cards = (_CARD_OF[a], _CARD_OF[b], _CARD_OF[c])
                return Pass(_player(player), cards, _by(mark))
            case ["moon", player, "others" | "minus" as choice, *mark]:
                return ChooseMoon(_player(player), choice == "others", _by(mark))
            case ["deal", code]:
                return Deal.from_secret(parse_deal_code(code))
            case ["hands", a, b, c, d]:
                return Deal((_hand(a), _hand(b), _hand(c), _hand(d)))
            case _:
                raise ValueError("not an action")
    except (KeyError, ValueError) as error:
        raise CorruptRecord(f"cannot read {line[:80]!r}: {error}") from None


def _player(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise ValueError("a player is 0 to 3")
    return int(text)


def _by(mark: list[str]) -> By:
    if not mark:
        return By.PLAYER
    if len(mark) > 1 or not mark[0]:
        raise ValueError("more than one mark")
    return _BY_MARK[mark[0]]


def _hand(text: str) -> int:
    if len(text) != 26:
        raise ValueError("a hand has 13 cards")
    return mask_of(_CARD_OF[text[i : i + 2]] for i in range(0, 26, 2))


@dataclass(frozen=True, slots=True)
class Record:
    """One game as it was, or as far as it went."""

    rules: Rules
    end_score: int
    names: tuple[str, str, str, str]
    actions: tuple[Action, ...]

    def __str__(self) -> str:
        """The text of the record, with a ``scores`` line after each finished hand."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield from header_lines(self.rules, self.end_score, self.names)
        game = Game(self.rules, self.end_score)
        for action in self.actions:
            yield format_action(action)
            for event in game.apply(action):
                if isinstance(event, HandScored):
                    yield scores_line(event.scores)

    def replay(self) -> Game:
        """The game after all actions. Raises CorruptRecord where one breaks the rules."""
        game = Game(self.rules, self.end_score)
        for number, action in enumerate(self.actions, 1):
            _do(game, action, f"action {number}")
        return game


def header_lines(rules: Rules, end_score: int, names: Sequence[str]) -> list[str]:
    """The lines of a record that come before its first deal."""
    return [
        FORMAT_LINE,
        f"rules {rules}",
        f"end {end_score}",
        *(f"player {player} {name}" for player, name in enumerate(names)),
    ]


def scores_line(scores: Four) -> str:
    """The line that follows a finished hand."""
    return "scores " + " ".join(map(str, scores))


def parse_record(text: str) -> Record:
    """Read a record and replay it on the way.

    Raises CorruptRecord, naming the line, for text that is no record, for an action that the rules
    do not allow, and for scores that the game does not give.
    """
    lines = text.splitlines()
    if len(lines) < 7 or lines[0] != FORMAT_LINE:
        raise CorruptRecord(f"line 1: a record begins with {FORMAT_LINE!r} and has a header")
    try:
        rules = parse_rules(_field(lines, 1, "rules "))
        end_score = _end_score(_field(lines, 2, "end "))
        a, b, c, d = (_field(lines, 3 + player, f"player {player} ") for player in range(4))
    except ValueError as error:
        raise CorruptRecord(str(error)) from None
    game = Game(rules, end_score)
    actions: list[Action] = []
    scored: Four | None = None
    for number, line in enumerate(lines[7:], 8):
        where = f"line {number}"
        if line.startswith("scores "):
            if scored is None or line != scores_line(scored):
                raise CorruptRecord(f"{where}: the scores are not those of the game")
            scored = None
            continue
        try:
            action = parse_action(line)
        except CorruptRecord as error:
            raise CorruptRecord(f"{where}: {error}") from None
        if scored is not None:
            raise CorruptRecord(f"{where}: the scores of the hand before are missing")
        for event in _do(game, action, where):
            if isinstance(event, HandScored):
                scored = event.scores
        actions.append(action)
    return Record(rules, end_score, (a, b, c, d), tuple(actions))


def _field(lines: list[str], index: int, prefix: str) -> str:
    if not lines[index].startswith(prefix):
        raise ValueError(f"line {index + 1}: it must begin with {prefix!r}")
    return lines[index][len(prefix) :]


def _end_score(text: str) -> int:
    if text.isdecimal() and len(text) <= 5 and str(int(text)) == text and int(text) in END_SCORES:
        return int(text)
    raise ValueError(f"line 3: a game does not end at {text[:80]!r}")


def _do(game: Game, action: Action, where: str) -> list[Event]:
    try:
        game.check(action)
    except HeartsError as error:
        raise CorruptRecord(f"{where}: {error}") from None
    return game.apply(action)
