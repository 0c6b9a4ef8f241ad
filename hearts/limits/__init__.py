"""Limits on the load from one address. They have no clock: time is handed in."""
