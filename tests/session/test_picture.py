"""The client's view of a game is the table's, and a game that breaks its rules is found."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.errors import IllegalAction, LocalProtocolError, Reason, RemoteProtocolError
from hearts.game.cards import Card, by_wire
from hearts.game.events import (
    CardPlayed,
    CardsReceived,
    ChosenBy,
    PassMade,
    TrickBegun,
    TrickTaken,
    YourHand,
)
from hearts.game.rules import STANDARD, Direction, Rules, parse_rules
from hearts.game.view import view_of
from hearts.session.client_events import DealerEvent, Seated
from hearts.session.messages import TableInfo
from hearts.session.picture import Picture
from hearts.wire.credentials import SeatCredentials
from tests.dealer.loopback import Loopback
from tests.plain.loopback import NAMES, PlainLoop

VARIANTS = [
    "standard",
    "mactech98",
    "mac2000",
    "windows93",
    "rotate,pass=never,queen-keeps",
    "bleed,dump,notrick,pass=cycle3,moon=choice",
]


@pytest.mark.parametrize("text", VARIANTS)
def test_view_is_that_of_the_table_after_every_action(text: str) -> None:
    loop = PlainLoop(parse_rules(text), end_score=70, seed=len(text))
    for _ in loop.steps():
        for player in loop.players:
            assert player.picture.view() == view_of(loop.game, player.player)


def cards(text: str) -> tuple[Card, ...]:
    return by_wire(sum(1 << Card.parse(word) for word in text.split()))


HAND = cards("2C 3C KC 2D 3D 4D 2S 3S QS 2H 3H 4H KH")


def picture(rules: Rules = STANDARD, player: int = 1, hand: tuple[Card, ...] = HAND) -> Picture:
    made = Picture()
    made.update(Seated(SeatCredentials(1, 1, player, 1), NAMES))
    made.update(TableInfo(rules, 100, 60, frozenset()))
    made.update(YourHand(0, Direction.HOLD, hand))
    return made


def test_no_view_before_the_first_hand() -> None:
    with pytest.raises(LocalProtocolError, match="first hand"):
        Picture().view()


def test_whose_turn_it_is() -> None:
    made = picture()
    assert made.turn is None
    made.update(TrickBegun(1))
    assert made.turn == 1
    made.update(CardPlayed(1, Card.parse("2C"), ChosenBy.PLAYER))
    assert made.turn == 2


def test_why_a_card_is_not_legal() -> None:
    made = picture()
    made.update(TrickBegun(1))
    with pytest.raises(IllegalAction) as caught:
        made.check(Card.parse("3C"))
    assert caught.value.reason is Reason.TWO_OF_CLUBS_LEADS
    made.check(Card.parse("2C"))
    made.update(CardPlayed(1, Card.parse("2C"), ChosenBy.PLAYER))
    with pytest.raises(LocalProtocolError, match="not our turn"):
        made.check(Card.parse("3C"))


def test_a_first_leader_against_the_rules() -> None:
    made = picture()
    with pytest.raises(RemoteProtocolError, match="cannot lead"):
        made.update(TrickBegun(0))


def test_leading_without_the_two_of_clubs() -> None:
    made = picture(hand=cards("AC 3C KC 2D 3D 4D 2S 3S QS 2H 3H 4H KH"))
    with pytest.raises(RemoteProtocolError, match="cannot lead"):
        made.update(TrickBegun(1))


def test_a_trick_that_goes_to_the_wrong_player() -> None:
    made = picture()
    made.update(TrickBegun(1))
    for player, name in ((1, "2C"), (2, "9C"), (3, "4C"), (0, "5C")):
        made.update(CardPlayed(player, Card.parse(name), ChosenBy.PLAYER))
    with pytest.raises(RemoteProtocolError, match="player 2 takes the trick, and not player 3"):
        made.update(TrickTaken(3, (0, 0, 0, 0)))


def test_scores_begin_anew_with_each_game() -> None:
    loop = PlainLoop(STANDARD, end_score=10, seed=3)
    for _ in loop.steps():
        pass
    player = loop.players[1]
    assert max(player.picture.view().scores) >= 10
    player.picture.update(TableInfo(replace(STANDARD, jack=True), 50, 0, frozenset()))
    player.picture.update(YourHand(0, Direction.LEFT, HAND))
    view = player.picture.view()
    assert (view.scores, view.end_score, view.rules.jack) == ((0, 0, 0, 0), 50, True)


def lead(made: Picture, *leaders: int) -> None:
    """A game in which the lead goes round, up to the first lead of each hand."""
    made.update(TableInfo(parse_rules("rotate,pass=never"), 100, 60, frozenset()))
    for number, leader in enumerate(leaders):
        made.update(YourHand(number, Direction.HOLD, HAND))
        made.update(TrickBegun(leader))


def newcomer() -> Picture:
    made = Picture()
    made.update(Seated(SeatCredentials(1, 1, 1, 1), NAMES))
    return made


def test_who_takes_a_seat_in_mid_game_learns_whose_lead_it_is() -> None:
    made = newcomer()
    lead(made, 2, 3, 0)
    assert made.view().leader == 0
    lead(made, 0, 1)
    assert made.view().leader == 1


@pytest.mark.parametrize(("first", "second"), [([], [2, 2]), ([], [0, 1, 3]), ([2, 3], [2])])
def test_the_lead_goes_round(first: list[int], second: list[int]) -> None:
    made = newcomer()
    if first:
        lead(made, *first)
    with pytest.raises(RemoteProtocolError, match="cannot lead the first trick"):
        lead(made, *second)


# What cannot be


LED = [TrickBegun(1), CardPlayed(1, Card.parse("2C"), ChosenBy.PLAYER)]


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([YourHand(1, Direction.HOLD, (*HAND[1:], HAND[1]))], "a hand has a card twice"),
        ([PassMade(1, cards("AS KS QS"), ChosenBy.PLAYER)], "cards that we do not hold"),
        ([PassMade(1, HAND[:1] * 3, ChosenBy.PLAYER)], "a pass has a card twice"),
        ([CardsReceived(cards("2C AS KS"))], "was in the hand already"),
        ([CardsReceived(cards("AS")), TrickBegun(0)], "player 0 cannot lead"),
        ([*LED, CardPlayed(3, Card.parse("9C"), ChosenBy.PLAYER)], "player 3 plays out of turn"),
        ([*LED, CardPlayed(2, Card.parse("3C"), ChosenBy.PLAYER)], "it is ours or is gone"),
        ([*LED, CardPlayed(2, Card.parse("2C"), ChosenBy.PLAYER)], "it is ours or is gone"),
        ([TrickBegun(1), CardPlayed(1, Card.parse("AS"), ChosenBy.PLAYER)], "which we do not hold"),
    ],
)
def test_a_game_that_cannot_be(events: list[DealerEvent], why: str) -> None:
    made = picture()
    for event in events[:-1]:
        made.update(event)
    with pytest.raises(RemoteProtocolError, match=why):
        made.update(events[-1])


def test_a_trick_is_full_before_the_next_begins() -> None:
    made = picture()
    made.update(TrickBegun(1))
    for player, name in ((1, "2C"), (2, "9C"), (3, "4C"), (0, "5C")):
        made.update(CardPlayed(player, Card.parse(name), ChosenBy.PLAYER))
    assert made.turn is None
    with pytest.raises(RemoteProtocolError, match="player 2 plays out of turn"):
        made.update(CardPlayed(2, Card.parse("AD"), ChosenBy.PLAYER))
    made.update(TrickTaken(2, (0, 0, 0, 0)))
    with pytest.raises(RemoteProtocolError, match="player 2 took the trick and 0 leads"):
        made.update(TrickBegun(0))


def test_what_is_heard_once_more_keeps_who_chose_it() -> None:
    made = picture()
    events = [
        YourHand(0, Direction.HOLD, HAND),
        *LED,
        CardPlayed(2, Card.parse("9C"), ChosenBy.PLAYER),
    ]
    for event in events:
        made.update(event)
    for event in events:
        made.update(replace(event, by=ChosenBy.CLOCK) if isinstance(event, CardPlayed) else event)
    assert [play.by for play in made.hand.plays] == [ChosenBy.PLAYER, ChosenBy.PLAYER]
    made.update(CardPlayed(3, Card.parse("4C"), ChosenBy.CLOCK))
    assert made.hand.plays[-1].by is ChosenBy.CLOCK


def test_a_watcher_sees_tricks_and_no_hand() -> None:
    loop = Loopback(parse_rules("moon=choice"), end_score=20, seed=3)
    loop.run()
    watched, seated = Picture(is_watching=True), Picture()
    assert watched.is_past
    for event in loop.watched:
        watched.update(event)
    for event in loop.players[1].events:
        seated.update(event)
    assert (watched.hand.dealt, watched.hand.held) == (0, 0)
    assert watched.hand.plays == seated.hand.plays
    assert watched.hand.taken == seated.hand.taken
    assert watched.board.rows == seated.board.rows
    assert watched.is_over
