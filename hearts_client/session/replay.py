"""Hands that are over, to be looked at card by card: from a record, or from the session under way.

All four hands lie open here, which is right for a deal that has been disclosed and for no other.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

from msgspec import Struct
from msgspec.structs import replace

from hearts.errors import CorruptRecord, InvalidLink
from hearts.game.cards import Card, four, mask_of
from hearts.game.deal import Hands, deal_text, parse_deal_text
from hearts.game.events import ChooseMoon, Deal, Pass, Play
from hearts.game.game import Game
from hearts.game.record import PlayedHand, Reader
from hearts.game.rules import Direction, Moon, Rules
from hearts.game.scoring import Four, hand_points, tallies
from hearts.game.view import View, view_of
from hearts.session.hand_link import LinkedHand, format_link
from hearts.wire.day_chain import over_since, read_date
from hearts.wire.text import is_legible, is_visible

from .game_copy import DAY_REMARK, GameCopy, OneHand, play_seen
from .own_record import OwnRecord

TRICK_SIZE = 4
TRICKS = 13
PAGE = "http://localhost:7680/"
"""The page to which a link leads if nobody names another one."""
_NONE: Four = (0, 0, 0, 0)


class Moment(Struct, frozen=True, gc=False):
    """All that lies open after some of the choices of a hand. Sets of cards are masks."""

    held: Four
    gone: Four
    """The cards that each player has played or, before the exchange, is about to pass."""
    is_passed: bool
    """True if cards have been exchanged; False in a hold hand."""
    trick: int
    """The number of the trick that lies, from 1; 0 before the first card."""
    cards: tuple[Play, ...]
    """The cards of that trick, from the lead on; all four until the next lead."""
    winner: int | None
    """The player who has taken that trick; None before its last card."""
    tricks: Four
    """The number of tricks that each player has taken."""
    points: Four
    """The points in them, before any moon."""


class HandReplay(Struct, frozen=True, gc=False):
    """One hand, as it was dealt, passed and played.

    Its positions: 0 is the deal, then comes one for the exchange if cards were passed, then one
    for each card.
    """

    names: tuple[str, str, str, str]
    """The names by which the players call themselves."""
    own: int | None
    """The seat (0-3) of the person; None if it is not their own game."""
    rules: Rules
    end_score: int
    """The score that ends the game."""
    number: int
    """From 1 in its game."""
    before: Four | None
    """The scores before it; None if they are not known."""
    dealt: Hands
    passes: tuple[Pass, ...]
    """The passes of players 0-3; empty if no cards are passed."""
    plays: tuple[Play, ...]
    """All 52, or as far as the hand went."""
    shooter: int | None
    points: Four | None
    """The addition to each score; None if the hand is not over or that is not known."""
    scores: Four | None
    """The scores after it; None if it is not over."""
    winners: tuple[int, ...]
    """The players who have won the game with it; empty if it went on."""
    deal: str
    """The text of the deal (:func:`hearts.game.deal.deal_text`); empty for hands without a
    secret."""
    day: date | None = None
    """The day whose deal it is; None for others."""

    @property
    def direction(self) -> Direction:
        return self.rules.direction(self.number - 1)

    @property
    def leader(self) -> int:
        return self.game_at(self.before_play).first_leader

    @property
    def before_play(self) -> int:
        return 1 if self.passes else 0

    @property
    def last(self) -> int:
        return self.before_play + len(self.plays)

    def game_at(self, position: int) -> Game:
        """Play the game up to a position; scores before the hand that are not known are 0."""
        game = Game(self.rules, self.end_score, self.before or _NONE, self.number - 1)
        game.apply(Deal(self.dealt))
        choices: list[Pass | Play] = [*self.passes, *self.plays]
        for choice in choices[: position + 3 * self.before_play if position else 0]:
            game.apply(choice)
        return game

    def at(self, position: int) -> Moment:
        """Give all that lies open at a position. Raises ValueError for one that does not exist."""
        if not 0 <= position <= self.last:
            raise ValueError(f"a position is 0 to {self.last}, not {position}")
        if position < self.before_play:
            passed = four(mask_of(choice.cards) for choice in self.passes)
            return Moment(self.dealt, passed, False, 0, (), None, _NONE, _NONE)
        count = position - self.before_play
        play = self.game_at(position).play
        assert play is not None
        begin = max(count - 1, 0) // TRICK_SIZE * TRICK_SIZE
        gone = [[p.card for p in self.plays[:count] if p.player == player] for player in range(4)]
        return Moment(
            four(play.hands),
            four(map(mask_of, gone)),
            bool(self.passes),
            -(-count // TRICK_SIZE),
            self.plays[begin:count],
            play.leader if count and count % TRICK_SIZE == 0 else None,
            four(taken.bit_count() // TRICK_SIZE for taken in play.taken),
            tallies(play.taken, self.rules),
        )

    def next_trick(self, position: int) -> int:
        """Return the position at the end of the trick that lies or, if it is complete, of the
        next.
        """
        count = max(position - self.before_play, 0)
        goal = self.before_play + (count // TRICK_SIZE + 1) * TRICK_SIZE
        return min(goal, self.last) if position >= self.before_play else self.before_play

    def previous_trick(self, position: int) -> int:
        """Return the position before the lead of the trick that lies."""
        count = position - self.before_play
        if count <= 0:
            return 0
        return self.before_play + (count - 1) // TRICK_SIZE * TRICK_SIZE


# From a record


class GameReplay(Struct, frozen=True, gc=False):
    """The hands of a record, as far as it can be read."""

    names: tuple[str, str, str, str]
    rules: Rules
    end_score: int
    hands: tuple[HandReplay, ...]
    """A hand that was not played to its end may be the last."""
    scores: Four
    """After the last hand that was finished."""
    winners: tuple[int, ...]
    """Empty if the record stops before the end of the game."""
    problem: str | None
    """The fault of the rest of the record."""
    is_taken_back: bool = False
    """True if choices were taken back, so that the game does not count."""


def read_replay(text: str, own: int | None = None) -> GameReplay:
    """Return the hands of a record; ``own`` is the seat (0-3) of the person, if it is their record.

    Raises CorruptRecord if not even the header can be read or a name cannot be shown.
    """
    reader = Reader(text)
    for player, name in enumerate(reader.names):
        if not is_legible(name) or not is_visible(name):
            raise CorruptRecord(f"the name of player {player} cannot be shown")
    game = reader.game
    hands: list[HandReplay] = []
    problem = None
    remark = DAY_REMARK.search(text)
    day = None if remark is None else read_date(remark[1])
    try:
        # One that was broken off counts for nothing, and is dealt anew. What was read stays in the
        # list if the rest is wrong.
        hands.extend(
            replace(replay_of(game, hand, reader.names, own), day=day)
            for hand in reader.hands()
            if game.play is not None
        )
        if reader.lacks_scores:
            problem = "the scores of the last hand are missing"
    except CorruptRecord as error:
        problem = str(error)
    end = game.scores, game.winners, problem, reader.is_taken_back
    return GameReplay(reader.names, game.rules, game.end_score, tuple(hands), *end)


def replay_of(
    game: Game, hand: PlayedHand, names: tuple[str, str, str, str], own: int | None
) -> HandReplay:
    """Make a replay of the hand that is under way in a game or just over."""
    scored, deal = hand.scored, hand.deal
    return HandReplay(
        names,
        own,
        game.rules,
        game.end_score,
        game.hand_number + 1,
        hand.before,
        deal.hands,
        tuple(sorted(hand.passes, key=lambda choice: choice.player)),
        tuple(hand.plays),
        game.shooter,
        None if scored is None else scored.points,
        None if scored is None else scored.scores,
        game.winners,
        "" if deal.secret is None else deal_text(deal.secret, deal.cuts),
    )


# From the session under way


def disclosed_replays(record: OwnRecord) -> tuple[HandReplay, ...]:
    """Return the hands of the latest game whose deals are disclosed, the last one last.

    A hand that does not fit its deal is left out.
    """
    replays = [_own_replay(record, *hand) for hand in record.disclosed_hands()]
    return tuple(replay for replay in replays if replay is not None)


def latest_replay(record: OwnRecord) -> HandReplay | None:
    """Return the last of these hands; None if there is none, or it does not fit its deal."""
    hands = record.disclosed_hands()
    return _own_replay(record, *hands[-1]) if hands else None


def _own_replay(record: OwnRecord, copy: GameCopy, hand: OneHand) -> HandReplay | None:
    seen, before = hand.seen, copy.scores_before(hand)
    assert seen.scores is not None
    game = Game(copy.table.rules, copy.table.end_score, before or _NONE, seen.number)
    played = PlayedHand(game.scores)
    _, why = play_seen(hand, game, played, knows_scores=before is not None)
    if why is not None or played.deal.hands[seen.player] != seen.dealt:
        return None
    # A player who came later may not know the scores before, but knows those after.
    return replace(
        replay_of(game, played, four(copy.names), seen.player),
        before=before,
        scores=seen.scores.scores,
        winners=seen.scores.winners,
        day=record.day,
    )


def choice_at(replay: HandReplay, position: int) -> tuple[View, Card] | None:
    """Return the card that was played last at a position, and the view of its player at that
    choice.

    None if no card was played, or if the player had no other choice. Scores are 0 if those before
    the hand are not known.
    """
    count = position - replay.before_play
    if count < 1:
        return None
    play = replay.plays[count - 1]
    view = view_of(replay.game_at(position - 1), play.player)
    return (view, play.card) if len(view.legal_cards) > 1 else None


# Links


def linked_replay(link: LinkedHand) -> HandReplay:
    """Return the hand of a link, to be looked at."""
    game, hand = link.played()
    return replay_of(game, hand, link.names, link.own)


def links_come(day: date) -> str:
    """Say when there are links to the hands of a day, such as "from 2026-11-28 12:00 UTC on"."""
    return f"from {datetime.fromtimestamp(over_since(day), UTC):%Y-%m-%d %H:%M} UTC on"


def link_of(replay: HandReplay, page: str = PAGE, *, named: bool = False) -> str:
    """Return the link to a hand that is over; with the names of the players if they are wanted.

    Raises InvalidLink for a hand of which there is none, or not yet.
    """
    if replay.day is not None and time.time() < over_since(replay.day):
        raise InvalidLink(f"it is a deal of the day; links come {links_come(replay.day)}")
    if replay.points is None or not replay.deal:
        raise InvalidLink("the hand is not over" if replay.deal else "the hand has no deal code")
    moon = []
    if replay.shooter is not None and replay.rules.moon is Moon.CHOICE:
        play = replay.game_at(replay.last).play
        assert play is not None
        on_others = hand_points(play.taken, replay.rules) == replay.points
        moon = [ChooseMoon(replay.shooter, on_others)]
    hand = LinkedHand(
        replay.rules,
        replay.end_score,
        replay.number,
        Deal.from_secret(*parse_deal_text(replay.deal)),
        (*replay.passes, *replay.plays, *moon),
        replay.before or _NONE,
        replay.own,
        replay.names if named else None,
    )
    return f"{page}#hand={format_link(hand)}"
