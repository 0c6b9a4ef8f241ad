"""The gateway for browsers: it serves the page, and carries bytes to the game and to the chat."""
