"""A journal as it is after years: ``python -m tests.bench.filled DIR --finished 100000``.

DIR becomes a data dir with so many finished games and unfinished tables, for measuring how a server
starts behind them and how soon ``hearts-server records`` answers. The games are some that bots have
played, again and again, and are stored by the code that packs the hands of a server.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import time
from collections.abc import Sequence
from pathlib import Path

from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.record import format_action
from hearts.game.rules import STANDARD
from hearts.game.view import view_of
from hearts.hosting.store import Session, StoredSeat
from hearts.table import Kind, Setting
from hearts_server.datadir import DataDir
from hearts_server.journal.items import StoredLine
from hearts_server.journal.lines import PackedHand, begins_hand
from hearts_server.journal.log import HandLog
from hearts_server.journal.opening import open_database, transaction
from hearts_server.journal.schema import JOURNAL_FILE
from hearts_server.journal.sessions import end_session, insert_hand, insert_session

END_SCORE = 100
SEATS = (
    StoredSeat("Ann", Kind.CLIENT, 9, "192.0.2.7"),
    StoredSeat("Moe", Kind.COMPUTER, 0),
    StoredSeat("Larry", Kind.COMPUTER, 0),
    StoredSeat("Curly", Kind.COMPUTER, 0),
)
GAMES = 20
AT_ONCE = 1000
DAY = 86400


def play(seed: int) -> list[str]:
    """The lines of a game by chance, with one person and three computers."""
    chance = random.Random(seed)
    game = Game(STANDARD, END_SCORE)
    lines = []
    while game.phase is not Phase.OVER:
        waiting: list[int | None] = [*game.waiting_for()]
        for player in waiting or [None]:
            action = choose(game, player, chance)
            lines.append(format_action(action))
            game.apply(action)
    return [*lines, "ask-again 0", "again 0 no"]


def choose(game: Game, player: int | None, chance: random.Random) -> Action:
    """What a player does; None is the dealer."""
    if player is None:
        return Deal.from_secret(chance.randbytes(SECRET_BYTES))
    by = ChosenBy.COMPUTER if player else ChosenBy.PLAYER
    view = view_of(game, player)
    match game.phase:
        case Phase.PASS:
            a, b, c = chance.sample(view.cards, 3)
            return Pass(player, (a, b, c), by)
        case Phase.MOON:
            return ChooseMoon(player, True, by)
        case _:
            return Play(player, chance.choice(view.legal_cards), by)


def fill(data_dir: Path, finished: int, unfinished: int, hands: int) -> None:
    """Make the data dir. Each unfinished table has some finished hands and half a one."""
    games = [pack(play(seed)) for seed in range(GAMES)]
    setting = Setting(STANDARD, END_SCORE, 60, 60.0, 6000.0)
    begun = int(time.time()) - 400 * DAY
    directory = DataDir(data_dir)
    directory.skip_to(finished + unfinished + 1)
    directory.close()
    with contextlib.closing(open_database(data_dir / JOURNAL_FILE)) as connection:
        log = HandLog(connection)
        for start in range(1, finished + unfinished + 1, AT_ONCE):
            with transaction(connection):
                for number in range(start, min(start + AT_ONCE, finished + unfinished + 1)):
                    name = f"Table {number}"
                    session = Session(number, name, False, setting, SEATS, begun + 300 * number)
                    insert_session(connection, session)
                    rows = games[number % GAMES]
                    for row in rows if number <= finished else rows[:hands]:
                        insert_hand(connection, number, row)
                    if number <= finished:
                        ended = session.begun + 1000
                        end_session(connection, number, ended, "the players are done")
                    else:
                        first = rows[hands]
                        half = first.unpack()[: first.count // 2]
                        lines = [StoredLine(number, first.first + n, x) for n, x in enumerate(half)]
                        log.write(log.change(lines))


def pack(lines: Sequence[str]) -> list[PackedHand]:
    """A row for each hand."""
    deals = [number for number, line in enumerate(lines) if begins_hand(line)]
    bounds = zip(deals, [*deals[1:], len(lines)], strict=True)
    return [PackedHand.of(start, lines[start:end]) for start, end in bounds]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.filled", description=__doc__)
    parser.add_argument("data_dir", type=Path, metavar="DIR")
    parser.add_argument("--finished", type=int, default=100_000, help="games (100000)")
    parser.add_argument("--unfinished", type=int, default=1000, help="tables (1000)")
    parser.add_argument("--hands", type=int, default=3, help="hands of an unfinished table (3)")
    given = parser.parse_args()
    fill(given.data_dir, given.finished, given.unfinished, given.hands)
    size = (given.data_dir / JOURNAL_FILE).stat().st_size
    print(f"{given.data_dir}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
