"""The training of the bot swift: the same seeds give the same file, and the file says how good."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from hearts.bots import BOTS
from hearts.bots.swift.bot import SwiftBot
from hearts.bots.swift.network import Network
from hearts.game.rules import STANDARD
from training.matches import difference

# Set where a test that is skipped would not be noticed.
NEEDED = "HEARTS_NEEDS_TRAINING" in os.environ
TINY = [
    "--hands=6", "--steps=2", "--batch=4", "--rounds", "2", "--many=16", "--deals=2",
    "--processes=1",
]  # fmt: skip


@pytest.mark.heavy
@pytest.mark.skipif(not (NEEDED or find_spec("jax")), reason="the extra train is not installed")
@pytest.mark.timeout(900)
def test_two_trainings_give_the_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / run / "swift.bin" for run in ("one", "other")]
    # What the first run has compiled the second one takes.
    cache = {"JAX_PLATFORMS": "cpu", "JAX_COMPILATION_CACHE_DIR": str(tmp_path / "compiled")}
    for file in files:
        file.parent.mkdir()
        command = [sys.executable, "-m", "training", str(file), *TINY]
        subprocess.run(command, check=True, env=os.environ | cache, stdout=subprocess.DEVNULL)
    data = files[0].read_bytes()
    assert files[1].read_bytes() == data
    head = msgspec.json.decode(data.partition(b"\n")[0])
    assert head["recipe"]["rounds"] == [2]
    assert head["recipe"]["choices"] > 100
    swift = SwiftBot(Network(data))
    better = difference(lambda _: swift, BOTS["simple"], 2, STANDARD, seed=head["recipe"]["seed"])
    assert statistics.mean(better) == head["better_than_simple"]
