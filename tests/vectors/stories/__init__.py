"""What happens in the transcripts, file by file."""

from __future__ import annotations

from collections.abc import Callable

from tests.vectors.scribe import Story

from .clocks import clocks
from .ends import ends
from .faults import faults
from .hands import hands, illegal
from .moons import moons
from .refusals import refusals
from .registration import registration
from .returns import returns

FILES: list[tuple[str, str, Callable[[], dict[str, Story]]]] = [
    ("registration", "Registration with every option block.", registration),
    ("refusals", "Every refusal, with and without the reason in words.", refusals),
    ("hands", "Whole hands.", hands),
    ("illegal", "Choices that are not legal, with every status.", illegal),
    ("clocks", "Choices that the server makes, crossing late ones.", clocks),
    ("moons", "The moon, with and without a choice.", moons),
    ("ends", "Ends of games, and another game or none.", ends),
    ("faults", "Faults of a client and ends of a table.", faults),
    ("returns", "Coming back to a seat.", returns),
]
"""Name, heading and cases of each file."""
