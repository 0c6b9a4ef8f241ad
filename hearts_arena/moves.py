"""The choices of a match as a short text, which is kept in the place of its record.

A record is fifteen times as long, and all else in it follows from the plan and the choices: names,
deals, whose turn it is, commitments, scores.

A hand is one word: first the passes, each a player and three cards, in their order; then the cards
as they were played; at the end ``+`` for a moon of 26 on the others or ``-`` for one of 26 off the
shooter, if he chose. A card is a letter: ``A`` to ``Z`` for the indexes 0-25 of
:mod:`hearts.game.cards`, ``a`` to ``z`` for 26-51. A choice that the player did not make himself
has ``!`` behind it for the clock, ``*`` for a stand-in and ``~`` for a computer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase

from hearts.errors import CorruptRecord, HeartsError
from hearts.game.cards import CARDS, Card
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.record import format_action

from .deals import secret
from .plan import Plan
from .results import Match

_LETTERS = ascii_uppercase + ascii_lowercase
_LETTER = {str(card): letter for card, letter in zip(CARDS, _LETTERS, strict=True)}
_CARD_OF = dict(zip(_LETTERS, CARDS, strict=True))
_MARKS = {ChosenBy.PLAYER: "", ChosenBy.CLOCK: "!", ChosenBy.STAND_IN: "*", ChosenBy.COMPUTER: "~"}
_MARK_OF = {by.value: mark for by, mark in _MARKS.items()}
_BY_MARK = {mark: by for by, mark in _MARKS.items()}
_PLAYS = {
    format_action(Play(player, card, by)): _LETTERS[card] + mark
    for player in range(4)
    for card in CARDS
    for by, mark in _MARKS.items()
}
_CHOICE = re.compile("([0-3][A-Za-z]{3}|[A-Za-z]|[+-])([!*~]?)")
_DERIVED = ("scores ", "commitment ")


def moves_of(record: str) -> str:
    """The choices of a record. Raises CorruptRecord, naming the line, if it holds no record."""
    _, *hands = record.split("\ndeal ")
    return " ".join(map(_word, hands))


def actions_of(plan: Plan, match: Match, moves: str) -> list[Action]:
    """The deals and choices of a match, each of which was checked against the rules.

    Raises CorruptRecord if these are no moves, or not of this match.
    """
    game = Game(plan.rules, plan.game_end)
    game.hand_number = match.first_hand - 1
    actions: list[Action] = []
    for hand, word in enumerate(moves.split(" ")):
        deal = Deal.from_secret(secret(plan, match, hand))
        try:
            for action in _hand(game, deal, word):
                game.check(action)
                game.apply(action)
                actions.append(action)
        except HeartsError as error:
            raise CorruptRecord(f"hand {hand + 1} of match {match.number}: {error}") from None
        if game.phase not in (Phase.DEAL, Phase.OVER):
            raise CorruptRecord(f"hand {hand + 1} of match {match.number} has no end")
    return actions


def _word(hand: str) -> str:
    """What stands for the lines of a hand behind the word that begins its deal."""
    get = _PLAYS.get
    return "".join([get(line) or _rare(line) for line in hand.splitlines()[1:]])


def _rare(line: str) -> str:
    if line.startswith(_DERIVED):
        return ""
    try:
        match line.split(" "):
            case ["pass", "0" | "1" | "2" | "3" as player, a, b, c, *mark]:
                return player + _LETTER[a] + _LETTER[b] + _LETTER[c] + _mark(mark)
            case ["moon", "0" | "1" | "2" | "3", "others" | "minus" as choice, *mark]:
                return ("+" if choice == "others" else "-") + _mark(mark)
            case _:
                raise KeyError(line)
    except KeyError:
        raise CorruptRecord(f"a hand of a match does not hold {line[:80]!r}") from None


def _mark(words: list[str]) -> str:
    return _MARK_OF[" ".join(words)]


def _hand(game: Game, deal: Deal, word: str) -> Iterator[Action]:
    """The actions of a hand, while ``game`` goes on by each."""
    yield deal
    place = 0
    while place < len(word):
        found = _CHOICE.match(word, place)
        if found is None:
            raise CorruptRecord(f"{word[place : place + 20]!r} is no choice")
        choice, by = found[1], _BY_MARK[found[2]]
        if len(choice) == 4:
            yield Pass(int(choice[0]), _cards(choice[1:]), by)
        else:
            waiting = game.waiting_for()
            if not waiting:
                raise CorruptRecord("there are more choices than a hand has")
            if choice in "+-":
                yield ChooseMoon(waiting[0], choice == "+", by)
            else:
                yield Play(waiting[0], _CARD_OF[choice], by)
        place = found.end()


def _cards(letters: str) -> tuple[Card, ...]:
    return tuple(_CARD_OF[letter] for letter in letters)
