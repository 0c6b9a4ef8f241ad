"""The game server's voice in the chat of every game, over one connection.

It registers as player -1 and repeats, with each notice, the four numbers that the shared secret
gives for player -1 of the game that the notice is for (SocketSpec.md section 9).
"""

from __future__ import annotations

from hearts.wire.credentials import SERVER_PLAYER, issue

from .client import ClientSession
from .messages import shorten

NO_GAME = 0
"""The game number of the registration: games count from 1, and the connection is for all."""
NOBODY = -1
"""The Process ID of nobody: those of players are 0 or more."""
MUTE, UNMUTE, TELL, LINES = "mute", "unmute", "tell ", "lines"
"""The texts that the game server sends with the numbers of a seat, or their beginnings."""


class Announcer(ClientSession):
    """The game server's session with the taunt server."""

    def __init__(self, secret: bytes, process_id: int) -> None:
        """``secret`` is the one that both servers hold, ``process_id`` any number >= 0."""
        super().__init__(issue(secret, NO_GAME, SERVER_PLAYER, process_id))
        self._secret = secret
        self._process_id = process_id

    def announce(self, game_number: int, text: str) -> bytes:
        """Return the bytes that tell everybody of one game; a text that is too long is cut.

        Raises LocalProtocolError before the registration is accepted and for control characters.
        """
        numbers = issue(self._secret, game_number, SERVER_PLAYER, self._process_id)
        return self.taunt_as(numbers, shorten(text))

    def seat(self, game_number: int, player: int, process_id: int) -> bytes:
        """Return the bytes that give a seat to one Process ID alone; NOBODY shuts everybody out
        of it.

        Raises LocalProtocolError before the registration is accepted.
        """
        return self.taunt_as(issue(self._secret, game_number, player, process_id), "")

    def mute(
        self, game_number: int, player: int, process_id: int, muted: bool, why: str = ""
    ) -> bytes:
        """Return the bytes that mute a player, with the end and the reason, or unmute them.

        Raises LocalProtocolError before the registration is accepted.
        """
        numbers = issue(self._secret, game_number, player, process_id)
        return self.taunt_as(numbers, shorten(MUTE + why) if muted else UNMUTE)

    def tell(self, game_number: int, player: int, process_id: int, text: str) -> bytes:
        """Return the bytes that tell one player something; a text that is too long is cut.

        Raises LocalProtocolError before the registration is accepted.
        """
        numbers = issue(self._secret, game_number, player, process_id)
        return self.taunt_as(numbers, shorten(TELL + text))

    def ask_lines(self, game_number: int) -> bytes:
        """Return the bytes that ask for the last lines of a game.

        Raises LocalProtocolError before the registration is accepted.
        """
        return self.taunt_as(issue(self._secret, game_number, 0, NOBODY), LINES)
