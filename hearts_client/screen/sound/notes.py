"""The sounds of a table: a few notes for each occasion, made here and free for any use (CC0)."""

from __future__ import annotations

import io
import wave
from array import array
from enum import Enum
from math import exp, pi, sin

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
    """A file of a sound, in the form that every program plays. It takes some milliseconds."""
    notes: tuple[Note, ...] = sound.value
    samples = array("h")
    for hertz, seconds in notes:
        samples.extend(
            int(32767 * _LOUDNESS * _sample(hertz, number / _RATE, seconds))
            for number in range(int(seconds * _RATE))
        )
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(samples.itemsize)
        file.setframerate(_RATE)
        file.writeframes(samples.tobytes())
    return written.getvalue()


def _sample(hertz: float, at: float, end: float) -> float:
    """The strength of a note, -1 to 1, at a time since its beginning."""
    turns = 2 * pi * hertz * at
    tone = (sin(turns) + 0.3 * sin(2 * turns) + 0.1 * sin(3 * turns)) / 1.4
    return tone * min(at / _RISE, 1) * exp(-_DECAY * at) * min((end - at) / _RISE, 1)
