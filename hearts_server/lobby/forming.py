"""A table that waits for its players, and the sitters that it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

import trio
from msgspec import Struct, field

from hearts.errors import RemoteProtocolError
from hearts.game.cards import four
from hearts.hosting.hosted_client import HostedClient
from hearts.session.messages import HOSTS_LEVELS, Options, Refusal
from hearts.session.registration import RegistrationEnded
from hearts.session.table_words import (
    Beside,
    PlayerInfo,
    RegisterOpponents,
    TableMessage,
    Waiting,
    computer,
    description,
    nobody,
    person,
)
from hearts.table.inputs import Setting


class Sitter(Struct, eq=False):
    """A connection that holds a seat of a forming table."""

    client: HostedClient
    table: FormingTable
    player: int
    since: float
    """The time at which it was given the seat."""
    name: str = ""
    process_id: int = 0
    registered: bool = False
    evicted: RegistrationEnded | None = None
    """The reason that the seat was taken away, to be told in place of the next reply."""

    @property
    def is_given_away(self) -> bool:
        return self.evicted is not None and self.evicted.refusal is Refusal.TABLE_TAKEN

    def check_seated(self) -> None:
        if self.evicted is not None:
            raise self.evicted


class FormingTable(Struct, eq=False):
    """A table that waits for its players."""

    name: str
    private: bool
    computer_names: Sequence[str]
    """The names of the computers, in the order of their seats."""
    opener: str
    """The narrowest network of the player who opened it."""
    sitters: list[Sitter | None] = field(default_factory=lambda: [None] * 4)
    arrived: list[Sitter] = field(default_factory=list)
    """The players who have registered, in the order in which they came."""
    founder: Sitter | None = None
    """The opener of a private table, who may send others away; nobody inherits that."""
    rivals: list[Sitter] = field(default_factory=list)
    """Sitters who share a seat with one who does not register; the first to register has it."""
    computers: set[int] = field(default_factory=set)
    levels: list[int] = field(default_factory=lambda: list(HOSTS_LEVELS))
    """The levels of the computers in seats 0-3; 0 for the host's own."""
    options: Options = field(default_factory=Options)
    opened: bool = False
    """True if a player 0 has registered, so that the options are settled."""
    opened_at: float = 0.0
    holding: bool = True
    """True if newcomers wait for the player 0 who is registering."""
    settled: trio.Event = field(default_factory=trio.Event)
    """Set when it is opened or gone."""
    fill_clock: trio.CancelScope = field(default_factory=trio.CancelScope)
    """The time until computers take the free seats; cancelled when the table is gone."""

    @property
    def free_seats(self) -> list[int]:
        return [
            player
            for player in range(4)
            if self.sitters[player] is None and player not in self.computers
        ]

    @property
    def client_count(self) -> int:
        return sum(self.person(player) is not None for player in range(4))

    def person(self, player: int) -> Sitter | None:
        """Return the sitter who has registered for a seat; None if nobody has."""
        sitter = self.sitters[player]
        return sitter if sitter is not None and sitter.registered else None

    @property
    def opener_player(self) -> int | None:
        """The player who may start it with computers; None if nobody is there.

        It is the one who has been there the longest, of those whose clients have a word for it if
        there are any.
        """
        with_words = (s for s in self.arrived if s.client.speaks_dealer)
        opener = next(with_words, next(iter(self.arrived), None))
        return None if opener is None else opener.player

    @property
    def unregistered(self) -> list[Sitter]:
        """The sitters who hold or share a seat and have not registered."""
        seated = [sitter for sitter in self.sitters if sitter is not None]
        return [sitter for sitter in seated + self.rivals if not sitter.registered]

    def yields_at(self, player: int, sees: Callable[[Sitter], float]) -> float:
        """Tell when a seat that is taken is given to somebody else as well; ``inf`` for never.

        ``sees`` says until when a sitter who has not registered is in the way.
        """
        holders = [holder for holder in self.sitters + self.rivals if holder is not None]
        holders = [holder for holder in holders if holder.player == player]
        if not holders or any(holder.registered for holder in holders):
            return inf
        return max(sees(holder) for holder in holders)

    def give_seat(self, sitter: Sitter) -> list[Sitter]:
        """Give a sitter who has registered the seat alone; return those who shared it with them."""
        player = sitter.player
        if self.private and self.founder is None:
            self.founder = sitter
        shared = [rival for rival in self.rivals if rival.player == player]
        first = self.sitters[player]
        if first is not None:
            shared.append(first)
        self.sitters[player] = sitter
        self.arrived.append(sitter)
        self.rivals = [rival for rival in self.rivals if rival.player != player]
        return [other for other in shared if other is not sitter]

    def welcome(self, sitter: Sitter) -> None:
        """Seat a sitter who has registered at another table; there has to be a free seat."""
        player = self.free_seats[0]
        self.sitters[player] = sitter
        self.arrived.append(sitter)
        sitter.table, sitter.player = self, player
        sitter.client.move(player)

    def move(self, sitter: Sitter, player: int) -> None:
        self.sitters[sitter.player] = None
        self.sitters[player] = sitter
        sitter.player = player
        sitter.client.move(player)

    def may_move(self, sitter: Sitter, player: int) -> bool:
        """Return True if a sitter who has registered may have another seat.

        Player 0 stays, because their rights go with that seat.
        """
        return sitter.player != 0 and player in self.free_seats

    def free(self, sitter: Sitter) -> bool:
        """Take a seat, or a share of it, from a sitter; True if they had one."""
        player = sitter.player
        if sitter in self.rivals:
            self.rivals.remove(sitter)
            return True
        if self.sitters[player] is not sitter:
            return False
        if sitter in self.arrived:
            self.arrived.remove(sitter)
        heir = next((rival for rival in self.rivals if rival.player == player), None)
        if heir is not None:
            self.rivals.remove(heir)
        self.sitters[player] = heir
        return True

    def set_options(self, sitter: Sitter, ints: tuple[int, ...]) -> None:
        """Take note of option -2, if it comes from a player 0 who opens the table.

        Raises RegistrationEnded.
        """
        if sitter.player != 0 or self.opened or sitter.evicted is not None:
            return
        try:
            self.options = Options.decode(ints)
        except RemoteProtocolError as error:
            raise RegistrationEnded(Refusal.BAD_OPTION, str(error)) from None

    @property
    def complete(self) -> bool:
        return not self.free_seats and all(
            sitter is None or sitter.registered for sitter in self.sitters
        )

    def player_names(self) -> tuple[str, str, str, str]:
        """Return the names of seats 0-3; empty for one that nobody has registered for."""
        computer = iter(self.computer_names)
        names = []
        for player in range(4):
            if player in self.computers:
                names.append(next(computer))
            else:
                sitter = self.person(player)
                names.append("" if sitter is None else sitter.name)
        return four(names)

    def milliseconds_left(self) -> int | None:
        """Return the milliseconds until computers take the free seats; None for never."""
        fills_at = self.fill_clock.deadline
        return None if fills_at == inf else max(0, round(1000 * (fills_at - trio.current_time())))

    def show(self, described: TableMessage) -> None:
        """Tell the clients here that can hear it who is here, and the time until computers take
        free seats; tell those who follow the table its description."""
        taken = self.computers | {sitter.player for sitter in self.arrived}
        free = tuple(player for player in range(4) if player not in taken)
        waited = round(1000 * (trio.current_time() - self.opened_at))
        infos = RegisterOpponents(tuple(map(self.info, range(4))))
        waiting = Waiting(None, free, waited, self.milliseconds_left())
        for sitter in self.arrived:
            sitter.client.notify(infos, waiting)
        self.notify(described)

    def describe(self, setting: Setting) -> TableMessage:
        """Return the table's description, if this will be played there."""
        names = self.player_names()
        return TableMessage(
            self.name,
            0,
            self.private,
            self.opener_player,
            names.count(""),
            self.milliseconds_left(),
            setting.rules,
            setting.end_score,
            setting.limit,
            names,
        )

    def notify(self, told: Beside) -> None:
        for sitter in self.arrived:
            if sitter.client.follows:
                sitter.client.notify(told)

    def info(self, player: int) -> PlayerInfo:
        name = self.player_names()[player]
        if player in self.computers:
            return computer(player, name, self.levels[player])
        sitter = self.person(player)
        if sitter is None:
            return nobody(player, self.levels[player])
        return person(player, name, description(sitter.client.introduced))


SettingOf = Callable[[FormingTable], Setting]
"""Gives the setting of a table that forms."""
