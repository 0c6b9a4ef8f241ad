"""The settings of the door in one table: defaults, limits and help."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from hearts.settings import table
from hearts.settings.readers import whole
from hearts.settings.table import setting
from hearts.settings.version import add_version

DEFAULT_PORT = 7622


def _path(text: str) -> Path:
    return Path(text).expanduser()


class SshConfig(Struct, frozen=True):
    """Every setting of a door; see ``hearts-ssh --help``."""

    host: str = setting("", str, "HOST", "address to listen on", shown="every interface")
    port: int = setting(
        DEFAULT_PORT, whole(0, 65535), "PORT",
        "TCP port to listen on; 0 picks a free one. A socket unit of systemd goes before it",
    )  # fmt: skip
    server: Path | None = setting(
        None, _path, "PATH",
        "the socket of the game server, as its --ssh-door says",
        shown="'door' in the data dir of this user's server",
    )  # fmt: skip
    sessions: int = setting(50, whole(1, 1000), "N", "visitors at once")
    max_per_address: int = setting(
        8, whole(0, 1000), "N", "visitors at once from one address; 0 for no limit"
    )
    seats: Path | None = setting(
        None, _path, "FILE",
        "where it is kept how visitors with a key come back to their seats",
        shown="'seats.json' in the state dir that systemd gives; without one, until the door ends",
    )  # fmt: skip

    @property
    def game(self) -> str:
        """The path of the socket of the game."""
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
        return str(self.server or Path(base).expanduser() / "hearts-server" / "door")

    @property
    def seats_file(self) -> Path | None:
        state = os.environ.get("STATE_DIRECTORY")
        return self.seats or (Path(state) / "seats.json" if state else None)


def parse_arguments(arguments: Sequence[str]) -> SshConfig:
    """Return the settings of a command line. Raises ConfigError; ``--help`` raises SystemExit."""
    parser = table.CommandParser(
        prog="hearts-ssh",
        description="The door by ssh: 'ssh -p 7622 play@HOST' plays at the game server of this "
        "machine, in the client of hearts-client, without an account. The key of the door follows "
        "from the secret of that server.",
    )
    add_version(parser)
    parser.add_settings(SshConfig)
    return SshConfig(**vars(parser.parse_args(arguments)))
