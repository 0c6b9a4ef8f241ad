"""The plan of a tournament: what is played, who sits where, and which cards are dealt."""
