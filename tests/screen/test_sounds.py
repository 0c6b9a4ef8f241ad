"""Sounds in place of the bell: files that are made, and a program that plays them."""

from __future__ import annotations

import io
import os
import shlex
import wave
from array import array
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from hearts_client.screen.pictures.canvas import Theme
from hearts_client.screen.settings.settings import SOUND_PROGRAMS, Settings
from hearts_client.screen.sound import Sound, Sounds, wav_of

PATIENCE = 30


class SoundListener:
    """Somebody with a program that plays sounds, and what is heard of it."""

    def __init__(self, folder: Path, script: str, *, sounds: bool = True) -> None:
        """The script has ``$said``, where a line that is written is heard, and ``$gate``, whose
        lines the test writes.
        """
        self.said, self.gate = (_pipe(folder / name) for name in ("said", "gate"))
        program = folder / "play it"
        program.write_text(f'#!/bin/sh\nsaid="{folder}/said" gate="{folder}/gate"\n{script}\n')
        program.chmod(0o700)
        self.command = shlex.join([str(program), "--softly"])
        self.theme = Theme(Settings(sounds=sounds, sound_command=self.command), ascii=True)
        self.bells = 0
        self._bell = trio.Event()
        self.folder = folder / "sounds"
        self.sounds = Sounds(self._beep, self.theme, self.folder)

    def _beep(self) -> None:
        self.bells += 1
        self._bell.set()

    async def line(self) -> str:
        """What the program says next."""
        read = b""
        while not read.endswith(b"\n"):
            read += await self.said.receive_some(1)
        return read.decode().strip()

    async def bell(self) -> None:
        """Wait until the bell has rung."""
        await self._bell.wait()


def _pipe(path: Path) -> trio.lowlevel.FdStream:
    os.mkfifo(path)
    return trio.lowlevel.FdStream(os.open(path, os.O_RDWR | os.O_NONBLOCK))


@asynccontextmanager
async def listening(
    folder: Path, script: str = "", *, sounds: bool = True
) -> AsyncIterator[SoundListener]:
    made = SoundListener(folder, script, sounds=sounds)
    with trio.fail_after(PATIENCE):
        async with made.said, made.gate, trio.open_nursery() as nursery:
            nursery.start_soon(made.sounds.run)
            yield made
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("sound", Sound)
def test_a_sound_is_short_and_does_not_click(sound: Sound) -> None:
    with wave.open(io.BytesIO(wav_of(sound))) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        samples = array("h", file.readframes(file.getnframes()))
        assert 0.2 < len(samples) / file.getframerate() < 1
    assert 5000 < max(samples) < 16000
    edges, place = [samples[0], samples[-1]], 0
    for _, seconds in sound.value:
        edges += samples[max(place - 1, 0) : place + 1]
        place += int(seconds * file.getframerate())
    assert place == len(samples)
    assert max(map(abs, edges)) < 300
    assert len({wav_of(each) for each in Sound}) == len(Sound)


async def test_a_program_plays_the_file_of_the_sound(tmp_path: Path) -> None:
    async with listening(tmp_path, 'echo "$*" > "$said"') as at:
        for sound in (Sound.QUEEN, Sound.MOON):
            at.sounds.play(sound)
            path = at.folder / f"{sound.name.lower()}-1.wav"
            assert await at.line() == f"--softly {path}"
            assert await trio.Path(path).read_bytes() == wav_of(sound)
        assert at.bells == 0


@pytest.mark.parametrize("sounds", [True, False])
async def test_the_bell_rings_where_there_are_no_sounds(sounds: bool, tmp_path: Path) -> None:
    """A program that fails is not tried again, but another one is."""
    async with listening(tmp_path, 'echo "$#" > "$said"; exit 1', sounds=sounds) as at:
        at.sounds.play(Sound.TURN)
        await at.bell()
        at.sounds.play(Sound.TURN)
        assert at.bells == 2
        if sounds:
            assert await at.line() == "2"
            at.theme.settings = Settings(sounds=True, sound_command=f"{at.command} --loud")
            at.sounds.play(Sound.TURN)
            assert await at.line() == "3"


async def test_nothing_that_plays_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("", "nobody --at-all", f"{tmp_path}/nothing"):
        async with listening(tmp_path) as at:
            at.theme.settings = Settings(sounds=True, sound_command=name)
            at.sounds.play(Sound.TURN)
            await at.bell()
        for pipe in ("said", "gate"):
            (tmp_path / pipe).unlink()


async def test_what_the_system_has_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path, 'echo "${0##*/} $1" > "$said"') as at:
        program, option = SOUND_PROGRAMS[-1].split()
        (tmp_path / program).symlink_to(tmp_path / "play it")
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/nowhere")
        at.theme.settings = Settings(sounds=True)
        at.sounds.play(Sound.NEWS)
        assert await at.line() == f"{program} {option}"


async def test_the_bell_rings_where_no_file_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "sounds").touch()
    async with listening(tmp_path) as at:
        at.sounds.play(Sound.TURN)
        await at.bell()


async def test_few_are_heard_at_once_and_none_at_the_end(tmp_path: Path) -> None:
    script = 'trap "" TERM; echo "${2##*/} $$" > "$said"; read -r _ < "$gate"; sleep 1000'
    async with listening(tmp_path, script) as at:
        for _ in range(5):
            at.sounds.play(Sound.TURN)
        lines = [(await at.line()).split() for _ in range(2)]
        assert [name for name, _ in lines] == ["turn-1.wav"] * 2
        at.sounds.play(Sound.QUEEN)
        await at.gate.send_all(b"\n\n")
    # They are gone, whatever they thought of it, and nobody else has been started.
    for _, process in lines:
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)
    assert at.bells == 0
