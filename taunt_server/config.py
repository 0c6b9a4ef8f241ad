"""What the host can set, where it is checked, and how a mistake is told."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from hearts.net import Certificate, TlsError
from hearts.settings.readers import Place, place, whole
from hearts.wire.credentials import SECRET_BYTES

DEFAULT_PORT = 7627
# Below the 1024 open files that a process commonly may have, with room for the listeners and
# for connections that are being turned away.
DEFAULT_MAX_CONNECTIONS = 900
DEFAULT_MAX_PER_ADDRESS = 64
DEFAULT_ACCEPT_RATE = 10
DEFAULT_ACCEPT_BURST = 50
LOG_LEVELS = ("debug", "info", "warning", "error")


class TauntConfigError(Exception):
    """A setting that cannot work; the text is one line that says what to do."""


class TauntConfig(Struct, frozen=True, gc=False):
    """The settings of one run."""

    host: str
    port: int
    no_port: bool
    secret_file: Path
    max_connections: int
    max_per_address: int
    max_per_network: tuple[int, int, int] | None
    accept_rate: int
    accept_burst: int
    tls_cert: Path | None
    tls_key: Path | None
    log_level: str
    exit_with_parent: bool
    announce_fd: int | None
    announce_socket: Path | None
    proxy_listen: Place | None


class _TauntParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise TauntConfigError(f"{message} (see {self.prog} --help)")


def parse_arguments(arguments: Sequence[str]) -> TauntConfig:
    """The settings of a command line. Raises TauntConfigError; ``--help`` raises SystemExit."""
    parser = _TauntParser(
        prog="taunt-server",
        description="The chat server for games of Hearts. It relays what the players of a game "
        "say to each other, and knows them by a secret that it shares with hearts-server.",
    )
    parser.add_argument(
        "--host", default="", help="address to listen on (default: every interface)"
    )
    parser.add_argument(
        "--port",
        type=whole(0, 65535),
        default=DEFAULT_PORT,
        help="TCP port to listen on; 0 picks a free one (default: %(default)s)",
    )
    parser.add_argument(
        "--no-port",
        action="store_true",
        help="listen at --proxy-listen alone (default: off)",
    )
    parser.add_argument(
        "--secret-file",
        type=Path,
        required=True,
        metavar="PATH",
        help=f"file of exactly {SECRET_BYTES} bytes, the same that hearts-server uses (required)",
    )
    parser.add_argument(
        "--max-connections",
        type=whole(1, 1_000_000),
        default=DEFAULT_MAX_CONNECTIONS,
        metavar="N",
        help="connections at once; further ones are refused (default: %(default)s connections)",
    )
    parser.add_argument(
        "--max-per-address",
        type=whole(0, 1_000_000),
        default=DEFAULT_MAX_PER_ADDRESS,
        metavar="N",
        help="connections at once from one IPv4 address or one IPv6 /64 network; 0 for no limit "
        "(default: %(default)s connections)",
    )
    parser.add_argument(
        "--max-per-network",
        type=_three_numbers,
        metavar="N,N,N",
        help="connections at once from one IPv4 /24, IPv6 /56 and IPv6 /48; 0 for no limit "
        "(default: 4, 2 and 4 times --max-per-address)",
    )
    parser.add_argument(
        "--accept-rate",
        type=whole(0, 100_000),
        default=DEFAULT_ACCEPT_RATE,
        metavar="N",
        help="connections that one address may open in a second; 0 for no limit "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--accept-burst",
        type=whole(1, 100_000),
        default=DEFAULT_ACCEPT_BURST,
        metavar="N",
        help="connections that it may open at once before that counts (default: %(default)s)",
    )
    parser.add_argument(
        "--tls-cert",
        type=Path,
        metavar="FILE",
        help="certificate (chain) as PEM; with --tls-key, only TLS is spoken (default: no TLS)",
    )
    parser.add_argument(
        "--tls-key",
        type=Path,
        metavar="FILE",
        help="key of the certificate as PEM, without a password (default: no TLS)",
    )
    parser.add_argument(
        "--log-level",
        choices=LOG_LEVELS,
        default="info",
        help="least important events that are logged, to standard error (default: %(default)s)",
    )
    parser.add_argument(
        "--exit-with-parent",
        action="store_true",
        help="end when standard input ends, and leave the interrupt key to the program that "
        "started this one (default: off)",
    )
    parser.add_argument(
        "--announce-fd",
        type=whole(0, 1_000_000),
        metavar="N",
        help="descriptor of a connected socket that the game server left open for this program, to "
        "announce things though no connection is free (default: it connects like a player)",
    )
    parser.add_argument(
        "--announce-socket",
        type=Path,
        metavar="PATH",
        help="Unix socket, made for programs of this user alone, where the game server announces "
        "things though no connection is free (default: it connects like a player)",
    )
    parser.add_argument(
        "--proxy-listen",
        type=place,
        metavar="WHERE",
        help="listen there as well, HOST:PORT or the path of a Unix socket, for a load balancer or "
        "a gateway, which begins each connection with a PROXY header; the address in it is what "
        "the limits and the log go by (default: nowhere)",
    )
    config = TauntConfig(**vars(parser.parse_args(arguments)))
    if (config.tls_cert is None) != (config.tls_key is None):
        raise TauntConfigError("TLS needs both: give --tls-cert FILE and --tls-key FILE, or none")
    if config.no_port and config.proxy_listen is None:
        raise TauntConfigError("--no-port: give --proxy-listen WHERE, for there is no way in else")
    return config


def load_certificate(config: TauntConfig) -> Certificate | None:
    """What the settings say of TLS. Raises TauntConfigError if the files cannot be used."""
    if config.tls_cert is None or config.tls_key is None:
        return None
    try:
        return Certificate(config.tls_cert, config.tls_key)
    except TlsError as error:
        raise TauntConfigError(f"{error}; check --tls-cert and --tls-key") from None


def load_secret(path: Path) -> bytes:
    """The secret in a file. Raises TauntConfigError if there is none of the right size."""
    try:
        with path.open("rb") as file:
            secret = file.read(SECRET_BYTES + 1)
    except OSError as error:
        raise TauntConfigError(
            f"cannot read the secret file {path} ({error.strerror}); "
            "give the file that hearts-server uses with --secret-file"
        ) from None
    if len(secret) != SECRET_BYTES:
        size = f"more than {SECRET_BYTES}" if len(secret) > SECRET_BYTES else str(len(secret))
        raise TauntConfigError(
            f"the secret file {path} holds {size} bytes, not {SECRET_BYTES}; "
            "give the file that hearts-server uses with --secret-file"
        )
    return secret


def _three_numbers(text: str) -> tuple[int, int, int]:
    parts = text.split(",")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError(f"{text!r} is not three numbers with commas")
    a, b, c = (whole(0, 1_000_000)(part) for part in parts)
    return a, b, c
