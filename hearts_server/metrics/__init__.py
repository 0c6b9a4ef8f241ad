"""The figures that a server counts about itself, and its page for Prometheus."""
