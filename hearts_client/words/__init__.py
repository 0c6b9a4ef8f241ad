"""The events of a table, in words."""
