"""A server as a process: what it opens, builds and says at its start, and how signals end it."""
