"""What a node knows of the tables of its club: who has which, what is free, what is doubtful."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from hearts.hosting.store import Session
from hearts.limits.tables import FIRST_TABLES
from hearts_server.club.news import News
from hearts_server.club.tables import FRESH, UNTOLD_LIMIT, ClubTables
from hearts_server.lobby.known_tables import KnownTable, known_session
from tests.journal.desk import session

OWN, OTHER = 1, 2
LIVES = {OWN, OTHER}


def named(number: int, name: str) -> Session:
    return replace(session(number), table_name=name)


def tables(*numbers: int) -> tuple[KnownTable, ...]:
    return tuple(known_session(named(number, f"Table {number}")) for number in numbers)


def news(life: int, numbers: Sequence[int] = (), **more: object) -> News:
    return replace(News(life, takes_tables=True, tables=tables(*numbers)), **more)


def test_news_are_read_as_they_were_said() -> None:
    said = news(OWN, [1, 2], gone=(3,), networks={"192.0.2.7": 2}, chat=1)
    assert News.decode(said.encode()[4:]) == said


def test_a_table_has_its_name_from_when_it_is_placed() -> None:
    club = ClubTables()
    club.place(named(1, "friends"), OTHER)
    assert club.named("friends") == known_session(named(1, "friends"))
    assert (club.owner(1), len(club), club.named("others")) == (OTHER, 1, None)
    club.refused(1)
    assert (club.owner(1), len(club), club.named("friends")) == (0, 0, None)


def test_what_may_not_be_stored_yet_is_not_taken_for_over() -> None:
    club = ClubTables()
    club.place(named(1, "friends"), OTHER)
    assert club.doubtful({OWN}, 100.0) == []
    club.stored(1, 100.0)
    assert club.doubtful({OWN}, 100.0) == [1]
    assert club.doubtful(LIVES, 100.0) == []
    # Its owner has not told of it.
    assert club.doubtful(LIVES, 100.0 + UNTOLD_LIMIT) == [1]
    club.hear(OTHER, news(OTHER, [1]), 101.0)
    assert club.doubtful(LIVES, 200.0) == []


def test_a_name_is_free_when_the_database_says_so() -> None:
    club = ClubTables()
    club.hear(OTHER, news(OTHER, [1, 2]), 0.0)
    club.hear(OTHER, news(OTHER, gone=(1,)), 1.0)
    assert club.named("Table 1") is not None
    assert ([table.game_number for table in club], len(club)) == ([2], 1)
    assert club.doubtful(LIVES, 1.0) == [1]
    club.settle([1], {1: OTHER})
    assert club.named("Table 1") is not None
    club.settle([1], {})
    assert club.named("Table 1") is None
    assert club.doubtful(LIVES, 1.0) == []


def test_what_is_missing_from_all_that_a_node_has_is_looked_for() -> None:
    club = ClubTables()
    club.place(named(3, "placed"), OTHER)
    club.hear(OTHER, news(OTHER, [1, 2], is_whole=True), 0.0)
    club.hear(OTHER, news(OTHER, [2], is_whole=True), 1.0)
    assert club.doubtful(LIVES, 1.0) == [1]


def test_the_tables_of_a_dead_node_keep_their_names_and_get_an_owner() -> None:
    club = ClubTables()
    club.hear(OTHER, news(OTHER, [1, 2]), 0.0)
    assert club.doubtful({OWN}, 0.0) == [1, 2]
    club.settle([1, 2], {1: OWN, 2: 3})
    assert (club.owner(1), club.owner(2), len(club)) == (OWN, 3, 2)
    # What it says late changes no owner for good.
    club.hear(OTHER, news(OTHER, [1]), 1.0)
    assert club.doubtful({OWN, 3}, 1.0) == [1]
    assert club.forget_others({OWN, 3}) == [OTHER]


def test_a_new_lobby_knows_what_is_stored_and_nothing_else() -> None:
    club = ClubTables()
    club.hear(OTHER, news(OTHER, [1, 2]), 0.0)
    club.list_all([(named(2, "Table 2"), OTHER), (named(5, "friends"), 9)], 1.0)
    assert [table.game_number for table in club] == [2, 5]
    assert club.named("Table 1") is None
    assert club.owner(5) == 9
    assert club.doubtful(LIVES, 1.0) == [5]


def nodes_with(**counts: int) -> ClubTables:
    """The tables of a club whose nodes have so many; each is named by its life."""
    club = ClubTables()
    for name, count in counts.items():
        life = int(name[1:])
        numbers = range(1000 * life, 1000 * life + count)
        club.hear(life, news(life, numbers), 0.0, is_own=life == OWN)
    return club


def test_a_table_goes_where_most_of_its_people_have_come() -> None:
    club = nodes_with(n1=3, n2=1, n3=2)
    for doors, life in (
        ([1, 1, 1, 1], 1),
        ([2, 3, 3, 3], 3),
        ([1, 3, 1], 1),
        ([3], 3),
        # Of several that of the fewest tables.
        ([1, 1, 3, 3], 3),
        ([3, 1, 2], 2),
        # Nobody has come by these.
        ([9, 9, 9, 1], 1),
        ([2**64 - 1, 0], 2),
        ([], 2),
    ):
        assert club.node_for(doors, OWN, 1.0) == life, doors


def test_a_node_that_has_far_more_tables_than_another_gets_none() -> None:
    for fewest, most in ((0, 4), (3, 7), (4, 9), (100, 129)):
        assert nodes_with(n1=fewest, n2=most).node_for([2] * 4, OWN, 1.0) == 2
        assert nodes_with(n1=fewest, n2=most + 1).node_for([2] * 4, OWN, 1.0) == 1
    # Of those that have not, it is again the one by which most have come.
    assert nodes_with(n1=0, n2=5, n3=3).node_for([2, 2, 2, 3], OWN, 1.0) == 3


def test_tables_of_people_who_have_come_by_none_of_the_nodes_go_round() -> None:
    club = nodes_with(n1=0, n2=0, n3=0)
    chosen = []
    for number in range(1, 7):
        chosen.append(club.node_for([], OWN, 1.0))
        club.place(named(number, f"Table {number}"), chosen[-1])
    assert chosen == [1, 2, 3, 1, 2, 3]


def test_who_takes_no_tables_or_is_silent_gets_none() -> None:
    club = ClubTables()
    assert club.node_for([OTHER], OWN, 0.0) == OWN
    club = nodes_with(n1=0, n2=0, n3=0)
    club.hear(OWN, news(OWN, takes_tables=False), 1.0, is_own=True)
    assert club.node_for([OWN] * 4, OWN, 1.0) == OTHER
    # Who is silent may be gone.
    club.hear(3, news(3), FRESH, is_own=False)
    assert club.node_for([OTHER] * 4, OWN, FRESH) == 3
    assert club.node_for([OTHER] * 4, OWN, 10 * FRESH) == OWN


def left_at(club: ClubTables, life: int, now: float, *numbers: int, connected: int = 0) -> None:
    """A node tells of tables of one opener, with so many people."""
    told = [replace(table, opener="192.0.2.7", connected=connected) for table in tables(*numbers)]
    club.hear(life, replace(News(life), tables=tuple(told)), now)


def test_the_table_that_gives_way_was_left_long_ago_wherever_it_is() -> None:
    club = ClubTables()
    first = range(1, FIRST_TABLES + 1)
    left_at(club, OWN, 0.0, *first)
    assert not club.make_room(100.0)
    left_at(club, OTHER, 10.0, 7)
    left_at(club, OWN, 20.0, 8)
    # It was told again, with nothing new of its players.
    left_at(club, OTHER, 30.0, 7)
    assert not club.make_room(9.0)
    assert club.make_room(10.0)
    assert club.to_end == [7]
    assert len(club) == FIRST_TABLES + 1
    assert not club.make_room(10.0)
    # Somebody has come back before it has ended, and then left.
    left_at(club, OTHER, 40.0, 7, connected=1)
    assert (club.to_end, len(club)) == ([], FIRST_TABLES + 2)
    left_at(club, OTHER, 50.0, 7)
    assert club.make_room(30.0)
    assert club.to_end == [8]


def test_a_table_that_has_another_owner_by_now_is_not_ended() -> None:
    club = ClubTables()
    left_at(club, OTHER, 0.0, *range(1, FIRST_TABLES + 2))
    assert club.make_room(0.0)
    (number,) = club.to_end
    club.settle([number], {number: OWN})
    assert club.to_end == []
    left_at(club, OWN, 10.0, number)
    assert not club.make_room(9.0)
    assert club.make_room(10.0)
