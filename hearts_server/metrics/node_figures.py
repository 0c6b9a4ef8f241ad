"""The figures of a node for the metrics page."""

from __future__ import annotations

from collections.abc import Callable

from hearts_server.standby.node import Node

from .counting import Family, Registry


class NodeFigures:
    """The metrics of a node, from its start on; those of its server follow when it plays."""

    def __init__(self, name: str, node: Node) -> None:
        made = Registry()
        self.families: list[Family] = made.families
        """All that the page shows."""
        labels = (("node", name), ("life", str(node.life)))
        made.reading("hearts_node_info", "This node; always 1.", labels).read = lambda: 1

        def show(name: str, text: str, read: Callable[[], float]) -> None:
            made.reading(f"hearts_node_{name}", text).read = read

        show("plays", "Whether it plays, and does not stand by.", lambda: node.plays)
        lease = "Seconds for which it may tell what is not stored; 0 if that is over."
        show("lease_seconds", lease, lambda: node.lease_left)
        beat = "Seconds since the sending of its last good beat."
        show("beat_age_seconds", beat, lambda: node.beat_age)
        show("others", "Other nodes that are live.", lambda: node.others)
        waits = "Whether a silent node cannot be ended, for somebody holds its rows."
        show("fence_waits", waits, lambda: bool(node.waits_for))
        text = "Tables that it has claimed when it took over."
        self.claimed = made.reading("hearts_node_claimed_tables", text)
