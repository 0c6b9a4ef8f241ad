"""The bot swift: a small network that has learned what cards and passes cost, and plain Python.

:mod:`.rows` says what the network sees of a view, :mod:`.network` computes, :mod:`.bot` plays.
``python -m training`` makes ``swift.bin``, whose first line says how.
"""
