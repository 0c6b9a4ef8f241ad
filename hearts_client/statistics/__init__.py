"""Statistics of a player, out of his records."""
