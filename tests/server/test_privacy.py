"""What others on the machine can read, and what errors say: neither shows cards or secrets."""

from __future__ import annotations

import contextlib
import logging
import random
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from hearts.bots import SimpleBot
from hearts.errors import CorruptRecord, HeartsError
from hearts.game.cards import Card
from hearts.game.deal import deal_code, deal_hands
from hearts.game.events import Action, ChooseMoon, ChosenBy, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.record import format_action
from hearts.game.rules import STANDARD
from hearts.game.view import View
from hearts.hosting.hosted_table import HostedTable
from hearts.hosting.store import NoStore, Session, StoredSeat
from hearts.net.logline import EventLog, LineFormatter
from hearts.table.inputs import Setting
from hearts.table.seat import Kind
from hearts.table.table import Table
from hearts_server.config import JOURNAL_FILE, Durability
from hearts_server.datadir import DataDir
from hearts_server.journal.replay import games_of
from hearts_server.journal.sqlite import SqliteJournal
from hearts_server.journal.store import StoredSession
from hearts_server.launching import run_table
from tests.game.games import play_by_chance
from tests.independent import plain_client as client
from tests.integration.house import NAMES, house

from .process import ALONE, port_of, running, seated

ROOT = Path(__file__).parents[2]
SECRET = bytes(range(100, 116))
CODE = deal_code(SECRET)
PASSWORD = "sesame-18"
CARD = re.compile(r"(?<![A-Za-z0-9])(?:[2-9AJKQT]|10)[CDHS♣♦♥♠](?![A-Za-z0-9])")


def modes(data_dir: Path) -> dict[str, int]:
    paths = {".": data_dir} | {path.name: path for path in data_dir.iterdir()}
    return {name: stat.S_IMODE(path.stat().st_mode) for name, path in paths.items()}


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Callable[[], str]:
    caplog.set_level(logging.DEBUG)
    caplog.handler.setFormatter(LineFormatter())
    return lambda: caplog.text


# Files and processes


def children(process: int) -> list[Path]:
    """The folders in /proc of the processes that this one has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            after_name = (folder / "stat").read_text().rpartition(")")[2]
            if int(after_name.split()[1]) == process:
                found.append(folder)
    return found


def test_a_running_server_shows_nothing_to_other_users(tmp_path: Path) -> None:
    data_dir = tmp_path / "new" / "data"
    settings = client.ClientHabits(password=PASSWORD, options=ALONE)
    words = ("--deal", CODE, "--log-level", "debug", "--exit-with-parent")
    # Everybody may read new files, unless it says otherwise.
    with running(data_dir, *words, chats=True, umask=0, HEARTS_PASSWORD=PASSWORD) as (
        process,
        said,
    ):
        with seated(port_of(said), settings):
            found = modes(data_dir)
            secret = (data_dir / "secret").read_bytes()
            shown = [
                (folder / name).read_bytes()
                for folder in children(process.pid)
                for name in ("cmdline", "environ")
            ]
        assert process.stdin is not None
        process.stdin.close()
        assert process.stderr is not None
        shown.append(process.stderr.read().encode())
    assert found.pop(".") == 0o700
    journal = (JOURNAL_FILE + end for end in ("", "-wal", "-shm", "-spool"))
    files = ["secret", "lock", "game-number", "known-networks", "console", *journal]
    files += ["door", "door-chat", *(name for name in found if name.startswith("web-chat-"))]
    assert found == dict.fromkeys(files, 0o600)
    if Path("/proc/self/stat").exists():
        assert any(b"taunt_server" in text for text in shown)
    hidden = [secret, SECRET, PASSWORD.encode(), CODE.encode()]
    hidden += [part.hex().encode() for part in (secret, SECRET)]
    assert not [piece for piece in hidden for text in shown if piece in text]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({".": 0o755}, {".": 0o700}),
        ({".": 0o777, "secret": 0o644, "lock": 0o600}, {".": 0o700, "secret": 0o600}),
        ({".": 0o700, "secret": 0o640, "game-number": 0o666}, {".": 0o700, "secret": 0o600}),
        ({".": 0o750, JOURNAL_FILE: 0o644}, {".": 0o700}),
        ({".": 0o755, "secret": 0o644, "letters": 0o644}, {".": 0o755, "secret": 0o600}),
    ],
)
def test_a_data_dir_that_others_could_use_is_closed(
    before: dict[str, int], after: dict[str, int], tmp_path: Path, log: Callable[[], str]
) -> None:
    for name, mode in before.items():
        if name != ".":
            (tmp_path / name).write_bytes(b"7" if name == "game-number" else bytes(32))
            (tmp_path / name).chmod(mode)
    tmp_path.chmod(before["."])
    DataDir(tmp_path).close()
    found = modes(tmp_path)
    assert {name: found[name] for name in after} == after
    assert found["lock"] == found["game-number"] == 0o600
    warned = re.findall(r"event=open-to-others path=(\S+) mode=(\d+) closed=(\w+)", log())
    expected = [
        (str(tmp_path / name), f"{mode:o}", "yes" if after.get(name, 0o600) != mode else "no")
        for name, mode in before.items()
        if mode & 0o077 and name in (".", "secret", "game-number")
    ]
    assert warned == expected


def test_a_data_dir_that_is_closed_needs_no_word(tmp_path: Path, log: Callable[[], str]) -> None:
    DataDir(tmp_path / "new").close()
    DataDir(tmp_path / "new").close()
    assert log() == ""


def test_an_open_journal_is_closed_too(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    SqliteJournal(path, Durability.NORMAL).close()
    path.chmod(0o664)
    SqliteJournal(path, Durability.NORMAL).close()
    assert modes(tmp_path)[path.name] == 0o600


# What errors say


class BadBot(SimpleBot):
    """Plays or passes badly; keeps what it had better not said."""

    def __init__(self, play: BadPlay | None = None, pass_cards: BadPass | None = None) -> None:
        self.said: list[str] = []
        self._play = play
        self._pass_cards = pass_cards

    def say(self, *words: object) -> str:
        self.said.append(" ".join(map(str, words)))
        return self.said[-1]

    def choose_card(self, view: View) -> Card:
        return self._play(self, view) if self._play else super().choose_card(view)

    def choose_pass(self, view: View) -> tuple[Card, ...]:
        if self._pass_cards is None:
            return super().choose_pass(view)
        return self._pass_cards(view)  # type: ignore[return-value]


BadPlay = Callable[[BadBot, View], Card]
BadPass = Callable[[View], object]


def raises(bot: BadBot, view: View) -> Card:
    raise ValueError(bot.say(view))


def raises_in_turn(bot: BadBot, view: View) -> Card:
    try:
        return {Card(51): Card(51)}[view.cards[0]]
    except KeyError as error:
        bot.say(error)
        raise ExceptionGroup(bot.say(*view.cards), [ValueError(bot.say(view.hand))]) from error


def finds_nothing(bot: BadBot, view: View) -> Card:
    bot.say(repr(view.cards[0]))
    return view.cards[view.cards[1:].index(view.cards[0])]


def revokes(bot: BadBot, view: View) -> Card:
    others = [card for card in view.cards if not view.legal >> card & 1]
    return others[0] if others else SimpleBot.choose_card(bot, view)


BAD_BOTS = {
    "raises": BadBot(raises),
    "raises in turn": BadBot(raises_in_turn),
    "finds nothing": BadBot(finds_nothing),
    "plays what it has not": BadBot(
        lambda _, view: next(card for card in map(Card, range(52)) if not view.hand >> card & 1)
    ),
    "revokes": BadBot(revokes),
    "passes twice": BadBot(None, lambda view: (view.cards[0],) * 3),
    "passes too few": BadBot(None, lambda view: view.cards[:2]),
    "passes no cards": BadBot(None, lambda view: (view.hand, view.hand + 1, view.hand + 2)),
    "passes nothing": BadBot(None, lambda view: None),
}


async def play_with(bot: SimpleBot) -> None:
    """Let computers play, of whom one is this bot, until the table has ended."""
    players = [(name, Kind.COMPUTER) for name in NAMES]
    setting = Setting(STANDARD, 10, 60, 60.0)
    a, b, c, d = (StoredSeat(name, kind, 0) for name, kind in players)
    table = Table(setting, players, lambda: Deal.from_secret(SECRET))
    host = HostedTable(
        table,
        Session(7, "Table 1", False, setting, (a, b, c, d), 0),
        [SimpleBot(), bot, SimpleBot(), SimpleBot()],
        secret=bytes(32),
        store=NoStore(),
        clock=trio.current_time,
        log=EventLog("host"),
    )
    with trio.fail_after(10):
        host.begin(table.start(trio.current_time()))
        await run_table(host)


@pytest.mark.parametrize("bot", BAD_BOTS.values(), ids=BAD_BOTS)
async def test_a_bot_that_fails_tells_no_card(bot: BadBot, log: Callable[[], str]) -> None:
    await play_with(bot)
    (line,) = [line for line in log().splitlines() if "event=table-failed" in line]
    assert "in choice_of" in line or "in check" in line
    assert not CARD.findall(log())
    hands = deal_hands(SECRET)
    assert not [said for said in (*bot.said, *map(str, hands)) if said in line]


async def test_a_bot_may_name_cards_by_their_numbers(log: Callable[[], str]) -> None:
    simple = SimpleBot()
    numbers = BadBot(
        lambda _, view: int(simple.choose_card(view)),  # type: ignore[arg-type,return-value]
        lambda view: tuple(map(int, simple.choose_pass(view))),
    )
    await play_with(numbers)
    assert 'why="the players are done"' in log()


def stored(*lines: str) -> StoredSession:
    """A session that goes on, of which these lines are stored."""
    a, b, c, d = (StoredSeat(name, Kind.CLIENT, 5) for name in NAMES)
    setting = Setting(STANDARD, 100, 60, 60.0, 600.0)
    return StoredSession(Session(7, "Table 1", False, setting, (a, b, c, d), 0), lines, None, "")


HANDS = format_action(Deal(deal_hands(SECRET)))
DAMAGED = {
    "a code": (f"deal {CODE[:-1]}", "", ""),
    "a wrong code": (f"deal {'1' if CODE[0] == '0' else '0'}{CODE[1:]}",),
    "a mark": (f"deal {CODE} clock",),
    "hands": (HANDS[:-2],),
    "hands with a double": (HANDS[:-2] + HANDS[6:8],),
    "a card": (f"deal {CODE}", "pass 0 QS AS 1S"),
    "another pass": (f"deal {CODE}", *(f"pass {player} QS AS KS" for player in range(4))),
    "a player": (f"deal {CODE}", "pass 4 QS AS KS"),
    "a play": (f"deal {CODE}", "play 0 QS"),
    "no play": (f"deal {CODE}", "play 0 QS no"),
}


@pytest.mark.parametrize("lines", DAMAGED.values(), ids=DAMAGED)
async def test_a_damaged_session_tells_no_card(
    lines: tuple[str, ...], tmp_path: Path, log: Callable[[], str], autojump_clock: MockClock
) -> None:
    session = stored(*(line for line in lines if line))
    async with house(tmp_path) as made:
        assert made.server.launcher.take_up(session) is None
    assert "event=session-unreadable game=7" in log()
    with pytest.raises(CorruptRecord) as told:
        games_of(session)
    for text in (log(), str(told.value)):
        assert not CARD.findall(text)
        assert CODE[5:-5] not in text
        assert HANDS[6:30] not in text


class FaultyLines(tuple[str, ...]):
    """Lines of which each makes the program fail in a way that nobody has foreseen."""

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("QS AS KS")


async def test_an_error_in_a_stored_session_costs_that_one_and_tells_no_card(
    tmp_path: Path, log: Callable[[], str], autojump_clock: MockClock
) -> None:
    faulty = replace(stored(), lines=FaultyLines())
    sound = stored(f"deal {CODE}")
    other = replace(sound, session=replace(sound.session, game_number=8, table_name="Table 2"))
    async with house(tmp_path) as made:
        taken = [made.server.launcher.take_up(each) for each in (faulty, other)]
        assert [host is None for host in taken] == [True, False]
    assert 'game=7 why="an error of the program: RuntimeError"' in log()
    assert not CARD.findall(log())


def tries(game: Game, source: random.Random) -> Iterator[Action]:
    """Choices of everybody, most of which are not legal now."""
    for player in range(4):
        for by in (ChosenBy.PLAYER, ChosenBy.COMPUTER):
            yield Play(player, Card(source.randrange(52)), by)
            yield Pass(player, tuple(Card(source.randrange(52)) for _ in range(3)), by)
            yield ChooseMoon(player, True, by)
    yield Deal(game.dealt)
    yield Deal((1, 2, 3, 4))


def test_no_refused_choice_names_a_card() -> None:
    source = random.Random(5)
    said = set()
    game = Game()
    for _ in play_by_chance(game, source, 3):
        for action in tries(game, source):
            try:
                game.check(action)
            except HeartsError as error:
                said.add(str(error))
    assert len(said) > 10
    assert not [text for text in said if CARD.search(text) or re.search(r"\d{3}", text)]
