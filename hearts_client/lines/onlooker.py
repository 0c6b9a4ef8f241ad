"""Tells somebody who watches a table what happens there."""

from __future__ import annotations

from collections.abc import Callable

from hearts.dealer.client_events import DealerEvent, Watching
from hearts.dealer.messages import RegisterOpponents, ServerNotice
from hearts.game.events import HandBegun
from hearts.session.client_events import CaughtUp, SessionEnded
from hearts_client.library.watching import Watcher
from hearts_client.words.others import said_lines, shown_name
from hearts_client.words.story import Story
from hearts_client.words.style import Style


class Onlooker(Story):
    """The story of a session without a hand: nobody at the table is "you"."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._past = True
        self._hand_line = ""

    def tell(self, event: DealerEvent) -> list[str]:
        """The lines for an event; what is past is told in short, when all of it is there."""
        match event:
            case Watching(game_number, name):
                return [f"You watch game {game_number} at {shown_name(name)}. Ctrl-C leaves."]
            case RegisterOpponents(players):
                self.company.call([info.name for info in players])
                everybody = self.company.all_names(range(4))
                return [f"It is played by {everybody}.", *super().tell(event)]
            case ServerNotice(text):
                return said_lines("* ", text)
            case CaughtUp():
                self._past = False
                return self._tell_where_they_are()
        lines = super().tell(event)
        if isinstance(event, HandBegun):
            self._hand_line = lines[-1]
        return lines if not self._past or isinstance(event, SessionEnded) else []

    def _tell_where_they_are(self) -> list[str]:
        lines = self.rules()
        if self.board.rows:
            lines += ["", *self.scores()]
        if self.board.winners:
            lines.append(self._winners_line())
        elif self._hand_line:
            lines += ["", self._hand_line]
            if self.trick_number:
                lines += [f"Trick {self.trick_number}.", *self.trick_lines()]
        return lines


async def look_on(watcher: Watcher, style: Style, say: Callable[[str], None]) -> bool:
    """Tell a session to its end; whether the players were done.

    Raises RegistrationRefused where the table cannot be watched, and RemoteProtocolError.
    """
    story = Onlooker(style)
    complete = False
    async for event in watcher:
        for line in story.tell(event):
            say(line)
        if isinstance(event, SessionEnded):
            complete = event.complete
    return complete
