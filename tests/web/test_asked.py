"""Who asks, and for which page: origins and the headers of reverse proxies."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_web.asked import HttpRequest, Proxies, is_own_page

NETWORKS = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("2001:db8:1::/48"))
PEER = "10.0.0.1"


def asked(**headers: str) -> HttpRequest:
    pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return HttpRequest("GET", "/game", pairs)


@pytest.mark.parametrize(
    ("is_own", "origin", "host"),
    [
        (True, "http://cards.example:7680", "cards.example:7680"),
        (True, "http://Cards.Example", "cards.example:80"),
        (True, "https://cards.example", "cards.example"),
        (True, "http://[2001:db8::1]:7680", "[2001:DB8::1]:7680"),
        (True, "https://elsewhere.example:1", "cards.example"),
        (False, "", "cards.example"),
        (False, "null", "null"),
        (False, "file://", ""),
        (False, "http://", ""),
        (False, "http://evil.example", "cards.example"),
        (False, "http://cards.example:81", "cards.example"),
        (False, "http://cards.example.evil.example", "cards.example"),
        (False, "http://cards.example@evil.example", "cards.example@evil.example"),
        (False, "http://cards.example/", "cards.example"),
        (False, "http://cards.example:x", "cards.example:x"),
        (False, "http://cards.example,http://evil.example", "cards.example"),
        (False, "ws://cards.example", "cards.example"),
        (False, "http://[::1", "[::1"),
    ],
)
def test_a_page_of_ones_own_or_of_somebody_else(is_own: bool, origin: str, host: str) -> None:
    more = {"https://elsewhere.example:1"}
    assert is_own_page(asked(origin=origin, host=host), more) is is_own


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_texts_are_answered(origin: str, host: str) -> None:
    headers = [(b"origin", origin.encode("utf-8")), (b"host", host.encode("utf-8"))]
    is_own_page(HttpRequest("GET", "/", headers), ())


@pytest.mark.parametrize(
    ("header", "said", "address"),
    [
        ("x-forwarded-for", [], PEER),
        ("x-forwarded-for", ["192.0.2.1"], "192.0.2.1"),
        ("x-forwarded-for", ["198.51.100.66, 192.0.2.1"], "192.0.2.1"),
        ("x-forwarded-for", ["198.51.100.66, 192.0.2.1, 10.1.2.3"], "192.0.2.1"),
        ("x-forwarded-for", ["198.51.100.66", "192.0.2.1"], "192.0.2.1"),
        ("x-forwarded-for", ["198.51.100.66, 192.0.2.1", "10.1.2.3", "10.1.2.4"], "192.0.2.1"),
        ("x-forwarded-for", ["192.0.2.1:50000"], "192.0.2.1"),
        ("x-forwarded-for", ["::ffff:192.0.2.1"], "192.0.2.1"),
        ("x-forwarded-for", ["2001:db8:2::1"], "2001:db8:2::1"),
        ("x-forwarded-for", ["198.51.100.66, nobody"], PEER),
        ("x-forwarded-for", ["198.51.100.66, nobody, 10.1.2.3"], "10.1.2.3"),
        ("x-real-ip", ["192.0.2.1"], "192.0.2.1"),
        ("forwarded", ["for=192.0.2.1;proto=https;by=10.0.0.1"], "192.0.2.1"),
        ("forwarded", ['for=198.51.100.66, For="[2001:db8:2::1]:4711"'], "2001:db8:2::1"),
        ("forwarded", ["for=198.51.100.66", "for=192.0.2.1, for=10.1.2.3"], "192.0.2.1"),
        ("forwarded", ["for=_hidden"], PEER),
        ("forwarded", ["for=fe80::1%eth0"], PEER),
    ],
)
def test_a_proxy_says_who_asks(header: str, said: list[str], address: str) -> None:
    proxies = Proxies(NETWORKS, header)
    # What a browser says of itself stands in the other headers, and before.
    others = {"forwarded", "x-forwarded-for", "x-real-ip"} - {header}
    lines = [(other.encode(), b"for=203.0.113.5") for other in others]
    lines += [(other.encode(), b"203.0.113.5") for other in others]
    lines += [(header.encode(), line.encode()) for line in said]
    request = HttpRequest("GET", "/game", lines)
    assert proxies.address_of(request, PEER) == address
    # Nobody else does.
    assert proxies.address_of(request, "192.0.2.99") == "192.0.2.99"
    assert Proxies((), header).address_of(request, PEER) == PEER


@given(st.text(max_size=40))
def test_any_word_of_a_proxy_leads_to_an_address(text: str) -> None:
    for header in ("forwarded", "x-forwarded-for"):
        request = HttpRequest("GET", "/game", [(header.encode(), text.encode())])
        ipaddress.ip_address(Proxies(NETWORKS, header).address_of(request, PEER))
