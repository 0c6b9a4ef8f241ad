"""The lobby: who comes in, who sits where, who comes back."""
