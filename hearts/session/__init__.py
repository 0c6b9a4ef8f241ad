"""The parts that both dialects share: registration, coming back, and the client's picture."""
