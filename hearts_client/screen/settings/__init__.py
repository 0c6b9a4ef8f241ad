"""The settings and the memory of a person, and the files in which they are kept."""
