"""A program's settings as the fields of a Struct; each field is a row of a table.

The command line, its help and the settings file are made from the rows. Nothing here reads a file.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from msgspec import Struct, field
from msgspec.structs import fields

from hearts.errors import HeartsError, key_hint

from .readers import LOG_LEVELS, log_level, whole
from .version import add_version

SettingsT = TypeVar("SettingsT", bound=Struct)


class ConfigError(HeartsError):
    """A setting that cannot be used; the text names it, and a way out."""


class SettingRow(Struct, frozen=True):
    """The default of a setting, with all that is said about it."""

    default: Any
    read: Callable[[str], Any] | None
    """None for a switch."""
    metavar: str
    help: str
    shown: str = ""
    """The default in words."""
    is_list: bool = False
    """May be given several times."""
    is_required: bool = False
    own: bool = False
    """May differ between servers that share a store."""
    children: tuple[str, ...] = ()
    """Programs that a server starts with its own value."""

    def __call__(self) -> Any:
        return self.default

    @property
    def words(self) -> str:
        has_default = self.read is not None and self.default not in (None, "", ())
        shown = self.shown or (str(self.default) if has_default else "")
        return f"{self.help} (default: {shown})" if shown else self.help


def setting(
    default: Any, read: Callable[[str], Any], metavar: str, help: str, **columns: Any
) -> Any:
    """Return a field of settings; ``columns`` are more fields of SettingRow."""
    return field(default_factory=SettingRow(default, read, metavar, help, **columns))


def switch(help: str, **columns: Any) -> Any:
    """Return a field of settings that is off unless its option is given."""
    return field(default_factory=SettingRow(False, None, "", help, **columns))


# Rows that several programs have alike.
ACCEPT_RATE: Any = setting(
    10, whole(0, 100_000), "N", "connections that one address may open in a second; 0 for no limit",
    children=("web", "taunt"),
)  # fmt: skip
ACCEPT_BURST: Any = setting(
    50, whole(1, 100_000), "N", "connections that it may open at once before that counts",
    children=("web", "taunt"),
)  # fmt: skip
LOG_LEVEL: Any = setting(
    "info", log_level, f"{{{','.join(LOG_LEVELS)}}}",
    "least important events that are logged, to standard error",
)  # fmt: skip


def rows(kind: type[Struct]) -> dict[str, SettingRow]:
    return {
        each.name: each.default_factory
        for each in fields(kind)
        if isinstance(each.default_factory, SettingRow)
    }


def option(name: str) -> str:
    return "--" + name.replace("_", "-")


class CommandParser(argparse.ArgumentParser):
    """Reads a command line; its faults are raised as ConfigError, in one line."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message} (see {self.prog} --help)")

    def add_settings(self, kind: type[Struct], *, as_texts: bool = False) -> None:
        """Add the options of settings; an option that is not given sets nothing.

        ``as_texts``: do not read their values, because a file may have others.
        """
        for name, row in rows(kind).items():
            more: dict[str, Any] = {"action": "store_true"}
            if row.read is not None:
                more = {
                    "action": "append" if row.is_list else "store",
                    "metavar": row.metavar,
                    "type": str if as_texts else row.read,
                    "required": row.is_required,
                }
            words = row.words.replace("%", "%%")
            self.add_argument(option(name), default=argparse.SUPPRESS, help=words, **more)


def parsed(
    kind: type[SettingsT], arguments: Sequence[str], *, prog: str, description: str
) -> SettingsT:
    """Return the settings of a command line. Raises ConfigError; ``--help`` raises SystemExit."""
    parser = CommandParser(prog=prog, description=description)
    add_version(parser)
    parser.add_settings(kind)
    config = kind(**vars(parser.parse_args(arguments)))
    check_tls(config)
    return config


def check_tls(config: Any) -> None:
    if (config.tls_cert is None) != (config.tls_key is None):
        raise ConfigError("TLS needs both: give --tls-cert FILE and --tls-key FILE, or none")


def toml_texts(data: bytes, kind: type[Struct], file: object) -> dict[str, Any]:
    """Return the settings that the data of a file give, by name. Raises ConfigError."""
    # Most programs have no such file.
    import tomllib

    try:
        given = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"--config: {file} is no TOML file: {error}") from None
    known = rows(kind)
    texts: dict[str, Any] = {}
    for key, value in given.items():
        name = key.replace("-", "_")
        if name not in known:
            hint = key_hint(key, [each.replace("_", "-") for each in known])
            raise ConfigError(f"--config: {file} has an unknown setting {key!r}; {hint}")
        if name in texts:
            raise ConfigError(f"--config: {file} has {key!r} twice")
        texts[name] = value
    return texts


def read_texts(kind: type[Struct], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Read the values that a file or a command line gives as texts. Raises ConfigError."""
    table, values = rows(kind), {}
    for name, text in texts.items():
        try:
            values[name] = _read(table[name], text)
        except (ValueError, RuntimeError) as error:
            raise ConfigError(f"{option(name)}: {error}") from None
    return values


def _read(row: SettingRow, text: Any) -> Any:
    if row.read is None:
        if not isinstance(text, bool):
            raise ValueError(f"give true or false, not {text!r}")
        return text
    if row.is_list and isinstance(text, list):
        return tuple(row.read(str(each)) for each in text)
    if isinstance(text, bool | list | dict):
        raise ValueError(f"give one value, not {text!r}")
    value = row.read(str(text))
    return (value,) if row.is_list else value
