"""The programs that a server starts: what serves the page for browsers, and the taunt server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hearts.settings.readers import place_text
from hearts.settings.table import option, rows
from hearts_server.children.web_process import WebProcess, can_run
from hearts_server.config import Config

NO_PAGE = "no page to play on in a browser"


def web_process(
    config: Config, seats: Callable[[], Iterable[str]], say: Callable[[str], None]
) -> WebProcess | None:
    """The process that serves the page for browsers, if it is wanted and can be had.

    ``seats`` gives the networks of the people who have seats.
    """
    if config.no_web:
        return None
    if not can_run():
        say(f"{NO_PAGE}: pip install '.[web]' in a copy of the repository; or say --no-web")
        return None
    try:
        return WebProcess(
            config.data_dir,
            config.web_address,
            config.web_port,
            seats,
            has_chat=not config.no_taunt_server,
            options=web_options(config),
        )
    except OSError as error:
        say(f"{NO_PAGE}: {error}")
        return None


def web_options(config: Config) -> list[str]:
    """The settings of the gateway that follow from the server's own."""
    return [
        *_child_options(config, "web"),
        *("--max-websockets", str(min(2 * config.max_connections, 100_000))),
        # A page has two connections, and some more while it loads.
        *("--max-per-address", str(4 * config.max_per_address)),
    ]


def taunt_options(config: Config) -> list[str]:
    """The settings of the taunt server that follow from the server's own."""
    limits = config.connections
    wider = (limits.ipv4[1], *limits.ipv6[1:])
    return [
        *_child_options(config, "taunt"),
        *("--max-connections", str(min(config.max_connections, 100_000))),
        *("--max-per-address", str(config.max_per_address)),
        *("--max-per-network", ",".join(str(limit) for limit in wider)),
    ]


def _child_options(config: Config, child: str) -> list[str]:
    """The options with which a child has what the server has itself."""
    options = []
    for name, row in rows(Config).items():
        if child in row.children:
            match getattr(config, name):
                case None:
                    texts: Sequence[str] = ()
                case (str(), int()) as place:
                    texts = (place_text(place),)
                case tuple() as several:
                    texts = several
                case value:
                    texts = (str(value),)
            for text in texts:
                options += [option(name.removeprefix(f"{child}_")), text]
    return options
