"""The host names that a certificate is for, which no public function of ``ssl`` tells of one's own.

Only as much of DER is read as that takes. The certificate is ours, and OpenSSL has taken it.
"""

from __future__ import annotations

_ALT_NAMES = bytes.fromhex("06 03 55 1d 11")
"""The object identifier of the extension subjectAltName."""
_CRITICAL = bytes.fromhex("01 01 ff")
_DNS_NAME = 0x82
_LONG = 0x80
"""In the first byte of a size: the others say how many bytes the size has."""


def certified_names(certificate: bytes) -> frozenset[str]:
    """The DNS names in a certificate (DER), in lower case, such as ``*.example.org``."""
    extension = certificate.partition(_ALT_NAMES)[2].removeprefix(_CRITICAL)
    # An octet string with a sequence in it.
    octets = _next(extension)[1]
    rest = _next(octets)[1]
    names = set()
    while rest:
        tag, content, rest = _next(rest)
        if tag == _DNS_NAME:
            names.add(content.decode("ascii", "replace").lower())
    return frozenset(names)


def _next(data: bytes) -> tuple[int, bytes, bytes]:
    """The tag and the content of the first value, and what follows it."""
    if len(data) < 2:
        return 0, b"", b""
    tag, size, start = data[0], data[1], 2
    if size & _LONG:
        start += size & ~_LONG
        size = int.from_bytes(data[2:start])
    return tag, data[start : start + size], data[start + size :]
