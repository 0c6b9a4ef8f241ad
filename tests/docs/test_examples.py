"""The examples of SocketSpec.md against the code. Reasons in words may be invented."""

from __future__ import annotations

import pytest

from hearts.game.deal import commitment_notice
from hearts.game.rules import PRESETS, STANDARD
from hearts.session.messages import (
    GREETING_TAG,
    ListedTable,
    Options,
    encode_greeting,
    encode_list,
)
from hearts.taunt import messages as t
from hearts.taunt.announcer import NOBODY, Announcer
from hearts.taunt.client import Registered
from hearts.wire.codec import Buffer, encode_int, encode_ints, encode_str
from hearts.wire.credentials import SERVER_PLAYER, SeatCredentials, issue
from taunt_server.room import REPLACED_NOTICE
from tests.vectors.vector_house import SECRET, VectorServer

from .spec import Example, ExampleLine, example, examples

EXAMPLE_DEAL = "0004-1061-050R-3GG2-8A1C-60T3-GFQG"
NAME = encode_str("Ann")
OPTIONS = Options(frozenset({1, 2, 3})).encode()
ANN = issue(SECRET, 7, 0, 1000)
WITH_PASSWORD = ("set password fish",)
FULL = ("set max-tables 1", "join Bob", "join Cleo", "join Dan", "join Eve")
FRIENDS = ("join Xena", "join Yves", "join Ann friends")
SERVED: dict[tuple[str, int], tuple[tuple[str, ...], bytes]] = {
    ("Quick start", 0): ((f"deal {EXAMPLE_DEAL}",), b""),
    ("3.1", 0): ((), b""),
    ("3.2", 0): ((), b""),
    ("3.3", 0): ((), NAME),
    ("3.3", 1): (WITH_PASSWORD, NAME),
    ("3.3", 2): ((), NAME),
    ("3.4", 0): ((), NAME),
    ("3.4", 1): ((), NAME),
    ("3.4", 2): ((), NAME),
    ("3.4", 3): ((), NAME),
    ("3.6", 0): (("join Ann friends",), NAME),
    ("3.6", 1): (FRIENDS, b""),
    ("3.6", 2): (("join Xena",), b""),
    ("3.7", 0): (FULL, b""),
    ("3.7", 1): ((), b""),
    ("3.7", 2): (WITH_PASSWORD, NAME),
    ("3.7", 3): (WITH_PASSWORD, NAME),
    ("3.8", 0): ((), NAME + OPTIONS),
    ("3.9", 0): ((), NAME + OPTIONS + ANN.process_id.to_bytes(4, "big") + bytes(4)),
    ("14.11", 0): ((f"deal {EXAMPLE_DEAL}",), b""),
}
"""Examples that a server plays: what happened before, and what the client had sent before."""
ELSEWHERE = {"1.2", "1.3", "1.4", "3.5", "5.6", "9.2", "9.3", "9.4", "9.5"}
HANDS = {"4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7", "4.9", "5.3"}
"""Sections whose examples are played in test_example_hand.py."""


def test_every_example_is_tried() -> None:
    played = {section for section, _ in SERVED}
    assert {each.section for each in examples()} == played | ELSEWHERE | HANDS
    for each in examples():
        if each.section in played:
            assert (each.section, each.number) in SERVED


def is_refusal(message: ExampleLine) -> bool:
    return message.comment.startswith("refused")


@pytest.mark.parametrize("key", SERVED, ids=lambda key: f"{key[0]}-{key[1]}")
async def test_a_server_says_so(key: tuple[str, int], house: VectorServer) -> None:
    shown = example(*key)
    directives, before = SERVED[key]
    for directive in (*directives, "connect"):
        await house.do(tuple(directive.split()))
    if before:
        await house.send(before)
    output = house.wire.output
    # What the server answered to what came before the example.
    start = output.find(shown.messages[0].data) if not shown.messages[0].sent else len(output)
    assert start >= 0
    del output[:start]
    for message in shown.messages:
        if message.sent:
            await house.send(message.data)
        elif is_refusal(message):
            assert output[:4] == message.data[:4]
            assert bool(output[4:]) == bool(message.data[4:])
            assert house.wire.ended
            if message.data[4:]:
                reasons = Buffer()
                reasons.feed(message.data[4:])
                assert reasons.take_str()
        else:
            assert output[: len(message.data)].hex(" ") == message.data.hex(" ")
            del output[: len(message.data)]


async def test_coming_back(house: VectorServer) -> None:
    await house.do(("deal", EXAMPLE_DEAL))
    await house.do(("connect",))
    await house.send(NAME + OPTIONS + encode_ints(1000, 0, 0, 0, 5, 4, 9, 0))
    await house.send(b"")
    await house.do(("join", "Xena"))
    await house.do(("connect",))
    output = house.wire.output
    for message in example("5.6").messages:
        if message.sent:
            await house.send(message.data)
        else:
            assert output[: len(message.data)].hex(" ") == message.data.hex(" ")
            del output[: len(message.data)]
    assert len(output) == 4 * (3 + 1), "the cards received and who leads follow"
    assert output.endswith(encode_int(0))


def test_ints() -> None:
    for message in example("1.3").messages:
        assert message.data == encode_int(int(message.comment))


def test_strings() -> None:
    zoe, empty = example("1.4").messages
    assert zoe.data == encode_str("Zoë")
    assert empty.data == encode_str("")
    (player, name) = example("1.2").messages
    assert (player.data, name.data) == (encode_int(2), encode_str("Bob"))


def test_options() -> None:
    everybody = frozenset({1, 2, 3})
    wishes = [
        Options(everybody, STANDARD, None, 60),
        Options(frozenset(), PRESETS["mac2000"], 100, 30),
    ]
    for number, wish in enumerate(wishes):
        (block,) = example("3.4", number).messages
        assert Options.decode(block.ints[1:]) == wish
        assert block.data == wish.encode()


def test_list_of_tables() -> None:
    shown = example("3.5", 0)
    tables = [
        ListedTable("Table 2", 0, 2, ("Bob", "Moe", "", "")),
        ListedTable("Table 1", 6, 0, ("Cleo", "Moe", "Larry", "Curly")),
    ]
    assert shown.sent == encode_int(-8)
    assert shown.received == encode_list(tables)


def test_greeting() -> None:
    shown = example("3.5", 1)
    assert shown.sent == encode_ints(GREETING_TAG, 0)
    assert shown.received == encode_greeting(("Friday club", "We begin at eight"))


def test_taunt_registration() -> None:
    right, wrong = example("9.2", 0), example("9.2", 1)
    assert right.sent == t.encode_numbers(ANN)
    assert right.received == t.encode_status(t.Status.REGISTERED)
    assert wrong.sent == t.encode_numbers(SeatCredentials(7, ANN.game_id, 1, 1000))
    assert wrong.received == t.encode_status(t.Status.REFUSED)


def test_taunts() -> None:
    assert example("9.3").sent == t.encode_taunt(ANN, "well played")
    own, theirs, notice = example("9.4", 0).messages
    assert own.data == t.encode_delivery(0, "well played")
    assert theirs.data == t.encode_delivery(2, "thanks")
    buffer = Buffer()
    buffer.feed(notice.data)
    assert buffer.take_int() == SERVER_PLAYER
    assert buffer.take_str()


def test_a_notice_from_before_the_registration() -> None:
    promise = commitment_notice(1, bytes(range(16)))
    notice = t.encode_delivery(SERVER_PLAYER, promise)
    assert example("9.4", 1).received == t.encode_status(t.Status.REGISTERED) + notice
    assert f'"{promise}"' in example("9.4", 1).messages[1].comment


def test_whose_a_seat_is() -> None:
    announcer = Announcer(SECRET, 4242)
    registration = announcer.register()
    announcer.feed(t.encode_status(t.Status.REGISTERED))
    assert announcer.next_event() == Registered()
    said = registration + announcer.seat(7, 1, 1001) + announcer.seat(7, 2, NOBODY)
    assert example("9.5", 0).sent == said
    assert example("9.5", 0).received == t.encode_status(t.Status.REGISTERED)
    assert example("9.5", 1).received == t.encode_delivery(SERVER_PLAYER, REPLACED_NOTICE)
    assert f'"{REPLACED_NOTICE}"' in example("9.5", 1).messages[0].comment


def test_comments_name_the_bytes() -> None:
    """A comment that names a status, an index or a Player ID says what the bytes say."""
    for each in examples():
        for message in each.messages:
            check_comment(each, message)


def check_comment(each: Example, message: ExampleLine) -> None:
    words = message.comment.replace(",", " ").replace(":", " ").split()
    match words:
        case ["status", value, *_]:
            assert message.ints[0] == int(value), (str(each), message.comment)
        case ["index", value, *_]:
            assert message.ints == (int(value),), (str(each), message.comment)
        case ["block", tag, *_]:
            assert message.ints[0] == int(tag), (str(each), message.comment)
        case ["Player", "ID", value, *_]:
            assert message.ints == (int(value),), (str(each), message.comment)
        case ["New", "game", value]:
            assert message.ints == (int(value),), (str(each), message.comment)
