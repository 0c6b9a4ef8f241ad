"""A table with clients of both dialects: the test moves the clock, and makes lines durable."""

from __future__ import annotations

import gc
from itertools import repeat
from math import inf
from typing import Any
from weakref import ref

import pytest
from msgspec.structs import replace

from hearts.bots import SimpleBot
from hearts.dealer import messages as m
from hearts.dealer.frames import MessageType
from hearts.errors import Fault
from hearts.game.cards import Card, Suit, cards_of, mask_of
from hearts.game.events import Deal, Play, TrickBegun
from hearts.game.rules import Direction
from hearts.game.view import View, view_of
from hearts.hosting.hosted_client import ConnectionEnd, HostedClient
from hearts.hosting.ports import NoAlarm
from hearts.hosting.rejoin import STEPS_AT_ONCE, Newcomer
from hearts.hosting.waiting_notices import EVERY, FIRST_AFTER
from hearts.plain.seat import OWED_LIMIT, PlainSeat
from hearts.session import table_words as w
from hearts.session.client_registration import RegistrationRequest
from hearts.session.messages import Refusal, TableInfo
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import AbortLater, Presence
from hearts.session.wishes import StartTable
from hearts.table.effects import Change, GameBegun
from hearts.table.inputs import Abort, Chosen, OpenSeat, ProposeAbort, ReplacePlayer
from hearts.table.seat import Kind
from hearts.wire.codec import NAME_LIMIT, encode_ints, encode_str
from tests.dealer.payloads import Told
from tests.dealer.room import decoded, said
from tests.fuzz.follower import Follower, session_for
from tests.table.desk import NAMES

from .desk import COMPUTER, DEALER, GAME, HOME, PLAIN, TABLE, DeskLink, DeskLog, TableDesk


def of_suit(suit: Suit) -> int:
    return mask_of(card for card in cards_of((1 << 52) - 1) if card.suit is suit)


SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
HANDS = [list(cards_of(of_suit(suit))) for suit in SUITS]
CLUBS_FIRST = Deal((of_suit(SUITS[0]), of_suit(SUITS[1]), of_suit(SUITS[2]), of_suit(SUITS[3])))
"""Player 0 has all clubs, and so on."""
TWO_PEOPLE = (PLAIN, DEALER, COMPUTER, COMPUTER)


def desk_of_two(**options: object) -> TableDesk:
    """Ann speaks the plain dialect and is to lead, Bob that of the dealer; nobody passes."""
    desk = TableDesk("pass=never", TWO_PEOPLE, repeat(CLUBS_FIRST), **options)  # type: ignore[arg-type]
    desk.begin()
    return desk


def lead(desk: TableDesk) -> None:
    """Ann acknowledges what she was told, and leads the two of clubs."""
    desk.send(0, encode_ints(0, 0, 0, 0, 0, index_of("2C")))


def index_of(card: str) -> int:
    return sorted(each.wire for each in HANDS[0]).index(Card.parse(card).wire)


def follow(desk: TableDesk) -> None:
    """Bob discards the two of diamonds."""
    query, _ = latest(desk, 1, m.PlayCard)
    desk.send(1, said(Play(0, Card.parse("2D")), query, MessageType.PLAY_CARD))


def latest(desk: TableDesk, player: int, kind: type[Any]) -> tuple[int, Told]:
    told = decoded(b"".join(desk.links[player].pieces))
    return next(each for each in reversed(told) if isinstance(each[1], kind))


def messages(link: DeskLink) -> list[Told]:
    return [message for _, message in decoded(link.take())]


def names_of(link: DeskLink) -> list[str]:
    return [type(message).__name__ for message in messages(link)]


def wires(*cards: str) -> list[int]:
    return [Card.parse(card).wire for card in cards]


def test_one_table_speaks_two_dialects() -> None:
    desk = desk_of_two()
    credentials = desk.credentials(0)
    assert desk.links[0].take() == b"".join(
        [
            encode_ints(GAME, credentials.game_id),
            *(encode_str(name, NAME_LIMIT) for name in NAMES),
            TableInfo(desk.setting.rules, 100, 60, frozenset({2, 3})).encode(),
            encode_ints(*sorted(card.wire for card in HANDS[0]), 0),
            encode_ints(0),
        ]
    )
    ask, seated, players, game, hand, *cards, leader = messages(desk.links[1])
    assert isinstance(ask, m.RegisterPlayer)
    assert seated == m.SeatedMessage(1, GAME, desk.credentials(1).game_id, TABLE)
    assert isinstance(players, w.RegisterOpponents)
    assert [info.name for info in players.players] == list(NAMES)
    assert isinstance(game, m.NewGame)
    assert hand == m.NewHand(1, Direction.HOLD)
    assert {card.card for card in cards if isinstance(card, m.TakeCard)} == set(HANDS[1])
    assert leader == TrickBegun(0)

    lead(desk)
    assert desk.links[0].take() == encode_ints(0)
    follow(desk)
    tally = (0, 1, 0, 0, 0)
    assert desk.links[0].take() == encode_ints(*wires("2D", "2H", "2S"), *tally, 0)
    assert names_of(desk.links[1]) == [
        *("CardPlayedMessage", "PlayCard", "LoseCard", "CardPlayedMessage"),
        *("CardPlayedMessage", "HeartsBroken", "CardPlayedMessage", "TrickDone"),
    ]
    assert desk.store.lines[1:] == [
        *("play 0 2C", "play 1 2D", "play 2 2H computer", "play 3 2S computer"),
    ]


def test_nobody_hears_of_a_choice_that_is_not_durable() -> None:
    desk = desk_of_two(slow=True)
    while desk.store.waiting:
        desk.let_through()
    for link in desk.links[:2]:
        link.take()
    lead(desk)
    assert [line for line, _ in desk.store.waiting] == ["play 0 2C"]
    assert not desk.links[0].take() + desk.links[1].take()
    desk.let_through()
    assert desk.links[0].take() == encode_ints(0)
    assert names_of(desk.links[1]) == ["CardPlayedMessage", "PlayCard"]


def test_who_is_not_asked_is_not_read() -> None:
    desk = desk_of_two()
    assert not desk.links[0].rests
    lead(desk)
    assert desk.links[0].rests
    desk.send(0, encode_ints(0, 0, 0, 0))
    assert desk.links[0].unread
    follow(desk)
    # It is asked again, and its acknowledgements of the trick are read.
    assert not desk.links[0].unread
    assert not desk.links[0].rests
    asked = desk.table.open_question(0, desk.now)
    assert asked is not None
    desk.send(0, encode_ints(0, index_of("3C")))
    assert desk.store.lines[-1] == "play 0 3C"


def test_who_has_chosen_is_not_read_while_that_is_stored() -> None:
    desk = desk_of_two(slow=True)
    while desk.store.waiting:
        desk.let_through()
    lead(desk)
    assert desk.store.waiting
    assert desk.links[0].rests


def test_who_has_chosen_wrongly_is_read_on() -> None:
    desk = desk_of_two(slow=True)
    while desk.store.waiting:
        desk.let_through()
    desk.send(0, encode_ints(0, 0, 0, 12))
    assert not desk.store.waiting
    assert not desk.links[0].rests


def test_who_comes_back_and_sends_another_card_hears_which_one_was_played() -> None:
    desk = desk_of_two()
    lead(desk)
    follow(desk)
    desk.store.slow = True
    desk.send(0, encode_ints(0, 0, 0, 0, 0, index_of("3C")))
    assert [line for line, _ in desk.store.waiting] == ["play 0 3C"]
    desk.leave(0)
    desk.come_back(0, 0)
    desk.links[0].take()
    # The last of these is for a card, and not the three.
    assert index_of("3C") != 0
    seat = desk.clients[0].place
    assert isinstance(seat, PlainSeat)
    while seat.owes:
        desk.send(0, encode_ints(0))
    desk.let_through()
    assert desk.links[0].take() == encode_ints(index_of("3C") + 1)


# The clock


class Bell:
    """What wakes a table."""

    deadline = inf


def test_the_alarm_is_set_no_later_than_somethings_time() -> None:
    desk = desk_of_two()
    bell = desk.host.alarm = Bell()
    lead(desk)
    assert bell.deadline == desk.host.due == FIRST_AFTER
    desk.now = FIRST_AFTER
    desk.host.wake(desk.now)
    assert desk.host.due == FIRST_AFTER + EVERY
    desk.host.stop("the server shuts down")
    assert bell.deadline == -inf


def test_time_is_up() -> None:
    desk = desk_of_two()
    desk.send(0, encode_ints(0, 0, 0, 0, 0))
    desk.links[0].take()
    desk.wait(59.9)
    assert not desk.links[0].take()
    assert isinstance(latest(desk, 1, w.Waiting)[1], w.Waiting)
    desk.wait(0.2)
    assert desk.store.lines[-1] == "play 0 2C clock"
    assert desk.links[0].take() == encode_ints(index_of("2C") + 1)
    assert desk.now < desk.host.due < inf


def test_a_client_that_was_told_much_at_once_is_hurried_by_its_first_acknowledgement() -> None:
    # With Nagle's algorithm its next ones, and its choice, wait until that one is confirmed.
    desk = desk_of_two()
    assert desk.clients[0].place.asked
    before = desk.links[0].quick_acks
    for acknowledgement in range(1, 4):
        desk.send(0, encode_ints(0))
        assert desk.links[0].quick_acks == before + acknowledgement


# Watchers


def test_watchers_see_all_a_while_later() -> None:
    desk = desk_of_two(watch_delay=30.0)
    watcher = desk.watch()
    assert names_of(watcher) == ["SeatedMessage", "RegisterOpponents"]
    desk.wait(20)
    lead(desk)
    desk.wait(9.9)
    assert not watcher.take()
    desk.wait(0.1)
    begin, *past, end = messages(watcher)
    assert [begin, end] == [w.Replay(True), w.Replay(False)]
    assert not any(isinstance(message, m.CardPlayedMessage) for message in past)
    desk.wait(19.9)
    assert not watcher.take()
    desk.wait(0.1)
    (played,) = messages(watcher)
    assert isinstance(played, m.CardPlayedMessage)
    assert (played.player, played.card) == (0, Card.parse("2C"))
    desk.host.notice("The server shuts down.")
    assert messages(watcher) == [w.ServerNotice("The server shuts down.")], "at once"
    desk.leave(0)
    assert not watcher.take()
    desk.wait(30)
    assert Change.LEFT in [
        each.change for each in messages(watcher) if isinstance(each, w.PlayerChange)
    ]


def test_the_alarm_rings_for_a_watcher_of_a_table_where_nothing_happens() -> None:
    desk = desk_of_two(watch_delay=0.1)
    desk.host.alarm = alarm = NoAlarm()
    assert desk.host.due > desk.now + 0.1
    desk.watch()
    assert alarm.deadline == desk.now + 0.1


def test_a_watcher_is_let_go_when_he_has_seen_the_end() -> None:
    desk = desk_of_two(watch_delay=30.0)
    watcher = desk.watch()
    desk.wait(30)
    watcher.take()
    desk.host.end("enough")
    desk.host.watchers.close()
    assert not watcher.take()
    with pytest.raises(RegistrationEnded):
        desk.watch()
    assert desk.host.watchers.due == 60
    desk.host.watchers.show(60)
    assert messages(watcher) == [w.AbortGame(AbortLater.NOTHING, "enough")]
    desk.host.watchers.dismiss()
    assert watcher.ending


# Comings and goings


@pytest.mark.parametrize("player", [0, 1])
def test_a_table_that_has_ended_is_gone_without_a_garbage_collector(player: int) -> None:
    gc.disable()
    try:
        desk = desk_of_two(watch_delay=1.0)
        desk.watch()
        lead(desk)
        desk.leave(player)
        desk.come_back(player, 0)
        desk.host.end("enough")
        desk.host.watchers.dismiss()
        left = ref(desk.host)
        del desk.host
        assert left() is None
    finally:
        gc.enable()


def test_a_client_that_breaks_the_protocol_is_dropped_alone() -> None:
    desk = desk_of_two(grace=10.0)
    assert isinstance(desk.log, DeskLog)
    desk.links[1].take()
    desk.send(0, encode_ints(0, 0, 3))
    assert desk.links[0].ending
    assert "dropped" in desk.log.events
    (left,) = messages(desk.links[1])
    assert isinstance(left, w.PlayerChange)
    assert (left.info.name, left.info.presence) == ("Ann", Presence.AWAY)
    while len(desk.store.lines) == 1:
        desk.wait(1)
    assert desk.store.lines[-1] == "play 0 2C stand-in"
    follow(desk)
    assert "play 1 2D" in desk.store.lines


def test_a_client_that_owes_too_much_is_dropped_in_the_middle_of_a_turn() -> None:
    """The others hear of the card that it could not be told."""
    desk = TableDesk("pass=never", (PLAIN, PLAIN, COMPUTER, COMPUTER), limit=1, end=10_000)
    desk.begin()
    silent, good = desk.links[0], desk.links[1]
    client = Follower(session_for(RegistrationRequest(NAMES[1], 1)))
    client.receive(encode_ints(1, 1))
    while not silent.ending:
        heard = good.take()
        desk.send(1, client.receive(heard))
        if not good.pieces:
            desk.wait(1)
    assert desk.clients[0].outcome is ConnectionEnd.PROTOCOL
    assert OWED_LIMIT - 20 < len(silent.pieces) < OWED_LIMIT
    assert not good.ending
    lines = len(desk.store.lines)
    for _ in range(20):
        desk.send(1, client.receive(good.take()))
        desk.wait(200)
    assert len(desk.store.lines) > lines + 20


@pytest.mark.parametrize("dialect", [PLAIN, DEALER])
def test_what_was_missed_is_told_a_few_steps_at_a_time(dialect: str) -> None:
    """The table plays on meanwhile, and that is told as well."""
    desk = TableDesk("standard", (dialect, PLAIN, COMPUTER, COMPUTER), end=10_000, limit=20)
    desk.begin()
    clients = [follower(player, d) for player, d in enumerate((dialect, PLAIN))]
    play(desk, clients, hands=4)
    before = clients[0]
    desk.leave(0)
    progress = before.progress[0]
    decided, recall = desk.call_back(0, progress.hands, dialect)
    slices = 1
    recall.send_some()
    while not recall.is_over:
        returning = desk.clients[0].seat
        assert returning is not None
        assert not returning.owes_recalled_choice, "what decides it is told with it"
        play(desk, clients[1:], steps=2)
        desk.wait(25)
        recall.send_some()
        slices += 1
    assert slices > 52 * 4 // STEPS_AT_ONCE
    assert desk.host.rejoin.sit_again(recall)
    desk.do_due()
    replies = encode_ints(0, 1, *[1] * (dialect == DEALER), 1 + decided)
    request = replace(RegistrationRequest.to_come_back(progress), dealer=dialect == DEALER)
    back = clients[0] = Follower(session_for(request))
    back.receive(replies)
    hands = desk.table.past.hands_scored()
    play(desk, clients, hands=hands + 1)
    assert len(back.progress) == len(before.progress[1:]) + 2
    back.check_same_hand(before)
    assert not desk.links[0].ending


def follower(player: int, dialect: str) -> Follower:
    """A client that behaves, registered."""
    is_dealer = dialect == DEALER
    client = Follower(session_for(RegistrationRequest(NAMES[player], player, dealer=is_dealer)))
    client.receive(encode_ints(player, 1, *[1] * is_dealer))
    return client


def play(desk: TableDesk, clients: list[Follower], hands: int = 99, steps: int = 10_000) -> None:
    """Let clients answer whatever they are told, until so many hands are scored."""
    for _ in range(steps):
        if desk.table.past.hands_scored() >= hands:
            return
        for client in clients:
            player = client.session.player
            data = desk.links[player].take()
            if data and (answer := client.receive(data)):
                desk.send(player, answer)


def test_who_comes_back_hears_what_became_of_the_seats_meanwhile() -> None:
    desk = TableDesk("standard", (DEALER, DEALER, PLAIN, COMPUTER), end=10_000)
    desk.begin()
    clients = [follower(player, d) for player, d in enumerate((DEALER, DEALER, PLAIN))]
    play(desk, clients, hands=2)
    desk.leave(0)
    _, recall = desk.call_back(0, 0, DEALER)
    recall.send_some()
    assert not recall.is_over
    desk.leave(1)
    while not recall.is_over:
        recall.send_some()
    assert desk.host.rejoin.sit_again(recall)
    changes = [each for each in messages(desk.links[0]) if isinstance(each, w.PlayerChange)]
    assert [(each.change, each.info.name, each.info.presence) for each in changes] == [
        (Change.LEFT, "Bob", Presence.AWAY),
        (Change.BACK, "Ann", Presence.THERE),
    ]


def test_who_claims_a_seat_last_has_it() -> None:
    desk = desk_of_two()
    first = desk.host.rejoin.claim(desk.credentials(0), 0)
    desk.come_back(0, 0)
    with pytest.raises(RegistrationEnded, match="claimed on another connection"):
        desk.host.rejoin.come_back(first, desk.clients[0])


def test_who_is_on_the_way_back_to_a_seat_that_a_computer_gets_is_let_go() -> None:
    desk = TableDesk("standard", (DEALER, PLAIN, PLAIN, COMPUTER), end=10_000)
    desk.begin()
    others = [follower(0, DEALER), follower(2, PLAIN)]
    desk.leave(1)
    desk.wait(100)
    desk.give(ReplacePlayer(0, 1))
    desk.give(ReplacePlayer(2, 1))
    _, recall = desk.call_back(1, 0)
    play(desk, others, hands=1)
    assert desk.clients[1].outcome is ConnectionEnd.REMOVED
    assert not desk.host.rejoin.sit_again(recall)
    cleo = desk.clients[2].seat
    assert cleo is not None
    info = TableInfo(desk.setting.rules, 10_000, 60, frozenset({1, 3}))
    assert cleo.encode_event(GameBegun(desk.setting)) == info.encode()


def waits_for_seat(desk: TableDesk, dialect: str) -> tuple[DeskLink, Newcomer]:
    """Somebody who has registered for the open seat of a computer."""
    desk.give(OpenSeat(0, 2))
    link = DeskLink()
    client = HostedClient(link, HOME, desk.log)
    client.take_seat(2, dealer=dialect == DEALER)
    newcomer = desk.host.rejoin.hold(client)
    desk.host.rejoin.register(newcomer, "Eve", 500)
    desk.do_due()
    return link, newcomer


@pytest.mark.parametrize("dialect", [PLAIN, DEALER])
def test_who_waits_for_a_seat_when_the_server_shuts_down_may_try_again(dialect: str) -> None:
    desk = desk_of_two()
    link, _ = waits_for_seat(desk, dialect)
    desk.host.stop("the server shuts down")
    assert encode_ints(Refusal.SHUTTING_DOWN) in link.take()
    assert link.ending


def test_who_leaves_while_the_seat_is_stored_is_away() -> None:
    desk = TableDesk("standard", (DEALER, *[COMPUTER] * 3), end=10_000, slow=True)
    desk.begin()
    ann = follower(0, DEALER)
    _, newcomer = waits_for_seat(desk, PLAIN)
    while not (desk.store.waiting and desk.store.waiting[0][0].startswith("seat ")):
        play(desk, [ann], steps=1)
        if desk.store.waiting:
            desk.let_through()
    desk.host.rejoin.leave(newcomer)
    desk.let_through()
    eve = desk.table.seats[2]
    assert (eve.name, eve.kind, eve.connected) == ("Eve", Kind.CLIENT, False)


# Errors


class FailingBot(SimpleBot):
    """Passes well, and then breaks."""

    def choose_card(self, view: View) -> Card:
        raise RuntimeError("this bot is broken")


class CheatingBot(SimpleBot):
    """Passes a card three times."""

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        return (view.cards[0],) * 3


@pytest.mark.parametrize("bot", [FailingBot, CheatingBot])
def test_a_bot_that_fails_ends_its_table_alone(bot: type[SimpleBot]) -> None:
    log = DeskLog(keeps_errors=True)
    bots = [SimpleBot(), bot(), SimpleBot(), SimpleBot()]
    desk = TableDesk(dialects=(PLAIN, COMPUTER, COMPUTER, COMPUTER), bots=bots, log=log)
    desk.begin()
    play(desk, [follower(0, PLAIN)])
    assert desk.host.is_over
    assert desk.links[0].ending
    assert log.events.count("table-failed") == 1
    assert not desk.store.end_told, "it may be taken up again"


def test_a_wish_that_nobody_answers_is_declined_once_the_table_has_begun() -> None:
    link = DeskLink()
    client = HostedClient(link, "127.0.0.1", DeskLog())
    client.take_seat(0, dealer=True)
    client.receive(said(StartTable(0)) + said(ProposeAbort(0, Abort.HAND)))
    asked, declined = messages(link)
    assert isinstance(asked, m.RegisterPlayer)
    assert (declined.type, declined.reason) == (MessageType.PROPOSE_ABORT, Fault.NOT_NOW)
    assert client.seat is not None
    client.attach(lambda given: None, client.seat)
    (declined,) = messages(link)
    assert (declined.type, declined.reason) == (223, Fault.NOT_NOW)


def test_computers_choose_in_the_step_of_the_person_before_them() -> None:
    desk = TableDesk("pass=never", (PLAIN, COMPUTER, COMPUTER, COMPUTER))
    desk.begin()
    for _ in range(12):
        view = view_of(desk.table.game, 0)
        desk.host.give(Chosen(0, Play(0, view.legal_cards[0])))
        assert desk.table.game.waiting_for() == (0,), "the others have played"
        assert desk.host.due > desk.now, "none of them waits for a turn of the event loop"
