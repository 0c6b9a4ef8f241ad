"""Computers that search: worker processes that think about their choices."""
