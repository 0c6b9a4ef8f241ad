"""A person's own mistakes: found in their records, kept, and asked again after days."""
