"""Nodes die, stand still, lose their database and end in order, while people play through a
balancer; and whatever anybody was told is stored, and was told once.

As in tests/integration/test_kills.py, the clients share no code with the server, and the referee
compares what each of them saw with what is stored.

Many tables, by hand, in about a quarter of an hour:

    pytest -m heavy tests/standby/test_nodes.py -k told --club-tables 100 --troubles 50
"""

from __future__ import annotations

import contextlib
import random
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import trio

from hearts.bots import SimpleBot
from hearts.game.deal import parse_notice
from hearts.game.events import CardPlayed
from hearts.names.proof import NameState, NameWish
from hearts.net.system import allow_many_files
from hearts.session.client_events import RegistrationRefused
from hearts.session.messages import Options, Scores
from hearts.wire.credentials import SeatCredentials
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import SessionResult, play_session
from hearts_server.commands.cluster import main as cluster
from hearts_server.commands.main import main
from hearts_server.journal.store import TryLater
from hearts_server.running.invitation import nodes_password
from tests.independent.plain_client import Closed
from tests.integration.house import HEARTS, Caller, call, register, text
from tests.integration.killing import stored
from tests.integration.people import Keyholder
from tests.integration.test_days import DayVisit, told
from tests.integration.test_tls import ChatListener, say
from tests.postgres.place import Schema, with_standby
from tests.postgres.server import PostgresServer
from tests.soak.hall import Hall
from tests.soak.plan import TablePlan
from tests.soak.soak_server import ServerFault

from .nodes import CHECKED, SECRET, NodeProcess, Nodes, nodes

pytestmark = pytest.mark.heavy

LIMIT = 240.0
"""Seconds in which all sessions have to end; a slow machine does not need them. They are fewer than
pytest gives, which ends a test without telling where it waited."""
SAID_AGAIN = 10.0
"""Seconds after which a line that nobody heard is said again."""
FOR_EACH = 60.0
"""Seconds more for each trouble."""
TABLES = 6
CROWD = 500
"""Players who come back at once."""
CROWD_LIMIT = 10.0
"""Seconds in which all of them have their seats."""
AT_FULL_SPEED = 20
"""Tables of which all may play as fast as they can; more are not a test of the nodes any more."""
PUBLIC = 0.75
"""The part of the tables that is public: strangers meet there."""
THINK = 2.0
"""Seconds for which each player thinks at most, if there are more."""
ARGUMENTS = (
    *("--grace", "60", "--pause-limit", "600", "--turn-limit", "0", "--log-level", "warning"),
)
EXPECTED = ("journal-failing", "journal-still-failing", "journal-abandoned", "journal-gave-up")
"""Events of a node that has lost its database."""


@pytest.fixture
def place(postgres: PostgresServer) -> Schema:
    return Schema(postgres)


@pytest.fixture
def three(tmp_path: Path, place: Schema) -> Iterator[Nodes]:
    with nodes(tmp_path, place, 3, *ARGUMENTS) as made:
        yield made


@pytest.fixture
def hall(
    three: Nodes, place: Schema, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Hall]:
    allow_many_files()
    tables = request.config.getoption("--club-tables")
    think = THINK if tables > AT_FULL_SPEED else 0.0
    plan = TablePlan(
        end_score=30, think=think, journal=place.url, stuck_after=LIMIT / 2, public=PUBLIC
    )
    where = "127.0.0.1", three.balancer.port
    with contextlib.closing(
        Hall(where, plan, range(tables), seed=1, faults=tmp_path / "faults")
    ) as made:
        yield made


class Trouble:
    """Does something bad to a node, again and again, and lets all sessions end then."""

    def __init__(self, hall: Hall, three: Nodes, times: int, *, apart: bool) -> None:
        """``apart``: the next one comes when all players are back, so that each has its time."""
        self._hall = hall
        self._apart = apart
        self._nodes = three
        self._left = times
        self._chance = random.Random(17)
        self.done: list[str] = []
        """The troubles that there were."""
        self._plan()

    def _plan(self) -> None:
        self._hall.later(self._chance.uniform(0.2, 1.5), self._strike)

    def _strike(self) -> None:
        active = self._nodes.active
        # A client that has not heard of its seat could not come back to it.
        waits = self._apart and any(player.is_away for player in self._hall.players)
        # There is always somebody who comes, where tables play fast.
        self._hall.holds_strangers = waits = waits or self._hall.has_newcomers
        if active is None or waits:
            self._hall.later(0.005, self._strike)
            return
        # One whose life is over may have ended a moment ago.
        if any(node.process.has_ended for node in self._nodes.nodes):
            self._revive()
            return
        others = [node for node in self._nodes.nodes if node is not active]
        node = active if self._chance.random() < 0.7 else self._chance.choice(others)
        ways: list[Callable[[NodeProcess], None]] = [
            *(self._kill, self._stop, self._cut, self._end, self._take_over, self._hold)
        ]
        way = ways[len(self.done) % len(ways)]
        self.done.append(f"{way.__name__[1:]} {'active' if node is active else 'standby'}")
        way(node)

    def _revive(self) -> None:
        for node in self._nodes.nodes:
            if node.process.has_ended:
                node.process.begin()
        self._plan()

    def _kill(self, node: NodeProcess) -> None:
        node.process.kill()
        self._then(node, lambda: None)

    def _stop(self, node: NodeProcess) -> None:
        node.stop()
        self._hall.later(CHECKED, lambda: self._nodes.balancer.mark_down(node.number))
        self._hall.later(self._chance.uniform(1.0, 6.0), lambda: self._then(node, node.go_on))

    def _cut(self, node: NodeProcess) -> None:
        node.wire.mark_down(0)
        self._hall.later(self._chance.uniform(1.0, 6.0), lambda: self._then(node, _up(node)))

    def _end(self, node: NodeProcess) -> None:
        node.process.terminate()
        self._then(node, lambda: None)

    def _take_over(self, node: NodeProcess) -> None:
        """Take over by hand, as somebody does whom no client can reach."""
        try:
            assert cluster(["take-over", "--store", self._nodes.place.url]) == 0
        except TryLater:
            # On a busy machine the others may not have beaten for a while.
            self._hall.later(0.5, lambda: self._take_over(node))
        else:
            self._then(node, lambda: None)

    def _hold(self, node: NodeProcess) -> None:
        """Kill a node whose row somebody else has locked for a while."""
        held = psycopg.connect(self._nodes.place.url)
        held.execute("SELECT FROM nodes WHERE name = %s AND live FOR UPDATE", (node.name,))
        node.process.kill()
        self._hall.later(2.0, lambda: self._then(node, held.close))

    def _then(self, node: NodeProcess, mend: Callable[[], None]) -> None:
        mend()
        self._mended_at = time.monotonic()
        self._look(node)

    def _look(self, node: NodeProcess) -> None:
        """Begin a node anew if it has ended, as what supervises it does."""
        if node.process.has_ended:
            node.process.begin()
        elif time.monotonic() - self._mended_at < 1.5 or self._nodes.active is None:
            # Whether it ends shows when it has beaten again.
            self._hall.later(0.05, lambda: self._look(node))
            return
        self._nodes.balancer.mark_up(node.number)
        self._left -= 1
        if self._left:
            self._plan()
        else:
            self._hall.close_doors()


def check_stored(hall: Hall) -> None:
    """Every choice that anybody was told is stored, once, and nobody else has chosen."""
    assert hall.faults == []
    assert hall.counts["by clock"] == hall.counts["by stand-in"] == 0
    assert hall.plan.journal is not None
    sessions = stored(hall.plan.journal)
    ended = [session for session in sessions if session.why == "the players are done"]
    assert len(ended) == hall.counts["sessions"] >= len(hall.places)
    # What its players never heard of began while a node was in trouble.
    assert len(sessions) - len(ended) <= hall.counts["tables not begun"]


def check_logs(three: Nodes) -> None:
    """No node has said of a fault of its own."""
    for node in three.nodes:
        said = [line for line in node.process.errors() if not any(e in line for e in EXPECTED)]
        assert said == []


def test_nodes_go_on_with_a_synchronous_copy_of_their_database(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        place, copy = stack.enter_context(with_standby())
        three = stack.enter_context(nodes(tmp_path, place, 3, *ARGUMENTS))
        plan = TablePlan(end_score=30, journal=copy.url(place.name), stuck_after=LIMIT / 2)
        where = "127.0.0.1", three.balancer.port
        hall = stack.enter_context(contextlib.closing(Hall(where, plan, range(3), seed=1)))
        while hall.counts["hands"] < 6 or hall.has_newcomers:
            hall.step()
        place.server.stop()
        copy.promote()
        place.server = copy
        hall.close_doors()
        while not hall.is_over:
            hall.step()
        check_stored(hall)
        check_logs(three)


def test_a_port_of_the_chat_that_is_taken_shows_at_the_start(tmp_path: Path, place: Schema) -> None:
    made = NodeProcess("n0", 0, tmp_path, place, *ARGUMENTS, chats=True)
    with contextlib.closing(made) as node, socket.socket() as taken:
        taken.bind(("127.0.0.1", node.process.taunt_port))
        taken.listen()
        node.process.begin()
        with pytest.raises(ServerFault, match="status 2"):
            node.process.wait_ended()
        assert "--taunt-port: cannot listen at" in node.process.log_tail()


async def through(node: NodeProcess) -> Caller:
    return Caller(await trio.open_tcp_stream("127.0.0.1", node.process.port))


@pytest.mark.parametrize(("way", "most"), [("kill", 3.0), ("terminate", 3.0), ("stop", 4.5)])
async def test_a_standby_takes_people_within_seconds(
    way: str, most: float, tmp_path: Path, place: Schema
) -> None:
    with nodes(tmp_path, place, 2, *ARGUMENTS) as two, trio.fail_after(LIMIT):
        first, second = two.nodes
        with pytest.raises(OSError):
            await through(second)
        # By then it has reached the port of the one that plays.
        while two.beats(second) < 4:  # noqa: ASYNC110
            await trio.sleep(0.02)
        began = time.monotonic()
        {"kill": first.process.kill, "terminate": first.process.terminate, "stop": first.stop}[
            way
        ]()
        while True:
            with contextlib.suppress(OSError):
                caller = await through(second)
                break
            await trio.sleep(0.02)
        assert await caller.number() == 0
        assert time.monotonic() - began < most
        await caller.stream.aclose()


def test_a_crowd_that_comes_back_at_once_is_seated_within_seconds(
    tmp_path: Path, place: Schema
) -> None:
    allow_many_files()
    plan = TablePlan(end_score=100, again=0, computers=0, think=THINK, journal=place.url)
    with nodes(tmp_path, place, 2, *ARGUMENTS) as two:
        where = "127.0.0.1", two.balancer.port
        with contextlib.closing(Hall(where, plan, range(CROWD // 4), seed=1)) as hall:
            while hall.counts["hands"] == 0 or hall.has_newcomers:
                hall.step()
            two.nodes[0].process.kill()
            while len(back := [wait for kind, wait in hall.waits if kind == "come-back"]) < CROWD:
                hall.step()
            assert max(back) < CROWD_LIMIT
            assert hall.faults == []


async def test_a_standby_needs_nothing_but_the_secret_of_the_one_before(
    tmp_path: Path, place: Schema, capsys: pytest.CaptureFixture[str]
) -> None:
    password = text(nodes_password(SECRET))
    with nodes(tmp_path, place, 2, *ARGUMENTS, "--password", "auto", chats=True) as two:
        first, second = two.nodes
        ann, bob = [await through(first) for _ in range(2)]
        await register(ann, -7, password, -2, HEARTS | 0b1100, 0, 0, name="Ann")
        await register(bob, -7, password, name="Bob")
        assert await ann.number() == await bob.number() == 1
        game, game_id = await ann.numbers(2)
        assert main(["mute", "Bob", "--data-dir", str(tmp_path / "n0")]) == 0
        assert main(["ban", "203.0.113.9", "--data-dir", str(tmp_path / "n0")]) == 0
        is_stored = "SELECT 1 FROM sessions WHERE seats ~ ',1000,'"
        while not place.sql(is_stored):  # noqa: ASYNC110
            await trio.sleep(0.02)
        first.process.kill()
        shutil.rmtree(tmp_path / "n0")
        second.process.wait_ready()
        again, late = [await through(second) for _ in range(2)]
        await again.number()
        await again.send(text("Ann"), -7, password, -5, game, game_id, 0, 1000, -1, 1000)
        assert await again.number() == 1
        assert await again.number() >= 1
        assert main(["bans", "--data-dir", str(tmp_path / "n1")]) == 0
        assert capsys.readouterr().out.endswith("\n203.0.113.9\nBob at 127.0.0.1 is muted\n")
        assert main(["acts", "--data-dir", str(tmp_path / "n1")]) == 0
        assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == [
            "mute Bob",
            "ban 203.0.113.9",
        ]
        assert main(["tables", "--data-dir", str(tmp_path / "n1")]) == 0
        (line,) = [line for line in capsys.readouterr().out.splitlines() if " Bob " in line]
        assert "muted" in line
        await register(late, -7, password, -2, HEARTS | 0b1110, 0, 0, name="Cleo")
        assert await late.number() == 1
        assert (await late.numbers(2))[0] > game
        (known,) = place.sql("SELECT known_networks FROM active")[0]
        assert known
        for caller in (ann, bob, again, late):
            await caller.stream.aclose()


async def test_a_standby_has_the_days_of_the_one_before(tmp_path: Path, place: Schema) -> None:
    ann, bob = bytes(16), bytes([7]) * 16
    whole, broken, back = DayVisit(), DayVisit(), DayVisit()
    with nodes(tmp_path, place, 2, *ARGUMENTS) as two, trio.fail_after(LIMIT):
        port = two.balancer.port
        await whole.play(port, ann)
        before = await told(port, ann)
        await broken.play(port, bob, until=lambda _: len(broken.of(CardPlayed)) == 70)
        two.nodes[0].process.kill()
        two.nodes[1].process.wait_ready()
        assert await told(port, ann) == before
        with pytest.raises(RegistrationRefused, match="played already: it is one try"):
            await DayVisit().play(port, ann)
        assert (await told(port, bob)).state == "playing"
        await back.play(port, bob, come_back=broken.progress)
        assert back.of(Scores)[-1] == whole.of(Scores)[-1]
        (own,), (other,) = [(await told(port, token)).results for token in (ann, bob)]
        assert own.points == other.points == before.results[0].points
        assert (own.place, own.count) == (other.place, other.count)


async def test_a_standby_takes_over_in_the_middle_of_claims(tmp_path: Path, place: Schema) -> None:
    claimed, asked = list[Keyholder](), list[Keyholder]()

    async def comes(node: NodeProcess, person: Keyholder, wish: NameWish) -> NameState:
        where = f"127.7.{len(person.name)}.{person.name[-1:]}"
        caller = await call(node.process.port, where)
        async with caller.stream:
            return await person.comes(caller, wish)

    async def claim_on(task: int) -> None:
        for number in range(9):
            person = Keyholder(f"Ann{'x' * task}{'y' * number} {number + 1}")
            asked.append(person)
            try:
                state = await comes(first, person, NameWish.CLAIM)
            except (OSError, Closed, trio.BrokenResourceError):
                return
            assert state is NameState.CLAIMED
            claimed.append(person)

    with nodes(tmp_path, place, 2, *ARGUMENTS, "--names", "--open") as two, trio.fail_after(LIMIT):
        first, second = two.nodes
        async with trio.open_nursery() as nursery:
            for task in range(2):
                nursery.start_soon(claim_on, task)
            while len(claimed) < 6:  # noqa: ASYNC110
                await trio.sleep(0.001)
            first.process.kill()
        second.process.wait_ready()
        assert len(asked) > len(claimed) >= 6
        for person in claimed:
            assert await comes(second, person, NameWish.PROVE) is NameState.OWN
        for person in asked:
            assert (await comes(second, person, NameWish.CLAIM)).is_own


@pytest.mark.parametrize("dialect", list(Dialect))
async def test_who_has_a_list_needs_no_balancer(
    dialect: Dialect, tmp_path: Path, place: Schema
) -> None:
    results: list[SessionResult] = []

    async def play(player: int, port: int, hands: trio.MemorySendChannel[object]) -> None:
        def receive(event: object) -> None:
            if isinstance(event, Scores):
                hands.send_nowait(event)

        results.append(
            await play_session(
                SimpleBot(),
                "127.0.0.1,127.0.0.2",
                port,
                name=f"P{player}",
                table="friends",
                options=Options(end_score=60),
                dialect=dialect,
                on_event=receive,
            )
        )

    with nodes(tmp_path, place, 1, *ARGUMENTS) as one:
        (first,) = one.nodes
        port = first.process.port
        other = ("--host", "127.0.0.2", "--port", str(port))
        with contextlib.closing(
            NodeProcess("n1", 1, tmp_path, place, *ARGUMENTS, *other)
        ) as second:
            second.begin()
            with trio.fail_after(LIMIT):
                told, heard = trio.open_memory_channel[object](1000)
                async with trio.open_nursery() as nursery:
                    for player in range(4):
                        nursery.start_soon(play, player, port, told)
                    for _ in range(8):
                        await heard.receive()
                    # The kernel keeps its connections open, and takes more of them.
                    first.stop()
                    second.process.wait_ready()
                    await heard.receive()
                    first.go_on()
            assert all(each.complete for each in results)
            assert len({each.hands for each in results}) == 1
            one.wait_ended(first)


async def hears(ear: ChatListener, speaker: ChatListener, said: str) -> str:
    """Let player 1 say something until somebody has heard it, and of a deal; gives the latter.

    A line is lost with the connection that it is said on, or that somebody would hear it on.
    """
    deal, is_heard = "", False
    while not (deal and is_heard):
        with trio.move_on_after(SAID_AGAIN):
            await say(speaker.chat, said)
            while not (deal and is_heard):
                player, text = await ear.heard.receive()
                is_heard = is_heard or (player, text) == (1, said)
                if player == -1 and not deal and parse_notice(text) is not None:
                    deal = text
    return deal


async def test_a_table_has_its_chat_wherever_it_plays(tmp_path: Path, place: Schema) -> None:
    with nodes(tmp_path, place, 2, *ARGUMENTS, chats=True) as two, trio.fail_after(LIMIT):
        first, second = [await through(two.nodes[0]) for _ in range(2)]
        async with first.stream, second.stream, trio.open_nursery() as nursery:
            await register(first, -2, HEARTS | 0b1100, 0, 0, name="Ann")
            await register(second, name="Bob")
            ears = []
            for player, caller in enumerate((first, second)):
                game, game_id = await caller.numbers(2)
                ears.append(ChatListener(SeatCredentials(game, game_id, player, 1000)))
                nursery.start_soon(ears[player].chat.run, "127.0.0.1", two.chat.port)
            ann, bob = ears
            # She hears nothing that is said before she is there.
            await say(ann.chat, "I am here")
            commitment = await hears(ann, bob, "hello")
            for ear in ears:
                # The chat may have begun after somebody looked for it.
                while ear.told.statistics().current_buffer_used:
                    ear.told.receive_nowait()
            two.nodes[0].process.kill()
            for ear in ears:
                # The one that is heard is lost, and the other one is found.
                assert await ear.told.receive() is not None
                assert await ear.told.receive() is None
            assert await hears(ann, bob, "still here") == commitment
            nursery.cancel_scope.cancel()


def _up(node: NodeProcess) -> Callable[[], None]:
    return lambda: node.wire.mark_up(0)


@pytest.mark.timeout(0)  # It has a limit of its own, for as many troubles as there are.
def test_nothing_that_was_told_is_lost_or_doubled(
    hall: Hall, three: Nodes, request: pytest.FixtureRequest
) -> None:
    troubles = request.config.getoption("--troubles")
    tables = request.config.getoption("--club-tables")
    trouble = Trouble(hall, three, troubles, apart=tables > AT_FULL_SPEED)
    limit = time.monotonic() + LIMIT + FOR_EACH * troubles
    while not hall.is_over:
        assert time.monotonic() < limit, (hall.counts, trouble.done)
        hall.step()
    check_stored(hall)
    assert hall.counts["public tables with 4 people"]
    check_logs(three)
