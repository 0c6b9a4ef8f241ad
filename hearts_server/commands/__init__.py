"""The commands: serve, records, verify."""
