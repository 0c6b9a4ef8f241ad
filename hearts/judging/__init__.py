"""The cost of choices, and mistakes: swift plays hands on to their ends, in a process or here."""
