"""The deal of the day: what servers tell of it, and what is kept of a person for it."""
