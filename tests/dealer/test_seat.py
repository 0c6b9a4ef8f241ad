"""A seat of the dealer dialect, beside the game."""

from __future__ import annotations

import pytest

from hearts.dealer import messages as m
from hearts.dealer.beside import Ping
from hearts.dealer.frames import (
    CLIENT_PAYLOAD_LIMIT,
    HEADER,
    DealerState,
    MessageType,
    encode_frame,
)
from hearts.dealer.seat import DealerSeat
from hearts.errors import Fault, RemoteProtocolError
from hearts.game.rules import parse_rules
from hearts.session import table_words as w
from hearts.session.table_words import (
    AbortLater,
    Introduced,
    PlayerInfo,
    PlayerKind,
    Presence,
    Refused,
)
from hearts.table.effects import Change, RulesAgreed, RulesProposed, RulesRefused
from hearts.table.inputs import ProposeRules, Question, Vote
from hearts.wire.credentials import SeatCredentials
from tests.dealer.room import DealerRoom, decoded, errors, rest_of, said
from tests.table.desk import NAMES

INFOS = [
    PlayerInfo(player, PlayerKind.PROGRAM, 10 * player, Presence.THERE, name)
    for player, name in enumerate(NAMES)
]


def test_what_is_said_beside_the_game() -> None:
    seat = DealerSeat(3)
    data = (
        seat.register_query()
        + seat.beside(w.RegisterOpponents(tuple(INFOS)))
        + seat.beside(w.Waiting(None, (1, 3), 5000, None))
        + seat.welcome(SeatCredentials(7, 99, 3, 1000), "a table", INFOS)
        + seat.beside(w.Replay(True))
        + seat.beside(w.PlayerChange(Change.STAND_IN, INFOS[1]))
        + seat.beside(w.Waiting(Question.PASS, (1,), 1000, 29_000))
        + seat.beside(w.ServerNotice("a word"))
        + seat.beside(w.AbortGame(AbortLater.COME_BACK, "the server shuts down"))
        + seat.beside(Refused(-104, "closed"))
    )
    assert decoded(data) == list(
        enumerate(
            [
                m.RegisterPlayer(None, DealerState.INIT, 3),
                w.RegisterOpponents(tuple(INFOS)),
                w.Waiting(None, (1, 3), 5000, None),
                m.SeatedMessage(3, 7, 99, "a table"),
                w.RegisterOpponents(tuple(INFOS)),
                w.Replay(True),
                w.PlayerChange(Change.STAND_IN, INFOS[1]),
                w.Waiting(Question.PASS, (1,), 1000, 29_000),
                w.ServerNotice("a word"),
                w.AbortGame(AbortLater.COME_BACK, "the server shuts down"),
                Refused(-104, "closed"),
            ],
            1,
        )
    )


def test_who_a_player_is() -> None:
    seat = DealerSeat(3)
    ((number, _),) = decoded(seat.register_query())
    assert seat.asked
    assert not seat.has_caught_up
    mine = w.Introduction(PlayerKind.PERSON, 500, True, "hello", bytes(range(32)))
    bad = encode_frame(MessageType.REGISTER_PLAYER, number, bytes(16))
    assert seat.receive(bad) == []
    told = [Introduced(3, mine)]
    assert seat.receive(said(mine, number)) == told
    assert not seat.asked
    assert seat.receive(said(mine, number)) == []
    reasons = [error.reason for _, error in decoded(seat.take_replies())]
    assert reasons == [Fault.MEANINGLESS, Fault.ANSWERED]


def test_a_ping_is_answered_at_once() -> None:
    seat = DealerSeat(0)
    ping = said(Ping(b"now"))
    assert seat.receive(ping + encode_frame(MessageType.PING, 0, bytes(65)) + ping) == []
    assert decoded(seat.take_replies()) == [
        (1, m.Pong(b"now")),
        (2, m.AnswerError(0, 206, Fault.MEANINGLESS, -1, Fault.MEANINGLESS.text)),
        (3, m.Pong(b"now")),
    ]
    assert seat.take_replies() == b""


PROPOSED = (parse_rules("jack,dump"), 70)


def test_rules_are_voted_on() -> None:
    room = DealerRoom()
    room.send(0, said(ProposeRules(0, *PROPOSED)))
    queries = []
    for player in (1, 2, 3):
        client = room.players[player]
        ((number, query),) = [
            (number, query)
            for number, query in client.open.items()
            if isinstance(query, RulesProposed)
        ]
        assert query == RulesProposed(*PROPOSED, 60.0)
        queries.append((player, number, client.answer(number)))
    room.send(0, said(ProposeRules(0, *PROPOSED)))
    assert errors(room.players[0]) == [(m.AnswerError, 0, 220, Fault.NOT_NOW, -1)]
    for player, _, vote in queries:
        room.send(player, vote + vote)
    for player, number, vote in queries:
        room.send(player, vote)
        answered = (m.AnswerError, number, 124, Fault.ANSWERED, -1)
        assert errors(room.players[player]) == [answered] * 2
    assert all(client.all_of(RulesAgreed) == [RulesAgreed(*PROPOSED)] for client in room.players)
    rest_of(room)


def test_rules_stay_where_somebody_says_no() -> None:
    room = DealerRoom()
    room.send(0, said(ProposeRules(0, *PROPOSED)))
    client = room.players[3]
    number = next(n for n, query in client.open.items() if isinstance(query, RulesProposed))
    late = client.answer(number)
    other = next(n for n, query in room.players[2].open.items() if isinstance(query, RulesProposed))
    room.send(2, said(Vote(0, False), other))
    assert [stay.player for stay in room.players[0].all_of(RulesRefused)] == [2]
    room.send(3, late)
    assert errors(client) == [(m.AnswerError, number, 124, Fault.TOO_LATE, -1)]
    rest_of(room)


@pytest.mark.parametrize("length", [-1, CLIENT_PAYLOAD_LIMIT + 1, 2**31 - 1])
def test_a_length_outside_the_limit_ends_the_connection(length: int) -> None:
    seat = DealerSeat(1)
    with pytest.raises(RemoteProtocolError, match="a payload length of"):
        seat.receive(HEADER.pack(MessageType.PING, 0, length))
