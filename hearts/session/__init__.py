"""The parts that both dialects share: the registration, coming back, and what a client follows."""
