"""The taunt protocol, both sides, without input or output (SocketSpec.md section 9).

``server`` has the taunt server's end of one connection, ``client`` a player's, and ``announcer``
the game server's, which speaks to every game on one connection.
"""
