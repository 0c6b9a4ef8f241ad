"""The Game ID: fixed values, and that no number of a seat can be exchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.wire.codec import INT_MAX, INT_MIN
from hearts.wire.credentials import SECRET_BYTES, SERVER_PLAYER, SeatCredentials, are_genuine, issue

SECRET = bytes(range(32))
ints = st.integers(INT_MIN, INT_MAX)
secrets = st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)


@pytest.mark.parametrize(
    ("game_number", "player", "process_id", "game_id"),
    [
        # The first four bytes that `openssl dgst -sha256 -mac HMAC` gives, the top bit cleared.
        (7, 0, 4242, 0x96E53437 & 0x7FFFFFFF),
        (7, 3, 77, 0x1F542CAE),
        (7, SERVER_PLAYER, 900, 0x44AACBDD),
        (0, SERVER_PLAYER, 900, 0x8F151DCC & 0x7FFFFFFF),
        (INT_MAX, 2, INT_MAX, 0x9CC8DB18 & 0x7FFFFFFF),
    ],
)
def test_the_game_id_is_an_hmac_of_the_three_other_numbers(
    game_number: int, player: int, process_id: int, game_id: int
) -> None:
    seat = SeatCredentials(game_number, game_id, player, process_id)
    assert issue(SECRET, game_number, player, process_id) == seat
    assert are_genuine(SECRET, seat)


@given(secrets, ints, ints, ints)
def test_what_is_issued_is_genuine_and_no_negative_number(
    secret: bytes, game_number: int, player: int, process_id: int
) -> None:
    seat = issue(secret, game_number, player, process_id)
    assert 0 <= seat.game_id <= INT_MAX
    assert are_genuine(secret, seat)


def test_a_game_id_with_any_bit_changed_is_not_genuine() -> None:
    for bit in range(32):
        seat = issue(SECRET, 7, 0, 4242)
        changed = seat.game_id ^ (1 << bit)
        signed = changed - (1 << 32) if changed > INT_MAX else changed
        assert not are_genuine(SECRET, replace(seat, game_id=signed))


@pytest.mark.parametrize(
    "change", [{"game_number": 8}, {"player": 1}, {"player": -1}, {"process_id": 4243}]
)
def test_no_other_number_may_be_exchanged(change: dict[str, int]) -> None:
    seat = issue(SECRET, 7, 0, 4242)
    assert not are_genuine(SECRET, replace(seat, **change))


def test_another_secret_gives_other_numbers() -> None:
    assert not are_genuine(bytes(32), issue(SECRET, 7, 0, 4242))
