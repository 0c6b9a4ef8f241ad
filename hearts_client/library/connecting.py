"""Connecting to a game server as a player."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from hearts.game.deal import NO_CUTS
from hearts.session.client_registration import NameProver, RegistrationRequest
from hearts.session.messages import Options
from hearts.session.resume_token import ResumeToken
from hearts.session.table_words import Introduction

from .addresses import Addresses
from .client import DEFAULT_PORT, Client
from .dialects import Dialect, sessions
from .reach import Tls
from .retries import RETRY_LIMIT, Retries


@asynccontextmanager
async def connect(
    host: str,
    port: int = DEFAULT_PORT,
    *,
    name: str = "",
    table: str = "",
    options: Options | None = None,
    password: str = "",
    list_only: bool = False,
    details_first: str | None = None,
    look: str = "",
    greeting: bool = False,
    visitor: bytes = b"",
    prover: NameProver | None = None,
    tls: Tls | None = None,
    come_back: ResumeToken | None = None,
    retry_limit: float = RETRY_LIMIT,
    dialect: Dialect = Dialect.PLAIN,
    introduction: Introduction | None = None,
    first_cuts: bytes = NO_CUTS,
) -> AsyncIterator[Client]:
    """Connect a client; the registration runs when it is iterated over.

    ``host`` may be several with commas, of which one plays and the others stand by. A connection
    that says nothing for some seconds is kept while the others are asked.

    ``table`` is a public table to join, or a private one to join or open. ``options`` are wishes
    for the table, which count if this client opens it. With ``list_only`` the only event is the
    public tables, with what is played there if ``details_first`` is the name of a table or empty:
    one registration asks about few of them, and that one goes first. With ``look`` the only event
    describes the table of that name. With ``greeting`` the words of the server come as notices, or
    with the tables; with ``visitor``, a token, those about the deal of the day. ``prover`` proves
    that the name is the player's. ``tls`` is for a server that speaks TLS. With ``come_back`` the
    client takes its seat again, and nothing of what is above but ``tls`` counts.

    In the dealer dialect the events of the plain one come, and more of them, with ``introduction``
    as the player's own words about themselves. ``first_cuts`` are the 32 bytes of a first deal that
    the player has chosen, so that its cuts are no surprise.

    A connection that is lost while the table plays is made anew, again and again, until that has
    failed for ``retry_limit`` seconds; 0 for never.

    Raises CannotConnect, and LocalProtocolError for a name that cannot be sent.
    """
    if come_back is not None:
        request = RegistrationRequest.to_come_back(come_back)
    else:
        process_id = secrets.randbelow(1 << 31)  # Half of the proof of a seat.
        request = RegistrationRequest(
            name, process_id, password, table, options, list_only, details_first, look,
            greeting=greeting, visitor=visitor, prover=prover,
        )  # fmt: skip
    own_cuts = None if come_back is None else come_back.cuts
    open_session = sessions(dialect, introduction, first_cuts, own_cuts)
    open_session(request)  # A bad name is found before anybody is called.

    addresses = Addresses(host, port, tls)
    stream, retries = await addresses.dial(), Retries(retry_limit)
    client = Client(stream, request, addresses.dial, retries, open_session, addresses)
    try:
        yield client
    finally:
        await client.aclose()
