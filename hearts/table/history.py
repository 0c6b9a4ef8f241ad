"""What was decided at a table so far, and how one player was told of it.

Events follow from the steps alone, so a player who comes back is told what he missed by doing the
steps again from a point that he names (SocketSpec.md section 5.6).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from hearts.errors import HeartsError
from hearts.game.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES, mask_of
from hearts.game.deal import commitment
from hearts.game.events import Action, ChooseMoon, Deal, HandScored, Pass, Play
from hearts.game.game import Game, Phase
from hearts.game.scoring import Four
from hearts.game.view import seen_by, shown

from .events import (
    AgainSettled,
    DealDisclosed,
    DealPromised,
    GameBegun,
    GameScored,
    RulesAgreed,
    SessionTotals,
    TableEvent,
)
from .inputs import AnswerAgain, Question, Setting
from .steps import AskAgain, NewRules, Promise, SeatChange, Step

QUESTIONS = {
    Phase.PASS: Question.PASS,
    Phase.PLAY: Question.CARD,
    Phase.MOON: Question.MOON,
}
"""What is asked in a phase in which somebody has to choose."""


_ACTIONS = (Deal, Play, Pass, ChooseMoon)
_QUEEN = mask_of([QUEEN_OF_SPADES])
_JACK = mask_of([JACK_OF_DIAMONDS])


class SessionHistory:
    """The durable steps of a session, in order."""

    __slots__ = (
        "_asked",
        "_chosen_at",
        "_games",
        "_hands_before",
        "_joined",
        "_last_deal",
        "_promise",
        "_scored_at",
        "_settings",
        "_standings",
        "_steps",
        "seat_changes",
    )

    def __init__(self, setting: Setting, first_hand: int = 0) -> None:
        """``first_hand`` is the number of the first hand in its game, from 0."""
        self._settings = [setting]
        self._steps: list[Step] = []
        self._games = [0]
        """The first step of each game."""
        self._hands_before = [-first_hand]
        """How many hands of the session were scored before the first one of each game."""
        self._scored_at: list[int] = []
        """The step behind the last one of each hand."""
        self._chosen_at = [array("L") for _ in range(4)]
        """The steps that are choices of each player."""
        self._standings = [SessionTotals()]
        self._last_deal = 0
        self._promise: int | None = None
        self._asked = False
        self._joined = [(0, 0)] * 4
        """At which step each player joined, and how many hands were scored by then."""
        self.seat_changes: dict[int, SeatChange] = {}
        """The latest change of each seat that has changed hands."""

    def hands_scored(self, player: int | None = None) -> int:
        """For how many hands of the session Scores were sent, in all or to one player."""
        return len(self._scored_at) - (0 if player is None else self._joined[player][1])

    @property
    def game_actions(self) -> tuple[Action, ...]:
        """What was dealt and chosen in the game under way."""
        steps = self._steps[self._games[-1] :]
        return tuple(step for step in steps if isinstance(step, _ACTIONS))

    def is_between_hands(self, game: Game) -> bool:
        """Whether a game goes on whose next hand was neither dealt nor promised."""
        return game.phase is Phase.DEAL and self._promise is None

    def can_be_next(self, step: Step, game: Game) -> bool:
        """Whether a stored step may follow in a session that has come to this game."""
        match step:
            case NewRules():
                return True
            case AskAgain(player):
                over = game.phase is Phase.OVER and not self._asked
                return over and player in (None, 0, 1, 2, 3)
            case AnswerAgain(player):
                return self._asked and player in (-1, 0, 1, 2, 3)
            case Promise() | SeatChange():
                return self.is_between_hands(game)
            case _:
                if isinstance(step, Deal) and not self._keeps_promise(step):
                    return False
                try:
                    game.check(step)
                except HeartsError:
                    return False
                return True

    def _keeps_promise(self, deal: Deal) -> bool:
        return self._promise is None or self._steps[self._promise] == Promise(deal.secret or b"")

    def add(self, step: Step) -> None:
        """A step is durable."""
        match step:
            case Play() | Pass() | ChooseMoon():
                self._chosen_at[step.player].append(len(self._steps))
            case Deal():
                self._last_deal = len(self._steps) if self._promise is None else self._promise
                self._promise = None
            case Promise():
                self._promise = len(self._steps)
            case AskAgain():
                self._asked = True
            case AnswerAgain(player):
                self._asked = False
                if player >= 0:
                    self._chosen_at[player].append(len(self._steps))
            case SeatChange(seat):
                self.seat_changes[seat] = step
                self._joined[seat] = (len(self._steps), len(self._scored_at))
        self._steps.append(step)

    def note_scores(self, game: Game) -> None:
        """The latest step led to Scores, as the game has them."""
        self._scored_at.append(len(self._steps))
        self._standings.append(_after_hand(self._standings[-1], game))

    def note_game(self, setting: Setting) -> None:
        """A new game begins with the next step."""
        self._games.append(len(self._steps))
        self._hands_before.append(len(self._scored_at))
        self._settings.append(setting)

    def new_game(self) -> Game:
        """The latest game that was noted, before its first deal."""
        return self._game_before(len(self._steps), len(self._games) - 1)

    def decided(self, player: int, hands: int) -> int:
        """How many choices of a player :meth:`replay` brings that are decided already."""
        chosen = self._chosen_at[player]
        return len(chosen) - bisect_left(chosen, self._start(player, hands))

    def _start(self, player: int | None, hands: int) -> int:
        step, before = (0, 0) if player is None else self._joined[player]
        if hands < 0:
            return max(step, self._last_deal)
        scored = hands + before
        return max(step, self._scored_at[scored - 1] if scored else 0)

    def _game_at(self, start: int) -> int:
        return bisect_right(self._games, start) - 1

    def setting(self, player: int | None, hands: int) -> Setting:
        """What is played in the game in which :meth:`replay` begins."""
        return self._settings[self._game_at(self._start(player, hands))]

    def standing(self, player: int | None, hands: int) -> SessionTotals:
        """Where the players stood when :meth:`replay` begins."""
        start = self._start(player, hands)
        scored = bisect_right(self._scored_at, start)
        standing = self._standings[scored]
        if scored and self._scored_at[scored - 1] <= self._games[self._game_at(start)]:
            return SessionTotals(games=standing.games)
        return standing

    def replay(self, player: int | None, hands: int) -> Iterator[TableEvent | Question]:
        """What :meth:`replay_steps` brings, without a break."""
        for told in self.replay_steps(player, hands):
            yield from told

    def replay_steps(
        self, player: int | None, hands: int
    ) -> Iterator[Sequence[TableEvent | Question]]:
        """What a player was told and asked after the Scores of so many hands, step by step.

        ``hands`` is at most :meth:`hands_scored` of that player; with -1 it begins at the last
        hand dealt. None in place of the player is a watcher. A question that is not followed by
        the event of its answer is still open. Each item costs the work of one step, however little
        there is to tell. What is added while the iterator is in use comes too; where it begins is
        settled by this call.
        """
        return self._steps_from(self._start(player, hands), player)

    def _steps_from(
        self, index: int, player: int | None
    ) -> Iterator[Sequence[TableEvent | Question]]:
        steps = self._steps
        number = self._game_at(index)
        game = self._game_before(index, number)
        asked = steps[index - 1] if index else None
        if isinstance(asked, AskAgain) and asked.player is not None and asked.player == player:
            yield (Question.AGAIN,)
        promised = False
        while index < len(steps):
            step = steps[index]
            match step:
                case AskAgain(decider):
                    scored = GameScored(game.points, game.scores, game.winners, decider)
                    mine = decider is not None and decider == player
                    yield (scored, Question.AGAIN) if mine else (scored,)
                case AnswerAgain(who, yes, by):
                    settled = AgainSettled(who, yes, by)
                    if yes:
                        number += 1
                        setting = self._settings[number]
                        game = Game(setting.rules, setting.end_score)
                        yield (settled, GameBegun(setting))
                    else:
                        yield (settled,)
                case Promise(secret):
                    promised = True
                    yield (DealPromised(self._deal_number(index), commitment(secret)),)
                case NewRules(rules, end_score):
                    yield (RulesAgreed(rules, end_score),)
                case SeatChange():
                    yield ()
                case _:
                    items: list[TableEvent | Question] = []
                    if isinstance(step, Deal):
                        if step.secret is not None and not promised:
                            deal = self._deal_number(index)
                            items.append(DealPromised(deal, commitment(step.secret)))
                        promised = False
                    items += self._replay_action(game, step, player, self._deal_number(index))
                    yield items
            index += 1

    def _game_before(self, start: int, number: int) -> Game:
        """The game at a step that begins a hand: what was played before is a standing."""
        setting = self._settings[number]
        scored = bisect_right(self._scored_at, start)
        hands = scored - self._hands_before[number]
        scores = self._standings[scored].scores if hands else (0, 0, 0, 0)
        return Game(setting.rules, setting.end_score, scores, hands)

    def _deal_number(self, index: int) -> int:
        return bisect_right(self._scored_at, index) + 1

    def _replay_action(
        self, game: Game, action: Action, player: int | None, deal: int
    ) -> list[TableEvent | Question]:
        items: list[TableEvent | Question] = []
        for event in game.apply(action):
            if isinstance(event, HandScored):
                if game.secret is not None:
                    items.append(DealDisclosed(deal, game.secret, game.cuts))
                # The last hand of a game is told with who decides about another one.
                if event.winners:
                    continue
            seen = shown(event) if player is None else seen_by(event, player)
            if seen is not None:
                items.append(seen)
        if player in game.waiting_for() and (
            game.phase is not Phase.PASS or isinstance(action, Deal)
        ):
            items.append(QUESTIONS[game.phase])
        return items


def _after_hand(before: SessionTotals, game: Game) -> SessionTotals:
    assert game.play is not None
    taken = game.play.taken
    fresh = game.hand_number == 0
    zero: Four = (0, 0, 0, 0)
    return SessionTotals(
        game.scores,
        _add(zero if fresh else before.queens, [bool(cards & _QUEEN) for cards in taken]),
        _add(zero if fresh else before.jacks, [bool(cards & _JACK) for cards in taken]),
        _add(before.games, [player in game.winners for player in range(4)]),
    )


def _add(counts: Four, more: list[bool]) -> Four:
    a, b, c, d = (count + one for count, one in zip(counts, more, strict=True))
    return (a, b, c, d)
