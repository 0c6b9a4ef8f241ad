"""The plain dialect: its checks, and the scenarios that lead a client through it."""

from hearts_conformance.kit import Room

from .checks import CHECKS
from .scenarios import SCENARIOS

ROOM = Room("plain", CHECKS, SCENARIOS)
"""All that the kit has for the plain dialect."""

__all__ = ["ROOM"]
