"""Settings of all programs."""
