"""Policies of what one address may do to a server. They have no clock: time is handed in."""
