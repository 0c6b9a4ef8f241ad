"""Limits of connections and terminals. No clock, no randomness of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address

from hearts.limits.networks import NetworkCounts, PerNetwork

LOGIN_SECONDS = 10
"""Seconds until a connection has to have logged in, and then until it has begun to play."""
_MOST_WAITING = 64
"""Connections that have not logged in."""
_FULL_FROM = 32
"""From so many of them on, chance drops new ones early, the more the more there are."""
SIZES = (20, 500), (5, 200)
"""The least and the greatest columns and rows of a terminal."""
RESIZE_SECONDS = 0.1
"""Seconds between two changes of the size, at least."""
REKEY_SECONDS = 60.0
"""Seconds between two exchanges of keys that a visitor begins, at least."""


WAITING = PerNetwork.widening(8)
"""Connections of one address that do not play yet, and of its wider networks."""


def is_admitted(waiting: NetworkCounts, address: str, chance: float) -> bool:
    """Tell whether one more may try; ``chance`` is a number from 0 to 1."""
    beyond = waiting.total - _FULL_FROM
    is_dropped = beyond >= 0 and chance <= beyond / (_MOST_WAITING - _FULL_FROM)
    return not is_dropped and waiting.has_room(address)


def known_address(name: Sequence[object] | None) -> str:
    """Return the host of a socket's name, if it is the same host from anywhere; else nothing."""
    address = str(name[0]).removeprefix("::ffff:") if name else "::1"
    return address if ip_address(address).is_global else ""


def fitting(columns: int, rows: int) -> tuple[int, int]:
    """Return the size that a terminal gets for the one that is asked for; 0 is no size."""
    (least, most), (lowest, highest) = SIZES
    return min(max(columns or 80, least), most), min(max(rows or 24, lowest), highest)


FULL_SCREEN = (80, 23)
"""The size from which the full screen is shown; it is that of the client."""
_TERMINAL = re.compile(
    "(alacritty|contour|cygwin|foot|ghostty|gnome|kitty|konsole|linux|mintty|putty|rxvt|screen"
    "|st|tmux|vte|wezterm|xterm)"
    "(-(16color|256color|bce|color|direct|ghostty|kitty|truecolor|unicode|unicode-256color))?"
)
"""The names of terminals that can have the full screen."""


def known_terminal(name: str) -> str:
    """Return the name of a terminal for which there is a full screen, or nothing."""
    return name if _TERMINAL.fullmatch(name) else ""
