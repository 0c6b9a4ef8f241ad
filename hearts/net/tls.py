"""TLS: a server's certificate, a client's trust, and a connection that is encrypted."""

from __future__ import annotations

import contextlib
import ssl
from pathlib import Path
from typing import NoReturn

import trio

from hearts.errors import HeartsError
from hearts.settings.table import ConfigError

from .logline import EventLog
from .sockets import SocketLink

HANDSHAKE_LIMIT = 10.0
"""Seconds from connecting to the end of the TLS handshake."""
RENEWAL_CHECK = 60.0
"""Seconds between two looks whether the certificate's files have changed."""

# A fatal alert (internal_error) as TLS writes it. It tells a client without TLS what it met.
_ALERT = bytes.fromhex("15 03 03 00 02 02 50")
_PIECE = 16384
_ALT_NAMES = bytes.fromhex("06 03 55 1d 11")
"""The object identifier of the extension subjectAltName."""
_CRITICAL = bytes.fromhex("01 01 ff")
_DNS_NAME = 0x82
_LONG = 0x80
"""In the first byte of a size: the others say how many bytes the size has."""

log = EventLog(__name__)


class TlsError(HeartsError):
    """Files that TLS cannot use, or a peer that is not the right one; the text says which."""


def server_tls(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS 1.2 and later for a server, with a certificate (chain) and its key from PEM files.

    Raises TlsError if they cannot be read, are no PEM files or do not belong together.
    """
    _check_pem(certificate, b"CERTIFICATE-----", "certificate")
    _check_pem(key, b"PRIVATE KEY-----", "private key")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_TICKET
    # A session lasts for hours; tickets to resume one are of no use.
    context.num_tickets = 0

    def no_password() -> NoReturn:
        raise TlsError(f"the key {key} has a password; give a key without one")

    try:
        context.load_cert_chain(certificate, key, no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            why = f"the key {key} does not belong to the certificate {certificate}"
        else:
            why = f"cannot use the certificate {certificate} with the key {key}: {_reason(error)}"
        raise TlsError(why) from None
    except OSError as error:
        raise TlsError(f"cannot read {certificate} or {key}: {error.strerror}") from None
    return context


def client_tls(ca: Path | None, insecure: bool) -> ssl.SSLContext:
    """TLS 1.2 and later for a client, which trusts the system's certificate authorities.

    With ``ca``, a PEM file, it trusts the certificates in it instead, be they an authority's or
    the server's own. ``insecure`` trusts everybody: somebody on the way can then read and change
    all that is said. Raises TlsError if the file cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif ca is None:
        context.load_default_certs()
    else:
        _check_pem(ca, b"CERTIFICATE-----", "certificate")
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        try:
            context.load_verify_locations(ca)
        except ssl.SSLError as error:
            raise TlsError(f"cannot use the certificates of {ca}: {_reason(error)}") from None
    return context


async def connect_to_own(host: str, port: int, certificate: Path) -> trio.abc.Stream:
    """Connect to a server that shows the very certificate of a PEM file, the first in it.

    For two servers of one host. The certificate is in the name under which players know the host,
    and may be signed by anybody; between the two it is the possession of its key that counts.
    Raises TlsError, OSError, or trio.BrokenResourceError if the server does not speak TLS.
    """
    own = await trio.to_thread.run_sync(_first_certificate, certificate)
    stream = trio.SSLStream(await trio.open_tcp_stream(host, port), client_tls(None, insecure=True))
    try:
        await stream.do_handshake()
        if stream.getpeercert(binary_form=True) != own:
            raise TlsError(f"the server has another certificate than {certificate}")
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    return stream


class Certificate:
    """A server's certificate and key, read again when their files are renewed."""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Raises TlsError as :func:`server_tls` does."""
        self._files = certificate, key
        self._stamp = self._look()
        self._read()

    @classmethod
    def of_settings(cls, certificate: Path | None, key: Path | None) -> Certificate | None:
        """Read what ``--tls-cert`` and ``--tls-key`` name, if anything. Raises ConfigError."""
        if certificate is None or key is None:
            return None
        try:
            return cls(certificate, key)
        except TlsError as error:
            raise ConfigError(f"{error}; check --tls-cert and --tls-key") from None

    def _read(self) -> None:
        self.context = server_tls(*self._files)
        """For connections that come now."""
        self.names = certified_names(_first_certificate(self._files[0]))
        """The host names that it is for."""

    async def watch(self, every: float = RENEWAL_CHECK) -> None:
        """Look for renewed files until cancelled; files that cannot be used change nothing."""
        while True:
            await trio.sleep(every)
            await self.renew()

    async def renew(self) -> None:
        """Read the files again if they have changed."""
        try:
            stamp = await trio.to_thread.run_sync(self._look)
            if stamp != self._stamp:
                await trio.to_thread.run_sync(self._read)
                self._stamp = stamp
                log.info("certificate-renewed", file=self._files[0])
        except TlsError as error:
            log.error("certificate-not-renewed", why=error)

    def _look(self) -> list[tuple[int, int, int]]:
        try:
            looks = [file.stat() for file in self._files]
        except OSError as error:
            raise TlsError(f"cannot read {error.filename}: {error.strerror}") from None
        return [(look.st_mtime_ns, look.st_ino, look.st_size) for look in looks]


class TlsLink(SocketLink):
    """A TCP connection with TLS, the server's side of it.

    The handshake is a part of the first read, and so of the connection's own task. What is written
    before it is over waits for it.
    """

    def __init__(
        self, stream: trio.SocketStream, nursery: trio.Nursery, context: ssl.SSLContext
    ) -> None:
        """Takes the socket out of ``stream``, which is of no use afterwards."""
        super().__init__(stream, nursery)
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._deadline = trio.current_time() + HANDSHAKE_LIMIT
        self._answered = False
        self._open = False
        self._over = False

    async def ready(self) -> bool:
        try:
            return self._open or await self._shake_hands()
        except OSError as error:
            self.why_lost = self.why_lost or f"receiving failed: {error}"
            return False

    def flush(self) -> None:
        if self._open:
            super().flush()

    def _push(self, data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[self._tls.write(view) :]
        except ssl.SSLError as error:
            self.abort(f"sending failed: {_reason(error)}")
            return
        self._push_encrypted()

    def _push_encrypted(self) -> None:
        if self._outgoing.pending:
            self._answered = True
            super()._push(self._outgoing.read())

    def _finish(self) -> None:
        # Before the handshake nothing can be said, not even goodbye; its end brings us here again.
        if self._open:
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()
            self._push_encrypted()
            super()._finish()

    async def _receive(self) -> bytes:
        if self._over or not (self._open or await self._shake_hands()):
            return b""
        while not (plain := self._decrypt()) and not self._over:
            self._feed(await super()._receive())
        return plain

    def _receive_now(self) -> bytes:
        data = super()._receive_now()
        if not data or not self._open:
            return b""
        self._feed(data)
        try:
            return self._decrypt()
        except ssl.SSLError as error:
            self.abort(f"receiving failed: {_reason(error)}")
            return b""

    def _feed(self, data: bytes) -> None:
        if data:
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    def _decrypt(self) -> bytes:
        pieces = []
        try:
            while piece := self._tls.read(_PIECE):
                pieces.append(piece)
            self._over = True
        except ssl.SSLWantReadError:
            pass
        # The protocols above say themselves when they are over: a connection that just ends is
        # no more of a surprise than one that says so.
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            self._over = True
        if not self.ending:
            self._push_encrypted()
        return b"".join(pieces)

    async def _shake_hands(self) -> bool:
        try:
            with trio.fail_at(self._deadline):
                while not self._try_handshake():
                    data = await super()._receive()
                    if not data:
                        return self._give_up("ended in the TLS handshake")
                    self._incoming.write(data)
        except trio.TooSlowError:
            return self._give_up(f"no TLS handshake within {HANDSHAKE_LIMIT:g} s")
        except ssl.SSLError as error:
            return self._give_up(f"no TLS handshake: {_reason(error)}")
        self._open = True
        self.flush()
        if self.ending:
            self._finish()
        return True

    def _try_handshake(self) -> bool:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        finally:
            self._push_encrypted()
        return True

    def _give_up(self, why: str) -> bool:
        self._over = True
        self.why_lost = self.why_lost or why
        if not self._answered:
            with contextlib.suppress(OSError):
                self._send_now(_ALERT)
        return False


def _check_pem(file: Path, mark: bytes, what: str) -> None:
    try:
        found = mark in file.read_bytes()
    except OSError as error:
        raise TlsError(f"cannot read {file}: {error.strerror}") from None
    if not found:
        raise TlsError(f"{file} is no PEM file with a {what}")


def _first_certificate(file: Path) -> bytes:
    _check_pem(file, b"CERTIFICATE-----", "certificate")
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    body = file.read_text(encoding="latin-1").partition(begin)[2].partition(end)[0]
    return ssl.PEM_cert_to_DER_cert(begin + body + end)


def _reason(error: ssl.SSLError) -> str:
    return error.reason.replace("_", " ").lower() if error.reason else str(error)


def certified_names(certificate: bytes) -> frozenset[str]:
    """Read the DNS names in a certificate (DER), in lower case, such as ``*.example.org``.

    No public function of ``ssl`` tells the names of one's own certificate. Only the parts of DER
    that it needs are read, because the certificate is ours and OpenSSL has accepted it.
    """
    extension = certificate.partition(_ALT_NAMES)[2].removeprefix(_CRITICAL)
    # An octet string with a sequence in it.
    octets = _next_value(extension)[1]
    rest = _next_value(octets)[1]
    names = set()
    while rest:
        tag, content, rest = _next_value(rest)
        if tag == _DNS_NAME:
            names.add(content.decode("ascii", "replace").lower())
    return frozenset(names)


def _next_value(data: bytes) -> tuple[int, bytes, bytes]:
    """Return the tag and the content of the first value, and the rest of the data."""
    if len(data) < 2:
        return 0, b"", b""
    tag, size, start = data[0], data[1], 2
    if size & _LONG:
        start += size & ~_LONG
        size = int.from_bytes(data[2:start])
    return tag, data[start : start + size], data[start + size :]
