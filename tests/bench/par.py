"""Pars of hands in records against the points that programs took in them.

``hearts-arena records FOLDER | python -m tests.bench.par reckon > FILE`` plays the games of the
pars. ``python -m tests.bench.par figures FILE...`` prints tables, ``plot FILE... > PLOT.svg`` draws
the points taken over the par, and ``chance FILE`` says what chance does with few games.
"""

from __future__ import annotations

import statistics
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import sqrt
from pathlib import Path

import msgspec

from hearts.bots.swift.par import dealt_game, games_from
from hearts.game.game import Game
from hearts.game.record import Reader, records_in
from hearts.game.scoring import Four
from hearts_arena.report.charts import Scale
from hearts_client.par.pars import DealtHand, recorded_hand

_MOON = 26
_BINS = (0, 1, 3, 6, 10, 15, 27)
"""The beginnings of the bins of pars, and the end of the last one."""
_SAME = {"one": "swift", "other": "swift"}
"""The players that names stand for."""
_MANY = 64
"""Games of a hand by which others are judged."""


class PlayedSeats(msgspec.Struct, frozen=True):
    """One hand: who sat where, what they took, and the points of the games of its par."""

    names: list[str]
    taken: Four
    games: list[Four]
    hand: DealtHand

    def par(self, seat: int) -> float:
        return statistics.mean(game[seat] for game in self.games)

    @property
    def moons(self) -> int:
        """The games in which somebody shot the moon."""
        return sum(sorted(game)[1] == _MOON for game in self.games)


def reckon(text: str) -> Iterator[PlayedSeats]:
    """Play the games of each hand that is over, each deal once."""
    known: dict[DealtHand, list[Four]] = {}
    for _, record in records_in(text):
        reader = Reader(record)
        for hand in reader.hands():
            dealt = recorded_hand(reader.game, hand)
            if dealt is None or hand.scored is None:
                continue
            if dealt not in known:
                known[dealt] = list(games_from(_begin(dealt)))
            yield PlayedSeats(list(reader.names), hand.scored.points, known[dealt], dealt)


def _begin(hand: DealtHand) -> Callable[[], Game]:
    return dealt_game(hand.dealt, hand.rules, hand.number)


Pairs = Sequence[tuple[float, float]]
"""Pars with what was taken."""


def by_player(hands: Sequence[PlayedSeats]) -> Mapping[str, Pairs]:
    """Sort the seats by whose they were, and who else sat there."""
    pairs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for hand in hands:
        names = [_SAME.get(name, name) for name in hand.names]
        for seat, name in enumerate(names):
            others = {*names[:seat], *names[seat + 1 :]}
            company = f"three `{others.pop()}`" if len(others) == 1 else "three others"
            pairs[f"`{name}` among {company}"].append((hand.par(seat), hand.taken[seat]))
    return pairs


def figures(hands: Sequence[PlayedSeats]) -> Iterator[str]:
    """Give the lines of the tables."""
    yield "| who | hands | taken | par | of the variance gone | with half of par | correlation |"
    yield "|---|---|---|---|---|---|---|"
    for who, pairs in by_player(hands).items():
        pars, taken = zip(*pairs, strict=True)
        gone, half = (_gone(pairs, share) for share in (1.0, 0.5))
        yield (
            f"| {who} | {len(pairs):,} | {statistics.mean(taken):.2f} "
            f"| {statistics.mean(pars):.2f} | {gone:.2f} | {half:.2f} "
            f"| {statistics.correlation(pars, taken):.2f} |"
        )
    yield ""
    yield "| games of the par with a moon | hands | variance gone | spread of a game |"
    yield "|---|---|---|---|"
    for low, high in ((0, 0), (1, 2), (3, 4), (5, 8)):
        some = [hand for hand in hands if low <= hand.moons <= high]
        if not some:
            continue
        pairs = [(hand.par(seat), hand.taken[seat]) for hand in some for seat in range(4)]
        spreads = [
            statistics.variance(game[seat] for game in hand.games)
            for hand in some
            for seat in range(4)
        ]
        yield (
            f"| {low} to {high} | {len(some):,} | {_gone(pairs, 1):.2f} "
            f"| {sqrt(statistics.mean(spreads)):.1f} |"
        )


def _gone(pairs: Pairs, share: float) -> float:
    """Return the share of the variance of points that goes with a share of the par."""
    left = statistics.variance(taken - share * par for par, taken in pairs)
    return 1 - left / statistics.variance(taken for _, taken in pairs)


def chance(hands: Sequence[PlayedSeats], most: int = 100) -> Iterator[str]:
    """Give the error of pars by the number of games, against the mean of many."""
    rows: defaultdict[int, list[float]] = defaultdict(list)
    for hand in hands[:most]:
        games = list(games_from(_begin(hand.hand), _MANY))
        for seat in range(4):
            points = [game[seat] for game in games]
            for number in (2, 4, 8, 16):
                means = [
                    statistics.mean(points[at : at + number]) for at in range(0, _MANY, number)
                ]
                rows[number].append(statistics.variance(means))
    for number, variances in rows.items():
        yield f"| {number} | {sqrt(statistics.mean(variances)):.2f} |"


_COLOURS = ("#1b6ca8", "#c2571a", "#3a7d44", "#7a4b9a", "#a02c2c", "#555555")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 420, 50, 440, 20, 380


def plot(hands: Sequence[PlayedSeats]) -> str:
    """Draw the mean of what was taken over the mean of the par, bin by bin of pars."""
    x, y = Scale(0, 24, _LEFT, _RIGHT), Scale(0, 24, _BOTTOM, _TOP)
    parts = []
    for place, text in x.ticks(5):
        parts.append(f'<text x="{place:.1f}" y="{_BOTTOM + 16}" text-anchor="middle">{text}</text>')
    for place, text in y.ticks(5):
        parts.append(f'<path d="M{_LEFT} {place:.1f}H{_RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{text}</text>')
    parts.append(
        f'<path d="M{_LEFT} {_BOTTOM}L{_RIGHT} {_TOP}" stroke="#999" stroke-dasharray="4"/>'
    )
    parts.append(
        f'<text x="{(_LEFT + _RIGHT) / 2}" y="{_BOTTOM + 34}" text-anchor="middle">par</text>'
    )
    parts.append(f'<text x="{_LEFT}" y="{_TOP - 8}" text-anchor="middle">points taken</text>')
    shown = [(who, pairs) for who, pairs in by_player(hands).items() if "three `swift`" in who]
    for number, (who, pairs) in enumerate(shown):
        colour = _COLOURS[number % len(_COLOURS)]
        dots = list(_dots(pairs))
        line = "L".join(f"{x.at(par):.1f} {y.at(taken):.1f}" for par, taken, _ in dots)
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for par, taken, error in dots:
            at, top, low = x.at(par), y.at(taken + error), y.at(taken - error)
            parts.append(f'<path d="M{at:.1f} {top:.1f}V{low:.1f}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{at:.1f}" cy="{y.at(taken):.1f}" r="3" fill="{colour}"/>')
        text = f'<text x="{_RIGHT + 12}" y="{_TOP + 18 * number + 10}" fill="{colour}">'
        parts.append(f"{text}{who.replace('`', '')}</text>")
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            'font-family="sans-serif" font-size="12">',
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            *parts,
            "</svg>\n",
        )
    )


def _dots(pairs: Pairs) -> Iterator[tuple[float, float, float]]:
    """Give for each bin the mean par, the mean of what was taken, and its standard error."""
    for low, high in pairwise(_BINS):
        some = [(par, taken) for par, taken in pairs if low <= par < high]
        if len(some) > 10:
            pars, taken = zip(*some, strict=True)
            error = statistics.stdev(taken) / sqrt(len(some))
            yield statistics.mean(pars), statistics.mean(taken), error


def main(arguments: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m tests.bench.par", description=__doc__)
    parser.add_argument("act", choices=("reckon", "figures", "plot", "chance"))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--most", type=int, help="with reckon: only so many hands")
    given = parser.parse_args(arguments)
    if given.act == "reckon":
        for hand in islice(reckon(sys.stdin.read()), given.most):
            print(msgspec.json.encode(hand).decode(), flush=True)
        return 0
    lines = [line for file in given.files for line in file.read_bytes().splitlines()]
    hands = [msgspec.json.decode(line, type=PlayedSeats) for line in lines]
    match given.act:
        case "plot":
            print(plot(hands), end="")
        case "chance":
            print(*chance(hands), sep="\n")
        case _:
            print(*figures(hands), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
