"""The conformance kit: it plays the server for a client under test, and says what went right.

The frame (checks, report, line, clients, kit, command) knows no dialect. Each dialect is a room of
its own, with its checks and its scenarios; ``plain`` is the one that there is.
"""
