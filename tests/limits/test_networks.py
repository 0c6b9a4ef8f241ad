"""What is counted by network: tables, connections and accepting, with time handed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from hearts.limits.arrivals import REPORT_EVERY, ArrivalLimiter
from hearts.limits.networks import NetworkCounts, PerNetwork, is_near, network_of, networks_of
from hearts.limits.table_limits import (
    FIRST_TABLES,
    TablesByNetwork,
    full_network,
    gives_way,
    in_turn,
)
from hearts.session.messages import Refusal
from hearts_server.lobby.open_connections import (
    REFUSED_AT_ONCE,
    RESERVE,
    RESERVE_PER_ADDRESS,
    Admit,
    OpenConnections,
)

LIMITS = PerNetwork((16, 64), (8, 16, 32))


def ipv6(number: int, *, bits: int) -> str:
    value = (0x20010DB8 << 96) + (number << (128 - bits)) + 1
    return ":".join(f"{value >> shift & 0xFFFF:x}" for shift in range(112, -1, -16))


@pytest.mark.parametrize(
    ("address", "near"),
    [
        *(
            (each, True)
            for each in ("127.0.0.1", "::1", "10.1.2.3", "172.31.0.1", "192.168.7.7", "")
        ),
        *((each, True) for each in ("169.254.1.1", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1")),
        *((each, False) for each in ("203.0.113.9", "172.32.0.1", "100.64.0.1", "2001:db8::1")),
        *((each, False) for each in ("::ffff:8.8.8.8", "1::1", "fec0::1")),
    ],
)
def test_who_is_near(address: str, near: bool) -> None:
    assert is_near(network_of(address)) == near


class TestCounts:
    @pytest.mark.parametrize(("bits", "room"), [(128, 8), (64, 16), (56, 32), (48, 200)])
    def test_an_ipv6_network_has_no_more_room_than_the_widest_of_its_limits(
        self, bits: int, room: int
    ) -> None:
        counts = NetworkCounts(LIMITS)
        came = 0
        for number in range(200):
            if counts.has_room(ipv6(number, bits=bits)):
                counts.add(ipv6(number, bits=bits))
                came += 1
        assert came == room

    def test_ipv4_addresses_of_one_network(self) -> None:
        counts = NetworkCounts(LIMITS)
        for number in range(4):
            for _ in range(16):
                assert counts.has_room(f"192.0.2.{number}")
                counts.add(f"192.0.2.{number}")
            assert not counts.has_room(f"192.0.2.{number}")
        assert not counts.has_room("192.0.2.77")
        assert counts.has_room("192.0.3.77")
        counts.remove("192.0.2.1")
        assert counts.has_room("192.0.2.77")
        assert counts.total == 63

    def test_a_mapped_address_and_a_name_that_is_none(self) -> None:
        counts = NetworkCounts(PerNetwork((1, 0), (9, 9, 9)))
        counts.add("::ffff:192.0.2.1")
        counts.add("?")
        assert not counts.has_room("192.0.2.1")
        assert not counts.has_room("?")

    def test_no_limit(self) -> None:
        counts = NetworkCounts(PerNetwork.widening(0))
        for _ in range(1000):
            counts.add("192.0.2.1")
        assert counts.has_room("192.0.2.1")


class TestArrivals:
    def test_fifty_at_once_and_ten_a_second_from_then_on(self) -> None:
        arrivals = ArrivalLimiter(10, 50)
        assert sum(arrivals.admits("192.0.2.1", 0) for _ in range(2411)) == 50
        assert sum(arrivals.admits("192.0.2.1", 1) for _ in range(2411)) == 10
        assert sum(arrivals.admits("192.0.2.1", 1.35) for _ in range(2411)) == 3
        assert arrivals.admits("192.0.2.2", 1)

    @pytest.mark.parametrize(("bits", "at_once"), [(128, 50), (64, 100), (56, 200)])
    def test_many_networks_of_a_wide_one_have_no_more_than_it(
        self, bits: int, at_once: int
    ) -> None:
        arrivals = ArrivalLimiter(10, 50)
        admitted = sum(arrivals.admits(ipv6(number % 250, bits=bits), 0) for number in range(2500))
        assert admitted == at_once

    def test_what_a_wide_network_refuses_costs_a_narrow_one_nothing(self) -> None:
        arrivals = ArrivalLimiter(10, 50)
        for number in range(400):
            arrivals.admits(f"192.0.2.{number % 8}", 0)
        assert not arrivals.admits("192.0.2.99", 0)
        for second in range(1, 4):
            for number in range(40):
                arrivals.admits(f"192.0.2.{number % 8}", second)
        assert sum(arrivals.admits("192.0.2.99", 10) for _ in range(99)) == 50

    def test_no_limit(self) -> None:
        arrivals = ArrivalLimiter(0, 1)
        assert all(arrivals.admits("192.0.2.1", 0) for _ in range(1000))
        assert arrivals.to_report(0) == 0

    def test_it_is_reported_rarely_and_nothing_is_left_out(self) -> None:
        arrivals = ArrivalLimiter(1, 1)
        reports = []
        for second in range(200):
            refused = sum(not arrivals.admits("192.0.2.1", second) for _ in range(10))
            if count := refused and arrivals.to_report(second):
                reports.append(count)
        assert len(reports) == 1 + 199 // REPORT_EVERY
        assert arrivals.closed == 9 * 200
        assert sum(reports) + arrivals.to_report(200 + REPORT_EVERY) == arrivals.closed


class TestNetworkConnections:
    """Attackers with ever new IPv6 networks fill a server that four friends play at."""

    MOST = 4256
    FRIEND = "192.0.2.1"

    def crowded(self) -> OpenConnections:
        seats = {self.FRIEND: 4}
        made = OpenConnections(
            self.MOST, PerNetwork.widening(32), lambda network: seats.get(network, 0)
        )
        for number in range(self.MOST + RESERVE + 100):
            made.enter(network_of(ipv6(number, bits=48)))
        assert made.reserved == RESERVE
        return made

    def test_who_holds_a_seat_comes_back_all_the_same(self) -> None:
        made = self.crowded()
        back = [made.enter(self.FRIEND) for _ in range(4)]
        assert {each.admit for each in back} == {Admit.ONLY_BACK}
        assert {each.refusal for each in back} == {Refusal.SERVER_FULL}
        assert made.enter(self.FRIEND).admit is Admit.OUT
        made.came_back(back[0])
        assert made.enter(self.FRIEND).admit is Admit.ONLY_BACK
        assert made.enter("192.0.2.2").admit is Admit.OUT

    def test_who_hears_why_is_bounded(self) -> None:
        made = self.crowded()
        address = network_of(ipv6(99_999, bits=48))
        while (last := made.enter(address)).admit is Admit.OUT:
            pass
        assert last.admit is Admit.CLOSED
        assert made.count == self.MOST + RESERVE + REFUSED_AT_ONCE + 2

    def test_the_reserve_is_counted_by_network_too(self) -> None:
        made = OpenConnections(0, PerNetwork.widening(0))
        for number in range(RESERVE):
            made.enter(network_of(ipv6(number, bits=64)))
        assert made.reserved == 2 * RESERVE_PER_ADDRESS, "all of them lie in one /56"
        assert made.enter("192.0.2.1").admit is Admit.ONLY_BACK

    def test_all_places_are_given_back(self) -> None:
        for most, seats in ((1, 0), (0, 0), (0, 1)):
            held = {"192.0.2.1": seats}
            made = OpenConnections(most, PerNetwork.widening(1), held.__getitem__)
            made.leave(made.enter("192.0.2.1"))
            assert (made.count, made.reserved) == (0, 0)


@dataclass(frozen=True)
class Made:
    """A table as the limits see it."""

    opener: str
    game_number: int = 0
    client_count: int = 0
    paused_at: float | None = 0.0


def tables(*openers: str, people: int = 0) -> list[Made]:
    paused = None if people else 0.0
    return [Made(network_of(opener), n, people, paused) for n, opener in enumerate(openers)]


class TestNetworkTables:
    @pytest.mark.parametrize(("bits", "most"), [(128, 8), (64, 16), (56, 32)])
    def test_an_ipv6_network_opens_so_many(self, bits: int, most: int) -> None:
        made: list[Made] = []
        for number in range(100):
            opener = ipv6(number, bits=bits)
            if full_network(opener, made, LIMITS) is None:
                made += tables(opener)
        assert len(made) == most
        assert full_network(ipv6(1, bits=48), made, LIMITS) is None

    def test_the_network_that_is_full_is_named(self) -> None:
        made = tables(*(f"192.0.2.{number % 5}" for number in range(64)))
        assert full_network("192.0.2.77", made, LIMITS) == "192.0.2.0/24"
        assert full_network("192.0.3.77", made, LIMITS) is None

    def test_tables_with_two_people_and_those_of_nobody_do_not_count(self) -> None:
        made = tables(*["192.0.2.1"] * 99, people=2) + [Made("")] * 99
        assert full_network("192.0.2.1", made, LIMITS) is None
        assert gives_way(made, latest=0) is None

    def test_tables_are_found_by_their_widest_network(self) -> None:
        found = TablesByNetwork[Made]()
        made = tables("192.0.2.1", "192.0.2.1", "192.0.2.9", "192.0.3.1", ipv6(1, bits=64), "unix")
        for table in made:
            found.add(table.game_number, table)
        for table in made:
            widest = networks_of(table.opener)[-1]
            alike = [each for each in made if networks_of(each.opener)[-1] == widest]
            assert list(found.around(table.opener)) == alike
        for table in made:
            found.remove(table.game_number, table.opener)
            found.remove(table.game_number, table.opener)
            assert table not in found.around(table.opener)

    def test_no_limit(self) -> None:
        made = tables(*["192.0.2.1"] * 99)
        assert full_network("192.0.2.1", made, PerNetwork.widening(0)) is None


class TestWhichGivesWay:
    def numbers(self, made: Sequence[Made], latest: float = 0) -> list[int]:
        """The tables that give way, one after the other."""
        left, gone = list(made), []
        while (table := gives_way(left, latest)) is not None:
            left.remove(table)
            gone.append(table.game_number)
        return gone

    def test_the_largest_network_first_and_the_first_four_of_all_stay(self) -> None:
        openers = ["192.0.2.1"] * 6 + ["2001:db8::1"] * 8 + ["192.0.2.9"] * FIRST_TABLES
        made = tables(*openers)
        # The second network until it is as large as the first, whose tables are older.
        assert self.numbers(made) == [10, 11, 4, 12, 5, 13]

    def test_the_one_that_was_left_longest_ago(self) -> None:
        made = tables(*["192.0.2.1"] * FIRST_TABLES)
        made += [Made("192.0.2.1", number, 0, paused) for number, paused in ((7, 30), (8, 20))]
        assert self.numbers(made, latest=25) == [8]
        assert self.numbers(made, latest=30) == [8, 7]

    def test_nobody_who_is_connected_is_sent_away(self) -> None:
        made = tables(*["192.0.2.1"] * 20, people=1)
        assert self.numbers(made) == []


class TestNetworkList:
    def test_one_of_each_network_comes_before_two_of_one(self) -> None:
        openers = ["192.0.2.1"] * 3 + ["192.0.2.2", "198.51.100.1", "2001:db8::1"]
        shown = [made.game_number for made in in_turn(tables(*openers), lambda made: made.opener)]
        assert shown == [0, 4, 5, 3, 1, 2]

    def test_a_flood_from_one_wide_network_hides_nobody(self) -> None:
        flood = [ipv6(number, bits=64) for number in range(200)]
        made = tables(*flood, "192.0.2.1", "198.51.100.1")
        shown = [table.opener for table in in_turn(made, lambda made: made.opener)]
        assert shown[1:3] == ["192.0.2.1", "198.51.100.1"]
