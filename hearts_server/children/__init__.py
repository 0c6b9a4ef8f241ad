"""The programs that a server starts beside itself, and what it says to them."""
