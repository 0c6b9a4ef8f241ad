"""The settings of the server: command line, TOML file, defaults and limits, in one table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct, field
from msgspec.structs import fields, replace

from hearts.errors import HeartsError
from hearts.game.events import Deal
from hearts.game.named_deal import NamedDeal, parse_named_deal
from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, STANDARD, Rules, parse_rules
from hearts.limits import PerNetwork
from hearts.table import COMPUTER_NAMES
from hearts.wire.json_values import key_hint

from . import setting_values as read

PASSWORD_VARIABLE = "HEARTS_PASSWORD"
AUTO = "auto"
"""In place of a password: make one, and keep it in the data dir."""


class Durability(Enum):
    """What an acknowledged choice survives."""

    NORMAL = "normal"
    """A killed process. A power cut may take the last seconds, and leaves the rest whole."""
    FULL = "full"
    """A power cut as well; each transaction waits for the disk."""
    OFF = "off"
    """Nothing: there is no journal."""


class ConfigError(HeartsError):
    """A setting that cannot be used; the text says which, and what to do."""


class TryLater(ConfigError):
    """Something is missing that may come back by itself, such as room on a disk."""


def default_data_dir() -> Path:
    """Where the server keeps its files unless told otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "hearts-server"


def _durability(text: str) -> Durability:
    try:
        return Durability(text.lower())
    except ValueError:
        known = ", ".join(kind.value for kind in Durability)
        raise ValueError(f"give one of {known}, not {text!r}") from None


class _Setting(Struct, frozen=True):
    """The default of a setting, with all that is said about it; fields of Config make it so."""

    default: Any
    help: str
    read: Callable[[str], Any] | None = None
    """None for a switch."""
    metavar: str = ""
    shown: str = ""
    """The default in words."""

    def __call__(self) -> Any:
        return self.default


def _setting(
    default: Any, read: Callable[[str], Any], metavar: str, help_text: str, *, shown: str = ""
) -> Any:
    return field(default_factory=_Setting(default, help_text, read, metavar, shown))


def _switch(help_text: str) -> Any:
    return field(default_factory=_Setting(False, help_text))


class Config(Struct, frozen=True):
    """Every setting of a server; see ``hearts-server --help``."""

    host: str = _setting("0.0.0.0", str, "ADDRESS", "address to listen on")
    port: int = _setting(7626, read.whole(0, 65535), "PORT", "TCP port; 0 picks a free one")
    taunt_host: str = _setting("", str, "ADDRESS", "address of the taunt server", shown="as --host")
    taunt_port: int = _setting(
        7627, read.whole(0, 65535), "PORT", "TCP port of the taunt server; 0 picks a free one"
    )
    no_taunt_server: bool = _switch("do not start a taunt server (chat); one that runs is used")
    announce_socket: Path | None = _setting(
        None, lambda text: Path(text).expanduser(), "PATH",
        "with --no-taunt-server: the Unix socket at which the one that runs (with the same option) "
        "takes notices",
        shown="none: notices go to its port, like what players say",
    )  # fmt: skip
    data_dir: Path = _setting(
        None, lambda text: Path(text).expanduser(), "DIR", "where the secret and the journal lie",
        shown="~/.local/share/hearts-server",
    )  # fmt: skip
    journal: Durability = _setting(
        Durability.NORMAL, _durability, "KIND",
        "what a choice survives: 'normal' a killed server, 'full' a power cut too (a disk's sync "
        "for each), 'off' nothing",
        shown="normal",
    )  # fmt: skip
    journal_size: int = _setting(
        2 * 10**9, read.size, "SIZE",
        "of the journal, beyond which the oldest finished games are deleted; 0 keeps all",
        shown="2 GB",
    )  # fmt: skip
    min_free_space: int = _setting(
        200 * 10**6, read.size, "SIZE",
        "free disk below which no new table begins; 0 for no limit",
        shown="200 MB",
    )  # fmt: skip
    rules: Rules = _setting(
        STANDARD, parse_rules, "RULES", "the host's own rules: a preset or rules with commas"
    )
    end_score: int = _setting(
        DEFAULT_END_SCORE, read.whole(END_SCORES.start, END_SCORES.stop - 1), "POINTS",
        "score at which a game ends",
    )  # fmt: skip
    turn_limit: int = _setting(
        60, read.turn_limit, "SECONDS", "time for each choice; 0 for no limit"
    )
    grace: float = _setting(
        60.0, read.seconds(86400), "SECONDS", "after which a computer plays for a lost connection"
    )
    pause_limit: float = _setting(
        600.0, read.seconds(7 * 86400, "never"), "SECONDS",
        "after which a table ends at which nobody is connected; 0 ends it at once",
    )  # fmt: skip
    fill_after: float = _setting(
        20.0, read.seconds(86400, "never"), "SECONDS",
        "after which computers take the free seats of a public table; 'never' waits for people",
    )  # fmt: skip
    bot_pause: float = _setting(
        0.5,
        read.seconds(60),
        "SECONDS",
        "pause before a computer's choice, so that people can follow",
    )
    watch_delay: float = _setting(
        0.0,
        read.seconds(3600),
        "SECONDS",
        "by which watchers see everything later than the players",
    )
    max_tables: int = _setting(1000, read.whole(1, 100_000), "N", "tables at the same time")
    max_hands: int = _setting(
        1000, read.whole(0, 1_000_000), "N", "hands after which a session ends; 0 for no bound"
    )
    max_per_address: int = _setting(
        32, read.whole(0, 100_000), "N", "connections from one address; 0 for no limit"
    )
    work_per_connection: int = _setting(
        5, read.whole(0, 1000), "MS",
        "milliseconds of work in a second for what nobody waits for, after which reading from a "
        "connection pauses; 0 for no limit",
    )  # fmt: skip
    max_per_network: tuple[int, int, int] | None = _setting(
        None, read.networks("an IPv4 /24", "an IPv6 /56", "an IPv6 /48"), "N,N,N",
        "connections from one IPv4 /24, IPv6 /56 and IPv6 /48; 0 for no limit",
        shown="4, 2 and 4 times --max-per-address",
    )  # fmt: skip
    tables_per_ipv4: tuple[int, int] = _setting(
        (16, 64), read.networks("an address", "its /24"), "N,N",
        "unfinished tables that were opened from one IPv4 address, and from its /24; 0 for no "
        "limit. A table with two connected people does not count",
        shown="16,64",
    )  # fmt: skip
    tables_per_ipv6: tuple[int, int, int] = _setting(
        (8, 16, 32), read.networks("a /64", "its /56", "its /48"), "N,N,N",
        "the same for one IPv6 /64, its /56 and its /48", shown="8,16,32",
    )  # fmt: skip
    accept_rate: int = _setting(
        10, read.whole(0, 100_000), "N",
        "connections that one address may open in a second; 0 for no limit",
    )  # fmt: skip
    accept_burst: int = _setting(
        50, read.whole(1, 100_000), "N", "connections that it may open at once before that counts"
    )
    tls_cert: Path | None = _setting(
        None, lambda text: Path(text).expanduser(), "FILE",
        "certificate (chain) of the host as PEM; with --tls-key, game and chat speak TLS only",
        shown="no TLS",
    )  # fmt: skip
    tls_key: Path | None = _setting(
        None, lambda text: Path(text).expanduser(), "FILE",
        "key of the certificate as PEM, without a password", shown="no TLS",
    )  # fmt: skip
    password: str = _setting(
        "", read.password, "TEXT",
        "asked of every player; 'auto' makes one and says it at the start. Other users of this "
        f"machine can read a command line; {PASSWORD_VARIABLE} in the environment does the same",
        shown="none",
    )  # fmt: skip
    password_file: Path | None = _setting(
        None, lambda text: Path(text).expanduser(), "FILE", "the password is the text of this file",
        shown="none",
    )  # fmt: skip
    computer_names: tuple[str, ...] = _setting(
        COMPUTER_NAMES, read.computer_names, "A,B,C[,D]",
        "what computers are called, in the order in which they are seated",
        shown=",".join(COMPUTER_NAMES),
    )  # fmt: skip
    deal: tuple[Deal, ...] = ()
    """The first deals of every table, for practice; if players cut, with their cuts."""
    metrics_port: int = _setting(
        0, read.whole(0, 65535), "PORT", "TCP port of the metrics page for Prometheus; 0 for none"
    )
    metrics_host: str = _setting("127.0.0.1", str, "ADDRESS", "address of the metrics page")
    exit_with_parent: bool = _switch("end when standard input ends, for a program that starts it")
    log_level: str = _setting(
        "info", read.log_level, "LEVEL", f"one of {', '.join(read.LOG_LEVELS)}"
    )

    @property
    def connections(self) -> PerNetwork:
        """How many connections each network may have."""
        return PerNetwork.of_settings(self.max_per_address, self.max_per_network)

    @property
    def tables(self) -> PerNetwork:
        """How many unfinished tables each network may have."""
        return PerNetwork(self.tables_per_ipv4, self.tables_per_ipv6)

    @property
    def taunt_address(self) -> str:
        """The address on which the taunt server listens."""
        return self.taunt_host or self.host


_SETTINGS: dict[str, _Setting] = {
    each.name: each.default_factory
    for each in fields(Config)
    if isinstance(each.default_factory, _Setting)
}


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


class _ServerParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _ServerParser(
        prog="hearts-server",
        description="Host tables of Hearts over TCP. Without options it listens on port 7626 and "
        "starts a taunt server (chat) on port 7627.",
        epilog="A --config file is TOML with the same names, such as: turn-limit = 30. "
        "The command line wins over the file. Ctrl-C, SIGTERM and the end of its terminal end "
        "the server in order, a second Ctrl-C or SIGTERM at once; if it has no terminal, SIGHUP "
        "makes it read its certificate again.",
    )
    parser.add_argument_group(
        "commands",
        "hearts-server records: list, show, replay, export and delete what was played. "
        "hearts-server verify: check a record. To the server that runs: hearts-server tables: who "
        "is there. hearts-server say: tell everybody something. hearts-server end: end a table. "
        "hearts-server remove: take a player from his seat. hearts-server mute: in the chat. Each "
        "has a --help of its own.",
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
    if config.announce_socket is not None and not config.no_taunt_server:
        raise ConfigError("--announce-socket is for a taunt server of yours: add --no-taunt-server")
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
