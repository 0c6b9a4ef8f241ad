"""A model of choices: two nodes, one game, and a database that commits late.

There is no time in it. Any life can be fenced at any instant, whatever clocks and beats say, and a
statement that nobody waits for any more may still commit. So what holds here needs no clock.

A statement that appends a line sees first that its life is live and has the game (``checked``),
and commits later; with the lock a life cannot be fenced in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple, Protocol

END = -1
"""In place of a line's number: the end of the game."""
MOST_LIVES = 3


class ModelPart(Enum):
    """A part of the protocol that can be taken out, to see that it is needed."""

    LOCK = auto()
    """A life is not fenced between the check and the commit of a statement of it."""
    READ_AFTER_CLAIM = auto()
    """Who claims a game reads its lines after that, and not before."""
    FENCE_BEFORE_CLAIM = auto()
    """A game is claimed only from a life that is fenced."""
    CLAIM_NAMES_LIFE = auto()
    """A game is claimed if it still has the life that was seen to be over, and not if another node
    has claimed it meanwhile."""
    KEY = auto()
    """A game has one line of each number."""
    TELL_AFTER_COMMIT = auto()
    """A choice is told when its line is known to be committed."""
    READ_BACK = auto()
    """What became of a statement whose connection broke is read."""
    END_AFTER_COMMIT = auto()
    """The end of a game is told when it is known to be committed."""
    GONE_FROM_DATABASE = auto()
    """That there is no such game is said by the database."""


class StatementState(Enum):
    """What a node knows of the statement that it waits for."""

    NOTHING = auto()
    SENT = auto()
    DONE = auto()
    REFUSED = auto()
    UNSURE = auto()
    """The connection broke before the answer."""


class Flight(NamedTuple):
    """A statement on its way through the database."""

    life: int
    number: int
    choice: int
    checked: bool = False
    awaited: bool = True
    """Whether the connection is there on which the answer goes back."""


class ChoicesNode(NamedTuple):
    """A process; all of it but the life is lost when it dies."""

    life: int
    plays: bool = False
    """Whether it has read a game that it takes for its own."""
    known: tuple[int, ...] = ()
    """The choices that it goes by."""
    asked: StatementState = StatementState.NOTHING
    number: int = 0
    choice: int = 0
    made: int = 0
    """How many choices this life has put up."""
    claims_of: int = 0
    """The life whose game it is about to claim."""


class World(NamedTuple):
    """The database, the nodes, and what anybody has heard."""

    nodes: tuple[ChoicesNode, ChoicesNode] = (ChoicesNode(1, plays=True), ChoicesNode(2))
    live: frozenset[int] = frozenset((1, 2))
    owner: int = 1
    lines: frozenset[tuple[int, int, int]] = frozenset()
    """Number and choice of each, and how many times it stands."""
    ended: int | None = None
    """How many lines there were at the end."""
    flights: frozenset[Flight] = frozenset()
    heard: frozenset[tuple[int, int]] = frozenset()
    heard_end: bool = False
    """Whether anybody was told of the end, or that there is no such game."""

    @property
    def stand(self) -> dict[int, int]:
        return {number: choice for number, choice, _ in self.lines}


def wrong(world: World) -> str | None:
    """What may not be in this world; None if all is good."""
    stand = world.stand
    for number, choice in world.heard:
        if stand.get(number) != choice:
            return f"choice {choice} was told and does not stand"
    choices = [choice for _, choice, _ in world.lines]
    if len(set(choices)) < len(choices) or any(times > 1 for _, _, times in world.lines):
        return "a choice stands twice"
    if world.heard_end and world.ended is None:
        return "the end was told of a game that goes on"
    if world.ended is not None and world.ended != len(world.lines):
        return "a choice stands that was made after the end"
    for node in world.nodes:
        if node.plays and node.life in world.live and node.life == world.owner:
            own = dict(enumerate(node.known))
            if any(own.get(number) != choice for number, choice in world.heard):
                return f"life {node.life} goes on without a choice that was told"
    return None


_IDLE: dict[str, object] = {"asked": StatementState.NOTHING, "number": 0, "choice": 0}
_FORGETFUL: dict[str, object] = {**_IDLE, "plays": False, "known": ()}


class _Put(Protocol):
    def __call__(self, world: World, **changed: object) -> World: ...


class Choices:
    """All that can happen, with the parts that the protocol has."""

    def __init__(self, without: ModelPart | None = None, *, lines: int = 2) -> None:
        """``lines`` are those of the game at most."""
        self._has = frozenset(ModelPart) - {without}
        self._lines = lines

    def steps(self, world: World) -> Iterator[tuple[str, World]]:
        """Everything that can happen next, each with its name."""
        for index, node in enumerate(world.nodes):
            for name, after in self._of_node(world, index, node):
                yield f"{node.life} {name}", after
        for flight in world.flights:
            for name, after in self._of_database(world, flight):
                yield f"{name} {flight.choice}", after

    # A node

    def _of_node(self, world: World, index: int, node: ChoicesNode) -> Iterator[tuple[str, World]]:
        def put(world: World, **changed: object) -> World:
            nodes = list(world.nodes)
            nodes[index] = nodes[index]._replace(**changed)  # type: ignore[arg-type]
            return world._replace(nodes=(nodes[0], nodes[1]))

        if node.plays and node.asked is StatementState.NOTHING:
            if len(node.known) < self._lines:
                yield "chooses", self._propose(put, world, node, len(node.known))
            if node.known:
                yield "ends", self._propose(put, world, node, END)
        match node.asked:
            case StatementState.NOTHING:
                pass
            case StatementState.DONE:
                yield "tells", self._tell(put, world, node)
            case StatementState.REFUSED:
                yield "forgets", put(world, **_FORGETFUL)
            case StatementState.UNSURE:
                yield "reads back", self._read_back(put, world, node)
            case StatementState.SENT:
                pass
        broken = any(not flight.awaited for flight in world.flights)
        if (
            node.asked in (StatementState.SENT, StatementState.DONE, StatementState.REFUSED)
            and not broken
        ):
            yield "loses connection", put(_unheard(world, node.life), asked=StatementState.UNSURE)
        yield from self._takeover(put, world, node)
        life = 1 + max(1, *(node.life for node in world.nodes))
        if life <= MOST_LIVES:
            born = world._replace(live=world.live | {life})
            born = _unheard(born, node.life)
            nodes = list(born.nodes)
            nodes[index] = ChoicesNode(life)
            yield "begins anew", born._replace(nodes=(nodes[0], nodes[1]))
        # In its memory there is no such game, whatever the database says.
        is_gone = world.ended is not None or ModelPart.GONE_FROM_DATABASE not in self._has
        if is_gone and not node.plays:
            yield "says there is none", world._replace(heard_end=True)

    def _propose(self, put: _Put, world: World, node: ChoicesNode, number: int) -> World:
        choice = 10 * node.life + node.made
        flights = world.flights | {Flight(node.life, number, choice)}
        if number == END:
            heard_end = world.heard_end or ModelPart.END_AFTER_COMMIT not in self._has
            world = world._replace(heard_end=heard_end)
        elif ModelPart.TELL_AFTER_COMMIT not in self._has:
            world = world._replace(heard=world.heard | {(number, choice)})
        world = world._replace(flights=flights)
        made = node.made + 1
        return put(world, asked=StatementState.SENT, number=number, choice=choice, made=made)

    def _tell(self, put: _Put, world: World, node: ChoicesNode) -> World:
        if node.number == END:
            over = world._replace(heard_end=True)
            return put(over, **_FORGETFUL)
        world = world._replace(heard=world.heard | {(node.number, node.choice)})
        return put(world, known=(*node.known, node.choice), **_IDLE)

    def _read_back(self, put: _Put, world: World, node: ChoicesNode) -> World:
        if ModelPart.READ_BACK not in self._has:
            return self._tell(put, world, node)
        if node.number == END:
            found = None if world.ended is None else node.choice
        else:
            found = world.stand.get(node.number)
        if found == node.choice:
            return self._tell(put, world, node)
        if found is not None:
            return put(world, **_FORGETFUL)
        again = world.flights | {Flight(node.life, node.number, node.choice)}
        return put(world._replace(flights=again), asked=StatementState.SENT)

    def _takeover(self, put: _Put, world: World, node: ChoicesNode) -> Iterator[tuple[str, World]]:
        for other in world.live - {node.life}:
            checked = any(flight.life == other and flight.checked for flight in world.flights)
            if not checked or ModelPart.LOCK not in self._has:
                yield f"fences {other}", world._replace(live=world.live - {other})
        if world.ended is not None or node.life not in world.live or node.plays:
            return
        early = ModelPart.READ_AFTER_CLAIM not in self._has
        # The row of the game is locked by the statement that ends it.
        locked = any(flight.checked and flight.number == END for flight in world.flights)
        fenced = world.owner not in world.live or ModelPart.FENCE_BEFORE_CLAIM not in self._has
        if world.owner != node.life and fenced and node.claims_of != world.owner:
            yield "looks", put(world, claims_of=world.owner)
        same = node.claims_of == world.owner or ModelPart.CLAIM_NAMES_LIFE not in self._has
        if node.claims_of and same and not locked:
            yield "claims", put(world._replace(owner=node.life), plays=early, claims_of=0)
        if early or world.owner == node.life:
            lines = tuple(choice for _, choice in sorted(world.stand.items()))
            yield "reads", put(world, known=lines, plays=not early)

    # The database

    def _of_database(self, world: World, flight: Flight) -> Iterator[tuple[str, World]]:
        rest = world._replace(flights=world.flights - {flight})
        if not flight.awaited:
            yield "drops", rest
        if flight.checked:
            yield "commits", _answered(self._commit(rest, flight), flight, StatementState.DONE)
            return
        taken = flight.number in world.stand and ModelPart.KEY in self._has
        owns = flight.life in world.live and world.owner == flight.life and world.ended is None
        if taken or not owns:
            yield "refuses", _answered(rest, flight, StatementState.REFUSED)
        elif not self._has_to_wait(world, flight):
            checked = flight._replace(checked=True)
            yield "checks", rest._replace(flights=rest.flights | {checked})

    def _has_to_wait(self, world: World, flight: Flight) -> bool:
        return ModelPart.KEY in self._has and any(
            other.checked and other.number == flight.number for other in world.flights
        )

    def _commit(self, world: World, flight: Flight) -> World:
        if flight.number == END:
            return world._replace(ended=len(world.lines))
        line = (flight.number, flight.choice, 1)
        if line in world.lines:
            line = (flight.number, flight.choice, 2)
        return world._replace(lines=world.lines | {line})


def _unheard(world: World, life: int) -> World:
    flights = frozenset(
        flight._replace(awaited=False) if flight.life == life else flight
        for flight in world.flights
    )
    return world._replace(flights=flights)


def _answered(world: World, flight: Flight, answer: StatementState) -> World:
    if not flight.awaited:
        return world
    first, second = (
        node._replace(asked=answer) if node.life == flight.life else node for node in world.nodes
    )
    return world._replace(nodes=(first, second))
