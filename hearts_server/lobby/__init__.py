"""The lobby: it lets clients in, seats them, and lets them come back."""
