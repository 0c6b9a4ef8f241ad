"""Placing by the lobby of a club: some node gets each complete table, and its people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import trio

from hearts.hosting.client import ConnectionEnd
from hearts.hosting.handing_on import hand_on
from hearts.hosting.registrar import BegunElsewhere
from hearts.hosting.store import Session
from hearts.net import Link
from hearts.net.logline import EventLog
from hearts.session.messages import Refusal
from hearts.session.registration import RegistrationEnded
from hearts_server.cluster.led import Led
from hearts_server.cluster.letters import Letter, SeatedElsewhere
from hearts_server.cluster.shared import SharedJournal
from hearts_server.lobby.forming import FormingTable, Sitter

from .tables import ClubTables

log = EventLog(__name__)


class Placing:
    """Gives tables that are complete to nodes, and leads people to them."""

    def __init__(
        self,
        life: int,
        tables: ClubTables,
        journal: SharedJournal,
        new_session: Callable[[FormingTable], Session],
    ) -> None:
        """``life`` is the own one."""
        self._life = life
        self._tables = tables
        self._journal = journal
        self._new_session = new_session
        self._unstored: dict[int, list[Sitter]] = {}

    def place(self, forming: FormingTable) -> None:
        """Have a complete table played. Raises OSError."""
        session = self._new_session(forming)
        number = session.game_number
        sitters = [each for each in forming.sitters if each is not None]
        links = [each.client.link for each in sitters]
        doors = [link.door for link in links if isinstance(link, Led)]
        owner = self._tables.node_for(doors, self._life, trio.current_time())
        self._tables.place(session, owner)
        self._unstored[number] = sitters
        log.info("table-placed", game=number, life=owner)
        # Nobody hears of a session that a crash could make unheard of.
        self._journal.begin_for(owner, session, partial(self._stored, number, owner))

    def _stored(self, number: int, owner: int) -> None:
        self._tables.stored(number, trio.current_time())
        for sitter in self._unstored.pop(number, ()):
            client = sitter.client
            if isinstance(client.link, Led) and not client.link.ending:
                client.outcome = ConnectionEnd.FINISHED
                client.link.lead(
                    Letter(number, owner, SeatedElsewhere(sitter.player, hand_on(client)))
                )

    def refused(self, number: int) -> None:
        """A session cannot be stored whatever is tried."""
        why = RegistrationEnded(Refusal.SERVER_FULL, "the table cannot be stored")
        if number in self._unstored:
            self._tables.refused(number)
        for sitter in self._unstored.pop(number, ()):
            sitter.client.refuse(why)

    def lead(self, link: Link, game_number: int, begun: BegunElsewhere) -> None:
        """Lead a client to whoever plays a game."""
        assert isinstance(link, Led)
        owner = self._tables.owner(game_number) or self._life
        link.lead(Letter(game_number, owner, begun))
