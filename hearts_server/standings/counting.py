"""The games of a session that count for the standings, and what each name has in them.

A game counts if it was played to its end, if at least two people had seats at its first deal, if
no choice was taken back and the host removed nobody during it. It counts for everybody who had a
seat at its first deal with a client. Who left it for good, so that somebody else got the seat,
has the last place and the hands until then.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import astuple

from hearts.bots.swift.par import dealt_game, games_from, has_par, par_of
from hearts.game.deal import Hands
from hearts.game.events import HandDealt
from hearts.game.game import Game, Phase
from hearts.game.record import PlayedHand, hands_of
from hearts.game.rules import Rules
from hearts.game.scoring import Four
from hearts.session.table_words import PlayerKind
from hearts_server.journal.replay import SeatedPlayer, stored_games
from hearts_server.journal.store import StoredSession

from .tallies import AGAINST, NameTally

LAST_PLACE = 4
EVER = ""
"""In place of a month: all time."""
_FEWEST_PEOPLE = 2
_NOBODY = re.compile(r"~.*|player [0-9]+")
"""Names of guests, and the numbers of names that were given up."""

SessionPars = Mapping[str, Four | None]
"""The sums of the points of the games of a par, by :func:`par_key`; None for a hand without par."""


def par_key(game: int, deal: int) -> str:
    """Return the name of a deal in the pars of its session; both numbers count from 1."""
    return f"{game}.{deal}"


Claims = Mapping[str, int]
"""The names that are claimed, with the Unix times of their claims."""


class CountedGame(Struct, frozen=True):
    """A game that counts."""

    number: int
    """In its session, from 1."""
    game: Game
    """At its end."""
    hands: list[PlayedHand]
    """One for each deal, those that were broken off among them."""
    seats: list[CountedSeat]


class CountedSeat(Struct, frozen=True):
    """A seat for whose first player a game counts."""

    seat: int
    player: SeatedPlayer
    until: int
    """The number of deals for which they had it."""


def counted_games(stored: StoredSession) -> list[CountedGame]:
    """Return the games of a session that count. Raises CorruptRecord."""
    found = []
    for number, stored_game in enumerate(stored_games(stored) if stored.ended else (), 1):
        players = stored_game.players[0]
        people = sum(one.kind is PlayerKind.PERSON for one in players)
        if people < _FEWEST_PEOPLE or stored_game.is_taken_back or stored_game.removed:
            continue
        game = Game(stored_game.rules, stored_game.end_score)
        hands = list(hands_of(game, stored_game.actions))
        if game.phase is Phase.OVER:
            found.append(CountedGame(number, game, hands, list(_seats(stored_game.players))))
    return found


def _seats(players: Sequence[Sequence[SeatedPlayer]]) -> Iterator[CountedSeat]:
    for seat, player in enumerate(players[0]):
        if player.kind is not PlayerKind.COMPUTER and not _NOBODY.fullmatch(player.name):
            stayed = [of_deal[seat] == player for of_deal in players]
            yield CountedSeat(seat, player, [*stayed, False].index(False))


def months_of(ended: int) -> tuple[str, str]:
    """Return for what a game of a table that ended at a Unix time counts: a month, and all time."""
    return datetime.fromtimestamp(ended, UTC).strftime("%Y-%m"), EVER


def results(games: Sequence[CountedGame]) -> dict[str, NameTally]:
    """Count games by name, without pars."""
    found: defaultdict[str, NameTally] = defaultdict(NameTally)
    for counted in games:
        for seat, player, until in map(astuple, counted.seats):
            has_left = until < len(counted.hands)
            place = LAST_PLACE if has_left else _place(counted.game, seat)
            points = [hand.scored.points[seat] for hand in counted.hands[:until] if hand.scored]
            found[player.name] += NameTally(
                games=1,
                as_program=int(player.kind is PlayerKind.PROGRAM),
                places=place,
                place_squares=place * place,
                wins=int(place == 1),
                hands=len(points),
                points=sum(points),
                point_squares=sum(each * each for each in points),
            )
    return dict(found)


def _place(game: Game, seat: int) -> int:
    if seat in game.winners:
        return 1
    return 1 + sum(
        other in game.winners or game.scores[other] < game.scores[seat] for other in range(4)
    )


# Pars


class HandToReckon(Struct, frozen=True, gc=False):
    """A hand whose par counts for somebody."""

    key: str
    dealt: Hands
    rules: Rules
    number: int
    """That of the hand in its game, from 0."""
    has_par: bool

    def reckon(self) -> Four | None:
        """Play the games of its par, which takes a tenth of a second or two; None without par."""
        if not self.has_par:
            return None
        return par_of(games_from(dealt_game(self.dealt, self.rules, self.number))).sums


def hands_to_reckon(games: Sequence[CountedGame]) -> Iterator[HandToReckon]:
    """Yield the hands whose par counts."""
    for counted in games:
        longest = max((seat.until for seat in counted.seats), default=0)
        rules, end = counted.game.rules, counted.game.end_score
        for deal, hand in enumerate(counted.hands[:longest], 1):
            dealt = hand.events[0]
            if hand.scored is not None and isinstance(dealt, HandDealt):
                has = has_par(rules, end, hand.before)
                key = par_key(counted.number, deal)
                yield HandToReckon(key, dealt.hands, rules, dealt.number, has)


def par_results(games: Sequence[CountedGame], pars: SessionPars) -> dict[str, NameTally]:
    """Count the hands that have pars, by name."""
    found: defaultdict[str, NameTally] = defaultdict(NameTally)
    for counted in games:
        for seat, player, until in map(astuple, counted.seats):
            for deal, hand in enumerate(counted.hands[:until], 1):
                sums = pars.get(par_key(counted.number, deal))
                if sums is not None and hand.scored is not None:
                    less = against_par(hand.scored.points[seat], seat, sums)
                    found[player.name] += NameTally(
                        par_hands=1, against=less, against_squares=less * less
                    )
    return dict(found)


def against_par(points: int, seat: int, sums: Four) -> int:
    """Return the points of a seat less what the hand was worth there, in parts of a point.

    That is half way between the par of the seat and the mean of all four, as par predicts four
    swifts better than people (hearts/bots/swift/README.md). ``sums`` are of GAMES games.
    """
    return AGAINST * points - 4 * sums[seat] - sum(sums)
