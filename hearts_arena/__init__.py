"""Tournaments of Hearts programs: the same deals in every seating, and answers with error bars."""
