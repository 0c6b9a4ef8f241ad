"""The files from which a terminal client comes back."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path, PosixPath
from typing import ClassVar

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from trio.testing import MockClock

from hearts.session.messages import Scores
from hearts.session.resume_token import InvalidResumeToken
from hearts_client.library.reach import Tls
from hearts_client.session.saved import (
    CannotResume,
    Keeper,
    SavedSession,
    SessionPlace,
    choose,
    read_all,
    remove,
    write,
)
from tests.plain.script import NEW

PLACE = SessionPlace("hearts.example", 7626, 7627, None)
SAVED = SavedSession(PLACE, NEW)


@pytest.mark.parametrize(
    "tls", [None, Tls(), Tls(insecure=True), Tls(Path("/etc/ssl/friends.pem"))]
)
@pytest.mark.parametrize("host", ["localhost", "::1", "../../etc/passwd", "münchen.example"])
def test_there_and_back(host: str, tls: Tls | None, tmp_path: Path) -> None:
    saved = SavedSession(SessionPlace(host, 1, 0, tls), NEW.after(Scores((1, 2, 3, 20))), missed=4)
    write(tmp_path, saved)
    assert read_all(tmp_path) == ([saved], [])


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "sessions"
    write(folder, SAVED)
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    os.chmod(folder, 0o755)
    write(folder, SAVED)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_one_file_for_each_seat_which_is_replaced_and_removed(tmp_path: Path) -> None:
    later = replace(SAVED, progress=NEW.after(Scores((1, 2, 3, 20))))
    other = replace(SAVED, place=replace(PLACE, port=7000))
    for saved in (SAVED, other, later):
        write(tmp_path, saved)
    assert {saved.file_name for saved in read_all(tmp_path)[0]} == {
        "hearts.example-7626-7-0.json",
        "hearts.example-7000-7-0.json",
    }
    assert later in read_all(tmp_path)[0]
    for _ in range(2):
        remove(tmp_path, SAVED)
    assert read_all(tmp_path) == ([other], [])
    assert len(list(tmp_path.iterdir())) == 1


def test_a_write_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, SAVED)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(tmp_path, replace(SAVED, progress=NEW.after(Scores((1, 2, 3, 20)))))
    assert read_all(tmp_path) == ([SAVED], [])
    assert len(list(tmp_path.iterdir())) == 1


GOOD = json.loads(SAVED.to_text())


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no JSON"),
        (b"\xff", "invalid start byte"),
        (b"[" * 100_000, "too long"),
        (b"[" * 10_000, "expected object, got array"),
        (b"[]", "expected object, got array"),
        (json.dumps({**GOOD, "version": 2}).encode(), "version: invalid value 2"),
        (json.dumps({**GOOD, "host": ""}).encode(), "host: expected str of length >= 1"),
        (json.dumps({**GOOD, "host": "\x1b[2J"}).encode(), "no host"),
        (json.dumps({**GOOD, "port": 0}).encode(), "port: expected int >= 1"),
        (json.dumps({**GOOD, "taunt_port": "7627"}).encode(), "taunt_port: expected int, got str"),
        (json.dumps({**GOOD, "tls": True}).encode(), "tls: expected object | null, got bool"),
        (json.dumps({**GOOD, "tls": {"ca": 1, "insecure": False}}).encode(), "tls.ca: "),
        (json.dumps({**GOOD, "progress": None}).encode(), "expected object, got null"),
        *(
            (
                json.dumps({key: GOOD[key] for key in GOOD if key != lacking}).encode(),
                f"required field {lacking}",
            )
            for lacking in GOOD
        ),
        (json.dumps({**GOOD, "missed_deals": -1}).encode(), "missed_deals: expected int >= 0"),
        (json.dumps({**GOOD, "missed_deals": "2"}).encode(), "missed_deals: expected int, got str"),
    ],
)
def test_garbage(data: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_bytes(data)
    write(tmp_path, SAVED)
    sessions, problems = read_all(tmp_path)
    assert sessions == [SAVED]
    (problem,) = problems
    assert problem.startswith(f"{tmp_path / 'game.json'} is not usable: ")
    assert why in problem


@given(st.binary(max_size=60), st.integers(0, 600), st.integers(0, 60))
def test_spoiled_bytes(data: bytes, at: int, length: int) -> None:
    good = SAVED.to_text().encode()
    spoiled = (good[:at] + data + good[at + length :]).decode("utf-8", "replace")
    try:
        read = SavedSession.from_text(spoiled)
    except InvalidResumeToken:
        return
    assert SavedSession.from_text(read.to_text()) == read


def test_what_is_no_file_is_let_be(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "folder.json").mkdir()
    assert read_all(tmp_path) == ([], [])
    assert read_all(tmp_path / "nowhere") == ([], [])


def test_which_one_is_meant() -> None:
    other = replace(
        SAVED, progress=replace(NEW, credentials=replace(NEW.credentials, game_number=12))
    )
    with pytest.raises(CannotResume, match="no game is saved here"):
        choose([], "")
    assert choose([SAVED], "") == SAVED
    assert choose([SAVED, other], "12") == other
    assert choose([SAVED, other], "hearts.example-7626-7-0") == SAVED
    for wanted, head in (("", "several games are saved"), ("13", "no game 13 is saved")):
        with pytest.raises(CannotResume) as caught:
            choose([SAVED, other], wanted)
        assert str(caught.value).splitlines() == [
            f"{head}; choose one:",
            "  hearts-client --resume 7    at hearts.example:7626 as Ann, with 0 hands played",
            "  hearts-client --resume 12    at hearts.example:7626 as Ann, with 0 hands played",
        ]
    uncounted = replace(SAVED, progress=NEW.without_count())
    with pytest.raises(CannotResume, match="as Ann, with some hands played"):
        choose([uncounted], "13")


def test_one_number_on_two_hosts() -> None:
    other = replace(SAVED, place=replace(PLACE, host="friends.example"))
    command = "hearts-client --profile Bob"
    expected = r"  hearts-client --profile Bob --resume friends\.example-7626-7-0 "
    with pytest.raises(CannotResume, match=expected) as caught:
        choose([SAVED, other], "7", command)
    assert "--resume hearts.example-7626-7-0 " in str(caught.value)


async def test_keeping_and_forgetting(tmp_path: Path) -> None:
    said: list[str] = []
    keeper = Keeper(tmp_path / "sessions", say=said.append)
    await keeper.forget()
    await keeper.keep(SAVED)
    assert keeper.kept == SAVED
    assert read_all(tmp_path / "sessions") == ([SAVED], [])
    await keeper.forget()
    assert keeper.kept is None
    assert read_all(tmp_path / "sessions") == ([], [])
    assert said == []


async def test_what_cannot_be_kept_is_said_once(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "file").touch()
    keeper = Keeper(tmp_path / "file", say=said.append)
    assert await keeper.keep(SAVED)
    assert await keeper.keep(SAVED)
    assert keeper.kept is None
    where = tmp_path / "file"
    assert said == [f"* The game cannot be saved for --resume in {where}: File exists."]


class SlowDisk(PosixPath):
    """A folder on a disk that does not answer at first."""

    answers: ClassVar[threading.Event]
    asked: ClassVar[int]

    def mkdir(self, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
        SlowDisk.asked += 1
        if SlowDisk.asked == 1:
            assert self.answers.wait(30)
        super().mkdir(mode, parents, exist_ok)


async def test_a_write_that_was_given_up_lands_over_no_newer_one(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    SlowDisk.asked, SlowDisk.answers = 0, threading.Event()
    said: list[str] = []
    keeper = Keeper(SlowDisk(tmp_path / "sessions"), say=said.append)
    await keeper.keep(SAVED)
    assert said == [
        f"* The game cannot be saved for --resume in {tmp_path / 'sessions'}: "
        "the disk does not answer."
    ]
    newer = NEW.after(Scores((1, 2, 3, 20)))
    await keeper.keep(replace(SAVED, progress=newer))
    SlowDisk.answers.set()
    while trio.to_thread.current_default_thread_limiter().borrowed_tokens:
        await trio.lowlevel.checkpoint()
    ((saved,), _) = read_all(tmp_path / "sessions")
    assert saved.progress == newer


async def test_it_is_known_if_something_older_stays_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    keeper = Keeper(tmp_path / "file", SAVED, lambda why: None)
    assert await keeper.keep(SAVED)
    assert not await keeper.keep(replace(SAVED, progress=NEW.after(Scores((1, 2, 3, 20)))))
