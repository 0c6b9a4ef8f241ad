"""The full screen: a terminal in which somebody plays.

From the bottom: ``settings``, ``pictures``, ``input`` and ``sound``, ``pages``, ``table``. What is
drawn is free of the framework: a :class:`~.pictures.canvas.Canvas` of text with regions that a
mouse can hit. Only widgets and pages know urwid, which is an extra of the installation.
"""
