"""The conformance kit: it plays the server for a client under test, and says what went right.

The tables of requirements and scenarios, the frame (checks, report, line, clients, kit, command)
and the conversation of a session know no dialect; ``plain`` and ``dealer`` say what is theirs.
"""
