"""A referee that shares no code with the project: it checks a table by what its clients saw.

It takes the transcripts of one table's clients (`client.Fact`, by player) and plays the session
again under its own reading of SocketSpec.md, sections 4 and 6. Every card that a hand has played
is known at its end, so players without a transcript (computers, lost clients) are judged too.
A transcript may end early, where its client left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .plain_client import Fact
from .rules import (
    DECK,
    HEARTS,
    QUEEN_S,
    TWO_C,
    Foul,
    SpecRules,
    finish,
    need,
    points_of,
    strength,
    suit_of,
    verdicts,
    worth,
)

__all__ = ["Foul", "Laid", "Referee", "TableReport"]


@dataclass(slots=True)
class TableReport:
    """What happened at the table, for tests to see that they have shown something."""

    games: int = 0
    hands: int = 0
    shooters: list[int] = field(default_factory=list)
    refusals: Counter[int] = field(default_factory=Counter)
    """How often each negative status came for a card."""
    bad_passes: int = 0
    forced: Counter[int] = field(default_factory=Counter)
    """How many passes and cards the server chose, by player."""
    decisions: list[int] = field(default_factory=list)
    """What the shooters chose, as the server took it."""
    scores: list[tuple[int, ...]] = field(default_factory=list)
    """The scores after each game."""
    winners: list[tuple[int, ...]] = field(default_factory=list)


@dataclass(slots=True)
class Laid:
    """One card on the table: what its player tried first, and whether the server chose it."""

    player: int
    card: int
    tries: list[tuple[int, int]] = field(default_factory=list)
    forced: bool = False


class Referee:
    """Judges one session at one table."""

    def __init__(
        self, transcripts: Mapping[int, Sequence[Fact]], *, came_back: bool = False
    ) -> None:
        """``came_back``: clients were away at times, so any of them may be asked to go on."""
        self.report = TableReport()
        self._came_back = came_back
        self._facts = {seat: list(facts) for seat, facts in sorted(transcripts.items())}
        self._at = dict.fromkeys(self._facts, 0)

    # -- reading the transcripts --

    def _present(self) -> list[int]:
        return [seat for seat in self._facts if self._peek(seat) is not None]

    def _peek(self, seat: int) -> Fact | None:
        facts, at = self._facts[seat], self._at[seat]
        return None if at == len(facts) or facts[at].kind == "end" else facts[at]

    def _take(self, seat: int, kind: str) -> tuple[int, ...] | None:
        fact = self._peek(seat)
        if fact is None:
            return None
        need(fact.kind == kind, "player {} has {} where {!r} is due", seat, fact, kind)
        self._at[seat] += 1
        return fact.numbers

    def _common(self, kind: str) -> tuple[int, ...] | None:
        """What all clients saw alike; None when nobody is left."""
        seen = {
            seat: numbers for seat in self._facts if (numbers := self._take(seat, kind)) is not None
        }
        need(len(set(seen.values())) <= 1, "the clients disagree about {!r}: {}", kind, seen)
        return next(iter(seen.values()), None)

    # -- the session --

    def judge(self) -> TableReport:
        """Check everything; raises Foul with the first fault."""
        self._seats()
        more = 1
        while more == 1 and self._present():
            more = self._game()
        for seat, facts in self._facts.items():
            need(more == 1 or self._peek(seat) is None, "player {} saw more after the end", seat)
            need(all(f.kind != "refused" for f in facts), "player {} was refused", seat)
        return self.report

    def _seats(self) -> None:
        names, games = set(), set()
        for seat in self._facts:
            while (fact := self._peek(seat)) is not None and fact.kind in ("player", "listed"):
                self._at[seat] += 1
            if fact is None:
                continue
            names.add(fact.texts)
            numbers = self._take(seat, "seated") or ()
            need(numbers[0] == seat, "player {} was seated as {}", seat, numbers[0])
            need(numbers[1] > 0 and numbers[2] >= 0, "game {}, Game ID {}", numbers[1], numbers[2])
            games.add(numbers[1])
        need(len(names) <= 1 and len(games) <= 1, "different tables: {}, games {}", names, games)

    def _game(self) -> int:
        table = self._common("table")
        if table is None:
            return 0
        version, bits, end, _, computers = table
        need(version == 1, "version {}", version)
        need(all(not computers >> seat & 1 for seat in self._facts), "a client is a computer")
        rules = SpecRules.read(bits)
        scores = [0, 0, 0, 0]
        for number in range(100_000):
            points = self._hand(rules, number)
            if points is None:
                return 1
            over = self._scores(rules, end, scores, points)
            if over is None:
                return 1
            if over:
                self.report.games += 1
                self.report.scores.append(tuple(scores))
                return self._new_game(computers)
        raise Foul("a game without end")

    def _scores(
        self, rules: SpecRules, end: int, scores: list[int], points: list[list[int]]
    ) -> bool | None:
        """Check Scores; `points` are the ways in which the hand may have been counted."""
        seen = {
            seat: numbers
            for seat in self._facts
            if (numbers := self._take(seat, "scores")) is not None
        }
        if not seen:
            return None
        fitting = []
        for way in points:
            after = [a + b for a, b in zip(scores, way, strict=True)]
            fitting.append(finish(rules, end, after))
        told = {numbers[:4] for numbers in seen.values()}
        need(len(told) == 1, "the clients disagree about scores: {}", seen)
        match = [ending for ending in fitting if tuple(ending[0]) in told]
        need(bool(match), "scores {} where one of {} is right", told, fitting)
        scores[:], over, winners = match[0]
        flag = int(over) + sum(4 << player for player in winners)
        asked = [seat for seat, numbers in seen.items() if numbers[4] & 2]
        for seat, numbers in seen.items():
            need(numbers[4] & ~2 == flag, "player {}: flag {}, not {}", seat, numbers[4], flag)
        need(len(asked) <= int(over), "asked about another game: {}", asked)
        if over:
            self.report.winners.append(tuple(winners))
        return over

    def _new_game(self, computers: int) -> int:
        """Check who was asked and what came of it."""
        answer = None
        for seat in self._present():
            fact = self._peek(seat)
            if fact is not None and fact.kind == "again":
                choice, status = self._take(seat, "again") or (0, 0)
                need(status in (0, 1, 2), "status {} about another game", status)
                answer = (choice != 0, False, True)[status]
                all_clients = all(p in self._facts or computers >> p & 1 for p in range(4))
                # A stand-in may play for somebody who was forced before; they are not asked.
                before = (other for other in self._present() if other < seat)
                due = self._came_back or not all_clients
                due = due or all(self.report.forced[other] for other in before)
                need(due, "player {} was asked", seat)
        told = self._common("new game")
        if told is None:
            return 0
        need(told[0] in (0, 1), "New game {}", told[0])
        need(answer is None or bool(told[0]) == answer, "{} was answered, {} came", answer, told[0])
        return told[0]

    # -- one hand --

    def _hand(self, rules: SpecRules, number: int) -> list[list[int]] | None:
        """The points of the next hand, in each way that they may be counted; None: cut off."""
        if not self._present():
            return None
        dealt = {
            seat: cards for seat in self._facts if (cards := self._take(seat, "hand")) is not None
        }
        for seat, cards in dealt.items():
            need(len(set(cards)) == 13 and list(cards) == sorted(cards), "{}: hand {}", seat, cards)
            need(set(cards) <= set(DECK), "player {} was dealt {}", seat, cards)
        together = [card for cards in dealt.values() for card in cards]
        need(len(together) == len(set(together)), "a card was dealt twice")
        direction = self._common("pass")
        if direction is None:
            return None
        need(direction[0] == rules.direction(number), "hand {}: pass {}", number, direction[0])
        hands = {seat: list(cards) for seat, cards in dealt.items()}
        if direction[0]:
            self._passes(hands, (0, 1, 3, 2)[direction[0]])
        tricks: list[list[Laid]] = []
        tallies: list[tuple[int, ...]] = []
        for _ in range(13):
            trick = self._trick(hands)
            tally = self._common("tallies") if trick else None
            if trick is None or tally is None:
                return None
            tricks.append(trick)
            tallies.append(tally)
        held = {seat: set(cards) for seat, cards in hands.items()}
        self._replay(rules, number, held, tricks, tallies)
        self.report.hands += 1
        return self._moon(rules, tricks, tallies)

    def _passes(self, hands: dict[int, list[int]], step: int) -> None:
        given: dict[int, tuple[int, ...]] = {}
        indexes: dict[int, tuple[int, ...]] = {}
        for seat, cards in hands.items():
            tries = 0
            while (numbers := self._take(seat, "passing")) is not None:
                *chosen, status = numbers
                fits = len(set(chosen)) == 3 and set(chosen) <= set(range(13))
                need(fits or status != 0, "player {}: the pass {} was accepted", seat, chosen)
                need(not fits or status >= 0, "player {}: the pass {} was refused", seat, chosen)
                need(status in (-1, 0, 1), "player {}: status {} for a pass", seat, status)
                tries += 1
                self.report.bad_passes += status < 0
                if status == 0:
                    indexes[seat] = tuple(chosen)
                elif status == 1 and (named := self._take(seat, "passed for me")) is not None:
                    indexes[seat] = named
                    self.report.forced[seat] += 1
                if status >= 0:
                    break
                need(tries < 10, "player {} had {} tries to pass", seat, tries)
            if seat in indexes:
                need(len(set(indexes[seat])) == 3, "player {} passed {}", seat, indexes[seat])
                given[seat] = tuple(sorted(cards[index] for index in indexes[seat]))
        for seat in list(hands):
            received = self._take(seat, "received")
            if received is None:
                del hands[seat]
                continue
            need(list(received) == sorted(received), "player {} received {}", seat, received)
            giver = (seat - step) % 4
            need(given.get(giver, received) == received, "{} received {}", seat, received)
            for index, card in zip(indexes[seat], received, strict=True):
                hands[seat][index] = card

    def _trick(self, hands: Mapping[int, Sequence[int]]) -> list[Laid] | None:
        """What the clients saw of a trick, put together; None if nobody saw it all."""
        leader = self._common("leads")
        if leader is None:
            return None
        trick = []
        for place in range(4):
            player = (leader[0] + place) % 4
            play = self._own_play(player, hands)
            for seat in self._facts:
                if seat == player or (numbers := self._take(seat, "saw")) is None:
                    continue
                need(numbers[0] == player, "player {} saw {} as {} played", seat, numbers, player)
                if play is None:
                    play = Laid(player, numbers[1])
                need(
                    play.card == numbers[1], "player {} saw {}, not {}", seat, numbers[1], play.card
                )
            if play is None:
                return None
            trick.append(play)
        return trick

    def _own_play(self, player: int, hands: Mapping[int, Sequence[int]]) -> Laid | None:
        if player not in hands:
            return None
        tries: list[tuple[int, int]] = []
        while (numbers := self._take(player, "play")) is not None:
            index, status = numbers
            cards = hands[player]
            card = cards[index] if 0 <= index < 13 else 0
            if status > 0:
                need(status <= 13, "player {}: status {}", player, status)
                return Laid(player, cards[status - 1], tries, forced=True)
            if status == 0:
                return Laid(player, card, tries)
            tries.append((card, status))
            need(len(tries) < 10, "player {} had {} illegal tries", player, len(tries))
        return None

    def _replay(
        self,
        rules: SpecRules,
        number: int,
        held: dict[int, set[int]],
        tricks: Sequence[Sequence[Laid]],
        tallies: Sequence[Sequence[int]],
    ) -> None:
        """Play the hand again with all four hands open."""
        hands: dict[int, set[int]] = {player: set() for player in range(4)}
        for trick in tricks:
            for play in trick:
                hands[play.player].add(play.card)
        for seat, cards in held.items():
            need(hands[seat] == cards, "player {} held {}, played {}", seat, cards, hands[seat])
        need(all(len(cards) == 13 for cards in hands.values()), "not 13 cards each")
        need(set().union(*hands.values()) == set(DECK), "not the 52 cards")
        leader = number % 4 if rules.rotate else next(p for p in hands if TWO_C in hands[p])
        broken = False
        points = [0, 0, 0, 0]
        for place, (trick, tally) in enumerate(zip(tricks, tallies, strict=True)):
            need(trick[0].player == leader, "trick {}: {} leads", place, trick[0].player)
            lying: list[int] = []
            for play in trick:
                statuses = verdicts(rules, hands[play.player], lying, place == 0, broken)
                for card, status in play.tries:
                    due = statuses.get(card, -1)
                    need(status == due, "status {} for card {}, {} is right", status, card, due)
                    self.report.refusals[status] += 1
                need(statuses[play.card] == 0, "{} has status {}", play, statuses[play.card])
                self.report.forced[play.player] += play.forced
                hands[play.player].remove(play.card)
                lying.append(play.card)
                broken |= suit_of(play.card) == HEARTS
                broken |= play.card == QUEEN_S and not rules.queen_keeps
            winner = max(
                (play for play in trick if suit_of(play.card) == suit_of(lying[0])),
                key=lambda play: strength(play.card),
            ).player
            points[winner] += sum(worth(rules, card) for card in lying)
            need(tuple(tally) == (winner, *points), "tallies {}, not {} {}", tally, winner, points)
            leader = winner

    # -- counting --

    def _moon(
        self, rules: SpecRules, tricks: Sequence[Sequence[Laid]], tallies: Sequence[Sequence[int]]
    ) -> list[list[int]] | None:
        """Check Moon and what the shooter chose; the points in each way still possible."""
        takers: dict[int, set[int]] = {player: set() for player in range(4)}
        for trick, tally in zip(tricks, tallies, strict=True):
            takers[tally[0]].update(play.card for play in trick)
        shooter = next((p for p in takers if takers[p] >= {*range(1, 14), QUEEN_S}), -1)
        present = self._present()
        decided: int | None = None
        for seat in present:
            told = self._take(seat, "moon")
            due = (shooter, int(shooter == seat and rules.moon == 2))
            need(told == due, "player {}: moon {}, not {}", seat, told, due)
            tries = 0
            while due[1] and (numbers := self._take(seat, "deciding")) is not None:
                choice, status = numbers
                need(status != 0 or choice in (0, 1), "{} was accepted for the moon", choice)
                need(status >= 0 or choice not in (0, 1), "{} was refused for the moon", choice)
                need(status in (-1, 0, 1, 2), "status {} for the moon", status)
                tries += 1
                need(tries < 10 or status > 0, "{} tries to decide the moon", tries)
                if status >= 0:
                    decided = choice if status == 0 else status - 1
                    self.report.decisions.append(decided)
                    break
        if not present:
            return None
        if shooter >= 0:
            self.report.shooters.append(shooter)
        ways = {0: [1], 1: [0], 2: [0, 1] if decided is None else [decided]}[rules.moon]
        return [points_of(rules, takers, shooter, way) for way in ways]
