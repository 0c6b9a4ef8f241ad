"""One server plays, others stand by: who is live, who plays, and when a standby takes over."""
