"""A client whose table begins elsewhere than where it formed: there all is as if it had stayed."""

from __future__ import annotations

import msgspec
import pytest

from hearts.hosting.client import HostedClient
from hearts.hosting.handing_on import BeforeTable, go_on, hand_on
from hearts.hosting.registrar import BegunElsewhere
from hearts.session.messages import Refusal
from hearts.session.registration import (
    ComeBack,
    GivenName,
    GivenProcessId,
    JoinTable,
    Registration,
    RegistrationEnded,
    Watch,
)
from tests.independent.dealer_frames import PING, REGISTER_PLAYER, encode
from tests.plain.script import ints, text

from .desk import DeskLink, DeskLog

INTRODUCTION = encode(REGISTER_PLAYER, 1, ints(4, 3, 1) + text("hello"))
SAID = encode(PING, 0, b"12345678") + INTRODUCTION + encode(PING, 0, b"abc") + encode(PING, 1)


def client(link: DeskLink) -> HostedClient:
    return HostedClient(link, "192.0.2.7", DeskLog())


@pytest.mark.parametrize("cut", range(0, len(SAID) + 1, 3))
def test_a_client_of_the_dealer_dialect_hears_the_same(cut: int) -> None:
    stayed, before, after = DeskLink(), DeskLink(), DeskLink()
    whole = client(stayed)
    whole.take_seat(2, dealer=True)
    whole.receive(SAID)

    first = client(before)
    first.take_seat(2, dealer=True)
    first.receive(SAID[:cut])
    told = msgspec.json.encode(hand_on(first))
    second = client(after)
    go_on(second, 2, msgspec.json.decode(told, type=BeforeTable))
    second.receive(SAID[cut:])

    assert before.take() + after.take() == stayed.take()
    assert second.introduced == whole.introduced
    assert whole.introduced is not None
    assert second.seat is not None
    assert second.seat.player == 2


def test_a_client_that_follows_its_table_goes_on_to() -> None:
    first = client(DeskLink())
    first.take_seat(0, dealer=True)
    assert first.seat is not None
    first.seat.follows = True
    second = client(DeskLink())
    go_on(second, 0, hand_on(first))
    assert second.follows


def test_what_a_plain_client_has_said_too_early_is_not_lost() -> None:
    first, second = client(DeskLink()), client(DeskLink())
    first.take_seat(3, dealer=False)
    first.receive(b"early")
    before = hand_on(first)
    assert before == BeforeTable(b"early")
    go_on(second, 3, before)
    second.receive(b" and late")
    assert hand_on(second) == BeforeTable(b"early and late")


@pytest.mark.parametrize(
    ("blocks", "item"),
    [
        (ints(-5, 7, 8, 2, 9, -1), ComeBack),
        (ints(-4) + text("friends"), JoinTable),
        (ints(-6, 1, -9, 7), Watch),
    ],
)
def test_a_registration_goes_on_elsewhere(
    blocks: bytes, item: type[ComeBack | JoinTable | Watch]
) -> None:
    first = Registration()
    first.feed(text("Ann") + ints(-10, 1) + blocks + ints(-2, 0))
    found = first.take()
    assert found == GivenName("Ann")
    while not isinstance(found, item):
        found = first.take()
        assert found is not None
    said = BegunElsewhere("Ann", first.hand_on(), found)
    begun = msgspec.json.decode(msgspec.json.encode(said), type=BegunElsewhere)
    assert begun == said
    second = Registration(begun.half)
    refused = RegistrationEnded(Refusal.TABLE_TAKEN, "why")
    assert second.refuse(refused) == first.refuse(refused)
    # The rest of a block that had begun, and the order of blocks, are known there.
    second.feed(ints(0, 0) + ints(1000))
    second.take()
    assert second.take() == GivenProcessId(1000)
    third = Registration(begun.half)
    third.feed(ints(0, 0) + ints(-7))
    third.take()
    with pytest.raises(RegistrationEnded, match="out of order"):
        third.take()
