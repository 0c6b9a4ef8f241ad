"""The settings of the server in one table: defaults, limits and help."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from functools import cache
from pathlib import Path

from msgspec import Struct

from hearts.bots.levels import SEARCHING
from hearts.game.deal import parse_named_deal
from hearts.game.events import Deal
from hearts.game.rules import DEFAULT_END_SCORE, END_SCORES, STANDARD, Rules, parse_rules
from hearts.limits.networks import HERE, PerNetwork, is_near, network_of
from hearts.settings import table
from hearts.settings.readers import (
    LEVELS,
    LOG_LEVELS,
    BadArgument,
    Place,
    host_name,
    level,
    levels,
    log_level,
    networks,
    place,
    seconds,
    whole,
)
from hearts.settings.table import ConfigError, setting, switch
from hearts.table.seat import COMPUTER_NAMES
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import is_legible, is_of_notices, is_visible

PASSWORD_VARIABLE = "HEARTS_PASSWORD"
CONSOLE_FILE = "console"
"""The socket of the console in the data dir."""
DOOR_FILE = "door"
"""The beginning of the names of the sockets for a door by ssh in the data dir."""
JOURNAL_FILE = "journal.db"
"""The journal in the data dir."""
AUTO = "auto"
"""In place of a password: make one, and keep it in the data dir."""

_SPARE_CONNECTIONS = 256
"""Beyond four a table: people who watch, list tables, or are about to be refused."""
_SERVER_NAME_LIMIT = 60
_CHILDREN = "web", "taunt"
"""Gateway and taunt server. They are started with the settings of the server."""


class Durability(Enum):
    """The failures that an acknowledged choice survives."""

    NORMAL = "normal"
    """A killed process. A power cut may take the last seconds, and leaves the rest whole."""
    FULL = "full"
    """A power cut as well; each transaction waits for the disk."""
    OFF = "off"
    """Nothing: there is no journal."""


def default_data_dir() -> Path:
    """Return the place of a server's files, unless it is told otherwise."""
    base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "hearts-server"


class Guests(Enum):
    """The rights of those who have not proved a name."""

    YES = "yes"
    """They play as everybody does."""
    ALONE = "alone"
    """They play alone with computers."""
    NO = "no"
    """They do not play."""


def _guests(text: str) -> Guests:
    try:
        return Guests(text.lower())
    except ValueError:
        raise BadArgument(f"give yes, alone or no, not {text!r}") from None


def _durability(text: str) -> Durability:
    try:
        return Durability(text.lower())
    except ValueError:
        known = ", ".join(kind.value for kind in Durability)
        raise ValueError(f"give one of {known}, not {text!r}") from None


def read_path(text: str) -> Path:
    """Reads a path, with ~ for the home of a user."""
    return Path(text).expanduser()


def _host_names(text: str) -> tuple[str, ...]:
    return tuple(host_name(name.strip()) for name in text.split(","))


@cache
def in_container() -> bool:
    """Return True if this process runs in a container, as far as it can be told."""
    marks = Path("/.dockerenv"), Path("/run/.containerenv")
    said = {"container", "KUBERNETES_SERVICE_HOST"} & os.environ.keys()
    return any(mark.exists() for mark in marks) or bool(said)


@cache
def fills_container() -> bool:
    """Return True if a container runs this server and nothing else, so that others publish its
    ports: at addresses of which it knows nothing.
    """
    return in_container() and 1 in (os.getpid(), os.getppid())


@cache
def is_rootless() -> bool:
    """Return True if users have other numbers outside, as where no root has begun a container."""
    try:
        return Path("/proc/self/uid_map").read_text("ascii").split() != ["0", "0", "4294967295"]
    except OSError:
        return False


def is_own(network: str) -> bool:
    """Return True if this machine has an IPv4 address, or an address in an IPv6 /64."""
    is_wide = network.endswith("/64")
    address = network.removesuffix("/64") + "1" if is_wide else network
    family = socket.AF_INET6 if is_wide else socket.AF_INET
    # Connecting a datagram socket sends nothing; it only picks the address that would be answered
    # from, which is that of the peer, or in its /64, if there is such a one.
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((address, 9))
        return network_of(str(probe.getsockname()[0])) == network
    return False


_UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def _size(text: str) -> int:
    """Reads bytes with a unit, such as 500 MB; 0 for none."""
    match = re.fullmatch(r"(\d{1,6}) ?([kMGT]B)", text)
    if match is None and text != "0":
        raise BadArgument(f"give a size such as '500 MB' or '2 GB', or 0, not {text!r}")
    return 0 if match is None else int(match[1]) * _UNITS[match[2]]


def read_store(text: str) -> str:
    """Reads where games are stored, as libpq takes it."""
    if not text.startswith(("postgresql://", "postgres://")):
        raise BadArgument("give postgresql://USER@HOST/DATABASE, or leave it out")
    return text


def _node_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._-]{1,30}", text):
        raise BadArgument(f"a name of a node has 1 to 30 letters, digits, . _ or -, not {text!r}")
    return text


def read_password(text: str) -> str:
    """Reads a password as block -7 can carry it."""
    if not 1 <= len(text.encode()) <= 1023 or not text.isprintable():
        raise BadArgument("a password has 1 to 1023 bytes and no control characters")
    return text


def _server_name(text: str) -> str:
    size = len(text.encode("utf-8", "replace"))
    if not 1 <= size <= _SERVER_NAME_LIMIT or not is_legible(text) or not is_visible(text):
        raise BadArgument(f"a name has 1 to {_SERVER_NAME_LIMIT} bytes that can be read")
    return text


def _computer_names(text: str) -> tuple[str, ...]:
    """Reads three or four names; a fourth is added if it is missing."""
    names = [name.strip() for name in text.split(",")]
    if not 3 <= len(names) <= len(COMPUTER_NAMES) or len(set(names)) < len(names):
        raise BadArgument(f"give three or four different names, not {text!r}")
    for name in names:
        size = len(name.encode("utf-8", "replace"))
        is_name = is_legible(name) and is_visible(name) and not is_of_notices(name)
        if not 1 <= size <= NAME_LIMIT or not is_name:
            raise BadArgument(f"a name has 1 to {NAME_LIMIT} bytes that can be read, not {name!r}")
    # The fourth is for a seat that a player has left for good.
    names += [name for name in COMPUTER_NAMES if name not in names]
    return tuple(names[: len(COMPUTER_NAMES)])


@contextmanager
def psycopg_wanted() -> Iterator[None]:
    """Raise ConfigError if an import in the block needs psycopg or its libpq, and there is none."""
    try:
        yield
    except ImportError as error:
        if "no pq wrapper" in str(error):
            raise ConfigError("--store needs libpq: apt-get install libpq5") from None
        if error.name != "psycopg":
            raise
        raise ConfigError("--store needs psycopg: pip install 'hearts-server[postgres]'") from None


class Config(Struct, frozen=True):
    """Every setting of a server; see ``hearts-server --help``."""

    host: str = setting("0.0.0.0", str, "ADDRESS", "address to listen on", own=True)
    port: int = setting(7626, whole(0, 65535), "PORT", "TCP port; 0 picks a free one", own=True)
    taunt_host: str = setting(
        "", str, "ADDRESS", "address of the taunt server", shown="as --host", own=True
    )
    taunt_port: int = setting(
        7627, whole(0, 65535), "PORT", "TCP port of the taunt server; 0 picks a free one",
        own=True,
    )  # fmt: skip
    no_taunt_server: bool = switch("do not start a taunt server (chat); one that runs is used")
    web_port: int = setting(
        7680, whole(0, 65535), "PORT", "TCP port of the page for browsers; 0 picks a free one",
        own=True,
    )  # fmt: skip
    web_host: str = setting("", str, "ADDRESS", "address of the page", shown="as --host", own=True)
    web_name: tuple[str, ...] = setting(
        (), _host_names, "A,B",
        "names by which browsers may ask for the page, beside addresses, local names, this "
        "machine's own and those of the certificate",
        shown="none", own=True, children=("web",),
    )  # fmt: skip
    no_web: bool = switch("serve no page to play on in a browser; it needs the extra 'web'")
    web_proxy_listen: Place | None = setting(
        None, place, "WHERE", "as --proxy-listen, for the page",
        shown="nowhere", own=True, children=("web",),
    )  # fmt: skip
    announce_socket: Path | None = setting(
        None, read_path, "PATH",
        "with --no-taunt-server: the Unix socket at which the one that runs (with the same option) "
        "takes notices",
        shown="none: notices go to its port, like what players say", own=True,
    )  # fmt: skip
    proxy_listen: Place | None = setting(
        None, place, "WHERE",
        "listen there as well, HOST:PORT or the path of a Unix socket, for a load balancer or a "
        "gateway, which begins each connection with a PROXY header; the address in it is what the "
        "limits and the log go by",
        shown="nowhere", own=True,
    )  # fmt: skip
    taunt_proxy_listen: Place | None = setting(
        None, place, "WHERE",
        "as --proxy-listen, for the chat",
        shown="nowhere", own=True, children=("taunt",),
    )  # fmt: skip
    ssh_door: Path | None = setting(
        None, read_path, "PATH",
        "the Unix socket at which a hearts-ssh of another user finds this server, if they are of "
        "the same group",
        shown="'door' in the data dir, for this user alone", own=True,
    )  # fmt: skip
    data_dir: Path = setting(
        None, read_path, "DIR", "where the secret and the journal lie",
        shown="~/.local/share/hearts-server", own=True,
    )  # fmt: skip
    journal: Durability = setting(
        Durability.NORMAL, _durability, "{normal,full,off}",
        "what a choice survives: 'normal' a killed server, 'full' a power cut too (a disk's sync "
        "for each), 'off' nothing",
        shown="normal",
    )  # fmt: skip
    store: str = setting(
        "", read_store, "URL",
        "keep the journal in PostgreSQL, such as postgresql://hearts@db.example.org/hearts; it "
        "needs the extra 'postgres'. Its password belongs into ~/.pgpass or PGPASSWORD",
        shown="a file in the data dir", own=True,
    )  # fmt: skip
    node: str = setting(
        "", _node_name, "NAME",
        "be one of several servers with the same --store, of which one plays and the others stand "
        "by; if it dies, one of them goes on with its tables",
        shown="a server on its own", own=True,
    )  # fmt: skip
    journal_size: int = setting(
        2 * 10**9, _size, "SIZE",
        "of the journal, beyond which the oldest finished games are deleted; 0 keeps all",
        shown="2 GB",
    )  # fmt: skip
    min_free_space: int = setting(
        200 * 10**6, _size, "SIZE",
        "free disk below which no new table begins; 0 for no limit",
        shown="200 MB", own=True,
    )  # fmt: skip
    rules: Rules = setting(
        STANDARD, parse_rules, "RULES", "the host's own rules: a preset or rules with commas"
    )
    end_score: int | None = setting(
        None, whole(END_SCORES.start, END_SCORES.stop - 1), "POINTS",
        "score at which a game ends",
        shown=f"that of the preset among the rules, or {DEFAULT_END_SCORE}",
    )  # fmt: skip
    turn_limit: int = setting(60, whole(0, 3600), "SECONDS", "time for each choice; 0 for no limit")
    grace: float = setting(
        60.0, seconds(86400), "SECONDS", "after which a computer plays for a lost connection"
    )
    pause_limit: float = setting(
        600.0, seconds(7 * 86400, "never"), "SECONDS",
        "after which a table ends at which nobody is connected; 0 ends it at once",
    )  # fmt: skip
    fill_after: float = setting(
        20.0, seconds(86400, "never"), "SECONDS",
        "after which computers take the free seats of a public table; 'never' waits for people",
    )  # fmt: skip
    bot_pause: float = setting(
        0.5, seconds(60), "SECONDS", "pause before a computer's choice, so that people can follow"
    )
    watch_delay: float = setting(
        0.0, seconds(3600), "SECONDS", "by which watchers see everything later than the players"
    )
    max_tables: int = setting(1000, whole(1, 100_000), "N", "tables at the same time")
    max_hands: int = setting(
        1000, whole(0, 1_000_000), "N", "hands after which a session ends; 0 for no bound"
    )
    max_per_address: int = setting(
        32, whole(0, 100_000), "N", "connections from one address; 0 for no limit"
    )
    work_per_connection: int = setting(
        5, whole(0, 1000), "MS",
        "milliseconds of work in a second for what nobody waits for, after which reading from a "
        "connection pauses; 0 for no limit",
    )  # fmt: skip
    max_per_network: tuple[int, int, int] | None = setting(
        None, networks("an IPv4 /24", "an IPv6 /56", "an IPv6 /48"), "N,N,N",
        "connections from one IPv4 /24, IPv6 /56 and IPv6 /48; 0 for no limit",
        shown="4, 2 and 4 times --max-per-address",
    )  # fmt: skip
    tables_per_ipv4: tuple[int, int] = setting(
        (16, 64), networks("an address", "its /24"), "N,N",
        "unfinished tables that were opened from one IPv4 address, and from its /24; 0 for no "
        "limit. A table with two connected people does not count",
        shown="16,64",
    )  # fmt: skip
    tables_per_ipv6: tuple[int, int, int] = setting(
        (8, 16, 32), networks("a /64", "its /56", "its /48"), "N,N,N",
        "the same for one IPv6 /64, its /56 and its /48", shown="8,16,32",
    )  # fmt: skip
    accept_rate: int = table.ACCEPT_RATE
    accept_burst: int = table.ACCEPT_BURST
    tls_cert: Path | None = setting(
        None, read_path, "FILE",
        "certificate (chain) of the host as PEM; with --tls-key, game and chat speak TLS only",
        shown="no TLS", own=True, children=_CHILDREN,
    )  # fmt: skip
    tls_key: Path | None = setting(
        None, read_path, "FILE",
        "key of the certificate as PEM, without a password", shown="no TLS",
        own=True, children=_CHILDREN,
    )  # fmt: skip
    password: str = setting(
        "", read_password, "TEXT",
        "asked of every player; 'auto' makes one and says it at the start. Other users of this "
        f"machine can read a command line; {PASSWORD_VARIABLE} in the environment does the same",
        shown="none",
    )  # fmt: skip
    open: bool = switch("let in everybody who reaches the server, without a password")
    password_file: Path | None = setting(
        None, read_path, "FILE", "the password is the text of this file",
        shown="none", own=True,
    )  # fmt: skip
    name: str = setting(
        "", _server_name, "TEXT", "name of the server, which clients and the page show",
        shown="none", own=True,
    )  # fmt: skip
    names: bool = switch(
        "let players have names that nobody else has, proved by a key; all others are guests, "
        "marked by ~ in front. It needs the extra 'names'"
    )
    guests: Guests = setting(
        Guests.YES, _guests, "{yes,alone,no}",
        "with --names, how guests may play: as everybody, alone with computers, or not at all",
        shown="yes",
    )  # fmt: skip
    by_invitation: bool = switch(
        "with --names, let nobody claim a name without an invitation of the host (hearts-server "
        "names invite); with --guests no nobody else plays"
    )
    welcome: Path | None = setting(
        None, read_path, "FILE",
        "word of the day, shown with the name to everybody who may play: a text of at most 2000 "
        "bytes, read at the start and at SIGHUP",
        shown="none", own=True,
    )  # fmt: skip
    computer_names: tuple[str, ...] = setting(
        COMPUTER_NAMES, _computer_names, "A,B,C[,D]",
        "what computers are called, in the order in which they are seated",
        shown=",".join(COMPUTER_NAMES),
    )  # fmt: skip
    computers: str = setting(
        "swift", level, f"{{{','.join(LEVELS)}}}",
        "how well computers play: 'novice', 'simple', 'swift', 'strong' or 'expert', which needs "
        "the extra 'expert'; stand-ins of people always play as 'simple' does",
    )  # fmt: skip
    computer_levels: tuple[str, ...] | None = setting(
        None, levels, "A,B",
        "levels that players may choose for computers, beside --computers",
        shown="those that do not search, and those that cost no more than --computers",
    )  # fmt: skip
    metrics_port: int = setting(
        0, whole(0, 65535), "PORT",
        "TCP port of the metrics page for Prometheus, which needs the extra 'metrics'; 0 for none",
        own=True,
    )  # fmt: skip
    metrics_host: str = setting(
        "127.0.0.1", str, "ADDRESS", "address of the metrics page", own=True
    )
    exit_with_parent: bool = switch(
        "end when standard input ends, for a program that starts it", own=True
    )
    log_level: str = setting(
        "info", log_level, f"{{{','.join(LOG_LEVELS)}}}", "least important events that are logged",
        own=True, children=_CHILDREN,
    )  # fmt: skip
    deal: tuple[Deal, ...] = setting(
        (), parse_named_deal, "[RULES#]CODE[+CUTS]",
        "deal code of the first hand of every table; again for the next one. CUTS are those of a "
        "deal that was cut, for tables where nobody cuts; mac2000#CODE sets --rules too",
        is_list=True,
    )  # fmt: skip

    @property
    def levels(self) -> frozenset[str]:
        """The levels that computers may play at."""
        more = self.computer_levels
        if more is None:
            dearest = list(LEVELS).index(self.computers)
            more = tuple(
                name
                for place, name in enumerate(LEVELS)
                if name not in SEARCHING or place <= dearest
            )
        return frozenset((self.computers, *more))

    @property
    def connections(self) -> PerNetwork:
        return PerNetwork.of_settings(self.max_per_address, self.max_per_network)

    @property
    def tables(self) -> PerNetwork:
        return PerNetwork(self.tables_per_ipv4, self.tables_per_ipv6)

    @property
    def taunt_address(self) -> str:
        return self.taunt_host or self.host

    @property
    def web_address(self) -> str:
        return self.web_host or self.host

    def is_stranger(self, network: str) -> bool:
        """Return True if nobody may begin to play from this network, as it is not near.

        In a container everybody may look as if they were in a private network; this machine itself
        is near anywhere.
        """
        if self.open or self.password:
            return False
        if in_container():
            # In a wider network of its own is who publishes its ports; where no root does it, a
            # stranger may have its own address.
            is_own_address = "/" not in network and is_own(network) and not is_rootless()
            return not is_near(network, HERE) and not is_own_address
        return not is_near(network) and not is_own(network)

    @property
    def max_connections(self) -> int:
        """Connections at the same time: four a table, and some beyond."""
        return 4 * self.max_tables + _SPARE_CONNECTIONS

    @property
    def has_chat(self) -> bool:
        """True if there is a taunt server, or is to be one."""
        own, elsewhere = not self.no_taunt_server, bool(self.taunt_port)
        return own or elsewhere or self.announce_socket is not None
