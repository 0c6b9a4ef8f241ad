"""A table on the screen: the picture of it, and the acts of a person there."""
