"""The settings of the taunt server in one table: defaults, limits and help."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from hearts.settings import table
from hearts.settings.readers import Place, networks, place, whole
from hearts.settings.table import ConfigError, setting, switch
from hearts.wire.credentials import SECRET_BYTES


class TauntConfig(Struct, frozen=True):
    """Every setting of a taunt server; see ``taunt-server --help``."""

    host: str = setting("", str, "HOST", "address to listen on", shown="every interface")
    port: int = setting(7627, whole(0, 65535), "PORT", "TCP port to listen on; 0 picks a free one")
    secret_file: Path = setting(
        None, Path, "PATH",
        f"file of exactly {SECRET_BYTES} bytes, the same that hearts-server uses (required)",
        is_required=True,
    )  # fmt: skip
    # Below the 1024 open files that a process commonly may have, with room for the listeners and
    # for connections that are being turned away.
    max_connections: int = setting(
        900, whole(1, 1_000_000), "N", "connections at once; further ones are refused",
        shown="900 connections",
    )  # fmt: skip
    max_per_address: int = setting(
        64, whole(0, 1_000_000), "N",
        "connections at once from one IPv4 address or one IPv6 /64 network; 0 for no limit",
        shown="64 connections",
    )  # fmt: skip
    max_per_network: tuple[int, int, int] | None = setting(
        None, networks("an IPv4 /24", "an IPv6 /56", "an IPv6 /48", most=1_000_000), "N,N,N",
        "connections at once from one IPv4 /24, IPv6 /56 and IPv6 /48; 0 for no limit",
        shown="4, 2 and 4 times --max-per-address",
    )  # fmt: skip
    accept_rate: int = table.ACCEPT_RATE
    accept_burst: int = table.ACCEPT_BURST
    tls_cert: Path | None = setting(
        None, Path, "FILE", "certificate (chain) as PEM; with --tls-key, only TLS is spoken",
        shown="no TLS",
    )  # fmt: skip
    tls_key: Path | None = setting(
        None, Path, "FILE", "key of the certificate as PEM, without a password", shown="no TLS"
    )
    log_level: str = table.LOG_LEVEL
    exit_with_parent: bool = switch(
        "end when standard input ends, and leave the interrupt key to the program that started "
        "this one",
        shown="off",
    )
    lease: bool = switch(
        "end all connections, and take none, while standard input has said nothing for 3 s, with "
        "which the program that started this one says that it may still play",
        shown="off",
    )
    announce_fd: int | None = setting(
        None, whole(0, 1_000_000), "N",
        "descriptor of a connected socket that the game server left open for this program, to "
        "announce things though no connection is free",
        shown="it connects like a player",
    )  # fmt: skip
    announce_socket: Path | None = setting(
        None, Path, "PATH",
        "Unix socket, made for programs of this user alone, where the game server announces things "
        "though no connection is free",
        shown="it connects like a player",
    )  # fmt: skip
    proxy_listen: Sequence[Place] = setting(
        (), place, "WHERE",
        "listen there as well, HOST:PORT or the path of a Unix socket, for a load balancer or a "
        "gateway, which begins each connection with a PROXY header; the address in it is what the "
        "limits and the log go by; may be given several times",
        shown="nowhere", is_list=True,
    )  # fmt: skip


def parse_arguments(arguments: Sequence[str]) -> TauntConfig:
    """Return the settings of a command line. Raises ConfigError; ``--help`` raises SystemExit."""
    return table.parsed(
        TauntConfig,
        arguments,
        prog="taunt-server",
        description="The chat server for games of Hearts. It relays what the players of a game "
        "say to each other, and knows them by a secret that it shares with hearts-server.",
    )


def load_secret(path: Path) -> bytes:
    """Return the secret in a file. Raises ConfigError if there is none of the right size."""
    try:
        with path.open("rb") as file:
            secret = file.read(SECRET_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"cannot read the secret file {path} ({error.strerror}); "
            "give the file that hearts-server uses with --secret-file"
        ) from None
    if len(secret) != SECRET_BYTES:
        size = f"more than {SECRET_BYTES}" if len(secret) > SECRET_BYTES else str(len(secret))
        raise ConfigError(
            f"the secret file {path} holds {size} bytes, not {SECRET_BYTES}; "
            "give the file that hearts-server uses with --secret-file"
        )
    return secret
