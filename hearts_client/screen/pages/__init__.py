"""The pages before the table, beside it and above it."""
