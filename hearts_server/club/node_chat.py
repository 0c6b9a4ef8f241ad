"""The voice of a node in the chat: through the taunt server of the lobby, wherever that is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import trio

from hearts.hosting.table_chat import GameNotice, Said, SeatHolder, SeatMuted
from hearts_server.chat import Chat

from .telling import MOST_SAID


class NodeChat(Chat):
    """Tells the taunt server of the club, by way of the lobby if that is not here."""

    def __init__(self, secret: bytes, process_id: int, *, in_use: bool, begins: bool) -> None:
        """The arguments are those of Chat; a lobby ``begins`` a taunt server of its own, or uses
        one that is there. It is given ``is_lobby``, ``pass_on`` and ``take_back`` before it is
        used."""
        # All that other nodes have to say may come at once.
        super().__init__(secret, process_id, queued=MOST_SAID, in_use=in_use)
        self._begins = begins
        self.is_lobby: Callable[[], bool] = lambda: True
        """Whether the taunt server is this node's."""
        self.pass_on: Callable[[Said], None] = lambda said: None
        """Tells the lobby, if that is another node."""
        self.take_back: Callable[[], None] = lambda: None
        """Forgets what it has not been told yet."""
        self._lobby: tuple[int, int] = (0, 0)
        self._times = 0

    @property
    def times_back(self) -> int:
        """The number of times that the own taunt server has come, from 1; 0 if it is away."""
        return self._times if super().connected else 0

    @property
    def connected(self) -> bool:
        return super().connected if self.is_lobby() else self._lobby[1] > 0

    def lobby_has(self, life: int, times_back: int) -> None:
        """Another node is the lobby, and its taunt server came so many times."""
        before, self._lobby = self._lobby, (life, times_back)
        if before == self._lobby:
            return
        if times_back:
            if self._begins:
                # What waits to be told stands or is kept as well, and is not to be told twice.
                self.take_back()
            self.tell_standing(self.standing())
            if self._begins:
                self.tell_standing(self.kept())
        elif before[1] and before[0] == life:
            self.changed(False)
        if times_back and before == (life, 0):
            self.changed(True)

    def lives_changed(self, lives: Collection[int]) -> None:
        """The taunt server of a lobby that is not live any more is gone."""
        if self._lobby[0] not in lives:
            self._lobby = (0, 0)

    def announce(self, game_number: int, text: str) -> None:
        if self.is_lobby():
            super().announce(game_number, text)
        elif self.in_use and self.may_tell():
            self.pass_on(GameNotice(game_number, text))
        else:
            self.dropped += 1

    def seat(self, game_number: int, player: int, process_id: int) -> None:
        self._say(SeatHolder(game_number, player, process_id))

    def mute(self, said: SeatMuted) -> None:
        self._say(said)

    def tell_standing(self, standing: Iterable[Said]) -> None:
        for said in standing:
            self._say(said)

    def _say(self, said: Said) -> None:
        if not self.is_lobby():
            if self.in_use:
                self.pass_on(said)
        elif super().connected:
            self._put(said)

    def hear(self, said: Said) -> None:
        """Another node says this to the lobby."""
        match said:
            case GameNotice(game_number, text):
                super().announce(game_number, text)
            case _:
                self._say(said)

    async def _serve(self, stream: trio.abc.Stream, *, is_new: bool) -> None:
        self._times += 1
        await super()._serve(stream, is_new=is_new)
