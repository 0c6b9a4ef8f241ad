"""A game alone: a deal of a table of people again, and computers that are called as one likes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import trio

from hearts.bots import SimpleBot
from hearts.game.cards import mask_of
from hearts.game.deal import deal_hands, deal_text, parse_deal_text
from hearts.game.events import YourHand
from hearts.game.rules import PRESETS, Rules
from hearts.session.client_events import DealChecked, DealerEvent
from hearts.session.messages import Options
from hearts.table.effects import DealDisclosed
from hearts_client.commands.options import parse
from hearts_client.library.connecting import connect
from hearts_client.library.dialects import Dialect
from hearts_client.library.playing import play_out
from hearts_client.session.own_server import LOOPBACK, CannotHost, Computers, own_server
from hearts_client.session.replay import disclosed_replays
from tests.client.played import own_record, receive

from .programs import CLIENT, LIMIT, ROOT

ALONE = Options(frozenset({1, 2, 3}), end_score=1)
SECRET = bytes(range(16))
CUTS = b"".join(bytes([n]) * 8 for n in (7, 0, 9, 0))
"""Cuts of two players, one of them in the seat of who plays alone."""
NAMES = ("Zoë B.", "Moe", "You")


async def test_a_deal_that_was_cut_is_played_again(tmp_path: Path) -> None:
    text = deal_text(SECRET, CUTS)
    events: list[DealerEvent] = []
    record = own_record()
    with trio.fail_after(20):
        async with own_server(text, Computers(names=NAMES, level="novice"), tmp_path) as (port, _):
            joining = connect(
                LOOPBACK,
                port,
                name="Ann",
                options=ALONE,
                retry_limit=0,
                dialect=Dialect.DEALER,
                first_cuts=parse_deal_text(text)[1],
            )
            async with joining as client:
                await play_out(SimpleBot(), client, on_event=events.append)
                assert client.names == ("Ann", *NAMES)
                names = await trio.to_thread.run_sync(os.listdir, tmp_path)
                assert not any(name.startswith("web-game") for name in names), "nobody wants a page"
    (dealt,) = (event for event in events if isinstance(event, YourHand))
    assert mask_of(dealt.cards) == deal_hands(SECRET, CUTS)[0]
    assert [event for event in events if isinstance(event, DealDisclosed)] == [
        DealDisclosed(1, SECRET, CUTS)
    ]
    assert [event.problem for event in events if isinstance(event, DealChecked)] == [None]
    for event in events:
        receive(record, event)
    assert record.last_deal == (SECRET, CUTS)
    (hand,) = disclosed_replays(record)
    assert hand.deal == text


async def test_names_that_no_player_can_have() -> None:
    why = pytest.RaisesExc(CannotHost, match="three or four different names")
    with trio.fail_after(20), pytest.RaisesGroup(why):
        async with own_server("", Computers(names=("Moe", "Moe", "Moe"))):
            raise AssertionError("it has started")


def test_the_client_takes_a_deal_that_was_cut() -> None:
    text = deal_text(SECRET, CUTS)
    assert parse(["--solo", "--deal", text.lower()]).deal == text
    with pytest.raises(SystemExit):
        parse(["--solo", "--deal", f"{text}0"])


def test_how_well_the_computers_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["--solo"]).level is None
    assert parse(["--solo", "--level", "expert"]).level == "expert"
    with pytest.raises(SystemExit):
        parse(["--solo", "--level", "best"])
    told = capsys.readouterr().err
    assert "give one of novice, simple, swift, strong, expert, not 'best'" in told


def test_the_client_takes_rules_and_a_deal_in_one_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = deal_text(SECRET, CUTS)
    given = parse(["--solo", "--deal", f"mac2000#{text}"])
    assert (given.deal, given.rules) == (text, PRESETS["mac2000"])
    given = parse(["--solo", "--rules", "jack", "--deal", f"jack#{text}"])
    assert (given.deal, given.rules) == (text, Rules(jack=True))
    with pytest.raises(SystemExit):
        parse(["--solo", "--rules", "jack", "--deal", f"mac2000#{text}"])
    assert "--deal has other rules than --rules" in capsys.readouterr().err


def test_no_game_begins_without_what_its_computers_need(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['numba'] = None\n")
    paths = f"{tmp_path}{os.pathsep}{ROOT}"
    done = subprocess.run(
        [*CLIENT, "--solo", "--level", "expert"],
        env={**os.environ, "PYTHONPATH": paths, "XDG_STATE_HOME": str(tmp_path / "state")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hearts-client: the server for the game did not start: ")
    assert done.stderr.endswith("the bot expert needs numba: pip install 'hearts-server[expert]'\n")
