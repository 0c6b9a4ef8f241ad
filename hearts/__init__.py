"""The game of Hearts and its wire, without input or output.

Nothing here reads a clock, a file or a random source; only :mod:`hearts.net` touches sockets.
"""
