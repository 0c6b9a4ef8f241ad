"""The answers to a browser's requests over HTTP, until it leaves or wants a WebSocket."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from http import HTTPStatus

import trio
from msgspec import Struct

from hearts.limits.work import Work
from hearts.net import Link
from hearts.net.places import connect_to

from .answers import METHODS, NAME_IT, HttpAnswer, answer_to, refusal
from .asked import Hosts, HttpRequest, Proxies, is_own_page
from .asking import Asker
from .files import File
from .http_side import BadRequest, HttpSide, handshake_fault
from .relay import CONNECT_LIMIT, GAME, Backend

ANSWER_LIMIT = 60.0
"""Seconds in which an answer must be taken."""
REQUEST_WORK = 300
"""Microseconds of work that a request is, about."""
_READY = "/ready"
_CHECKS = "/health", _READY
"""Paths that a balancer asks for, by whatever name of this host."""
_PIECE = 16 * 1024
"""Bytes of a file that wait for a browser at most."""


class Site(Struct, frozen=True):
    """The page, the servers behind it, and the hosts and pages that may ask for them."""

    files: Mapping[str, File]
    backends: Mapping[str, Backend]
    """By the path of a WebSocket, such as ``/game``."""
    hosts: Hosts = Hosts()
    origins: Collection[str] = ()
    """Pages of these origins may play here too, such as ``https://cards.example``."""
    proxies: Proxies = Proxies()
    is_secure: bool = False
    """True if browsers ask over https."""


class OpenSocket(Struct, frozen=True):
    """A WebSocket that a browser has been promised."""

    path: str
    address: str
    """The address that it is for: the peer, or the client that a reverse proxy speaks for."""
    data: bytes
    """The bytes that have come by it already."""


async def converse(
    link: Link, peer: str, site: Site, work: Work | None, asker: Asker
) -> OpenSocket | None:
    """Answer the requests of a connection; None when it is over.

    A peer that is too slow, with a request or with taking an answer, is given up. One that asks
    for more than ``work`` allows waits.
    """
    # A handshake of TLS has its own time.
    if not await link.ready():
        return None
    http = HttpSide(is_secure=site.is_secure)
    while not http.is_over and not link.ending:
        try:
            with asker.request() as waiting:
                asked = await _next_request(link, http)
            asker.asking.crowd.move(asker)
            if waiting.cancelled_caught or asked is None:
                break
            if asked.path in _CHECKS:
                answer = await _checked(asked, site)
            elif asked.all("host") not in site.hosts:
                answer = refusal(HTTPStatus.MISDIRECTED_REQUEST, hint=NAME_IT)
            elif asked.path not in site.backends:
                answer = answer_to(asked, site.files)
            elif (fault := handshake_fault(asked)) is not None:
                answer = fault
            elif not is_own_page(asked, site.origins):
                answer = refusal(HTTPStatus.FORBIDDEN)
            else:
                head, data = http.switch(asked)
                link.write(head)
                link.flush()
                return OpenSocket(asked.path, site.proxies.address_of(asked, peer), data)
        except BadRequest as error:
            answer = refusal(error.status)
        await _send(link, http, answer)
        if work is not None:
            await trio.sleep(work.spend(REQUEST_WORK, trio.current_time()))
    return None


async def _checked(asked: HttpRequest, site: Site) -> HttpAnswer:
    """Answer ``/health``, that this program runs, or ``/ready``, that the game can be reached."""
    if asked.method not in METHODS:
        return refusal(HTTPStatus.METHOD_NOT_ALLOWED, ("allow", ", ".join(METHODS)))
    if asked.path == _READY:
        try:
            with trio.fail_after(CONNECT_LIMIT):
                stream = await connect_to(site.backends[GAME].where)
        except (OSError, trio.TooSlowError):
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE)
        await trio.aclose_forcefully(stream)
    return refusal(HTTPStatus.OK)


async def _next_request(link: Link, http: HttpSide) -> HttpRequest | None:
    while (asked := http.next_request()) is None:
        data = await link.read()
        if not data:
            return None
        http.feed(data)
    return asked


async def _send(link: Link, http: HttpSide, answer: HttpAnswer) -> None:
    with trio.move_on_after(ANSWER_LIMIT) as sending:
        link.write(http.answer(answer))
        for start in range(0, len(answer.body), _PIECE):
            link.write(answer.body[start : start + _PIECE])
            link.flush()
            await link.wait_sent(0)
        link.flush()
        http.answered(answer)
    if sending.cancelled_caught:
        link.abort("too slow in taking an answer")
