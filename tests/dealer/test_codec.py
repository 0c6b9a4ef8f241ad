"""The codec of the dealer dialect: every message both ways, and any bytes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.dealer import answers as a
from hearts.dealer import layout
from hearts.dealer import messages as m
from hearts.dealer.answers import ANSWERS
from hearts.dealer.frames import (
    CLIENT_PAYLOAD_LIMIT,
    HEADER,
    SERVER_PAYLOAD_LIMIT,
    Frame,
    FrameBuffer,
    encode_frame,
)
from hearts.dealer.layout import Packed
from hearts.dealer.messages import MESSAGES
from hearts.dealer.numbers import BY_NUMBERS, TRICK_SUITS, DealerState, PlayerKind
from hearts.dealer.structures import PlayerInfo, RulesInfo, RulesPayload
from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import CARDS, WIRE
from hearts.game.cuts import NO_HASHES, VALUE_BYTES
from hearts.game.rules import STANDARD
from hearts.wire.codec import encode_int, encode_ints, encode_str
from hearts.wire.text import is_legible, is_printable
from tests.game.games import ALL_RULES
from tests.vectors.dealer_examples import ANSWERS as ANSWER_EXAMPLES
from tests.vectors.dealer_examples import MESSAGES as MESSAGE_EXAMPLES

EXAMPLES: tuple[Packed, ...] = (*MESSAGE_EXAMPLES, *ANSWER_EXAMPLES)
CLASSES: tuple[type[Packed], ...] = (*MESSAGES.values(), *ANSWERS.values())
RAW = (m.Pong, a.Ping)
"""Their payload is bytes that mean nothing."""


def texts(limit: int) -> st.SearchStrategy[str]:
    return st.text(max_size=limit).filter(
        lambda text: is_printable(text) and is_legible(text) and len(text.encode()) <= limit
    )


def values(kind: layout.FieldKind[Any]) -> st.SearchStrategy[Any]:
    """Every value that a field of a kind can have."""
    match kind:
        case layout.Number():
            return st.integers(kind.lowest, kind.highest)
        case layout.Coded():
            return st.sampled_from(list(kind.numbers))
        case layout.Truth():
            return st.booleans()
        case layout.Players():
            return st.sets(st.integers(0, 3)).map(lambda players: tuple(sorted(players)))
        case layout.MillisecondsLeft():
            return st.none() | st.integers(0, 2**31 - 1)
        case layout.TimeBank():
            return st.none() | st.tuples(*[st.integers(0, 2**31 - 1)] * 2)
        case layout.Text():
            return texts(min(kind.limit, 40))
        case layout.Raw():
            return st.binary(min_size=kind.size, max_size=kind.size)
        case layout.Of32():
            return st.just(b"") | st.binary(min_size=32, max_size=32).filter(any)
        case layout.Times():
            return st.tuples(*[values(kind.kind)] * kind.count)
        case layout.Counted():
            return st.lists(values(kind.kind), max_size=kind.most).map(tuple)
        case layout.Inner():
            return packed(kind.packed)
        case _:
            raise AssertionError(f"a {type(kind).__name__} is not known here")


def packed(kind: type[Packed]) -> st.SearchStrategy[Packed]:
    """Every value of a message or structure."""
    if kind is RulesInfo:
        return st.builds(RulesInfo, ALL_RULES, st.integers(1, 10_000))
    if kind in RAW:
        return st.binary(max_size=64).map(kind)
    if kind is a.Introduction:
        return st.tuples(*map(values, layout.kinds_of(kind))).map(_with_hash_of_a_cutter)
    return st.tuples(*map(values, layout.kinds_of(kind))).map(lambda fields: kind(*fields))


def _with_hash_of_a_cutter(fields: tuple[Any, ...]) -> a.Introduction:
    """Who cuts says a hash, and nobody else does."""
    kind, level, cuts, comment, next_hash = fields
    return a.Introduction(kind, level, cuts and any(next_hash), comment, next_hash * cuts)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_message_both_ways(kind: type[Packed]) -> None:
    @settings(max_examples=20)
    @given(message=packed(kind), more=st.binary(max_size=8))
    def there_and_back(message: Packed, more: bytes) -> None:
        data = message.encode()
        assert len(data) <= SERVER_PAYLOAD_LIMIT
        assert kind.decode(data) == message
        if kind not in RAW:
            assert kind.decode(data + more) == message

    there_and_back()


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_any_bytes_are_a_message_or_an_error(kind: type[Packed]) -> None:
    @settings(max_examples=20)
    @given(data=st.binary(max_size=200) | st.lists(st.integers(-2, 60)).map(ints))
    def decode(data: bytes) -> None:
        try:
            message = kind.decode(data)
        except RemoteProtocolError:
            return
        assert kind.decode(message.encode()) == message

    decode()


def ints(numbers: list[int]) -> bytes:
    return encode_ints(*numbers)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: type(example).__name__)
def test_a_payload_that_ends_too_early_is_an_error(example: Packed) -> None:
    if type(example) in RAW:
        return
    data = example.encode()
    # Who sends no hash does not cut, and the frozen server (tests/old) sends no bits of rules
    # from 21 on.
    whole = {len(data) - VALUE_BYTES} if isinstance(example, a.Introduction) else set()
    whole |= {len(data) - 4} if isinstance(example, RulesPayload) else set()
    for size in {*range(len(data))} - whole:
        with pytest.raises(RemoteProtocolError):
            type(example).decode(data[:size])


# Values that mean nothing


CHANGED: dict[str, tuple[type[Packed], bytes]] = {
    "a card 0": (a.PlayAnswer, encode_ints(0)),
    "a card 53": (a.LeadAnswer, encode_ints(53)),
    "a pass of a card -1": (a.PassAnswer, encode_ints(1, 2, -1)),
    "a moon of 2": (a.MoonAnswer, encode_ints(2)),
    "a kind of player CPU": (a.Introduction, encode_ints(1, 0, 0) + encode_str("")),
    "a kind of player 6": (a.Introduction, encode_ints(6, 0, 0) + encode_str("")),
    "a level of 1001": (a.Introduction, encode_ints(3, 1001, 0) + encode_str("")),
    "a level of -1": (a.Introduction, encode_ints(3, -1, 0) + encode_str("")),
    "cuts of 2": (a.Introduction, encode_ints(3, 0, 2) + encode_str("")),
    "a comment of 128 bytes": (a.Introduction, encode_ints(3, 0, 0) + encode_str("x" * 128)),
    "a comment with a bell": (a.Introduction, encode_ints(3, 0, 0, 2) + b"\x07\0"),
    "a comment of marks": (a.Introduction, encode_ints(3, 0, 0) + encode_str("e" + "\u0301" * 5)),
    "a comment of no length": (a.Introduction, encode_ints(3, 0, 0, 0)),
    "a comment of no UTF-8": (a.Introduction, encode_ints(3, 0, 0, 2) + b"\xff\0"),
    "a comment without NUL": (a.Introduction, encode_ints(3, 0, 0, 2) + b"xx"),
    "a seat 4": (a.OpenSeatRequest, encode_ints(4)),
    "a seat -1": (a.ReplacePlayerRequest, encode_ints(-1)),
    "a cut of 63 bytes": (a.CutAnswer, bytes(63)),
    "a hash of 31 bytes": (a.Introduction, a.Introduction(cuts=True).encode() + bytes(31)),
    "an end of 0": (a.ProposeRulesRequest, encode_ints(0, 0, 0, 0, 0, 1, 0, 0, 0, 1)),
    "an end of 10001": (a.ProposeRulesRequest, encode_ints(0, 10_001, 0, 0, 0, 1, 0, 0, 0, 1)),
    "a jack of 2": (a.ProposeRulesRequest, encode_ints(2, 100, 0, 0, 0, 1, 0, 0, 0, 1)),
    "a shoot of 3": (a.ProposeRulesRequest, encode_ints(0, 100, 3, 0, 0, 1, 0, 0, 0, 1)),
    "a max erase of -1": (a.ProposeRulesRequest, encode_ints(0, 100, 0, -1, 0, 1, 0, 0, 0, 1)),
    "a passing of 4": (a.ProposeRulesRequest, encode_ints(0, 100, 0, 0, 0, 1, 0, 4, 0, 1)),
    "a ping of 65 bytes": (a.Ping, bytes(65)),
    "14 cards": (m.DoPass, encode_ints(0, 406, 0, 1, 14, *range(1, 15))),
    "-1 cards": (m.DoPass, encode_ints(0, 406, 0, 1, -1)),
    "a state 400": (m.MoonChoice, encode_ints(0, 400, -1, -1)),
    "a time of -2": (m.MoonChoice, encode_ints(-2, 415, -1, -1)),
    "half a bank": (m.MoonChoice, encode_ints(0, 415, -1, 5)),
    "a direction 4": (m.NewHand, encode_ints(1, 4)),
    "a hand 0": (m.NewHand, encode_ints(0, 1)),
    "winners of 16": (m.Waiting, encode_ints(401, 16, 0, 0)),
    "a name of 31 bytes": (
        m.PlayerChange,
        encode_ints(0, 1, 1, 0, 1) + encode_str("x" * 31) + encode_str(""),
    ),
    "a count that is huge": (m.PlayCard, bytes(52) + encode_int(2**31 - 1)),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_value_that_means_nothing_is_an_error(name: str) -> None:
    kind, payload = CHANGED[name]
    with pytest.raises(RemoteProtocolError):
        kind.decode(payload)


@pytest.mark.parametrize(
    "wrong",
    [
        PlayerInfo(4, PlayerKind.CPU),
        PlayerInfo(0, PlayerKind.CPU, name="x" * 31),
        PlayerInfo(0, PlayerKind.CPU, comment="x" * 128),
        PlayerInfo(0, PlayerKind.CPU, comment="\n"),
        RulesInfo(STANDARD, 0),
        m.NewHand(0, STANDARD.direction(0)),
        m.DealCommitment(1, bytes(31), NO_HASHES),
        m.DealProof(1, bytes(16), bytes(31), NO_HASHES, ()),
        m.DoPass(0, DealerState.PLAYER_1_PASS, 0, STANDARD.direction(0), CARDS[:14]),
        m.MoonChoice(-2, DealerState.SUMMING_HAND),
    ],
    ids=repr,
)
def test_what_may_not_be_said_is_our_own_fault(wrong: Packed) -> None:
    with pytest.raises(LocalProtocolError):
        wrong.encode()


# The structs of what comes for every card


def trick_ints(trick: Any) -> tuple[int, ...]:
    return (
        *(0 if card is None else card.wire for card in trick.cards),
        0 if trick.suit is None else TRICK_SUITS[trick.suit],
        trick.leader,
        trick.round,
        trick.hearts_broken,
        -1 if trick.winner is None else trick.winner,
        trick.jack_won,
        trick.queen_won,
    )


@given(played=packed(m.CardPlayedMessage))
def test_a_card_in_one_struct(played: Any) -> None:
    fast = m.CARD_PLAYED.pack(
        *trick_ints(played.trick), played.player, WIRE[played.card], BY_NUMBERS[played.by]
    )
    assert fast == played.encode()


@given(done=packed(m.TrickDone))
def test_a_trick_in_one_struct(done: Any) -> None:
    assert m.TRICK_POINTS.pack(*trick_ints(done.trick), *done.points) == done.encode()


@given(query=packed(m.PlayCard))
def test_a_query_for_a_card_in_one_struct(query: Any) -> None:
    fast = m.CHOOSE_CARD.pack(
        -1 if query.left is None else query.left,
        query.state,
        *trick_ints(query.trick),
        len(query.cards),
    )
    cards = [m.TWO_INTS.pack(each.card.wire, each.legal) for each in query.cards]
    bank = m.TWO_INTS.pack(*(query.bank or (-1, -1)))
    assert fast + b"".join(cards) + bank == query.encode()


# Frames


FRAMES = [
    Frame(example.TYPE, number, example.encode()) for number, example in enumerate(ANSWER_EXAMPLES)
] + [Frame(9999, -7, b"a type that nobody knows")]
STREAM = b"".join(encode_frame(*frame) for frame in FRAMES)


def taken(buffer: FrameBuffer) -> list[Frame]:
    frames = []
    while (frame := buffer.take()) is not None:
        frames.append(frame)
    return frames


@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=20))
def test_frames_in_any_pieces(cuts: list[int]) -> None:
    buffer = FrameBuffer(CLIENT_PAYLOAD_LIMIT)
    frames = []
    for begin, end in pairwise([0, *sorted(cuts), len(STREAM)]):
        buffer.feed(STREAM[begin:end])
        frames += taken(buffer)
    assert frames == FRAMES
    assert not buffer


def byte_by_byte(buffer: FrameBuffer, data: bytes) -> list[Frame]:
    frames = []
    for place in range(len(data)):
        buffer.feed(data[place : place + 1])
        frames += taken(buffer)
    return frames


def whole(buffer: FrameBuffer, data: bytes) -> list[Frame]:
    buffer.feed(data)
    return taken(buffer)


@pytest.mark.parametrize("feed", [whole, byte_by_byte])
@pytest.mark.parametrize("limit", [CLIENT_PAYLOAD_LIMIT, SERVER_PAYLOAD_LIMIT])
def test_a_length_is_checked_before_its_payload_comes(
    feed: Callable[[FrameBuffer, bytes], list[Frame]], limit: int
) -> None:
    full = encode_frame(133, 1, bytes(limit))
    assert feed(FrameBuffer(limit), full) == [Frame(133, 1, bytes(limit))]
    for length in (limit + 1, -1, 2**31 - 1, -(2**31)):
        buffer = FrameBuffer(limit)
        with pytest.raises(RemoteProtocolError, match=f"of {length} is outside 0..{limit}"):
            feed(buffer, HEADER.pack(133, 1, length))
        assert len(buffer) == HEADER.size
        with pytest.raises(RemoteProtocolError):
            buffer.take()


def test_the_rest_can_be_put_aside() -> None:
    buffer = FrameBuffer(CLIENT_PAYLOAD_LIMIT)
    buffer.feed(STREAM)
    assert buffer.take() == FRAMES[0]
    rest = buffer.take_rest()
    assert not buffer
    buffer.feed(rest)
    assert taken(buffer) == FRAMES[1:]


def test_nobody_may_send_a_payload_that_is_too_long() -> None:
    with pytest.raises(LocalProtocolError):
        encode_frame(133, 1, bytes(SERVER_PAYLOAD_LIMIT + 1))


@given(data=st.binary(max_size=600))
def test_any_bytes_are_frames_or_an_error(data: bytes) -> None:
    buffer = FrameBuffer(CLIENT_PAYLOAD_LIMIT)
    buffer.feed(data)
    try:
        frames = taken(buffer)
    except RemoteProtocolError:
        return
    again = b"".join(encode_frame(*frame) for frame in frames)
    assert again + buffer.take_rest() == data
