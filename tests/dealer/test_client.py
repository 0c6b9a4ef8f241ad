"""The client's side of the dealer dialect against a scripted dealer, good and bad."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from hearts.dealer import messages as said
from hearts.dealer.client import DealerSession
from hearts.dealer.client_connection import WatcherSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.dealer.frames import DealerState, encode_frame
from hearts.errors import Fault, LocalProtocolError, Reason, RemoteProtocolError
from hearts.game.events import CardPlayed, CardsReceived, ChosenBy, PassMade, TrickBegun, YourHand
from hearts.game.rules import STANDARD, Direction
from hearts.session import table_words as w
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    CaughtUp,
    ChoiceRefused,
    ChoiceTerms,
    DealerEvent,
    Seated,
    SessionEnded,
    WaitingForPlayers,
    Watching,
    YourChoice,
)
from hearts.session.messages import TableInfo
from hearts.session.own_cuts import OwnCuts
from hearts.session.table_words import AbortLater, Declined, Introduction, PlayerKind, Refused
from hearts.table.effects import AgainSettled, Change, RulesProposed
from hearts.table.inputs import Question, Vote
from hearts.wire.codec import encode_ints, encode_str
from hearts.wire.credentials import SeatCredentials
from tests.dealer.payloads import Told, payload
from tests.plain.script import CARDS, NEW, SIZES, back, card

from . import client_desk as desk

PASS_AT = len(desk.DEALT) + 1
"""The sequence of the query for our pass."""


def passes(*names: str) -> desk.Choice:
    return lambda session: session.pass_cards([card(name) for name in names])


def plays(name: str) -> desk.Choice:
    return lambda session: session.play(card(name))


@pytest.mark.parametrize("size", SIZES)
def test_registration(size: int) -> None:
    events, sent = desk.converse(*desk.BEGUN, size=size)
    credentials = SeatCredentials(7, 99, 0, 1000)
    assert events == [
        WaitingForPlayers(0),
        Seated(credentials, desk.NAMES),
        desk.SEATED[1],
        TableInfo(STANDARD, 100, 60, frozenset({1, 2, 3})),
    ]
    assert sent == desk.SENT_REGISTRATION + desk.UNSAID


def test_an_introduction() -> None:
    who = Introduction(PlayerKind.PROGRAM, 700, comment="a bot")
    own = OwnCuts(bytes(32))
    session = DealerSession(desk.REQUEST, who, DealVerifier(own))
    _, sent = desk.listen(session, desk.begun(desk.ASK))
    who = replace(who, cuts=True, next_hash=own.next_hash)
    assert sent.endswith(encode_frame(126, 1, payload(who)))


@pytest.mark.parametrize("comment", ["x" * 128, "a\nb", "a" + "\u0301" * 20])
def test_a_comment_that_cannot_be_sent(comment: str) -> None:
    with pytest.raises(LocalProtocolError):
        DealerSession(desk.REQUEST, Introduction(comment=comment))


def test_refusals() -> None:
    events, _ = desk.listen(DealerSession(desk.REQUEST), encode_ints(0, 1, -102) + encode_str("no"))
    assert events == [Refused(-102, "no")]
    events, _ = desk.converse(desk.ASK, Refused(-104, "taken"))
    assert events[-1] == Refused(-104, "taken")


def test_the_table_that_forms() -> None:
    free = replace(desk.INFOS[1], kind=PlayerKind.FREE, name="")
    forming = w.RegisterOpponents((desk.INFOS[0], free, *desk.INFOS[2:]))
    waiting = w.Waiting(None, (1,), 0, 20_000)
    events, _ = desk.converse(desk.ASK, forming, waiting)
    assert events == [WaitingForPlayers(0), forming, waiting]


PASS_ASKED: list[DealerEvent] = [ChoiceTerms(Question.PASS, 60_000), YourChoice(Question.PASS)]
TOO_LATE = said.PassError(PASS_AT, 104, Fault.TOO_LATE, -1, "too late")
PASSES: dict[str, tuple[list[Told], list[desk.Choice], list[int], list[DealerEvent]]] = {
    "accepted": (
        [desk.PASS_QUERY, desk.LOST, desk.TAKEN],
        [passes("KC", "QC", "JD")],
        [PASS_AT],
        [*PASS_ASKED, PassMade(0, desk.PASSED, ChosenBy.PLAYER), CardsReceived(desk.GOT)],
    ),
    "refused, then accepted": (
        [desk.PASS_QUERY, said.PassError(PASS_AT, 104, -1, 9, "no"), desk.LOST, desk.TAKEN],
        [passes("7H", "2C", "3C"), passes("KC", "QC", "JD")],
        [PASS_AT, PASS_AT],
        [
            *PASS_ASKED,
            ChoiceRefused(Question.PASS, Reason.NOT_HELD),
            PassMade(0, desk.PASSED, ChosenBy.PLAYER),
            CardsReceived(desk.GOT),
        ],
    ),
    "forced, and our choice came too late": (
        [desk.PASS_QUERY, replace(desk.LOST, by=ChosenBy.CLOCK), TOO_LATE, desk.TAKEN],
        [passes("7H", "2C", "3C")],
        [PASS_AT],
        [
            *PASS_ASKED,
            PassMade(0, desk.PASSED, ChosenBy.CLOCK),
            Declined(None, Fault.TOO_LATE, "too late"),
            CardsReceived(desk.GOT),
        ],
    ),
    "forced before our choice": (
        [desk.PASS_QUERY, replace(desk.LOST, by=ChosenBy.CLOCK), desk.TAKEN],
        [],
        [],
        [*PASS_ASKED, PassMade(0, desk.PASSED, ChosenBy.CLOCK), CardsReceived(desk.GOT)],
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PASSES)
def test_pass(name: str, size: int) -> None:
    messages, choices, answered, told = PASSES[name]
    events, sent = desk.converse(*desk.DEALT, *messages, choices=choices, size=size)
    assert events[4:] == [YourHand(0, Direction.LEFT, CARDS), *told]
    rest = sent.removeprefix(desk.SENT_REGISTRATION + desk.UNSAID)
    numbers = []
    while rest:
        numbers.append(int.from_bytes(rest[4:8], "big"))
        assert (rest[:4], rest[8:12]) == (encode_ints(104), encode_ints(12))
        rest = rest[24:]
    assert numbers == answered


@pytest.mark.parametrize("size", SIZES)
def test_play(size: int) -> None:
    refusal = said.PlayError(20, 108, Reason.TWO_OF_CLUBS_LEADS, 9, "no")
    events, sent = desk.converse(
        *(*desk.HELD, desk.LEADS, desk.card_query(0), refusal, *desk.PLAYED),
        choices=[plays("JS"), plays("2C")],
        size=size,
    )
    assert events[4:] == [
        YourHand(3, Direction.HOLD, CARDS),
        TrickBegun(0),
        ChoiceTerms(Question.CARD, 60_000, (card("2C"),)),
        YourChoice(Question.CARD),
        ChoiceRefused(Question.CARD, Reason.TWO_OF_CLUBS_LEADS),
        CardPlayed(0, card("2C"), ChosenBy.PLAYER),
        CardPlayed(1, card("7C"), ChosenBy.COMPUTER),
    ]
    answers = [encode_frame(108, 20, encode_ints(card(name).wire)) for name in ("JS", "2C")]
    assert sent == desk.SENT_REGISTRATION + desk.UNSAID + b"".join(answers)


def test_the_second_query_has_another_type() -> None:
    _, sent = desk.converse(
        *desk.LED, desk.FIRST_CARD, desk.card_query(3, "AC"), choices=[plays("KC")]
    )
    assert sent.endswith(encode_frame(118, 21, encode_ints(card("KC").wire)))


@pytest.mark.parametrize(
    "choice",
    [
        *(plays("2C"), passes("KC", "QC"), passes("KC", "KC", "QC"), passes("KC", "QC", "AS")),
        *(
            lambda s: s.choose_moon(True),
            lambda s: s.play_again(True),
            lambda s: s.answer_beside(Vote(0, True)),
        ),
    ],
)
def test_a_choice_that_is_not_asked_for(choice: desk.Choice) -> None:
    session = desk.asked(*desk.DEALT, desk.PASS_QUERY)
    session.bytes_to_send()
    with pytest.raises(LocalProtocolError):
        choice(session)
    assert session.bytes_to_send() == b""
    assert session.asked is Question.PASS


def test_one_answer_for_one_query() -> None:
    session = desk.asked(*desk.DEALT, desk.PASS_QUERY)
    session.pass_cards(desk.PASSED)
    assert session.asked is None
    with pytest.raises(LocalProtocolError, match="not asked for"):
        session.pass_cards(desk.PASSED)


def test_a_refusal_of_something_else_does_not_ask_again() -> None:
    session = desk.asked(*desk.DEALT, desk.PASS_QUERY)
    session.pass_cards(desk.PASSED)
    wrong = said.PassError(PASS_AT - 1, 104, Reason.NOT_HELD, 9, "no")
    events, _ = desk.listen(session, desk.frames(wrong, first=PASS_AT + 1))
    assert events == []
    assert session.asked is None


def test_who_comes_into_the_middle_of_a_game() -> None:
    standing = said.ScoreCard(desk.score(1, 2, 3, 4))
    session = DealerSession(desk.REQUEST)
    desk.listen(session, desk.begun(*desk.BEGUN, standing, *desk.DEALT[4:]))
    assert session.picture.view().scores == (1, 2, 3, 4)


def test_who_plays_can_change() -> None:
    zoe = replace(desk.INFOS[2], kind=PlayerKind.PERSON, name="Zoe")
    session = desk.asked(*desk.BEGUN, w.PlayerChange(Change.TAKEN, zoe))
    assert session.progress is not None
    assert session.progress.names == ("Ann", "Moe", "Zoe", "Curly")


@pytest.mark.parametrize("later", [AbortLater.COME_BACK, AbortLater.NOTHING])
def test_a_session_that_is_broken_off(later: AbortLater) -> None:
    session = desk.asked(*desk.DEALT)
    abort = w.AbortGame(later, "the server shuts down")
    session.feed(desk.frames(abort, first=PASS_AT))
    assert session.next_event() == abort
    session.feed(b"")
    assert session.next_event() == SessionEnded(complete=False)
    assert (session.progress is not None) == (later is AbortLater.COME_BACK)
    assert session.closed


def test_rules_are_voted_about_beside_a_choice() -> None:
    proposed = RulesProposed(*desk.RULES, 60.0)
    session = desk.asked(*desk.DEALT, desk.PASS_QUERY)
    session.bytes_to_send()
    events, _ = desk.listen(session, desk.frames(proposed, first=PASS_AT + 1))
    assert events == [RulesProposed(STANDARD, 100, 60.0)]
    assert session.asked is Question.PASS
    session.answer_beside(Vote(0, False))
    assert session.bytes_to_send() == encode_frame(124, PASS_AT + 1, encode_ints(0))
    with pytest.raises(LocalProtocolError):
        session.answer_beside(Vote(0, True))


def test_unknown_types_are_skipped_and_counted() -> None:
    session = DealerSession(desk.REQUEST)
    data = encode_ints(0, 1, 1) + encode_frame(999, 1, b"??") + desk.frames(*desk.BEGUN, first=2)
    events, _ = desk.listen(session, data)
    assert isinstance(events[-1], TableInfo)


# Coming back


def test_coming_back() -> None:
    replay = [desk.ASK, *desk.SEATED, w.Replay(True), *desk.DEALT[3:], desk.LOST]
    data = encode_ints(2, 1, 1, 2) + desk.frames(*replay)
    session = DealerSession(back(NEW))
    events, sent = desk.listen(session, data)
    assert sent.startswith(encode_str("Ann") + encode_ints(-10, 0, -6, 1, -5, 7, 99, 0, 1000, 0))
    assert events[:2] == [CameBack(1, NEW), Seated(NEW.credentials, desk.NAMES)]
    assert events[-1] == PassMade(0, desk.PASSED, ChosenBy.PLAYER)
    assert session.asked is None
    rest, _ = desk.listen(session, desk.frames(w.Replay(False), desk.TAKEN, first=len(replay) + 1))
    assert rest == [CaughtUp(), CardsReceived(desk.GOT)]


def test_coming_back_to_the_end_of_a_game() -> None:
    query = said.PlayAgainMessage(60_000, DealerState.SUMMING_GAME)
    decided = AgainSettled(0, True, ChosenBy.PLAYER)
    messages = [
        desk.ASK,
        *desk.SEATED,
        w.Replay(True),
        desk.BEGUN[-1],
        w.Replay(False),
        query,
        decided,
    ]
    session = DealerSession(back(desk.GAME_OVER))
    data = encode_ints(2, 1, 1, 1) + desk.frames(*messages, desk.BEGUN[-1])
    events, sent = desk.listen(session, data, [lambda session: session.play_again(True)])
    assert events[-4:] == [
        YourChoice(Question.AGAIN),
        AgainAnswered(True, ChosenBy.PLAYER),
        AnotherGame(True),
        TableInfo(STANDARD, 100, 60, frozenset({1, 2, 3})),
    ]
    assert sent.endswith(encode_frame(201, 7, encode_ints(1)))


def test_another_seat_than_ours() -> None:
    messages = [desk.ASK, said.SeatedMessage(0, 8, 99, "Table 1"), desk.SEATED[1]]
    session = DealerSession(back(NEW))
    session.feed(encode_ints(2, 1, 1, 2) + desk.frames(*messages))
    assert session.next_event() == CameBack(1, NEW)
    with pytest.raises(RemoteProtocolError, match="another"):
        session.next_event()


ASK_OWN_TABLE = encode_frame(226, 0, encode_str(""))


def test_watching() -> None:
    session = WatcherSession(7)
    hand = (said.NewHand(2, Direction.RIGHT), TrickBegun(3), desk.FIRST_CARD, w.Replay(False))
    events, sent = desk.listen(session, desk.watched(*desk.WATCHING, *hand))
    assert sent == encode_str("watcher") + encode_ints(-10, 0, -6, 1, -9, 7, 0) + ASK_OWN_TABLE
    assert events[0] == Watching(7, "Table 1")
    assert events[-3:] == [TrickBegun(3), CardPlayed(3, card("AC"), ChosenBy.COMPUTER), CaughtUp()]
