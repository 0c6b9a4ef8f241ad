"""The commands: a person's client, the bot, statistics."""
