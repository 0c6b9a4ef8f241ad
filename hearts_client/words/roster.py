"""The people at the table: their names, their kinds, their coming and going."""

from __future__ import annotations

from collections.abc import Sequence

from hearts.session.table_words import PlayerChange, PlayerInfo, PlayerKind, Presence, Waiting
from hearts.table.effects import Change
from hearts.wire.text import count_of

from .others import chat_lines_of, shown_name, shown_names
from .typed import NotUnderstood

_KINDS = {PlayerKind.PERSON: "a person", PlayerKind.PROGRAM: "a program"}
_CHANGES = {
    Change.LEFT: "{name} has lost the connection.",
    Change.BACK: "{name} is back.",
    Change.STAND_IN: "A computer plays for {name} until {name} is back.",
    Change.COMPUTER: "{shown}, a computer, has the seat of {old} from now on.",
    Change.OPENED: "The seat of {name} is open for a person; {name} plays until one comes.",
    Change.TAKEN: "{name} has the seat of {old} from now on.",
}
_NOT_NAMED = ("player 0", "player 1", "player 2", "player 3")


class Roster:
    """The four players of a session, for the person in one of the seats, or for a watcher."""

    def __init__(self) -> None:
        self.me = -1
        """The person's seat; -1 for a watcher, and before it is known."""
        self.infos: tuple[PlayerInfo, ...] = ()
        """The server's words about them; empty in the plain dialect."""
        self._own_names: Sequence[str] = _NOT_NAMED
        self._names: Sequence[str] = _NOT_NAMED
        self._forming = ""

    def gather(self, infos: tuple[PlayerInfo, ...]) -> None:
        """Take in the players at the table that forms; there may be others later."""
        self.infos = infos
        names = shown_names([info.name for info in infos])
        self._names = [name if infos[p].name else _NOT_NAMED[p] for p, name in enumerate(names)]

    def call(self, names: Sequence[str]) -> None:
        """Take in the names of players 0-3."""
        self._own_names = names
        self._names = shown_names(names)

    def name(self, player: int) -> str:
        """Call a player "you", or by a name that is only theirs."""
        return "you" if player == self.me else self._names[player]

    def title(self, player: int) -> str:
        return "You" if player == self.me else self._names[player]

    def does(self, player: int, verb: str) -> str:
        """Return words such as "You lead" or "Moe leads"."""
        return f"{self.title(player)} {verb}" + ("" if player == self.me else "s")

    def all_names(self, players: Sequence[int]) -> str:
        """Return words such as "Moe, Larry and you"."""
        return in_a_row([self.name(player) for player in players])

    def find(self, text: str) -> int:
        """Find the player by name or number, 0-3, as typed. Raises NotUnderstood."""
        if text in ("0", "1", "2", "3"):
            return int(text)
        wanted = text.casefold()
        ways = list(zip(self._own_names, self._names, map(self.name, range(4)), strict=True))
        found = [p for p in range(4) if wanted in map(str.casefold, ways[p])]
        if len(found) == 1:
            return found[0]
        players = ", ".join(f"{player} {self.name(player)}" for player in range(4))
        why = f"there is no player {text!r}" if text else "say who"
        if found:
            why = f"{len(found)} players are called {text!r}"
        raise NotUnderstood(f"{why}; give a name or a number: {players}")

    def computers(self, known: frozenset[int]) -> list[int]:
        """Return the players who are computers; ``known`` is what the Table message says."""
        if self.infos:
            known = frozenset(i.player for i in self.infos if i.kind is PlayerKind.COMPUTER)
        return sorted(known)

    # Before the game

    @property
    def free(self) -> list[int]:
        """The seats of the table that forms which nobody has."""
        return [info.player for info in self.infos if info.kind is PlayerKind.FREE]

    @property
    def next_free(self) -> int:
        """The next free seat clockwise from the person's own; there has to be one."""
        return min(self.free, key=lambda player: (player - self.me) % 4)

    def form(self, waiting: Waiting) -> list[str]:
        """Take in a forming table; return lines on its players, and on computers for free seats."""
        free = len(waiting.players)
        names = shown_names([info.name for info in self.infos])
        there = [
            "you" if info.player == self.me else names[info.player]
            for info in self.infos
            if info.kind is not PlayerKind.FREE
        ]
        line = f"At the table so far: {in_a_row(there)}. "
        line += f"{count_of(free, 'seat')} {'is' if free == 1 else 'are'} free."
        if not free or not self.infos or line == self._forming:
            return []
        self._forming = line
        if waiting.left is not None:
            them = "it" if free == 1 else "them"
            left = count_of(-(-waiting.left // 1000), "second")
            line += f" Computers take {them} in {left}, unless somebody comes."
        return [line]

    # Who they are

    def meet(self, infos: tuple[PlayerInfo, ...]) -> list[str]:
        """Take in the players of all seats; return lines about the other players."""
        self.infos = infos
        return [line for info in infos for line in self._describe(info)]

    def _describe(self, info: PlayerInfo) -> list[str]:
        if info.player == self.me or info.kind in (PlayerKind.COMPUTER, PlayerKind.FREE):
            return []
        words = [_KINDS[info.kind]] if info.kind in _KINDS else []
        if info.level:
            words.append(f"of level {info.level}")
        if info.presence is Presence.AWAY:
            words.append("away")
        elif info.presence is Presence.STAND_IN:
            words.append("away, and a computer is playing")
        name = self._names[info.player]
        who = f"{name} is {', '.join(words)}" if words else ""
        if not info.comment:
            return [f"{who}."] if who else []
        head = f"{who}, and says: " if who else f"{name} says: "
        return chat_lines_of(head, info.comment)

    # Who comes and goes

    def change(self, changed: PlayerChange) -> list[str]:
        new = changed.info
        player = new.player
        if not self.infos:
            return []
        before, old = self.infos[player], self._names[player]
        self.infos = (*self.infos[:player], new, *self.infos[player + 1 :])
        if new.name != self._own_names[player]:
            names = [*self._own_names]
            names[player] = new.name
            self.call(names)
        if changed.change is None or player == self.me:
            return []
        if changed.change is Change.INTRODUCED:
            same = (new.kind, new.level, new.comment) == (before.kind, before.level, before.comment)
            return [] if same else self._describe(new)
        said = _CHANGES[changed.change]
        line = said.format(name=self._names[player], old=old, shown=shown_name(new.name))
        return [line, *(self._describe(new) if changed.change is Change.TAKEN else [])]


def in_a_row(names: Sequence[str]) -> str:
    """Return words such as "Moe, Larry and Curly"."""
    *first, last = names or ["nobody"]
    return f"{', '.join(first)} and {last}" if first else last
