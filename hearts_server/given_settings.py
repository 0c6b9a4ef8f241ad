"""The settings that a command line, a TOML file and the environment give."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from msgspec.structs import fields, replace

from hearts.game.events import Deal
from hearts.game.named_deal import NamedDeal, parse_named_deal
from hearts.wire.json_values import key_hint

from . import setting_values as read
from .config import (
    PASSWORD_VARIABLE,
    Config,
    ConfigError,
    Durability,
    ServerSetting,
    default_data_dir,
)

_SETTINGS: dict[str, ServerSetting] = {
    each.name: each.default_factory
    for each in fields(Config)
    if isinstance(each.default_factory, ServerSetting)
}


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


class _ServerParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _ServerParser(
        prog="hearts-server",
        description="Host tables of Hearts over TCP. Without options it listens on port 7626, and "
        "starts a taunt server (chat) on port 7627 and a page for browsers on port 7680.",
        epilog="A --config file is TOML with the same names, such as: turn-limit = 30. "
        "The command line wins over the file. Ctrl-C, SIGTERM and the end of its terminal end "
        "the server in order, a second Ctrl-C or SIGTERM at once. Without a terminal, and with "
        "nohup, SIGHUP ends nothing: with TLS it makes the server read its certificate again.",
    )
    parser.add_argument_group(
        "commands",
        "hearts-server records: list, show, replay, export and delete what was played. "
        "hearts-server verify: check a record. hearts-server import: from a data dir to "
        "PostgreSQL. hearts-server export: back. hearts-server cluster: the nodes of a store. To "
        "the server that runs: hearts-server tables: who is there. hearts-server say: tell "
        "everybody something. hearts-server end: end a table. hearts-server remove: take a player "
        "from his seat. hearts-server mute: in the chat. hearts-server invite: to a table that "
        "forms. Each has a --help of its own.",
    )
    parser.add_argument("--config", metavar="FILE", help="read settings from a TOML file first")
    for name, setting in _SETTINGS.items():
        if setting.read is None:
            parser.add_argument(
                _option(name), dest=name, action="store_true", default=None, help=setting.help
            )
        else:
            shown = setting.shown or setting.default
            parser.add_argument(
                _option(name),
                dest=name,
                metavar=setting.metavar,
                help=f"{setting.help} (default: {shown})".replace("%", "%%"),
            )
    parser.add_argument(
        "--deal",
        metavar="[RULES#]CODE[+CUTS]",
        action="append",
        help="deal code of the first hand of every table; again for the next one. CUTS are those "
        "of a deal that was cut, for tables where nobody cuts; mac2000#CODE sets --rules too",
    )
    return parser


def parse_config(arguments: Sequence[str]) -> Config:
    """The settings of a command line and the file that it names.

    Raises ConfigError with one clear line; ``--help`` ends the process with exit status 0.
    """
    given = vars(_parser().parse_args(arguments))
    file = given.pop("config")
    texts = _read_file(Path(file)) if file is not None else {}
    if given["password"] is not None or given["password_file"] is not None:
        # The command line wins over the file, whichever of the two it says there.
        texts.pop("password", None)
        texts.pop("password_file", None)
    texts.update({name: value for name, value in given.items() if value is not None})
    config = Config(**{name: _value(name, text) for name, text in texts.items()})
    if "deal" in texts:
        config = _with_rules(config, texts["deal"], said="rules" in texts)
    if "data_dir" not in texts:
        config = replace(config, data_dir=default_data_dir())
    if (config.tls_cert is None) != (config.tls_key is None):
        raise ConfigError("TLS needs both: give --tls-cert FILE and --tls-key FILE, or none")
    if config.store and config.journal is not Durability.NORMAL:
        raise ConfigError("--journal is about a file in the data dir: leave it out with --store")
    if config.node and not config.store:
        raise ConfigError("--node: nodes share a database; give --store postgresql://...")
    if config.announce_socket is not None and not config.no_taunt_server:
        raise ConfigError("--announce-socket is for a taunt server of yours: add --no-taunt-server")
    if config.taunt_proxy_listen is not None and config.no_taunt_server:
        raise ConfigError(
            "--taunt-proxy-listen is for the taunt server that this one starts; give yours "
            "--proxy-listen"
        )
    return _with_password(config)


def _with_password(config: Config) -> Config:
    """The same with the password that a file or the environment holds. Raises ConfigError."""
    if config.password_file is None:
        text = "" if config.password else os.environ.get(PASSWORD_VARIABLE, "")
        if not text:
            return config
        try:
            return replace(config, password=read.password(text))
        except ValueError as error:
            raise ConfigError(f"{PASSWORD_VARIABLE}: {error}") from None
    if config.password:
        raise ConfigError("give --password TEXT or --password-file FILE, not both")
    try:
        text = config.password_file.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise ConfigError(f"--password-file: cannot read {config.password_file}: {why}") from None
    try:
        return replace(config, password=read.password(text))
    except ValueError as error:
        raise ConfigError(f"--password-file: {error}") from None


def _with_rules(config: Config, deals: Any, *, said: bool) -> Config:
    """The same with the rules that stand with the deals; ``said``: there is a setting of them.

    Raises ConfigError if several do not agree.
    """
    found = {deal.rules for deal in _deals(deals) if deal.rules is not None}
    if not found:
        return config
    if said:
        found.add(config.rules)
    if len(found) > 1:
        texts = " and ".join(sorted(map(str, found)))
        raise ConfigError(f"--deal: a server has one set of rules, not {texts}")
    return replace(config, rules=found.pop())


def _deals(text: Any) -> list[NamedDeal]:
    codes = [text] if isinstance(text, str) else text
    return [parse_named_deal(str(code)) for code in codes]


def _value(name: str, text: Any) -> Any:
    try:
        if name == "deal":
            return tuple(Deal.from_secret(deal.secret, deal.cuts) for deal in _deals(text))
        read = _SETTINGS[name].read
        if read is None:
            if not isinstance(text, bool):
                raise ValueError(f"give true or false, not {text!r}")
            return text
        if isinstance(text, bool | list | dict):
            raise ValueError(f"give one value, not {text!r}")
        return read(str(text))
    except (ValueError, TypeError, RuntimeError) as error:
        raise ConfigError(f"{_option(name)}: {error}") from None


def _read_file(path: Path) -> dict[str, Any]:
    # Most servers have no such file.
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"--config: cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"--config: {path} is no TOML file: {error}") from None
    texts = {key.replace("-", "_"): value for key, value in data.items()}
    known = [name.replace("_", "-") for name in (*_SETTINGS, "deal")]
    for key, name in zip(data, texts, strict=True):
        if name not in Config.__struct_fields__:
            hint = key_hint(key, known)
            raise ConfigError(f"--config: {path} has an unknown setting {key!r}; {hint}")
    return texts
