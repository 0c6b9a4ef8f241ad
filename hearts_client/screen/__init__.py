"""The full-screen table: a terminal in which somebody plays for an evening.

What is drawn is free of the framework: a :class:`~.canvas.Canvas` of text with regions that a mouse
can hit. Only the pages know urwid, which is an extra of the installation.
"""
