"""The metrics page: the least of an HTTP server that Prometheus is content with.

``GET /metrics`` is answered with the metrics, ``GET /ready`` with 200 if people can play here now
and with 503 if not, ``GET /health`` with 200 as long as the server runs, anything else with an
error, and every answer ends its connection. A request has a limit of bytes and of time and nothing
of it is kept, so a bad peer costs one of few connections for some seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from http import HTTPStatus
from math import inf

import trio
from msgspec import Struct
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from hearts.net import open_listeners
from hearts.net.logline import EventLog
from hearts.settings.table import ConfigError

from .counting import Family, Histogram

log = EventLog(__name__)

REQUEST_LIMIT = 8 * 1024
"""Bytes of a request, up to the empty line that ends it."""
REQUEST_SECONDS = 5.0
"""Time for a request and its answer."""
LINGER = 1.0
"""Seconds for which an answered connection still reads, so that the answer arrives."""
MOST_CONNECTIONS = 16
"""Connections at the same time; further ones are closed at once."""

_PATH = b"/metrics"
_READY, _HEALTH = b"/ready", b"/health"
_PLAIN = "text/plain; charset=utf-8"
_REQUEST_LINE = re.compile(rb"([A-Z]{1,16}) (/[!-~]*) HTTP/1\.[01]")


async def serve_metrics(
    host: str,
    port: int,
    families: Iterable[Family],
    is_ready: Callable[[], bool],
    task_status: trio.TaskStatus[list[trio.SocketListener]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve these metrics, until cancelled; started with the listeners.

    ``is_ready`` says whether people can play here now. Raises ConfigError if the address cannot be
    listened on.
    """
    try:
        listeners = await open_listeners(host, port)
    except OSError as error:
        raise ConfigError(
            f"cannot show metrics on {host or '*'}:{port}: {error.strerror or error}; "
            "choose another --metrics-port or --metrics-host"
        ) from None
    page = MetricsPage(partial(text_of, families), is_ready)
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(trio.serve_listeners, page.serve, listeners))
        task_status.started(listeners)


class MetricsPage(Struct, eq=False):
    """Answers requests, a bounded number of them at a time."""

    render: Callable[[], bytes]
    """Gives the text of the page."""
    is_ready: Callable[[], bool]
    """Says whether people can play here now."""
    count: int = 0

    async def serve(self, stream: trio.abc.HalfCloseableStream) -> None:
        """Own a connection to its end; never raises for what the peer does."""
        if self.count >= MOST_CONNECTIONS:
            await trio.aclose_forcefully(stream)
            return
        self.count += 1
        try:
            async with stream:
                with trio.move_on_after(REQUEST_SECONDS):
                    await stream.send_all(self._answer(await _read_request(stream)))
                    await stream.send_eof()
                    await _read_rest(stream)
        except trio.BrokenResourceError:
            pass
        finally:
            self.count -= 1

    def _answer(self, request: bytes | None) -> bytes:
        match = _REQUEST_LINE.fullmatch(request.partition(b"\r\n")[0]) if request else None
        if match is None:
            return _response(HTTPStatus.BAD_REQUEST, b"this is no HTTP request\n")
        method, target = match.groups()
        path = target.partition(b"?")[0]
        if path not in (_PATH, _READY, _HEALTH):
            return _response(HTTPStatus.NOT_FOUND, b"the metrics are at /metrics\n")
        if method != b"GET":
            more = "Allow: GET\r\n"
            return _response(HTTPStatus.METHOD_NOT_ALLOWED, b"only GET is allowed\n", more=more)
        if path == _HEALTH:
            return _response(HTTPStatus.OK, b"the server runs\n")
        if path == _READY:
            if self.is_ready():
                return _response(HTTPStatus.OK, b"people can play here\n")
            return _response(HTTPStatus.SERVICE_UNAVAILABLE, b"nobody can play here now\n")
        try:
            body = self.render()
        except Exception:
            log.exception("metrics-failed")
            return _response(HTTPStatus.INTERNAL_SERVER_ERROR, b"an internal error\n")
        return _response(HTTPStatus.OK, body, kind=CONTENT_TYPE)


def _response(status: HTTPStatus, body: bytes, *, kind: str = _PLAIN, more: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\n"
        f"Content-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"{more}"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body


async def _read_request(stream: trio.abc.ReceiveStream) -> bytes | None:
    """Return a request up to the end of its head; None if it has none within the limit."""
    read = bytearray()
    while b"\r\n\r\n" not in read:
        if len(read) > REQUEST_LIMIT:
            return None
        data = await stream.receive_some(REQUEST_LIMIT)
        if not data:
            return None
        read += data
    return bytes(read)


async def _read_rest(stream: trio.abc.ReceiveStream) -> None:
    # A connection that is closed with bytes unread is reset, and the answer with it.
    with trio.move_on_after(LINGER):
        while await stream.receive_some(REQUEST_LIMIT):
            pass


# The figures as Prometheus reads them


def text_of(families: Iterable[Family]) -> bytes:
    return generate_latest(_FiguresCollector(families))


class _FiguresCollector(Struct, eq=False):
    """The collector that the library asks for the figures, each time that somebody looks."""

    families: Iterable[Family]

    def collect(self) -> Iterator[Metric]:
        """Every metric, without those that have no value."""
        for family in self.families:
            made = _metric(family)
            if made.samples:
                yield made


def _metric(family: Family) -> Metric:
    series = family.series
    if isinstance(series, Histogram):
        counts = series.counts()
        buckets = [("+Inf" if bound == inf else str(bound), count) for bound, count in counts]
        return HistogramMetricFamily(family.name, family.text, buckets, series.sum)
    kind = CounterMetricFamily if family.name.endswith("_total") else GaugeMetricFamily
    names = [name for name, _ in next(iter(series))]
    made = kind(family.name, family.text, labels=names)
    for labels, one in series.items():
        value = one.read()
        if value is not None:
            made.add_metric([text for _, text in labels], value)
    return made
