"""The table line by line, for any terminal, a pipe or a screen reader."""
