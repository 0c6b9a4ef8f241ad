"""The server of a node: what it plays, what the others play, and who begins a table."""
