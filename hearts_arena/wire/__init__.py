"""Matches in which programs on the wire play."""
