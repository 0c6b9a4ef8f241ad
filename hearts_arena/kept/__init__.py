"""The data that is kept of a tournament, and how it is read back."""
