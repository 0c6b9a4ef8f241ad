"""The tables of SocketSpec.md against the code."""

from __future__ import annotations

import hashlib
import hmac

import pytest

import hearts.net.link
import hearts_server.config
import hearts_server.ending
import hearts_server.server
import taunt_server.config
from hearts import limits as guesses
from hearts.dealer import frames, listener, message, structures, watcher
from hearts.errors import IllegalAction, Reason, RemoteProtocolError
from hearts.game import proof
from hearts.game.cards import CARDS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, Suit, by_wire, mask_of
from hearts.game.deal import NO_CUTS, commitment, deal_code, deal_hands, parse_deal_code
from hearts.game.kernel import HandPlay
from hearts.game.rules import (
    DEFAULT_END_SCORE,
    END_SCORES,
    PRESETS,
    Direction,
    Moon,
    Rules,
    parse_rules,
    rules_from_bits,
)
from hearts.game.scoring import add_points, hand_points
from hearts.hosting import waiting_notices as waiting
from hearts.hosting import watchers
from hearts.limits import (
    FIRST_TABLES,
    REFUSED_AT_ONCE,
    RESERVE,
    RESERVE_PER_ADDRESS,
    news,
    work,
)
from hearts.net.sockets import _KEEPALIVE
from hearts.net.tls import _ALERT, HANDSHAKE_LIMIT
from hearts.plain import seat
from hearts.session import messages, registration
from hearts.session.messages import Refusal, Tag
from hearts.table import COMPUTER_NAMES, ballot, bound
from hearts.table import seat as clocks
from hearts.taunt import messages as taunts
from hearts.taunt import server as taunt_sessions
from hearts.wire.codec import NAME_LIMIT, TEXT_LIMIT
from hearts.wire.credentials import issue
from hearts_server.lobby import arrival, known_networks, registering, sessions, waiting_line
from hearts_server.table import running
from taunt_server import connection, limits, room

from .spec import Row, numbers, sections, table, tables

CONFIG = hearts_server.config.Config()


def test_cards() -> None:
    suits = ["hearts", "clubs", "diamonds", "spades"]
    shown = {row[suit] for row in table("8") for suit in suits}
    assert shown == {f"{card.wire} {card}" for card in CARDS}
    for row in table("8"):
        assert [row[suit][-1] for suit in suits] == ["H", "C", "D", "S"]
        assert {row[suit][-2] for suit in suits} == {row["rank"][0]}


def test_directions() -> None:
    for row in table("1.5"):
        direction = Direction(int(row["direction"]))
        assert row["name"] == direction.name.lower()
        passes = row["player p passes to"]
        step = 0 if passes == "nobody" else int(passes.removeprefix("(p+").removesuffix(") mod 4"))
        assert [direction.target(player) for player in range(4)] == [
            (player + step) % 4 for player in range(4)
        ]


def test_ports() -> None:
    ports = {row["server"]: int(row["default port"]) for row in table("1.1")}
    assert ports == {"game server": CONFIG.port, "taunt server": CONFIG.taunt_port}
    assert CONFIG.taunt_port == taunt_server.config.DEFAULT_PORT


# Registration


def test_option_blocks() -> None:
    rows = table("3.3")
    tags = [int(row["tag"].split()[0]) for row in rows]
    assert set(tags) == {*Tag, messages.FIRST_RESERVED_TAG}
    known = tags[:-1]
    ranks = [registration._RANKS[tag] for tag in known]
    assert ranks == sorted(ranks), "the table has the order in which they are sent"
    for row, tag in zip(rows, known, strict=False):
        payload = row["payload"]
        if "str" not in payload:
            expected = 0 if payload == "none" else payload.count("int ")
            assert registration._PAYLOAD_INTS[tag] == expected, row


def test_reserved_option_blocks() -> None:
    assert [row["tag"] for row in table("12")] == [f"{messages.FIRST_RESERVED_TAG} and below"]


def test_refusals() -> None:
    assert [int(row["code"]) for row in table("3.7")] == list(Refusal)


def test_options() -> None:
    meant = {row["bits of options"] for row in table("3.4")}
    assert meant == {"0", "1-3", "4-5", "6-7", "8-19", "20", "21-31"}
    decode = messages.Options.decode
    hearts = 1 << 4
    assert decode((hearts | 0b1010, 0, 0)).computers == {1, 3}
    assert decode((hearts | 0b1100_0000, 0, 0)) == messages.Options()
    assert decode((hearts | 1 << 8, 0, 0)).rules is None
    assert decode((hearts | 1 << 20 | 1 << 8, 0, 0)).rules == Rules(jack=True)
    for other in (0, 2 << 4, 3 << 4):
        with pytest.raises(RemoteProtocolError, match="bits 4-5"):
            decode((other, 50, 30))
    assert decode((hearts, 50, 14)).turn_limit is None
    assert decode((hearts, 50, 15)).turn_limit == 15


# Statuses and rules


def test_reasons() -> None:
    assert [int(row["status"]) for row in table("6.4")] == sorted(Reason, reverse=True)


def test_rule_bits_and_tokens() -> None:
    rows = tables("6.1")[0]
    seen = 0
    for row in rows:
        bits, value, token = row["bits"], int(row["value"]), row["token"]
        low = int(bits.split("-")[0])
        rules = rules_from_bits(value << low)
        assert rules == parse_rules(token), row
        assert rules.bits == value << low
        assert str(rules) == (token if value else "standard")
        seen |= value << low
    assert seen == rules_bits_used()


def rules_bits_used() -> int:
    """Bits 8-19 without those that only value 3 of a field without a meaning would need."""
    return sum(1 << bit for bit in range(8, 20))


def test_presets() -> None:
    rows = table("6.2")
    assert [row["preset"] for row in rows] == list(PRESETS)
    for row in rows:
        rules = parse_rules(row["preset"])
        assert rules == parse_rules(row["the same as"])
        assert str(rules) == row["the same as"]
        assert rules.bits == int(row["bits as a number"])


LEGAL = table("6.3")


@pytest.mark.parametrize("row", LEGAL, ids=lambda row: " ".join(row.values()))
def test_legal_cards(row: Row) -> None:
    rules = parse_rules(row["rules"])
    trick = [Card.parse(word) for word in row["trick"].split() if word != "-"]
    hand = mask_of(Card.parse(word) for word in row["hand"].split())
    played = 0 if row["first trick"] == "yes" else 4
    leader = (4 - len(trick)) % 4
    play = HandPlay([hand, 0, 0, 0], rules, leader)
    play.played = played
    play.broken = row["broken"] == "yes"
    for place, card in enumerate(trick):
        play.hands[(leader + place) % 4] |= 1 << card
        play.play(card)
    play.broken = row["broken"] == "yes"
    assert play.turn == 0
    status = 0
    try:
        play.check(Card.parse(row["card"]))
    except IllegalAction as error:
        status = error.reason
    assert status == int(row["status"])


SCORING = table("6.7")


@pytest.mark.parametrize("row", SCORING, ids=lambda row: " ".join(row.values()))
def test_scoring(row: Row) -> None:
    rules = parse_rules(row["rules"])
    hearts = [card for card in CARDS if card.suit is Suit.HEARTS]
    taken = []
    for count in numbers(row["hearts"]):
        taken.append(mask_of(hearts[:count]))
        hearts = hearts[count:]
    taken[int(row["queen"])] |= 1 << QUEEN_OF_SPADES
    taken[int(row["jack"])] |= 1 << JACK_OF_DIAMONDS
    for player, tricks in enumerate(numbers(row["tricks"])):
        if tricks and not taken[player]:
            taken[player] = 1 << Card.parse("2C")
        assert bool(tricks) == bool(taken[player])
    on_others = rules.moon is Moon.OTHERS if row["choice"] == "-" else row["choice"] == "1"
    points = hand_points(taken, rules, on_others)
    assert list(points) == numbers(row["points"])
    a, b, c, d = numbers(row["before"])
    outcome = add_points((a, b, c, d), points, rules, int(row["end"]))
    assert list(outcome.scores) == numbers(row["after"])
    assert ("yes" if outcome.over else "no") == row["over"]
    assert list(outcome.winners) == numbers(row["winners"])


# Deals and credentials


def test_deals() -> None:
    vectors, steps = tables("7.5")
    assert len(vectors) >= 4
    for row in vectors:
        secret = bytes.fromhex(row["secret"])
        assert deal_code(secret) == row["deal code"]
        assert parse_deal_code(row["deal code"]) == secret
        for player, hand in enumerate(deal_hands(secret)):
            assert [card.wire for card in by_wire(hand)] == numbers(row[f"player {player}"])
    values = {row["value"]: row["hex"] for row in steps}
    key = hashlib.sha256(b"hearts deal 1" + bytes(16) + NO_CUTS).digest()
    assert values["key"] == key.hex()
    for block in range(2):
        digest = hashlib.sha256(key + block.to_bytes(4, "big")).hexdigest()
        assert values[f"block {block}"] == digest


def test_commitments() -> None:
    vectors, notices = table("7.6"), table("B")
    assert len(vectors) >= 4
    for row in vectors:
        secret = bytes.fromhex(row["secret"])
        assert hashlib.sha256(secret).hexdigest() == row["commitment"]
        assert commitment(secret).hex() == row["commitment"]
        assert deal_code(secret) == row["deal code"]
    promise, told, cut = (row["notice"].strip("`") for row in notices)
    secret, cuts = bytes(range(16)), bytes(range(8)) + bytes(24)
    for form, notice in (
        (promise, proof.commitment_notice(3, secret)),
        (told, proof.disclosure_notice(3, secret)),
        (cut, proof.disclosure_notice(3, secret, cuts)),
    ):
        values = {"N": "3", "H": commitment(secret).hex(), "C": deal_code(secret), "X": cuts.hex()}
        assert notice == " ".join(values.get(word, word) for word in form.split(" "))
        assert f"\n{notice}\n" in sections()["B"]


def test_game_ids() -> None:
    for row in table("9.5"):
        secret = bytes.fromhex(row["secret"])
        ints = [int(row[name]) for name in ("game number", "player", "process id")]
        message = b"".join(value.to_bytes(4, "big", signed=True) for value in ints)
        assert hmac.new(secret, message, hashlib.sha256).hexdigest() == row["hmac"]
        assert issue(secret, *ints).game_id == int(row["game id"])


# Limits


LIMITS: dict[str, float] = {
    "port of the game server": CONFIG.port,
    "port of the taunt server": CONFIG.taunt_port,
    "tables at the same time, at most": CONFIG.max_tables,
    "connections from one address, at most (0: no limit)": CONFIG.max_per_address,
    "hands of a session, at most (0: no limit)": CONFIG.max_hands,
    "hands before that from which no other game begins": bound.LAST_HANDS,
    "work for what nobody waits for, each second and connection (0: no limit)": (
        CONFIG.work_per_connection
    ),
    "pause of reading from a connection that caused more, at most": work.LONGEST_PAUSE,
    "bytes of what a client missed that wait for it when it is told more, at most": (
        running.BACKLOG_AT_MOST
    ),
    "time for it to read so far": running.READING_LIMIT,
    "unfinished tables that were opened from one IPv4 address, at most (0: no limit)": (
        CONFIG.tables.ipv4[0]
    ),
    "from its /24": CONFIG.tables.ipv4[1],
    "unfinished tables that were opened from one IPv6 /64, at most (0: no limit)": (
        CONFIG.tables.ipv6[0]
    ),
    "from its /56": CONFIG.tables.ipv6[1],
    "from its /48": CONFIG.tables.ipv6[2],
    "first tables of a network that never end early to make room": FIRST_TABLES,
    "other tables may do so without any client after": hearts_server.server.ROOM_AFTER,
    "connections that one address may open at once": CONFIG.accept_burst,
    "and in a second from then on (0: no limit)": CONFIG.accept_rate,
    "length of a player's name, at most": NAME_LIMIT,
    "length of a table's name, at most": NAME_LIMIT,
    "length of any other text, at most": TEXT_LIMIT,
    "option blocks, at most": messages.MAX_OPTION_BLOCKS,
    "payload of an unknown option block, at most": TEXT_LIMIT,
    "tables in a list, at most": messages.MAX_LISTED_TABLES,
    "wait for the Player ID, at most": waiting_line.WAIT_LIMIT,
    "from Player ID to Process ID, at most": arrival.REGISTRATION_LIMIT,
    "a seat that waits for a Process ID yields to others after": registering.YIELDS_AFTER,
    "to others in another network, if it is not the first of its own": (
        registering.SECOND_YIELDS_AFTER
    ),
    "people of a network who may be unregistered before their seats yield at once": (
        registering.FRIENDS
    ),
    "a public table is filled with computers after": CONFIG.fill_after,
    "end of game, at least": END_SCORES.start,
    "end of game, at most": END_SCORES.stop - 1,
    "end of game, default": DEFAULT_END_SCORE,
    "turn limit in block -2, at least": messages.TURN_LIMITS.start,
    "turn limit in block -2, at most": messages.TURN_LIMITS.stop - 1,
    "turn limit, default": CONFIG.turn_limit,
    "a clock starts at the latest after": clocks.OWING_LIMITS,
    "lost to the clock for one player in one hand, at most": clocks.LOST_LIMITS,
    "short limit": clocks.HURRIED_LIMIT,
    "the illegal try for one choice that makes the server decide": clocks.MAX_TRIES,
    "grace period before a stand-in plays": CONFIG.grace,
    "a table without any client ends after": CONFIG.pause_limit,
    "a session that is over can be come back to for, at most": sessions.FINISHED_KEPT,
    "connections beyond the limits that may come back, in all": RESERVE,
    "connections beyond the limits that may come back, from one address": RESERVE_PER_ADDRESS,
    "the same, from Player ID to Process ID, at most": arrival.RESERVE_LIMIT,
    "wrong passwords of an address that cost no time": guesses.FREE_TRIES,
    "time for each one more in block -7": guesses.WORD_INTERVAL,
    "passwords that are looked at in a second, of all addresses": guesses.WORDS_A_SECOND,
    "longest wait of a block -7": guesses.LONGEST_WORD_WAIT,
    "an address is known after the right password for": known_networks.KNOWN_FOR / 86400,
    "wrong numbers in block -5 from an address that cost no time": guesses.FREE_TRIES,
    "time for each one more in block -5": guesses.GUESS_INTERVAL,
    "time between two tries for one seat that are looked at": guesses.SEAT_INTERVAL,
    "longest wait of a block -5": guesses.LONGEST_WAIT,
    "hands that are played when the server shuts down, at most": hearts_server.ending.DRAIN_LIMIT,
    "bytes that wait until they are due, at most": seat.EARLY_LIMIT,
    "bytes of frames that wait until the answer before them is taken up, at most": (
        listener.EARLY_LIMIT
    ),
    "acks owed, at most": seat.OWED_LIMIT,
    "bytes waiting for a slow reader, at most": hearts.net.link.BACKLOG_LIMIT,
    "reading on before a connection is closed, at most": hearts.net.link.LINGER,
    "length of a taunt, at most": taunts.TAUNT_LIMIT,
    "length of a taunt that is dropped with a notice, at most": taunts.DISCARD_LIMIT,
    "taunts of a player in 30 s, at most": limits.TAUNTS,
    "time over which taunts are counted": limits.TAUNT_WINDOW,
    "time between two notices about too many taunts, at least": limits.TAUNT_WINDOW,
    "from connecting to the taunt server to registering, at most": connection.REGISTRATION_SECONDS,
    "taunt connections of a seat, at most": room.CONNECTIONS_PER_SEAT,
    "notices of a game that are sent to who registers later, at most": room.NOTICES_KEPT,
    "of these about deals, at most": room.DEALS_KEPT,
    "changes of a player's coming and going that are told at once, at most": news.NEWS_AT_ONCE,
    "time for each one more that is told": news.NEWS_EVERY,
    "notices that nobody hears are kept for": room.NOTICES_SECONDS,
    "wrong registrations of an address at the taunt server that cost no time": guesses.FREE_TRIES,
    "time for each one more": guesses.GUESS_INTERVAL,
    "time between two registrations for one seat that are answered after wrong ones": (
        guesses.SEAT_INTERVAL
    ),
    "longest wait of a registration at the taunt server": guesses.LONGEST_WAIT,
    "payload of a frame of a client, at most": frames.CLIENT_PAYLOAD_LIMIT,
    "payload of a frame of the server, at most": frames.SERVER_PAYLOAD_LIMIT,
    "payload of a ping, at most": message.PING_LIMIT,
    "answers that cannot be taken, between two that were, at most": listener.USELESS_LIMIT,
    "time to cut a deal, at most": clocks.CUT_LIMIT,
    "cuts in a row without an answer before none is asked for": clocks.MOST_UNCUT,
    "time to agree to other rules, or to break off what is played": ballot.VOTE_LIMIT,
    "proposals in a game, at most": ballot.MOST_PROPOSALS,
    "first P_WAITING after": waiting.FIRST_AFTER,
    "the next ones every": waiting.EVERY,
    "length of a player's comment about himself, at most": structures.COMMENT_LIMIT,
    "watchers of a table, at most": watchers.MOST_WATCHERS,
    "delay for watchers": CONFIG.watch_delay,
    "bytes that a watcher may send between two pings, at most": watcher.IDLE_BYTES,
}


def clock_ends() -> tuple[int, int]:
    return messages.TURN_LIMITS[0], messages.TURN_LIMITS[-1]


def test_limits() -> None:
    rows = table("11")
    assert {row["what"]: float(row["value"]) for row in rows} == LIMITS
    assert CONFIG.end_score == DEFAULT_END_SCORE
    assert taunt_sessions.EARLY_LIMIT == seat.EARLY_LIMIT


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("1.4", f"{TEXT_LIMIT} bytes without the NUL (length 1 to {TEXT_LIMIT + 1})"),
        ("1.4", f"has 1 to {NAME_LIMIT} bytes"),
        ("1.7", f"for up to {hearts.net.link.LINGER:g} s"),
        ("3.3", f"At most {messages.MAX_OPTION_BLOCKS} blocks in all"),
        ("3.4", f"1 to {END_SCORES[-1]}; 0 means the host's own ({DEFAULT_END_SCORE} unless"),
        ("3.4", "{0} to {1}; anything below {0}".format(*clock_ends())),
        ("3.7", f"{RESERVE} connections in all and {RESERVE_PER_ADDRESS} for an address"),
        ("3.7", f"{CONFIG.accept_burst} at once and {CONFIG.accept_rate} a second"),
        ("3.10", f"After {registering.YIELDS_AFTER:g} s it is given to others too"),
        ("3.10", f"to wait yields after {registering.SECOND_YIELDS_AFTER:g} s, and at once"),
        ("5.5", f"after {hearts_server.server.ROOM_AFTER:g} s, but only if"),
        ("5.5", f"has more than {FIRST_TABLES} unfinished tables"),
        ("3.7", f"beyond {REFUSED_AT_ONCE} more the connection is closed"),
        ("3.7", f"not sent its Process ID after {arrival.RESERVE_LIMIT:g} s"),
        ("5.5", f"for {CONFIG.pause_limit:g} s (unless the host says otherwise)"),
        ("5.6", f"come back for up to {sessions.FINISHED_KEPT:g} s"),
        ("3.3", f"{guesses.FREE_TRIES} of an address cost no time"),
        ("3.3", f"together {guesses.WORDS_A_SECOND} a second are looked at"),
        ("3.3", f"longer than {guesses.LONGEST_WORD_WAIT:g} s the refusal is -2"),
        ("5.6", f"{guesses.FREE_TRIES} wrong tries cost no time, after that one in "),
        ("5.6", f"that one in {guesses.GUESS_INTERVAL:g} s is looked at"),
        ("5.6", f"wait longer than {guesses.LONGEST_WAIT:g} s is refused with -2"),
        ("3.10", f"Nobody waits more than {waiting_line.WAIT_LIMIT:g} s"),
        ("3.10", f"still forming {CONFIG.fill_after:g} s"),
        ("3.10", f"you have {arrival.REGISTRATION_LIMIT:g} s; else -106"),
        ("5.1", f"up to {seat.OWED_LIMIT} of them"),
        ("5.4", f"you have {clocks.HURRIED_LIMIT:g} s (or the turn limit"),
        ("5.5", f"{CONFIG.grace:g} s unless the host says otherwise"),
        (
            "9.2",
            f"within {connection.REGISTRATION_SECONDS:g} s. After {guesses.FREE_TRIES} wrong",
        ),
        ("9.2", f"one answer in {guesses.GUESS_INTERVAL:g} s"),
        ("B", f"the last {room.DEALS_KEPT} about deals"),
        ("B", f"the last {room.OTHERS_KEPT} others, at most"),
        ("B", f"{news.NEWS_AT_ONCE} changes at once, then one in {news.NEWS_EVERY:g} s"),
        ("14.3", f"a player {news.NEWS_AT_ONCE} come at once, then every {news.NEWS_EVERY:g} s"),
        ("B", f"for {room.NOTICES_SECONDS:g} s after its last one"),
        ("9.3", f"more than {limits.TAUNTS} of all these in {limits.TAUNT_WINDOW:g} s"),
        ("9.6", f"more than {hearts.net.link.BACKLOG_LIMIT} bytes"),
        ("10", f"more than {hearts.net.link.BACKLOG_LIMIT} bytes"),
        ("10", f"more than {seat.EARLY_LIMIT} bytes after the Process ID"),
        ("10", f"up to {seat.EARLY_LIMIT} bytes before they are due"),
        ("10", f"more than {listener.EARLY_LIMIT} bytes behind an answer"),
        ("1.1", f"the handshake has {HANDSHAKE_LIMIT:g} s"),
        ("1.1", f"Read as an int, `{_ALERT[:4].hex(' ')}` is {int.from_bytes(_ALERT[:4], 'big')}"),
        ("1.6", f"was silent for {dict(_KEEPALIVE)['TCP_KEEPIDLE']} s"),
        ("3.8", ", ".join(COMPUTER_NAMES[:3]) + " and " + COMPUTER_NAMES[3]),
    ],
)
def test_limits_in_the_text_are_those_of_the_table(section: str, words: str) -> None:
    assert words in sections()[section]
