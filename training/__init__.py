"""The training of the bot swift; see README.md of hearts/bots/search."""
