"""What is played: a tournament, who sits where, and which cards are dealt."""
