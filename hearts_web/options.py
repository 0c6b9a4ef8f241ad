"""The settings of the gateway in one table: defaults, limits and help."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from hearts.settings import table
from hearts.settings.readers import BadArgument, Place, host_name, place, whole
from hearts.settings.table import ConfigError, setting, switch

from .asked import Network
from .relay import GAME, Backend

NONE = "none"


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


class WebConfig(Struct, frozen=True):
    """Every setting of a gateway; see ``hearts-web --help``."""

    host: str = setting("", str, "HOST", "address to listen on", shown="every interface")
    port: int = setting(7680, whole(0, 65535), "PORT", "TCP port to listen on; 0 picks a free one")
    proxy_listen: Place | None = setting(
        None, place, "WHERE",
        "listen there as well, HOST:PORT or the path of a Unix socket, for a load balancer that "
        "begins each connection with a PROXY header; the address in it is that of the browser",
        shown="nowhere",
    )  # fmt: skip
    game: Place = setting(
        ("127.0.0.1", 7626), place, "WHERE",
        "the game server: HOST:PORT, or the path of a Unix socket", shown="127.0.0.1:7626",
    )  # fmt: skip
    chat: Place | None = setting(
        ("127.0.0.1", 7627), _place_or_none, "WHERE",
        "the taunt server in the same way, or 'none'", shown="127.0.0.1:7627",
    )  # fmt: skip
    asks_password: bool = switch(
        "the game server asks for a password, so the page does as well", shown="off"
    )
    has_names: bool = switch(
        "the game server lets names be claimed, so the page does as well", shown="off"
    )
    send_proxy: bool = switch(
        "begin each connection with a PROXY header, so that the servers know who plays; for what "
        "they listen on by --proxy-listen",
        shown="off, all players have one address",
    )
    origin: Sequence[str] = setting(
        (), _origin, "URL",
        "another origin whose pages may play here, such as https://cards.example; may be given "
        "several times",
        shown="only the host that the browser asked", is_list=True,
    )  # fmt: skip
    name: Sequence[str] = setting(
        (), host_name, "HOST",
        "a name by which browsers ask for the page, such as cards.example or *.cards.example; may "
        "be given several times",
        shown="addresses, localhost, names without a dot, in .local, .home.arpa and .internal, "
        "this machine's own, and those of --origin and of the certificate", is_list=True,
    )  # fmt: skip
    forwarded_from: Sequence[Network] = setting(
        (), _network, "NET",
        "address or network of a reverse proxy that is believed when it says who asks; may be "
        "given several times; it needs --origin",
        shown="nobody's", is_list=True,
    )  # fmt: skip
    forwarded_header: str = setting(
        "x-forwarded-for", _header, "NAME",
        "the header in which it says so: Forwarded (RFC 7239), or one that has addresses; no other "
        "one is read, as proxies pass on what a browser sends",
        shown="X-Forwarded-For",
    )  # fmt: skip
    # Two for each connection that a game server takes by default. So the server decides who is one
    # too many, and it knows who has a seat.
    max_websockets: int = setting(
        10_000, whole(1, 1_000_000), "N", "WebSockets at once, two for a page"
    )
    max_per_address: int = setting(
        128, whole(0, 1_000_000), "N",
        "WebSockets at once from one IPv4 address or one IPv6 /64 network; 0 for no limit",
    )  # fmt: skip
    accept_rate: int = table.ACCEPT_RATE
    accept_burst: int = table.ACCEPT_BURST
    work_per_connection: int = setting(
        20, whole(0, 1000), "MS",
        "milliseconds of work in a second after which reading from a browser pauses; 0 for no "
        "limit",
    )  # fmt: skip
    tls_cert: Path | None = setting(
        None, Path, "FILE", "certificate (chain) as PEM; with --tls-key, only https is spoken",
        shown="no TLS",
    )  # fmt: skip
    tls_key: Path | None = setting(
        None, Path, "FILE", "key of the certificate as PEM, without a password", shown="no TLS"
    )
    log_level: str = table.LOG_LEVEL
    exit_with_parent: bool = switch(
        "end when standard input ends, for a program that starts it", shown="off"
    )

    @property
    def names(self) -> set[str]:
        of_origins = {urlsplit(origin).hostname or "" for origin in self.origin}
        return {self.host.lower(), *self.name, *of_origins}

    @property
    def backends(self) -> dict[str, Backend]:
        found = {GAME: Backend(self.game, self.send_proxy)}
        if self.chat is not None:
            found["/chat"] = Backend(self.chat, self.send_proxy)
        return found


def parse_arguments(arguments: Sequence[str]) -> WebConfig:
    """Return the settings of a command line. Raises ConfigError; ``--help`` raises SystemExit."""
    config = table.parsed(
        WebConfig,
        arguments,
        prog="hearts-web",
        description="The gateway for browsers: it serves the page on which Hearts is played, and "
        "carries what the page says to a game server and its chat. hearts-server starts one by "
        "itself; this is for one of its own.",
    )
    if config.forwarded_from and not config.origin:
        raise ConfigError(
            "--forwarded-from needs --origin: give the origin that browsers see at the reverse "
            "proxy, such as --origin https://cards.example"
        )
    return config
