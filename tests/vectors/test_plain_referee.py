"""The hands of the transcripts stand up to a referee that shares no code with the project."""

from __future__ import annotations

from collections import Counter

from hearts.game import events
from hearts.game.cards import Card
from hearts.session.client_events import (
    AgainAnswered,
    AnotherGame,
    CameBack,
    ChoiceRefused,
    DealerEvent,
    Seated,
)
from hearts.session.messages import Scores, TableInfo
from hearts.table.inputs import Question
from tests.independent.client import Fact
from tests.independent.referee import Referee

from .test_plain_client import VISITS, play

_TRIED = {Question.PASS: "passing", Question.CARD: "play", Question.MOON: "deciding"}


class Witness:
    """Puts what our client heard and chose into the words of the referee."""

    def __init__(self) -> None:
        self.me = -1
        self._chosen: tuple[int, ...] = ()
        self._hand: list[Card] = []
        self._passed: list[int] = []

    def chose(self, values: tuple[int, ...]) -> None:
        self._chosen = values

    def facts(self, event: DealerEvent) -> list[Fact]:
        match event:
            case Seated(who, names):
                self.me = who.player
                return [Fact("seated", (who.player, who.game_number, who.game_id), names)]
            case TableInfo(rules, end, limit, computers):
                bits = sum(1 << player for player in computers)
                return [Fact("table", (1, rules.bits, end, limit, bits))]
            case events.YourHand(_, direction, cards):
                self._hand = list(cards)
                numbers = tuple(card.wire for card in cards)
                return [Fact("hand", numbers), Fact("pass", (direction,))]
            case ChoiceRefused(question, reason):
                return [Fact(_TRIED[question], (*self._chosen, reason))]
            case events.PassMade(_, cards, by):
                self._passed = [self._hand.index(card) for card in cards]
                if by is events.ChosenBy.PLAYER:
                    return [Fact("passing", (*self._chosen, 0))]
                return [Fact("passing", (0, 1, 2, 1)), Fact("passed for me", tuple(self._passed))]
            case events.CardsReceived(cards):
                for index, card in zip(self._passed, cards, strict=True):
                    self._hand[index] = card
                return [Fact("received", tuple(card.wire for card in cards))]
            case events.TrickBegun(leader):
                return [Fact("leads", (leader,))]
            case events.CardPlayed(player, card, by):
                if player != self.me:
                    return [Fact("saw", (player, card.wire))]
                status = 0 if by is events.ChosenBy.PLAYER else self._hand.index(card) + 1
                return [Fact("play", (*(self._chosen[:1] or (0,)), status))]
            case events.TrickTaken(winner, points):
                return [Fact("tallies", (winner, *points))]
            case events.TricksDone(shooter, decide):
                return [Fact("moon", (-1 if shooter is None else shooter, int(decide)))]
            case events.MoonChosen(_, on_others, by):
                status = 0 if by is events.ChosenBy.PLAYER else 1 + on_others
                return [Fact("deciding", (int(on_others), status))]
            case Scores(scores, winners, you_decide):
                flag = bool(winners) + 2 * you_decide + sum(4 << player for player in winners)
                return [Fact("scores", (*scores, flag))]
            case AgainAnswered(yes, by):
                return [Fact("again", (int(yes), 0 if by is events.ChosenBy.PLAYER else 1 + yes))]
            case AnotherGame(follows):
                return [Fact("new game", (int(follows),))]
            case _:
                return []


def test_the_referee_agrees() -> None:
    hands = games = forced = 0
    refusals: Counter[int] = Counter()
    shooters: Counter[int] = Counter()
    decisions: Counter[int] = Counter()
    for visit in VISITS:
        witness = Witness()
        facts: list[Fact] = []
        log = play(visit.lines)
        if any(isinstance(entry, CameBack) for entry in log):
            continue  # The referee wants to see a session from its beginning.
        for entry in log:
            if isinstance(entry, tuple):
                witness.chose(entry)
            else:
                facts += witness.facts(entry)
        if witness.me < 0:
            continue
        report = Referee({witness.me: [*facts, Fact("end")]}).judge()
        hands += report.hands
        games += report.games
        forced += sum(report.forced.values())
        refusals += report.refusals
        shooters.update(report.shooters)
        decisions.update(report.decisions)
    assert hands >= 35
    assert games >= 14
    assert forced >= 9
    assert set(refusals) == {-2, -4, -5, -6, -7}
    assert set(shooters) == {0, 3}
    assert set(decisions) == {0, 1}
