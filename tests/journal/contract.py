"""What every store of a journal does: the tests that each of them has to pass.

A store is tested by a class that inherits :class:`JournalContract` and has a fixture ``place``.
"""

from __future__ import annotations

from functools import partial
from math import inf

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from hearts.game.rules import PRESETS
from hearts.session.table_words import UNSAID, Description, PlayerKind
from hearts.table.inputs import Setting
from hearts_server.journal.store import PruneTarget, StoredSession

from . import desk

LONG = list(desk.hands(40))


class JournalContract:
    """The tests; a subclass gives the place."""

    # Order and durability

    async def test_a_line_is_there_before_it_is_durable(self, place: desk.StorePlace) -> None:
        seen: list[dict[int, list[str]]] = []
        begun: list[int] = []
        done = trio.Event()

        def look() -> None:
            seen.append(desk.lines_in(place.copy()))
            if len(seen) == 2:
                done.set()

        async with desk.running(place.open()) as journal:
            store = journal.begin(
                desk.session(), lambda: begun.append(len(desk.reread(place.copy())))
            )
            store.append("first", look)
            await trio.testing.wait_all_tasks_blocked()
            store.append("second", look)
            await done.wait()
        assert begun == [1]
        assert "first" in seen[0][1]
        assert seen[1] == {1: ["first", "second"]}

    async def test_an_end_is_there_before_it_is_durable(self, place: desk.StorePlace) -> None:
        seen: list[StoredSession] = []
        done = trio.Event()

        def look() -> None:
            seen.append(desk.reread(place.copy(), 0)[1])
            done.set()

        async with desk.running(place.open()) as journal:
            store = journal.begin(desk.session(), desk.nothing)
            for line in LONG:
                store.append(line, desk.nothing)
            store.end("the players are done", look)
            assert not seen
            await done.wait()
        (found,) = seen
        assert (list(found.lines), found.why) == (LONG, "the players are done")
        assert found.ended is not None

    async def test_lines_are_told_and_kept_in_the_order_in_which_they_came(
        self, place: desk.StorePlace
    ) -> None:
        order: list[tuple[int, int]] = []
        async with desk.running(place.open()) as journal:
            stores = {
                number: journal.begin(desk.session(number), desk.nothing) for number in range(1, 9)
            }
            for turn in range(50):
                for number, store in stores.items():
                    store.append(f"{number} {turn}", partial(order.append, (number, turn)))
            await desk.stored(stores[1], ["the last"])
            assert journal.waiting == 0
            assert journal.statistics.lines_written == 401
            assert journal.statistics.failing_since is None
        assert order == [(number, turn) for turn in range(50) for number in range(1, 9)]
        assert desk.lines_in(place)[8] == [f"8 {turn}" for turn in range(50)]

    async def test_what_waits_at_the_end_is_written(self, place: desk.StorePlace) -> None:
        journal = place.open()
        store = journal.begin(desk.session(), desk.nothing)
        for line in LONG:
            store.append(line, desk.nothing)
        async with desk.running(journal):
            pass
        assert desk.lines_in(place) == {1: LONG}

    async def test_an_error_behind_one_line_does_not_concern_the_others(
        self, place: desk.StorePlace, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with desk.running(place.open()) as journal:
            store = journal.begin(desk.session(), desk.nothing)
            store.append("first", lambda: print(1 // 0))
            await desk.stored(store, ["second"])
        assert "journal-callback-failed" in [record.getMessage() for record in caplog.records]
        assert desk.lines_in(place) == {1: ["first", "second"]}

    async def test_whatever_was_durable_outlives_a_kill(self, place: desk.StorePlace) -> None:
        durable: dict[int, list[str]] = {number: [] for number in range(1, 5)}
        async with desk.running(place.open()) as journal:
            stores = {
                number: journal.begin(desk.session(number), desk.nothing) for number in durable
            }
            for count, line in enumerate(LONG):
                for number, store in stores.items():
                    store.append(line, partial(durable[number].append, line))
                if count % 40 == 20:
                    await desk.stored(stores[1], ["and wait"])
                    durable[1].append("and wait")
                    known = {number: list(lines) for number, lines in durable.items()}
                    found = desk.lines_in(place.copy())
                    assert {n: found[n][: len(lines)] for n, lines in known.items()} == known
        assert desk.lines_in(place).keys() == durable.keys()

    # Reading

    async def test_a_session_comes_back_as_it_was(self, place: desk.StorePlace) -> None:
        setting = Setting(PRESETS["mac2000"], 50, 0, inf, inf)
        given = replace(desk.session(7), table_name="Küche", private=True, setting=setting)
        async with desk.running(place.open()) as journal:
            await desk.stored(journal.begin(given, desk.nothing), LONG)
        journal = place.open()
        (found,) = desk.read(journal, 0)
        assert (found.session, list(found.lines)) == (given, LONG)
        assert (len(found.lines), found.lines[0], found.lines[-2:]) == (
            *(len(LONG), LONG[0]),
            tuple(LONG[-2:]),
        )
        assert (found.ended, found.why) == (None, "")
        async with desk.running(journal):
            await desk.stored(journal.take_up(found), ["three", "deal 3"])
        assert desk.lines_in(place) == {7: [*LONG, "three", "deal 3"]}

    async def test_any_line_comes_back_as_it_was(self, place: desk.StorePlace) -> None:
        lines = ["", "play ♠", "", '"{NULL},\\n', "%s $1 'x'", " \t "]
        async with desk.running(place.open()) as journal:
            alone, together = (
                journal.begin(desk.session(number), desk.nothing) for number in (1, 2)
            )
            for line in lines:
                await desk.stored(alone, [line])
            await desk.stored(together, lines)
        assert desk.lines_in(place) == {1: lines, 2: lines}

    async def test_a_session_that_nobody_takes_up_stays(self, place: desk.StorePlace) -> None:
        async with desk.running(place.open()) as journal:
            await desk.stored(journal.begin(desk.session(), desk.nothing), LONG)
        async with desk.running(place.open()) as journal:
            await desk.stored(journal.begin(desk.session(2), desk.nothing), LONG)
        assert desk.lines_in(place) == {1: LONG, 2: LONG}

    async def test_what_is_new_of_a_seat_replaces_what_was_so(self, place: desk.StorePlace) -> None:
        async with desk.running(place.open()) as journal:
            store = journal.begin(desk.session(), desk.nothing)
            store.change_seat(1, replace(desk.SEATS[1], network="198.51.100.9"))
            await desk.stored(store, ["a line"])
            # Whose a seat is follows from the lines alone.
            later = replace(desk.SEATS[1], name="Eve", network="198.51.100.10")
            store.change_seat(1, later)
            first = Description(PlayerKind.PERSON, 0, "first")
            store.change_seat(0, replace(desk.SEATS[0], said=first))
            store.change_seat(0, replace(desk.SEATS[0], said=desk.COUNTS))
            store.append("another", desk.nothing)
        found = desk.reread(place)[1].session
        networks = [seat.network for seat in found.seats]
        assert networks == ["192.0.2.7", "198.51.100.10", "", ""]
        assert [seat.said for seat in found.seats] == [desk.COUNTS, desk.COUNTS, UNSAID, UNSAID]
        assert [seat.name for seat in found.seats] == [seat.name for seat in desk.SEATS]
        assert found.opener == "192.0.2.7"

    async def test_ended_sessions_are_read_from_a_time_on(self, place: desk.StorePlace) -> None:
        async with desk.running(place.open()) as journal:
            for number in (3, 1, 2):
                store = journal.begin(desk.session(number), desk.nothing)
                for line in LONG:
                    store.append(line, desk.nothing)
                if number != 2:
                    store.end("the players are done", desk.nothing)
        journal = place.open()
        found = {one.session.game_number: one for one in desk.read(journal, 0)}
        assert list(found) == [1, 2, 3]
        assert [list(one.lines) for one in found.values()] == [LONG] * 3
        assert [one.why for one in found.values()] == [
            "the players are done",
            "",
            "the players are done",
        ]
        end = found[1].ended
        assert end is not None
        assert [one.session.game_number for one in desk.read(journal, end)] == [1, 2, 3]
        assert [one.session.game_number for one in desk.read(journal, end + 2)] == [2]
        assert len(desk.read(journal, 0, 1)) == 2
        assert journal.keeper.highest_game_number() == 3
        journal.close()

    async def test_an_end_with_nothing_played(self, place: desk.StorePlace) -> None:
        async with desk.running(place.open()) as journal:
            journal.begin(desk.session(), desk.nothing).end("nobody came", desk.nothing)
        found = desk.reread(place, 0)[1]
        assert (list(found.lines), found.why) == ([], "nobody came")
        assert found.ended is not None

    # Refusal and trouble

    async def test_a_game_that_cannot_be_stored_stops_no_other(
        self, place: desk.StorePlace, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with desk.running(place.open()) as journal:
            await desk.stored(journal.begin(desk.session(1), desk.nothing), LONG)
        refused: list[int] = []
        acknowledged: list[str] = []
        journal = place.open()
        journal.on_refused = refused.append
        assert journal.keeper.highest_game_number() == 1
        taken = journal.begin(desk.session(1), lambda: acknowledged.append("begin 1"))
        free = journal.begin(desk.session(2), lambda: acknowledged.append("begin 2"))
        taken.append("taken", lambda: acknowledged.append("taken"))
        async with desk.running(journal):
            await desk.stored(free, ["free"])
            taken.append("later", lambda: acknowledged.append("later"))
            taken.end("and this", lambda: acknowledged.append("the end"))
            await desk.stored(free, ["free too"])
        assert refused == [1]
        assert acknowledged == ["begin 2"]
        assert desk.lines_in(place) == {1: LONG, 2: ["free", "free too"]}
        refusals = [message for message in caplog.messages if message.startswith("journal-refused")]
        assert len(refusals) == 1
        assert refusals[0].startswith("journal-refused game=1 ")

    async def test_trouble_delays_and_loses_nothing(
        self, place: desk.StorePlace, caplog: pytest.LogCaptureFixture
    ) -> None:
        ward = desk.Ward()
        async with desk.running(place.open(ward.on_trouble)) as journal:
            store = journal.begin(desk.session(), desk.nothing)
            await desk.stored(store, ["line 0"])
            with place.broken():
                ward.append(store, range(1, 100))
                await ward.failing.wait()
                assert journal.statistics.failing_since is not None
                told = list(ward.acknowledged)
                ward.append(store, range(100, 200))
                assert ward.acknowledged == told
                assert journal.waiting >= 100
                assert desk.lines_in(place.copy()) == {1: [f"line {n}" for n in (0, *told)]}
            await ward.works.wait()
            await desk.stored(store, ["line 200"])
            assert journal.statistics.failing_since is None
        assert ward.acknowledged == list(range(1, 200))
        assert len(ward.reasons) == 2
        assert desk.lines_in(place) == {1: [f"line {number}" for number in range(201)]}
        events = [message.split(" ")[0] for message in caplog.messages]
        assert events == ["journal-failing", "journal-works-again"]

    async def test_a_server_that_ends_in_trouble(
        self, place: desk.StorePlace, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with desk.running(place.open()) as journal:
            await desk.stored(journal.begin(desk.session(), desk.nothing), ["line 0"])
        ward = desk.Ward()
        journal = place.open(ward.on_trouble)
        (found,) = desk.read(journal, 0)
        with place.broken(), trio.fail_after(4):
            async with desk.running(journal):
                store = journal.take_up(found)
                ward.append(store, range(1, 10))
                store.end("the players are done", partial(ward.acknowledged.append, -1))
                await ward.failing.wait()
        assert -1 not in ward.acknowledged
        assert caplog.messages[-1].startswith("journal-gave-up unwritten=")
        after = desk.reread(place)[1]
        assert list(after.lines) == [f"line {n}" for n in (0, *ward.acknowledged)]
        assert after.ended is None

    async def test_whatever_was_given_in_trouble_comes_in_its_order(
        self, place: desk.StorePlace
    ) -> None:
        ward = desk.Ward()
        begun: list[int] = []
        async with desk.running(place.open(ward.on_trouble)) as journal:
            first, second = (journal.begin(desk.session(number), desk.nothing) for number in (1, 2))
            await desk.stored(first, ["line 0"])
            with place.broken():
                ward.append(first, range(1, 20))
                first.change_seat(1, replace(desk.SEATS[1], network="198.51.100.9"))
                ended = trio.Event()
                first.end("the players are done", ended.set)
                await ward.failing.wait()
                assert not ended.is_set()
                third = journal.begin(desk.session(3), lambda: begun.append(3))
                third.append("line 0", desk.nothing)
                second.change_seat(0, replace(desk.SEATS[0], said=desk.COUNTS))
            await desk.stored(third, ["line 1"])
            await ended.wait()
        found = desk.reread(place, 0)
        assert begun == [3]
        assert ward.acknowledged == list(range(1, 20))
        assert list(found[1].lines) == [f"line {number}" for number in range(20)]
        assert found[1].session.seats[1].network == "198.51.100.9"
        assert found[1].why == "the players are done"
        assert found[2].session.seats[0].said == desk.COUNTS
        assert list(found[3].lines) == ["line 0", "line 1"]

    # Pruning

    async def test_finished_sessions_are_pruned_and_others_are_not(
        self, place: desk.StorePlace
    ) -> None:
        async with desk.running(place.open()) as journal:
            for number in range(1, 6):
                store = journal.begin(desk.session(number), desk.nothing)
                for line in LONG:
                    store.append(line, desk.nothing)
                if number != 3:
                    store.end("the players are done", desk.nothing)
        journal = place.open()
        ends = {one.session.game_number: one.ended for one in desk.read(journal, 0)}
        latest = ends[5]
        assert latest is not None
        (going_on,) = desk.read(journal, 2**40)
        async with desk.running(journal):
            journal.writer.prune(PruneTarget(0, latest))
            store = journal.take_up(going_on)
            await desk.stored(store, ["a line"])
            journal.writer.prune(PruneTarget(0, latest + 1))
            with trio.fail_after(20):
                while len(desk.reread(place.copy(), 0)) > 1:
                    await desk.stored(store, ["a line"])
        (left,) = desk.reread(place, 0).values()
        assert left.session.game_number == 3
        assert list(left.lines[: len(LONG) + 1]) == [*LONG, "a line"]
