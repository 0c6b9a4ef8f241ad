"""Ints and texts on the wire, and the numbers that prove a seat."""
