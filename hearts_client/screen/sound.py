"""Sounds in place of the terminal's bell: a few notes for each occasion, made here and free for any
use (CC0), and played by a program of the system.

Who hears nothing misses nothing: where there is no such program, or it fails, the bell rings.
"""

from __future__ import annotations

import io
import shlex
import shutil
import wave
from array import array
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from math import exp, pi, sin
from pathlib import Path

import trio

from hearts.net.children import run_quietly
from hearts.net.files import write_whole
from hearts_client.screen.pictures.canvas import Theme
from hearts_client.screen.settings.settings import SOUND_PROGRAMS

_RATE = 22050
"""Samples a second."""
_LOUDNESS = 0.3
"""Of what a sample can hold; overtones add to it."""
_DECAY = 7.0
_RISE = 0.01
"""Seconds until a note is at its loudest, so that it does not click."""

Note = tuple[float, float]
"""Hertz, and seconds until the next note."""


class Sound(Enum):
    """An occasion to be heard, and its notes."""

    TURN = ((659.3, 0.1), (880.0, 0.25))
    """The person has something to choose."""
    QUEEN = ((293.7, 0.16), (277.2, 0.16), (220.0, 0.45))
    """The queen of spades is played."""
    MOON = ((523.3, 0.12), (659.3, 0.12), (784.0, 0.12), (1046.5, 0.5))
    """Somebody has shot the moon."""
    NEWS = ((440.0, 0.3),)
    """Hearts are broken, or the game is over."""

    @property
    def file_name(self) -> str:
        """The name of its file; another number belongs to other notes."""
        return f"{self.name.lower()}-1.wav"


def wav_of(sound: Sound) -> bytes:
    """Return a file of a sound, in the form that every program plays. It takes some
    milliseconds.
    """
    notes: tuple[Note, ...] = sound.value
    samples = array("h")
    for hertz, seconds in notes:
        samples.extend(
            int(32767 * _LOUDNESS * _sample(hertz, number / _RATE, seconds))
            for number in range(int(seconds * _RATE))
        )
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setparams((1, samples.itemsize, _RATE, 0, "NONE", "not compressed"))
        file.writeframes(samples.tobytes())
    return written.getvalue()


def _sample(hertz: float, at: float, end: float) -> float:
    """Return the strength of a note, -1 to 1, at a time since its beginning."""
    turns = 2 * pi * hertz * at
    tone = (sin(turns) + 0.3 * sin(2 * turns) + 0.1 * sin(3 * turns)) / 1.4
    return tone * min(at / _RISE, 1) * exp(-_DECAY * at) * min((end - at) / _RISE, 1)


_AT_ONCE = 2
"""Sounds that may be heard together; others are left out."""
_LIMIT = 5.0
"""Seconds that a program has for a sound."""


class Sounds:
    """Plays what the settings of a theme wish for."""

    def __init__(self, beep: Callable[[], None], theme: Theme, folder: Path | None) -> None:
        """``beep`` rings the bell. ``folder`` is where the sounds are kept once they are made;
        None if there is no home, and then the bell has to do.
        """
        self._beep = beep
        self._theme = theme
        self._folder = folder
        self._commands: dict[str, list[str]] = {}
        """The command that plays a sound, by what the person calls it; empty if there is none."""
        self._playing = 0
        self._send, self._receive = trio.open_memory_channel[Sound](_AT_ONCE)

    def play(self, sound: Sound) -> None:
        """Let a sound be heard soon, or ring the bell; nobody waits for it."""
        settings = self._theme.settings
        if not settings.sounds or self._commands.get(settings.sound_command) == []:
            self._beep()
            return
        with suppress(trio.WouldBlock):
            self._send.send_nowait(sound)

    async def run(self) -> None:
        """Play what comes, until cancelled; then nothing is heard any more."""
        async with trio.open_nursery() as nursery:
            async for sound in self._receive:
                if self._playing < _AT_ONCE:
                    self._playing += 1
                    nursery.start_soon(self._play, sound)

    async def _play(self, sound: Sound) -> None:
        wanted = self._theme.settings.sound_command
        try:
            if wanted not in self._commands:
                self._commands[wanted] = await trio.to_thread.run_sync(_command, wanted)
            command = self._commands[wanted]
            path = await trio.to_thread.run_sync(self._file, sound) if command else None
            if path is None or not await run_quietly([*command, str(path)], _LIMIT):
                # It is not tried again until the person names another one.
                self._commands[wanted] = []
                self._beep()
        finally:
            self._playing -= 1

    def _file(self, sound: Sound) -> Path | None:
        """Return the file of a sound, which is made if it is not there; None if it cannot be."""
        if self._folder is None:
            return None
        path = self._folder / sound.file_name
        try:
            if not path.exists():
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(path, wav_of(sound))
        except OSError:
            return None
        return path


def _command(wanted: str) -> list[str]:
    """Find what plays a file whose path stands behind it; it looks into folders."""
    for line in [wanted] if wanted else SOUND_PROGRAMS:
        command = shlex.split(line)
        if shutil.which(command[0]):
            return command
    return []
