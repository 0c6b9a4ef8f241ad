"""The Hearts server: listens, seats people at tables, and runs the tables."""
