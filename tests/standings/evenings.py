"""Sessions by chance, with all that the standings pass over or count, for any store."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from hearts.game.events import Play
from hearts.game.game import Game, Phase
from hearts.game.record import format_action
from hearts.game.rules import PRESETS, STANDARD, parse_rules
from hearts.hosting.store import Session, StoredSeat
from hearts.session.table_words import UNSAID, Description, PlayerKind
from hearts.table.inputs import AnswerAgain, Setting, TakeBack
from hearts.table.seat import Kind
from hearts.table.steps import AskAgain, Removal, SeatChange, format_step
from hearts_server.journal.lines import PackedHand
from hearts_server.journal.rows import StoreTables, end_session, insert_session, pack
from hearts_server.journal.sqlite import SqliteTables
from hearts_server.journal.store import StoredSession
from tests.game.games import play_by_chance, secret_deal_by
from tests.journal.finished import tables_in

T = TypeVar("T")

PEOPLE = ("Ann", "Bjørn ♠", "Cleo", "~Dan", "player 7", "Eve 2")
PROGRAM = Description(PlayerKind.PROGRAM)
NOVEMBER = 1_795_000_000
"""2026-11-18, in the middle of a month."""
DAY = 86_400
COMPUTER = StoredSeat("Larry", Kind.COMPUTER, 0)


class StoredEvening(Struct, frozen=True):
    """A session with its lines, and when it ended; None if it goes on."""

    session: Session
    lines: list[str]
    ended: int | None

    @property
    def stored(self) -> StoredSession:
        return StoredSession(self.session, self.lines, self.ended, "")

    def store(self, tables: StoreTables) -> None:
        number = self.session.game_number
        insert_session(tables, self.session)
        if self.lines:
            pack(tables, [(number, PackedHand.of(0, self.lines))])
        if self.ended is not None:
            end_session(tables, number, self.ended, "the players are done")


MISHAPS = "", "left", "came", "removed", "taken back", "broken off"


def evening(seed: int, mishap: str | None = None, people: int | None = None) -> StoredEvening:
    """Everything that is not given from one number."""
    chance = random.Random(seed)
    rules = chance.choice([STANDARD, STANDARD, parse_rules("jack"), PRESETS["mac2000"]])
    names = chance.sample(PEOPLE, 4)
    seats = [
        StoredSeat(name, Kind.CLIENT, 9, said=PROGRAM if name == "Eve 2" else UNSAID)
        for name in names
    ]
    computers = chance.choice([0, 0, 1, 2, 3]) if people is None else 4 - people
    for number in range(computers):
        seats[number] = COMPUTER
    chance.shuffle(seats)
    end = chance.choice([8, 15])
    a, b, c, d = seats
    begun = NOVEMBER + chance.randrange(-20, 20) * DAY
    setting = Setting(rules, end, 60, 60.0, 600.0, True)
    session = Session(seed, f"Table {seed}", False, setting, (a, b, c, d), begun)
    if mishap is None:
        mishap = chance.choice(("", "", "", *MISHAPS))
    lines = list(_lines(chance, Game(rules, end), mishap))
    return StoredEvening(session, lines, None if chance.random() < 0.05 else begun + 3000)


def _lines(chance: random.Random, game: Game, mishap: str) -> Iterator[str]:
    rules, end = game.rules, game.end_score
    for number in range(chance.choice([1, 2])):
        game = Game(rules, end)
        lines: list[str] = []
        for action, _ in play_by_chance(game, chance, 30, secret_deal_by):
            lines.append(format_action(action))
            if mishap == "taken back" and isinstance(action, Play):
                lines += [format_step(TakeBack(action.player)), lines[-1]]
                mishap = ""
            if game.phase is Phase.DEAL and number == 0:
                lines += _mishap(chance, mishap)
                if mishap == "broken off":
                    yield from lines
                    return
                mishap = mishap if mishap == "taken back" else ""
        yield from lines
        yield format_step(AskAgain(0))
        yield format_step(AnswerAgain(0, True))


def _mishap(chance: random.Random, mishap: str) -> Iterator[str]:
    seat = chance.randrange(4)
    match mishap:
        case "left":
            yield format_step(SeatChange(seat, Kind.COMPUTER, 0, "Curly"))
        case "came":
            yield format_step(SeatChange(seat, Kind.CLIENT, 77, "Ann"))
        case "removed":
            yield format_step(Removal(seat))
            yield format_step(SeatChange(seat, Kind.COMPUTER, 0, "Curly"))
        case _:
            pass


def evenings(seeds: Iterable[int]) -> list[StoredEvening]:
    return [evening(seed) for seed in seeds]


def store_in(path: Path, found: list[StoredEvening]) -> None:
    with closing(tables_in(path)) as tables:
        for one in found:
            one.store(tables)


class KilledTables(SqliteTables):
    """A program that is killed at its n-th change, before it or behind it."""

    at: int = 0
    after: bool = False

    def change(self, statement: str, *values: Any) -> int:
        return self._killed(lambda: super(KilledTables, self).change(statement, *values)) or 0

    def change_all(self, statement: str, rows: Any) -> None:
        self._killed(lambda: super(KilledTables, self).change_all(statement, rows))

    def _killed(self, change: Callable[[], T]) -> T | None:
        self.at -= 1
        done = change() if self.after or self.at else None
        if not self.at:
            raise KeyboardInterrupt
        return done
