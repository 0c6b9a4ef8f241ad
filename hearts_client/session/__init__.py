"""Things that a person's client keeps of a session: records, promises, the way back."""
