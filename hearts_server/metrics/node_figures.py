"""The figures of a node for the metrics page: whether it plays, its lease, and who is beside it."""

from __future__ import annotations

from hearts_server.standby.node import Node

from .counting import Family, MetricReading, Registry


class NodeFigures:
    """The metrics of a node, from its start on; those of its server follow when it plays."""

    def __init__(self, name: str, node: Node) -> None:
        made = Registry()
        self.families: list[Family] = made.families
        """All that the page shows."""
        labels = (("node", name), ("life", str(node.life)))
        info = made.readings("hearts_node_info", "gauge", "This node; always 1.", {(): labels})
        info[()].read = lambda: 1

        def gauge(name: str, text: str) -> MetricReading:
            return made.reading(f"hearts_node_{name}", "gauge", text)

        gauge("plays", "Whether it plays, and does not stand by.").read = lambda: node.plays
        gauge(
            "lease_seconds", "Seconds for which it may tell what is not stored; 0 if that is over."
        ).read = lambda: node.lease_left
        gauge("beat_age_seconds", "Seconds since the sending of its last good beat.").read = (
            lambda: node.beat_age
        )
        gauge("others", "Other nodes that are live.").read = lambda: node.others
        gauge(
            "fence_waits", "Whether a silent node cannot be ended, for somebody holds its rows."
        ).read = lambda: bool(node.waits_for)
        self.claimed = gauge("claimed_tables", "Tables that it has claimed when it took over.")
