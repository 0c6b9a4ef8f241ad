"""A data dir with stored games, and `hearts-server records` as a host runs it there."""

from __future__ import annotations

import contextlib
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hearts.hosting.store import Session, StoredSeat
from hearts.table.effects import Persist
from hearts.table.inputs import AnswerAgain, Chosen, Question
from hearts.table.seat import Kind
from hearts_server.commands.main import main
from hearts_server.journal.keeper import JournalKeeper
from hearts_server.journal.store import Begin, End, StoredLine
from tests.integration.conftest import chat as chat
from tests.integration.conftest import made as made
from tests.journal.desk import nothing
from tests.journal.finished import tables_in
from tests.table.desk import NAMES, Desk

KINDS = (Kind.CLIENT, Kind.CLIENT, Kind.CLIENT, Kind.COMPUTER)
DAY = 86400
TWO_GAMES, PLAYING, LEFT, SPOILT, JUST_BEGUN = 1, 2, 3, 4, 5


def play(desk: Desk, until: Callable[[Desk], bool]) -> None:
    """Everybody chooses one after the other; Dan is a computer."""
    desk.answer_bots()
    while not until(desk):
        player, question = desk.asked()[0]
        desk.choose(player, question)
        desk.answer_bots()


def lines_of(desk: Desk) -> list[str]:
    return [effect.line for effect in desk.all_of(Persist)]


def asks_again(desk: Desk) -> bool:
    return (0, Question.AGAIN) in desk.asked()


def two_games() -> list[str]:
    desk = Desk("jack", KINDS, end=20)
    play(desk, asks_again)
    desk.choose(0, Question.AGAIN)
    play(desk, asks_again)
    desk.give(Chosen(0, AnswerAgain(0, False)))
    assert desk.table.ended
    return lines_of(desk)


def a_hand_and_a_half() -> list[str]:
    desk = Desk("standard", KINDS)
    play(desk, lambda it: it.table.game.hand_number == 1 and len(it.table.game.history) == 21)
    return lines_of(desk)


def stood_in(lines: list[str]) -> list[str]:
    _, own, *_ = (n for n, line in enumerate(lines) if re.fullmatch(r"play 0 \w\w", line))
    return [*lines[:own], f"{lines[own]} stand-in", *lines[own + 1 :]]


def played_out(lines: list[str]) -> list[str]:
    """The same lines, with a card of Bob's that was played by a computer, as behind a claim."""
    _, own, *_ = (n for n, line in enumerate(lines) if re.fullmatch(r"play 1 \w\w", line))
    return [*lines[:own], f"{lines[own]} computer", *lines[own + 1 :]]


class CommandCase:
    """A data dir with a journal, and the command on it."""

    def __init__(self, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.data_dir = data_dir
        self.journal = data_dir / "journal.db"
        self._capsys = capsys

    def run(self, *arguments: object, status: int = 0) -> tuple[str, str]:
        assert main(["records", *map(str, arguments), "--data-dir", str(self.data_dir)]) == status
        return self._capsys.readouterr()

    def sql(self, statement: str) -> list[tuple[int, ...]]:
        with contextlib.closing(sqlite3.connect(self.journal, isolation_level=None)) as connection:
            return connection.execute(statement).fetchall()


def write(path: Path, sessions: Sequence[tuple[Session, list[str], str]]) -> None:
    with contextlib.closing(tables_in(path)) as tables:
        keeper = JournalKeeper(tables)
        for session, lines, why in sessions:
            number = session.game_number
            stored = [StoredLine(number, n, line) for n, line in enumerate(lines)]
            keeper.commit([Begin(number, session, nothing), *stored])
            if why:
                keeper.commit([End(number, session.begun + 60, why, nothing)])


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data_dir = tmp_path_factory.mktemp("data")
    a, b, c, d = (StoredSeat(name, kind, 9) for name, kind in zip(NAMES, KINDS, strict=True))

    def session(number: int, desk: Desk, name: str, *, private: bool = False) -> Session:
        begun = 1_700_000_000 + number * DAY
        return Session(number, name, private, desk.table.setting, (a, b, c, d), begun)

    standard, jack = Desk("standard", KINDS), Desk("jack", KINDS, end=20)
    half = a_hand_and_a_half()
    write(
        data_dir / "journal.db",
        [
            (session(TWO_GAMES, jack, "Table 1"), two_games(), "the players are done"),
            (session(PLAYING, standard, "Table 2"), half, ""),
            (
                session(LEFT, standard, "台所", private=True),
                played_out(stood_in(half)),
                "nobody came back",
            ),
            (session(SPOILT, standard, "Table 4"), ["play 0 2C", "deal me in"], "an error"),
            (session(JUST_BEGUN, standard, "Table 5"), lines_of(standard), ""),
        ],
    )
    return data_dir


@pytest.fixture
def case(written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> CommandCase:
    return CommandCase(Path(shutil.copytree(written, tmp_path / "data")), capsys)
