"""The codec of the dealer dialect: every message both ways."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.dealer import layout
from hearts.dealer import messages as m
from hearts.dealer.beside import (
    ANSWERS,
    BESIDE,
    INTRODUCTION,
    PING,
    WISHES,
    InState,
    RulesFields,
    ToAbort,
)
from hearts.dealer.frames import (
    BY_NUMBERS,
    CLIENT_PAYLOAD_LIMIT,
    HEADER,
    SERVER_PAYLOAD_LIMIT,
    TRICK_SUITS,
    DealerState,
    Frame,
    FrameBuffer,
    MessageType,
    encode_frame,
)
from hearts.dealer.messages import MESSAGES
from hearts.dealer.structures import RULES
from hearts.errors import LocalProtocolError, RemoteProtocolError
from hearts.game.cards import CARDS, WIRE
from hearts.game.cuts import NO_HASHES, VALUE_BYTES
from hearts.game.rules import STANDARD, parse_rules
from hearts.session import table_words as w
from hearts.session.table_words import PlayerInfo, PlayerKind
from hearts.table.effects import DealPromised
from hearts.table.inputs import Abort, ProposeRules, Question
from hearts.wire.codec import encode_int, encode_ints, encode_str
from hearts.wire.text import is_legible, is_printable
from tests.dealer.payloads import Codec, Said, decode_as, has_more, is_owned, payload, type_of
from tests.game.games import ALL_RULES
from tests.vectors.dealer_examples import ANSWERS as ANSWER_EXAMPLES
from tests.vectors.dealer_examples import MESSAGES as MESSAGE_EXAMPLES

EXAMPLES: tuple[Said, ...] = (*MESSAGE_EXAMPLES, *ANSWER_EXAMPLES)
CODECS: tuple[Codec, ...] = (*MESSAGES.values(), *ANSWERS.values())
RAW = (MESSAGES[MessageType.PONG], PING)
"""Their payload is bytes that mean nothing."""
WAITING = BESIDE[MessageType.WAITING]


def texts(limit: int) -> st.SearchStrategy[str]:
    return st.text(max_size=limit).filter(
        lambda text: is_printable(text) and is_legible(text) and len(text.encode()) <= limit
    )


def values(kind: layout.FieldKind[Any]) -> st.SearchStrategy[Any]:
    """Every value that a field of a kind can have."""
    if kind is RULES:
        return st.nothing()
    match kind:
        case layout.Number():
            return st.integers(kind.lowest, kind.highest)
        case layout.Coded():
            return st.sampled_from(list(kind.numbers))
        case layout.TRUTH:
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
        case layout.Fields():
            return fields_of(kind)
        case InState():
            return values(kind.kind)
        case ToAbort():
            return st.sampled_from(Abort)
        case layout.SECONDS_LEFT:
            return st.just(inf) | st.integers(0, 2_000_000).map(lambda left: left / 1000)
        case layout.SECONDS:
            return st.integers(0, 2_000_000)
        case _:
            raise AssertionError(f"a {type(kind).__name__} is not known here")


def packed(codec: Codec) -> st.SearchStrategy[Any]:
    """Every value of a message or structure."""
    if codec in RAW:
        return st.binary(max_size=64).map(codec.value)
    if codec is INTRODUCTION:
        hashes = st.binary(min_size=32, max_size=32).filter(any)
        return st.tuples(fields_of(INTRODUCTION), hashes).map(_with_hash_of_a_cutter)
    more = {"question": st.sampled_from([None, Question.MOON])} if codec is WAITING else {}
    owned = {"player": st.just(2)} if is_owned(codec) else {}
    kinds = {name: values(kind) for name, kind in codec.kinds.items()}
    if isinstance(codec, RulesFields):
        kinds |= {"rules": ALL_RULES, "end_score": st.integers(1, 10_000)}
    return st.builds(codec.value, **kinds, **more, **owned)


def fields_of(codec: layout.Fields[Any]) -> st.SearchStrategy[Any]:
    return st.builds(codec.value, **{name: values(kind) for name, kind in codec.kinds.items()})


def _with_hash_of_a_cutter(drawn: tuple[w.Introduction, bytes]) -> w.Introduction:
    said, next_hash = drawn
    return replace(said, next_hash=next_hash if said.cuts else b"")


def name_of(codec: Codec) -> str:
    return codec.value.__name__


@pytest.mark.parametrize("codec", CODECS, ids=name_of)
def test_every_message_both_ways(codec: Codec) -> None:
    @settings(max_examples=5)
    @given(message=packed(codec), more=st.binary(max_size=8))
    def there_and_back(message: Any, more: bytes) -> None:
        data = payload(message)
        assert len(data) <= SERVER_PAYLOAD_LIMIT
        assert decode_as(codec, data) == message
        if codec not in RAW and codec is not INTRODUCTION:
            assert decode_as(codec, data + more) == message

    there_and_back()


def ints(numbers: list[int]) -> bytes:
    return encode_ints(*numbers)


def test_a_payload_that_ends_too_early_is_an_error() -> None:
    for codec in CODECS:
        if codec in RAW:
            continue
        example = next(each for each in EXAMPLES if type(each) is codec.value)
        data = payload(example)
        # Who sends no hash does not cut, and the frozen server (tests/old) sends no bits of rules
        # from 21 on.
        whole = {len(data) - VALUE_BYTES} if codec is INTRODUCTION else set()
        whole |= {len(data) - 4} if has_more(codec) else set()
        for size in {*range(len(data))} - whole:
            with pytest.raises(RemoteProtocolError):
                decode_as(codec, data[:size])


# Values that mean nothing


CHANGED: dict[str, tuple[Codec, bytes]] = {
    "a card 0": (ANSWERS[MessageType.PLAY_CARD], encode_ints(0)),
    "a card 53": (ANSWERS[MessageType.LEAD_CARD], encode_ints(53)),
    "a pass of a card -1": (ANSWERS[MessageType.DO_PASS], encode_ints(1, 2, -1)),
    "a moon of 2": (ANSWERS[MessageType.MOON_CHOICE], encode_ints(2)),
    "a kind of player CPU": (INTRODUCTION, encode_ints(1, 0, 0) + encode_str("")),
    "a kind of player 6": (INTRODUCTION, encode_ints(6, 0, 0) + encode_str("")),
    "a level of 1001": (INTRODUCTION, encode_ints(3, 1001, 0) + encode_str("")),
    "a level of -1": (INTRODUCTION, encode_ints(3, -1, 0) + encode_str("")),
    "cuts of 2": (INTRODUCTION, encode_ints(3, 0, 2) + encode_str("")),
    "a comment of 128 bytes": (INTRODUCTION, encode_ints(3, 0, 0) + encode_str("x" * 128)),
    "a comment with a bell": (INTRODUCTION, encode_ints(3, 0, 0, 2) + b"\x07\0"),
    "a comment of marks": (INTRODUCTION, encode_ints(3, 0, 0) + encode_str("e" + "\u0301" * 5)),
    "a comment of no length": (INTRODUCTION, encode_ints(3, 0, 0, 0)),
    "a comment of no UTF-8": (INTRODUCTION, encode_ints(3, 0, 0, 2) + b"\xff\0"),
    "a comment without NUL": (INTRODUCTION, encode_ints(3, 0, 0, 2) + b"xx"),
    "rules of bit 25 that are proposed": (
        WISHES[MessageType.PROPOSE_RULES],
        RULES.encode((STANDARD, 100)) + encode_int(1 << 25),
    ),
    "rules of bit 21 and bit 8": (
        BESIDE[MessageType.NEW_RULES],
        RULES.encode((parse_rules("jack"), 100)) + encode_int(1 << 21),
    ),
    "a seat 4": (WISHES[MessageType.OPEN_SEAT], encode_ints(4)),
    "a seat -1": (WISHES[MessageType.REPLACE_PLAYER], encode_ints(-1)),
    "a cut of 63 bytes": (ANSWERS[MessageType.CUT], bytes(63)),
    "a hash of 31 bytes": (
        INTRODUCTION,
        INTRODUCTION.encode(w.Introduction(cuts=True)) + bytes(31),
    ),
    "an end of 0": (WISHES[MessageType.PROPOSE_RULES], encode_ints(0, 0, 0, 0, 0, 1, 0, 0, 0, 1)),
    "an end of 10001": (
        WISHES[MessageType.PROPOSE_RULES],
        encode_ints(0, 10_001, 0, 0, 0, 1, 0, 0, 0, 1),
    ),
    "a jack of 2": (WISHES[MessageType.PROPOSE_RULES], encode_ints(2, 100, 0, 0, 0, 1, 0, 0, 0, 1)),
    "a shoot of 3": (
        WISHES[MessageType.PROPOSE_RULES],
        encode_ints(0, 100, 3, 0, 0, 1, 0, 0, 0, 1),
    ),
    "a max erase of -1": (
        WISHES[MessageType.PROPOSE_RULES],
        encode_ints(0, 100, 0, -1, 0, 1, 0, 0, 0, 1),
    ),
    "a passing of 4": (
        WISHES[MessageType.PROPOSE_RULES],
        encode_ints(0, 100, 0, 0, 0, 1, 0, 4, 0, 1),
    ),
    "a ping of 65 bytes": (PING, bytes(65)),
    "14 cards": (
        MESSAGES[MessageType.DO_PASS],
        encode_ints(0, 406, 0, 1, 14, *range(1, 15), -1, -1),
    ),
    "-1 cards": (MESSAGES[MessageType.DO_PASS], encode_ints(0, 406, 0, 1, -1)),
    "a state 400": (MESSAGES[MessageType.MOON_CHOICE], encode_ints(0, 400, -1, -1)),
    "a time of -2": (MESSAGES[MessageType.MOON_CHOICE], encode_ints(-2, 415, -1, -1)),
    "half a bank": (MESSAGES[MessageType.MOON_CHOICE], encode_ints(0, 415, -1, 5)),
    "a direction 4": (MESSAGES[MessageType.NEW_HAND], encode_ints(1, 4)),
    "a hand 0": (MESSAGES[MessageType.NEW_HAND], encode_ints(0, 1)),
    "winners of 16": (WAITING, encode_ints(401, 16, 0, 0)),
    "a name of 31 bytes": (
        BESIDE[MessageType.PLAYER_CHANGE],
        encode_ints(0, 1, 1, 0, 1) + encode_str("x" * 31) + encode_str(""),
    ),
    "a count that is huge": (MESSAGES[MessageType.PLAY_CARD], bytes(52) + encode_int(2**31 - 1)),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_value_that_means_nothing_is_an_error(name: str) -> None:
    codec, data = CHANGED[name]
    with pytest.raises(RemoteProtocolError):
        decode_as(codec, data)


@pytest.mark.parametrize(
    "codec", [BESIDE[MessageType.TABLE], MESSAGES[MessageType.NEW_GAME]], ids=name_of
)
def test_a_client_passes_over_bits_of_rules_that_it_does_not_know(codec: Codec) -> None:
    example: Any = next(each for each in EXAMPLES if type(each) is codec.value)
    more = encode_int(1 << 25 | example.rules.bits & 1 << 21)
    assert decode_as(codec, payload(example)[:-4] + more) == example


@pytest.mark.parametrize(
    "wrong",
    [
        w.InvitableMessage(1, PlayerInfo(4, PlayerKind.COMPUTER)),
        w.InvitableMessage(1, PlayerInfo(0, PlayerKind.COMPUTER, name="x" * 31)),
        w.InvitableMessage(1, PlayerInfo(0, PlayerKind.COMPUTER, comment="x" * 128)),
        w.InvitableMessage(1, PlayerInfo(0, PlayerKind.COMPUTER, comment="\n")),
        ProposeRules(0, STANDARD, 0),
        m.NewHand(0, STANDARD.direction(0)),
        DealPromised(1, bytes(31), NO_HASHES),
        m.DealProof(1, bytes(16), bytes(31), NO_HASHES, ()),
        m.DoPass(0, DealerState.PLAYER_1_PASS, 0, STANDARD.direction(0), CARDS[:14]),
        m.MoonChoice(-2, DealerState.SUMMING_HAND),
    ],
    ids=repr,
)
def test_what_may_not_be_said_is_our_own_fault(wrong: Said) -> None:
    with pytest.raises(LocalProtocolError):
        payload(wrong)


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


@given(played=packed(MESSAGES[MessageType.CARD_PLAYED]))
def test_a_card_in_one_struct(played: Any) -> None:
    fast = m.CARD_PLAYED.pack(
        *trick_ints(played.trick), played.player, WIRE[played.card], BY_NUMBERS[played.by]
    )
    assert fast == payload(played)


@given(done=packed(MESSAGES[MessageType.TRICK_DONE]))
def test_a_trick_in_one_struct(done: Any) -> None:
    assert m.TRICK_POINTS.pack(*trick_ints(done.trick), *done.points) == payload(done)


@given(query=packed(MESSAGES[MessageType.PLAY_CARD]))
def test_a_query_for_a_card_in_one_struct(query: Any) -> None:
    fast = m.CHOOSE_CARD.pack(
        -1 if query.left is None else query.left,
        query.state,
        *trick_ints(query.trick),
        len(query.cards),
    )
    cards = [m.TWO_INTS.pack(each.card.wire, each.legal) for each in query.cards]
    bank = m.TWO_INTS.pack(*(query.bank or (-1, -1)))
    assert fast + b"".join(cards) + bank == payload(query)


# Frames


FRAMES = [
    Frame(type_of(type(example)), number, payload(example))
    for number, example in enumerate(ANSWER_EXAMPLES)
] + [Frame(9999, -7, b"a type that nobody knows")]
STREAM = b"".join(encode_frame(*frame) for frame in FRAMES)


def taken(buffer: FrameBuffer) -> list[Frame]:
    frames = []
    while (frame := buffer.take()) is not None:
        frames.append(frame)
    return frames


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
