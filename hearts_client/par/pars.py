"""Pars of hands that are over: kept beside the records, and reckoned off the loop, newest first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import trio
from msgspec import Struct

from hearts.bots.swift.bot import shipped_network
from hearts.bots.swift.par import GAMES, Par, dealt_game, games_from, has_par, par_of
from hearts.game.cards import four
from hearts.game.deal import Hands
from hearts.game.game import Game
from hearts.game.record import PlayedHand
from hearts.game.rules import Rules
from hearts.net.files import write_whole
from hearts_client.session.replay import HandReplay
from hearts_client.session.saved import write_in_time

from .par_words import about

FILE = "pars.kept"
MOST = 5000
"""Pars that are kept; twice as many lines may stand in the file until it is written anew."""
_LINE = re.compile(r"([0-9a-f]{24})((?: -?[0-9]{1,6}){8})")
_LARGEST = 1_000_000
"""Bytes of the file that are read."""
_MOST_ASKED = 1000


class DealtHand(Struct, frozen=True, gc=False):
    """All of a hand that its par depends on."""

    dealt: Hands
    rules: Rules
    number: int
    """That of the hand in its game, from 0."""

    @property
    def key(self) -> str:
        """Its name in the file, another one for another network."""
        told = f"{shipped_network().checksum} {GAMES} {self.rules} {self.number} {self.dealt}"
        return hashlib.sha256(told.encode()).hexdigest()[:24]

    def reckon(self) -> Par:
        """Play the games; that takes a tenth of a second or two."""
        return par_of(games_from(dealt_game(self.dealt, self.rules, self.number)))


def dealt_hand(hand: HandReplay) -> DealtHand | None:
    """Return the hand that a par is reckoned of; None if it is not over, or has no par."""
    if hand.scores is None or not has_par(hand.rules, hand.end_score, hand.before):
        return None
    return DealtHand(hand.dealt, hand.rules, hand.number - 1)


def usual_costs(hand: HandReplay) -> list[str]:
    """Reckon what a hand usually costs each seat, such as "12 +-3"; empty if it has no par."""
    dealt = dealt_hand(hand)
    par = None if dealt is None else dealt.reckon()
    return [] if par is None else [about(par, player) for player in range(4)]


def recorded_hand(game: Game, hand: PlayedHand) -> DealtHand | None:
    """Return the same of a hand of a record that is just over in its game."""
    if hand.scored is None or not has_par(game.rules, game.end_score, hand.before):
        return None
    return DealtHand(hand.deal.hands, game.rules, game.hand_number)


class ParFile:
    """The pars that are kept in a folder. A file that is damaged holds what can be read of it."""

    def __init__(self, folder: Path | None) -> None:
        """``folder`` is where records are kept; None keeps pars no longer than this program."""
        self._path = None if folder is None else folder / FILE
        self._pars: dict[str, Par] = {}
        text = ""
        try:
            if self._path is not None:
                with self._path.open("rb") as file:
                    text = file.read(_LARGEST).decode("utf-8", "replace")
        except OSError:
            pass  # There is none, or it is reckoned again.
        self._lines = 0
        for line in text.splitlines():
            self._lines += 1
            if found := _LINE.fullmatch(line):
                numbers = list(map(int, found[2].split()))
                self._pars[found[1]] = Par(GAMES, four(numbers[:4]), four(numbers[4:]))

    def find(self, hand: DealtHand) -> Par | None:
        return self._pars.get(hand.key)

    def keep(self, hand: DealtHand, par: Par) -> None:
        """Keep a par. Raises OSError."""
        self._pars[hand.key] = par
        while len(self._pars) > MOST:
            del self._pars[next(iter(self._pars))]
        if self._path is None:
            return
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lines += 1
        if self._lines > 2 * MOST:
            self._lines = len(self._pars)
            write_whole(self._path, "".join(_line(*each) for each in self._pars.items()))
        else:
            self._path.touch(mode=0o600)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(_line(hand.key, par))


def _line(key: str, par: Par) -> str:
    # The line break stands before it, so that one that was cut short spoils no other.
    return "\n" + " ".join(map(str, (key, *par.sums, *par.squares)))


async def reckoned(pars: ParFile, hand: DealtHand) -> Par:
    """Return the par of a hand; if it is not kept, a thread plays one game after the other."""
    par = await trio.to_thread.run_sync(pars.find, hand)
    if par is None:
        games = games_from(dealt_game(hand.dealt, hand.rules, hand.number))
        par = par_of([await trio.to_thread.run_sync(next, games) for _ in range(GAMES)])
        # Where nothing can be written it is reckoned again the next time.
        await write_in_time(partial(pars.keep, hand, par))
    return par


async def pars_of(pars: ParFile | None, hands: Iterable[HandReplay]) -> dict[int, Par]:
    """Return the pars of hands that are over, by their numbers in their game.

    Without a file they are reckoned without a thread, and a few hands hold nobody up for long.
    """
    found = {}
    for hand in hands:
        if (dealt := dealt_hand(hand)) is not None:
            found[hand.number] = dealt.reckon() if pars is None else await reckoned(pars, dealt)
            await trio.lowlevel.checkpoint()
    return found


GivePar = Callable[[Par | None], None]
"""Gets a par; None if the hand has none under its rules."""
Reckon = Callable[[HandReplay, GivePar], None]
"""Asks for the par of a hand that is over; it comes later, and never for one that is not over."""


class Reckoner:
    """Reckons pars in a thread, one game after the other, while the program runs."""

    def __init__(self) -> None:
        self._asked: dict[DealtHand, tuple[ParFile, list[GivePar]]] = {}
        self._is_asked = trio.Event()

    def ask(self, pars: ParFile, hand: HandReplay, give: GivePar) -> None:
        """See :data:`Reckon`; the par is kept in ``pars``. What is asked last comes first."""
        dealt = dealt_hand(hand)
        if dealt is not None:
            self.want(pars, dealt, give)
        elif hand.scores is not None:
            give(None)

    def want(self, pars: ParFile, hand: DealtHand, give: GivePar) -> None:
        _, gives = self._asked.pop(hand, (pars, []))
        self._asked[hand] = pars, [*gives, give]
        while len(self._asked) > _MOST_ASKED:
            del self._asked[next(iter(self._asked))]
        self._is_asked.set()

    async def run(self) -> None:
        """Reckon what is asked, until cancelled."""
        while True:
            await self._is_asked.wait()
            hand = next(reversed(self._asked))
            pars, _ = self._asked[hand]
            par = await reckoned(pars, hand)
            _, gives = self._asked.pop(hand, (pars, []))
            if not self._asked:
                self._is_asked = trio.Event()
            for give in gives:
                give(par)
