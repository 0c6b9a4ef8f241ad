"""The journal: the stored sessions, and their later use."""
