"""The sounds of a table, and the programs that play them."""
