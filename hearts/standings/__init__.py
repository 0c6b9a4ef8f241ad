"""The standings of names, as a server tells them."""
