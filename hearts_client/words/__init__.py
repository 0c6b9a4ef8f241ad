"""What happens at a table, in words."""
