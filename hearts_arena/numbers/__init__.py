"""What follows from the results, and how far it may be wrong."""
