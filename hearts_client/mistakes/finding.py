"""Looks for mistakes in all records of a person, hand by hand; it can stop, and goes on later."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Protocol

import trio

from hearts.game.events import ChosenBy, Pass, Play
from hearts.game.view import View, view_of
from hearts.judging.outlook import Cards, Outlook
from hearts_client.session.replay import HandReplay
from hearts_client.session.saved import write_in_time
from hearts_client.statistics.own_games import OwnGame, read_games

from .kept import KeptMistakes, Mistake, write_mistakes


class Judging(Protocol):
    """A judge of choices; see :meth:`hearts_client.session.analyst.Analyst.judge`."""

    def __call__(self, view: View, chosen: Cards) -> Awaitable[Outlook | None]: ...


async def look_through(
    kept: KeptMistakes, folder: Path, judge: Judging, tell: Callable[[int, int], None]
) -> None:
    """Look at all hands of the records of a folder that were not looked at, the latest first.

    Each hand is kept when it is done. ``tell`` gets how many hands are done, of how many.
    """
    try:
        games = await trio.to_thread.run_sync(read_games, folder)
    except OSError:
        # The list of replays says why there are none.
        return
    hands = [(game, hand) for game in games for hand in _finished(game)]
    done = sum(hand.number <= kept.looked.get(game.path.name, 0) for game, hand in hands)
    tell(done, len(hands))
    for game, hand in hands:
        if hand.number <= kept.looked.get(game.path.name, 0):
            continue
        played = date.fromtimestamp(game.played_at).toordinal()
        found = []
        for view, chosen in own_choices(hand):
            outlook = await judge(view, chosen)
            if outlook is not None:
                found.append(Mistake(view, chosen, outlook, hand.names, played))
        for mistake in found:
            kept.add(mistake)
        kept.looked[game.path.name] = hand.number
        done += 1
        tell(done, len(hands))
        # What cannot be written is looked at again the next time.
        await write_in_time(partial(write_mistakes, folder, kept))


def _finished(game: OwnGame) -> list[HandReplay]:
    if game.replay is None or game.own is None:
        return []
    return [hand for hand in game.replay.hands if hand.scores is not None]


def own_choices(hand: HandReplay) -> Iterator[tuple[View, Cards]]:
    """Give each choice among several that the person made themselves, with what they saw."""
    game = hand.game_at(0)
    choices: list[Pass | Play] = [*hand.passes, *hand.plays]
    for choice in choices:
        if choice.player == hand.own and choice.by is ChosenBy.PLAYER:
            view = view_of(game, choice.player)
            if isinstance(choice, Pass):
                yield view, tuple(sorted(choice.cards))
            elif len(view.legal_cards) > 1:
                yield view, (choice.card,)
        game.apply(choice)
