"""Pars of the hands that a person has played: kept, reckoned beside the game, and in words."""
