"""A data dir and a saved session of the old program: today's take them up, and players come back.

The data dir is that of a server that was killed; make_data.py tells what its tables were doing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts_server.journal.schema import JOURNAL_FILE

from .archive import CLIENT, DATA, DATA_2, DATA_3, SERVER, TODAY, OldProgram, unpack
from .make_data import DATA as DATA_DIR
from .make_data import SEATS, STATE

_COME_BACK = """
import json, socket, sys
from tests.independent.client import Driver, Fact, Session, Settings, Ticket
from tests.independent.dealer import DealerSession, DealerSettings
from tests.independent.joined import Joined
from tests.independent.referee import Referee
def come_back(seat):
    ticket = Ticket(**seat["ticket"])
    if seat["dialect"] == "dealer":
        session = DealerSession(DealerSettings(seat["name"], ticket.process_id, cuts=True), ticket)
    else:
        session = Session(Settings(seat["name"], ticket.process_id), ticket)
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60) as connection:
        driver = Driver(session.talk(), connection)
        while sum(fact.kind == "scores" for fact in session.facts) < 2 and driver.run(1):
            pass
    joined = Joined()
    joined.add([Fact(kind, tuple(numbers), tuple(texts)) for kind, numbers, texts in seat["facts"]])
    joined.add(session.facts)
    Referee({ticket.player: joined.facts}, came_back=True).judge()
    return session.facts
seats = json.load(sys.stdin)
print(json.dumps({table: come_back(seat) for table, seat in seats.items()}))
"""

VERSIONS = ("version 1", "version 2", "version 3")
"""Of the journal's file."""

Heard = dict[str, list[tuple[str, list[int]]]]


@pytest.fixture(scope="module", params=[DATA, DATA_2, DATA_3], ids=VERSIONS)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An old data dir, state of hearts-client and seats, in a folder of their own."""
    return unpack(request.param, tmp_path_factory.mktemp("kept"))


@pytest.fixture(scope="module")
def port(kept: Path) -> Iterator[int]:
    """A server of today on the old data dir."""
    with TODAY.game_server(kept / DATA_DIR, "--turn-limit", "0") as port:
        yield port


@pytest.fixture(scope="module")
def heard(old: OldProgram, port: int, kept: Path) -> Heard:
    """What old clients hear that come back, and play two hands on by the old rules, by table."""
    status, out, errors = old.run("-c", _COME_BACK, str(port), typed=(kept / SEATS).read_text())
    assert status == 0, errors
    facts = json.loads(out)
    return {table: [(kind, numbers) for kind, numbers, _ in facts[table]] for table in facts}


@pytest.mark.parametrize("table", ["unfinished", "second game", "promise", "changed seat"])
def test_old_players_come_back_to_old_tables(table: str, heard: Heard) -> None:
    kinds = [kind for kind, _ in heard[table]]
    assert "refused" not in kinds
    assert kinds.count("back") == 1
    if table == "second game":
        assert ("new game", [0]) in heard[table]
    else:
        assert kinds.count("scores") == 2


@pytest.mark.parametrize("table", ["finished", "replaced"])
def test_seats_that_are_lost_stay_lost(table: str, heard: Heard) -> None:
    assert ("refused", [-103]) in heard[table]


def test_a_session_that_the_old_client_saved_is_gone_on_with(kept: Path, port: int) -> None:
    (saved,) = (kept / STATE / "hearts-client" / "sessions").iterdir()
    # The one thing that has changed is the port.
    session = json.loads(saved.read_text("utf-8"))
    saved.write_text(json.dumps({**session, "port": port}), "utf-8")
    with TODAY.start(*CLIENT, "--resume", XDG_STATE_HOME=str(kept / STATE)) as process:
        assert process.stdout is not None
        heard = []
        for line in process.stdout:
            heard.append(line.rstrip())
            if "Type the three cards" in line:
                break
        process.kill()
    assert heard[0] == f"Connected to 127.0.0.1:{port} as Pat."
    assert "You are back." in heard
    assert "Type the three cards" in heard[-1]


def test_the_old_program_refuses_a_newer_journal_and_leaves_it_alone(
    old: OldProgram, tmp_path: Path
) -> None:
    data_dir = tmp_path / "data"
    with TODAY.game_server(data_dir):
        pass
    before = (data_dir / JOURNAL_FILE).read_bytes()
    status, out, errors = old.run(*SERVER, "--data-dir", str(data_dir), "--port", "0")
    assert (status, out) == (2, "")
    assert f"{data_dir / JOURNAL_FILE} is of a newer hearts-server" in errors
    assert (data_dir / JOURNAL_FILE).read_bytes() == before
