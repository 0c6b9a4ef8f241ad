"""The command ``hearts-server words``: the password that a server has made, or another one."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress

from hearts.settings.table import CommandParser, ConfigError
from hearts_server.config import default_data_dir
from hearts_server.datadir import PASSWORD_FILE
from hearts_server.given_settings import add_data_dir


def main(arguments: Sequence[str]) -> int:
    """Print the words of a data dir, or remove them. Raises ConfigError."""
    parser = CommandParser(
        prog="hearts-server words",
        description="Print the five words that a server with --password auto has made. One friend "
        "alone cannot be locked out: with others, everybody needs them.",
    )
    add_data_dir(parser)
    parser.add_argument(
        "--new", action="store_true", help="forget them; the next start makes others"
    )
    given = parser.parse_args(arguments, argparse.Namespace(data_dir=default_data_dir()))
    path = given.data_dir / PASSWORD_FILE
    try:
        if given.new:
            with suppress(FileNotFoundError):
                path.unlink()
            print("the next start of the server makes other words")
        else:
            print(path.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        raise ConfigError(f"no server has made words in {given.data_dir}") from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    return 0
