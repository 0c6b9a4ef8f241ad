"""Folders of the client: for the user who is logged in, or for each of several people by name.

What a person sets and what is remembered of them is in the folder for configuration. Their games
are in that for state, as platformdirs names them: on Linux ``~/.config/hearts-client`` and
``~/.local/state/hearts-client``. In each of them a profile has a folder of its own in ``profiles``.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from unicodedata import normalize

from msgspec import Struct
from platformdirs import user_config_path, user_state_path

from hearts.errors import HeartsError
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import is_legible

_PROGRAM = "hearts-client"
_PROFILES = "profiles"
_ALSO = " -_"
"""Characters that a profile's name may have between its letters and digits."""


class WrongProfile(HeartsError, ValueError):
    """A text cannot be the name of a profile; it says what can."""


class NoHome(HeartsError):
    """There is no folder to keep anything in."""

    def __init__(self) -> None:
        super().__init__("there is no home folder to keep games in")


class Places(Struct, frozen=True):
    """The folders of one person; they need not be there yet, and are None without a home."""

    profile: str
    """The name of the profile; empty for a person who uses none."""
    config: Path | None
    designs: Path | None
    """Cards that somebody has designed, the same for all profiles."""
    sounds: Path | None
    """Sounds once they are made, the same for all profiles."""
    sessions: Path | None
    records: Path | None
    """The folder of records, unless the person names another one."""

    @property
    def command(self) -> str:
        """The command that starts the program for this person."""
        return f"{_PROGRAM} --profile {shlex.quote(self.profile)}" if self.profile else _PROGRAM


NOWHERE = Places("", None, None, None, None, None)
"""The folders of a person who has none."""


def profile_name(text: str) -> str:
    """Return the name of a profile, which is also that of its folders. Raises WrongProfile."""
    name = normalize("NFC", text)
    inner = name.translate(dict.fromkeys(map(ord, _ALSO)))
    if (
        not inner.isalnum()
        or not (name[0].isalnum() and name[-1].isalnum())
        or not is_legible(name)
        or len(name.encode()) > NAME_LIMIT
    ):
        raise WrongProfile(
            f"the name of a profile has 1 to {NAME_LIMIT} bytes: letters and digits, and between "
            "them blanks, - and _"
        )
    return name


def places_of(profile: str = "") -> Places:
    """Find the folders of a profile, or of a person who uses none.

    The case of letters does not matter: if a profile differs from this name in nothing else, its
    folders are found. The function reads folders.
    """
    known = {name.casefold(): name for name in profiles()} if profile else {}
    name = known.get(profile.casefold(), profile)
    config, state = _home(user_config_path), _home(user_state_path)
    own = (_PROFILES, name) if name else ()
    return Places(
        name,
        config=_within(config, *own),
        designs=_within(config, "designs"),
        sounds=_within(state, "sounds"),
        sessions=_within(state, *own, "sessions"),
        records=_within(state, *own, "records"),
    )


def profiles() -> list[str]:
    """Return the names of the profiles that are there, in order. The function reads folders."""
    found = {
        name
        for path in (_home(user_config_path), _home(user_state_path))
        for name in _folders(_within(path, _PROFILES))
    }
    return sorted(found, key=lambda name: (name.casefold(), name))


def at_home(folder: Path | None) -> Path:
    """Return a folder that is needed. Raises NoHome."""
    if folder is None:
        raise NoHome
    return folder


def make_profile(name: str) -> None:
    """Make a profile, so that it is listed, if it is not there. Raises OSError and NoHome."""
    config = at_home(places_of(name).config)
    config.mkdir(mode=0o700, parents=True, exist_ok=True)


def _within(folder: Path | None, *names: str) -> Path | None:
    return None if folder is None else folder.joinpath(*names)


def _home(find: Callable[..., Path]) -> Path | None:
    try:
        return find(_PROGRAM, appauthor=False)
    except RuntimeError:
        return None


def _folders(path: Path | None) -> Iterator[str]:
    try:
        found = list(path.iterdir()) if path is not None else []
    except OSError:
        return
    for each in found:
        try:
            name = profile_name(each.name)
        except WrongProfile:
            continue
        if each.is_dir():
            yield name
