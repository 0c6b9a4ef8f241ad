"""The standings: every order and every kill gives the same table, and so does another program."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.bots.swift.par import dealt_game, games_from, par_of
from hearts.game.scoring import Four
from hearts.names.proof import NameState, NameWish
from hearts.standings.told import (
    AskedStandings,
    NameStanding,
    StandingFigure,
    ToldStandings,
)
from hearts.table.seat import Kind
from hearts_server.children.standings import StandingsProcess
from hearts_server.commands.main import main
from hearts_server.config import JOURNAL_FILE
from hearts_server.datadir import NAMES_FILE
from hearts_server.journal.rows import StoreTables
from hearts_server.journal.sqlite import SqliteTables
from hearts_server.names.stored import Claim, GivenUp, NameKey, Stored
from hearts_server.postgres.connecting import Database
from hearts_server.postgres.journal import PostgresTables
from hearts_server.standings import counting, update
from hearts_server.standings.counting import EVER
from hearts_server.standings.kept import forget_results, make_tables, not_counted, standings
from hearts_server.standings.tallies import NameTally
from hearts_server.standings.update import count_new, reckon_pars
from tests.independent.standings import table
from tests.integration.conftest import made as made
from tests.integration.house import House, config
from tests.integration.people import Keyholder
from tests.journal.finished import tables_in
from tests.postgres.place import Schema
from tests.postgres.server import PostgresServer

from .evenings import NOVEMBER, KilledTables, StoredEvening, evening, evenings, store_in


@cache
def many() -> list[StoredEvening]:
    return evenings(range(1, 61))


REAL_PAR = counting.HandToReckon.reckon
Tables = dict[str, list[NameStanding]]


def own_name(name: str, claimed: int, *, is_listed: bool = True) -> Claim:
    keys = (NameKey("aa", 0, claimed, claimed),)
    return Claim(name, keys, claimed, claimed, is_kept=True, is_listed=is_listed)


def nothing(text: str) -> None:
    pass


def quick_par(hand: counting.HandToReckon) -> Four | None:
    """Sums by chance, which come again: a real par takes a tenth of a second."""
    chance = random.Random(str(hand.dealt))
    a, b, c, d = (chance.randrange(120) for _ in range(4))
    return (a, b, c, d) if hand.has_par else None


@pytest.fixture(autouse=True, scope="module")
def quick_pars() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting.HandToReckon, "reckon", quick_par)
        yield


@pytest.fixture(scope="module")
def whole(quick_pars: None, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """The tables when everything is counted at once."""
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    store_in(path, many())
    with sqlite(path) as tables:
        count_new(tables, nothing)
        reckon_pars(tables, nothing)
        return shown(tables)


def shown(tables: StoreTables) -> Tables:
    return {month: standings(tables, month) for month in (EVER, "2026-11", "2026-10")}


@contextmanager
def sqlite(path: Path) -> Iterator[SqliteTables]:
    with closing(tables_in(path)) as tables:
        yield tables


@contextmanager
def postgres_tables(place: Schema) -> Iterator[PostgresTables]:
    place.open().close()
    database = Database(place.url)
    with closing(PostgresTables(database, database.open())) as tables:
        yield tables


class TestFold:
    @given(st.randoms(use_true_random=False), st.lists(st.integers(0, 60), max_size=6))
    def test_any_order_in_any_parts_gives_the_same(
        self, chance: random.Random, parts: list[int]
    ) -> None:
        some = list(each_result())
        all_at_once = added(some)
        chance.shuffle(some)
        ends = sorted({*parts, len(some)})
        each = [added(some[begin:end]) for begin, end in zip([0, *ends], ends, strict=False)]
        assert added(each) == all_at_once

    def test_what_is_counted_bit_by_bit_is_what_is_counted_at_once(
        self, tmp_path: Path, whole: Tables
    ) -> None:
        assert len(whole[EVER]) == 4
        with sqlite(tmp_path / "parts.db") as tables:
            for number, one in enumerate(random.Random(5).sample(many(), len(many()))):
                one.store(tables)
                if number % 7 == 0:
                    count_new(tables, nothing)
                if number % 20 == 0:
                    reckon_pars(tables, nothing)
            count_new(tables, nothing)
            reckon_pars(tables, nothing)
            assert shown(tables) == whole
            assert count_new(tables, nothing) == reckon_pars(tables, nothing) == 0

    def test_counted_anew_it_is_the_same_and_pars_are_not_reckoned_again(
        self, tmp_path: Path, whole: Tables, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store_in(tmp_path / "a.db", many())
        with sqlite(tmp_path / "a.db") as tables:
            count_new(tables, nothing)
            reckon_pars(tables, nothing)
            monkeypatch.setattr(counting.HandToReckon, "reckon", lambda hand: 1 // 0)
            forget_results(tables)
            assert shown(tables)[EVER] == []
            count_new(tables, nothing)
            reckon_pars(tables, nothing)
            assert shown(tables) == whole

    @pytest.mark.parametrize("at", [1, 5])
    def test_killed_in_the_middle_nothing_counts_twice_or_never(
        self, tmp_path: Path, whole: Tables, at: int
    ) -> None:
        path = tmp_path / "killed.db"
        store_in(path, many())
        for work in (count_new, reckon_pars):
            for after in (False, True):
                with sqlite(path) as tables, pytest.raises(KeyboardInterrupt):
                    work(KilledTables(tables.connection, path, at=at, after=after), nothing)
            with sqlite(path) as tables:
                work(tables, nothing)
        with sqlite(path) as tables:
            assert shown(tables) == whole

    def test_two_that_count_at_once_count_once(self, tmp_path: Path, whole: Tables) -> None:
        path = tmp_path / "two.db"
        store_in(path, many())
        with sqlite(path) as one, sqlite(path) as other:
            make_tables(one)
            numbers = not_counted(other, 1000)
            count_new(one, nothing)
            for number in numbers:
                update.count_session(other, number)

            def reckon_all(text: str) -> None:
                reckon_pars(other, nothing)

            reckon_pars(one, reckon_all)
            assert shown(other) == whole

    def test_postgresql_has_the_same_table(
        self, tmp_path: Path, postgres: PostgresServer, whole: Tables
    ) -> None:
        with postgres_tables(Schema(postgres)) as tables:
            for one in many():
                one.store(tables)
            for _ in range(2):
                count_new(tables, nothing)
                reckon_pars(tables, nothing)
                assert shown(tables) == whole
                forget_results(tables)


@cache
def each_result() -> list[dict[str, NameTally]]:
    return [counting.results(counting.counted_games(one.stored)) for one in many()]


def added(some: Sequence[dict[str, NameTally]]) -> dict[str, NameTally]:
    found: dict[str, NameTally] = {}
    for one in some:
        for name, tally in one.items():
            found[name] = found.get(name, NameTally()) + tally
    return found


def approx(lines: Any) -> Any:
    if isinstance(lines, dict):
        return {key: approx(value) for key, value in lines.items()}
    if isinstance(lines, list):
        return [approx(line) for line in lines]
    return pytest.approx(lines, abs=1e-9) if isinstance(lines, float) else lines


class TestRules:
    def games(self, mishap: str, people: int) -> dict[str, list[NameTally]]:
        """The tallies of some sessions in which this happens, by name."""
        found: dict[str, list[NameTally]] = {}
        for seed in range(200, 230):
            one = evening(seed, mishap, people)
            games = counting.counted_games(replace(one.stored, ended=NOVEMBER))
            for name, tally in counting.results(games[:1]).items():
                found.setdefault(name, []).append(tally)
        return found

    def test_guests_numbers_and_computers_have_no_line(self) -> None:
        assert self.games("", 3).keys() == {"Ann", "Bjørn ♠", "Cleo", "Eve 2"}

    @pytest.mark.parametrize("mishap", ["removed", "taken back", "broken off"])
    def test_games_that_do_not_count(self, mishap: str) -> None:
        games = [one for seed in range(200, 230) for one in first_games(evening(seed, mishap, 4))]
        plain = [one for seed in range(200, 230) for one in first_games(evening(seed, "", 4))]
        # One of a single hand may be over before that happens.
        assert all(len(game.hands) == 1 for game in games)
        assert len(plain) == 30

    def test_nobody_counts_games_alone(self) -> None:
        assert self.games("", 1) == {}

    def test_a_program_is_no_second_person(self) -> None:
        for seed in range(200, 260):
            one = evening(seed, "", 2)
            names = {seat.name for seat in one.session.seats if seat.kind is Kind.CLIENT}
            assert bool(first_games(one)) == ("Eve 2" not in names)

    def test_who_leaves_has_the_last_place_and_their_hands(self) -> None:
        left = 0
        for seed in range(200, 260):
            for counted in first_games(evening(seed, "left", 4)):
                gone = {seat.player.name for seat in counted.seats if seat.until == 1}
                for name, tally in counting.results([counted]).items():
                    stays = name not in gone or len(counted.hands) == 1
                    assert tally.hands == (len(counted.hands) if stays else 1)
                    if not stays:
                        assert (tally.places, tally.wins) == (4, 0)
                        left += 1
        assert left > 5

    def test_a_table_that_goes_on_does_not_count_yet(self) -> None:
        assert counting.counted_games(replace(evening(200, "", 4).stored, ended=None)) == []

    def test_a_game_counts_for_the_month_in_which_its_table_ended(self) -> None:
        assert counting.months_of(1_793_491_199) == ("2026-10", "")
        assert counting.months_of(1_793_491_200) == ("2026-11", "")

    def test_par_counts_half_way_to_the_mean_of_the_deal(self) -> None:
        # The par of the seat is 10, the mean of all is 7: the hand was worth 8.5.
        assert counting.against_par(13, 1, (40, 80, 48, 56)) == 4.5 * 64

    def test_the_real_par_is_of_the_deal_and_its_number_in_the_game(self) -> None:
        counted = next(
            game
            for seed in range(200, 300)
            for game in first_games(evening(seed, "", 4))
            if len(game.hands) > 1
        )
        _, hand = list(counting.hands_to_reckon([counted]))[:2]
        played = counted.hands[1]
        games = games_from(dealt_game(played.deal.hands, counted.game.rules, 1))
        assert REAL_PAR(hand) == par_of(games).sums


def first_games(one: StoredEvening) -> list[counting.CountedGame]:
    games = counting.counted_games(replace(one.stored, ended=NOVEMBER))
    return [game for game in games if game.number == 1]


class TestAnotherProgram:
    def test_an_independent_script_finds_the_same_table_in_exported_records(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store_in(tmp_path / JOURNAL_FILE, many())
        where = ("--data-dir", str(tmp_path))
        assert main(["standings", "--json", "--month", "2026-11", *where]) == 0
        told = json.loads(capsys.readouterr().out)
        assert main(["records", "export", "--all", str(tmp_path / "kept"), *where]) == 0
        for key, month in (("ever", ""), ("of_month", "2026-11")):
            assert len(told[key]) == 4
            assert any(line["is_program"] for line in told[key])
            assert approx(table(str(tmp_path / "kept"), month)) == told[key]


class TestStandingsCommand:
    def run(self, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
        assert main(["standings", "--data-dir", str(folder), *words]) == 0
        return capsys.readouterr().out.splitlines()

    def test_it_counts_and_shows_and_says_if_there_is_nothing(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store_in(tmp_path / JOURNAL_FILE, many())
        head, columns, *lines = self.run(tmp_path, capsys)
        assert head == "Of all time, names with 5 games or more"
        assert columns.split()[-2:] == ["Against", "par"]
        assert len(lines) == 5
        assert any("Eve 2 *" in line for line in lines)
        assert lines.pop() == "* a program"
        assert all("+-" in line for line in lines)
        assert self.run(tmp_path, capsys, "--month", "2024-01") == [
            "Of 2024-01 (UTC), names with 5 games or more: none yet"
        ]
        assert self.run(tmp_path, capsys, "--again", "--no-pars")[:-1] == [head, columns, *lines]

    def test_it_writes_a_file_for_a_page(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store_in(tmp_path / JOURNAL_FILE, many()[:3])
        assert self.run(tmp_path, capsys, "--write", str(tmp_path / "page.json")) == []
        told = json.loads((tmp_path / "page.json").read_text())
        assert told["ever"] == told["of_month"] == []
        assert told["least_games"] == 5

    def test_a_damaged_session_holds_up_nothing(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], whole: Tables
    ) -> None:
        store_in(tmp_path / JOURNAL_FILE, many())
        with sqlite(tmp_path / JOURNAL_FILE) as tables:
            tables.change("UPDATE hands SET lines = x'00' WHERE game_number < 4")
        assert len(self.run(tmp_path, capsys)) == 7

    def test_what_is_no_month_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["standings", "--month", "2026-13"]) == 2
        assert "give a month as 2026-11" in capsys.readouterr().err

    def test_with_names_only_those_who_want_it_are_listed_and_since_their_claim(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        store_in(tmp_path / JOURNAL_FILE, many())
        middle = NOVEMBER + 5
        claims = [
            own_name("Ann", 1000),
            own_name("Cleo", 1000, is_listed=False),
            own_name("Bjørn ♠", middle),
        ]
        (tmp_path / NAMES_FILE).write_bytes(msgspec.json.encode(Stored(claims)))
        assert main(["standings", "--data-dir", str(tmp_path), "--json"]) == 0
        told = {line["name"]: line["games"] for line in json.loads(capsys.readouterr().out)["ever"]}
        assert told.keys() == {"Ann", "Bjørn ♠"}
        later = [one for one in many() if one.session.begun >= middle]
        games = [added([counting.results(counting.counted_games(one.stored))]) for one in later]
        assert told["Bjørn ♠"] == added(games)["Bjørn ♠"].games
        # Another owner begins anew.
        claims[0] = own_name("Ann", middle)
        (tmp_path / NAMES_FILE).write_bytes(msgspec.json.encode(Stored(claims)))
        assert not any("Ann" in line for line in self.run(tmp_path, capsys))


class TestToldStandings:
    def test_texts_come_back_as_they_were(self, whole: Tables) -> None:
        for lines in (whole[EVER], [], [replace(whole[EVER][0], against_par=None, par_hands=0)]):
            told = ToldStandings("2026-11", 5, lines)
            back = ToldStandings.of_texts(told.texts())
            assert back is not None
            assert back.texts() == told.texts()
            assert [one.wins for one in back.lines] == [one.wins for one in lines]
            assert len(back.shown()) == len(told.shown())

    @pytest.mark.parametrize(
        "texts",
        [[], ["day 2026-01-01 open 00"], ["standings ever"], ["standings ever 5", "1 2 3"]],
    )
    def test_other_texts_are_none(self, texts: list[str]) -> None:
        assert ToldStandings.of_texts(texts) is None

    def test_a_line_fits_into_76_columns(self) -> None:
        place, won = StandingFigure(2.345, 1.234), StandingFigure(0.25, 0.25)
        points = StandingFigure(-12.34, 1.23)
        line = NameStanding("W" * 30, True, 9_999, place, 1, won, 9, points, 9, points)
        assert max(map(len, ToldStandings("", 5, [line] * 99).shown())) <= 76


class TestServer:
    async def test_a_server_tells_them_and_counts_again_when_a_table_has_ended(
        self, tmp_path: Path, nursery: trio.Nursery
    ) -> None:
        store_in(tmp_path / JOURNAL_FILE, many())
        gone = GivenUp("Nobody", 0, 0, 5)
        stored = Stored([own_name("Ann", 1000)], given_up=[gone], numbers=5)
        (tmp_path / NAMES_FILE).write_bytes(msgspec.json.encode(stored))
        shown: list[Mapping[int, Sequence[str]]] = []
        settings = config(tmp_path, "--names", "--deal", "0004-1061-050R-3GG2-8A1C-60T3-GFQG")
        forgotten = list[int]()
        has_erased = trio.Event()

        def show(texts: Mapping[int, Sequence[str]]) -> None:
            shown.append(texts)

        async def erased(numbers: Collection[int]) -> None:
            forgotten.extend(numbers)
            has_erased.set()

        with trio.fail_after(60):
            nursery.start_soon(StandingsProcess(settings, lambda: 0, show, erased).run)
            await has_erased.wait()
        assert forgotten == [5]
        head, line = shown[0][AskedStandings.EVER]
        assert head == "standings ever 5"
        assert line.endswith(" person Ann")

    @pytest.mark.house("--names")
    async def test_a_client_asks_for_them(self, made: House) -> None:
        made.server._reception.greeting.standings = {1: ("standings ever 5",), 2: ("x", "y")}
        caller = await made.greet("Ann", -16, 1, b"\1", -16, 1, b"\2", -16, 1, b"\3", -16, 0)
        assert await caller.numbers(1) == (1,)
        assert await caller.string() == "standings ever 5"
        assert await caller.numbers(1) == (2,)
        assert [await caller.string() for _ in range(2)] == ["x", "y"]
        assert await caller.numbers(2) == (0, 0)

    @pytest.mark.house("--names")
    async def test_an_owner_says_whether_the_name_is_listed(self, made: House) -> None:
        ann = Keyholder("Ann")
        names = made.server.names
        assert names is not None
        assert await ann.comes(await made.call(), NameWish.CLAIM) is NameState.CLAIMED
        assert (
            await Keyholder("Ann", b"else").comes(await made.call(), NameWish.LIST)
            is NameState.UNTOLD
        )
        for wish in (NameWish.LIST, NameWish.UNLIST, NameWish.LIST):
            assert await ann.comes(await made.call(), wish) is NameState.OWN
            claim = names.claims.of("Ann")
            assert claim is not None
            assert claim.is_listed is (wish is NameWish.LIST)
