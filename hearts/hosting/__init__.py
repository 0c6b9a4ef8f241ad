"""A table with its connections, without input or output: bytes in, bytes out."""
