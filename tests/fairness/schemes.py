"""What hosts try, to give the victim bad hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from hearts.dealer.frames import MessageType
from hearts.game.cards import four
from hearts.game.cuts import VALUE_BYTES, hash_of, shown_cuts
from hearts.game.deal import SECRET_BYTES
from hearts.game.events import Deal
from hearts.table.effects import DealPromised
from hearts.table.steps import Promise, format_step

from .fair_table import VICTIM, CheatedTable, Scheme
from .ranks import badness

TRIES = 16
"""Secrets or values of which a host takes the worst for the victim."""
_BAD = 8.0
"""The badness of a hand with which a host is content."""


def worst_secret(table: CheatedTable, values: dict[int, bytes]) -> bytes:
    secrets = [table.draw.randbytes(SECRET_BYTES) for _ in range(TRIES)]
    return max(secrets, key=lambda secret: badness(table.victims_hand(secret, values)))


def worst_value(table: CheatedTable, puppet: int, values: dict[int, bytes]) -> bytes:
    """The value of a puppet that is worst for the victim with the values of others."""
    secret = table.promise.secret
    own = [table.draw.randbytes(VALUE_BYTES) for _ in range(TRIES)]
    return max(own, key=lambda each: badness(table.victims_hand(secret, {**values, puppet: each})))


class Honest(Scheme):
    """Does nothing."""


class DrawsLast(Scheme):
    """Draws the secret when all hashes are said, for own values that are known."""

    def draw(self, table: CheatedTable) -> bytes:
        return worst_secret(table, table.next_values())


class TriesOtherValues(Scheme):
    """A puppet answers with a value that was found when the victim's was known."""

    def shown(self, table: CheatedTable, value: bytes) -> None:
        table.let_through()
        for puppet in table.puppets:
            table.say(puppet, worst_value(table, puppet.player, {VICTIM: value}))
        table.show_all()


class DropsAndKills(Scheme):
    """Breaks the connection with the value on its way, or kills the server, and looks again."""

    def __init__(self) -> None:
        self._shown: set[bytes] = set()

    def draw(self, table: CheatedTable) -> bytes:
        return worst_secret(table, table.next_values())

    def shown(self, table: CheatedTable, value: bytes) -> None:
        is_new = value not in self._shown
        self._shown.add(value)
        if not is_new:
            super().shown(table, value)
        elif len(self._shown) % 2:
            table.drop_victim()
        else:
            table.restart()


class Withholds(Scheme):
    """Puppets show their values if that is worse for the victim than if they do not."""

    def shown(self, table: CheatedTable, value: bytes) -> None:
        table.let_through()
        secret = table.promise.secret
        ways: list[dict[int, bytes]] = [{VICTIM: value}]
        for player, own in table.own_values().items():
            ways += [{**way, player: own} for way in ways]
        worst = max(ways, key=lambda values: badness(table.victims_hand(secret, values)))
        for puppet in table.puppets:
            if puppet.player in worst:
                table.show(puppet)


class DropsAtTheShowing(Scheme):
    """Wants the deal without the victim's value, and lets them have no connection until then."""

    def draw(self, table: CheatedTable) -> bytes:
        return worst_secret(table, table.next_values())

    def asked(self, table: CheatedTable) -> None:
        if len(table.dealt) % 2:
            table.show_all()
            table.drop_victim(keep_off=True)


class Forger(Scheme):
    """Kills the server in every second deal, and changes the promise in the store before it lives.

    With ``lies`` the wires go on telling the victim what was promised first.
    """

    def __init__(self, *, lies: bool = False) -> None:
        self._lies = lies
        self._told: dict[int, DealPromised] = {}
        self._forged = 0
        """The deal whose promise was changed last."""

    def draw(self, table: CheatedTable) -> bytes:
        return worst_secret(table, table.next_values())

    def told(self, table: CheatedTable, promise: DealPromised) -> DealPromised:
        first = self._told.setdefault(promise.deal, promise)
        return first if self._lies else promise

    def is_time(self, table: CheatedTable) -> bool:
        """Tell whether a promise is to be changed."""
        deal = len(table.dealt) + 1
        if deal % 2 or deal == self._forged:
            return False
        self._forged = deal
        return True

    def shown(self, table: CheatedTable, value: bytes) -> None:
        if self.is_time(table):
            self.forge(table, value)
        else:
            super().shown(table, value)

    def asked(self, table: CheatedTable) -> None:
        # A victim who shows nothing is waited for; the puppets are not.
        table.show_all()

    def forge(self, table: CheatedTable, value: bytes) -> None:
        """Change what is stored, now that the value is known."""
        raise NotImplementedError


def put(table: CheatedTable, *steps: Promise | Deal) -> None:
    """Start the server again with these steps in the place of the promise that was stored last."""
    table.restart([*table.lines[:-1], *map(format_step, steps)])


def deal_of(promise: Promise, values: dict[int, bytes]) -> Deal:
    four = [values.get(player, b"") for player in range(4)]
    return Deal.from_shown(promise.secret, shown_cuts(promise.hashes, four))


def with_hash(promise: Promise, player: int, digest: bytes) -> Promise:
    """The promise with another hash of a player."""
    hashes = list(promise.hashes)
    hashes[player] = digest
    return replace(promise, hashes=four(hashes))


class OtherSecret(Forger):
    """Deals by another secret."""

    def forge(self, table: CheatedTable, value: bytes) -> None:
        values = {**table.own_values(), VICTIM: value}
        promise = replace(table.promise, secret=worst_secret(table, values))
        put(table, promise, deal_of(promise, values))


class HidesTheProof(OtherSecret):
    """The same, and the victim is not told the proof."""

    def hides(self, table: CheatedTable, type: int) -> bool:
        return type == MessageType.DEAL_PROOF and self._forged == len(table.dealt)


class HidesAll(Scheme):
    """The victim is told of no promise and no proof, and asked for no value."""

    def hides(self, table: CheatedTable, type: int) -> bool:
        return type in (MessageType.DEAL_COMMITMENT, MessageType.CUT, MessageType.DEAL_PROOF)


class OtherHash(Forger):
    """Deals by another value of a puppet, whose hash is promised now."""

    def forge(self, table: CheatedTable, value: bytes) -> None:
        values = {**table.own_values(), VICTIM: value}
        puppet = table.puppets[0].player
        values[puppet] = worst_value(table, puppet, values)
        promise = with_hash(table.promise, puppet, hash_of(values[puppet]))
        put(table, promise, deal_of(promise, values))


class LeftOut(Forger):
    """Deals without the value, though it came."""

    def forge(self, table: CheatedTable, value: bytes) -> None:
        put(table, table.promise, deal_of(table.promise, table.own_values()))


class AsksAgain(Forger):
    """Promises by another secret, and asks for the value that is known."""

    def forge(self, table: CheatedTable, value: bytes) -> None:
        values = {**table.own_values(), VICTIM: value}
        put(table, replace(table.promise, secret=worst_secret(table, values)))


class PowerCut(Forger):
    """Has forgotten the promise, and makes another one."""

    def forge(self, table: CheatedTable, value: bytes) -> None:
        put(table)


class ClaimsPowerCuts(Scheme):
    """Forgets each second promise until the hand that it gives is bad, and whatever is counted.

    A client says how many hands it has had; one that is refused with -103 says -1.
    """

    def __init__(self) -> None:
        self._redrawn: dict[int, int] = {}

    def shown(self, table: CheatedTable, value: bytes) -> None:
        deal = len(table.dealt) + 1
        tries = self._redrawn.get(deal, 0)
        hand = table.victims_hand(table.promise.secret, {**table.own_values(), VICTIM: value})
        if deal % 2 or (tries and badness(hand) > _BAD) or tries == TRIES:
            super().shown(table, value)
            return
        self._redrawn[deal] = tries + 1
        table.victim.is_refused = True
        table.restart(table.lines[:-1])


class OldValue(Forger):
    """Promises the hash of a value that was shown before, and deals with that."""

    def __init__(self, *, lies: bool = False) -> None:
        super().__init__(lies=lies)
        self._old = b""

    def shown(self, table: CheatedTable, value: bytes) -> None:
        self._old = value
        Scheme.shown(self, table, value)

    def asked(self, table: CheatedTable) -> None:
        if self.is_time(table):
            values = {**table.own_values(), VICTIM: self._old}
            promise = with_hash(table.promise, VICTIM, hash_of(self._old))
            promise = replace(promise, secret=worst_secret(table, values))
            put(table, promise, deal_of(promise, values))


class NoHash(Forger):
    """Promises a deal as if the victim did not cut."""

    def shown(self, table: CheatedTable, value: bytes) -> None:
        Scheme.shown(self, table, value)

    def asked(self, table: CheatedTable) -> None:
        if self.is_time(table):
            promise = with_hash(table.promise, VICTIM, b"")
            put(table, promise, deal_of(promise, table.own_values()))


class KnowsTheValue(Scheme):
    """Knows the victim's value when the secret is drawn: whoever cuts last, as it once was."""

    def draw(self, table: CheatedTable) -> bytes:
        return worst_secret(table, {**table.next_values(), VICTIM: table.victim.next_value})


BY_CHANCE: tuple[Callable[[], Scheme], ...] = (Honest, DrawsLast, TriesOtherValues, DropsAndKills)
"""After which the victim's value is in each deal, and those of the puppets too."""
FORGERS = (OtherSecret, HidesTheProof, OtherHash, LeftOut, AsksAgain, PowerCut, OldValue, NoHash)
MARKED: tuple[Callable[[], Scheme], ...] = (
    DropsAtTheShowing,
    ClaimsPowerCuts,
    *FORGERS,
    *(partial(forger, lies=True) for forger in FORGERS),
)
"""After which every second deal is marked at the victim's client."""


def name_of(scheme: Callable[[], Scheme]) -> str:
    if isinstance(scheme, partial):
        return f"{scheme.func.__name__} and lies"
    return scheme.__name__ if isinstance(scheme, type) else repr(scheme)
