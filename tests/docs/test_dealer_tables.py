"""The tables of DealerSpec.md section 14 against the dealer dialect's code.

The tables are data here: a golden payload is read as its row says, and the same bytes by the codec.
"""

from __future__ import annotations

import re
from typing import get_args

from hearts.dealer import frames as f
from hearts.dealer.beside import ANSWERS, PING
from hearts.dealer.layout import Payload
from hearts.dealer.listener import WatcherSeat
from hearts.dealer.messages import MESSAGES, Pong
from hearts.dealer.public_table import Broadcast
from hearts.dealer.structures import COMMENT_LIMIT, PING_LIMIT, RULES
from hearts.game import events as ev
from hearts.game.cards import CARDS, QUEEN_OF_SPADES
from hearts.game.rules import STANDARD, Direction
from hearts.session import table_words as w
from hearts.session.table_words import Refused
from hearts.table import effects as e
from hearts.table.inputs import Abort, Setting
from tests.dealer.payloads import decode_as
from tests.dealer.payloads import payload as payload_of
from tests.vectors.dealer_examples import ANSWERS as ANSWER_EXAMPLES
from tests.vectors.dealer_examples import MESSAGES as MESSAGE_EXAMPLES
from tests.vectors.dealer_examples import read_file
from tests.vectors.dealer_payloads import (
    answer_payloads,
    fields_of,
    message_payloads,
    read_payload,
    structures,
)

from .spec import tables

SERVER, CLIENT, FIELDS = tables("14.3")
MEANINGS = {row["field"]: row["meaning"] for row in (*FIELDS, *tables("14.4")[1])}
STORED = read_file()


def names(cell: str) -> list[str]:
    return [field["name"] for field in fields_of(cell)]


# Messages


def test_a_golden_payload_is_what_its_row_says() -> None:
    for stored in STORED:
        payloads = message_payloads() if stored["from"] == "server" else answer_payloads()
        name, described = payloads[int(stored["type"])]
        assert stored["name"] == name
        assert read_payload(described, bytes.fromhex(stored["payload"])) == stored["fields"]


def test_golden_payloads_are_of_every_type_and_made_by_the_codec() -> None:
    examples = [*MESSAGE_EXAMPLES, *ANSWER_EXAMPLES]
    assert sorted(int(stored["type"]) for stored in STORED) == sorted([*MESSAGES, *ANSWERS])
    for stored, example in zip(STORED, examples, strict=True):
        payload = bytes.fromhex(str(stored["payload"]))
        assert payload_of(example) == payload
        codec = (MESSAGES if stored["from"] == "server" else ANSWERS)[int(stored["type"])]
        assert payload_of(decode_as(codec, payload)) == payload


def test_the_rules_structure_bit_by_bit() -> None:
    bits = {
        re.sub(r"[^a-z ]", "", row["field"]): row["meaning"]
        for row in tables("14.4")[1]
        if re.search(r"\bbits? \d", row["meaning"]) and row["field"] != "more"
    }
    assert set(bits) == set(names(structures()["rules"])) - {"max score"}
    for name, meaning in bits.items():
        first = int(re.findall(r"bits? (\d+)", meaning)[0])
        for value in range(3 if "bits" in meaning else 2):
            wire = bytearray(RULES.encode(RULES.decode(Payload(DEFAULT_RULES))))
            place = names(structures()["rules"]).index(name)
            wire[4 * place : 4 * place + 4] = value.to_bytes(4, "big")
            rules, _ = RULES.decode(Payload(bytes(wire)))
            in_bits = rules.bits >> first & (3 if "bits" in meaning else 1)
            assert in_bits == (1 - value if "may" in meaning or "does not" in meaning else value)


DEFAULT_RULES = b"".join(value.to_bytes(4, "big") for value in (0, 100, 0, 0, 0, 1, 0, 0, 0, 1))


# Numbers of fields


def numbers(field: str) -> list[int]:
    meaning, _, _ = MEANINGS[field].partition(". ")
    return [int(number) for number in re.findall(r"(?<![\d.])-?\d+(?= )", meaning)]


def test_what_the_numbers_of_fields_mean() -> None:
    assert numbers("by") == list(f.BY_NUMBERS.values())
    assert numbers("change") == [change.value for change in e.Change]
    assert numbers("presence") == list(f.PRESENCES.values())
    assert numbers("suit")[:4] == list(f.TRICK_SUITS.values())
    assert [suit.name.lower() for suit in f.TRICK_SUITS] == re.findall(
        r"\d (spades|diamonds|clubs|hearts)", MEANINGS["suit"]
    )
    kinds = re.findall(r"(\d) ([A-Z_]+)", MEANINGS["kind"])
    assert [0, *(int(number) for number, _ in kinds)] == list(f.KINDS.values())
    assert f"at most {COMMENT_LIMIT} bytes" in MEANINGS["comment"]


def test_every_field_is_explained() -> None:
    named = {name for row in SERVER + CLIENT for name in names(row["payload"])}
    named |= {name for cell in structures().values() for name in names(cell)}
    explained = {word.strip() for field in MEANINGS for word in field.split(",")}
    explained |= {"hand", "card and legal", *structures()}
    plain = {
        "why", "text", "table name", "game number", "Game ID", "player", "in reply to", "type",
        "code", "payload", "bytes", "secret", "commitment", "name", "leader", "direction", "cuts",
    }  # fmt: skip
    assert named - explained <= plain


def test_the_longest_ping() -> None:
    ping = next(row for row in CLIENT if row["name"] == "P_PING")
    assert ping["payload"] == f"0 to {PING_LIMIT} bytes"
    assert payload_of(PING.decode(bytes(PING_LIMIT))) == payload_of(Pong(bytes(PING_LIMIT)))


# Errors, states, the messages of 1993


def test_messages_of_1993() -> None:
    """Each number from 101 to 135 is a message here, or is said what became of it."""
    gone: set[int] = set()
    for row in tables("14.10")[0]:
        gone.update(int(number) for number in re.findall(r"\b1[0-3]\d\b", row["name"]))
    sent = {number for number in MESSAGES if number <= 135}
    assert gone | sent == set(range(101, 136))
    assert not gone & sent


def test_who_gets_what() -> None:
    """What is marked W is what watchers are told, and no other message."""
    broadcast = Broadcast()
    setting = Setting(STANDARD, 100, 60, 60.0)
    events: list[e.TableEvent] = [
        e.GameBegun(setting),
        e.DealPromised(1, bytes(32)),
        ev.HandBegun(0, Direction.LEFT),
        ev.TrickBegun(0),
        ev.CardPlayed(0, QUEEN_OF_SPADES, ev.ChosenBy.PLAYER),
        ev.TrickTaken(0, (13, 0, 0, 0)),
        ev.TricksDone(0, True),
        ev.MoonChosen(0, True, ev.ChosenBy.PLAYER),
        ev.HandScored((0, 0, 0, 0), (0, 0, 0, 0), ()),
        e.GameScored((0, 0, 0, 0), (0, 0, 0, 0), (1,), 1),
        e.AgainSettled(1, True, ev.ChosenBy.PLAYER),
        e.DealDisclosed(1, bytes(16), bytes(32)),
        e.RestClaimed(0, CARDS[:3]),
        e.RulesAgreed(STANDARD, 100),
    ]
    hidden: list[e.TableEvent] = [
        ev.YourHand(0, Direction.LEFT, CARDS[:13]),
        ev.PassMade(0, CARDS[:3], ev.ChosenBy.PLAYER),
        ev.CardsReceived(CARDS[:3]),
        e.CutSettled(1, ev.ChosenBy.PLAYER),
        e.RulesProposed(STANDARD, 100, 60.0),
        e.RulesRefused(1, "no"),
        e.SeatWanted(0, False, 60.0),
        e.SeatKept(1, "no"),
        e.AbortProposed(Abort.HAND, 60.0),
        e.AbortRefused(1, "no"),
        e.HandAborted(1),
        e.GameAborted(),
        e.TakenBack(1),
    ]
    assert {type(event) for event in events + hidden} == set(get_args(e.TableEvent))
    assert not any(map(broadcast.encode_event, hidden))
    info = w.PlayerInfo(0, w.PlayerKind.COMPUTER)
    watcher = WatcherSeat()
    watcher.receive(f.encode_frame(f.MessageType.PING, 0, b""))
    buffer = f.FrameBuffer(f.SERVER_PAYLOAD_LIMIT)
    for data in (
        *map(broadcast.encode_event, events),
        broadcast.seated(7, "a table", [info] * 4),
        broadcast.beside(Refused(-104, "closed")),
        broadcast.beside(w.Replay(True)),
        broadcast.beside(w.PlayerChange(e.Change.LEFT, info)),
        broadcast.beside(w.ServerNotice("a text")),
        broadcast.beside(w.AbortGame(w.AbortLater.NOTHING, "over")),
        broadcast.past(),
        watcher.take_replies(),
    ):
        buffer.feed(data)
    frames = list(iter(buffer.take, None))
    assert {frame.type for frame in frames} == {
        int(row["type"].rstrip("*")) for row in SERVER if row["to"] == "W"
    }
    assert {frame.number for frame in frames} == {0}
