"""Names that belong to somebody: what is signed, who a name looks like; no clock, no file."""
