"""A server as a process: its start, its parts, the lines for the host, and its end by signals."""
