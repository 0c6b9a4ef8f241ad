"""What the rooms share: the way in, the table and its deals, the chat, a session as a whole."""
