"""Settings as tables: their rows, their options, help and files, and the readers of values."""
