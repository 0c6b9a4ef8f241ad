"""Whole games in the dealer dialect: playing, coming back, watching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.dealer import messages as m
from hearts.dealer.beside import ANSWERS, Ping
from hearts.dealer.frames import HEADER, DealerState, MessageType, encode_frame
from hearts.dealer.listener import IDLE_BYTES, WatcherSeat
from hearts.dealer.structures import WATCHER
from hearts.errors import RemoteProtocolError
from hearts.game.cards import CARDS, Card, cards_of, mask_of
from hearts.game.cuts import hash_of
from hearts.game.deal import commitment, deal_hands
from hearts.game.events import Play
from hearts.game.rules import Rules
from hearts.game.scoring import moon_shooter
from hearts.session import table_words as w
from hearts.session.client_events import DoneHand, Score
from hearts.table.effects import AgainSettled, DealPromised, RulesRefused
from hearts.table.inputs import AnswerAgain, OpenSeat
from tests.dealer.payloads import Told, type_of
from tests.dealer.room import DealerRoom, FrameClient, decoded, pieces, said
from tests.game.games import ALL_RULES
from tests.hosting.desk import DEALER, GAME, TABLE


@settings(max_examples=5, deadline=None)
@given(rules=ALL_RULES, cuts=st.booleans())
def test_whole_games_from_frames_alone(rules: Rules, cuts: bool) -> None:
    """Four clients play by what the queries say; hands, scores and counters stay right."""
    room = DealerRoom(rules, end=30, cuts=cuts)
    games = 0
    while games < 2:
        player, number = room.on_turn
        query = room.players[player].open[number]
        games += isinstance(query, m.PlayAgainMessage)
        if isinstance(query, m.LeadCard | m.PlayCard):
            game = room.table.game
            assert game.play is not None
            legal = {each.card for each in query.cards if each.legal}
            assert legal == set(cards_of(game.play.legal()))
            assert set(cards_of(game.play.hands[player])) == room.players[player].hand
            assert query.trick.leader == game.play.leader
            assert query.trick.round == game.play.played // 4 + 1
            assert query.trick.hearts_broken == game.play.broken
            assert query.state == DealerState.playing(player)
            assert query.left == 60_000
        room.answer()
    for client in room.players:
        check_hands(client, rules)


def check_hands(client: FrameClient, rules: Rules) -> None:
    """What the frames say of each hand is what follows from the cards that they show."""
    taken = [0, 0, 0, 0]
    broken = False
    dones = {"queens": [0] * 4, "jacks": [0] * 4, "games": [0] * 4}
    for _, message in client.heard:
        match message:
            case m.NewHand(number):
                taken, broken = [0, 0, 0, 0], False
                if number == 1:
                    dones["queens"], dones["jacks"] = [0] * 4, [0] * 4
            case m.HeartsBroken():
                assert not broken
                broken = True
            case m.CardPlayedMessage() as played:
                assert played.trick.cards[played.player] == played.card
                assert played.trick.winner is None
            case m.TrickDone() as done:
                assert done.trick.winner is not None
                assert done.trick.suit is done.trick.cards[done.trick.leader].suit  # type: ignore[union-attr]
                assert done.trick.hearts_broken == broken
                if type(done) is m.TrickDone:
                    taken[done.trick.winner] |= mask_of(
                        c for c in done.trick.cards if c is not None
                    )
                else:
                    assert done.trick.winner == client.player
            case DoneHand() as done:
                assert done.shooter == moon_shooter(taken)
                for name, card, who in (
                    ("queens", "QS", done.queen_winner),
                    ("jacks", "JD", done.jack_winner),
                ):
                    owner = next(p for p in range(4) if taken[p] >> Card.parse(card) & 1)
                    assert who == owner
                    dones[name][owner] += 1
                for winner in done.winners:
                    dones["games"][winner] += 1
                assert done.game_winner == (min(done.winners) if done.winners else None)
                for player, score in enumerate(done.scores):
                    assert score.queens == dones["queens"][player]
                    assert score.jacks == dones["jacks"][player]
                    assert score.games == dones["games"][player]
            case _:
                pass


def test_the_course_of_a_hand() -> None:
    """Every message of a hand, in the order of DealerSpec.md 14.2."""
    room = DealerRoom(cuts=True)
    seen = room.players[2].heard
    while not room.players[2].all_of(DoneHand):
        room.answer()
    names = [type(message).__name__ for _, message in seen]
    assert names[:3] == ["RegisterPlayer", "SeatedMessage", "RegisterOpponents"]
    assert names[3:20] == ["NewGame", "DealPromised", "CutMessage", "NewHand", *["TakeCard"] * 13]
    assert names[20:24] == ["DoPass", "LosePass", "TakePass", "TrickBegun"]
    hand = names[24 : names.index("DoneHand") + 1]
    for kind, count in {
        "LoseCard": 13, "CardPlayedMessage": 52, "TrickDone": 13, "HeartsBroken": 1, "DealProof": 1,
    }.items():  # fmt: skip
        assert hand.count(kind) == count
    assert hand.count("LeadCard") + hand.count("PlayCard") == 13
    assert hand.count("TakeTrick") == sum(
        done.trick.winner == 2
        for done in room.players[2].all_of(m.TrickDone)
        if type(done) is m.TrickDone
    )
    for before, after in pairwise(hand):
        if after == "TakeTrick":
            assert before in ("CardPlayedMessage", "HeartsBroken")
        if before == "TakeTrick":
            assert after == "TrickDone"
        if before == "LoseCard":
            assert after == "CardPlayedMessage"


def test_a_deal_follows_from_the_promise_and_the_cuts() -> None:
    room = DealerRoom(cuts=True)
    while not room.players[0].all_of(DoneHand):
        room.answer()
    client = room.players[0]
    (promise, *_), (proof, *_) = client.all_of(DealPromised), client.all_of(m.DealProof)
    assert promise.digest == commitment(proof.secret)
    assert proof.cuts == b"".join(bytes([player + 1] * 8) for player in range(4))
    assert (proof.missing, list(proof.values)) == ((), [each.value for each in room.players])
    assert [hash_of(value) for value in proof.values] == list(promise.hashes)
    dealt = deal_hands(proof.secret, proof.cuts)[0]
    assert mask_of(taken.card for taken in client.all_of(m.TakeCard)[:13]) == dealt


# Coming back


def is_past(message: Told) -> bool:
    """Whether a message comes again to who comes back."""
    return type_of(type(message)) not in ANSWERS and not isinstance(
        message,
        m.AnswerError | RulesRefused | w.PlayerChange | m.SeatedMessage | w.RegisterOpponents,
    )


def standing_of(shown: Sequence[Told]) -> tuple[Score, ...]:
    """The scores of the game and the session so far."""
    scores: tuple[Score, ...] = (Score(0, 0, 0, 0),) * 4
    for message in shown:
        match message:
            case DoneHand():
                scores = message.scores
            case AgainSettled(_, True):
                scores = tuple(Score(0, 0, 0, score.games) for score in scores)
            case _:
                pass
    return scores


def without_time(queries: Iterable[Any]) -> list[Told]:
    """Queries, but for the time that is left."""
    return [replace(query, left=None) for query in queries]


@settings(max_examples=5, deadline=None)
@given(rules=ALL_RULES, steps=st.integers(0, 500), player=st.integers(0, 3), cuts=st.booleans())
def test_what_is_missed_is_told_again(rules: Rules, steps: int, player: int, cuts: bool) -> None:
    """After every hand that the client may have seen, the rest comes again, byte by byte."""
    room = DealerRoom(rules, end=30, cuts=cuts)
    for _ in range(steps):
        room.answer()
    before = room.players[player]
    shown = [message for _, message in before.heard if is_past(message)]
    places = [i for i, message in enumerate(shown) if isinstance(message, DoneHand)]
    for hands in range(room.table.past.hands_scored(player) + 1):
        room.come_back(player, hands, DEALER)
        told = [message for _, message in decoded(room.links[player].take())]
        missed = shown[places[hands - 1] + 1 :] if hands else shown[1:]
        if missed and isinstance(missed[0], m.EndGame):
            # It belongs to the P_DONE_HAND that the client has had.
            del missed[0]
        card = m.ScoreCard(standing_of(shown[: places[hands - 1] + 1] if hands else []))
        begin = told.index(w.Replay(True))
        assert isinstance(told[begin + 1], m.NewGame)
        end = begin + 3 + len(missed)
        assert told[begin + 2 : end + 1] == [card, *missed, w.Replay(False)]
        after = [message for message in told[end + 1 :] if not isinstance(message, w.PlayerChange)]
        assert without_time(after) == without_time(list(before.open.values()))


# Watching


def of_the_table(message: Told) -> bool:
    """Whether a message of a player is one that watchers get too."""
    own = m.LoseCard | m.LosePass | m.TakeCard | m.TakePass | m.TakeTrick
    beside = w.Replay | m.ScoreCard
    return is_past(message) and not isinstance(message, own | beside)


@settings(max_examples=5, deadline=None)
@given(rules=ALL_RULES, steps=st.integers(0, 300))
def test_watchers_see_what_everybody_sees(rules: Rules, steps: int) -> None:
    room = DealerRoom(rules, end=30, cuts=True)
    for _ in range(steps):
        room.answer()
    watched = decoded(room.watched)
    assert {number for number, _ in watched} == {0}
    everybody = [message for _, message in room.players[1].heard if of_the_table(message)]
    assert [message for _, message in watched if of_the_table(message)] == everybody
    late = [message for _, message in decoded(room.watch().take())]
    seated, known, begin, game, standing, *hand, end = late
    assert seated == m.SeatedMessage(WATCHER, GAME, 0, TABLE)
    assert isinstance(known, w.RegisterOpponents)
    assert [begin, end] == [w.Replay(True), w.Replay(False)]
    assert game == [message for message in everybody if isinstance(message, m.NewGame)][-1]
    before = len(everybody) - len(hand)
    assert hand == everybody[before:]
    assert standing == m.ScoreCard(standing_of(everybody[:before]))
    if hand:
        assert isinstance(hand[0], DealPromised)
        assert not any(isinstance(message, DealPromised) for message in hand[1:])


def test_a_watcher_changes_nothing_and_may_ping() -> None:
    seat = WatcherSeat()
    ping = said(Ping(b"?"))
    other = (
        said(Play(0, CARDS[0]), 1, MessageType.PLAY_CARD)
        + said(OpenSeat(0, 1))
        + said(AnswerAgain(0, True))
    )
    for piece in pieces("thirds", ping + other + ping):
        assert seat.receive(piece) == []
    assert decoded(seat.take_replies()) == [(0, m.Pong(b"?"))] * 2
    assert seat.take_replies() == b""
    idle = encode_frame(999, 0, bytes(1000))
    for _ in range(IDLE_BYTES // len(idle)):
        seat.receive(idle)
    assert seat.receive(ping) == []
    for _ in range(IDLE_BYTES // len(idle)):
        seat.receive(idle)
    with pytest.raises(RemoteProtocolError, match="without a ping"):
        seat.receive(idle)


def test_a_ping_of_a_watcher_that_is_too_long_is_dropped() -> None:
    seat = WatcherSeat()
    assert seat.receive(encode_frame(MessageType.PING, 0, bytes(65))) == []
    assert seat.take_replies() == b""
    with pytest.raises(RemoteProtocolError):
        seat.receive(HEADER.pack(MessageType.PING, 0, -1))


# Hidden cards
