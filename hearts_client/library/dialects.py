"""The two dialects of the game port behind one face: what a connection takes and gives."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from enum import Enum
from functools import partial

from hearts.dealer.client import DealerSession
from hearts.dealer.deal_verifier import DealVerifier
from hearts.game.deal import NO_CUTS
from hearts.plain.client import PlainSession
from hearts.session.client_registration import RegistrationRequest
from hearts.session.own_cuts import KEY_BYTES, OwnCuts
from hearts.session.picture import Picture
from hearts.session.table_words import Introduction


class Dialect(Enum):
    """The dialects of the game port; the value is the word of the command line."""

    PLAIN = "plain"
    """The bytes of 1999 (SocketSpec.md sections 3 to 5)."""
    DEALER = "dealer"
    """Frames that say more: clocks, legal cards, the other players, proofs (section 14)."""


PlayerSide = PlainSession | DealerSession
"""A connection of a player without input or output: bytes and choices in, events and bytes out."""
OpenSession = Callable[[RegistrationRequest], PlayerSide]
"""Begins the session of a connection. Raises LocalProtocolError for what cannot be sent."""


def sessions(
    dialect: Dialect,
    introduction: Introduction | None = None,
    first_cuts: bytes = NO_CUTS,
    own_cuts: OwnCuts | None = None,
) -> OpenSession:
    """Make a function that begins the session of each connection where the last one has ended.

    ``introduction`` describes the player, and tells whether each deal is to be cut; the plain
    dialect has no words for that. ``first_cuts`` are those of a first deal that the player has
    chosen. ``own_cuts`` are those of a session that the player comes back to.
    """
    picture = Picture()
    if dialect is Dialect.PLAIN:
        return partial(PlainSession, picture=picture)
    who = introduction if introduction is not None else Introduction()
    own = own_cuts or OwnCuts(secrets.token_bytes(KEY_BYTES))
    deals = DealVerifier(own if who.cuts else None, first_cuts)
    return partial(DealerSession, introduction=who, deals=deals, picture=picture)
