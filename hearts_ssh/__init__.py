"""The door by ssh: visitors without the program play here in a client that this machine runs."""
