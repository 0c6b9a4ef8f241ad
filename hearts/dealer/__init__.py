"""The dealer dialect: frames with the messages of 1993 (SocketSpec.md section 14)."""
