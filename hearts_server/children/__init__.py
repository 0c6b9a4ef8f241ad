"""The programs that a server starts beside itself, and its messages to them."""
