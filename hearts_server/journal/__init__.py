"""The journal: what is stored, and what becomes of it."""
