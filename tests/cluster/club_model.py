"""A model of a club: who may open a table of a name, and who may say that there is no such game.

There is one name. A lobby opens a table of it if it knows of none, and may say of a game that it
does not know that there is none. So a node that becomes the lobby has to know of every session that
goes on, whoever began it, and however late that commits.

``spread`` is the plan of SCALING.md: a lobby has other nodes begin tables, by letters that travel
as long as they like. It is not built.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

MOST_LIVES = 3
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
    """What is listed has its name and its number, whether it is taken up by then or not."""
    LEASE = auto()
    """That there is no such game is said by a lobby that is live (``lease_model.py``)."""
    TELL_AFTER_COMMIT = auto()
    """Players hear of their table when its begin is known to be committed."""


class SpreadPart(Enum):
    """The same of what is needed if other nodes than the lobby have tables."""

    CURRENT_LOBBY = auto()
    """A node begins a table only for the lobby that it knows."""
    KNOWN_LOBBY = auto()
    """What tables it has a node tells a lobby that it knows: it begins none for an earlier one."""
    LIST_LAST = auto()
    """A lobby lists the sessions when each other node that is live has told it that: another one
    may have died before it did."""


class Begin(NamedTuple):
    """A statement that stores a new session, on its way through the database."""

    life: int
    number: int
    checked: bool = False


class Letter(NamedTuple):
    """A lobby asks a node to begin a table."""

    lobby: int
    to: int
    number: int


class Node(NamedTuple):
    """A process; all of it but the life is lost when it dies."""

    life: int
    lobby: int = 0
    """The life that it knows to be the lobby."""
    heard: frozenset[int] = frozenset()
    """The lives that have told it, as the lobby, what they have."""
    listed: bool = False
    known: frozenset[int] = frozenset()
    """The games that it goes by."""
    own: frozenset[int] = frozenset()
    """Those of them that it has begun, or begins."""


class World(NamedTuple):
    """The database, the nodes, and what anybody has heard."""

    nodes: tuple[Node, Node] = (Node(1, lobby=1, listed=True), Node(2))
    live: frozenset[int] = frozenset((1, 2))
    lobby: int = 1
    sessions: frozenset[int] = frozenset()
    begins: frozenset[Begin] = frozenset()
    letters: frozenset[Letter] = frozenset()
    told: frozenset[int] = frozenset()
    """The games that players know they have a seat of."""
    denied: frozenset[int] = frozenset()
    """Those of which one was told after that that there is none."""


def wrong(world: World) -> str | None:
    """What may not be in this world; None if all is good."""
    if len(world.sessions) > 1:
        return "two tables have one name"
    if world.told - world.sessions:
        return "players have a seat of a game that is not stored"
    if world.denied & world.sessions:
        return "a game goes on of which it was told that there is none"
    return None


class Protocol:
    """All that can happen, with the parts that the protocol has."""

    def __init__(self, without: Part | SpreadPart | None = None, *, spread: bool = False) -> None:
        self._has = frozenset((*Part, *SpreadPart)) - {without}
        self._spread = spread

    def start(self) -> World:
        """The first node is the lobby, and lets people in."""
        first, second = World().nodes
        return World(nodes=(first._replace(heard=frozenset((2,))), second))

    def steps(self, world: World) -> Iterator[tuple[str, World]]:
        """Everything that can happen next, each with its name."""
        for node in world.nodes:
            for name, after in self._of_node(world, node):
                yield f"{node.life} {name}", after
        for begin in world.begins:
            yield from self._of_database(world, begin)
        for letter in world.letters:
            yield from self._of_letter(world, letter)

    def _of_node(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        for other in world.live - {node.life}:
            held = any(begin.life == other and begin.checked for begin in world.begins)
            if not held or Part.LOCK not in self._has:
                yield f"fences {other}", world._replace(live=world.live - {other})
        life = 1 + max(each.life for each in world.nodes)
        if life <= MOST_LIVES:
            born = world._replace(live=world.live | {life})
            yield "begins anew", _put(born, node, Node(life))
        if node.life in world.live:
            yield from self._beats(world, node)
        if node.lobby == node.life:
            yield from self._of_lobby(world, node)
        # Its players are told by whoever has begun the table.
        for number in node.own - world.told:
            if number in world.sessions or Part.TELL_AFTER_COMMIT not in self._has:
                yield f"tells players of {number}", world._replace(told=world.told | {number})

    def _beats(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        early = Part.LIST_AFTER_FENCE not in self._has
        if early and node.lobby != node.life and not node.listed:
            yield "lists too early", _list(world, node)
        if world.lobby not in world.live:
            taken = node._replace(lobby=node.life, listed=node.listed and early)
            yield "becomes the lobby", _put(world._replace(lobby=node.life), node, taken)
        elif node.lobby != world.lobby:
            yield "sees the lobby", _put(world, node, node._replace(lobby=world.lobby))

    def _of_lobby(self, world: World, node: Node) -> Iterator[tuple[str, World]]:
        others = world.live - {node.life}
        has_heard = others <= node.heard or not self._spread
        for other in world.nodes:
            knows = other.lobby == node.life or SpreadPart.KNOWN_LOBBY not in self._has
            if self._spread and other.life in others - node.heard and knows:
                heard = node._replace(heard=node.heard | {other.life}, known=node.known | other.own)
                yield f"hears from {other.life}", _put(world, node, heard)
        if not node.listed and (has_heard or SpreadPart.LIST_LAST not in self._has):
            yield "lists", _list(world, node)
        if not node.listed and Part.LIST_BEFORE_OPENING in self._has:
            return
        known = node.known if Part.KEEP_NAMES in self._has else node.own
        is_valid = node.life in world.live or Part.LEASE not in self._has
        for number in world.told - known if is_valid else ():
            yield f"says there is no {number}", world._replace(denied=world.denied | {number})
        number = 1 + max(node.known, default=0)
        if not known and number <= MOST_TABLES:
            knowing = node._replace(known=node.known | {number})
            yield f"opens {number}", _begin(world, node, knowing, number)
            for owner in others if self._spread else ():
                letters = world.letters | {Letter(node.life, owner, number)}
                yield f"places {number}", _put(world._replace(letters=letters), node, knowing)

    def _of_letter(self, world: World, letter: Letter) -> Iterator[tuple[str, World]]:
        gone = world._replace(letters=world.letters - {letter})
        yield f"letter {letter.number} is lost", gone
        for node in world.nodes:
            knows = node.lobby == letter.lobby or SpreadPart.CURRENT_LOBBY not in self._has
            if node.life == letter.to and knows:
                name = f"{node.life} takes letter {letter.number}"
                yield name, _begin(gone, node, node, letter.number)

    def _of_database(self, world: World, begin: Begin) -> Iterator[tuple[str, World]]:
        rest = world._replace(begins=world.begins - {begin})
        if begin.checked:
            sessions = world.sessions | {begin.number}
            yield f"commits {begin.number}", rest._replace(sessions=sessions)
        elif begin.life not in world.live or begin.number in world.sessions:
            yield f"refuses {begin.number}", rest
        else:
            checked = begin._replace(checked=True)
            yield f"checks {begin.number}", rest._replace(begins=rest.begins | {checked})


def _begin(world: World, old: Node, node: Node, number: int) -> World:
    begins = world.begins | {Begin(node.life, number)}
    after = node._replace(own=node.own | {number}, known=node.known | {number})
    return _put(world._replace(begins=begins), old, after)


def _list(world: World, node: Node) -> World:
    return _put(world, node, node._replace(listed=True, known=node.known | world.sessions))


def _put(world: World, old: Node, new: Node) -> World:
    first, second = (new if node is old else node for node in world.nodes)
    return world._replace(nodes=(first, second))
