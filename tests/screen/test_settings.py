"""The files with the settings and the memory, which people may edit and disks may lose."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hearts.game.rules import PRESETS, parse_rules
from hearts.session.messages import Options
from hearts_client.library.reach import Tls
from hearts_client.screen.settings.kept_files import (
    MEMORY_FILE,
    SETTINGS_FILE,
    KeptFiles,
    take_fields,
    to_dict,
)
from hearts_client.screen.settings.settings import (
    SETTINGS_CHECKS,
    Colors,
    Design,
    Highlight,
    Settings,
)
from hearts_client.screen.wish import (
    MEMORY_CHECKS,
    ArrangeAlone,
    Join,
    Memory,
    OpenTableWish,
    PlayAlone,
    ShowTables,
    StartWish,
)
from hearts_client.session.visit import Guest
from hearts_client.words.style import Sort

OTHERS = Settings(
    sort=Sort.SUIT,
    trick_stays=None,
    bot_pause=0.0,
    notice_stays=60.0,
    highlight=Highlight.OUTLINE,
    design=Design.FOUR_COLORS,
    own_cards="bare",
    colors=Colors.SAFE,
    bell=True,
    sounds=True,
    sound_command="aplay -D 'my card'",
    computers=("Ann", "Bo", "Çelik"),
    level="expert",
    taunts=("日本!",),
)
REMEMBERED = Memory(
    host="hearts.example",
    port=7000,
    tls=Tls(Path("/etc/friends.pem")),
    name="Zoë",
    table="friends",
    rules="jack,dump",
    end_score=50,
    computers=2,
    turn_limit=30,
    alone_rules=str(PRESETS["mac2000"]),
    alone_end_score=70,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=5,
)
CHECKS = {Settings: SETTINGS_CHECKS, Memory: MEMORY_CHECKS}
GUEST = Guest("h", 1, "Ann", Tls(), "sesame")


def from_file(
    kind: type[Settings] | type[Memory], data: dict[str, object]
) -> tuple[Settings | Memory, list[str]]:
    return take_fields(data, kind, CHECKS[kind])


async def test_there_and_back(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    kept = KeptFiles(folder)
    assert (kept.settings, kept.memory, kept.problems) == (Settings(), Memory(), [])
    assert await kept.keep(OTHERS) == ""
    assert await kept.keep(REMEMBERED) == ""
    again = KeptFiles(folder)
    assert (again.settings, again.memory, again.problems) == (OTHERS, REMEMBERED, [])
    assert {path.name for path in folder.iterdir()} == {SETTINGS_FILE, MEMORY_FILE}
    assert (folder / MEMORY_FILE).stat().st_mode & 0o777 == 0o600


async def test_what_has_not_changed_is_not_written(tmp_path: Path) -> None:
    kept = KeptFiles(tmp_path)
    assert await kept.keep(Settings()) == ""
    assert await kept.keep(Memory()) == ""
    assert not await trio.to_thread.run_sync(os.listdir, tmp_path)


async def test_what_a_later_version_wrote_stays(tmp_path: Path) -> None:
    file = trio.Path(tmp_path / SETTINGS_FILE)
    await file.write_text('{"table_cloth": "green", "bell": true}')
    kept = KeptFiles(tmp_path)
    assert kept.settings == replace(Settings(), bell=True)
    await kept.keep(OTHERS)
    data = json.loads(await file.read_text())
    assert data["table_cloth"] == "green"
    assert data["design"] == "four colors"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "this is no JSON"),
        (b"{", "this is no JSON"),
        (b"[" * 5000, "this is no JSON"),
        (b"9" * 5000, "this is no JSON"),
        (b"[]", "this is no JSON object"),
        (b" " * 70000, "it is too long"),
    ],
)
async def test_a_broken_file_is_told_and_replaced(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / SETTINGS_FILE
    await trio.Path(path).write_bytes(data)
    kept = KeptFiles(tmp_path)
    assert kept.settings == Settings()
    assert kept.problems == [f"{path} is not usable: {why}"]
    assert await kept.keep(OTHERS) == ""
    assert KeptFiles(tmp_path).settings == OTHERS


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).mkdir()
    assert KeptFiles(tmp_path).problems == [
        f"{tmp_path / SETTINGS_FILE} is not usable: Is a directory"
    ]


async def test_where_nothing_can_be_kept_it_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    kept = KeptFiles(blocked / "folder")
    assert kept.settings == Settings()
    problem = await kept.keep(OTHERS)
    assert problem == f"{blocked}/folder/settings.json cannot be written: Not a directory."
    assert kept.settings == OTHERS
    homeless = KeptFiles(None)
    assert await homeless.keep(REMEMBERED) == "There is no home folder to keep this in."
    assert homeless.memory == REMEMBERED


WRONG_SETTINGS: dict[str, list[object]] = {
    "sort": ["by rank", ["suit"]],
    "trick_stays": [-1, True],
    "bot_pause": [60.5, None],
    "notice_stays": [float("nan"), "5"],
    "bell": [1],
    "colors": [None],
    "sounds": [1],
    "sound_command": [1, " ", "play '", "play\0", "x" * 201],
    "own_cards": ["x" * 101],
    "computers": [
        ["Moe", "Larry"],
        ["Moe", "Larry", "Moe"],
        ["Moe", "Larry", " Moe"],
        ["Moe", "Larry", ""],
        ["Moe", "Larry", "a,b"],
        ["Moe", "Larry", "x" * 31],
        "Moe",
    ],
    "level": ["best", 3],
    "taunts": [
        ["a"] * 10,
        [" "],
        ["x" * 128],
        ["bell \a"],
        ["a\u0301\u0301\u0301\u0301\u0301"],
        [7],
    ],
}
WRONG_MEMORY: dict[str, list[object]] = {
    "host": ["", "x" * 254, "a\x1bb"],
    "port": [0, "7626"],
    "name": [" ", "x" * 31],
    "table": [5],
    "alone_rules": ["poker", None],
    "alone_end_score": [0],
    "rules": ["poker"],
    "end_score": [10001],
    "computers": [4],
    "turn_limit": [14],
    "tls": [True, {"ca": 5}],
}


@pytest.mark.parametrize(
    ("kept", "field", "value"),
    [
        (kept, field, value)
        for kept, wrong in ((OTHERS, WRONG_SETTINGS), (REMEMBERED, WRONG_MEMORY))
        for field, values in wrong.items()
        for value in values
    ],
)
def test_what_cannot_be_is_as_by_default(
    kept: Settings | Memory, field: str, value: object
) -> None:
    read, problems = from_file(type(kept), {**to_dict(kept), field: value})
    assert read == replace(kept, **{field: getattr(type(kept)(), field)})
    assert len(problems) == 1
    assert problems[0].startswith(f"{field}: ")


@pytest.mark.parametrize("kept", [OTHERS, REMEMBERED])
@given(st.data())
def test_whatever_a_file_holds_something_is_read(
    kept: Settings | Memory, data: st.DataObject
) -> None:
    found = data.draw(st.dictionaries(st.sampled_from([*to_dict(kept)]), JSON))
    read, _ = from_file(type(kept), {**found})
    assert from_file(type(kept), to_dict(read)) == (read, [])


def test_nobody_is_trusted_blindly_again() -> None:
    written = to_dict(replace(REMEMBERED, tls=Tls(insecure=True)))
    assert written["tls"] == {"ca": None}
    trusting: dict[str, object] = {**written, "tls": {"ca": None, "insecure": True}}
    assert from_file(Memory, trusting)[0] == replace(REMEMBERED, tls=Tls())


def test_what_is_wished_for_is_remembered_without_the_password() -> None:
    options = Options(frozenset({2, 3}), parse_rules("jack"))
    visited = Memory(host="h", port=1, tls=Tls(), name="Ann")
    assert Memory().after(ShowTables(GUEST)) == visited
    assert Memory().after(OpenTableWish(GUEST)) == visited
    assert Memory().after(Join(GUEST)) == visited
    opened = replace(visited, table="friends", rules="jack", computers=2)
    assert Memory().after(Join(GUEST, "friends", options)) == opened
    # Who joins another's table wishes for nothing.
    assert opened.after(Join(GUEST, "Table 2")) == opened
    alone = PlayAlone("Ann", PRESETS["windows93"], 50, "deal")
    played = Memory().after(alone)
    rules = str(PRESETS["windows93"])
    assert played == Memory(name="Ann", alone_rules=rules, alone_end_score=50)
    assert played.alone("Bob", "deal") == replace(alone, name="Bob")
    assert Memory().after(ArrangeAlone("Ann")) == Memory(name="Ann")
    assert opened.after(StartWish.QUIT) == opened
    assert "sesame" not in json.dumps(to_dict(visited))
    assert "sesame" not in repr(GUEST)
