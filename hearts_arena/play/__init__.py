"""Matches of players that are asked by a call, or in lines by a process of their own."""
