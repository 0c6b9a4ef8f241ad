"""Names of one's own at servers: the secret that they are proved by, and the servers' keys."""
