"""What a server counts about itself, and its page for Prometheus."""
