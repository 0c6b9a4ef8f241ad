"""What there is to be told when a hand or a game is over: who took what, places, the scores."""

from __future__ import annotations

from itertools import accumulate

from hearts.game.cards import (
    JACK_OF_DIAMONDS,
    POINTS_MASK,
    QUEEN_OF_SPADES,
    Card,
    mask_of,
)
from hearts.game.scoring import Four
from hearts.session.hand import NOBODY, TRICK_SIZE, SeenHand
from hearts_client.screen.pictures.sights import ResultRow, ResultSight, Stage

from .shown_table import ShownTable

_SCORED = 1 << JACK_OF_DIAMONDS | POINTS_MASK


def result_of(table: ShownTable) -> ResultSight | None:
    """The result of the hand or the game that is over; None where nothing is known of one."""
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
    added = [_in_order(table, row.points) for row in board.rows]
    return ResultSight(
        rows, tuple(_facts(table, taken)), tuple(accumulate(added, _plus, initial=NOBODY))
    )


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


def _in_order(table: ShownTable, numbers: Four) -> Four:
    a, b, c, d = (numbers[player] for player in table.order)
    return a, b, c, d


def _plus(before: Four, added: Four) -> Four:
    a, b, c, d = (one + other for one, other in zip(before, added, strict=True))
    return a, b, c, d
