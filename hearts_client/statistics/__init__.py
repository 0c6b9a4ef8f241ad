"""Statistics of a player, from their records."""
