"""What the command lines of the commands share: how they are read, where games are."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from hearts_server import setting_values
from hearts_server.config import ConfigError


class CommandParser(argparse.ArgumentParser):
    """Reads the words of a command; what is wrong is raised as ConfigError, in one line."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message} (see {self.prog} --help)")


def store_url(text: str) -> str:
    """Reads ``--store``. Raises ArgumentTypeError."""
    try:
        return setting_values.store(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def data_dir(text: str) -> Path:
    """Reads ``--data-dir``."""
    return Path(text).expanduser()
