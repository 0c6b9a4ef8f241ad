"""The taunt protocol, both sides, without input or output (SocketSpec.md section 9).

:class:`ServerSession` is the taunt server's end of one connection, :class:`ClientSession` a
player's, and :class:`Announcer` the game server's, which speaks to every game on one connection.
"""

from .announcer import Announcer
from .client import ChatRefused, ClientEvent, ClientSession, Delivery, Registered
from .messages import (
    TAUNT_LIMIT,
    Status,
    encode_delivery,
    encode_numbers,
    encode_status,
    encode_taunt,
    shorten,
)
from .server import Register, ServerEvent, ServerSession, Taunt, TooLong, Unreadable

__all__ = [
    "TAUNT_LIMIT",
    "Announcer",
    "ChatRefused",
    "ClientEvent",
    "ClientSession",
    "Delivery",
    "Register",
    "Registered",
    "ServerEvent",
    "ServerSession",
    "Status",
    "Taunt",
    "TooLong",
    "Unreadable",
    "encode_delivery",
    "encode_numbers",
    "encode_status",
    "encode_taunt",
    "shorten",
]
