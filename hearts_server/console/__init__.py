"""The console, over which the host speaks to the running server."""
