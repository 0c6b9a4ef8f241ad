"""Parts that the commands share: options of the bot and the client, and the running of a tool."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import trio
from msgspec.structs import replace

from hearts.errors import HeartsError, leaves
from hearts.game.deal import parse_named_deal
from hearts.game.rules import parse_rules
from hearts.settings.option_rows import FAILED, INTERRUPTED, NOT_ALL, OptionGroup, OptionRow, switch
from hearts.settings.readers import BadArgument, OneLineParser, whole, worded
from hearts.wire.codec import NAME_LIMIT
from hearts.wire.text import MARKS_LIMIT, is_legible, is_printable, is_visible
from hearts_client.library.client import DEFAULT_PORT
from hearts_client.library.dialects import Dialect
from hearts_client.library.reach import DEFAULT_TAUNT_PORT as DEFAULT_TAUNT_PORT
from hearts_client.library.reach import PASSWORD_VARIABLE, Tls
from hearts_client.session.places import profile_name
from hearts_client.session.visit import Guest

PORT = whole(1, 65535)
rules = worded(parse_rules)
named_deal = worded(parse_named_deal)
profile_text = worded(profile_name)


def name_text(text: str) -> str:
    """Return a type for argparse: the name of a player or a table. Raises BadArgument."""
    size = len(text.encode("utf-8", "replace"))
    if not 1 <= size <= NAME_LIMIT or not is_legible(text) or not is_visible(text):
        raise BadArgument(
            f"a name has 1 to {NAME_LIMIT} bytes, something to be seen, no control characters "
            f"and no more than {MARKS_LIMIT} combining marks in a row"
        )
    return text


def password_text(text: str) -> str:
    """Return a type for argparse: a password. Raises BadArgument."""
    if not 1 <= len(text.encode("utf-8", "replace")) <= 1023 or not is_printable(text):
        raise BadArgument("a password has 1 to 1023 bytes and no control characters")
    return text


def password_options(otherwise: str) -> OptionGroup:
    """Add the options from which :func:`password_of` reads; ``otherwise`` is what is done
    without.
    """
    return OptionGroup(
        "",
        {
            "--password": OptionRow(
                "the host's password; other users of this machine can read a command line "
                f"(default: {PASSWORD_VARIABLE} in the environment; without it {otherwise})",
                "TEXT",
                password_text,
            ),
            "--password-file": OptionRow(
                "the host's password is the text of this file",
                "FILE",
                _password_in_file,
                dest="password",
            ),
        },
        is_choice=True,
    )


TABLE = OptionRow(
    "a public table to join, or a private one to join or open (default: the next free seat)",
    "NAME",
    name_text,
)


def password_of(given: argparse.Namespace) -> str:
    """Return the password of the options, or of the environment; empty if there is none."""
    return str(given.password or os.environ.get(PASSWORD_VARIABLE, ""))


def _password_in_file(text: str) -> str:
    try:
        password = Path(text).expanduser().read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise BadArgument(f"cannot read {text}: {why}") from None
    return password_text(password)


def address(text: str) -> tuple[str, int]:
    """Return a type for argparse: HOST, HOST:PORT, [IPV6] or [IPV6]:PORT, or hosts with commas.

    Raises BadArgument.
    """
    if text.count(":") > 1 and not text.startswith("["):
        return text, DEFAULT_PORT
    host, _, port = text.rpartition(":") if ":" in text.rpartition("]")[2] else (text, "", "")
    host = host.removeprefix("[").removesuffix("]")
    if not all(host.split(",")):
        raise BadArgument(f"{text!r} names no host: give HOST or HOST:PORT")
    return host, PORT(port) if port else DEFAULT_PORT


def default_name() -> str:
    """Return the login name of the person, or "Player" if there is none that a player may have."""
    try:
        return name_text(getpass.getuser())
    except (OSError, KeyError, BadArgument):
        return "Player"


def profile_of(given: argparse.Namespace) -> str:
    """Return the name of the profile that the options mean; empty for none."""
    return given.profile or ""


def dialect_option(default: str) -> OptionRow:
    """Return the option ``--dialect``; ``default`` is words about that of none."""
    return OptionRow(
        "how to speak with the server: in the bytes of 1999, or in frames that say more "
        f"(default: {default})",
        choices=[dialect.value for dialect in Dialect],
    )


def dialect_of(given: argparse.Namespace) -> Dialect | None:
    """Return the dialect of ``--dialect``; None if nothing was said."""
    return None if given.dialect is None else Dialect(given.dialect)


_TLS = "a server that speaks TLS"
TLS_OPTIONS = (
    OptionGroup(_TLS, {"--tls": switch("speak TLS, with the game and the chat")}),
    OptionGroup(
        _TLS,
        {
            "--tls-ca": OptionRow(
                "--tls, and trust the certificates of this PEM file, such as the host's own "
                "(default: those that the system trusts)",
                "FILE",
                Path,
            ),
            "--tls-insecure": switch(
                "--tls, and trust ANY server: whoever is between you and the host can pretend to "
                "be it, and read and change everything"
            ),
        },
        is_choice=True,
    ),
)
"""The options from which :func:`tls_of` reads."""


def tls_of(given: argparse.Namespace) -> Tls | None:
    """Return the settings of TLS by the options; None for clear text."""
    if given.tls or given.tls_ca is not None or given.tls_insecure:
        return Tls(given.tls_ca, given.tls_insecure)
    return None


def guest_of(given: argparse.Namespace, name: str) -> Guest:
    """Return the person of this name at the server of the options."""
    host, port = given.server
    chat = DEFAULT_TAUNT_PORT if given.taunt_port is None else given.taunt_port
    return Guest(host, port, name, tls_of(given), password_of(given), chat)


# Tools that read records


def tool_parser(name: str, about: str, epilog: str = "") -> argparse.ArgumentParser:
    """Return a parser for ``hearts-client NAME``."""
    return OneLineParser(
        prog=f"hearts-client {name}",
        description=about,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def record_path(text: str) -> Path:
    """Return a type for argparse: a file or a folder with records, or - for standard input."""
    return Path(text).expanduser()


RECORD = OptionRow(
    "a file with records, such as 'hearts-client --record DIR' keeps or 'hearts-server records "
    "show 7' prints; - for standard input",
    "RECORD",
    record_path,
)
RECORD_OR_LINK = replace(RECORD, help=f"{RECORD.help}; or a link to a hand")

OUTPUT = OptionRow("write to this file instead of the terminal", "FILE", Path)
"""Add the option from which :func:`write_out` reads."""


def write_out(text: str, file: Path | None) -> None:
    """Print a text, or write it to a file. Raises OSError."""
    if file is None:
        print(text, end="", flush=True)
    else:
        file.write_text(text, encoding="utf-8")


def run_tool(name: str, run: Callable[[], int], *, cannot: str = "", output: object = "") -> int:
    """Run a tool; give its exit status.

    If it fails, ``cannot`` says at what, and ``output`` is the file that an error is about if it
    names none.
    """
    try:
        return run()
    except BrokenPipeError:
        # The reader has seen enough; the rest must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_ALL
    except OSError as error:
        complain(name, f"{cannot}{error.filename or output}: {error.strerror}")
    except (UnicodeDecodeError, HeartsError) as error:
        complain(name, str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return FAILED


def run_task(run: Callable[[argparse.Namespace], Awaitable[int]], given: argparse.Namespace) -> int:
    """Run a task on its own, and raise the first of its errors alone."""
    try:
        return trio.run(run, given)
    except BaseExceptionGroup as errors:
        raise next(leaves(errors)) from None


def complain(name: str, what: str) -> None:
    print(f"hearts-client {name}: {what}", file=sys.stderr)
