"""What is so at a table, told from the events of one session up to a moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hearts.game.cards import QUEEN_OF_SPADES, Card, Suit, four
from hearts.game.events import CardPlayed, HandBegun, TrickBegun, TrickTaken, YourHand
from hearts.game.rules import Direction, Rules
from hearts.game.scoring import Four
from hearts.session.client_events import DealerEvent
from hearts.session.messages import Scores, TableInfo
from hearts_client.screen.pictures.sights import Stage
from hearts_client.screen.table.shown_table import ShownTable
from hearts_client.words.story import row_title

NOBODY: Four = (0, 0, 0, 0)


@dataclass(frozen=True)
class Facts:
    """The same of a table whichever way it is known."""

    stage: Stage
    rules: str
    end_score: int
    hand_number: int
    direction: Direction
    trick_number: int
    lies: tuple[tuple[int, Card], ...]
    leader: int | None
    takes: int | None
    """Whose card takes the trick that lies, as far as it has come."""
    winner: int | None
    last_trick: tuple[tuple[int, Card], ...]
    turn: int | None
    points: Four
    tricks: Four
    held: Four
    broken: bool
    totals: Four
    rows: tuple[tuple[str, Four], ...]
    winners: tuple[int, ...]


def shown_by(table: ShownTable) -> Facts:
    """What a table shows, of players 0-3."""
    picture, trick, last = table.picture, table.trick, table.picture.hand.last_trick
    seats = sorted(table.seats(trick), key=lambda seat: seat.player)
    assert [seat.played for seat in seats] == [trick and trick.of(player) for player in range(4)]
    leaders = [seat.player for seat in seats if seat.leads]
    takers = [seat.player for seat in seats if seat.wins]
    assert leaders == ([] if trick is None else [trick.leader])
    return Facts(
        stage=table.stage,
        rules="" if picture.table is None else str(picture.rules),
        end_score=picture.end_score,
        hand_number=picture.hand.number + 1,
        direction=picture.hand.direction,
        trick_number=0 if trick is None else trick.number,
        lies=() if trick is None else trick.cards,
        leader=None if trick is None else trick.leader,
        takes=takers[0] if takers else None,
        winner=None if trick is None else trick.winner,
        last_trick=() if last is None else last.cards,
        turn=picture.turn,
        points=four([seat.points for seat in seats]),
        tricks=four([seat.tricks for seat in seats]),
        held=four([seat.cards for seat in seats]),
        broken=picture.hand.broken_by is not None,
        totals=picture.board.totals,
        rows=tuple((row_title(row), row.points) for row in picture.board.rows),
        winners=picture.board.winners,
    )


def told_by(events: Sequence[DealerEvent]) -> Facts:
    """What follows from all events of a session that was seen from its beginning."""
    info: TableInfo | None = None
    game: list[Scores] = []
    hand: list[DealerEvent] = []
    stage = Stage.WAITING
    for event in events:
        match event:
            case TableInfo():
                info, game = event, []
            case YourHand() | HandBegun():
                hand, stage = [], Stage.PASSING
            case TrickBegun():
                stage = Stage.TRICK
            case Scores():
                game.append(event)
                stage = Stage.GAME_OVER if event.winners else Stage.HAND_OVER
        hand.append(event)
    cards = [(event.player, event.card) for event in hand if isinstance(event, CardPlayed)]
    leaders = [event.leader for event in hand if isinstance(event, TrickBegun)]
    taken = [event for event in hand if isinstance(event, TrickTaken)]
    lies = tuple(cards[4 * len(leaders) - 4 :]) if stage is Stage.TRICK else ()
    is_full = len(lies) == 4
    won, played = Counter(event.winner for event in taken), Counter(player for player, _ in cards)
    begun = next((e for e in events[::-1] if isinstance(e, YourHand | HandBegun)), None)
    standing = [NOBODY, *(scores.scores for scores in game)]
    return Facts(
        stage=stage,
        rules="" if info is None else str(info.rules),
        end_score=100 if info is None else info.end_score,
        hand_number=0 if begun is None else begun.number + 1,
        direction=Direction.HOLD if begun is None else begun.direction,
        trick_number=len(leaders) if stage is Stage.TRICK else 0,
        lies=lies,
        leader=leaders[-1] if stage is Stage.TRICK else None,
        takes=_best(lies) if lies else None,
        winner=taken[-1].winner if len(taken) == len(leaders) and stage is Stage.TRICK else None,
        last_trick=tuple(cards[4 * len(taken) - 4 : 4 * len(taken)]) if taken else (),
        turn=(leaders[-1] + len(lies)) % 4 if stage is Stage.TRICK and not is_full else None,
        points=taken[-1].points if taken else NOBODY,
        tricks=four([won[player] for player in range(4)]),
        held=four([(13 - played[player]) * (begun is not None) for player in range(4)]),
        broken=any(_breaks(card, info) for _, card in cards),
        totals=standing[-1],
        rows=tuple(
            (
                f"hand {number}",
                four(
                    [
                        after - before
                        for after, before in zip(
                            standing[number], standing[number - 1], strict=True
                        )
                    ]
                ),
            )
            for number in range(1, len(standing))
        ),
        winners=game[-1].winners if game else (),
    )


def _best(lies: Sequence[tuple[int, Card]]) -> int:
    suit = lies[0][1].suit
    high = max(card.rank for _, card in lies if card.suit is suit)
    return next(player for player, card in lies if (card.suit, card.rank) == (suit, high))


def _breaks(card: Card, info: TableInfo | None) -> bool:
    rules = Rules() if info is None else info.rules
    return card.suit is Suit.HEARTS or (card == QUEEN_OF_SPADES and not rules.queen_keeps_hearts)
