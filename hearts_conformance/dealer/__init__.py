"""The dealer dialect: its checks, and the scenarios that lead a client through it."""

from hearts_conformance.kit import Room

from .checks import CHECKS
from .scenarios import SCENARIOS

ROOM = Room("dealer", CHECKS, SCENARIOS)
"""All that the kit has for the dealer dialect."""

__all__ = ["ROOM"]
