"""Names that belong to somebody: whose they are, and who proves it (SocketSpec.md, annex E)."""
