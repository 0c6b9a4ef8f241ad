"""The names under which the page is served."""

from __future__ import annotations

import shutil
import socket
import ssl
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from hearts.net import Certificate, client_tls
from hearts.net.tls import certified_names
from hearts.settings.table import ConfigError
from hearts_web.asked import Hosts, own_names
from hearts_web.command import run
from hearts_web.options import parse_arguments

CERTIFICATES = Path(__file__).parents[1] / "certificates"
HOSTS = Hosts({"cards.example", "*.club.example"})


SERVED = (
    "127.0.0.1", "127.0.0.1:7680", "192.0.2.17:80", "[::1]:7680", "[2001:DB8::1]",
    "localhost", "localhost:7680", "LOCALHOST.", "bobs-laptop:7680", "page",
    "raspberrypi.local:7680", "nas.home.arpa", "hearts.internal",
    "cards.example", "Cards.Example.:443", "north.club.example",
)  # fmt: skip
OTHERS = (
    "", ":7680", ".", "evil.example", "evil.example:7680", "cards.example.evil.example",
    "evil.cards.example", "club.example", "a.b.club.example", "evillocal.example",
    "127.0.0.1.evil.example", "127.0.0.1@evil.example", "evil.example/localhost",
    "evil.example, localhost", "[evil.example]", "1.2.3.4.5", "1.2.3.256",
)  # fmt: skip


def test_only_names_of_ours_are_served() -> None:
    assert [host for host in SERVED + OTHERS if host in HOSTS] == list(SERVED)


async def test_this_machine_by_its_own_names() -> None:
    assert socket.gethostname() in Hosts(await own_names())


@pytest.mark.parametrize(
    ("file", "name"), [("elsewhere", "hearts.example"), ("house", "localhost")]
)
def test_the_names_of_a_certificate(file: str, name: str) -> None:
    pem = (CERTIFICATES / f"{file}.pem").read_text()
    assert certified_names(ssl.PEM_cert_to_DER_cert(pem)) == {name}


async def test_a_renewed_certificate(tmp_path: Path) -> None:
    def take(name: str) -> None:
        for suffix in ("pem", "key"):
            shutil.copy(CERTIFICATES / f"{name}.{suffix}", tmp_path / f"own.{suffix}")

    take("house")
    certificate = Certificate(tmp_path / "own.pem", tmp_path / "own.key")
    hosts = Hosts((), certificate)
    assert "hearts.example:7680" not in hosts
    take("elsewhere")
    await certificate.renew()
    assert "hearts.example:7680" in hosts


@given(st.binary(max_size=60))
def test_any_certificate_has_names_or_none(data: bytes) -> None:
    certified_names(bytes.fromhex("0603551d11") + data)


def test_the_names_of_settings() -> None:
    config = parse_arguments(
        ["--host", "Page.Example", "--name", "*.club.example", "--origin", "https://cards.example"]
    )
    hosts = Hosts(config.names)
    for host in ("page.example", "a.club.example:1", "cards.example"):
        assert host in hosts
    for wrong in ("https://cards.example", "a b", "*", "cards.*", ""):
        with pytest.raises(ConfigError, match="give a name"):
            parse_arguments(["--name", wrong])


def test_a_proxy_is_believed_only_with_the_origin_that_it_is_seen_at() -> None:
    with pytest.raises(ConfigError, match="--forwarded-from needs --origin"):
        parse_arguments(["--forwarded-from", "127.0.0.1"])
    more = ("--origin", "https://cards.example")
    config = parse_arguments(["--forwarded-from", "127.0.0.1", *more])
    assert config.forwarded_header == "x-forwarded-for"
    config = parse_arguments(["--forwarded-header", "Forwarded", *more])
    assert config.forwarded_header == "forwarded"
    with pytest.raises(ConfigError, match="give the name of a header"):
        parse_arguments(["--forwarded-header", "for: x"])


@pytest.mark.parametrize(
    ("options", "is_sent"),
    [((), False), (("--origin", "https://cards.example"), True), (("--tls",), True)],
)
async def test_openers_are_cut_off_where_browsers_ask_over_https(
    options: tuple[str, ...], *, is_sent: bool
) -> None:
    """Elsewhere browsers ignore the header, and complain of it in each console."""
    tls = None
    if options == ("--tls",):
        tls, options = Certificate(CERTIFICATES / "house.pem", CERTIFICATES / "house.key"), ()
    config = parse_arguments(["--host", "127.0.0.1", "--port", "0", *options])
    lines: list[str] = []
    async with trio.open_nursery() as nursery:
        await nursery.start(run, config, {}, tls, lines.append)
        clear = await trio.open_tcp_stream("127.0.0.1", int(lines[0].rpartition(":")[2]))
        context = client_tls(CERTIFICATES / "house.pem", insecure=False)
        secure = trio.SSLStream(clear, context, server_hostname="localhost")
        stream: trio.abc.Stream = secure if tls else clear
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = (await stream.receive_some()).lower()
        await trio.aclose_forcefully(clear)
        nursery.cancel_scope.cancel()
    assert answer.startswith(b"http/1.1 404 ")
    assert (b"\r\ncross-origin-opener-policy: same-origin\r\n" in answer) is is_sent
