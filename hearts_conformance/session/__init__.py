"""A session of a client, in either dialect: registration, table, conversation, chat."""
