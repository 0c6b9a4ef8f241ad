"""Who gives way when a crowd has all places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hearts.limits.shared_places import SharedPlaces

MOST = 6


def entered(*addresses: str, seats: tuple[str, ...] = ()) -> SharedPlaces[str]:
    """A crowd in which each is called as its address and its number."""
    crowd = SharedPlaces[str](MOST)
    crowd.seats = seats
    for number, address in enumerate(addresses):
        assert crowd.enter(f"{address} {number}", address) is None
    return crowd


def test_the_longest_idle_of_the_network_with_most_gives_way() -> None:
    crowd = entered(
        "192.0.2.1", "198.51.100.1", "198.51.100.2", "198.51.100.1", "192.0.2.1", "203.0.113.1"
    )
    crowd.move("198.51.100.1 1")
    assert crowd.enter("new", "203.0.113.2") == "198.51.100.2 2"
    assert crowd.total == MOST


def test_of_networks_that_have_the_same_the_longest_idle_gives_way() -> None:
    crowd = entered(*(f"192.0.{net}.1" for net in range(MOST)))
    crowd.move("192.0.0.1 0")
    assert crowd.enter("new", "192.0.1.1") == "192.0.1.1 1"
    assert crowd.enter("newer", "192.0.99.1") == "192.0.2.1 2"


def test_a_seat_keeps_one_place_and_all_seats_half_of_them() -> None:
    seats = tuple(f"192.0.{net}.1" for net in range(MOST))
    crowd = entered(*seats, seats=seats)
    # Three are kept, and the others give way.
    left = [crowd.enter(f"new {net}", f"198.51.{net}.1") for net in range(5)]
    assert left == ["192.0.3.1 3", "192.0.4.1 4", "192.0.5.1 5", "new 0", "new 1"]
    assert not crowd.keeps_one("192.0.0.1")
    crowd.leave("192.0.0.1 0")
    assert crowd.keeps_one("192.0.5.1")


def test_a_network_of_ipv6_is_wide() -> None:
    crowd = entered(*(f"2001:db8:0:{net}::1" for net in range(2)), "192.0.2.1")
    for net in range(3):
        crowd.enter(f"more {net}", f"198.51.{net}.1")
    assert crowd.enter("new", "203.0.113.1") == "2001:db8:0:0::1 0"


@given(st.lists(st.tuples(st.integers(0, 11), st.sampled_from("emlm"))), st.booleans())
def test_whatever_happens_the_places_are_those_that_were_taken(
    steps: list[tuple[int, str]], has_seats: bool
) -> None:
    crowd = SharedPlaces[int](MOST)
    inside: set[int] = set()
    for one, what in steps:
        address = f"192.0.{one % 4}.{one}"
        if has_seats:
            crowd.seats = {address, *crowd.seats}
        match what:
            case "e" if one not in inside:
                left = crowd.enter(one, address)
                inside.add(one)
                if left is not None:
                    inside.remove(left)
            case "l":
                crowd.leave(one)
                inside.discard(one)
            case _:
                crowd.move(one)
        assert set(crowd) == inside
        assert crowd.total == len(inside) <= MOST
