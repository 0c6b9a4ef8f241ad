"""The settings that a command line, a TOML file and the environment give."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hearts.game.deal import NamedDeal
from hearts.game.events import Deal
from hearts.game.rules import STANDARD, Rules
from hearts.settings.table import CommandParser, ConfigError, check_tls, read_texts, toml_texts
from hearts.settings.version import add_version

from .config import (
    PASSWORD_VARIABLE,
    Config,
    Durability,
    default_data_dir,
    read_password,
    read_path,
    read_store,
)


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="hearts-server",
        description="Host tables of Hearts over TCP. Without options it listens on port 7626, and "
        "starts a taunt server (chat) on port 7627 and a page for browsers on port 7680.",
        epilog="A --config file is TOML with the same names, such as: turn-limit = 30. "
        "The command line wins over the file. Ctrl-C, SIGTERM and the end of its terminal end "
        "the server in order, a second Ctrl-C or SIGTERM at once. Without a terminal, and with "
        "nohup, SIGHUP ends nothing: the server reads its certificate and --welcome again.",
    )
    parser.add_argument_group(
        "commands",
        "hearts-server records: list, show, replay, export and delete what was played. "
        "hearts-server verify: check a record. hearts-server import: from a data dir to "
        "PostgreSQL. hearts-server export: back. hearts-server cluster: the nodes of a store. "
        "hearts-server standings: how names have done. "
        "hearts-server docs: where the documents lie. To "
        "the server that runs: hearts-server tables: who is there. hearts-server say: tell "
        "everybody something. hearts-server end: end a table. hearts-server remove: take a player "
        "from their seat. hearts-server warn: tell one player something. hearts-server mute: in "
        "the chat. hearts-server ban: let somebody in no more. hearts-server bans: who is banned "
        "or muted. hearts-server unban: let them in again. hearts-server moderator: let somebody "
        "act so. hearts-server acts: what was done so. "
        "hearts-server reports: what players report of others. "
        "hearts-server names: whose they are. "
        "hearts-server invite: to a table that forms. hearts-server invitation: what friends "
        "type. hearts-server words: the password, of five words. Each has a --help of its own.",
    )
    parser.add_argument("--config", metavar="FILE", help="read settings from a TOML file first")
    add_version(parser)
    parser.add_settings(Config, as_texts=True)
    return parser


def add_data_dir(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--data-dir`` to another command; nothing is given without it."""
    parser.add_argument(
        "--data-dir",
        metavar="DIR",
        type=read_path,
        default=argparse.SUPPRESS,
        help="data dir of the server (default: ~/.local/share/hearts-server)",
    )


def add_store(parser: argparse.ArgumentParser, help: str, **more: Any) -> None:
    """Add the option ``--store`` to another command; ``help`` says whose it is."""
    help = f"{help}: postgresql://USER@HOST/DATABASE"
    parser.add_argument("--store", metavar="URL", type=read_store, help=help, **more)


def parse_config(arguments: Sequence[str]) -> Config:
    """Return the settings of a command line and the file that it names.

    Raises ConfigError with one clear line; ``--help`` ends the process with exit status 0.
    """
    given = vars(_parser().parse_args(arguments))
    file = given.pop("config")
    texts = {} if file is None else _read_file(Path(file))
    if "password" in given or "password_file" in given:
        # The command line wins over the file, whichever of the two it says there.
        texts.pop("password", None)
        texts.pop("password_file", None)
    values = read_texts(Config, texts | given)
    deals: Sequence[NamedDeal] = values.get("deal", ())
    values["deal"] = tuple(Deal.from_secret(deal.secret, deal.cuts) for deal in deals)
    rules = _rules(deals, values.get("rules"))
    config = Config(**{"data_dir": default_data_dir()} | values | {"rules": rules})
    check_tls(config)
    contradictions = (
        (
            config.store and config.journal is not Durability.NORMAL,
            "--journal is about a file in the data dir: leave it out with --store",
        ),
        (
            config.node and not config.store,
            "--node: nodes share a database; give --store postgresql://...",
        ),
        (
            config.announce_socket is not None and not config.no_taunt_server,
            "--announce-socket is for a taunt server of yours: add --no-taunt-server",
        ),
        (
            config.taunt_proxy_listen is not None and config.no_taunt_server,
            "--taunt-proxy-listen is for the taunt server that this one starts; give yours "
            "--proxy-listen",
        ),
    )
    for is_so, why in contradictions:
        if is_so:
            raise ConfigError(why)
    config = _with_password(config)
    if config.open and config.password:
        raise ConfigError("--open lets everybody in without a password: leave one of the two out")
    behind = config.proxy_listen or config.web_proxy_listen or config.web_name
    if behind and not (config.open or config.password):
        raise ConfigError(
            "behind a proxy nobody can tell who is a stranger: say --password auto, or --open for "
            "everybody"
        )
    return config


def _with_password(config: Config) -> Config:
    """Return the settings with the password of a file or of the environment. Raises ConfigError."""
    source, text = PASSWORD_VARIABLE, os.environ.get(PASSWORD_VARIABLE, "")
    if config.password_file is None:
        if config.password or not text:
            return config
    elif config.password:
        raise ConfigError("give --password TEXT or --password-file FILE, not both")
    else:
        source = "--password-file"
        try:
            text = config.password_file.read_text(encoding="utf-8").removesuffix("\n")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
            raise ConfigError(f"{source}: cannot read {config.password_file}: {why}") from None
    try:
        return replace(config, password=read_password(text))
    except ValueError as error:
        raise ConfigError(f"{source}: {error}") from None


def _rules(deals: Sequence[NamedDeal], said: Rules | None) -> Rules:
    """Return the rules that are ``said`` or stand with deals. Raises ConfigError if they do not
    agree.
    """
    found = {deal.rules for deal in deals if deal.rules is not None}
    if said is not None:
        found.add(said)
    if len(found) > 1:
        texts = " and ".join(sorted(map(str, found)))
        raise ConfigError(f"--deal: a server has one set of rules, not {texts}")
    return found.pop() if found else STANDARD


def _read_file(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"--config: cannot read {path}: {error.strerror}") from None
    return toml_texts(data, Config, path)
