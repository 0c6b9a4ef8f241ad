"""The line that friends type to come to a table."""

from __future__ import annotations

import shlex

GAME_PORT = 7626
TAUNT_PORT = 7627
_HERE = ("localhost", "127.0.0.1", "::1")
_YOUR_ADDRESS = "YOUR-ADDRESS"
"""In place of a name that means another machine at each."""


def invitation(host: str, port: int, taunt_port: int, *, tls: bool, table: str = "") -> str:
    """The line with which friends come to a table; to the next free seat without a name.

    ``taunt_port`` is 0 for no chat. What is as it mostly is, is left out.
    """
    address = _YOUR_ADDRESS if host in _HERE else host
    if port != GAME_PORT:
        address = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    words = ["hearts-client", address]
    if table:
        words += ["--table", table]
    if tls:
        words.append("--tls")
    if taunt_port != TAUNT_PORT:
        words += ["--taunt-port", str(taunt_port)]
    return shlex.join(words)
