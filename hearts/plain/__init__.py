"""The plain dialect: the NetSpades flow for Hearts (SocketSpec.md sections 3 to 5)."""
