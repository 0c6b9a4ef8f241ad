"""Several servers that share one store: which of them plays, and how the others lead to it."""
