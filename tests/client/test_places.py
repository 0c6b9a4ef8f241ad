"""Where the client keeps things, with profiles and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.wire.codec import NAME_LIMIT
from hearts_client.session.places import (
    WrongProfile,
    make_profile,
    places_of,
    profile_name,
    profiles,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Everything of a person is below it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


@pytest.mark.parametrize("said", ["", "relative"])
def test_without_a_profile(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("XDG_CONFIG_HOME", said)
    monkeypatch.setenv("XDG_STATE_HOME", said)
    places = places_of()
    assert str(places.config) == "/home/ann/.config/hearts-client"
    assert str(places.sessions) == "/home/ann/.local/state/hearts-client/sessions"
    assert str(places.records) == "/home/ann/.local/state/hearts-client/records"
    assert (places.profile, places.command) == ("", "hearts-client")


def test_a_profile_has_folders_of_its_own(home: Path) -> None:
    places = places_of("Ann B")
    assert places.config == home / "config" / "hearts-client" / "profiles" / "Ann B"
    assert places.records == home / "state" / "hearts-client" / "profiles" / "Ann B" / "records"
    assert places.command == "hearts-client --profile 'Ann B'"
    assert profiles() == []
    make_profile("Ann B")
    make_profile("ann b")
    (home / "state" / "hearts-client" / "profiles" / "zoë").mkdir(parents=True)
    (home / "config" / "hearts-client" / "profiles" / ".hidden").mkdir()
    (home / "config" / "hearts-client" / "profiles" / "file").touch()
    assert profiles() == ["Ann B", "zoë"]
    # Some file systems do not tell small letters from capital ones.
    assert places_of("ANN b") == places
    assert places_of("ZOË").profile == "zoë"


@pytest.mark.parametrize("name", ["Ann", "ann-2", "Zoë Q", "a", "1", "a_b", "李"])
def test_what_a_profile_can_be_called(name: str) -> None:
    assert profile_name(name) == name


def test_a_name_that_is_written_in_two_ways_is_one() -> None:
    assert profile_name("Zoe\u0308") == "Zoë"


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", ".", "..", "a/b", "../a", ".a", "a.", "-a", " a", "a ", "a\\b", "a\0", "a\n"),
        *("a:b", "é" * (NAME_LIMIT // 2) + "a", "♥", "a\u202eb", "\udcff"),
    ],
)
def test_what_it_cannot_be_called(name: str) -> None:
    with pytest.raises(WrongProfile, match=f"1 to {NAME_LIMIT} bytes: letters and digits"):
        profile_name(name)


@given(st.text(max_size=40))
def test_a_name_that_is_taken_is_a_folder_in_its_place(name: str) -> None:
    try:
        taken = profile_name(name)
    except WrongProfile:
        return
    path = Path("profiles") / taken
    assert path.parts == ("profiles", taken)
    assert len(taken.encode()) <= NAME_LIMIT
    assert profile_name(taken) == taken
