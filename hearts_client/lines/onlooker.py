"""Tells somebody who watches a table what happens there."""

from __future__ import annotations

from collections.abc import Callable

from hearts.game.events import HandBegun
from hearts.session.client_events import (
    CaughtUp,
    ConnectionLost,
    DealerEvent,
    SessionEnded,
    Watching,
)
from hearts.session.table_words import RegisterOpponents, ServerNotice
from hearts_client.library.watching import Watcher
from hearts_client.words.others import chat_lines_of, shown_name
from hearts_client.words.story import Story
from hearts_client.words.style import Style


class Onlooker(Story):
    """The story of a session without a hand: nobody at the table is "you"."""

    def narrate(self, event: DealerEvent) -> list[str]:
        """Return the lines for an event; the past is told in short, when all of it is there."""
        match event:
            case Watching(game_number, name):
                return [f"You watch game {game_number} at {shown_name(name)}. Ctrl-C leaves."]
            case RegisterOpponents(players):
                self.roster.call([info.name for info in players])
                everybody = self.roster.all_names(range(4))
                return [f"It is played by {everybody}.", *super().narrate(event)]
            case ConnectionLost():
                return super().narrate(event)
            case ServerNotice(text):
                return chat_lines_of("* ", text)
            case CaughtUp():
                return self._narrate_place()
        lines = super().narrate(event)
        return lines if not self._picture.is_past or isinstance(event, SessionEnded) else []

    def _narrate_place(self) -> list[str]:
        lines = self.rules()
        picture, hand = self._picture, self._picture.hand
        if picture.board.rows:
            lines += ["", *self.scores()]
        lines += self.winners_lines()
        if hand.number >= 0 and not picture.board.winners:
            lines += super().narrate(HandBegun(hand.number, hand.direction))
            if hand.begun:
                lines += [f"Trick {hand.begun}.", *self.trick_lines()]
        return lines


async def look_on(watcher: Watcher, style: Style, say: Callable[[str], None]) -> bool:
    """Tell a session to its end; True if it ended as it should.

    Raises RegistrationRefused if the table cannot be watched, and RemoteProtocolError.
    """
    story = Onlooker(style, watcher.picture)
    complete = False
    async for event in watcher:
        if isinstance(event, Watching):
            # Each connection is told the table from the beginning.
            story = Onlooker(style, watcher.picture)
        for line in story.narrate(event):
            say(line)
        if isinstance(event, SessionEnded):
            complete = event.complete
    return complete
