"""``hearts-protocol.json``: as code and documents have it, and enough to read the vectors."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from hearts.dealer.frames import MessageType
from hearts.wire.codec import encode_ints as ints
from tests.vectors.dealer_examples import read_file
from tests.vectors.dealer_payloads import fields_of, structures
from tests.vectors.transcript import TranscriptKind, TranscriptLine, plain_cases

from .protocol import FILE, protocol, text_of
from .protocol_reader import PROTOCOL, Data, ProtocolReader, WrongBytes, read_registration
from .spec import Row, example, numbers, table, tables

SERVER, CLIENT, _ = tables("14.3")
DEALER, REGISTRATION = PROTOCOL["dealer"], PROTOCOL["registration"]
STORED = read_file()


def test_it_is_what_the_code_says() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert text == text_of(protocol()), "python -m tests.docs.protocol writes it"
    assert protocol() == PROTOCOL


# The documents


def shape_of(field: Data) -> Any:
    """The kind of a field without its name."""
    match field:
        case {"type": "list", "of": of}:
            return [field.get("count", "n"), shape_of(of)]
        case {"type": "structure", "structure": name}:
            return name
        case {"type": "structure", "fields": fields}:
            return [shape_of(each) for each in fields]
        case {"type": "bytes", "size": size}:
            return size
        case {"type": "bytes"}:
            return "rest"
    return field["type"]


OTHER_NAMES = {
    "card and legal": ("cards",),
    "player info": ("info", "players"),
    "points of this hand": ("points",),
    "table name": ("table",),
    "commitment": ("digest",),
    "choice": ("on others",),
}
"""Names of fields that are others in the file."""


def is_described(told: list[Data], cell: str) -> bool:
    """Whether a cell has these fields in order; of several the file has the plural."""
    shown = fields_of(cell)
    return [*map(shape_of, told)] == [*map(shape_of, shown)] and all(
        ours["name"] in (name, f"{name}s", f"{name}es", f"next {name}", *OTHER_NAMES.get(name, ()))
        for ours, name in zip(told, (field["name"].lower() for field in shown), strict=True)
    )


def test_every_type_has_its_row() -> None:
    queries = {each["type"] for each in DEALER["server"] if each["query"]}
    assert queries == {each["type"] for each in DEALER["client"] if each["kind"] == "answer"}
    assert {each["type"] for side in ("server", "client") for each in DEALER[side]} == {
        *MessageType
    }


@pytest.mark.parametrize(("rows", "side"), [(SERVER, "server"), (CLIENT, "client")])
def test_the_messages(rows: list[Row], side: str) -> None:
    told = DEALER[side]
    assert [(int(row["type"].rstrip("*")), row["name"]) for row in rows] == sorted(
        (each["type"], each["name"]) for each in told
    )
    cells = {int(row["type"].rstrip("*")): row for row in rows}
    for each in told:
        row = cells[each["type"]]
        assert is_described(each["fields"], row["payload"]), row
        if side == "server":
            assert each["query"] == row["type"].endswith("*")
        else:
            assert each["kind"] == row["kind"]


def test_the_structures() -> None:
    assert set(DEALER["structures"]) == set(structures())
    for name, cell in structures().items():
        assert is_described(DEALER["structures"][name], cell)


def test_the_option_blocks() -> None:
    rows = {int(row["tag"].split()[0]): row for row in table("3.3")}
    *known, reserved = rows
    blocks = REGISTRATION["blocks"]
    assert [block["tag"] for block in blocks] == known, "they are sent in this order"
    assert blocks == sorted(blocks, key=lambda block: block["order"])
    assert REGISTRATION["reserved"]["from"] == reserved
    for block in blocks:
        payload = [each for each in rows[block["tag"]]["payload"].split(", ") if each != "none"]
        assert [field["type"] for field in block["fields"]] == [each[:3] for each in payload]
        assert bool(block["reply"]) == (rows[block["tag"]]["reply"] != "none")


def test_the_codes() -> None:
    codes = [each["code"] for each in REGISTRATION["refusals"]]
    assert codes == [int(row["code"]) for row in table("3.7")]
    statuses = [each["status"] for each in PROTOCOL["plain"]["statuses"]]
    assert sorted(statuses, reverse=True) == [int(row["status"]) for row in table("6.4")]
    faults = [each["code"] for each in DEALER["faults"]]
    assert faults == [int(row["reason"]) for row in tables("14.5")[0][1:]]


def test_the_states_of_the_dealer() -> None:
    stated: dict[str, str] = {}
    for row in table("14.6"):
        first, _, last = row["state"].partition("-")
        name, _, last_name = row["name"].partition(" to ")
        for step, number in enumerate(range(int(first), int(last or first) + 1)):
            stated[str(number)] = name.replace("1", str(1 + step))
        assert stated[last or first] == (last_name or name)
    assert stated == DEALER["states"]


def test_cards_directions_limits_and_notices() -> None:
    shown = [row[suit] for row in table("8") for suit in ("hearts", "clubs", "diamonds", "spades")]
    assert sorted(shown) == sorted(f"{wire} {card}" for wire, card in PROTOCOL["cards"].items())
    directions = {row["direction"]: row["name"] for row in table("1.5")}
    assert directions == PROTOCOL["directions"]
    limits = [
        {**row, "host may change": "yes" if row["host may change"] else "no"}
        for row in PROTOCOL["limits"]
    ]
    assert limits == table("11")
    assert [row["notice"].strip("`") for row in table("B")] == PROTOCOL["taunt"]["notices"]


def test_the_rules() -> None:
    shown = [(row["bits"], row["value"], row["token"]) for row in tables("6.1")[0]]
    told = []
    for rule in PROTOCOL["rules"]["fields"]:
        first, many = rule["bit"], rule["bits"]
        bits = f"{first}" if many == 1 else f"{first}-{first + many - 1}"
        for value, each in enumerate(rule["values"]):
            told += [(bits, str(value), each["token"])] if each["token"] else []
    assert told == shown
    for preset, row in zip(PROTOCOL["rules"]["presets"], table("6.2"), strict=True):
        assert preset["name"] == row["preset"]
        assert preset["bits"] == int(row["bits as a number"])
        assert preset["end"] == next(iter(numbers(row["end"])), None)


# Reading by it


def _bare(value: Any) -> Any:
    """A value without names, as bytes in hex."""
    match value:
        case dict():
            return [_bare(each) for each in value.values()]
        case list():
            return [_bare(each) for each in value]
        case bytes():
            return value.hex()
    return value


def test_every_frame_of_the_vectors_is_read() -> None:
    for stored in STORED:
        payload = bytes.fromhex(stored["payload"])
        (told,) = (each for each in DEALER[stored["from"]] if each["type"] == stored["type"])
        read = ProtocolReader(payload).whole(told["fields"])
        expected = {name: value for name, value in stored["fields"].items() if name != "n"}
        assert _bare(read) == _bare(expected)
        if payload and told["fields"][0].get("type") != "bytes":
            with pytest.raises(WrongBytes):
                ProtocolReader(payload[:3]).whole(told["fields"])


def test_the_frames_of_the_example_are_read() -> None:
    frames = [line for line in example("14.11").messages if " P_" in f" {line.comment}"]
    assert len(frames) > 10
    for line in frames:
        side = "client" if line.sent else "server"
        reader = ProtocolReader(line.data)
        head = reader.read(DEALER["frames"][side])
        (told,) = (each for each in DEALER[side] if each["type"] == head["type"])
        assert told["name"] in line.comment
        assert head["length"] == len(reader.rest)
        reader.whole(told["fields"])


def test_every_registration_of_the_vectors_is_read() -> None:
    tags, ends = set[int | None](), Counter[str]()
    for case in plain_cases():
        for is_polite, lines in list(case.connections()):
            if is_polite:
                read, end = _registered(lines)
                assert read[0][1]["name"], case
                tags |= {tag for tag, _ in read}
                ends[end] += 1
    assert ends["seated"] > 40
    assert ends["refused"] > 5
    assert tags >= {-10, -8, -5, -4, -2, None}


def _registered(lines: list[TranscriptLine]) -> tuple[list[tuple[int | None, Data]], str]:
    """What a client says until it is seated or refused; what it is told is read by the file."""
    due = [REGISTRATION["first"]]
    replies = {block["tag"]: block["reply"] for block in REGISTRATION["blocks"]}
    replies[REGISTRATION["look"]["tag"]] = REGISTRATION["look"]["reply"]
    refusals = [each["code"] for each in REGISTRATION["refusals"]]
    sent = b""
    for line in lines:
        if line.kind is TranscriptKind.SENT:
            sent += line.data
            tag = re.match(r"block (-\d+)", line.comment)
            if tag and int(tag[1]) != -2:
                reserved = REGISTRATION["reserved"]["reply"]
                due.append(replies.get(int(tag[1]), reserved))
            continue
        if not line.data:
            break
        fields = due.pop(0) if due else REGISTRATION["seated"]
        code = int.from_bytes(line.data[:4], "big", signed=True)
        if code < 0:
            assert code in refusals
            return read_registration(sent), "refused"
        ProtocolReader(line.data).whole(fields)
        if fields is REGISTRATION["seated"]:
            return read_registration(sent), "seated"
    return read_registration(sent), "left"


@pytest.mark.parametrize("bad", [ints(-3), ints(-2, 0, 10_001, 0), ints(-6, 0)])
def test_a_registration_that_is_none_is_not_read(bad: bytes) -> None:
    with pytest.raises(WrongBytes):
        read_registration(b"\0\0\0\4Ann\0" + bad + ints(1000))


def test_every_session_of_the_vectors_goes_by_the_states() -> None:
    ends = Counter[str]()
    for case in plain_cases():
        for is_polite, lines in list(case.connections()):
            states = {"player_id"}
            for line in lines if is_polite else ():
                if line.kind is TranscriptKind.RECEIVED and line.data:
                    states = _follow(states, line.data)
                    assert states, (case, line.comment)
            ends.update(states)
    assert ends["end"] > 3
    assert ends["closed"] > 3


def _follow(states: set[str], data: bytes) -> set[str]:
    """The states in which a client may be once the bytes have come."""
    known = PROTOCOL["plain"]["states"]
    refusals = {each["code"] for each in REGISTRATION["refusals"]}
    reached, seen = set(), set()
    ways = [(state, data) for state in states]
    while ways:
        state, rest = ways.pop()
        if (state, len(rest)) in seen:
            continue
        seen.add((state, len(rest)))
        if not rest:
            reached.add(state)
            continue
        reader = ProtocolReader(rest)
        try:
            reader.read(known[state]["fields"])
        except WrongBytes:
            code = int.from_bytes(rest[:4], "big", signed=True)
            if code in refusals and "closed" in known[state]["next"]:
                ways += [("refusal_reason", rest[4:]), ("closed", rest[4:])]
        else:
            if known[state]["fields"]:
                ways += [(after, reader.rest) for after in known[state]["next"]]
    return reached
