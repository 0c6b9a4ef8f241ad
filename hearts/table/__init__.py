"""The table: one machine for players, bots and empty seats alike, without input or output."""
