"""Conclusions from the results, and how far they may be wrong."""
