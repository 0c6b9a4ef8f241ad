"""The plan of a tournament: its matches, their seatings, and their deals."""
