"""Search over the hidden cards: a position from a view, worlds that fit, rollouts, bots.

:class:`.position.Position` is what a seat knows, :class:`.worlds.Worlds` what fits it, and
:class:`.search.SearchBot` plays by rollouts. README.md says how to write a search bot of one's own.
"""
