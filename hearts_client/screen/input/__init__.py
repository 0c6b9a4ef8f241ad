"""The terminal as a person uses it: pages, widgets, keys, and lines that are typed."""
