"""Connections for programs: playing, watching, chatting, coming back."""
