"""What the host can set, where it is checked, and how a mistake is told."""

from __future__ import annotations

import argparse
import ipaddress
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from msgspec import Struct

from hearts.net import Certificate, TlsError
from hearts.settings.readers import BadArgument, Place, host_name, place, whole

from .asked import Network
from .backends import Backend

DEFAULT_PORT = 7680
GAME, CHAT = ("127.0.0.1", 7626), ("127.0.0.1", 7627)
NONE = "none"
DEFAULT_MAX_WEBSOCKETS = 10_000
"""Two for each connection that a game server takes by default. So the server decides who is one too
many, and it knows who has a seat."""
DEFAULT_MAX_PER_ADDRESS = 128
DEFAULT_ACCEPT_RATE = 10
DEFAULT_ACCEPT_BURST = 50
DEFAULT_WORK = 20
LOG_LEVELS = ("debug", "info", "warning", "error")


class WebConfigError(Exception):
    """A setting that cannot work; the text is one line that says what to do."""


class WebConfig(Struct, frozen=True):
    """The settings of one run."""

    host: str
    port: int
    proxy_listen: Place | None
    game: Place
    chat: Place | None
    send_proxy: bool
    origin: Sequence[str]
    name: Sequence[str]
    forwarded_from: Sequence[Network]
    forwarded_header: str
    max_websockets: int
    max_per_address: int
    accept_rate: int
    accept_burst: int
    work_per_connection: int
    tls_cert: Path | None
    tls_key: Path | None
    log_level: str
    exit_with_parent: bool

    @property
    def names(self) -> set[str]:
        """The hosts that browsers may ask for by these settings."""
        of_origins = {urlsplit(origin).hostname or "" for origin in self.origin}
        return {self.host.lower(), *self.name, *of_origins}

    @property
    def backends(self) -> dict[str, Backend]:
        """The servers by the path of their WebSocket."""
        found = {"/game": Backend(self.game, self.send_proxy)}
        if self.chat is not None:
            found["/chat"] = Backend(self.chat, self.send_proxy)
        return found


class _WebParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise WebConfigError(f"{message} (see {self.prog} --help)")


def parse_arguments(arguments: Sequence[str]) -> WebConfig:
    """The settings of a command line. Raises WebConfigError; ``--help`` raises SystemExit."""
    parser = _WebParser(
        prog="hearts-web",
        description="The gateway for browsers: it serves the page on which Hearts is played, and "
        "carries what the page says to a game server and its chat. hearts-server starts one by "
        "itself; this is for one of its own.",
    )
    add = parser.add_argument
    add("--host", default="", help="address to listen on (default: every interface)")
    add(
        "--port", type=whole(0, 65535), default=DEFAULT_PORT,
        help="TCP port to listen on; 0 picks a free one (default: %(default)s)",
    )  # fmt: skip
    add(
        "--proxy-listen", type=place, metavar="WHERE",
        help="listen there as well, HOST:PORT or the path of a Unix socket, for a load balancer "
        "that begins each connection with a PROXY header; the address in it is that of the browser "
        "(default: nowhere)",
    )  # fmt: skip
    add(
        "--game", type=place, default=GAME, metavar="WHERE",
        help="the game server: HOST:PORT, or the path of a Unix socket (default: 127.0.0.1:7626)",
    )  # fmt: skip
    add(
        "--chat", type=_place_or_none, default=CHAT, metavar="WHERE",
        help="the taunt server in the same way, or 'none' (default: 127.0.0.1:7627)",
    )  # fmt: skip
    add(
        "--send-proxy", action="store_true",
        help="begin each connection with a PROXY header, so that the servers know who plays; for "
        "what they listen on by --proxy-listen (default: off, all players have one address)",
    )  # fmt: skip
    add(
        "--origin", type=_origin, action="append", default=[], metavar="URL",
        help="another origin whose pages may play here, such as https://cards.example; may be "
        "given several times (default: only the host that the browser asked)",
    )  # fmt: skip
    add(
        "--name", type=host_name, action="append", default=[], metavar="HOST",
        help="a name by which browsers ask for the page, such as cards.example or *.cards.example; "
        "may be given several times (default: addresses, localhost, names without a dot, in "
        ".local, .home.arpa and .internal, this machine's own, and those of --origin and of the "
        "certificate)",
    )  # fmt: skip
    add(
        "--forwarded-from", type=_network, action="append", default=[], metavar="NET",
        help="address or network of a reverse proxy that is believed when it says who asks; may be "
        "given several times; it needs --origin (default: nobody's)",
    )  # fmt: skip
    add(
        "--forwarded-header", type=_header, default="x-forwarded-for", metavar="NAME",
        help="the header in which it says so: Forwarded (RFC 7239), or one that has addresses; no "
        "other one is read, as proxies pass on what a browser sends (default: X-Forwarded-For)",
    )  # fmt: skip
    add(
        "--max-websockets", type=whole(1, 1_000_000), default=DEFAULT_MAX_WEBSOCKETS, metavar="N",
        help="WebSockets at once, two for a page (default: %(default)s)",
    )  # fmt: skip
    add(
        "--max-per-address", type=whole(0, 1_000_000), default=DEFAULT_MAX_PER_ADDRESS, metavar="N",
        help="WebSockets at once from one IPv4 address or one IPv6 /64 network; 0 for no limit "
        "(default: %(default)s)",
    )  # fmt: skip
    add(
        "--accept-rate", type=whole(0, 100_000), default=DEFAULT_ACCEPT_RATE, metavar="N",
        help="connections that one address may open in a second; 0 for no limit "
        "(default: %(default)s)",
    )  # fmt: skip
    add(
        "--accept-burst", type=whole(1, 100_000), default=DEFAULT_ACCEPT_BURST, metavar="N",
        help="connections that it may open at once before that counts (default: %(default)s)",
    )  # fmt: skip
    add(
        "--work-per-connection", type=whole(0, 1000), default=DEFAULT_WORK, metavar="MS",
        help="milliseconds of work in a second after which reading from a browser pauses; 0 for "
        "no limit (default: %(default)s)",
    )  # fmt: skip
    add(
        "--tls-cert", type=Path, metavar="FILE",
        help="certificate (chain) as PEM; with --tls-key, only https is spoken (default: no TLS)",
    )  # fmt: skip
    add(
        "--tls-key", type=Path, metavar="FILE",
        help="key of the certificate as PEM, without a password (default: no TLS)",
    )  # fmt: skip
    add(
        "--log-level", choices=LOG_LEVELS, default="info",
        help="least important events that are logged, to standard error (default: %(default)s)",
    )  # fmt: skip
    add(
        "--exit-with-parent", action="store_true",
        help="end when standard input ends, for a program that starts it (default: off)",
    )  # fmt: skip
    config = WebConfig(**vars(parser.parse_args(arguments)))
    if (config.tls_cert is None) != (config.tls_key is None):
        raise WebConfigError("TLS needs both: give --tls-cert FILE and --tls-key FILE, or none")
    if config.forwarded_from and not config.origin:
        raise WebConfigError(
            "--forwarded-from needs --origin: give the origin that browsers see at the reverse "
            "proxy, such as --origin https://cards.example"
        )
    return config


def load_certificate(config: WebConfig) -> Certificate | None:
    """What the settings say of TLS. Raises WebConfigError if the files cannot be used."""
    if config.tls_cert is None or config.tls_key is None:
        return None
    try:
        return Certificate(config.tls_cert, config.tls_key)
    except TlsError as error:
        raise WebConfigError(f"{error}; check --tls-cert and --tls-key") from None


def _place_or_none(text: str) -> Place | None:
    return None if text == NONE else place(text)


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise BadArgument(
            f"give an address or a network such as 10.0.0.0/8, not {text!r}"
        ) from None


def _header(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]+", text):
        raise BadArgument(f"give the name of a header such as X-Forwarded-For, not {text!r}")
    return text.lower()


def _origin(text: str) -> str:
    origin = text.lower().removesuffix("/")
    try:
        parts = urlsplit(origin)
    except ValueError:
        parts = urlsplit("")
    is_known = parts.scheme in ("http", "https") and bool(parts.netloc)
    if not is_known or origin != f"{parts.scheme}://{parts.netloc}":
        raise BadArgument(f"give an origin such as https://cards.example, not {text!r}")
    return origin
