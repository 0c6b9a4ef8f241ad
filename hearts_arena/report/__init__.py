"""What people and other programs are shown of a tournament."""
