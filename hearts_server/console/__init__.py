"""The console: what the host says to the running server."""
