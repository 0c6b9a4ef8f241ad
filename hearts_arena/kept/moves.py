"""The choices of a match as a short text, which is kept in the place of its record.

A record is fifteen times as long, and all else in it follows from the plan and the choices: names,
deals, whose turn it is, commitments, scores. So the players' choices are written down as moves from
the start, and become a record when somebody wants to see it (:mod:`.kept_records`).

A hand is one word: first the passes, each a player and three cards, in their order; then the cards
as they were played; at the end ``+`` for a moon of 26 on the others or ``-`` for one of 26 off the
shooter, if they chose. A card is a letter: ``A`` to ``Z`` for the indexes 0-25 of
:mod:`hearts.game.cards`, ``a`` to ``z`` for 26-51. A choice that the player did not make
has ``!`` behind it for the clock, ``*`` for a stand-in and ``~`` for a computer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase, ascii_uppercase

from hearts.errors import CorruptRecord, HeartsError
from hearts.game.cards import CARDS
from hearts.game.events import AbortHand, Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts_arena.plan.deals import secret
from hearts_arena.plan.plan import Plan
from hearts_arena.plan.results import Match

_LETTERS = ascii_uppercase + ascii_lowercase
_CARD_OF = dict(zip(_LETTERS, CARDS, strict=True))
_MARKS = {ChosenBy.PLAYER: "", ChosenBy.CLOCK: "!", ChosenBy.STAND_IN: "*", ChosenBy.COMPUTER: "~"}
_BY_MARK = {mark: by for by, mark in _MARKS.items()}
_CHOICE = re.compile("([0-3][A-Za-z]{3}|[A-Za-z]|[+-])([!*~]?)")

CARD_MOVES = {by: tuple(letter + mark for letter in _LETTERS) for by, mark in _MARKS.items()}
"""The texts of the plays of each card, by who chose it."""


def move_of(choice: Pass | Play | ChooseMoon) -> str:
    match choice:
        case Play(_, card, by):
            return CARD_MOVES[by][card]
        case Pass(player, cards, by):
            return f"{player}{''.join(_LETTERS[card] for card in cards)}{_MARKS[by]}"
        case ChooseMoon(_, on_others, by):
            return ("+" if on_others else "-") + _MARKS[by]


def moves_of(actions: Iterable[Action]) -> str:
    """Return the choices of whole hands, which may begin with any hand of a game."""
    hands: list[str] = []
    passes: list[str] = []
    for action in actions:
        match action:
            case Deal():
                hands.append("")
            case Pass():
                passes.append(move_of(action))
            case AbortHand():
                raise AssertionError("no hand of a match is broken off")
            case _:
                # Which pass came first is a matter of speed.
                hands[-1] += "".join(sorted(passes)) + move_of(action)
                passes.clear()
    return " ".join(hands)


def choice_of(move: str, player: int) -> Pass | Play | ChooseMoon:
    """Read the choice of a player from a move. Raises CorruptRecord if the move is no choice."""
    found = _CHOICE.fullmatch(move)
    if found is None:
        raise CorruptRecord(f"{move[:20]!r} is no choice")
    choice, by = found[1], _BY_MARK[found[2]]
    if len(choice) == 4:
        return Pass(int(choice[0]), tuple(_CARD_OF[letter] for letter in choice[1:]), by)
    if choice in "+-":
        return ChooseMoon(player, choice == "+", by)
    return Play(player, _CARD_OF[choice], by)


def game_of(plan: Plan, match: Match) -> Game:
    """Return the game of a match, before its first hand."""
    game = Game(plan.rules, plan.game_end)
    game.hand_number = match.first_hand - 1
    return game


def actions_of(plan: Plan, match: Match, moves: str) -> list[Action]:
    """Return the deals and choices of a match, each of which was checked against the rules.

    Raises CorruptRecord if these are no moves, or not of this match.
    """
    game = game_of(plan, match)
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


def _hand(game: Game, deal: Deal, word: str) -> Iterator[Action]:
    yield deal
    place = 0
    while place < len(word):
        found = _CHOICE.match(word, place)
        if found is None:
            raise CorruptRecord(f"{word[place : place + 20]!r} is no choice")
        waiting = game.waiting_for()
        if not waiting:
            raise CorruptRecord("there are more choices than a hand has")
        yield choice_of(found[0], waiting[0])
        place = found.end()
