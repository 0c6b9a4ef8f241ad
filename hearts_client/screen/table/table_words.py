"""The words of a table on the screen: questions, players waited for, results, newcomers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import add
from typing import assert_never

from hearts.game.cards import JACK_OF_DIAMONDS, POINTS_MASK, QUEEN_OF_SPADES, Card, four, mask_of
from hearts.game.events import HandBegun, YourHand
from hearts.game.game import PASS_SIZE
from hearts.game.rules import STANDARD, Rules
from hearts.game.scoring import points_by, tallies
from hearts.game.view import View
from hearts.session.client_events import DealerEvent
from hearts.session.hand import NOBODY, TRICK_SIZE, SeenHand
from hearts.session.messages import Scores
from hearts.session.table_words import InvitationMessage
from hearts.table.inputs import Question
from hearts_client.screen.pictures.canvas import Ink, Piece
from hearts_client.screen.pictures.sights import ResultRow, ResultSight, Stage
from hearts_client.words.rule_words import points_in_words
from hearts_client.words.story import PASS_WORDS, hand_line
from hearts_client.words.style import Style, suit_word
from hearts_client.words.tables import invited_to, title, what_is_played, who_starts

from .shown_table import ShownTable


def middle_lines(table: ShownTable, until_it_begins: int | None) -> tuple[str, ...]:
    """Return lines for the middle of the table, if no trick lies.

    ``until_it_begins`` are the seconds until computers take the free seats.
    """
    match table.stage:
        case Stage.WAITING:
            lines = ["The table forms:", *table.joined]
            if until_it_begins is not None:
                lines += ["", f"Computers take the free seats in {until_it_begins} s."]
            return tuple(lines) if table.joined else ("Waiting for the table...",)
        case Stage.GAME_OVER if not table.picture.board.winners:
            return ("Another game begins.",)
        case Stage.GAME_OVER:
            names = table.roster.all_names(table.picture.board.winners)
            return ("The game is over.", f"Won by {names}.")
        case Stage.HAND_OVER:
            return (f"Hand {table.picture.hand.number + 1} is over.",)
        case _:
            return ()


def waiting_line(table: ShownTable) -> str:
    """Return a line that names the players the table waits for."""
    turn = table.picture.turn
    waited_for = table.waited_for if turn is None else (turn,)
    others = [player for player in waited_for if player != table.roster.me]
    if others:
        return f"Waiting for {table.roster.all_names(others)}."
    if table.stage is not Stage.PASSING:
        return ""
    return "Waiting for the players." if table.is_watching else "Waiting for the others."


def to_read(table: ShownTable, event: DealerEvent) -> list[str]:
    """Return what the picture shows after an event, if it is worth reading later."""
    if table.picture.is_past:
        return []
    match event:
        case HandBegun() | YourHand():
            hand = table.picture.hand
            return [hand_line(hand.number, PASS_WORDS[hand.direction])]
        case Scores():
            return table.story.scores()
        case InvitationMessage():
            return [*invited_to(event)]
        case _:
            return []


SEAT_LINE = "You are asked for your seat: /yield gives it up, /stay keeps it."


def question_line(
    question: Question,
    view: View | None,
    marked: Sequence[Card],
    style: Style,
    name: Callable[[int], str],
    rules: Rules = STANDARD,
) -> str:
    """Put a question in one line; ``marked`` are the cards that are marked for the pass.

    ``view`` is None before the first hand, and ``name`` gives what a player is called.
    """
    match question:
        case Question.PASS:
            assert view is not None
            target = name(view.direction.target(view.player))
            if len(marked) == PASS_SIZE:
                return f"Enter passes {style.cards(marked)} to {target}."
            return f"Mark three cards for {target} ({len(marked)} marked)."
        case Question.CARD:
            assert view is not None
            return _card_line(view)
        case Question.MOON:
            moon = points_by(rules).moon
            return f"{moon} points to each of the others (+), or {moon} off your own score (-)?"
        case Question.AGAIN:
            return "Another game? y or n"
        case Question.CUT:
            raise AssertionError("the library cuts by itself")
        case _:
            assert_never(question)


def _card_line(view: View) -> str:
    if not view.trick:
        return "Your turn: you lead."
    led = view.trick[0].suit
    if any(card.suit is led for card in view.cards):
        return f"Your turn: follow {suit_word(led)}."
    what = (
        "so play what you like" if view.legal == view.hand else "but not every card may be played"
    )
    return f"Your turn: you have no {suit_word(led)}, {what}."


def claim_line(view: View) -> str:
    """Say what it means to claim the rest."""
    tricks = view.hand.bit_count()
    points = tallies((view.hand | view.unseen, 0, 0, 0), view.rules)[0]
    return f"All {tricks} tricks left are yours, with {points_in_words(points)}. Enter claims them."


_WAITS = "Others may invite you to their tables; /wait off in the chat ends that."
_NOTHING = ("", Ink.TEXT)


def forming_words(
    table: ShownTable,
    seconds: int | None,
    invite: Callable[[str], tuple[str, str]] | None,
    waits: bool,
    invitation: InvitationMessage | None,
) -> tuple[Piece, ...]:
    """Give the lines of the page while a table forms, if the server has told what it is.

    ``seconds`` is when computers take the free seats, if they do, and ``invite`` gives the line
    for friends. ``waits`` says that others may invite the person, ``invitation`` that somebody
    does.
    """
    told = table.told
    if told is None or not table.is_forming:
        return ()
    lines: list[Piece] = []
    if invitation is not None:
        lines += [*((text, Ink.STRONG) for text in invited_to(invitation)), _NOTHING]
    lines.append((title(told), Ink.TITLE))
    lines += [(text, Ink.DIM) for text in what_is_played(told)]
    lines += [_NOTHING, *((name, Ink.STRONG) for name in table.joined), _NOTHING]
    if seconds is not None:
        lines.append((f"Computers take the free seats in {seconds} s.", Ink.TEXT))
    elif told.private:
        lines.append(("It waits for four people.", Ink.TEXT))
    if starts := who_starts(told, table.roster.me, "g"):
        lines.append((starts, Ink.NOTICE))
    if waits:
        lines.append((_WAITS, Ink.NOTICE))
    if invite is not None:
        line, more = invite(told.table if told.private else "")
        lines += [_NOTHING, ("Friends come with this line:", Ink.TEXT), (line, Ink.STRONG)]
        lines.append((more, Ink.DIM))
    return tuple(lines)


_SCORED = 1 << JACK_OF_DIAMONDS | POINTS_MASK


def result_of(table: ShownTable) -> ResultSight | None:
    """Return the result of the hand or the game that is over; None where nothing is known of
    one.
    """
    board = table.picture.board
    is_over = table.stage is Stage.HAND_OVER or (table.stage is Stage.GAME_OVER and board.winners)
    if not is_over or not board.rows:
        return None
    taken = _taken(table.picture.hand, has_jack=table.picture.rules.jack)
    rows = tuple(
        ResultRow(
            board.rows[-1].points[player],
            board.totals[player],
            1 + sum(total < board.totals[player] for total in board.totals),
            taken[player],
        )
        for player in table.order
    )
    added = [table.from_here(row.points) for row in board.rows]
    scores = accumulate(added, lambda old, more: four(map(add, old, more)), initial=NOBODY)
    facts = _facts(table, taken)
    hand, par = table.par
    if hand == table.picture.hand.number + 1:
        facts += par
    return ResultSight(rows, tuple(facts), tuple(scores))


def _taken(hand: SeenHand, *, has_jack: bool) -> list[tuple[Card, ...]]:
    counted = _SCORED if has_jack else POINTS_MASK
    cards: list[list[Card]] = [[], [], [], []]
    for number, trick in enumerate(hand.taken):
        plays = hand.plays[TRICK_SIZE * number : TRICK_SIZE * (number + 1)]
        cards[trick.winner] += [play.card for play in plays if counted >> play.card & 1]
    return [tuple(each) for each in cards]


def _facts(table: ShownTable, taken: list[tuple[Card, ...]]) -> list[str]:
    facts = []
    for player, cards in enumerate(taken):
        who = table.roster.title(player)
        if mask_of(cards) & POINTS_MASK == POINTS_MASK:
            facts.append(f"{who} shot the moon.")
        elif QUEEN_OF_SPADES in cards:
            facts.append(f"{who} took the queen of spades.")
        if JACK_OF_DIAMONDS in cards:
            facts.append(f"{who} took the jack of diamonds.")
    return facts
