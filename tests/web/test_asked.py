"""Who asks, and for which page: origins and the headers of reverse proxies."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_web.asked import Asked, address_of, is_own_page

PROXIES = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("2001:db8:1::/48"))
PEER = "10.0.0.1"


def asked(**headers: str) -> Asked:
    pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return Asked("GET", "/game", pairs)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://cards.example:7680", "cards.example:7680"),
        ("http://Cards.Example", "cards.example:80"),
        ("https://cards.example", "cards.example"),
        ("http://[2001:db8::1]:7680", "[2001:DB8::1]:7680"),
        ("https://elsewhere.example:1", "cards.example"),
    ],
)
def test_a_page_of_ones_own(origin: str, host: str) -> None:
    assert is_own_page(asked(origin=origin, host=host), {"https://elsewhere.example:1"})


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("", "cards.example"),
        ("null", "null"),
        ("file://", ""),
        ("http://", ""),
        ("http://evil.example", "cards.example"),
        ("http://cards.example:81", "cards.example"),
        ("http://cards.example.evil.example", "cards.example"),
        ("http://cards.example@evil.example", "cards.example@evil.example"),
        ("http://cards.example/", "cards.example"),
        ("http://cards.example:x", "cards.example:x"),
        ("http://cards.example,http://evil.example", "cards.example"),
        ("ws://cards.example", "cards.example"),
        ("http://[::1", "[::1"),
    ],
)
def test_a_page_of_somebody_else(origin: str, host: str) -> None:
    assert not is_own_page(asked(origin=origin, host=host), ())


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_texts_are_answered(origin: str, host: str) -> None:
    headers = [(b"origin", origin.encode("utf-8")), (b"host", host.encode("utf-8"))]
    is_own_page(Asked("GET", "/", headers), ())


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ({}, PEER),
        ({"x_forwarded_for": "192.0.2.1"}, "192.0.2.1"),
        ({"x_forwarded_for": "198.51.100.66, 192.0.2.1"}, "192.0.2.1"),
        ({"x_forwarded_for": "198.51.100.66, 192.0.2.1, 10.1.2.3"}, "192.0.2.1"),
        ({"x_forwarded_for": "192.0.2.1:50000"}, "192.0.2.1"),
        ({"x_forwarded_for": "::ffff:192.0.2.1"}, "192.0.2.1"),
        ({"x_forwarded_for": "2001:db8:2::1"}, "2001:db8:2::1"),
        ({"x_forwarded_for": "198.51.100.66, nobody"}, PEER),
        ({"x_forwarded_for": "198.51.100.66, nobody, 10.1.2.3"}, "10.1.2.3"),
        ({"forwarded": "for=192.0.2.1;proto=https;by=10.0.0.1"}, "192.0.2.1"),
        ({"forwarded": 'for=198.51.100.66, For="[2001:db8:2::1]:4711"'}, "2001:db8:2::1"),
        ({"forwarded": "for=192.0.2.1", "x_forwarded_for": "198.51.100.66"}, "192.0.2.1"),
        ({"forwarded": "for=_hidden"}, PEER),
        ({"forwarded": "for=fe80::1%eth0"}, PEER),
    ],
)
def test_a_proxy_says_who_asks(headers: dict[str, str], address: str) -> None:
    assert address_of(asked(**headers), PEER, PROXIES) == address
    # Nobody else does.
    assert address_of(asked(**headers), "192.0.2.99", PROXIES) == "192.0.2.99"
    assert address_of(asked(**headers), PEER, ()) == PEER


@given(st.text(max_size=40))
def test_any_word_of_a_proxy_leads_to_an_address(text: str) -> None:
    for name in ("forwarded", "x_forwarded_for"):
        ipaddress.ip_address(address_of(asked(**{name: text}), PEER, PROXIES))
