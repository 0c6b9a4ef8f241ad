"""The taunt server: the chat of every game, a program that shares only a secret with the other."""
