"""A model of a club: who may open a table of a name, and who may say that there is no such game.

There is one name. The lobby opens a table of it if it knows of none, and gives it to a node: it
stores the session as that node's. Any node takes up what is its own there, or of a life that is
over; it tells the players, and ends the session. So a node that becomes the lobby has to know of
every session that goes on, whoever has it, and however late that commits or ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

MOST_TABLES = 2


class Part(Enum):
    """A part of the protocol that can be taken out, to see that it is needed."""

    LOCK = auto()
    """A life is not fenced between the check and the commit of a statement of it."""
    LIST_AFTER_FENCE = auto()
    """A lobby lists the sessions after the life of the lobby before is over."""
    LIST_BEFORE_OPENING = auto()
    """It lets people in after that."""
    KEEP_NAMES = auto()
    """What is listed has its name and its number, whoever has it."""
    LOOK = auto()
    """That there is no such game is said by who has looked where all are stored."""
    OVER_BY_DATABASE = auto()
    """A lobby forgets a table when the end of its session is stored, and not when it is told."""
    STORED_BEFORE_OVER = auto()
    """And what is not stored yet is not taken for one that is over."""
    TELL_AFTER_COMMIT = auto()
    """Players are led to the owner of their table when its begin is known to be committed."""


class Statement(NamedTuple):
    """A session begins or ends, on its way through the database."""

    life: int
    number: int
    owner: int
    """Who is to have it; 0 for an end."""
    checked: bool = False


class Node(NamedTuple):
    """A process; all of it but the life is lost when it dies."""

    life: int
    is_lobby: bool = False
    listed: bool = False
    known: frozenset[int] = frozenset()
    """The games whose names are taken, as the lobby knows."""
    highest: int = 0
    """The highest number that it has given or listed."""
    own: frozenset[int] = frozenset()
    """The games that it plays."""


class World(NamedTuple):
    """The database, the nodes, and what anybody has heard."""

    nodes: tuple[Node, Node] = (Node(1, is_lobby=True, listed=True), Node(2))
    live: frozenset[int] = frozenset((1, 2))
    lobby: int = 1
    sessions: frozenset[tuple[int, int]] = frozenset()
    """Those that go on, each with the life that has it."""
    over: frozenset[int] = frozenset()
    statements: frozenset[Statement] = frozenset()
    told: frozenset[int] = frozenset()
    """The games that players know they have a seat of."""
    denied: bool = False
    """Whether one was told of a game that goes on, after that, that there is none."""

    @property
    def going_on(self) -> frozenset[int]:
        """The games that go on."""
        return frozenset(number for number, _ in self.sessions)


def wrong(world: World) -> str | None:
    """What may not be in this world; None if all is good."""
    if len(world.sessions) > 1:
        return "two tables have one name"
    if world.told - world.going_on - world.over:
        return "players have a seat of a game that is not stored"
    if world.denied:
        return "a game goes on of which it was told that there is none"
    return None


class Protocol:
    """All that can happen, with the parts that the protocol has."""

    def __init__(self, without: Part | None = None, *, lives: int = 2) -> None:
        """``lives`` is how many there are at most; two nodes have two."""
        self._lives = lives
        self._has = frozenset(Part) - {without}

    def steps(self, world: World) -> Iterator[tuple[str, World]]:
        """Everything that can happen next, each with its name."""
        for node in world.nodes:
            for name, after in self._of_node(world, node):
                yield f"{node.life} {name}", after
        for statement in world.statements:
            yield from self._of_database(world, statement)

    def _of_node(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        others = world.live - {node.life} if node.life in world.live else frozenset()
        for other in others:
            held = any(each.life == other and each.checked for each in world.statements)
            if not held or Part.LOCK not in self._has:
                yield f"fences {other}", world._replace(live=world.live - {other})
        life = 1 + max(each.life for each in world.nodes)
        if life <= self._lives and node.life not in world.live:
            born = world._replace(live=world.live | {life})
            yield "begins anew", _put(born, node, Node(life))
        if node.life in world.live:
            yield from self._becomes_lobby(world, node)
            yield from self._takes_up(world, node)
        if node.is_lobby:
            yield from self._of_lobby(world, node)
        yield from self._of_owner(world, node)

    def _becomes_lobby(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        early = Part.LIST_AFTER_FENCE not in self._has
        if early and not node.is_lobby and not node.listed:
            yield "lists too early", _list(world, node)
        if world.lobby not in world.live:
            taken = node._replace(is_lobby=True, listed=node.listed and early)
            yield "becomes the lobby", _put(world._replace(lobby=node.life), node, taken)

    def _takes_up(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        """What a node does in one transaction in which its own life is locked and live."""
        for number, owner in world.sessions:
            is_ending = any(
                (each.life, each.number, each.owner) == (node.life, number, 0)
                for each in world.statements
            )
            if number in node.own or is_ending or (owner != node.life and owner in world.live):
                continue
            has = node._replace(own=node.own | {number})
            sessions = world.sessions - {(number, owner)} | {(number, node.life)}
            yield f"takes {number} up", _put(world._replace(sessions=sessions), node, has)
        if Part.TELL_AFTER_COMMIT not in self._has:
            for each in world.statements:
                if each.owner == node.life and each.number not in node.own:
                    has = node._replace(own=node.own | {each.number})
                    yield f"begins {each.number} unread", _put(world, node, has)
        stored = world.going_on | world.over if Part.LOOK in self._has else node.known | node.own
        for number in world.told & world.going_on - stored:
            yield f"says there is no {number}", world._replace(denied=True)

    def _of_owner(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        for number in node.own:
            if number not in world.told:
                yield f"tells players of {number}", world._replace(told=world.told | {number})
            else:
                end = Statement(node.life, number, 0)
                ended = world._replace(statements=world.statements | {end})
                without = node._replace(own=node.own - {number})
                yield f"ends {number}", _put(ended, node, without)

    def _of_lobby(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        if not node.listed:
            yield "lists", _list(world, node)
            if Part.LIST_BEFORE_OPENING in self._has:
                return
        for number in node.known:
            if self._is_forgotten(world, node, number):
                less = node._replace(known=node.known - {number})
                yield f"forgets {number}", _put(world, node, less)
        taken = node.known if Part.KEEP_NAMES in self._has else node.own
        # A node has a counter of its own; what it has listed only says where that goes on.
        for number in () if taken else range(node.highest + 1, MOST_TABLES + 1):
            knowing = node._replace(known=node.known | {number}, highest=number)
            for owner in (each.life for each in world.nodes):
                begin = Statement(node.life, number, owner)
                begun = world._replace(statements=world.statements | {begin})
                yield f"gives {number} to {owner}", _put(begun, node, knowing)

    def _is_forgotten(self, world: World, node: Node, number: int) -> bool:
        if Part.OVER_BY_DATABASE not in self._has:
            # Its owner has ended it, and says so.
            is_ending = any(each.number == number and not each.owner for each in world.statements)
            return is_ending or number in world.over
        if Part.STORED_BEFORE_OVER not in self._has:
            return number not in world.going_on
        return number in world.over

    def _of_database(self, world: World, each: Statement) -> Iterator[tuple[str, World]]:
        rest = world._replace(statements=world.statements - {each})
        number = each.number
        if each.checked:
            if each.owner:
                sessions = world.sessions | {(number, each.owner)}
                yield f"commits {number}", rest._replace(sessions=sessions)
            else:
                sessions = world.sessions - {(number, each.life)}
                yield (
                    f"commits the end of {number}",
                    rest._replace(sessions=sessions, over=world.over | {number}),
                )
            return
        if each.owner:
            can_be = number not in world.going_on | world.over
        else:
            can_be = (number, each.life) in world.sessions
        if each.life not in world.live or not can_be:
            yield f"refuses {number}", rest
        else:
            checked = rest.statements | {each._replace(checked=True)}
            yield f"checks {number}", rest._replace(statements=checked)


def _list(world: World, node: Node) -> World:
    highest = max(world.going_on | world.over, default=0)
    listed = node._replace(
        listed=True,
        known=node.known | world.going_on,
        highest=max(node.highest, highest),
    )
    return _put(world, node, listed)


def _put(world: World, old: Node, new: Node) -> World:
    first, second = (new if node is old else node for node in world.nodes)
    return world._replace(nodes=(first, second))
