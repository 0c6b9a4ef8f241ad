"""Answers in the dealer dialect that are refused, at a real table."""

from __future__ import annotations

from math import inf

import pytest
from msgspec.structs import replace

from hearts.dealer import messages as m
from hearts.dealer.frames import MessageType, encode_frame
from hearts.dealer.listener import EARLY_LIMIT, FATES_KEPT, USELESS_LIMIT
from hearts.dealer.seat import DealerSeat
from hearts.errors import Fault, Reason, RemoteProtocolError
from hearts.game.cards import CARDS, Card
from hearts.game.deal import NO_CUT
from hearts.game.events import (
    CardPlayed,
    ChooseMoon,
    ChosenBy,
    MoonChosen,
    Pass,
    PassMade,
    Play,
    TrickBegun,
    YourHand,
)
from hearts.game.rules import STANDARD, Direction
from hearts.session import table_words as w
from hearts.table.effects import AgainSettled, Ask, CutSettled, GameBegun, TableEvent
from hearts.table.inputs import AnswerAgain, Choice, Chosen, Cut, OpenSeat, Question, Setting
from hearts.wire.codec import encode_ints
from tests.dealer.payloads import payload, type_of
from tests.dealer.room import PIECES, DealerRoom, decoded, errors, pieces, rest_of, said


@pytest.mark.parametrize("cut", PIECES)
def test_every_fault_leaves_the_game_in_step(cut: str) -> None:
    """All kinds of wrong answers joined, then the right one; in any pieces the same."""
    room = DealerRoom("pass=never")
    player, number = room.play_until(m.LeadCard)
    client = room.players[player]
    held = client.hand
    foreign = next(card for card in CARDS if card not in held)
    right = client.answer(number)
    frames = [
        encode_frame(MessageType.LEAD_CARD, number, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, number, bytes(3)),
        encode_frame(MessageType.LEAD_CARD, number, bytes(4)),
        encode_frame(MessageType.PLAY_CARD, number, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, number + 1, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, 0, encode_card(foreign)),
        encode_frame(MessageType.LEAD_CARD, -1, encode_card(foreign)),
        encode_frame(12345, number, b"nobody knows this type"),
        encode_frame(MessageType.REPLACE_PLAYER, 0, bytes(3)),
        encode_frame(MessageType.PROPOSE_RULES, number, bytes(40)),
        right,
        right,
    ]
    for piece in pieces(cut, b"".join(frames)):
        room.send(player, piece)
    lead, plain = m.PlayError, m.AnswerError
    assert errors(client) == [
        (lead, number, MessageType.LEAD_CARD, Reason.NOT_HELD, 9),
        (lead, number, MessageType.LEAD_CARD, Fault.MEANINGLESS, 8),
        (lead, number, MessageType.LEAD_CARD, Fault.MEANINGLESS, 7),
        (lead, number, MessageType.PLAY_CARD, Fault.WRONG_TYPE, -1),
        (lead, number + 1, MessageType.LEAD_CARD, Fault.NOT_ASKED, -1),
        (lead, 0, MessageType.LEAD_CARD, Fault.NOT_ASKED, -1),
        (lead, -1, MessageType.LEAD_CARD, Fault.NOT_ASKED, -1),
        (plain, 0, MessageType.REPLACE_PLAYER, Fault.MEANINGLESS, -1),
        (plain, number, MessageType.PROPOSE_RULES, Fault.WRONG_TYPE, -1),
        (lead, number, MessageType.LEAD_CARD, Fault.ANSWERED, -1),
    ]
    assert [lost.by for lost in client.all_of(m.LoseCard)] == [ChosenBy.PLAYER]
    rest_of(room)


def encode_card(card: Card) -> bytes:
    return payload(Play(0, card))


def test_a_choice_that_is_not_stored_yet_is_answered() -> None:
    room = DealerRoom("pass=never")
    room.store.slow = True
    player, number = room.on_turn
    client = room.players[player]
    right = client.answer(number)
    room.send(player, right)
    assert not client.all_of(m.LoseCard)
    room.send(player, right)
    assert errors(client) == [(m.PlayError, number, 108, Fault.ANSWERED, -1)]
    room.durable()
    assert [lost.by for lost in client.all_of(m.LoseCard)] == [ChosenBy.PLAYER]
    rest_of(room)


def test_who_is_too_late_hears_so_and_is_there_all_the_same() -> None:
    room = DealerRoom("pass=never")
    player, number = room.on_turn
    client = room.players[player]
    right = client.answer(number)
    room.run_out()
    assert [lost.by for lost in client.all_of(m.LoseCard)] == [ChosenBy.CLOCK]
    room.send(player, right)
    rest_of(room)
    assert errors(client) == [(m.PlayError, number, 108, Fault.TOO_LATE, -1)]


VALUE, NEXT_HASH = b"v" * 32, b"h" * 32
CHOICES: dict[Question, Choice] = {
    Question.PASS: Pass(0, CARDS[:3]),
    Question.CARD: Play(0, CARDS[0]),
    Question.MOON: ChooseMoon(0, False),
    Question.AGAIN: AnswerAgain(0, True),
    Question.CUT: Cut(0, VALUE, NEXT_HASH),
}
MEANT = {question: replace(choice, player=1) for question, choice in CHOICES.items()}


@pytest.mark.parametrize("question", Question)
def test_every_question(question: Question) -> None:
    """A bad payload, an answer that is refused, one that is taken, and one more."""
    seat = DealerSeat(1)
    seat.encode_event(YourHand(0, Direction.LEFT, CARDS[:13]))
    seat.encode_event(TrickBegun(1))
    ((number, query),) = decoded(seat.ask(Ask(1, question, 2.5, 1)))
    assert query.left == 2500
    assert seat.asked
    assert seat.has_caught_up
    answer = CHOICES[question]
    kind: type[m.AnswerError] = m.AnswerError
    if question in (Question.PASS, Question.CARD):
        kind = m.PassError if question is Question.PASS else m.PlayError

    def error(reason: Reason | Fault, tries_left: int) -> m.AnswerError:
        return kind(number, type_of(type(query)), reason, tries_left, reason.text)

    short = payload(answer)[:-1]
    assert seat.receive(encode_frame(type_of(type(query)), number, short)) == [Chosen(1, None)]
    assert decoded(seat.refuse(Reason.NOT_HELD))[0][1] == error(Fault.MEANINGLESS, 9)
    assert seat.receive(said(answer, number)) == [Chosen(1, MEANT[question])]
    # A value that does not fit its hash means as little as no value.
    refused = Fault.MEANINGLESS if question is Question.CUT else Reason.NOT_HELD
    assert decoded(seat.refuse(Reason.NOT_HELD))[0][1] == error(refused, 8)
    assert seat.receive(said(answer, number) + b"\0") == [Chosen(1, MEANT[question])]
    assert seat.early == b"\0"
    seat.early = b""
    assert seat.receive(said(answer, number)) == []
    assert decoded(seat.take_replies())[0][1] == error(Fault.ANSWERED, -1)
    settling: dict[Question, TableEvent] = {
        Question.PASS: PassMade(1, CARDS[:3], ChosenBy.PLAYER),
        Question.CARD: CardPlayed(1, CARDS[0], ChosenBy.PLAYER),
        Question.MOON: MoonChosen(1, False, ChosenBy.PLAYER),
        Question.AGAIN: AgainSettled(1, True, ChosenBy.PLAYER),
        Question.CUT: CutSettled(1, ChosenBy.PLAYER),
    }
    seat.encode_event(settling[question])
    assert not seat.asked


@pytest.mark.parametrize("question", Question)
def test_a_choice_made_over_a_lost_connection_is_not_made_again(question: Question) -> None:
    seat = DealerSeat(1)
    seat.encode_event(YourHand(0, Direction.LEFT, CARDS[:13]))
    seat.encode_event(TrickBegun(1))
    ((number, _),) = decoded(seat.ask(Ask(1, question, inf, 1)))
    seat.made_before()
    assert seat.receive(said(CHOICES[question], number)) == []
    ((_, error),) = decoded(seat.take_replies())
    assert isinstance(error, m.AnswerError)
    assert error.reason == Fault.ANSWERED


def test_a_bad_payload_for_a_pass_at_a_table() -> None:
    room = DealerRoom()
    player, number = room.play_until(m.DoPass)
    room.send(player, encode_frame(MessageType.DO_PASS, number, encode_ints(1, 2, 53)))
    room.send(player, said(Pass(0, (CARDS[3],) * 3), number))
    assert [error[0::3] for error in errors(room.players[player])] == [
        (m.PassError, Fault.MEANINGLESS),
        (m.PassError, Reason.NOT_HELD),
    ]
    rest_of(room)


def test_a_value_that_does_not_come_is_missing_and_a_stand_in_has_the_pass() -> None:
    room = DealerRoom(cuts=True)
    for _ in range(3):
        room.answer()
    player, number = room.on_turn
    late = room.players[player].answer(number)
    room.run_out()
    room.send(player, late)
    assert errors(room.players[player]) == [(m.AnswerError, number, 202, Fault.TOO_LATE, -1)]
    rest_of(room)
    (proof,) = room.players[player].all_of(m.DealProof)
    assert proof.cuts[8 * player : 8 * player + 8] == NO_CUT
    assert proof.missing == (player,)
    (passed, *_) = room.players[player].all_of(m.LosePass)
    assert passed.by is ChosenBy.STAND_IN


def test_illegal_cards_have_their_reasons() -> None:
    room = DealerRoom("pass=never")
    player, number = room.on_turn
    client = room.players[player]
    other = max(client.hand - {Card.parse("2C")})
    room.send(player, said(Play(0, other), number))
    assert errors(client)[0][3] == Reason.TWO_OF_CLUBS_LEADS
    room.answer()
    player, number = room.play_until(m.PlayCard)
    client = room.players[player]
    query = client.open[number]
    assert isinstance(query, m.PlayCard)
    illegal = next(each.card for each in query.cards if not each.legal)
    room.send(player, said(Play(0, illegal), number, MessageType.PLAY_CARD))
    assert errors(client)[0][3] == Reason.FOLLOW_SUIT
    rest_of(room)


def test_a_hundred_useless_answers_end_the_connection() -> None:
    seat = DealerSeat(1)
    useless = said(ChooseMoon(0, True), 77)
    assert seat.receive(useless * (USELESS_LIMIT - 1)) == []
    assert len(decoded(seat.take_replies())) == USELESS_LIMIT - 1
    assert seat.idle == USELESS_LIMIT - 1
    with pytest.raises(RemoteProtocolError, match="100 answers in a row"):
        seat.receive(useless)
    assert decoded(seat.take_replies() + seat.beside(w.ServerNotice("over")))[-1][
        1
    ] == w.ServerNotice("over")


def test_a_good_answer_begins_the_count_anew() -> None:
    room = DealerRoom("pass=never")
    player, _ = room.on_turn
    useless = said(ChooseMoon(0, True), 7777)
    for _ in range(3):
        room.send(player, useless * (USELESS_LIMIT - 1))
        lost = len(room.players[player].all_of(m.LoseCard))
        while len(room.players[player].all_of(m.LoseCard)) == lost:
            room.answer()
    room.send(player, useless * (USELESS_LIMIT - 1))
    assert not room.links[player].ending
    room.send(player, useless)
    assert room.links[player].ending


def test_what_cannot_be_granted_counts_as_well() -> None:
    room = DealerRoom()
    wish = said(OpenSeat(0, 2))
    room.send(1, wish)
    assert errors(room.players[1]) == [(m.AnswerError, 0, 222, Fault.NOT_PLAYER_0, -1)]
    assert not room.links[1].ending
    room.send(1, wish * USELESS_LIMIT)
    assert room.links[1].ending


def test_old_fates_are_forgotten_in_the_end() -> None:
    seat = DealerSeat(0)
    seat.encode_event(GameBegun(Setting(STANDARD, 100, 60, 60.0)))
    answered = []
    for _ in range(FATES_KEPT + 1):
        ((number, _query),) = decoded(seat.ask(Ask(0, Question.MOON, inf, 0)))
        assert seat.receive(said(ChooseMoon(0, True), number)) != []
        answered.append(number)
        seat.encode_event(MoonChosen(0, True, ChosenBy.PLAYER))
    for number, fault in ((answered[0], Fault.NOT_ASKED), (answered[-1], Fault.ANSWERED)):
        seat.receive(said(ChooseMoon(0, True), number))
        ((_, error),) = decoded(seat.take_replies())
        assert isinstance(error, m.AnswerError)
        assert error.reason == fault


def test_what_waits_has_a_limit() -> None:
    seat = DealerSeat(1)
    seat.encode_event(YourHand(0, Direction.LEFT, CARDS[:13]))
    ((number, _),) = decoded(seat.ask(Ask(1, Question.PASS, inf, 0)))
    answer = said(CHOICES[Question.PASS], number)
    assert seat.receive(answer + bytes(EARLY_LIMIT)) == [Chosen(1, MEANT[Question.PASS])]
    assert len(seat.early) == EARLY_LIMIT
    seat.refuse(Reason.NOT_HELD)
    seat.early = answer + bytes(EARLY_LIMIT + 1)
    with pytest.raises(RemoteProtocolError, match="before they were due"):
        seat.receive(b"")
