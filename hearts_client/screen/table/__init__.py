"""A table on the screen: what is shown of it, and what a person does there."""
