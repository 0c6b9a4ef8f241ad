"""Matches of players that are asked by a call."""
