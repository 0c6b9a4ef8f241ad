"""A player claims the rest of a hand at a table of both dialects: it is played out at once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.dealer import messages as m
from hearts.dealer.client import DealerSession
from hearts.dealer.frames import MessageType
from hearts.dealer.listener import USELESS_LIMIT
from hearts.errors import Fault, LocalProtocolError
from hearts.game.cards import CARDS, Card, Suit, mask_of
from hearts.game.events import CardPlayed, ChosenBy, Deal, MoonChosen, Play, TrickTaken
from hearts.game.rules import Rules
from hearts.game.view import proves_rest, view_of
from hearts.session import table_words as w
from hearts.session.client_events import DealerEvent, YourChoice
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Scores
from hearts.session.table_words import Declined
from hearts.table.effects import RestClaimed
from hearts.table.inputs import ClaimRest, Question
from hearts.wire.codec import encode_ints
from tests.dealer.payloads import Told
from tests.dealer.room import decoded, said
from tests.fuzz.follower import Follower, session_for
from tests.game.games import ALL_RULES, SEEDS, deal_by
from tests.table.desk import NAMES, Desk

from .desk import COMPUTER, DEALER, PLAIN, DeskLink, TableDesk

RULES = "rotate,pass=never"
MIXED = (DEALER, PLAIN, COMPUTER, DEALER)
SPADES = [card for card in CARDS if card.suit is Suit.SPADES]
MINE = [*SPADES[1:], Card.parse("AC")]
"""Ann leads the ace and has shot the moon, if she claims the rest or plays it out."""


def spades_for_ann() -> Deal:
    others = [card for card in CARDS if card not in MINE]
    bob, cleo, dan = (mask_of(others[start::3]) for start in range(3))
    return Deal((mask_of(MINE), bob, cleo, dan))


def deals() -> Iterator[Deal]:
    yield spades_for_ann()
    source = random.Random(1)
    while True:
        yield deal_by(source)


class Claimer(Follower):
    """Plays high, and claims the rest whenever its view proves that it can."""

    def __init__(self, player: int, dialect: str) -> None:
        is_dealer = dialect == DEALER
        super().__init__(session_for(RegistrationRequest(NAMES[player], player, dealer=is_dealer)))
        self.events: list[DealerEvent] = []
        self.has_claimed = False
        self.receive(encode_ints(player, 1, *[1] * is_dealer))

    def _take(self, event: DealerEvent, card: int) -> None:
        self.events.append(event)
        super()._take(event, card)

    def _choose(self, question: Question, card: int) -> None:
        session = self.session
        if question is not Question.CARD:
            super()._choose(question, card)
            return
        view = session.picture.view()
        if proves_rest(view) and isinstance(session, DealerSession):
            self.has_claimed = True
            session.wish(ClaimRest(view.player))
        else:
            session.play(max(view.legal_cards, key=lambda each: (each.rank, each)))

    def rest(self) -> list[DealerEvent]:
        """What was heard from the first claim on to the scores of its hand."""
        begin = next(
            place for place, event in enumerate(self.events) if isinstance(event, RestClaimed)
        )
        return list(takewhile(lambda event: not isinstance(event, Scores), self.events[begin:]))

    def all_of(self, kind: type[DealerEvent]) -> list[DealerEvent]:
        return [event for event in self.events if isinstance(event, kind)]


def desk_with(
    rules: Rules | str = RULES,
    dialects: tuple[str, ...] = MIXED,
    dealt: Iterator[Deal] | None = None,
    *,
    slow: bool = False,
) -> tuple[TableDesk, list[Claimer]]:
    desk = TableDesk(rules, dialects, dealt or deals(), end=10_000, slow=slow)
    desk.begin()
    return desk, [Claimer(player, each) for player, each in enumerate(dialects) if each]


def talk(desk: TableDesk, clients: list[Claimer]) -> bool:
    """Each client reads what is there, and says what it likes; whether there was anything."""
    is_news = False
    for client in clients:
        player = client.session.player
        if data := desk.links[player].take():
            is_news = True
            if answer := client.receive(data):
                desk.links[player].rests = False
                desk.send(player, answer)
    return is_news


def play(desk: TableDesk, clients: list[Claimer], hands: int) -> None:
    while desk.table.past.hands_scored() < hands:
        assert talk(desk, clients), "nothing happens any more"
    talk(desk, clients)


def play_to_claim(desk: TableDesk, clients: list[Claimer]) -> None:
    """Up to a claim whose first card is not durable; the store is slow."""
    while not clients[0].has_claimed:
        if not talk(desk, clients):
            desk.let_through()
    assert [line for line, _ in desk.store.waiting] == ["play 0 KS computer"]


def messages(link: DeskLink) -> list[Told]:
    return [message for _, message in decoded(link.take())]


def plays(desk: TableDesk) -> list[str]:
    return [line for line in desk.store.lines if line.startswith("play")]


def test_the_rest_is_played_out_in_every_dialect() -> None:
    desk, clients = desk_with()
    onlooker = desk.watch()
    play(desk, clients, hands=1)
    ann, bob, dan = clients
    held = tuple(sorted((set(MINE) - {Card.parse("AS")}), key=lambda card: card.wire))
    for client in (ann, dan):
        assert client.all_of(RestClaimed) == [RestClaimed(0, held)]
        assert not client.all_of(Declined)
        assert not [event for event in client.rest() if isinstance(event, YourChoice)]
    shown = messages(onlooker)
    place = shown.index(RestClaimed(0, held))
    assert [isinstance(each, m.CardPlayedMessage) for each in shown[place - 1 : place + 2]] == [
        False,
        False,
        True,
    ]
    assert "Ann claims the rest: AC 3S 4S 5S 6S 7S 8S 9S TS JS QS KS" in desk.said
    first, rest = plays(desk)[:4], plays(desk)[4:52]
    assert first[0] == "play 0 AS"
    assert [line.endswith(" computer") for line in first] == [False, False, True, False]
    assert all(line.endswith(" computer") for line in rest)
    assert [line for line in rest if line.startswith("play 0")][:2] == [
        "play 0 KS computer",
        "play 0 QS computer",
    ]
    assert desk.table.game.scores == (0, 26, 26, 26)
    assert desk.now == 0.0, "nobody is waited for"
    own = [event for event in bob.events if isinstance(event, CardPlayed) and event.player == 1]
    assert [event.by for event in own[:13]] == [ChosenBy.PLAYER] + [ChosenBy.CLOCK] * 12
    play(desk, clients, hands=3)


def test_nobody_hears_of_a_claim_before_its_first_card_is_durable() -> None:
    desk, clients = desk_with(slow=True)
    play_to_claim(desk, clients)
    assert not desk.links[3].take()
    desk.let_through()
    assert [type(each) for each in messages(desk.links[3])] == [
        RestClaimed,
        m.CardPlayedMessage,
    ]
    assert [line for line, _ in desk.store.waiting] == ["play 1 2H computer"]


def ask_for_rest(desk: TableDesk, player: int) -> m.AnswerError:
    desk.links[player].rests = False
    desk.send(player, said(ClaimRest(0)))
    (error,) = messages(desk.links[player])
    assert isinstance(error, m.AnswerError)
    assert (error.in_reply_to, error.type) == (0, MessageType.CLAIM_REST)
    assert (error.tries_left, error.why) == (-1, Fault(error.reason).text)
    return error


def test_what_does_not_follow_from_the_view_is_refused_and_changes_nothing() -> None:
    desk = TableDesk(RULES, (DEALER,) * 4, deals())
    desk.begin()
    numbered = decoded(desk.links[0].take())
    desk.links[1].take()
    (query,) = [number for number, each in numbered if isinstance(each, m.LeadCard)]
    assert ask_for_rest(desk, 0).reason == Fault.NOT_PROVEN, "the first trick cannot be claimed"
    assert ask_for_rest(desk, 1).reason == Fault.NOT_NOW, "it is not their lead"
    desk.store.slow = True
    desk.send(0, said(Play(0, Card.parse("AC")), query))
    assert ask_for_rest(desk, 0).reason == Fault.NOT_NOW, "her choice is made"
    desk.let_through()
    assert plays(desk) == ["play 0 AC"]
    desk.links[1].take()
    assert ask_for_rest(desk, 1).reason == Fault.NOT_NOW, "they are asked, but do not lead"


def test_who_claims_without_end_is_dropped() -> None:
    desk = TableDesk(RULES, (DEALER,) * 4, deals())
    desk.begin()
    desk.links[1].take()
    for _ in range(USELESS_LIMIT + 1):
        desk.links[1].rests = False
        desk.send(1, said(ClaimRest(0)))
    assert desk.links[1].ending
    *errors, notice = messages(desk.links[1])
    assert len(errors) == USELESS_LIMIT
    assert isinstance(notice, w.ServerNotice)


def test_the_plain_dialect_has_no_word_for_it() -> None:
    _, (_, bob, _) = desk_with()
    with pytest.raises(LocalProtocolError, match="no words"):
        bob.session.wish(ClaimRest(1))


def test_a_moon_that_was_claimed_is_still_the_shooters_choice() -> None:
    desk, clients = desk_with(RULES + ",moon=choice")
    play(desk, clients, hands=1)
    ann = clients[0]
    asked = [event for event in ann.rest() if isinstance(event, YourChoice)]
    assert asked == [YourChoice(Question.MOON)]
    assert ann.all_of(MoonChosen) == [MoonChosen(0, True, ChosenBy.PLAYER)]


@pytest.mark.parametrize("dialect", [DEALER, PLAIN])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("cards", [0, 2, 47])
def test_who_comes_back_in_the_middle_is_in_step(seat: int, cards: int, dialect: str) -> None:
    desk, clients = desk_with(slow=True)
    play_to_claim(desk, clients)
    desk.let_through(cards)
    talk(desk, clients)
    progress = clients[seat].session.progress
    assert progress is not None
    desk.leave(seat)
    decided = desk.come_back(seat, progress.hands, dialect)
    request = RegistrationRequest.to_come_back(progress)
    session = session_for(
        RegistrationRequest(
            request.name, request.process_id, come_back=request.come_back, dealer=dialect == DEALER
        )
    )
    back = clients[seat] = Claimer.__new__(Claimer)
    Follower.__init__(back, session)
    back.events, back.has_claimed = [], False
    back.receive(encode_ints(0, *[1] * (dialect == DEALER), 1, decided + 1))
    desk.store.slow = False
    desk.let_through(len(desk.store.waiting))
    play(desk, clients, hands=2)
    assert back.all_of(Scores)[0] == Scores((0, 26, 26, 26))


def test_it_is_played_out_even_if_everybody_leaves() -> None:
    desk, clients = desk_with(slow=True)
    play_to_claim(desk, clients)
    for player in (0, 1, 3):
        desk.leave(player)
    while desk.store.waiting:
        desk.let_through()
    assert desk.table.past.hands_scored() == 1
    assert desk.host.paused_at is not None


@pytest.mark.parametrize("cards", [1, 2, 4, 46])
def test_a_table_that_is_taken_up_again_asks_for_the_rest(cards: int) -> None:
    desk, clients = desk_with()
    play(desk, clients, hands=1)
    lines = desk.store.lines[: desk.store.lines.index("play 0 KS computer") + cards]
    again = Desk(RULES, end=10_000, pause=100.0, stored=lines)
    seats = again.table.seats
    assert not any(seat.is_played_for for seat in seats), "nobody was away"
    turn = again.table.game.waiting_for()[0]
    assert again.asked() == [(turn, Question.CARD)]
    view = view_of(again.table.game, turn)
    assert proves_rest(view) == (turn == 0 and not view.trick and cards < 44)


@given(ALL_RULES, SEEDS, st.sampled_from([MIXED, (DEALER,) * 4, (PLAIN, DEALER, DEALER, PLAIN)]))
def test_all_that_is_claimed_comes_true(rules: Rules, seed: int, dialects: tuple[str, ...]) -> None:
    source = random.Random(seed)
    desk, clients = desk_with(rules, dialects, iter(lambda: deal_by(source), None))
    play(desk, clients, hands=1)
    for client in clients:
        assert not client.all_of(Declined)
    first, *others = [
        [event for event in client.events if isinstance(event, RestClaimed)]
        for client in clients
        if _speaks_dealer(client)
    ]
    assert all(claims == first for claims in others)
    for client in filter(_speaks_dealer, clients):
        if first:
            taken = [event.winner for event in client.rest() if isinstance(event, TrickTaken)]
            assert set(taken) == {first[0].player}
    desk.table.record().replay()


def _speaks_dealer(client: Claimer) -> bool:
    return isinstance(client.session, DealerSession)
