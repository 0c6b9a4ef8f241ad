"""The standings of names: counted from finished games, kept in the store, and shown as a table."""
