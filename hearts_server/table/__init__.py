"""A table with its connections: seats, watchers, computers, and what is told to whom."""
